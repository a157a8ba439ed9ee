"""What the tabs of a tournament's page show."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.public import NotFound, games_forfeited, paged, rules_in_words, unusual_rules
from tournaments.formats.base import EntrantId
from tournaments.models import Phase, Tournament
from tournaments.pages.cross import CROSS_SIZE, MEASURES, cross_table, head_to_head
from tournaments.pages.entrants import best_and_worst, rating_shown
from tournaments.pages.progress import ProgressShown, format_words
from tournaments.pages.standings import StandingsShown, standings_shown
from tournaments.pages.statistics import GAMES_COUNTED, statistics
from tournaments.pages.tables import tables_as_shown
from tournaments.pages.told import RUN, told
from tournaments.selectors import log_of, round_notes, tables_of, tables_played
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import find_scheme

TABS = {
    "standings": "Standings",
    "rounds": "Rounds",
    "cross": "Cross-table",
    "games": "Games",
    "statistics": "Statistics",
    "rules": "Rules",
    "log": "Log",
}
LOG_SIZE = 20
"""Lines of a log on one page."""


def tab_context(
    request: HttpRequest, found: Tournament, progress: ProgressShown, tab: str
) -> dict[str, Any]:
    """Return what the templates of a tab need.

    :raises NotFound: naming what there is, when the address asks for something else.
    """
    if tab not in TABS:
        raise NotFound(f"there is no tab {tab!r}; tabs are {', '.join(TABS)}")
    return {
        "tournament": found,
        "tab": tab,
        "tab_name": TABS[tab],
        "progress": progress,
        "tab_template": f"tournaments/{tab}.html",
        **_CONTEXTS[tab](request, found, progress),
    }


def _standings(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    phases, phase = _phases(request, found, progress)
    phase.tournament = found
    rows = phase.standings.select_related("entrant__player")
    shown = paged(request, rows, deep=True)
    table: StandingsShown = standings_shown(phase, shown, phase.planned_rounds)
    return {
        "phases": phases,
        "phase": phase,
        "page": shown,
        "standings": table,
        "suffix": f"?phase={phase.number}" if phase != progress.phase else "",
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
    played = [table.game_id for table in shown if table.played]
    return {
        "phases": phases,
        "phase": phase,
        "round": round_,
        "begun": begun,
        "page": shown,
        "tables": tables_as_shown(shown, notes, games_forfeited(played)),
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
    count = tables_of(found).filter(played=True).count()
    rows = tables_played(found).prefetch_related("rotations")
    shown = paged(request, rows, deep=True, count=count)
    return {"page": shown, "tables": tables_as_shown(shown)}


def _log(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    return log_shown(request, found)


def log_shown(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    """Return a page of a log, of all its lines or of those that say what people did."""
    acts = "acts" in request.GET
    lines = log_of(found)
    shown = paged(request, lines.exclude(type__in=RUN) if acts else lines, LOG_SIZE)
    return {"page": shown, "lines": told(shown), "acts": acts}


def _cross(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    """Return a phase's cross-table, or how the entrant asked for came out against the others."""
    phases, phase = _phases(request, found, progress)
    phase.tournament = found
    measure = request.GET.get("by", next(iter(MEASURES)))
    if measure not in MEASURES:
        raise NotFound(f"there is no measure {measure!r}; measures are {', '.join(MEASURES)}")
    context = {"phases": phases, "phase": phase, "measure": measure, "measures": MEASURES}
    number = _number(request, "entrant", 0)
    if number:
        one = found.entrants.select_related("player").filter(number=number).first()
        if one is None:
            raise NotFound(f"there is no entrant {number} in this tournament")
        standing = phase.standings.filter(entrant=one).first()
        met, results = head_to_head(phase, one)
        best, worst = best_and_worst(results)
        return context | {
            "one": one,
            "standing": standing,
            "met": met,
            "results": results,
            "deals": [("Best", best), ("Worst", worst)],
            "rating": rating_shown(one, found.variant),
        }
    shown = paged(request, phase.standings.select_related("entrant__player"), CROSS_SIZE, deep=True)
    return context | {"page": shown, "rows": cross_table(phase, list(shown), measure)}


def _statistics(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    return {"statistics": statistics(found), "most": GAMES_COUNTED}


def _rules(request: HttpRequest, found: Tournament, progress: ProgressShown) -> dict[str, Any]:
    """Return every rule, and of each phase its format, points and tie-breaks."""
    unusual = {name for name, _ in unusual_rules(found.kind, found.rules)}
    return {
        "rules": [(name, value, name in unusual) for name, value in rules_in_words(found.rules)],
        "regulations": [
            (
                phase,
                format_words(phase),
                find_scheme(phase.scheme),
                find_tie_breaks(phase.tie_breaks),
            )
            for phase in found.phases.all()
        ],
    }


_CONTEXTS = {
    "standings": _standings,
    "rounds": _rounds,
    "cross": _cross,
    "games": _games,
    "statistics": _statistics,
    "rules": _rules,
    "log": _log,
}
