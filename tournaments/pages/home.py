"""The home page: a table to look at, which follows its game, tournaments, ranks and games."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from engine.variants import find_variant
from games.public import (
    Game,
    Version,
    game_on_show,
    game_rows,
    games_finished,
    last_stage,
    page,
    remarks_of,
    revalidated,
    stream,
)
from tournaments.leaderboards import latest_board, leaders
from tournaments.models import Tournament
from tournaments.pages.progress import games_planned
from tournaments.selectors import tournament_cards, tournaments_coming

ROWS = 5


@require_safe
@page
def home(request: HttpRequest) -> HttpResponse:
    """Show what is going on."""
    coming = list(tournaments_coming()[:ROWS])
    variant = find_variant(latest_board())
    context = {
        **_table(game_on_show()),
        "coming": bool(coming),
        "tournaments": [(t, games_planned(t)) for t in coming or tournament_cards()[:ROWS]],
        "rows": game_rows(games_finished()[:ROWS]),
        "variant": variant,
        "leaders": leaders(variant.key, ROWS),
    }
    return render(request, "tournaments/home.html", context)


@require_safe
@page
def table(request: HttpRequest) -> HttpResponseBase:
    """Answer with the table to look at alone."""
    game = game_on_show()

    def draw() -> str:
        return render_to_string("tournaments/live.html", _table(game))

    return revalidated(request, _version(game)[0], draw)


@require_safe
@page
def table_stream(request: HttpRequest) -> HttpResponseBase:
    """Tell a page that the table to look at is not as it was, for as long as anything is played."""
    return stream(request, "progress", lambda: _version(game_on_show()))


def _table(game: Game | None) -> dict[str, Any]:
    return {
        "game": game,
        "stage": last_stage(game) if game else None,
        "remark": remarks_of([game]).get(game.pk) if game else None,
        "going_on": not _version(game)[1],
    }


def _version(game: Game | None) -> Version:
    """Return what the table is drawn from, and whether nothing is played and nothing soon will be.

    Between two rounds no game runs, and yet there is something to wait for.
    """
    if game is not None and not game.is_sealed:
        return f"{game.pk}.{game.seq}", False
    playing = Tournament.objects.visible().filter(status=Tournament.Status.RUNNING, paused=False)
    word = f"{game.pk}.{game.seq}" if game else "none"
    waits = playing.exists()
    return f"{word}.{'waits' if waits else 'done'}", not waits
