"""What a tournament was made as: told again as a file would, and changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from engine.policies import POLICIES
from engine.variants import find_variant
from games.public import Conflict, Player, games_open_to
from tournaments import log
from tournaments.models import Due, Entrant, Phase, Tournament
from tournaments.schedule import on_the_wall
from tournaments.services.organising import acting
from tournaments.services.rounds import settle
from tournaments.services.tournaments import (
    make_due,
    make_phases,
    settings_of,
    start_at,
    take_settings,
)
from tournaments.spec import Spec, parse_spec

FIXED = ("variant", "rules", "phases", "late_entry")
"""What cannot be changed once a tournament has started."""


def described(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament without its entrants, as a file would say it."""
    schedule = tournament.schedule
    entry: dict[str, Any] = {"open": tournament.entry_open}
    for key, moment in (
        ("opens", tournament.entry_opens_at),
        ("closes", tournament.entry_closes_at),
    ):
        if moment:
            entry[key] = on_the_wall(moment, schedule.zone)
    times: dict[str, Any] = {"zone": schedule.zone, "rounds": str(schedule.pace)}
    if schedule.times:
        times["times"] = [on_the_wall(time, schedule.zone) for time in schedule.times]
    elif schedule.start:
        times["start"] = on_the_wall(schedule.start, schedule.zone)
    return {
        "name": tournament.name,
        "variant": tournament.variant,
        "rules": dict(tournament.rules),
        "access": tournament.access,
        "late_entry": tournament.late_entry,
        "phases": [_phase(phase) for phase in tournament.phases.all()],
        "entry": entry | {"least": tournament.least, "most": tournament.most},
        "schedule": times | {"minutes": schedule.minutes, "no_show": schedule.no_show},
    }


def _phase(phase: Phase) -> dict[str, Any]:
    return {
        "format": phase.format,
        **phase.options,
        "top": phase.top,
        "scheme": phase.scheme,
        "tie_breaks": list(phase.tie_breaks),
        "byes": dict(phase.bye_points),
        "duplicate": phase.duplicate,
        "rotate": phase.rotate,
    }


def as_template(tournament: Tournament) -> dict[str, Any]:
    """Return what a new tournament takes over from one: all but its name's past and its times."""
    data = described(tournament)
    entry, schedule = data["entry"], data["schedule"]
    for key in ("opens", "closes"):
        entry.pop(key, None)
    for key in ("start", "times"):
        schedule.pop(key, None)
    if schedule["rounds"] == "calendar":
        schedule["rounds"] = "hand"
    bots: dict[str, int] = {}
    for policy in tournament.entrants.values_list("player__policy", flat=True):
        if policy:
            bots[policy] = bots.get(policy, 0) + 1
    data["entrants"] = [{"bot": bot, "count": count} for bot, count in bots.items()]
    return data


def _check_entrants(tournament: Tournament, spec: Spec) -> None:
    """Refuse a game or a format that those who have entered cannot play.

    :raises Conflict: naming the first of them, and why.
    """
    policies = {policy.name for policy in POLICIES[spec.variant]}
    rotate = any(phase.rotate for phase in spec.phases)
    boards = any(phase.duplicate for phase in spec.phases)
    owners: dict[int, Player] = {}
    field = tournament.entrants.filter(status=Entrant.Status.PLAYING)
    for player in (entrant.player for entrant in field.select_related("player")):
        same = owners.get(player.owner_id) if player.owner_id else None
        if player.policy and player.policy not in policies:
            why = f"does not play {find_variant(spec.variant).name}"
        elif rotate and not player.policy:
            why = "is no built-in bot, and would remember boards that are rotated"
        elif boards and same:
            why = f"has the same owner as {same}; with duplicate boards an owner has one entrant"
        else:
            if player.owner_id:
                owners[player.owner_id] = player
            continue
        raise Conflict(f"{player} has entered and {why}; withdraw {player} first, or change less")


@transaction.atomic
def tournament_change(
    *, tournament_id: UUID, changes: Mapping[str, Any], by: Player | None = None
) -> Tournament:
    """Change what a tournament is; what the changes do not name stays as it is.

    :param changes: as in a tournament file, without entrants.
    :raises BadInput: as :func:`tournaments.spec.parse_spec`.
    :raises Conflict: for the game or the format of one that has started, or that somebody who has
        entered cannot play, or when it is over.
    """
    tournament = acting(tournament_id)
    before = described(tournament)
    data = before | dict(changes)
    data.pop("entrants", None)
    for key in ("entry", "schedule"):
        if isinstance(data[key], Mapping):
            data[key] = {k: v for k, v in data[key].items() if v is not None}
    spec, old = parse_spec(data), parse_spec(before)
    anew = [key for key in FIXED if getattr(spec, key) != getattr(old, key)]
    if anew and tournament.status != Tournament.Status.OPEN:
        raise Conflict(
            f"{tournament} has started, so its {' and '.join(anew)} cannot be changed any more"
        )
    if anew:
        _check_entrants(tournament, spec)
    was, access = settings_of(tournament), tournament.access
    take_settings(tournament, spec)
    now = settings_of(tournament)
    said: dict[str, Any] = {key: now[key] for key in now if now[key] != was[key]}
    if spec.name != before["name"]:
        said["name"] = spec.name
    if anew:
        tournament.phases.all().delete()
        said["phases"] = make_phases(tournament, spec)
        said |= {"variant": spec.variant, "rules": dict(spec.rules), "late_entry": spec.late_entry}
    if not said:
        return tournament
    log.write(tournament, ("changed", said), by=by)
    if tournament.access != access:
        games_open_to(circle=tournament.pk, access=tournament.access)
        make_due(tournament, Due.Kind.RATINGS, tournament.seq)
    start_at(tournament)
    if tournament.status == Tournament.Status.RUNNING and "schedule" in said:
        tournament.due.filter(kind=Due.Kind.ROUND).delete()
        settle(tournament)
    return tournament
