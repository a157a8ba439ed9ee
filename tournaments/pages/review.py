"""What a draft says, in words, and what it will take."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from engine.variants import find_variant
from games.public import unusual_rules
from tournaments.estimates import ahead, fields_of, game_time, lasting
from tournaments.models import Entrant, Tournament
from tournaments.pages.progress import format_words
from tournaments.pages.steps import ACCESS_WORDS
from tournaments.schedule import PACE_WORDS, Pace, in_words
from tournaments.spec import PhaseSpec, Spec
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import find_scheme

ATTRIBUTES = {
    "game": ("name", "variant"),
    "rules": ("rules",),
    "players": ("access", "entrants"),
    "format": ("phases", "late_entry"),
    "schedule": ("schedule",),
}
"""What of a spec each step says, beside the entries, of which two say a part."""


@dataclass(frozen=True, slots=True)
class Section:
    """What one step says."""

    key: str
    title: str
    rows: list[tuple[str, str]]
    changed: bool
    """Whether it is not what the tournament is at present."""
    changeable: bool


def sections(spec: Spec, before: Spec | None, changeable: Collection[str]) -> list[Section]:
    """Return all that a spec says, step by step.

    :param before: what the tournament is at present, where one is to be changed.
    :param changeable: steps that can still be changed.
    """
    told = {
        "game": _game(spec),
        "rules": _rules(spec),
        "players": _players(spec, before is not None),
        "format": _format(spec),
        "schedule": _schedule(spec),
    }
    titles = {"players": "Players", "format": "Format", "schedule": "Schedule"}
    found = []
    for key, rows in told.items():
        changed = before is not None and (
            any(getattr(spec, name) != getattr(before, name) for name in ATTRIBUTES[key])
            or _entry_of(key, spec) != _entry_of(key, before)
        )
        title = titles.get(key, key.capitalize())
        found.append(Section(key, title, rows, changed, key in changeable))
    return found


def _entry_of(key: str, spec: Spec) -> Any:
    entry = spec.entry
    if key == "players":
        return entry.open, entry.least, entry.most
    return (entry.opens, entry.closes) if key == "schedule" else None


def _game(spec: Spec) -> list[tuple[str, str]]:
    return [("Name", spec.name), ("Game", find_variant(spec.variant).name)]


def _rules(spec: Spec) -> list[tuple[str, str]]:
    unusual = unusual_rules(find_variant(spec.variant), spec.rules)
    rows = [(name.capitalize(), str(value)) for name, value in unusual]
    return [*rows, ("All others" if rows else "All", "as usual")]


def _players(spec: Spec, changing: bool) -> list[tuple[str, str]]:
    entry = spec.entry
    bots = ", ".join(f"{bot.count} {bot.bot}" for bot in spec.entrants) or "none"
    rows = [] if changing else [("Bots", bots)]
    who = "anybody who is signed in" if entry.open else "by you or your invitation only"
    rows += [("People enter", who), ("Seen by", ACCESS_WORDS[spec.access].partition(":")[0])]
    if entry.least or entry.most:
        rows.append(("Entrants", f"{entry.least or 'any number'} to {entry.most or 'any number'}"))
    return rows


def _format(spec: Spec) -> list[tuple[str, str]]:
    rows = []
    for number, phase in enumerate(spec.phases, 1):
        of = f"Phase {number}" if len(spec.phases) > 1 else "Format"
        rows.append((of, _phase(phase)))
        rows.append(("Points", find_scheme(phase.scheme).name))
        ties = ", ".join(tie.name.lower() for tie in find_tie_breaks(phase.tie_breaks))
        rows.append(("Ties are broken by", ties or "nothing"))
    if spec.late_entry:
        rows.append(("Late entry", f"until round {spec.late_entry}"))
    return rows


def _phase(phase: PhaseSpec) -> str:
    words = format_words(phase).capitalize()
    return f"{words}, for the best {phase.top}" if phase.top else words


def _schedule(spec: Spec) -> list[tuple[str, str]]:
    schedule, entry = spec.schedule, spec.entry
    start = in_words(schedule.start, schedule.zone) if schedule.start else "when you start it"
    rounds = PACE_WORDS[schedule.pace]
    if schedule.pace == Pace.INTERVAL:
        rounds = f"start {schedule.minutes} minutes after the last one is over"
    rows = [("Start", start), ("Rounds", rounds)]
    rows += [
        (f"Round {number}", in_words(time, schedule.zone))
        for number, time in enumerate(schedule.times[1:], 2)
    ]
    for name, moment in (("Entries open", entry.opens), ("Entries close", entry.closes)):
        if moment:
            rows.append((name, in_words(moment, schedule.zone)))
    if schedule.no_show:
        rows.append(("No-show", f"a forfeit after {schedule.no_show} minutes"))
    return rows


def foreseen(spec: Spec, tournament: Tournament | None) -> dict[str, Any]:
    """Return what a tournament will take, for each number of entrants that may be expected.

    :param tournament: the one to be changed: those who are in it count.
    """
    each = game_time(spec)
    sizes = fields_of(spec)
    if tournament is not None:
        there = tournament.entrants.filter(status=Entrant.Status.PLAYING).count()
        sizes = sorted({there, *sizes} - {0})
    found = []
    for size in sizes:
        whole = ahead(spec, size, each)
        found.append((whole, lasting(whole.lasts), [(p, lasting(p.lasts)) for p in whole.phases]))
    return {"foreseen": found, "game_time": each, "by_hand": spec.schedule.pace == Pace.HAND}
