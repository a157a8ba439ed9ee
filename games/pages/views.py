"""Views of the games app: replays, their fragments, records, and the reader's look."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from engine.replay import Replay
from games.errors import NotFound
from games.models import Game
from games.pages.look import CHOICES, MAX_AGE_S, allowed
from games.pages.moves import deal_shown
from games.pages.rows import game_row, game_rows
from games.pages.stage import Better, drawing_version, frames_at, stage
from games.pages.verdicts import GameVerdicts, verdicts_of
from games.pages.web import IMMUTABLE, PRIVATE, Crumb, page, paged, unusual_rules
from games.selectors import better_play, game_get, game_record, game_replay, games_list
from games.signals import game_crumbs


@require_safe
@page
def games(request: HttpRequest) -> HttpResponse:
    """List the games that anybody may look at."""
    shown = paged(request, games_list())
    context = {"section": "games", "page": shown, "rows": game_rows(shown)}
    return render(request, "games/list.html", context)


@require_safe
@page
def game(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show a game at ``?step=`` or ``?seq=``; without them where it stands."""
    found = game_get(game_id)
    replay = game_replay(found)
    step = _step(request, replay)
    verdicts = verdicts_of(found, replay)
    better = _better(found, verdicts, step) if request.GET.get("show") == "best" else None
    shown = stage(found, replay, step, better)
    context = {
        "section": "games",
        "game": found,
        "row": game_row(found),
        "stage": shown,
        "deal": deal_shown(found, replay, shown.deal, verdicts),
        "verdicts": verdicts,
        "verdict": verdicts.by_step.get(step),
        "next": verdicts.next_mistake(step),
        "base": frames_at(found),
        "crumbs": _crumbs(found),
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
    found = game_get(game_id)
    replay = game_replay(found)
    if step >= len(replay.steps):
        raise _no_step(step, replay)
    verdicts = verdicts_of(found, replay)
    context = {
        "game": found,
        "stage": stage(found, replay, step, _better(found, verdicts, step) if show else None),
        "verdicts": verdicts,
        "verdict": verdicts.by_step.get(step),
        "next": verdicts.next_mistake(step),
        "fragment": True,
    }
    return _fragment("games/frame.html", context, found, version)


@require_safe
@page
def deal(request: HttpRequest, game_id: UUID, deal: int, version: str = "") -> HttpResponse:
    """Answer with the move grid and the chart of a deal."""
    found = game_get(game_id)
    replay = game_replay(found)
    if not 1 <= deal <= len(replay.deals):
        raise NotFound(f"there is no deal {deal}; deals are 1 to {len(replay.deals)}")
    verdicts = verdicts_of(found, replay)
    shown = deal_shown(found, replay, deal, verdicts)
    context = {
        "stage": stage(found, replay, shown.first),
        "deal": shown,
        "verdicts": verdicts,
        "fragment": True,
    }
    return _fragment("games/deal.html", context, found, version)


@require_safe
@page
def analysis(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Answer a page that waits for a game's analysis: how far it is, or to load itself anew."""
    found = game_get(game_id)
    if found.analysed:
        return HttpResponseClientRefresh()
    context = {"game": found, "verdicts": verdicts_of(found, game_replay(found))}
    return render(request, "games/verdict.html", context)


@require_safe
@page
def record(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Hand out a sealed game's record for ``meldboard verify``."""
    found = game_get(game_id)
    headers = {
        "Cache-Control": IMMUTABLE,
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


def _fragment(template: str, context: dict[str, object], game: Game, version: str) -> HttpResponse:
    """Answer with a fragment; one of an analysed game may be kept for ever under its version."""
    kept = game.analysed and version == drawing_version() and not settings.DEBUG
    headers = {"Cache-Control": IMMUTABLE if kept else PRIVATE}
    return HttpResponse(render_to_string(template, context), headers=headers)


def _better(game: Game, verdicts: GameVerdicts, step: int) -> Better:
    """Return what would have been better than what was played at a step.

    :raises NotFound: when there is none.
    """
    verdict = verdicts.by_step.get(step)
    if verdict is None or not verdict.missed:
        raise NotFound(f"at step {step} no better play is known")
    return Better(verdict.seq, better_play(game, verdict.seq))


def _step(request: HttpRequest, replay: Replay) -> int:
    """Return the step that an address names.

    :raises NotFound: naming the steps, or the events, that there are.
    """
    asked = request.GET.get("step")
    if asked is not None:
        if asked.isdecimal() and asked.isascii() and int(asked[:9]) < len(replay.steps):
            return int(asked[:9])
        raise _no_step(asked, replay)
    seq = request.GET.get("seq")
    if seq is None:
        return len(replay.steps) - 1
    if seq.isdecimal() and seq.isascii() and 1 <= int(seq[:9]) <= len(replay.events):
        return replay.step_of(int(seq[:9]))
    raise NotFound(f"there is no event {seq}; events are 1 to {len(replay.events)}")


def _no_step(asked: object, replay: Replay) -> NotFound:
    return NotFound(f"there is no step {asked}; steps are 0 to {len(replay.steps) - 1}")


def _crumbs(game: Game) -> list[Crumb]:
    """Return what leads to a game: the tournament that it belongs to, if there is one."""
    answers: list[tuple[Any, Any]] = game_crumbs.send(Game, game=game)
    return next((crumbs for _, crumbs in answers if crumbs), [])
