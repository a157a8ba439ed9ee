"""Replays in frames of other sites: finished games that anybody may see, without cookies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.errors import ApplicationError, NotFound
from games.models import Game
from games.pages.look import Look, allowed
from games.pages.perspective import perspective_of
from games.pages.stage import frames_at, stage, step_asked
from games.remarks import remarks_of
from games.selectors import game_get, game_replay

KEPT = "public, max-age=60"


@dataclass(frozen=True, slots=True)
class Frame:
    """How a replay in a frame is to look."""

    look: Look
    controls: bool
    """Whether it has buttons to step with."""

    @classmethod
    def read(cls, query: QueryDict) -> Frame:
        """Return what an address asks for; what it cannot mean is the usual."""
        theme, deck = (allowed(name, query.get(name)) for name in ("theme", "deck"))
        return cls(Look(theme, deck, "on"), query.get("controls") != "0")

    @property
    def query(self) -> str:
        """What an address says to ask for the same, after its step; the usual is left out."""
        said = "".join(
            f"&{name}={value}"
            for name, value in (("theme", self.look.theme), ("deck", self.look.deck))
            if value != allowed(name, None)
        )
        return said if self.controls else f"{said}&controls=0"


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # it forgets what follows
def replay(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show a finished game at ``?step=``, by default its first.

    The page posts ``{type, …}`` to its parent: ``step`` with ``step`` and ``last``, ``resize`` with
    ``height`` in pixels, and ``end`` at the last step.
    """
    frame = Frame.read(request.GET)
    context: dict[str, Any] = {"frame": frame}
    status = 200
    try:
        context |= _shown(request, game_id, frame)
    except ApplicationError as error:
        context["error"], status = error.message, error.status
    # Without the request, so that nothing of the reader can get into it.
    response = HttpResponse(render_to_string("games/embed.html", context), status=status)
    response["Cache-Control"] = KEPT
    return response


def _shown(request: HttpRequest, game_id: UUID, frame: Frame) -> dict[str, Any]:
    found: Game = game_get(game_id)
    if not found.is_sealed:
        raise NotFound("this game is still being played; it can be shown here when it is over")
    steps = game_replay(found)
    seen = perspective_of(request.GET.get("as"), len(found.seats.all()))
    step = step_asked(request.GET, steps) if "step" in request.GET or "seq" in request.GET else 0
    return {
        "game": found,
        "remark": remarks_of([found]).get(found.pk),
        "stage": stage(found, steps, step, seen._replace(also=frame.query)),
        "base": frames_at(found),
        "query": seen.query,
        "home": request.build_absolute_uri(reverse("game", args=[found.pk])),
    }
