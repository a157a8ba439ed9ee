"""Swiss: everybody plays every round, against those with about as many points.

Who sits together is decided by :mod:`tournaments.pairing.costs`, over the whole field at once and
never greedily: at tables of two by a matching of least weight, at larger ones by looking at all
seatings of a small field and by local search in a large one. Tables of two are the smallest case.

Byes are given out before: the fewest that the table sizes allow, one each, to whoever stands
lowest among those with the fewest. A forfeit win counts as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from engine.errors import BadInput
from engine.knobs import KnobSet, flag, number
from engine.seeds import Words
from tournaments.formats.base import (
    Basis,
    Bye,
    ByeKind,
    EntrantId,
    History,
    Note,
    Pairing,
    Preview,
    check_entrants,
    drawn,
    listed,
)
from tournaments.formats.seen import floats, points_of, seen
from tournaments.pairing.costs import Field, floats_of
from tournaments.pairing.layouts import Layout, layout, least_field, too_small
from tournaments.pairing.seating import Seated, seat

MAX_ENTRANTS = 2_000
"""Largest field; a round of it is paired in a few seconds."""
UNEARNED = (ByeKind.ALLOCATED, ByeKind.FORFEIT_WIN)
"""Byes after which somebody else comes first."""
SHOWN_GROUPS = 8
"""Score groups that a note lists."""


@dataclass(frozen=True, slots=True)
class Options(KnobSet):
    """The knobs of a Swiss phase."""

    table_size: int = number(4, 2, 5)
    """Seats at a table; where they do not come out even, some tables have one less."""
    rounds: int = number(0, 0, 50)
    """Rounds; 0 for as many as halve the field down to one."""
    short_tables: bool = flag(True)
    """Whether tables of one less may be; else whoever is left over has a bye."""


class Swiss:
    """The format; see the module."""

    key = "swiss"
    name = "Swiss"
    options: type[KnobSet] = Options
    tie_breaks: tuple[str, ...] = ("opponents_average", "wins", "direct", "score_share", "lot")
    takes_late = True
    takes_pairing = True

    def table_sizes(self, entrants: int, options: Options) -> tuple[int, ...]:
        """Return the sizes of tables, the larger first.

        :raises BadInput: for a field that is too small or too large, naming what would work.
        """
        return tuple(dict.fromkeys(_layout(entrants, options).sizes))

    def preview(self, entrants: int, options: Options) -> Preview:
        """Return what a phase of so many entrants will take, if nobody leaves or comes late.

        :raises BadInput: as :meth:`table_sizes`.
        """
        split = _layout(entrants, options)
        rounds = _rounds(entrants, options)
        free = -(-rounds * split.byes // entrants)
        return Preview(
            rounds=rounds,
            tables=rounds * split.tables,
            games=rounds * split.tables,
            games_each=(rounds - free, rounds - rounds * split.byes // entrants),
            basis=Basis.TOTAL,
        )

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Options, words: Words
    ) -> Pairing | None:
        """Return the next round; None when all have been, or too few entrants are left.

        :raises BadInput: as :meth:`table_sizes`, and for an entrant named twice or not at all.
        """
        check_entrants(entrants, history)
        _layout(len(entrants), options)
        this = history.last_round + 1
        left = [entrant for entrant in entrants if entrant not in history.withdrawn]
        last = _rounds(len(entrants), options)
        least = least_field(options.table_size, options.short_tables)
        if this > last or len(left) < least:
            return None
        asked = tuple(
            Bye(entrant, history.away[entrant]) for entrant in left if entrant in history.away
        )
        field = [entrant for entrant in left if entrant not in history.away]
        if len(field) < least:
            waiting = tuple(Bye(entrant, ByeKind.FORFEIT_WIN) for entrant in field)
            note = Note("Too few entrants are there for a table; those who are have a forfeit win.")
            return Pairing(this, (), (*asked, *waiting), (note,))
        split = layout(len(field), options.table_size, options.short_tables)
        free = _lowest(field, history, split.byes)
        seatable = drawn([entrant for entrant in field if entrant not in free], words)
        known = seen(seatable, history, options.table_size)
        lot = Random(f"swiss {this} {words.below(1 << 32)}")  # noqa: S311 -- no secret
        seated = seat(known, replace(split, byes=0), lot)
        tables = tuple(tuple(seatable[i] for i in table) for table in seated.tables)
        notes = [_about(this, last, seatable, history, seated)]
        notes += [_why_free(entrant, history) for entrant in free]
        for at, numbers in enumerate(seated.tables, 1):
            notes += _table_notes(at, numbers, seatable, known, history, split)
        byes = (*asked, *(Bye(entrant, ByeKind.ALLOCATED) for entrant in free))
        return Pairing(this, tables, byes, tuple(notes), floats(tables, history))

    def merits(self, entrants: Sequence[EntrantId], history: History, options: Options) -> None:
        """Points decide."""


SWISS = Swiss()


def _layout(entrants: int, options: Options) -> Layout:
    size, short = options.table_size, options.short_tables
    if entrants < least_field(size, short):
        raise BadInput(f"swiss: {too_small(entrants, size, short)}")
    if entrants > MAX_ENTRANTS:
        raise BadInput(
            f"swiss: at most {MAX_ENTRANTS} entrants, not {entrants}; split the field into sections"
        )
    return layout(entrants, size, short)


def _rounds(entrants: int, options: Options) -> int:
    return options.rounds or max(1, (entrants - 1).bit_length())


def _lowest(field: Sequence[EntrantId], history: History, count: int) -> tuple[EntrantId, ...]:
    """Return who has the byes: the lowest of those who have had the fewest."""
    had = _had(history)
    place = {entrant: at for at, entrant in enumerate(history.order)}
    upwards = list(reversed(field))
    upwards.sort(key=lambda entrant: (had[entrant], -place.get(entrant, len(place))))
    return tuple(upwards[:count])


def _had(history: History) -> Counter[EntrantId]:
    return Counter(
        bye.entrant for pairing in history.rounds for bye in pairing.byes if bye.kind in UNEARNED
    )


def _about(
    this: int, last: int, seatable: Sequence[EntrantId], history: History, seated: Seated
) -> Note:
    counts = Counter(points_of(entrant, history) for entrant in seatable)
    if len(counts) == 1:
        groups = "all have the same points, so who sits together is a lot"
    elif len(counts) <= SHOWN_GROUPS:
        each = ", ".join(f"{points} ({counts[points]})" for points in sorted(counts, reverse=True))
        groups = f"score groups {each}"
    else:
        groups = f"{len(counts)} score groups"
    cost = seated.cost
    again = f"{cost.repeats} meeting{'s' * (cost.repeats != 1)} repeated"
    sure = "no other seating is better" if seated.proven else "a search found no better seating"
    return Note(f"Round {this} of {last}: {groups}. {again.capitalize()}; {sure}.")


def _why_free(entrant: EntrantId, history: History) -> Note:
    had = _had(history)[entrant]
    which = f"{had} already, as few as anybody who is there" if had else "none so far"
    return Note(
        f"{{0}} has the bye: the lowest in the standings of those with {which}.", (entrant,)
    )


def _table_notes(
    at: int,
    numbers: Sequence[int],
    seatable: Sequence[EntrantId],
    known: Field,
    history: History,
    split: Layout,
) -> list[Note]:
    """Return why a table is as it is: meetings repeated, floats, seats."""
    notes = []
    for a, b in combinations(numbers, 2):
        if known.met[a].get(b):
            pair = (seatable[a], seatable[b])
            rounds = _met_in(pair, history)
            notes.append(Note(f"{{0}} and {{1}} met in {rounds}.", pair, at))
    steps = floats_of([known.groups[number] for number in numbers])
    for floater, by in zip(numbers, steps, strict=True):
        if by:
            way = f"{'down' if by > 0 else 'up'} {abs(by)} score group{'s' * (abs(by) != 1)}"
            why = _why_float(floater, known, split)
            notes.append(Note(f"{{0}} floated {way}: {why}.", (seatable[floater],), at))
    if history.rounds:
        notes.append(_seat_note(at, numbers, seatable, known))
    return notes


def _met_in(pair: tuple[EntrantId, EntrantId], history: History) -> str:
    rounds = [
        str(pairing.round)
        for pairing in history.rounds
        if any(pair[0] in table and pair[1] in table for table in pairing.tables)
    ]
    return f"round{'s' * (len(rounds) > 1)} {', '.join(rounds)}"


def _why_float(number: int, known: Field, split: Layout) -> str:
    group = [other for other, of in enumerate(known.groups) if of == known.groups[number]]
    if len(group) < split.size:
        return f"only {len(group)} in the score group, too few for a table of {split.size}"
    if len(group) % split.size:
        return f"odd group, {len(group)} do not fill tables of {split.size}"
    if any(known.met[number].get(other) for other in group):
        return "to meet fewer of the score group again"
    return "the score group took in others that floated"


def _seat_note(
    at: int, numbers: Sequence[int], seatable: Sequence[EntrantId], known: Field
) -> Note:
    """Return how the seats were given out."""
    order = tuple(seatable[number] for number in numbers)
    worse = [
        seat_ for seat_, number in enumerate(numbers) if known.excess(number, len(numbers))[seat_]
    ]
    if not worse:
        each = [f"{{{i}}} seat {i + 1}" for i in range(len(order))]
        return Note(f"Seats held least often: {', '.join(each)}.", order, at)
    named = tuple(order[i] for i in worse)
    return Note(
        f"Everybody has a seat held least often but {listed(named)}: those seats were taken.",
        named,
        at,
    )
