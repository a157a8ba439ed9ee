"""One suit: its sequences as a small machine, and what can still be lost in them.

Going up the ranks, all that matters of a suit's unfinished sequences is how many have one card,
two cards, three or more: its *runs*. If ``x`` cards of the next rank go into sequences the runs
after it are forced, for a longer sequence can do whatever a shorter one can: the short ones must
go on, then the long ones do, the rest begin anew. An ace may be *kept* to end a sequence after
the king, so no corner can be turned (M4.4). Free jokers that the suit is to use in its sequences
are counted down as well (one left over at the end is one more high ace), and so are cards that it
is still to play if their number is given. A :class:`Machine` knows all these states and how they
follow each other.

Going down, an :class:`Outlook` says of each state what can be made of the cards above if groups
take as many of them as they like; a :class:`Stage` adds the cards of one more rank. Going up, a
:class:`Profile` is the set of states that the choices for hand cards leave open, and the stage
has an :class:`Option` for each number of cards that groups may take. Worth is counted as *loss*
against the best state, so outlooks and profiles come out alike in many positions; all of these
are interned and remember their answers, and after some hundred positions most of the work is
looking up.
"""

from __future__ import annotations

from typing import Final

RANK_COUNT: Final = 13
SUIT_COUNT: Final = 4
HOPELESS: Final = 1 << 50
"""The loss where no legal arrangement can come from; the weights of a hand add up to less."""

MOST_GROUPS: Final = 3
"""Most groups of one rank: eight cards and two jokers."""

# The key of a stage is TABLE * cards on the tableau + HAND * cards in the hand + GROUPS * set of
# the numbers that groups may take + KEEPING, if aces may be kept there, + WEIGHT * weight of a
# hand card.
TABLE: Final = 1
HAND: Final = 8
GROUPS: Final = 32
KEEPING: Final = 512
WEIGHT: Final = 1024

Runs = tuple[int, int, int]
"""Numbers of unfinished sequences with one card, with two, with three or more."""


def runs_after(runs: Runs, cards: int) -> Runs | None:
    """Return the runs after ``cards`` cards of the next rank, None if a short one must end."""
    one, two, more = runs
    going_on = min(more, cards - one - two)
    if going_on < 0:
        return None
    return cards - one - two - going_on, one, two + going_on


def covers(strong: Runs, weak: Runs) -> bool:
    """Say whether some runs can do all that others can.

    They can if letting sequences grow or adding long ones makes them of the others.
    """
    return (
        strong[0] <= weak[0]
        and strong[0] + strong[1] <= weak[0] + weak[1]
        and sum(strong) >= sum(weak)
    )


class State:
    """One suit between two ranks."""

    __slots__ = ("budget", "jokers", "kept", "runs")

    def __init__(self, runs: Runs, kept: int, jokers: int, budget: int) -> None:
        self.runs: Final = runs
        self.kept: Final = kept
        """Aces kept for the end."""
        self.jokers: Final = jokers
        """Free jokers still to be used."""
        self.budget: Final = budget
        """Cards still to be played, if the machine counts them."""

    def is_final(self) -> bool:
        """Say whether the sequences can end here, or with the aces after the king."""
        one, two, more = self.runs
        aces = self.kept + self.jokers
        return one == 0 and two <= aces <= two + more and self.budget == 0


class Machine:
    """The states of a suit with so many cards of a face, aces to keep, jokers and a budget."""

    __slots__ = ("_index", "_steps", "budget", "covered", "jokers", "kept", "memory", "states")

    def __init__(self, most: int, kept: int, jokers: int, budget: int, memory: Memory) -> None:
        self.kept: Final = kept
        self.jokers: Final = jokers
        self.budget: Final = budget
        """Most cards that may be counted; 0: they are not counted at all."""
        self.memory: Final = memory
        self.states: Final[list[State]] = []
        self.covered: Final[list[int]] = []
        """By state, the set of states that can do no more."""
        self._index: Final[dict[tuple[Runs, int, int, int], int]] = {}
        self._steps: Final[dict[int, list[tuple[int, list[int]]]]] = {}
        for cards in range(budget + 1):
            for left in range(jokers + 1):
                for aces in range(kept + 1):
                    self._add(most + jokers - left, aces, left, cards)

    def _add(self, most: int, kept: int, jokers: int, budget: int) -> None:
        """Add the states that differ in nothing but the runs, at most so many at a time."""
        first = len(self.states)
        for total in range(most + 1):
            for one in range(total + 1):
                for two in range(total + 1 - one):
                    runs = (one, two, total - one - two)
                    self._index[(runs, kept, jokers, budget)] = len(self.states)
                    self.states.append(State(runs, kept, jokers, budget))
        for strong in self.states[first:]:
            covered = 0
            for i, weak in enumerate(self.states[first:]):
                if covers(strong.runs, weak.runs):
                    covered |= 1 << first + i
            self.covered.append(covered)

    def start(self, budget: int) -> Profile:
        """Return the profile before the ace, with so many cards to be played if they count."""
        return self.memory.profile([self._index[((0, 0, 0), 0, self.jokers, budget)]], [0])

    def steps(self, reals: int, plays: int, keeping: bool) -> list[tuple[int, list[int]]]:
        """Return what follows each state when ``reals`` cards besides jokers go into sequences.

        There is one list for each number of jokers used, which is given with it, and each number
        of aces kept. A state that must not be followed so has the number of states.
        """
        key = (reals * 4 + plays) * 2 + keeping
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = []
            for jokers in range(self.jokers + 1):
                for aces in range((min(reals, self.kept) if keeping else 0) + 1):
                    cards = reals + jokers - aces
                    step = [self._after(state, cards, plays, jokers, aces) for state in self.states]
                    found.append((jokers, step))
        return found

    def _after(self, state: State, cards: int, plays: int, jokers: int, aces: int) -> int:
        runs = runs_after(state.runs, cards)
        if runs is None:
            return len(self.states)
        budget = state.budget - plays if self.budget else 0
        key = (runs, state.kept + aces, state.jokers - jokers, budget)
        return self._index.get(key, len(self.states))


class Profile:
    """The states that a suit may be in, with what they have lost against the best of them."""

    __slots__ = ("losses", "states")

    def __init__(self, states: list[int], losses: list[int]) -> None:
        self.states: Final = states
        self.losses: Final = losses


Origin = tuple[int, int, int]
"""The state before, the hand cards played and the jokers used."""


class Option:
    """What becomes of a profile when groups take a given number of cards at a rank."""

    __slots__ = ("cost", "groups", "loss", "origins", "profile")

    def __init__(
        self, profile: Profile, groups: int, cost: int, loss: int, origins: tuple[Origin, ...]
    ) -> None:
        self.profile: Final = profile
        self.groups: Final = groups
        self.cost: Final = cost
        """What the best state of the profile has lost here."""
        self.loss: Final = loss
        """What is lost, at least, from here to the king."""
        self.origins: Final = origins
        """How each state of the profile came about."""


class Outlook:
    """What each state of a suit loses, at least, on the cards from some rank up."""

    __slots__ = ("before", "losses", "machine")

    def __init__(self, machine: Machine, losses: list[int]) -> None:
        self.machine: Final = machine
        self.losses: Final = [*losses, HOPELESS]
        """By state, the least being 0; the last stands for no state at all."""
        self.before: Final[dict[int, Stage]] = {}
        """The stages that lie below, by key."""

    def preceded(self, key: int) -> Stage:
        """Return the stage of a rank below, given by its key."""
        found = self.before.get(key)
        if found is None:
            found = self.before[key] = Stage(self, key)
            self.machine.memory.size += 1
        return found

    def choose(
        self, losses: dict[int, int], origins: dict[int, Origin], groups: int, cost: int
    ) -> Option:
        """Return the option of these states, without those that are dead or beaten."""
        memory = self.machine.memory
        states = [state for state in sorted(losses) if self.losses[state] < HOPELESS]
        if len(states) > 1:
            covered = self.machine.covered
            states = [state for state in states if not _beaten(state, states, losses, covered)]
        if not states:
            return memory.hopeless
        least = min([losses[state] for state in states])
        ahead = min([losses[state] - least + self.losses[state] for state in states])
        profile = memory.profile(states, [losses[state] - least for state in states])
        chosen = tuple([origins[state] for state in states]) if origins else ()
        return Option(profile, groups, cost + least, cost + least + ahead, chosen)


def _beaten(state: int, states: list[int], losses: dict[int, int], covered: list[int]) -> bool:
    """Say whether another state has lost no more and can do all that this one can."""
    for other in states:
        if other != state and losses[other] <= losses[state] and covered[other] >> state & 1:
            return True
    return False


class Stage:
    """The cards of one suit at one rank, below an outlook."""

    __slots__ = (
        "_unions", "after", "gain", "groups", "hand", "keeping", "key", "options", "outlook",
        "table", "weight",
    )  # fmt: skip

    def __init__(self, after: Outlook, key: int) -> None:
        self.after: Final = after
        self.key: Final = key
        self.table: Final = key // TABLE & 7
        self.hand: Final = key // HAND & 3
        self.groups: Final = [n for n in range(MOST_GROUPS + 1) if key // GROUPS >> n & 1]
        self.keeping: Final = key & KEEPING != 0
        self.weight: Final = key // WEIGHT
        self.options: Final[dict[Profile, list[Option]]] = {}
        """What becomes of a profile, by the number of cards that groups take."""
        self._unions: Final[dict[Profile, Option]] = {}
        losses = self._losses()
        least = min(losses) % HOPELESS
        self.gain: Final = self.hand * self.weight - least
        """Worth that the best state here has above the best state after."""
        self.outlook: Final = after.machine.memory.outlook(
            after.machine,
            [loss - least if loss < HOPELESS else HOPELESS for loss in losses],
        )
        """The outlook with this rank."""

    def _losses(self) -> list[int]:
        """Return the least loss of each state if all hand cards of this rank could be played."""
        machine = self.after.machine
        ahead = self.after.losses
        best = [HOPELESS] * len(machine.states)
        for groups in self.groups:
            for plays in range(self.hand + 1):
                reals = self.table + plays - groups
                if reals >= 0:
                    held = (self.hand - plays) * self.weight
                    for _, step in machine.steps(reals, plays, self.keeping):
                        for state in range(len(best)):
                            loss = ahead[step[state]] + held
                            if loss < best[state]:
                                best[state] = loss
        return best

    def expand(self, profile: Profile) -> list[Option]:
        """Find ``options[profile]``."""
        machine = self.after.machine
        lost = self.gain - self.hand * self.weight
        options = [machine.memory.hopeless] * (MOST_GROUPS + 1)
        for groups in self.groups:
            losses: dict[int, int] = {}
            origins: dict[int, Origin] = {}
            for plays in range(self.hand + 1):
                reals = self.table + plays - groups
                if reals >= 0:
                    held = (self.hand - plays) * self.weight
                    for jokers, step in machine.steps(reals, plays, self.keeping):
                        for i in range(len(profile.states)):
                            state = step[profile.states[i]]
                            loss = profile.losses[i] + held
                            if loss < losses.get(state, HOPELESS):
                                losses[state] = loss
                                origins[state] = (profile.states[i], plays, jokers)
            options[groups] = self.after.choose(losses, origins, groups, lost)
        self.options[profile] = options
        machine.memory.size += 1
        return options

    def union(self, profile: Profile) -> Option:
        """Return what becomes of a profile if groups may take any number of cards."""
        found = self._unions.get(profile)
        if found is None:
            losses: dict[int, int] = {}
            for option in self.options.get(profile) or self.expand(profile):
                for i in range(len(option.profile.states)):
                    state = option.profile.states[i]
                    loss = option.cost + option.profile.losses[i]
                    if loss < losses.get(state, HOPELESS):
                        losses[state] = loss
            found = self._unions[profile] = self.after.choose(losses, {}, 0, 0)
        return found


class Suit:
    """The cards of a suit by rank, and the state that it begins with."""

    __slots__ = ("debt", "machine", "stages", "start", "top")

    def __init__(self, machine: Machine, stages: list[Stage], start: Profile, top: int) -> None:
        self.machine: Final = machine
        self.stages: Final = stages
        """By rank."""
        self.start: Final = start
        self.top: Final = top
        """Worth without loss."""
        self.debt: Final = stages[0].outlook.losses[start.states[0]]
        """What the start must lose at least."""

    def budgets(self) -> list[Suit]:
        """Return the suit with each number of cards to be played that it allows."""
        if not self.machine.budget:
            return [self]
        found: list[Suit] = []
        for budget in range(self.machine.budget + 1):
            suit = Suit(self.machine, self.stages, self.machine.start(budget), self.top)
            if suit.debt < HOPELESS:
                found.append(suit)
        return found

    def budget(self) -> int:
        """Return the number of cards to be played, if the machine counts them."""
        return self.machine.states[self.start.states[0]].budget

    def limited(self, rank: int, numbers: int) -> Suit:
        """Return the suit with another set of numbers that groups may take at a rank.

        The stages below change only until the outlooks agree again.
        """
        old = self.stages[rank]
        key = old.key + GROUPS * numbers - (old.key & GROUPS * 15)
        if key == old.key:
            return self
        stages = self.stages[:]
        stage = old.after.preceded(key)
        top = self.top
        while True:
            stages[rank] = stage
            top += stage.gain - old.gain
            rank -= 1
            if rank < 0 or stage.outlook is old.outlook:
                return Suit(self.machine, stages, self.start, top)
            old = stages[rank]
            stage = stage.outlook.preceded(old.key)


def suit_of(king: Outlook, keys: tuple[int, ...]) -> Suit:
    """Return the suit with an outlook beyond the king and stages of these keys below it."""
    machine = king.machine
    outlook = king
    stages: list[Stage] = []
    top = 0
    for key in keys:
        stage = outlook.before.get(key) or outlook.preceded(key)
        top += stage.gain
        outlook = stage.outlook
        stages.append(stage)
    stages.reverse()
    return Suit(machine, stages, machine.start(machine.budget), top)


class Memory:
    """All that is remembered of suits between two calls, and its size."""

    __slots__ = ("_kings", "_outlooks", "_profiles", "hopeless", "size")

    def __init__(self) -> None:
        self.hopeless: Final = Option(Profile([], []), 0, HOPELESS, HOPELESS, ())
        """What becomes of a profile if groups take a number of cards that they cannot."""
        self.size = 0
        self._kings: Final[dict[tuple[int, int, int, int], Outlook]] = {}
        self._outlooks: Final[dict[tuple[Machine, tuple[int, ...]], Outlook]] = {}
        self._profiles: Final[dict[tuple[tuple[int, ...], tuple[int, ...]], Profile]] = {}

    def clear(self) -> None:
        """Forget everything; what a running search still holds stays usable.

        Outlooks and stages know each other, so the ties are cut: nothing waits for the collector.
        """
        for outlook in [*self._kings.values(), *self._outlooks.values()]:
            outlook.before.clear()
        self._kings.clear()
        self._outlooks.clear()
        self._profiles.clear()
        self.size = 0

    def king(self, most: int, kept: int, jokers: int, budget: int) -> Outlook:
        """Return the outlook beyond the king of the machine with these numbers."""
        key = (most, kept, jokers, budget)
        found = self._kings.get(key)
        if found is None:
            machine = Machine(most, kept, jokers, budget, self)
            losses = [0 if state.is_final() else HOPELESS for state in machine.states]
            found = self._kings[key] = Outlook(machine, losses)
            self.size += len(losses)
        return found

    def outlook(self, machine: Machine, losses: list[int]) -> Outlook:
        """Return the one outlook with these losses."""
        key = (machine, tuple(losses))
        found = self._outlooks.get(key)
        if found is None:
            found = self._outlooks[key] = Outlook(machine, losses)
            self.size += 1
        return found

    def profile(self, states: list[int], losses: list[int]) -> Profile:
        """Return the one profile with these states and losses."""
        key = (tuple(states), tuple(losses))
        found = self._profiles.get(key)
        if found is None:
            found = self._profiles[key] = Profile(states, losses)
            self.size += 1
        return found
