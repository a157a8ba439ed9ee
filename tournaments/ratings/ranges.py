"""Ranks as ranges: the places that overlapping intervals leave open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple


class RankRange(NamedTuple):
    """The best and the worst rank that a player may have, from 1."""

    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


class Field:
    """The intervals of all players that are ranked together."""

    def __init__(self, intervals: Iterable[tuple[float, float]]) -> None:
        known = list(intervals)
        self._lows = sorted(low for low, _ in known)
        self._highs = sorted(high for _, high in known)

    def rank(self, low: float, high: float) -> RankRange:
        """Return the rank of a player of the field by its interval.

        Whoever's interval lies wholly above is ahead, whoever's lies wholly below is behind, and
        of the others nobody can say.

        >>> str(Field([(5, 7), (1, 3), (2, 4)]).rank(1, 3))
        '2–3'
        """
        ahead = len(self._lows) - bisect_right(self._lows, high)
        behind = bisect_left(self._highs, low)
        return RankRange(1 + ahead, len(self._highs) - behind)
