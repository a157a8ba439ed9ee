"""Tie-breaks: what decides between entrants with equal points.

Each is a value with its own definition for the page; an organiser chooses and orders them before
round 1. A new one is one function and one line in :data:`TIE_BREAKS`. Only games count that were
played: a bye, which is points without a game, adds to none of those below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import combinations

from engine.errors import BadInput
from engine.seeds import Words
from tournaments.formats.base import EntrantId, TableResult, drawn

Value = Fraction | int | None
"""An exact number, or None where the tie-break says nothing."""


class Direction(Enum):
    """Which values are better."""

    HIGH = 1
    LOW = -1


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that tie-breaks may look at."""

    seats: Mapping[EntrantId, Sequence[Seat]]
    """Every entrant's games, in the order of rounds and tables."""
    lots: Mapping[EntrantId, int] = field(default_factory=dict)
    """The recorded drawing of lots: 1 is the first drawn."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One column of the standings that decides where those before it are equal."""

    key: str
    """Stable key, such as ``"wins"``."""
    name: str
    """Name for people."""
    abbreviation: str
    """Head of a narrow column."""
    definition: str
    """One sentence that defines it, for the tooltip."""
    direction: Direction
    """Which values are better."""
    values: Callable[[Sequence[EntrantId], Sheet], dict[EntrantId, Value]]
    """The value of every one of the entrants given, who are tied on all that came before."""


def wins(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the games won; a win shared by j entrants counts 1/j for each, so a game has one."""
    return {
        entrant: sum(
            (
                Fraction(1, seat.result.ranks.count(1))
                for seat in sheet.seats[entrant]
                if seat.place == 1
            ),
            Fraction(0),
        )
        for entrant in tied
    }


def direct(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the points in the games where all the tied met; None when there is nothing fair.

    1. Games at which all the tied sat together count, if there are any.
    2. Otherwise, as at tables of two with three tied, all games between any of them count, if every
       two of them have met (FIDE C.07, article 6) and all have the same number of such games.
    3. Otherwise direct encounter says nothing, and the next tie-break decides.

    It is applied once to those who are tied: whom it leaves tied go to the next tie-break, not
    through a direct encounter of their own.
    """
    nothing: dict[EntrantId, Value] = dict.fromkeys(tied)
    if len(tied) < 2:
        return nothing
    group = set(tied)
    among: dict[EntrantId, list[Seat]] = {
        entrant: [seat for seat in sheet.seats[entrant] if _of(seat, group) > 1] for entrant in tied
    }
    if any(_of(seat, group) == len(tied) for seat in among[tied[0]]):
        among = {
            entrant: [seat for seat in seats if _of(seat, group) == len(tied)]
            for entrant, seats in among.items()
        }
    elif len({len(seats) for seats in among.values()}) > 1 or not _all_met(among):
        return nothing
    return {
        entrant: sum((seat.points for seat in seats), Fraction(0))
        for entrant, seats in among.items()
    }


def _of(seat: Seat, group: set[EntrantId]) -> int:
    """Return how many of a group sat at the table of a seat."""
    return sum(entrant in group for entrant in seat.result.seats)


def _all_met(among: Mapping[EntrantId, Sequence[Seat]]) -> bool:
    met = {
        frozenset(pair)
        for seats in among.values()
        for seat in seats
        for pair in combinations(seat.result.seats, 2)
    }
    return all(frozenset(pair) in met for pair in combinations(among, 2))


def score_share(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the own game score over the sum of the table's, averaged over the games played."""

    def share(seat: Seat) -> Fraction:
        total = sum(seat.result.scores)
        return Fraction(seat.result.scores[seat.index], total) if total > 0 else Fraction(0)

    return {
        entrant: sum(map(share, sheet.seats[entrant]), Fraction(0))
        / max(1, len(sheet.seats[entrant]))
        for entrant in tied
    }


def lot(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the recorded lots."""
    return {entrant: sheet.lots[entrant] for entrant in tied}


TIE_BREAKS: dict[str, TieBreak] = {
    tie_break.key: tie_break
    for tie_break in (
        TieBreak(
            "wins",
            "Wins",
            "W",
            "Games won; a shared win counts as an equal part of a win.",
            Direction.HIGH,
            wins,
        ),
        TieBreak(
            "direct",
            "Direct encounter",
            "DE",
            "Points in the games where all the tied met; if they never all met at one table,"
            " in the games between any of them, provided that every two have met and all have"
            " played equally many of these games.",
            Direction.HIGH,
            direct,
        ),
        TieBreak(
            "score_share",
            "Score share",
            "Sh",
            "Own game score divided by the sum of the table's game scores (0 if all are 0),"
            " averaged over the games played.",
            Direction.HIGH,
            score_share,
        ),
        TieBreak(
            "lot",
            "Lot",
            "Lot",
            "Place in a drawing of lots from the tournament's seed, recorded in its log.",
            Direction.LOW,
            lot,
        ),
    )
}


def find_tie_break(key: str) -> TieBreak:
    """Return the tie-break with a key.

    :raises BadInput: naming the keys there are.
    """
    try:
        return TIE_BREAKS[key]
    except KeyError:
        raise BadInput(
            f"tie-break {key!r} is unknown; known are: {', '.join(TIE_BREAKS)}"
        ) from None


def find_tie_breaks(keys: Iterable[str]) -> tuple[TieBreak, ...]:
    """Return the tie-breaks with these keys, in this order.

    :raises BadInput: for an unknown key, a key named twice, or a lot that is not the last.
    """
    found: list[TieBreak] = []
    for key in keys:
        tie_break = find_tie_break(key)
        if tie_break in found:
            raise BadInput(f"tie-break {key!r} is named twice; once is enough")
        if found and found[-1].key == "lot":
            raise BadInput(f"tie-break {key!r} after lot would decide nothing; lot is the last")
        found.append(tie_break)
    return tuple(found)


def draw_lots(entrants: Iterable[EntrantId], words: Words) -> dict[EntrantId, int]:
    """Return a drawing of lots: who was drawn first, second, …, to be recorded in the log."""
    return {entrant: place for place, entrant in enumerate(drawn(entrants, words), start=1)}
