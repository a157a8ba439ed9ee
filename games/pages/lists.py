"""The list of games, narrowed by parameters of its address; a fragment renews its rows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.pages.filters import filter_form, filtered, filters
from games.pages.rows import game_rows
from games.pages.web import page, paged
from games.selectors import GAME_STATES, games_wanted, players_named


@require_safe
@page
def games(request: HttpRequest) -> HttpResponse:
    """List the games that anybody may look at."""
    return render(request, "games/list.html", {"section": "games", **_context(request)})


@require_safe
@page
def rows(request: HttpRequest) -> HttpResponse:
    """Answer with the rows of the list alone."""
    context = _context(request)
    drawn = render(request, "games/rows.html", context)
    return filtered(drawn, reverse("games"), context["filters"])


def _context(request: HttpRequest) -> dict[str, Any]:
    chosen = filters(request, GAME_STATES)
    named = {words: players_named(words) for words in (chosen.player, chosen.against) if words}
    games = games_wanted(
        variant=chosen.variant, seats=chosen.seats, state=chosen.state, players=named.values()
    )
    shown = paged(request, games, deep=True)
    return {
        "page": shown,
        "rows": game_rows(shown),
        "strangers": [words for words, found in named.items() if not found],
        **filter_form(chosen, GAME_STATES),
    }
