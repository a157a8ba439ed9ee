"""Ratings: made anew from all results of a game kind, once per batch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction

from tournaments.leaderboards import rated_games
from tournaments.models import Due, Rating, RatingHistory, Tournament
from tournaments.ratings.games import RatedGame
from tournaments.ratings.openskill import histories
from tournaments.services.refits import refits_check


def ratings_refresh_due(*, tournament_id: UUID) -> None:
    """Refresh the ratings of a tournament's game kind.

    One refresh answers all due rows of the game kind that were there before it began.
    """
    variant = Tournament.objects.get(pk=tournament_id).variant
    asked = Due.objects.filter(kind=Due.Kind.RATINGS, tournament__variant=variant, parked_at=None)
    rows = list(asked.values_list("pk", flat=True))
    games = ratings_refresh(variant=variant)
    refits_check(variant=variant, games=games)
    Due.objects.filter(pk__in=rows).delete()


@transaction.atomic
def ratings_refresh(*, variant: str) -> list[RatedGame]:
    """Rate all players of a game kind from its results, in the order in which games ended.

    :returns: the games that count.
    """
    with connection.cursor() as cursor:  # one refresh of a kind at a time
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"ratings {variant}"])
    games = rated_games(variant)
    made = rating_histories(variant, games)
    Rating.objects.filter(variant=variant).delete()
    Rating.objects.bulk_create(history.rating for history in made)
    RatingHistory.objects.bulk_create(made)
    return games


def rating_histories(variant: str, games: Sequence[RatedGame]) -> list[RatingHistory]:
    """Return the ratings that follow from games, in their order, and how they came about."""
    ended: dict[UUID, list[datetime]] = {}
    for game in games:
        for player in game.players:
            ended.setdefault(player, []).append(game.over_at)
    found = histories((game.players, game.ranks) for game in games)
    return [
        RatingHistory(
            rating=Rating(
                variant=variant,
                player_id=player,
                mu=ratings[-1].mu,
                sigma=ratings[-1].sigma,
                ordinal=ratings[-1].ordinal,
                games=ratings[-1].games,
                wins=ratings[-1].wins,
            ),
            at=ended[player],
            mu=[rating.mu for rating in ratings],
            sigma=[rating.sigma for rating in ratings],
        )
        for player, ratings in found.items()
    ]
