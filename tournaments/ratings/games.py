"""The games that ratings follow from, and which of them a leaderboard counts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID


@dataclass(frozen=True, slots=True)
class RatedGame:
    """How a game came out, as ratings see it."""

    game: UUID
    players: tuple[UUID, ...]
    """By seat."""
    ranks: tuple[int, ...]
    """Place by seat: 1 is the best, equal places are equal."""
    deals: Hashable
    """The set of deals that was played: games that share one are no independent evidence."""
    over_at: datetime


class Scope(NamedTuple):
    """Which games of a game kind a leaderboard counts."""

    seats: int = 0
    """Players at the table; 0: any number."""
    days: int = 0
    """Age that a game may have, in days; 0: any."""

    def counted(self, games: Iterable[RatedGame], as_of: datetime) -> list[RatedGame]:
        """Return the games that count at a time, in the order given."""
        since = as_of - timedelta(days=self.days) if self.days else None
        return [
            game
            for game in games
            if game.over_at <= as_of
            and (since is None or game.over_at > since)
            and self.seats in (0, len(game.players))
        ]


PERIODS = (0, 365, 90, 30)
"""Days that leaderboards go back."""


def scopes(seats: Sequence[int]) -> list[Scope]:
    """Return every scope of a game kind for so many players at a table, the widest first."""
    tables = [0, *seats] if len(seats) > 1 else [0]
    return [Scope(count, days) for count in tables for days in PERIODS]


def fingerprint(games: Iterable[RatedGame]) -> str:
    """Return a hex digest of games and how they came out: equal where ratings would be."""
    hashed = sha256()
    for game in games:
        hashed.update(f"{game.game} {game.players} {game.ranks} {game.deals}\n".encode())
    return hashed.hexdigest()
