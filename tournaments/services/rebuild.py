"""Making every projection anew from the logs and results, and saying what was different."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from games.public import Game, analysis_refold, result_refold
from tournaments.models import Phase, Rating, Table
from tournaments.services.ratings import rating_rows, ratings_refresh
from tournaments.services.rounds import refresh_standings, take_result

STANDING_FIELDS = ("entrant_id", "order", "rank", "points", "average", "played", "metrics")
RATING_FIELDS = ("player_id", "mu", "sigma", "ordinal", "games", "wins")


@transaction.atomic
def rebuild() -> list[str]:
    """Make results, analyses, places, standings and ratings anew; return the differences in words.

    An empty list means that everything stored was equal to what the logs say.
    """
    differences = []
    for game in Game.objects.exclude(status=Game.Status.RUNNING).select_related("seed").iterator():
        differences += result_refold(game)
        differences += analysis_refold(game)
    for table in Table.objects.filter(played=True).select_related("game__result"):
        before = _rows(table.places.all(), ("score", "rank"))
        take_result(table)
        if _rows(table.places.all(), ("score", "rank")) != before:
            differences.append(f"{table}: places were different")
    for phase in Phase.objects.exclude(status=Phase.Status.WAITING).select_related("tournament"):
        before = _rows(phase.standings.all(), STANDING_FIELDS)
        refresh_standings(phase)
        if _rows(phase.standings.all(), STANDING_FIELDS) != before:
            differences.append(f"{phase}: standings were different")
    for variant in Table.objects.values_list("game__variant", flat=True).distinct().order_by():
        before = _rows(Rating.objects.filter(variant=variant).order_by("player"), RATING_FIELDS)
        rows = sorted(rating_rows(variant), key=lambda row: row.player_id)
        if before != _rows(rows, RATING_FIELDS):
            differences.append(f"ratings of {variant} were different")
        ratings_refresh(variant=variant)
    return differences


def _rows(rows: Any, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [tuple(getattr(row, name) for name in names) for row in rows]
