"""Ladder: neighbours on the ladder play each other and change rungs by their places.

A round cuts the ladder into tables of neighbours. After it those of a table stand on the rungs
that they held together, in the order of their places; equal places keep the order they had. In
every second round the cuts are moved by half a table, so that everybody meets both neighbours.
The seeding is the order at the beginning; who comes late begins at the bottom. A ladder goes on
for its period of ``rounds`` and then starts anew as another phase or tournament.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.errors import BadInput
from engine.knobs import KnobSet, number
from engine.seeds import Words
from tournaments.formats.base import (
    Basis,
    Bye,
    EntrantId,
    History,
    Note,
    Pairing,
    Preview,
    check_entrants,
    listed,
    placed,
)
from tournaments.formats.seen import fair_seats, seeding

MAX_ENTRANTS = 2_000


@dataclass(frozen=True, slots=True)
class Options(KnobSet):
    """The knobs of a ladder."""

    table_size: int = number(2, 2, 5)
    """Seats at a table."""
    rounds: int = number(20, 1, 1_000)
    """Rounds of the period."""


class Ladder:
    """The format; see the module."""

    key = "ladder"
    name = "Ladder"
    options: type[KnobSet] = Options
    tie_breaks: tuple[str, ...] = ("seed",)
    takes_late = True
    takes_pairing = True

    def table_sizes(self, entrants: int, options: Options) -> tuple[int, ...]:
        """Return the sizes of tables over all rounds, the larger first.

        :raises BadInput: for a field that is too small or too large.
        """
        if not 2 <= entrants <= MAX_ENTRANTS:
            raise BadInput(f"a ladder takes 2 to {MAX_ENTRANTS} entrants, not {entrants}")
        both = (*_cuts(entrants, options, 1), *_cuts(entrants, options, 2))
        return tuple(sorted({size for size in both if size > 1}, reverse=True))

    def preview(self, entrants: int, options: Options) -> Preview:
        """Return what a period of so many entrants will take, if nobody leaves or comes late.

        :raises BadInput: as :meth:`table_sizes`.
        """
        self.table_sizes(entrants, options)
        per_round = [sum(size > 1 for size in _cuts(entrants, options, r)) for r in (1, 2)]
        tables = (options.rounds + 1) // 2 * per_round[0] + options.rounds // 2 * per_round[1]
        resting = any(1 in _cuts(entrants, options, r) for r in (1, 2))
        fewest = options.rounds // 2 if resting else options.rounds
        return Preview(options.rounds, tables, tables, (fewest, options.rounds), Basis.RUNG)

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Options, words: Words
    ) -> Pairing | None:
        """Return the next round, or None at the end of the period or when fewer than two are left.

        Who is away or has no neighbour to play with rests and keeps the rung.

        :raises BadInput: as :meth:`table_sizes`, and for an entrant named twice or not at all.
        """
        check_entrants(entrants, history)
        self.table_sizes(len(entrants), options)
        this = history.last_round + 1
        left = [e for e in rungs(entrants, history) if e not in history.withdrawn]
        if this > options.rounds or len(left) < 2:
            return None
        asked = tuple(
            Bye(entrant, history.away[entrant]) for entrant in left if entrant in history.away
        )
        present = [entrant for entrant in left if entrant not in history.away]
        tables, resting = [], []
        for size in _cuts(len(present), options, this):
            group, present = present[:size], present[size:]
            if size > 1:
                tables.append(fair_seats(group, history, options.table_size))
            else:
                resting += group
        notes = [Note(f"Round {this} of {options.rounds}: neighbours on the ladder meet.")]
        if resting:
            notes.append(Note(f"Without a table in this round: {listed(resting)}.", tuple(resting)))
        return Pairing(this, tuple(tables), asked, tuple(notes))

    def merits(
        self, entrants: Sequence[EntrantId], history: History, options: Options
    ) -> Mapping[EntrantId, Fraction]:
        """Return the rung of each, 1 at the bottom."""
        order = rungs(entrants, history)
        return {entrant: Fraction(len(order) - at) for at, entrant in enumerate(order)}


LADDER = Ladder()


def rungs(entrants: Sequence[EntrantId], history: History) -> list[EntrantId]:
    """Return everybody from the top of the ladder to the bottom, after all results so far."""
    order = list(entrants)
    for result in sorted(history.results, key=lambda result: (result.round, result.table)):
        held = sorted(map(order.index, result.seats))
        before = seeding(order)
        for rung, entrant in zip(held, placed(result, before), strict=True):
            order[rung] = entrant
    return order


def _cuts(entrants: int, options: Options, round_: int) -> list[int]:
    """Return the sizes of neighbouring groups from the top; a group of one rests."""
    size = options.table_size
    first = size // 2 if round_ % 2 == 0 else 0
    sizes = [min(first, entrants)] if first else []
    left = entrants - sum(sizes)
    sizes += [size] * (left // size)
    if left % size:
        sizes.append(left % size)
    return sizes
