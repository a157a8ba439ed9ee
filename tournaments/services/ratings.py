"""Ratings: made anew from all results of a game kind, once per batch."""

from __future__ import annotations

from uuid import UUID

from django.db import connection, transaction

from tournaments.models import Due, Rating, Table, Tournament
from tournaments.ratings.openskill import rate


def ratings_refresh_due(*, tournament_id: UUID) -> None:
    """Refresh the ratings of a tournament's game kind.

    One refresh answers all due rows of the game kind that were there before it began.
    """
    variant = Tournament.objects.get(pk=tournament_id).variant
    asked = Due.objects.filter(kind=Due.Kind.RATINGS, tournament__variant=variant, parked_at=None)
    rows = list(asked.values_list("pk", flat=True))
    ratings_refresh(variant=variant)
    Due.objects.filter(pk__in=rows).delete()


@transaction.atomic
def ratings_refresh(*, variant: str) -> None:
    """Rate all players of a game kind from its results, in the order in which games ended."""
    with connection.cursor() as cursor:  # one refresh of a kind at a time
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"ratings {variant}"])
    Rating.objects.filter(variant=variant).delete()
    Rating.objects.bulk_create(rating_rows(variant))


def rating_rows(variant: str) -> list[Rating]:
    """Return the ratings that follow from the results of a game kind; practice does not count.

    A corrected result counts as corrected, and of a table played again the game that counts.
    """
    tables = Table.objects.filter(
        played=True,
        round__phase__tournament__variant=variant,
        round__phase__tournament__practice=False,
    ).order_by("game__over_at", "game_id")
    games = (
        (
            tuple(place.entrant.player_id for place in table.places.all()),
            [place.rank or 0 for place in table.places.all()],
        )
        for table in tables.prefetch_related("places__entrant")
    )
    return [
        Rating(
            variant=variant,
            player_id=player,
            mu=rating.mu,
            sigma=rating.sigma,
            ordinal=rating.ordinal,
            games=rating.games,
            wins=rating.wins,
        )
        for player, rating in rate(games).items()
    ]
