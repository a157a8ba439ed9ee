"""Knock-out: the best of each table go on, the others are out; the last table decides.

The bracket stands from the beginning. Its first tables have places for a field of
``k · (k/a)^(rounds−1)``; the seeds are dealt over them forth and back, so the first few can meet
late only, and the places of seeds that do not exist are free. A table with no more entrants than
go on is not played: they have a bye, which is how the first seeds rest when the field is not full.
In each later round the tables before are dealt forth and back likewise. Equal places at a table
go by the seeding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from engine.errors import BadInput
from engine.knobs import KnobSet, number
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
    Seating,
    TableResult,
    check_entrants,
    listed,
    placed,
)
from tournaments.formats.seen import fair_seats, seeding

MAX_ENTRANTS = 1_024
THROUGH = (ByeKind.ALLOCATED, ByeKind.FORFEIT_WIN)
"""Byes that take an entrant to the next round."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Options(KnobSet):
    """The knobs of a knock-out."""

    table_size: int = number(2, 2, 5)
    """Seats at a table."""
    advance: int = number(1, 1, 2)
    """How many of a table go on; it must divide the table size."""


class Knockout:
    """The format; see the module."""

    key = "knockout"
    name = "Knock-out"
    options: type[KnobSet] = Options
    tie_breaks: tuple[str, ...] = ("seed",)
    takes_late = False
    takes_pairing = False

    def table_sizes(self, entrants: int, options: Options) -> tuple[int, ...]:
        """Return the sizes of tables that are played, the largest first.

        :raises BadInput: for a field that is too small or too large, or tables of which so many
            cannot go on, naming what would work.
        """
        if _rounds(entrants, options) == 1:
            return (entrants,)
        sizes = {len(table) for table in _first_tables(range(entrants), options)}
        played = {options.table_size, *(size for size in sizes if size > options.advance)}
        return tuple(sorted(played, reverse=True))

    def preview(self, entrants: int, options: Options) -> Preview:
        """Return what a knock-out of so many entrants will take, if nobody withdraws.

        :raises BadInput: as :meth:`table_sizes`.
        """
        rounds = _rounds(entrants, options)
        least = options.advance if rounds > 1 else 1
        played = [len(table) > least for table in _first_tables(range(entrants), options)]
        ratio = options.table_size // options.advance
        tables = sum(played) + sum(ratio**left for left in range(rounds - 1))
        fewest = min(played)
        return Preview(rounds, tables, tables, (int(fewest), rounds), Basis.REACHED)

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Options, words: Words
    ) -> Pairing | None:
        """Return the next round of the bracket, or None when the last table was played.

        :raises BadInput: as :meth:`table_sizes`, and for an entrant named twice or not at all.
        """
        check_entrants(entrants, history)
        this, last = history.last_round + 1, _rounds(len(entrants), options)
        if this > last:
            return None
        tables: list[Seating] = []
        byes: list[Bye] = []
        notes = [Note(f"Round {this} of {last}: the best {options.advance} of a table go on.")]
        if options.advance == 1:
            notes = [Note(f"Round {this} of {last}: the winner of a table goes on.")]
        for slot in _slots(entrants, history, options, this):
            present = [e for e in slot if e not in history.withdrawn and e not in history.away]
            byes += [Bye(e, history.away[e]) for e in slot if e in history.away]
            if len(present) > options.advance or (this == last and len(present) > 1):
                tables.append(fair_seats(present, history, options.table_size))
                continue
            kind = (
                ByeKind.ALLOCATED
                if this == 1 and len(present) == len(slot)
                else ByeKind.FORFEIT_WIN
            )
            byes += [Bye(entrant, kind) for entrant in present]
            if present:
                why = (
                    "the bracket has no opponent for so high a seed"
                    if kind is ByeKind.ALLOCATED
                    else "too few others are left at the table"
                )
                notes.append(Note(f"Without a game: {listed(present)}; {why}.", tuple(present)))
        if not tables and not byes:
            return None
        return Pairing(this, tuple(tables), tuple(byes), tuple(notes))

    def merits(
        self, entrants: Sequence[EntrantId], history: History, options: Options
    ) -> Mapping[EntrantId, Fraction]:
        """Return the last round that each reached, and the part of the table left behind in it."""
        seeds = seeding(entrants)
        results = _results(history)
        merits = dict.fromkeys(entrants, Fraction(0))
        for pairing in history.rounds:
            for bye in pairing.byes:
                through = bye.kind in THROUGH
                ahead = Fraction((options.table_size - 1) * through, options.table_size)
                merits[bye.entrant] = pairing.round + ahead
            for table in pairing.tables:
                result = results.get((pairing.round, frozenset(table)))
                order = placed(result, seeds) if result else list(table)
                for place, entrant in enumerate(order, 1):
                    left = Fraction(len(table) - place, len(table)) if result else Fraction(0)
                    merits[entrant] = pairing.round + left
        return merits


KNOCKOUT = Knockout()


def dealt(items: Sequence[_T], groups: int) -> list[list[_T]]:
    """Deal items over groups forth and back, so that the first of all groups are the first items.

    >>> dealt("ABCDEFGH", 4)
    [['A', 'H'], ['B', 'G'], ['C', 'F'], ['D', 'E']]
    """
    found: list[list[_T]] = [[] for _ in range(groups)]
    for at, item in enumerate(items):
        row, column = divmod(at, groups)
        found[groups - 1 - column if row % 2 else column].append(item)
    return found


def _check(entrants: int, options: Options) -> None:
    size, advance = options.table_size, options.advance
    if size % advance or advance >= size:
        works = ", ".join(str(a) for a in (1, 2) if size % a == 0 and a < size)
        raise BadInput(
            f"advance={advance} does not divide tables of {size} evenly; advance may be {works}"
        )
    if not 2 <= entrants <= MAX_ENTRANTS:
        raise BadInput(f"a knock-out takes 2 to {MAX_ENTRANTS} entrants, not {entrants}")


def _rounds(entrants: int, options: Options) -> int:
    _check(entrants, options)
    rounds, places = 1, options.table_size
    while places < entrants:
        rounds, places = rounds + 1, places * options.table_size // options.advance
    return rounds


def _first_tables(entrants: Sequence[_T], options: Options) -> list[list[_T]]:
    """Return who has a place at each table of the first round, in seed order."""
    rounds = _rounds(len(entrants), options)
    tables = (options.table_size // options.advance) ** (rounds - 1)
    places: list[_T | None] = [*entrants]
    places += [None] * (tables * options.table_size - len(entrants))
    return [[e for e in table if e is not None] for table in dealt(places, tables)]


def _slots(
    entrants: Sequence[EntrantId], history: History, options: Options, round_: int
) -> list[list[EntrantId]]:
    """Return who has a place at each table of a round, in seed order.

    Where an entrant stands in the bracket follows from the seeding alone, and who goes on from the
    round before as it was paired: a result corrected later than that moves nobody.
    """
    first = _first_tables(entrants, options)
    if round_ == 1:
        return first
    place = {entrant: table for table, slot in enumerate(first) for entrant in slot}
    tables = len(first)
    for _ in range(round_ - 1):
        joined = dealt(range(tables), tables * options.advance // options.table_size)
        after = {table: new for new, group in enumerate(joined) for table in group}
        place = {entrant: after[table] for entrant, table in place.items()}
        tables = len(joined)
    seeds = seeding(entrants)
    results = _results(history)
    before = history.rounds[round_ - 2]
    through = [bye.entrant for bye in before.byes if bye.kind in THROUGH]
    for table in before.tables:
        through += placed(results[before.round, frozenset(table)], seeds)[: options.advance]
    slots: list[list[EntrantId]] = [[] for _ in range(tables)]
    for entrant in sorted(through, key=lambda entrant: seeds[entrant]):
        slots[place[entrant]].append(entrant)
    return slots


def _results(history: History) -> dict[tuple[int, frozenset[EntrantId]], TableResult]:
    return {(result.round, frozenset(result.seats)): result for result in history.results}
