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
    Entry,
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

    __slots__ = ("base", "bound", "suits", "vectors")

    def __init__(self, suits: list[Suit], vectors: list[list[Vector]], base: int) -> None:
        self.suits: Final = suits
        self.vectors: Final = vectors
        """By rank."""
        self.base: Final = base
        bound = base
        for suit in suits:
            bound += suit.top
        for suit in suits:
            if suit.is_dead:
                bound = -1
        self.bound: Final = bound
        """Upper bound of the worth, that of an arrangement without loss; -1 if there is none."""

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
        unions: list[Option] = []
        lost = 0
        tighter = problem
        for rank in range(RANK_COUNT):
            options: list[list[Option]] = []
            profiles = [union.profile for union in unions]
            unions = []
            for i, suit in enumerate(problem.suits):
                entry = suit.entries[rank]
                if entry is None:
                    stage = suit.stages[rank]
                    options.append(stage.options.get(profiles[i]) or stage.expand(profiles[i]))
                    unions.append(stage.union(profiles[i]))
                else:
                    options.append(entry.options)
                    unions.append(entry.union())
            vectors = problem.vectors[rank]
            useful = _useful(vectors, options, problem.bound - best - lost)
            if not useful:
                return None
            if len(useful) < len(vectors):
                tighter = tighter.limited(rank, useful)
            for union in unions:
                lost += union.cost
        if tighter is problem:
            return problem
        problem = tighter
    return None


def _useful(vectors: list[Vector], options: list[list[Option]], least: int) -> list[Vector]:
    """Return the vectors whose losses add up to less than ``least``."""
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
        "_entries", "_least", "_limit", "_nodes", "_path", "_seen", "_stages", "_vectors", "best",
        "problem", "steps",
    )  # fmt: skip

    PATIENCE: Final = 40
    """Branching nodes before a problem is tightened."""

    def __init__(self, best: int) -> None:
        self.best = best
        """What must be exceeded, and then the worth of the best play."""
        self.steps: list[Step] = []
        """The choices of the best play, by rank; empty if there is none."""
        self.problem: Problem | None = None
        """The problem that they belong to."""
        self._entries: list[list[Entry | None]] = []
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
        self._entries = [suit.entries for suit in problem.suits]
        self._stages = [suit.stages for suit in problem.suits]
        self._vectors = problem.vectors
        self._least = problem.bound - self.best
        self._path = []
        self._seen = {}
        self._nodes = 0
        self._limit = limit
        nothing = problem.suits[0].machine.memory.hopeless.profile
        done = self._descend(0, nothing, nothing, nothing, nothing, 0)
        if problem.bound - self._least > self.best:
            self.best = problem.bound - self._least
            self.problem = problem
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
        clubs_entries, diamonds_entries, hearts_entries, spades_entries = self._entries
        clubs_stages, diamonds_stages, hearts_stages, spades_stages = self._stages
        while True:
            entry = clubs_entries[rank]
            if entry is None:
                stage = clubs_stages[rank]
                of_clubs = stage.options.get(clubs) or stage.expand(clubs)
            else:
                of_clubs = entry.options
            entry = diamonds_entries[rank]
            if entry is None:
                stage = diamonds_stages[rank]
                of_diamonds = stage.options.get(diamonds) or stage.expand(diamonds)
            else:
                of_diamonds = entry.options
            entry = hearts_entries[rank]
            if entry is None:
                stage = hearts_stages[rank]
                of_hearts = stage.options.get(hearts) or stage.expand(hearts)
            else:
                of_hearts = entry.options
            entry = spades_entries[rank]
            if entry is None:
                stage = spades_stages[rank]
                of_spades = stage.options.get(spades) or stage.expand(spades)
            else:
                of_spades = entry.options
            least = self._least - lost
            vectors = self._vectors[rank]
            if len(vectors) == 1:
                vector = vectors[0]
                c = of_clubs[vector[0]]
                d = of_diamonds[vector[1]]
                h = of_hearts[vector[2]]
                s = of_spades[vector[3]]
                loss = c.loss + d.loss + h.loss + s.loss
                if loss >= least:
                    return True
                step = (c, d, h, s)
            else:
                children: list[tuple[int, int, Step]] = []
                for vector in vectors:
                    c = of_clubs[vector[0]]
                    d = of_diamonds[vector[1]]
                    h = of_hearts[vector[2]]
                    s = of_spades[vector[3]]
                    loss = c.loss + d.loss + h.loss + s.loss
                    if loss < least:
                        children.append((loss, len(children), (c, d, h, s)))
                if len(children) > 1:
                    break
                if not children:
                    return True
                loss, _, step = children[0]
                c, d, h, s = step
            path.append(step)
            rank += 1
            if rank == RANK_COUNT:
                self._least = lost + loss
                self.steps = path[:]
                return True
            lost += c.cost + d.cost + h.cost + s.cost
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


class Trace:
    """What became of one suit in the best play."""

    __slots__ = ("_options", "_states", "_suit")

    def __init__(self, suit: Suit, options: list[Option]) -> None:
        self._suit: Final = suit
        self._options: Final = options
        """By rank."""
        self._states: Final[dict[int, int]] = {}

    def state(self, rank: int) -> int:
        """Return the state after a rank on a way without loss."""
        option = self._options[rank]
        if len(option.profile.states) < 2:
            return option.state
        found = self._states.get(rank)
        if found is None:
            found = self._states[rank] = self._origin(rank + 1)[0]
        return found

    def used(self, rank: int) -> tuple[int, int]:
        """Return the numbers of hand cards and of jokers that went into melds at a rank."""
        before, plays = self._origin(rank)
        states = self._suit.machine.states
        return plays, states[before].jokers - states[self.state(rank)].jokers

    def _origin(self, rank: int) -> tuple[int, int]:
        """Return the state before a rank, and the hand cards played there."""
        option = self._options[rank]
        entry = self._suit.entries[rank]
        if entry is None:
            before = self._options[rank - 1].profile
            debt = 0
        else:
            before = entry.start
            debt = entry.debt
        return self._suit.stages[rank].origin(before, option, self.state(rank), debt)
