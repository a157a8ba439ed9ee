"""Ratings as rows of a leaderboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.variants import find_variant
from tournaments.models import Rating

PROVISIONAL_GAMES = 10
"""Games below which a rating may still move a lot."""

Z_95 = 1.96
"""Standard deviations to either side that hold the strength with 95 percent."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A player's rating."""

    rating: Rating
    rank: int
    low: float
    """Ends and middle of the 95% interval, in the same scale for all rows of a page."""
    middle: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval."""
        return Z_95 * self.rating.sigma

    @property
    def provisional(self) -> bool:
        """Whether the player has too few games for the rating to be firm."""
        return self.rating.games < PROVISIONAL_GAMES

    @property
    def won(self) -> int:
        """Games won in percent."""
        return round(100 * self.rating.wins / self.rating.games) if self.rating.games else 0

    @property
    def variant(self) -> str:
        """Name of the game kind."""
        return find_variant(self.rating.variant).name


def rating_rows(ratings: Iterable[Rating], first: int = 1) -> list[RatingRow]:
    """Return ratings as rows.

    :param first: rank of the first one.
    """
    rated = list(ratings)
    lows = [rating.mu - Z_95 * rating.sigma for rating in rated]
    highs = [rating.mu + Z_95 * rating.sigma for rating in rated]
    bottom, top = min(lows, default=0.0), max(highs, default=1.0)
    scale = 108 / (top - bottom or 1.0)
    return [
        RatingRow(
            rating,
            rank,
            *(round((x - bottom) * scale, 1) for x in (low, rating.mu, high)),
        )
        for rank, (rating, low, high) in enumerate(zip(rated, lows, highs, strict=True), first)
    ]
