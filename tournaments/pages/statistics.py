"""What a tournament's games have in common: how long deals are, how they end, what seats win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import NamedTuple
from uuid import UUID

from games.public import DealEnd, deals_ended
from tournaments.models import Tournament
from tournaments.selectors import games_taken

GAMES_COUNTED = 300
"""Games that are looked at, the latest."""

BARS = 12
"""Bars of a picture of lengths, at most."""


class Bar(NamedTuple):
    """A bar of a picture."""

    label: str
    value: str
    height: float
    """In percent of the highest."""
    seat: int | None = None
    """Whose it is, where bars are of seats."""

    @property
    def empty(self) -> float:
        """What is left above it, in percent."""
        return round(100 - self.height, 1)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of bars."""

    title: str
    bars: list[Bar]
    note: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the deals of some games have in common."""

    games: int
    deals: int
    figures: list[tuple[str, str]]
    pictures: list[Picture]


def statistics(found: Tournament) -> Statistics:
    """Return the statistics of a tournament's latest games; counted anew when a result comes in."""
    return _statistics(found.pk, found.seq)


@lru_cache(maxsize=64)
def _statistics(tournament: UUID, seq: int) -> Statistics:
    taken = games_taken(Tournament(pk=tournament)).values_list("pk", flat=True)
    games = list(taken[:GAMES_COUNTED])
    deals = deals_ended(games)
    if not deals:
        return Statistics(len(games), 0, [], [])
    moves = sorted(deal.moves for deal in deals)
    endings = Counter(deal.ending for deal in deals)
    knocks = sum(deal.ending == "knock" or deal.is_undercut for deal in deals)
    undercuts = sum(deal.is_undercut for deal in deals)
    figures = [
        ("Games", str(len(games))),
        ("Deals", str(len(deals))),
        ("Deals a game", f"{len(deals) / max(1, len(games)):.1f}"),
        ("Moves a deal, median", f"{median(moves):g}"),
        ("Knocks", _share(knocks, len(deals))),
        ("Knocks undercut", _share(undercuts, knocks)),
    ]
    return Statistics(
        len(games), len(deals), figures, [_lengths(moves), _endings(endings), _seats(deals)]
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "–"


def _lengths(moves: Sequence[int]) -> Picture:
    width = next(w for w in (1, 2, 5, 10, 20, 50, 100, 1000, 10**9) if moves[-1] <= w * BARS)
    counts = Counter(n // width for n in moves)
    last = moves[-1] // width
    labels = [str(n * width) if width == 1 else f"{n * width}–" for n in range(last + 1)]
    return Picture(
        "How long deals are",
        _bars([(label, counts[n], None) for n, label in enumerate(labels)]),
        "Deals by their moves: draws, melds, passes and their like.",
    )


def _endings(endings: Counter[str]) -> Picture:
    rows = [(name.replace("_", " ").capitalize(), n, None) for name, n in endings.most_common()]
    return Picture("How deals end", _bars(rows), "Deals by what ended them.")


def _seats(deals: Iterable[DealEnd]) -> Picture:
    totals: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    for deal in deals:
        for seat, score in enumerate(deal.scores):
            totals[seat] += score
            counts[seat] += 1
    rows = [
        (f"Seat {seat + 1}", round(totals[seat] / counts[seat], 1), seat) for seat in sorted(counts)
    ]
    return Picture("Points a deal, by seat", _bars(rows), "What each seat scores in a deal.")


def _bars(rows: Sequence[tuple[str, float, int | None]]) -> list[Bar]:
    top = max((value for _, value, _ in rows), default=0) or 1
    return [
        Bar(label, f"{value:g}", round(100 * max(value, 0) / top, 1), seat)
        for label, value, seat in rows
    ]
