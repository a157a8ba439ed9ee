"""Frames for other sites: the only pages that those may show, and so pages without cookies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Any, cast

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from engine.variants import find_variant
from games.public import ApplicationError
from tournaments.access import seen
from tournaments.exports import Sheet, board_sheet, standings_sheet
from tournaments.leaderboards import Board
from tournaments.models import Tournament
from tournaments.pages.leaderboards import wanted
from tournaments.pages.sheets import table_shown
from tournaments.selectors import standings_of

THEMES = {"auto": "As the reader's", "light": "Light", "dark": "Dark"}
COLUMNS = {"main": "The main ones", "all": "All"}
USUAL_ROWS, MAX_ROWS = 10, 50

ROW_PX, REST_PX = 46, 92
"""Height of a row of a frame, on phones, and of all else in it."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a frame is to look."""

    theme: str
    columns: str
    rows: int

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Look:
        """Return what an address asks for; what it cannot mean is the usual."""
        theme, columns, rows = (query.get(name, "") for name in ("theme", "columns", "rows"))
        fits = rows.isascii() and rows.isdecimal() and 1 <= int(rows[:3]) <= MAX_ROWS
        return cls(
            theme if theme in THEMES else "auto",
            columns if columns in COLUMNS else "main",
            int(rows) if fits else USUAL_ROWS,
        )

    @property
    def query(self) -> dict[str, str]:
        """What an address says to ask for the same; what is usual is left out."""
        usual = Look("auto", "main", USUAL_ROWS)
        return {k: str(v) for k, v in asdict(self).items() if v != getattr(usual, k)}

    @property
    def height(self) -> int:
        """Pixels that a frame needs."""
        return self.rows * ROW_PX + REST_PX


_View = Callable[..., HttpResponse]


def _frame(view: Callable[..., tuple[str, str, Sheet]]) -> _View:
    """Make a frame of what a view returns: title, address of the page, and the sheet."""

    @wraps(view)
    @require_safe
    @xframe_options_exempt
    @csp_replace({"frame-ancestors": ["*"]})
    def answer(request: HttpRequest, **which: Any) -> HttpResponse:
        look = Look.read(request.GET)
        context: dict[str, Any] = {"look": look}
        status = 200
        try:
            title, home, sheet = view(request, **which)
            context |= {"title": title, "home": request.build_absolute_uri(home)}
            context["table"] = table_shown(sheet, narrow=look.columns == "main", rows=look.rows)
        except ApplicationError as error:
            context["error"], status = error.message, error.status
        # Without the request, so that nothing of the reader can get into it.
        text = render_to_string("tournaments/embed.html", context)
        response = HttpResponse(text, status=status)
        response["Cache-Control"] = "public, max-age=60"
        return response

    return cast(_View, answer)  # the decorators forget what it answers with


@_frame
def leaderboard(request: HttpRequest, variant: str) -> tuple[str, str, Sheet]:
    """Show the first of a leaderboard."""
    asked = wanted(request, variant)
    title = f"Leaderboard: {find_variant(asked.variant).name}"
    return title, reverse("leaderboard", args=[asked.variant]), board_sheet(Board(asked))


@_frame
def standings(request: HttpRequest, slug: str) -> tuple[str, str, Sheet]:
    """Show the first of a tournament's standings."""
    found = seen(Tournament.objects.all(), slug, None)
    number = request.GET.get("phase", "")
    sheet = standings_sheet(found, *standings_of(found, number))
    home = reverse("tournament", args=[slug])
    if not number:
        return found.name, home, sheet
    return f"{found.name}, phase {number}", f"{home}?phase={number}", sheet
