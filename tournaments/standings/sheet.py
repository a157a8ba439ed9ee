"""What tie-breaks may look at: every entrant's games and byes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from tournaments.formats.base import ByeKind, EntrantId, TableResult

Value = Fraction | int | tuple[Fraction, ...] | None
"""An exact number, several in order of importance, or None where the tie-break says nothing."""


@dataclass(frozen=True)
class Seat:
    """One entrant's part of a result."""

    result: TableResult
    index: int
    """The seat, from 0."""

    @property
    def points(self) -> Fraction:
        """The entrant's points."""
        return self.result.points[self.index]

    @property
    def place(self) -> int:
        """The entrant's place, 1 for the winner."""
        return self.result.ranks[self.index]

    @property
    def opponents(self) -> list[tuple[EntrantId, int]]:
        """The others at the table, each with the place there."""
        both = zip(self.result.seats, self.result.ranks, strict=True)
        return [other for seat, other in enumerate(both) if seat != self.index]


@dataclass(frozen=True)
class Sheet:
    """All that tie-breaks may look at."""

    seats: Mapping[EntrantId, Sequence[Seat]]
    """Every entrant's games, in the order of rounds and tables."""
    byes: Mapping[EntrantId, Sequence[ByeKind]]
    """Every entrant's rounds that counted without a game."""
    points: Mapping[EntrantId, Fraction]
    """Points of games and byes, without penalties: a penalty is not the opponents' fault."""
    lots: Mapping[EntrantId, int] = field(default_factory=dict)
    """The recorded drawing of lots: 1 is the first drawn."""
    seeds: Mapping[EntrantId, int] = field(default_factory=dict)
    """Places in the seeding: 1 is the first."""

    @cached_property
    def averages(self) -> Mapping[EntrantId, Fraction]:
        """Points a game played, without byes; 0 before the first."""
        return {
            entrant: sum((seat.points for seat in seats), Fraction(0)) / max(1, len(seats))
            for entrant, seats in self.seats.items()
        }

    @cached_property
    def without_byes(self) -> Sheet:
        """The same with nobody having points of byes; who had them is still known."""
        games = {
            entrant: sum((seat.points for seat in seats), Fraction(0))
            for entrant, seats in self.seats.items()
        }
        return replace(self, points=games)

    def stand_in(self, entrant: EntrantId) -> Fraction:
        """Return the points of the opponent that a bye counts as: the entrant's own average.

        That is the points a game played, for every round that counted.
        """
        rounds = len(self.seats[entrant]) + len(self.byes[entrant])
        return self.averages[entrant] * rounds
