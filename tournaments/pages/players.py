"""Pages about a player, a person or a bot: the profile, and all opponents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.policies import POLICIES
from engine.variants import find_variant
from games.public import (
    BandChart,
    Estimate,
    NotFound,
    Player,
    band_chart,
    game_rows,
    games_list,
    opponents,
    page,
    paged,
    player_faults,
    player_get,
    player_opponents,
    player_record,
)
from tournaments.leaderboards import rating_history, ratings_of
from tournaments.models import Rating
from tournaments.pages.leaderboards import PERIOD_NAMES
from tournaments.selectors import entries_of

SHOWN = 10
"""Games, opponents and tournaments on a profile, the latest or those met most often."""


@dataclass(frozen=True, slots=True)
class HistoryShown:
    """How a player's rating in a game kind went in a period."""

    rating: Rating
    days: int
    """How far back it goes; 0: to the first game."""
    chart: BandChart | None
    """None where no game of the period counts."""
    rows: list[tuple[int, datetime, Estimate]]
    """Some of the games, the latest first: the number, when it ended, the rating after it."""


@require_safe
@page
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player: how the rating went, record, opponents, games, tournaments."""
    found = player_get(player_id)
    ratings = ratings_of(found)
    places = player_record(found)
    met = player_opponents(found)
    return render(
        request,
        "tournaments/player.html",
        {
            "player": found,
            "policies": _policies(found),
            "faults": player_faults(found),
            "ratings": ratings,
            "history": _history(request, [rating for rating, _ in ratings]),
            "periods": PERIOD_NAMES.items(),
            "places": places,
            "played": sum(places.values()),
            "won": places.get(1, 0),
            "opponents": opponents(met[:SHOWN]),
            "rows": [(row, row.place_of(found)) for row in game_rows(_games(found)[:SHOWN])],
            "entries": entries_of(found)[:SHOWN],
        },
    )


@require_safe
@page
def player_versus(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """List all whom a player has met and how the games with each came out."""
    found = player_get(player_id)
    shown = paged(request, player_opponents(found))
    context = {"player": found, "page": shown, "opponents": opponents(shown)}
    return render(request, "tournaments/opponents.html", context)


def _games(found: Player) -> Any:
    return games_list(player=found)


def _history(request: HttpRequest, ratings: list[Rating]) -> HistoryShown | None:
    """Return how the rating went in the game kind and the period that an address asks for.

    :raises NotFound: naming what there is, when it asks for something else.
    """
    days, variant = request.GET.get("days", "0"), request.GET.get("variant", "")
    if days not in map(str, PERIOD_NAMES):
        known = ", ".join(map(str, PERIOD_NAMES))
        raise NotFound(f"there is no period of {days!r} days; periods are {known}")
    known = ", ".join(rating.variant for rating in ratings) or "none so far"
    if variant and variant not in {rating.variant for rating in ratings}:
        raise NotFound(f"this player has no rating in {variant!r}; ratings are in {known}")
    if not ratings:
        return None
    most = max(ratings, key=lambda rating: rating.games)
    rating = next((rating for rating in ratings if rating.variant == variant), most)
    values = rating_history(rating, int(days))
    chart = band_chart([estimate for _, estimate in values]) if values else None
    rows = [(number, values[number - 1][0], value) for number, value in chart.rows] if chart else []
    return HistoryShown(rating, int(days), chart, rows)


def _policies(found: Player) -> list[tuple[str, str]]:
    """Return what a built-in bot does, in its policies' words, and the names of the games."""
    said: dict[str, list[str]] = {}
    for variant, policies in POLICIES.items():
        for policy in policies:
            if policy.name == found.policy:
                said.setdefault(policy.summary, []).append(find_variant(variant).name)
    return [(", ".join(names), summary) for summary, names in said.items()]
