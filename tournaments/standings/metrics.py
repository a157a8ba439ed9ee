"""Tie-breaks: what decides between entrants with equal points.

Each is a value with its own definition for the page; an organiser chooses and orders them before
round 1. A new one is one function and one line in :data:`TIE_BREAKS`. A bye, which is points
without a game, counts in those only that say so, and rows tell where it made a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import combinations

from engine.errors import BadInput
from engine.seeds import Words
from tournaments.formats.base import EntrantId, drawn
from tournaments.standings.opponents import (
    buchholz,
    buchholz_cut1,
    opponents_average,
    sonneborn_berger,
)
from tournaments.standings.sheet import Seat, Sheet, Value


class Direction(Enum):
    """Which values are better."""

    HIGH = 1
    LOW = -1


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
    counts_byes: bool = False
    """Whether a bye of the entrant's own enters into the value."""


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


def best_table(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the points of every table, the best first."""
    return {
        entrant: tuple(sorted((seat.points for seat in sheet.seats[entrant]), reverse=True))
        for entrant in tied
    }


def seed(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the places in the seeding."""
    return {entrant: sheet.seeds[entrant] for entrant in tied}


def lot(tied: Sequence[EntrantId], sheet: Sheet) -> dict[EntrantId, Value]:
    """Return the recorded lots."""
    return {entrant: sheet.lots[entrant] for entrant in tied}


_BYE = (
    "A bye counts as an opponent with the entrant's own average: points a game played, for every"
    " round that counted; the opponents' own byes are among their points."
)

LAST = ("lot", "seed")
"""Tie-breaks that leave nothing to decide."""

TIE_BREAKS: dict[str, TieBreak] = {
    tie_break.key: tie_break
    for tie_break in (
        TieBreak(
            "wins",
            "Wins",
            "W",
            "Games won; a shared win counts as an equal part of a win, a bye not at all.",
            Direction.HIGH,
            wins,
        ),
        TieBreak(
            "direct",
            "Direct encounter",
            "DE",
            "Points in the games where all the tied met; if they never all met at one table,"
            " in the games between any of them, provided that every two have met and all have"
            " played equally many of these games. A bye does not count.",
            Direction.HIGH,
            direct,
        ),
        TieBreak(
            "buchholz",
            "Buchholz",
            "BH",
            "The opponents' points, added up over the rounds; a table of several counts with their"
            f" mean. {_BYE}",
            Direction.HIGH,
            buchholz,
            counts_byes=True,
        ),
        TieBreak(
            "buchholz_cut1",
            "Buchholz without the least",
            "BH−1",
            "The opponents' points, added up over the rounds but the one that adds least; a table"
            f" of several counts with their mean. {_BYE}",
            Direction.HIGH,
            buchholz_cut1,
            counts_byes=True,
        ),
        TieBreak(
            "sonneborn_berger",
            "Sonneborn-Berger",
            "SB",
            "The points of opponents placed below, half of those placed equal, added up over the"
            f" rounds; at a table of several divided by the number of opponents. {_BYE} It counts"
            " as beaten for an allocated bye and a forfeit win, as tied for a requested bye, else"
            " as lost to.",
            Direction.HIGH,
            sonneborn_berger,
            counts_byes=True,
        ),
        TieBreak(
            "opponents_average",
            "Opponents' average",
            "OA",
            "The mean, over all opponents met, of their points a game played. A bye counts as an"
            " opponent with the entrant's own points a game played.",
            Direction.HIGH,
            opponents_average,
            counts_byes=True,
        ),
        TieBreak(
            "score_share",
            "Score share",
            "Sh",
            "Own game score divided by the sum of the table's game scores (0 if all are 0),"
            " averaged over the games played. A bye does not count.",
            Direction.HIGH,
            score_share,
        ),
        TieBreak(
            "best_table",
            "Best table",
            "Best",
            "The points of the best table, then of the second best, and so on. A bye does not"
            " count.",
            Direction.HIGH,
            best_table,
        ),
        TieBreak(
            "seed",
            "Seed",
            "Seed",
            "Place in the seeding: the order of entry, or of the phase before.",
            Direction.LOW,
            seed,
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

    :raises BadInput: for an unknown key, a key named twice, or one after a lot or the seed.
    """
    found: list[TieBreak] = []
    for key in keys:
        tie_break = find_tie_break(key)
        if tie_break in found:
            raise BadInput(f"tie-break {key!r} is named twice; once is enough")
        if found and found[-1].key in LAST:
            last = found[-1].key
            raise BadInput(
                f"tie-break {key!r} after {last} would decide nothing; {last} is the last"
            )
        found.append(tie_break)
    return tuple(found)


def draw_lots(entrants: Iterable[EntrantId], words: Words) -> dict[EntrantId, int]:
    """Return a drawing of lots: who was drawn first, second, …, to be recorded in the log."""
    return {entrant: place for place, entrant in enumerate(drawn(entrants, words), start=1)}
