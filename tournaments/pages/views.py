"""Views of tournaments."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.public import (
    STOP_POLLING,
    page,
    revalidated,
)
from games.public import stream as event_stream
from tournaments.access import organises, seen
from tournaments.models import Round, Tournament
from tournaments.pages.entering import entry_shown
from tournaments.pages.progress import (
    ProgressShown,
    format_words,
    progress_shown,
)
from tournaments.pages.tables import tables_as_shown
from tournaments.pages.tabs import TABS, tab_context
from tournaments.selectors import (
    cards_of,
    game_numbered,
    tables_beside,
    tournament_version,
)

SIDE_ROWS = 6
"""Tables and results shown beside a tournament."""


@require_safe
@page
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a tournament: its progress and one of its tabs."""
    found = _tournament(request, slug)
    progress = progress_shown(found)
    context = {
        "section": "tournaments",
        "formats": _formats(found),
        "tabs": _tabs(found, progress),
        "organises": organises(found, request.user),
        "entry": entry_shown(request, found),
        **_side(found),
        **tab_context(request, found, progress, request.GET.get("tab", "standings")),
    }
    return render(request, "tournaments/page.html", context)


@require_safe
@page
def stream(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Tell a page that a tournament has grown, as it grows."""
    found = _tournament(request, slug)
    return event_stream(request, "progress", partial(tournament_version, found.pk))


@require_safe
@page
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with how far a tournament is; ``?seen=`` is the line of the log the page knows of."""
    found = _tournament(request, slug)
    shown = progress_shown(found)
    grown = shown.done or request.GET.get("seen") != str(found.seq)
    context: dict[str, Any] = {
        "tournament": found,
        "progress": shown,
        "tabs": _tabs(found, shown),
        "fragment": True,
        "grown": grown,
    }
    if grown:
        context |= {"formats": _formats(found), "entry": entry_shown(request, found)}
    response = HttpResponse(
        render_to_string("tournaments/progress.html", context, request),
        status=STOP_POLLING if shown.done else 200,
    )
    if grown:
        response["HX-Trigger"] = "results"
    return response


@require_safe
@page
def part(request: HttpRequest, slug: str, tab: str) -> HttpResponseBase:
    """Answer with one of a tournament's tabs."""
    found = _tournament(request, slug)

    def draw() -> str:
        context = tab_context(request, found, progress_shown(found), tab)
        return render_to_string("tournaments/tab.html", context, request)

    return revalidated(request, str(found.seq), draw)


@require_safe
@page
def side(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Answer with what stands beside a tournament: games being played, results, fair play."""
    found = _tournament(request, slug)

    def draw() -> str:
        return render_to_string("tournaments/side.html", {"tournament": found, **_side(found)})

    return revalidated(request, tournament_version(found.pk)[0], draw)


@require_safe
@page
def numbered_game(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Lead to a game by its number in the tournament, an address that place sheets afford."""
    game = game_numbered(_tournament(request, slug), number)
    return HttpResponseRedirect(reverse("game", args=[game]))


def _tournament(request: HttpRequest, slug: str) -> Tournament:
    rounds = Prefetch("phases__rounds", Round.objects.defer("notes"))
    return seen(cards_of(Tournament.objects.prefetch_related(rounds)), slug, request)


def _tabs(found: Tournament, progress: ProgressShown) -> list[tuple[str, str, int | None]]:
    counts = {"rounds": progress.rounds, "games": progress.played}
    return [(key, name, counts.get(key)) for key, name in TABS.items()]


def _formats(found: Tournament) -> list[str]:
    return [format_words(phase) for phase in found.phases.all()]


def _side(found: Tournament) -> dict[str, Any]:
    """Return what is shown beside every tab."""
    running, latest = tables_beside(found, SIDE_ROWS)
    shown = tables_as_shown([*running, *latest])  # together, for the sake of queries
    ended = found.status == Tournament.Status.ENDED
    return {
        "running": [] if ended else shown[: len(running)],
        "latest": shown[len(running) :],
        "seed": bytes(found.seed).hex() if ended else None,
    }
