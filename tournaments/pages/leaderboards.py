"""Leaderboards as pages, and the rows of them that other pages show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from engine.errors import BadInput
from engine.variants import VARIANTS, find_variant
from games.public import PAGE_SIZE, NotFound, Player, page, paged
from tournaments.leaderboards import PROVISIONAL_GAMES, Board, BoardRow, Wanted
from tournaments.models import Strength
from tournaments.ratings.games import PERIODS

BAR = 108
"""Width of the bar that an interval is drawn on."""

PERIOD_NAMES = {0: "all time", 365: "a year", 90: "three months", 30: "30 days"}
KIND_NAMES = {"": "Bots and people", Player.Kind.BOT: "Bots", Player.Kind.PERSON: "People"}
MIN_GAMES = (0, PROVISIONAL_GAMES, 30, 100)
"""Numbers of games that the page offers as the least."""


@dataclass(frozen=True, slots=True)
class RowShown:
    """A row, and where on the bar its interval lies."""

    row: BoardRow | Strength
    low: int
    middle: int
    high: int

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval."""
        return (self.row.high - self.row.low) / 2

    @property
    def provisional(self) -> bool:
        """Whether the player has too few games for the strength to be firm."""
        return self.row.games < PROVISIONAL_GAMES


def rows_shown(rows: Iterable[BoardRow] | Iterable[Strength]) -> list[RowShown]:
    """Return rows with their intervals on one common scale."""
    shown: list[BoardRow | Strength] = list(rows)
    bottom = min((row.low for row in shown), default=0.0)
    top = max((row.high for row in shown), default=1.0)
    scale = BAR / (top - bottom or 1.0)
    return [
        RowShown(row, *(round((x - bottom) * scale) for x in (row.low, row.strength, row.high)))
        for row in shown
    ]


@require_safe
@page
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Lead to the first game kind's leaderboard."""
    return HttpResponseRedirect(reverse("leaderboard", args=[VARIANTS[0].key]))


@require_safe
@page
def leaderboard(request: HttpRequest, variant: str) -> HttpResponse:
    """Show a game kind's leaderboard; ``?find=`` leads to the row of a player."""
    board = Board(wanted(request, variant))
    sought = request.GET.get("find", "").strip()
    if sought and (found := _find(board, sought)):
        return HttpResponseRedirect(found)
    shown = paged(request, board.strengths)
    return render(
        request,
        "tournaments/leaderboard.html",
        {
            "section": "leaderboards",
            "variant": find_variant(board.wanted.variant),
            "variants": VARIANTS,
            "board": board,
            "sought": sought,
            "mine": _mine(request),
            "page": shown,
            "rows": rows_shown(board.rows(shown)),
            "periods": [(days, PERIOD_NAMES[days]) for days in PERIODS],
            "kinds": KIND_NAMES.items(),
            "least": sorted({*MIN_GAMES, board.wanted.min_games}),
            "provisional_games": PROVISIONAL_GAMES,
        },
    )


def wanted(request: HttpRequest, variant: str) -> Wanted:
    """Return which leaderboard an address asks for.

    :raises NotFound: saying what there is, when there is none such.
    """
    known = [kind.key for kind in VARIANTS]
    if variant not in known:
        raise NotFound(f"there is no game {variant!r}; games are {', '.join(known)}")
    try:
        return Wanted.read(variant, request.GET)
    except BadInput as error:
        raise NotFound(str(error)) from None


def _find(board: Board, sought: str) -> str | None:
    """Return the address of a player's row, or None if the board has none such."""
    try:
        player = Player.objects.filter(pk=UUID(sought)).first()
    except ValueError:
        player = Player.objects.filter(name__iexact=sought).first()
    place = board.place_of(player) if player else None
    if player is None or place is None:
        return None
    query = board.wanted.query | {"page": str(1 + place // PAGE_SIZE)}
    address = reverse("leaderboard", args=[board.wanted.variant])
    return f"{address}?{urlencode(query)}#p-{player.pk}"


def _mine(request: HttpRequest) -> Player | None:
    """Return the reader's own player."""
    if not request.user.is_authenticated:
        return None
    return Player.objects.filter(owner=request.user).order_by("kind", "pk").last()
