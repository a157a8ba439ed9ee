"""One search for players, tournaments and games."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.public import Game, Player, game_rows, games_list, page
from tournaments.pages.progress import games_planned
from tournaments.selectors import tournament_cards

SHOWN = 10
"""Rows of each kind."""

LONGEST = 80
"""Characters of a question that are looked at."""


@require_safe
@page
def search(request: HttpRequest) -> HttpResponse:
    """Find what ``?q=`` names: part of a name, or the id or the head of a game."""
    asked = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST]
    game = _game_named(asked)
    if game is not None:
        return redirect("game", game.pk)
    context: dict[str, object] = {"asked": asked}
    if asked:
        players = Player.objects.filter(name__icontains=asked).order_by("name")
        tournaments = tournament_cards().filter(name__icontains=asked)
        games = games_list().filter(seats__player__in=players.values("pk")).distinct()
        named = list(players[: SHOWN + 1]), list(tournaments[: SHOWN + 1])
        context |= {
            "players": named[0][:SHOWN],
            "tournaments": [(each, games_planned(each)) for each in named[1][:SHOWN]],
            "rows": game_rows(games[:SHOWN]),
            "more": any(len(found) > SHOWN for found in named),
        }
    return render(request, "tournaments/search.html", context)


def _game_named(asked: str) -> Game | None:
    """Return the game whose id, or whose published head, is what was asked for."""
    games = games_list()
    try:
        return games.filter(pk=UUID(asked)).first()
    except ValueError:
        pass
    if len(asked) == 64:
        return games.filter(head=asked.lower(), status=Game.Status.SEALED).first()
    return None
