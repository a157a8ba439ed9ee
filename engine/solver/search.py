"""Four suits: the search for the best choice of groups.

Groups are the only tie between the suits, so :class:`Search` goes up the ranks of a
:class:`Problem` and branches over the *group vectors* of each rank only: how many cards of every
suit go into groups. ``n`` groups of one rank can be made of a vector exactly when no entry exceeds
``n`` and the sum lies between ``3n`` and ``4n`` (M4.2). It is depth first, least loss first, and
leaves a branch when the losses of the four suits promise nothing better than the best play found.
A problem that takes more than a few nodes is :func:`tightened` first: group vectors that no better
play can use are struck out, which sharpens the promises.
"""

from __future__ import annotations

from typing import Final

from engine.solver.suits import (
    HOPELESS,
    RANK_COUNT,
    SUIT_COUNT,
    Machine,
    Option,
    Profile,
    Stage,
    Suit,
)

Vector = tuple[int, int, int, int]
"""Cards of clubs, diamonds, hearts and spades that go into the groups of one rank."""

Step = tuple[Option, Option, Option, Option]
"""What a group vector makes of the four suits at a rank."""


def numbers_of(vectors: list[Vector], suit: int) -> int:
    """Return the set of numbers that a suit has in some vectors."""
    numbers = 0
    for vector in vectors:
        numbers |= 1 << vector[suit]
    return numbers


class Problem:
    """The cards of the four suits and the open group vectors, with a worth to count from."""

    __slots__ = ("base", "bound", "debt", "suits", "vectors")

    def __init__(self, suits: list[Suit], vectors: list[list[Vector]], base: int) -> None:
        self.suits: Final = suits
        self.vectors: Final = vectors
        """By rank."""
        self.base: Final = base
        self.debt: Final = sum([suit.debt for suit in suits])
        """What the suits must lose at least."""
        self.bound: Final = base + sum([suit.top for suit in suits]) - self.debt
        """Upper bound of the worth, below zero if some suit cannot be arranged."""

    def limited(self, rank: int, vectors: list[Vector]) -> Problem:
        """Return the problem with other group vectors at a rank."""
        suits: list[Suit] = []
        for suit in range(SUIT_COUNT):
            suits.append(self.suits[suit].limited(rank, numbers_of(vectors, suit)))
        new = self.vectors[:]
        new[rank] = vectors
        return Problem(suits, new, self.base)


def tightened(problem: Problem, best: int) -> Problem | None:
    """Strike out the group vectors with which ``best`` cannot be exceeded.

    Going up the ranks with all choices of groups open, the cards below a rank promise some loss
    for each suit, and so do the cards above; a vector must not lose too much by their sum.
    Return None if a rank is left without vectors: then there is nothing to be found.
    """
    while problem.bound > best:
        profiles = [suit.start for suit in problem.suits]
        least = problem.bound + problem.debt - best
        tighter = problem
        for rank in range(RANK_COUNT):
            stages = [suit.stages[rank] for suit in problem.suits]
            vectors = problem.vectors[rank]
            useful = _useful(vectors, stages, profiles, least)
            if not useful:
                return None
            if len(useful) < len(vectors):
                tighter = tighter.limited(rank, useful)
            unions = [stages[suit].union(profiles[suit]) for suit in range(SUIT_COUNT)]
            profiles = [union.profile for union in unions]
            for union in unions:
                least -= union.cost
        if tighter is problem:
            return problem
        problem = tighter
    return None


def _useful(
    vectors: list[Vector], stages: list[Stage], profiles: list[Profile], least: int
) -> list[Vector]:
    """Return the vectors whose losses add up to less than ``least``."""
    options: list[list[Option]] = []
    for suit in range(SUIT_COUNT):
        stage = stages[suit]
        options.append(stage.options.get(profiles[suit]) or stage.expand(profiles[suit]))
    of_clubs, of_diamonds, of_hearts, of_spades = options
    useful: list[Vector] = []
    for vector in vectors:
        loss = of_clubs[vector[0]].loss + of_diamonds[vector[1]].loss
        loss += of_hearts[vector[2]].loss + of_spades[vector[3]].loss
        if loss < least:
            useful.append(vector)
    return useful


class Search:
    """The search for the best choice of group vectors, over one problem or several."""

    __slots__ = (
        "_least", "_limit", "_nodes", "_path", "_seen", "_stages", "_vectors", "best", "steps",
    )  # fmt: skip

    PATIENCE: Final = 16
    """Branching nodes before a problem is tightened; most problems need fewer."""

    def __init__(self, best: int) -> None:
        self.best = best
        """What must be exceeded, and then the worth of the best play."""
        self.steps: list[Step] = []
        """The choices of the best play, by rank; empty if there is none."""
        self._stages: list[list[Stage]] = []
        self._vectors: list[list[Vector]] = []
        self._least = 0
        """What must not be lost of the problem's bound."""
        self._path: list[Step] = []
        self._seen: dict[tuple[int, Profile, Profile, Profile, Profile], int] = {}
        self._nodes = 0
        self._limit = 0

    def run(self, problem: Problem) -> bool:
        """Search a problem; say whether ``best`` rose."""
        before = self.best
        if not self._complete(problem, self.PATIENCE):
            tighter = tightened(problem, self.best)
            if tighter is not None:
                self._complete(tighter, 0)
        return self.best > before

    def _complete(self, problem: Problem, limit: int) -> bool:
        """Search with at most so many nodes (0: all it takes); say whether that was enough."""
        self._stages = [suit.stages for suit in problem.suits]
        self._vectors = problem.vectors
        self._least = problem.bound - self.best
        self._path = []
        self._seen = {}
        self._nodes = 0
        self._limit = limit
        clubs, diamonds, hearts, spades = [suit.start for suit in problem.suits]
        done = self._descend(0, clubs, diamonds, hearts, spades, -problem.debt)
        self.best = problem.bound - self._least
        return done

    def _descend(
        self,
        rank: int,
        clubs: Profile,
        diamonds: Profile,
        hearts: Profile,
        spades: Profile,
        lost: int,
    ) -> bool:
        """Go up from a rank with the four suits' profiles; say whether the nodes sufficed."""
        path = self._path
        del path[rank:]
        clubs_stages, diamonds_stages, hearts_stages, spades_stages = self._stages
        while True:
            stage = clubs_stages[rank]
            of_clubs = stage.options.get(clubs) or stage.expand(clubs)
            stage = diamonds_stages[rank]
            of_diamonds = stage.options.get(diamonds) or stage.expand(diamonds)
            stage = hearts_stages[rank]
            of_hearts = stage.options.get(hearts) or stage.expand(hearts)
            stage = spades_stages[rank]
            of_spades = stage.options.get(spades) or stage.expand(spades)
            vectors = self._vectors[rank]
            if len(vectors) == 1:
                # Each suit has one option only, so nothing is lost that was not promised.
                vector = vectors[0]
                c = of_clubs[vector[0]]
                d = of_diamonds[vector[1]]
                h = of_hearts[vector[2]]
                s = of_spades[vector[3]]
                step = (c, d, h, s)
            else:
                least = self._least - lost
                children: list[tuple[int, int, Step]] = []
                for vector in vectors:
                    c = of_clubs[vector[0]]
                    d = of_diamonds[vector[1]]
                    h = of_hearts[vector[2]]
                    s = of_spades[vector[3]]
                    loss = c.loss + d.loss + h.loss + s.loss
                    if loss < least:
                        children.append((loss, len(children), (c, d, h, s)))
                if not children:
                    return True
                if len(children) > 1:
                    break
                step = children[0][2]
                c, d, h, s = step
            path.append(step)
            lost += c.cost + d.cost + h.cost + s.cost
            rank += 1
            if rank == RANK_COUNT:
                self._least = lost
                self.steps = path[:]
                return True
            clubs = c.profile
            diamonds = d.profile
            hearts = h.profile
            spades = s.profile
        key = (rank, clubs, diamonds, hearts, spades)
        if self._seen.get(key, HOPELESS) <= lost:
            return True
        self._seen[key] = lost
        self._nodes += 1
        if self._nodes == self._limit:
            return False
        children.sort()
        for loss, _, step in children:
            if lost + loss >= self._least:
                break
            del path[rank:]
            path.append(step)
            if rank + 1 == RANK_COUNT:
                self._least = lost + loss
                self.steps = path[:]
                break
            c, d, h, s = step
            cost = lost + c.cost + d.cost + h.cost + s.cost
            if not self._descend(rank + 1, c.profile, d.profile, h.profile, s.profile, cost):
                return False
        return True


class Line:
    """What became of one suit in the best play."""

    __slots__ = ("high_aces", "jokers", "played")

    def __init__(self, machine: Machine, steps: list[Step], suit: int) -> None:
        profile = steps[RANK_COUNT - 1][suit].profile
        number = profile.states[profile.losses.index(0)]
        state = machine.states[number]
        self.high_aces: Final = state.kept + state.jokers
        self.played: Final[list[int]] = []
        """The rank of each hand card played."""
        self.jokers: Final = [0] * state.jokers
        """The rank of each joker in a sequence."""
        for rank in range(RANK_COUNT - 1, -1, -1):
            option = steps[rank][suit]
            number, plays, jokers = option.origins[option.profile.states.index(number)]
            if plays:
                self.played.extend([rank] * plays)
            if jokers:
                self.jokers.extend([rank] * jokers)
