"""Tie-breaks made of the opponents' points.

At tables of two, and where there are no byes, they are those of FIDE (C.07, articles 8 and 9). At
larger tables an entrant has several opponents a round, so each table counts with their mean: then
short tables do no harm. FIDE lets a bye count as a stand-in opponent with the entrant's own points;
here the stand-in has the entrant's own *average*, so that what a bye is worth does not count twice.
The points of an opponent are all of the phase, of games and byes, without penalties.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tournaments.formats.base import ByeKind, EntrantId
from tournaments.standings.sheet import Seat, Sheet, Value

_BEATEN = {
    ByeKind.ALLOCATED: Fraction(1),
    ByeKind.FORFEIT_WIN: Fraction(1),
    ByeKind.REQUESTED: Fraction(1, 2),
}
"""How far a bye counts as having beaten the stand-in."""


def _by_round(entrant: EntrantId, sheet: Sheet) -> list[Fraction]:
    """Return the mean of the opponents' points of every table, and the stand-in's of every bye."""
    found = []
    for seat in sheet.seats[entrant]:
        points = [sheet.points[other] for other, _ in seat.opponents]
        found.append(sum(points, Fraction(0)) / len(points))
    return found + [sheet.stand_in(entrant)] * len(sheet.byes[entrant])


def buchholz(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the sum over the rounds of the opponents' points."""
    return {entrant: sum(_by_round(entrant, sheet), Fraction(0)) for entrant in tied}


def buchholz_cut1(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the same without the round that adds least."""
    return {entrant: sum(sorted(_by_round(entrant, sheet))[1:], Fraction(0)) for entrant in tied}


def sonneborn_berger(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the points of the opponents beaten, and half of those tied with."""

    def beaten(seat: Seat) -> Fraction:
        halves = sum(
            ((other > seat.place) + (other >= seat.place)) * sheet.points[opponent]
            for opponent, other in seat.opponents
        )
        return Fraction(halves) / (2 * len(seat.opponents))

    return {
        entrant: sum(map(beaten, sheet.seats[entrant]), Fraction(0))
        + sheet.stand_in(entrant)
        * sum((_BEATEN.get(kind, Fraction(0)) for kind in sheet.byes[entrant]), Fraction(0))
        for entrant in tied
    }


def opponents_average(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the mean over all opponents met of their points a game played."""
    found: dict[EntrantId, Value] = {}
    for entrant in tied:
        averages = [
            sheet.averages[other] for seat in sheet.seats[entrant] for other, _ in seat.opponents
        ]
        averages += [sheet.averages[entrant]] * len(sheet.byes[entrant])
        found[entrant] = sum(averages, Fraction(0)) / max(1, len(averages))
    return found
