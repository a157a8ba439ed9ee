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
against the best state, so outlooks and profiles come out alike in many positions.

A rank without cards ends all sequences and so cuts the suit into :class:`Segment`s of its own,
unless aces are kept or jokers can fill the gap. Segments and all of the above are interned and
remember their answers: after some hundred positions most of the work is looking up.
"""

from __future__ import annotations

from typing import Final

RANK_COUNT: Final = 13
SUIT_COUNT: Final = 4
DEAD: Final = -1
"""The loss of a state that no legal arrangement can come from."""

HOPELESS: Final = 1 << 50
"""More than can be lost: the weights of a hand must add up to less."""

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

    def covers(self, other: State) -> bool:
        """Say whether this state can do all that another one can.

        It can if letting sequences grow or adding long ones makes this state of the other.
        """
        one, two, more = self.runs
        weak_one, weak_two, weak_more = other.runs
        return (
            (self.kept, self.jokers, self.budget) == (other.kept, other.jokers, other.budget)
            and one <= weak_one
            and one + two <= weak_one + weak_two
            and one + two + more >= weak_one + weak_two + weak_more
        )

    def is_final(self) -> bool:
        """Say whether the sequences can end here, or with the aces after the king."""
        one, two, more = self.runs
        aces = self.kept + self.jokers
        return one == 0 and two <= aces <= two + more and self.budget == 0


class Machine:
    """The states of a suit with so many cards of a face, aces to keep, jokers and a budget."""

    __slots__ = (
        "_index", "_segments", "_steps", "budget", "covered", "empty", "end", "jokers", "kept",
        "memory", "states",
    )  # fmt: skip

    def __init__(self, most: int, kept: int, jokers: int, budget: int, memory: Memory) -> None:
        self.kept: Final = kept
        self.jokers: Final = jokers
        self.budget: Final = budget
        """Most cards that may be counted; 0: they are not counted at all."""
        self.memory: Final = memory
        self.states: Final[list[State]] = []
        self._index: Final[dict[tuple[Runs, int, int, int], int]] = {}
        for spent in range(budget + 1):
            for used in range(jokers + 1):
                for aces in range(kept + 1):
                    for total in range(most + used + 1):
                        for one in range(total + 1):
                            for two in range(total + 1 - one):
                                self._add((one, two, total - one - two), aces, used, spent)
        self.covered: Final = [
            sum([1 << i for i, weak in enumerate(self.states) if strong.covers(weak)])
            for strong in self.states
        ]
        """By state, the set of states that can do no more."""
        self._steps: Final[dict[int, list[list[int]]]] = {}
        self._segments: Final[dict[tuple[int, tuple[int, ...]], Segment]] = {}
        losses = [0 if state.is_final() else DEAD for state in self.states]
        self.end: Final = Outlook(self, losses, True)
        """The outlook where all sequences must have ended."""
        self.empty: Final = Stage(self.end, GROUPS)
        """A rank without cards."""

    def _add(self, runs: Runs, kept: int, used: int, spent: int) -> None:
        jokers = self.jokers - used
        budget = self.budget - spent
        self._index[(runs, kept, jokers, budget)] = len(self.states)
        self.states.append(State(runs, kept, jokers, budget))

    def segment(self, keys: tuple[int, ...], budget: int) -> Segment:
        """Return the segment of ranks with these keys of stages."""
        start = self._index[((0, 0, 0), 0, self.jokers, budget)]
        found = self._segments.get((start, keys))
        if found is None:
            found = self._segments[(start, keys)] = Segment(self, keys, start)
            self.memory.size += 1
        return found

    def steps(self, reals: int, plays: int, keeping: bool) -> list[list[int]]:
        """Return what follows each state when ``reals`` cards besides jokers go into sequences.

        There is one list for each number of jokers used and each number of aces kept. A state
        that must not be followed so has the number of states.
        """
        key = (reals * 4 + plays) * 2 + keeping
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = []
            for jokers in range(self.jokers + 1):
                for aces in range((min(reals, self.kept) if keeping else 0) + 1):
                    cards = reals + jokers - aces
                    found.append(
                        [self._after(state, cards, plays, jokers, aces) for state in self.states]
                    )
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


class Option:
    """What becomes of a profile when groups take a given number of cards at a rank."""

    __slots__ = ("cost", "groups", "loss", "profile", "state")

    def __init__(self, profile: Profile, groups: int, cost: int, loss: int, state: int) -> None:
        self.profile: Final = profile
        self.groups: Final = groups
        self.cost: Final = cost
        """What the best state of the profile has lost here."""
        self.loss: Final = loss
        """What is lost, at least, from here to the end of the segment."""
        self.state: Final = state
        """The best state."""


class Outlook:
    """What each state of a suit loses, at least, on the cards from some rank up."""

    __slots__ = ("before", "is_end", "losses", "machine")

    def __init__(self, machine: Machine, losses: list[int], is_end: bool) -> None:
        self.machine: Final = machine
        self.losses: Final = [*losses, DEAD]
        """By state, the least being 0; the last stands for no state at all."""
        self.is_end: Final = is_end
        self.before: Final[dict[int, Stage]] = {}
        """The stages that lie below, by key."""

    def preceded(self, key: int) -> Stage:
        """Return the stage of a rank below, given by its key."""
        found = self.before.get(key)
        if found is None:
            found = self.before[key] = Stage(self, key)
            self.machine.memory.size += 1
        return found

    def choose(self, losses: dict[int, int], groups: int, cost: int) -> Option:
        """Return the option of these states, without those that are dead or beaten."""
        memory = self.machine.memory
        states = [state for state in sorted(losses) if self.losses[state] >= 0]
        if len(states) > 1:
            covered = self.machine.covered
            states = [state for state in states if not _beaten(state, states, losses, covered)]
        if not states:
            return memory.hopeless
        least = min([losses[state] for state in states])
        best = [state for state in states if losses[state] == least][0]
        if self.is_end:
            return Option(memory.hopeless.profile, groups, least + cost, least + cost, best)
        ahead = min([losses[state] - least + self.losses[state] for state in states])
        profile = memory.profile(states, [losses[state] - least for state in states])
        return Option(profile, groups, least + cost, least + cost + ahead, best)


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
        live = [loss for loss in losses if loss >= 0]
        least = min(live) if live else 0
        self.gain: Final = self.hand * self.weight - least
        """Worth that the best state here has above the best state after."""
        self.outlook: Final = after.machine.memory.outlook(
            after.machine, [loss - least if loss >= 0 else DEAD for loss in losses]
        )
        """The outlook with this rank."""

    def _losses(self) -> list[int]:
        """Return the least loss of each state if all hand cards of this rank could be played."""
        machine = self.after.machine
        ahead = self.after.losses
        best = [DEAD] * len(machine.states)
        for groups in self.groups:
            for plays in range(self.hand + 1):
                reals = self.table + plays - groups
                if reals >= 0:
                    held = (self.hand - plays) * self.weight
                    for step in machine.steps(reals, plays, self.keeping):
                        for state in range(len(best)):
                            loss = ahead[step[state]]
                            if loss >= 0 and (best[state] < 0 or loss + held < best[state]):
                                best[state] = loss + held
        return best

    def expand(self, profile: Profile) -> list[Option]:
        """Find ``options[profile]``."""
        machine = self.after.machine
        lost = self.gain - self.hand * self.weight
        options = [machine.memory.hopeless] * (MOST_GROUPS + 1)
        for groups in self.groups:
            losses: dict[int, int] = {}
            for plays in range(self.hand + 1):
                reals = self.table + plays - groups
                if reals >= 0:
                    held = (self.hand - plays) * self.weight
                    for step in machine.steps(reals, plays, self.keeping):
                        for i in range(len(profile.states)):
                            state = step[profile.states[i]]
                            loss = profile.losses[i] + held
                            if loss < losses.get(state, HOPELESS):
                                losses[state] = loss
            options[groups] = self.after.choose(losses, groups, lost)
        self.options[profile] = options
        machine.memory.size += 1
        return options

    def origin(
        self, profile: Profile, option: Option, state: int, debt: int
    ) -> tuple[int, int]:
        """Return the state of a profile that an option led to another, and the plays here."""
        loss = option.cost + debt - self.gain + self.hand * self.weight
        if state != option.state:
            loss += option.profile.losses[option.profile.states.index(state)]
        if len(profile.states) == 1 and self.weight:
            return profile.states[0], self.hand - loss // self.weight
        for plays in range(self.hand + 1):
            reals = self.table + plays - option.groups
            if reals >= 0:
                held = (self.hand - plays) * self.weight
                for step in self.after.machine.steps(reals, plays, self.keeping):
                    for i in range(len(profile.states)):
                        if step[profile.states[i]] == state and profile.losses[i] + held == loss:
                            return profile.states[i], plays
        raise AssertionError("a state has come from nowhere")

    def union(self, profile: Profile) -> Option:
        """Return what becomes of a profile if groups may take any number of cards."""
        found = self._unions.get(profile)
        if found is None:
            options = self.options.get(profile) or self.expand(profile)
            found = self._unions[profile] = _united(options, self.after)
        return found


def _united(options: list[Option], after: Outlook) -> Option:
    """Return one option for all."""
    losses: dict[int, int] = {}
    for option in options:
        if option.cost < losses.get(option.state, HOPELESS):
            losses[option.state] = option.cost
        for i in range(len(option.profile.states)):
            state = option.profile.states[i]
            if option.cost + option.profile.losses[i] < losses.get(state, HOPELESS):
                losses[state] = option.cost + option.profile.losses[i]
    return after.choose(losses, 0, 0)


class Entry:
    """The rank where a segment begins: the suit's options there, whatever came before."""

    __slots__ = ("_stage", "_union", "debt", "options", "start")

    def __init__(self, options: list[Option], stage: Stage | None, start: Profile, debt: int) -> None:
        self._stage: Final = stage
        self.start: Final = start
        self._union: list[Option] = []
        self.debt: Final = debt
        """What the start loses at least; the options do not count it."""
        self.options: Final = [_without(option, debt) for option in options]

    def union(self) -> Option:
        """Return what becomes of the suit if groups may take any number of cards."""
        if not self._union:
            if self._stage is None:
                return self.options[0]
            self._union.append(_without(self._stage.union(self.start), self.debt))
        return self._union[0]


def _without(option: Option, debt: int) -> Option:
    """Return an option with so much less to lose."""
    if not debt or option.cost >= HOPELESS:
        return option
    cost, loss = option.cost - debt, option.loss - debt
    return Option(option.profile, option.groups, cost, loss, option.state)


class Segment:
    """Ranks of a suit that sequences can go through, and its states at both ends."""

    __slots__ = ("entry", "is_dead", "keys", "stages", "start", "top")

    def __init__(self, machine: Machine, keys: tuple[int, ...], start: int) -> None:
        self.keys: Final = keys
        self.start: Final = machine.memory.profile([start], [0])
        self.stages: Final[list[Stage]] = []
        outlook = machine.end
        top = 0
        for key in reversed(keys):
            stage = outlook.preceded(key)
            top += stage.gain
            outlook = stage.outlook
            self.stages.append(stage)
        self.stages.reverse()
        debt = outlook.losses[start]
        self.is_dead: Final = debt < 0
        self.top: Final = top - debt
        """The most that can be gained here if groups agree."""
        first = self.stages[0]
        options = first.options.get(self.start) or first.expand(self.start)
        self.entry: Final = Entry(options, first, self.start, debt)


class Suit:
    """The cards of a suit, cut into segments."""

    __slots__ = ("entries", "is_dead", "machine", "segments", "stages", "top")

    def __init__(self, machine: Machine, segments: list[tuple[int, Segment]]) -> None:
        memory = machine.memory
        self.machine: Final = machine
        self.segments: Final = segments
        """With the ranks where they begin."""
        self.entries: Final[list[Entry | None]] = [memory.idle] * RANK_COUNT
        """By rank; None inside of segments."""
        self.stages: Final[list[Stage]] = [machine.empty] * RANK_COUNT
        """By rank."""
        self.is_dead = False
        self.top = 0
        """The most that can be gained if groups agree."""
        for rank, segment in segments:
            size = len(segment.stages)
            self.stages[rank : rank + size] = segment.stages
            self.entries[rank : rank + size] = [None] * size
            self.entries[rank] = segment.entry
            self.top += segment.top
            if segment.is_dead:
                self.is_dead = True

    def limited(self, rank: int, numbers: int) -> Suit:
        """Return the suit with another set of numbers that groups may take at a rank."""
        key = self.stages[rank].key
        new = key + GROUPS * numbers - (key & GROUPS * 15)
        if new == key:
            return self
        segments: list[tuple[int, Segment]] = []
        for first, segment in self.segments:
            if first <= rank < first + len(segment.keys):
                keys = segment.keys[: rank - first] + (new,) + segment.keys[rank - first + 1 :]
                budget = self.machine.states[segment.start.states[0]].budget
                segment = self.machine.segment(keys, budget)
            segments.append((first, segment))
        return Suit(self.machine, segments)


class Memory:
    """All that is remembered of suits between two calls, and its size."""

    __slots__ = ("_machines", "_outlooks", "_profiles", "hopeless", "idle", "size")

    def __init__(self) -> None:
        nothing = Profile([], [])
        self.hopeless: Final = Option(nothing, 0, HOPELESS, HOPELESS, 0)
        """What becomes of a profile if groups take a number of cards that they cannot."""
        idle = [Option(nothing, 0, 0, 0, 0)] + [self.hopeless] * MOST_GROUPS
        self.idle: Final = Entry(idle, None, nothing, 0)
        """The entry of a rank without cards."""
        self.clear()

    def clear(self) -> None:
        """Forget everything; what a running search still holds stays usable."""
        self.size = 0
        self._machines: dict[tuple[int, int, int, int], Machine] = {}
        self._outlooks: dict[tuple[Machine, tuple[int, ...]], Outlook] = {}
        self._profiles: dict[tuple[tuple[int, ...], tuple[int, ...]], Profile] = {}

    def machine(self, most: int, kept: int, jokers: int, budget: int) -> Machine:
        """Return the one machine of this size."""
        key = (most, kept, jokers, budget)
        found = self._machines.get(key)
        if found is None:
            found = self._machines[key] = Machine(most, kept, jokers, budget, self)
            self.size += len(found.states)
        return found

    def outlook(self, machine: Machine, losses: list[int]) -> Outlook:
        """Return the one outlook with these losses."""
        key = (machine, tuple(losses))
        found = self._outlooks.get(key)
        if found is None:
            found = self._outlooks[key] = Outlook(machine, losses, False)
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
