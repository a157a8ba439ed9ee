"""Views of the games app: replays, their fragments, records, and the reader's look."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.template.loader import get_template, render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from engine.replay import Replay
from games.errors import NotFound
from games.models import Access, Game
from games.pages.live import stream as event_stream
from games.pages.look import CHOICES, MAX_AGE_S, allowed, look_of
from games.pages.moves import deal_shown
from games.pages.perspective import Perspective, after, choices, perspective_of
from games.pages.picture import picture
from games.pages.rows import game_row
from games.pages.stage import Better, frames_at, no_step, stage, step_asked
from games.pages.verdicts import GameVerdicts, verdicts_of
from games.pages.web import (
    IMMUTABLE,
    PRIVATE,
    Crumb,
    drawing_version,
    page,
    unusual_rules,
)
from games.pages.words import caption_text
from games.remarks import remarks_of
from games.selectors import (
    better_play,
    game_get,
    game_record,
    game_replay,
    game_version,
)
from games.signals import game_crumbs


@require_safe
@page
def game(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show a game at ``?step=`` or ``?seq=``; without them where it stands."""
    found = game_get(game_id, request)
    replay = game_replay(found)
    seen = _perspective(request, found)
    step = step_asked(request.GET, replay)
    show = request.GET.get("show", "")
    verdicts = verdicts_of(found, replay, seen)
    context = _step_context(found, replay, step, seen, verdicts, show)
    shown = context["stage"]
    context |= {
        "section": "games",
        "row": game_row(found),
        "deal": deal_shown(found, replay, shown.deal, verdicts, is_open=seen.is_open),
        "base": frames_at(found),
        "crumbs": _crumbs(found),
        "embed": _embed(request, found),
        "rules": unusual_rules(found.kind, found.rules),
        "commitment": replay.events[0].commitment,  # type: ignore[attr-defined]
        "seed": replay.states[-1].seed,
    }
    return render(request, "games/replay.html", context)


@require_safe
@page
def frame(
    request: HttpRequest, game_id: UUID, step: int, version: str = "", show: str = ""
) -> HttpResponse:
    """Answer with what changes on a replay's page when it goes to a step.

    :param show: ``best`` for what would have been better than what was played.
    """
    found = game_get(game_id, request)
    replay = game_replay(found)
    seen = _perspective(request, found)
    if step >= len(replay.steps):
        raise no_step(step, replay)
    context = _step_context(found, replay, step, seen, verdicts_of(found, replay, seen), show)
    drawn = render_to_string("games/frame.html", context)
    return _kept(HttpResponse(drawn), found, version)


@require_safe
@page
def table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Hand out the table at ``?step=`` as an SVG file, in the colours of the reader's deck."""
    found = game_get(game_id, request)
    replay = game_replay(found)
    seen = _perspective(request, found)
    step = step_asked(request.GET, replay)
    verdicts = verdicts_of(found, replay, seen)
    shown = _step_context(found, replay, step, seen, verdicts, request.GET.get("show", ""))["stage"]
    name = f'inline; filename="game-{found.pk}-{step}.svg"'
    return HttpResponse(
        picture(shown, look_of(request.COOKIES).deck),
        content_type="image/svg+xml",
        headers={"Content-Disposition": name},
    )


@require_safe
@page
def film(request: HttpRequest, game_id: UUID, deal: int, version: str = "") -> HttpResponse:
    """Answer with the frames of all steps of a deal, as a JSON object by step."""
    found = game_get(game_id, request)
    replay = game_replay(found)
    seen = _perspective(request, found)
    verdicts = verdicts_of(found, replay, seen)
    draw = get_template("games/frame.html").render
    frames = {
        step: draw(_step_context(found, replay, step, seen, verdicts))
        for step in _deal_steps(replay, deal)
    }
    return _kept(JsonResponse(frames), found, version)


@require_safe
@page
def deal(request: HttpRequest, game_id: UUID, deal: int, version: str = "") -> HttpResponse:
    """Answer with the move grid and the chart of a deal."""
    found = game_get(game_id, request)
    replay = game_replay(found)
    seen = _perspective(request, found)
    first = _deal_steps(replay, deal)[0]
    verdicts = verdicts_of(found, replay, seen)
    context = {
        "stage": stage(found, replay, first, seen),
        "deal": deal_shown(found, replay, deal, verdicts, is_open=seen.is_open),
        "verdicts": verdicts,
    }
    return _kept(HttpResponse(render_to_string("games/deal.html", context)), found, version)


@require_safe
@page
def stream(request: HttpRequest, game_id: UUID) -> HttpResponseBase:
    """Tell a page that a game has grown, as it grows."""
    game_get(game_id, request)
    return event_stream(request, "progress", partial(game_version, game_id))


@require_safe
@page
def narration(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Tell a game turn by turn as plain text."""
    found = game_get(game_id, request)
    replay = game_replay(found)
    names = [seat.player.name for seat in found.seats.all()]
    lines = [f"{found.kind.name}: {', '.join(names)}", ""]
    for number, steps in enumerate(replay.deals, 1):
        lines.append(f"Deal {number}")
        for step in steps:
            told = " ".join(caption_text(caption, names) for caption in replay.narration(step))
            lines.append(f"{step:4}  {told}")
        lines.append("")
    lines += [remark.text for remark in remarks_of([found]).values()]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@page
def analysis(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Answer a page that waits for a game's analysis: how far it is, or to load itself anew."""
    found = game_get(game_id, request)
    if found.analysed:
        return HttpResponseClientRefresh()
    seen = _perspective(request, found)
    context = {"game": found, "verdicts": verdicts_of(found, game_replay(found), seen)}
    return render(request, "games/verdict.html", context)


@require_safe
@page
def record(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Hand out a sealed game's record for ``meldboard verify``."""
    found = game_get(game_id, request)
    headers = {
        "Cache-Control": PRIVATE if found.access == Access.PRIVATE else IMMUTABLE,
        "Content-Disposition": f'attachment; filename="game-{found.pk}.jsonl"',
    }
    return HttpResponse(game_record(found), content_type="application/x-ndjson", headers=headers)


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Keep the theme or the deck that a reader chose, and go back to the page."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    for name in CHOICES:
        if name in request.POST:
            response.set_cookie(
                name,
                allowed(name, request.POST[name]),
                max_age=MAX_AGE_S,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite="Lax",
            )
    return response


def _step_context(
    game: Game,
    replay: Replay,
    step: int,
    seen: Perspective,
    verdicts: GameVerdicts,
    show: str = "",
) -> dict[str, Any]:
    """Return what the templates of a step need."""
    better = _better(game, verdicts, step) if show == "best" else None
    names = [seat.player.name for seat in game.seats.all()]
    return {
        "game": game,
        "stage": stage(game, replay, step, seen, better),
        "views": choices(names) if game.is_sealed else [],
        "view_after": after(seen, len(names)),
        "verdicts": verdicts,
        "verdict": verdicts.by_step.get(step),
        "next": verdicts.next_mistake(step),
        "previous": verdicts.previous_mistake(step),
    }


def _perspective(request: HttpRequest, game: Game) -> Perspective:
    return perspective_of(request.GET.get("as"), len(game.seats.all()))


def _deal_steps(replay: Replay, deal: int) -> range:
    """Return the steps of a deal.

    :raises NotFound: naming the deals there are.
    """
    if not 1 <= deal <= len(replay.deals):
        raise NotFound(f"there is no deal {deal}; deals are 1 to {len(replay.deals)}")
    return replay.deals[deal - 1]


def _kept(response: HttpResponse, game: Game, version: str) -> HttpResponse:
    """Say how long a fragment may be kept: of an analysed game for ever, under its version."""
    kept = (
        game.analysed
        and version == drawing_version()
        and game.access != Access.PRIVATE
        and not settings.DEBUG
    )
    response["Cache-Control"] = IMMUTABLE if kept else PRIVATE
    return response


def _better(game: Game, verdicts: GameVerdicts, step: int) -> Better:
    """Return what would have been better than what was played at a step.

    :raises NotFound: when there is none.
    """
    verdict = verdicts.by_step.get(step)
    if verdict is None or not verdict.missed:
        raise NotFound(f"at step {step} no better play is known")
    return Better(verdict.seq, better_play(game, verdict.seq))


def _embed(request: HttpRequest, game: Game) -> str:
    """Return the address of a game's frame for other sites, empty if there is none."""
    if not game.is_sealed or game.access == Access.PRIVATE:
        return ""
    return request.build_absolute_uri(reverse("embed-game", args=[game.pk]))


def _crumbs(game: Game) -> list[Crumb]:
    """Return what leads to a game: the tournament that it belongs to, if there is one."""
    answers: list[tuple[Any, Any]] = game_crumbs.send(Game, game=game)
    return next((crumbs for _, crumbs in answers if crumbs), [])
