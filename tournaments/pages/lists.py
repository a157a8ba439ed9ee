"""The list of tournaments, narrowed by parameters of its address; a fragment renews its rows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.public import filter_form, filtered, filters, page, paged, players_named
from tournaments.pages.progress import games_planned
from tournaments.selectors import tournaments_wanted

ENTRIES = {"open": "Anybody", "invited": "By invitation"}
"""Who may enter, as a list may be narrowed to it."""

STATES = {"running": "Running", "open": "Next", "ended": "Finished"}


@require_safe
@page
def tournaments(request: HttpRequest) -> HttpResponse:
    """List the tournaments that anybody may look at."""
    context = {"section": "tournaments", **_context(request)}
    return render(request, "tournaments/list.html", context)


@require_safe
@page
def rows(request: HttpRequest) -> HttpResponse:
    """Answer with the rows of the list alone."""
    context = _context(request)
    drawn = render(request, "tournaments/rows.html", context)
    return filtered(drawn, reverse("tournaments"), context["filters"])


def _context(request: HttpRequest) -> dict[str, Any]:
    chosen = filters(request, STATES, ENTRIES)
    named = {chosen.player: players_named(chosen.player)} if chosen.player else {}
    found = tournaments_wanted(
        variant=chosen.variant,
        seats=chosen.seats,
        state=chosen.state,
        entry=chosen.entry,
        players=named.values(),
    )
    shown = paged(request, found)
    return {
        "page": shown,
        "rows": [(each, games_planned(each)) for each in shown],
        "strangers": [words for words, players in named.items() if not players],
        "entries": ENTRIES,
        **filter_form(chosen, STATES),
    }
