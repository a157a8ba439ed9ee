"""Refits: strengths over all games of a scope, made anew at night, on demand, after tournaments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from tournaments import signals
from tournaments.leaderboards import rated_games
from tournaments.models import Due, Refit, Strength, Tournament
from tournaments.ratings.games import RatedGame, Scope, fingerprint
from tournaments.ratings.refit import refit

STRENGTH_FIELDS = ("player_id", "strength", "low", "high", "games", "wins", "last_at")


def refit_due(*, tournament_id: UUID) -> None:
    """Refit the leaderboard of a tournament's game kind.

    One refit answers all due rows of the game kind that were there before it began.
    """
    variant = Tournament.objects.get(pk=tournament_id).variant
    asked = Due.objects.filter(kind=Due.Kind.REFIT, tournament__variant=variant)
    rows = list(asked.values_list("pk", flat=True))
    leaderboard_refit(variant=variant)
    Due.objects.filter(pk__in=rows).delete()


def leaderboard_refit(*, variant: str, scopes: Iterable[Scope] = (Scope(),)) -> None:
    """Fit the strengths of a game kind's players anew, as of now, for each scope."""
    games, now = rated_games(variant), timezone.now()
    for scope in scopes:
        _refit(variant, scope, games, now)


def refits_check(*, variant: str, games: Sequence[RatedGame]) -> None:
    """Tell of each refit whose games are not what they were, as after a correction.

    :param games: all that count now.
    """
    for row in Refit.objects.filter(variant=variant):
        scope = Scope(row.seats, row.days)
        if fingerprint(scope.counted(games, row.as_of)) != row.fingerprint:
            signals.refit_stale.send(Refit, variant=variant, scope=scope)


def refits_rebuild(*, variant: str) -> list[str]:
    """Make all refits of a game kind anew, as of when they were made; tell what was different.

    A refit whose games are not what they were is late, not wrong.
    """
    games = rated_games(variant)
    differences = []
    for row in Refit.objects.filter(variant=variant).order_by("seats", "days"):
        scope = Scope(row.seats, row.days)
        late = fingerprint(scope.counted(games, row.as_of)) != row.fingerprint
        if _refit(variant, scope, games, row.as_of) and not late:
            differences.append(f"{row}: strengths were different")
    return differences


def _refit(variant: str, scope: Scope, games: Sequence[RatedGame], as_of: datetime) -> bool:
    """Store the fit of a scope and say whether it is another than what was stored.

    No transaction is open while it is computed; a later one that was quicker stays.
    """
    counted = scope.counted(games, as_of)
    digest = fingerprint(counted)
    fitted = refit(counted, bytes.fromhex(digest))
    last = {player: game.over_at for game in counted for player in game.players}
    with transaction.atomic():
        with connection.cursor() as cursor:  # one at a time
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"refit {variant}"])
        row = Refit.objects.filter(variant=variant, seats=scope.seats, days=scope.days).first()
        if row is not None and row.as_of > as_of:
            return False
        row = row or Refit(variant=variant, seats=scope.seats, days=scope.days)
        row.as_of, row.games, row.fingerprint = as_of, len(counted), digest
        row.deal_sets = len({game.deals for game in counted})
        row.save()
        before = _values(row.strengths.all())
        made = [
            Strength(
                refit=row,
                player_id=player,
                strength=found.strength,
                low=found.low,
                high=found.high,
                games=found.games,
                wins=found.wins,
                last_at=last[player],
            )
            for player, found in fitted.items()
        ]
        row.strengths.all().delete()
        Strength.objects.bulk_create(made)
    return before != _values(made)


def _values(rows: Iterable[Strength]) -> set[tuple[Any, ...]]:
    return {tuple(getattr(row, name) for name in STRENGTH_FIELDS) for row in rows}
