"""Views of the tournaments app: home, tournaments, players."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine.policies import POLICIES
from engine.variants import VARIANTS
from games.public import (
    PAGE_SIZE,
    STOP_POLLING,
    NotFound,
    Player,
    game_rows,
    games_finished,
    games_list,
    page,
    paged,
    player_get,
    player_record,
    unusual_rules,
)
from tournaments.access import seen
from tournaments.formats.base import EntrantId
from tournaments.leaderboards import leaders, ratings_of
from tournaments.models import Phase, Tournament
from tournaments.pages.progress import (
    ProgressShown,
    current_phase,
    format_words,
    games_planned,
    progress_shown,
)
from tournaments.pages.standings import StandingsShown, standings_shown
from tournaments.pages.tables import tables_as_shown
from tournaments.pages.told import told
from tournaments.selectors import (
    cards_of,
    entries_of,
    game_numbered,
    log_of,
    round_notes,
    tables_of,
    tables_played,
    tables_running,
    tournament_cards,
)
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import find_scheme

TABS = {"standings": "Standings", "rounds": "Rounds", "games": "Games", "log": "Log"}
STATES = {"running": "Running", "open": "Next", "ended": "Finished"}
STANDINGS_SIZE = 40
"""Rows of standings on one page."""
LOG_SIZE = 20
"""Lines of a log on one page."""
HOME_ROWS = 5
SIDE_ROWS = 6
"""Tables and results shown beside a tournament."""


@require_safe
@page
def home(request: HttpRequest) -> HttpResponse:
    """Show what is going on."""
    variant = VARIANTS[0]
    context = {
        "tournaments": [(t, games_planned(t)) for t in tournament_cards()[:HOME_ROWS]],
        "rows": game_rows(games_finished()[:HOME_ROWS]),
        "variant": variant,
        "leaders": leaders(variant.key, HOME_ROWS),
    }
    return render(request, "tournaments/home.html", context)


@require_safe
@page
def tournaments(request: HttpRequest) -> HttpResponse:
    """List the tournaments of one state; without one, all of them."""
    state = request.GET.get("state", "")
    if state and state not in STATES:
        known = ", ".join(STATES)
        raise NotFound(f"there are no tournaments in state {state!r}; states are {known}")
    shown = paged(request, tournament_cards(state or None))
    context = {
        "section": "tournaments",
        "page": shown,
        "rows": [(each, games_planned(each)) for each in shown],
        "state": state,
        "states": STATES,
    }
    return render(request, "tournaments/list.html", context)


@require_safe
@page
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a tournament: its progress and one of its tabs."""
    found = _tournament(request, slug)
    tab = request.GET.get("tab", "standings")
    if tab not in TABS:
        raise NotFound(f"there is no tab {tab!r}; tabs are {', '.join(TABS)}")
    progress = progress_shown(found)
    context = {
        "section": "tournaments",
        "tournament": found,
        "progress": progress,
        "formats": [format_words(phase) for phase in found.phases.all()],
        "tab": tab,
        "tabs": _tabs(found, progress),
        **_side(found, progress.phase),
        **_TAB_CONTEXTS[tab](request, found, progress),
    }
    return render(request, "tournaments/page.html", context)


@require_safe
@page
def progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with how far a tournament is; ``?seen=`` is how many games the page knows of."""
    found = _tournament(request, slug)
    shown = progress_shown(found)
    context = {"tournament": found, "progress": shown, "fragment": True}
    response = HttpResponse(
        render_to_string("tournaments/progress.html", context),
        status=STOP_POLLING if shown.done else 200,
    )
    if shown.done or request.GET.get("seen") != str(shown.played):
        response["HX-Trigger"] = "results"
    return response


@require_safe
@page
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with a page of a tournament's standings."""
    found = _tournament(request, slug)
    context = {"tournament": found, **_standings(request, found, progress_shown(found))}
    return HttpResponse(render_to_string("tournaments/standings.html", context, request))


@require_safe
@page
def side(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with what stands beside a tournament: games being played, results, fair play."""
    found = _tournament(request, slug)
    context = {"tournament": found, **_side(found, current_phase(list(found.phases.all())))}
    return HttpResponse(render_to_string("tournaments/side.html", context))


@require_safe
@page
def numbered_game(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Lead to a game by its number in the tournament, an address that place sheets afford."""
    game = game_numbered(_tournament(request, slug), number)
    return HttpResponseRedirect(reverse("game", args=[game]))


@require_safe
@page
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """Show a player: ratings, record, games, tournaments."""
    found = player_get(player_id)
    shown = paged(request, games_list(player=found))
    places = player_record(found)
    played = sum(places.values())
    context = {
        "player": found,
        "policy": _policy(found),
        "ratings": ratings_of(found),
        "places": places,
        "played": played,
        "won": places.get(1, 0),
        "page": shown,
        "rows": [(row, row.place_of(found)) for row in game_rows(shown)],
        "entries": entries_of(found)[:PAGE_SIZE],
    }
    return render(request, "tournaments/player.html", context)


def _tournament(request: HttpRequest, slug: str) -> Tournament:
    return seen(cards_of(Tournament.objects.all()), slug, request)


def _tabs(found: Tournament, progress: ProgressShown) -> list[tuple[str, str, int | None]]:
    counts = {"rounds": progress.rounds, "games": progress.played, "log": found.seq}
    return [(key, name, counts.get(key)) for key, name in TABS.items()]


def _side(found: Tournament, phase: Phase) -> dict[str, Any]:
    """Return what is shown beside every tab."""
    return {
        "running": tables_as_shown(tables_running(found)[:SIDE_ROWS]),
        "latest": tables_as_shown(tables_played(found)[:SIDE_ROWS]),
        "rules": unusual_rules(found.kind, found.rules),
        "scheme": find_scheme(phase.scheme),
        "tie_breaks": find_tie_breaks(phase.tie_breaks),
        "seed": bytes(found.seed).hex() if found.status == Tournament.Status.ENDED else None,
    }


def _standings(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    phases, phase = _phases(request, found, progress)
    phase.tournament = found
    rows = phase.standings.select_related("entrant__player")
    shown = paged(request, rows, STANDINGS_SIZE)
    table: StandingsShown = standings_shown(phase, shown, phase.planned_rounds)
    return {
        "phases": phases,
        "phase": phase,
        "page": shown,
        "standings": table,
        "scheme": find_scheme(phase.scheme),
        "tie_breaks": find_tie_breaks(phase.tie_breaks),
    }


def _phases(
    request: HttpRequest, found: Tournament, progress: ProgressShown
) -> tuple[list[Phase], Phase]:
    """Return all phases and the one asked for, else the current one."""
    phases = list(found.phases.all())
    asked = _number(request, "phase", progress.phase.number)
    phase = next((each for each in phases if each.number == asked), None)
    if phase is None:
        raise NotFound(f"there is no such phase; phases are 1 to {len(phases)}")
    return phases, phase


def _rounds(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    """Return one round: the one asked for, else the current one."""
    phases, phase = _phases(request, found, progress)
    begun = list(phase.rounds.all())
    if not begun:
        return {"phases": phases, "phase": phase, "round": None, "page": None}
    asked = _number(request, "round", begun[-1].number)
    round_ = next((each for each in begun if each.number == asked), None)
    if round_ is None:
        raise NotFound(f"there is no round {asked} yet; rounds are 1 to {begun[-1].number}")
    rows = tables_of(found).filter(round=round_)
    shown = paged(request, rows.prefetch_related("rotations") if phase.rotate else rows)
    named = {entrant for note in round_.notes for entrant in note["entrants"]}
    entrants = found.entrants.filter(pk__in=named).select_related("player")
    names: dict[EntrantId, str] = {entrant.pk: entrant.player.name for entrant in entrants}
    notes = round_notes(round_, names)
    return {
        "phases": phases,
        "phase": phase,
        "round": round_,
        "begun": begun,
        "page": shown,
        "tables": tables_as_shown(shown, notes),
        "notes": notes.get(None, []),
        "byes": round_.byes.select_related("entrant__player"),
    }


def _number(request: HttpRequest, name: str, default: int) -> int:
    """Return a number of the address.

    :raises NotFound: when it is none.
    """
    given = request.GET.get(name)
    if given is None:
        return default
    if not (given.isascii() and given.isdecimal() and len(given) < 6):
        raise NotFound(f"there is no {name} {given!r}; it must be a number")
    return int(given)


def _games(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    shown = paged(request, tables_played(found))
    return {"page": shown, "tables": tables_as_shown(shown)}


def _log(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    shown = paged(request, log_of(found), LOG_SIZE)
    return {"page": shown, "lines": told(shown)}


_TAB_CONTEXTS = {"standings": _standings, "rounds": _rounds, "games": _games, "log": _log}


def _policy(found: Player) -> str:
    """Return what a built-in bot does, in its policy's words."""
    policies = (policy for group in POLICIES.values() for policy in group)
    return next((policy.summary for policy in policies if policy.name == found.policy), "")
