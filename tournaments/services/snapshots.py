"""Snapshots: what was published on a day, kept for good so that it can be cited."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from engine.variants import VARIANTS
from games.public import Conflict, Player, heads_since
from tournaments import log
from tournaments.exports import Sheet, board_sheet, standings_sheet
from tournaments.leaderboards import Board, Wanted
from tournaments.models import Snapshot, Tournament
from tournaments.selectors import standings_of
from tournaments.services.tournaments import locked

LOOK_BACK = timedelta(hours=1)
"""How long before a list of heads was made a game may have been sealed that is not in it."""


def snapshots_take() -> list[Snapshot]:
    """Take every snapshot that would say something new, and return those."""
    taken = [leaderboard_snapshot(variant=variant.key) for variant in VARIANTS]
    settled = Q(status=Tournament.Status.ENDED, snapshots__taken_at__gte=F("ended_at"))
    for tournament in Tournament.objects.exclude(settled).order_by("pk"):
        taken.append(standings_snapshot(tournament=tournament))
    taken.append(heads_snapshot())
    return [snapshot for snapshot in taken if snapshot is not None]


@transaction.atomic
def standings_publish(*, tournament_id: UUID, by: Player | None = None) -> list[Snapshot]:
    """Take a snapshot of a tournament's standings now, and of the leaderboard if it counts there.

    :raises Conflict: when nothing is played yet, or all is as in the last snapshots.
    """
    tournament = locked(tournament_id)
    if not any(row.played for row in standings_of(tournament)[1]):
        raise Conflict(f"no game of {tournament} is played yet; there are no standings to publish")
    taken = [standings_snapshot(tournament=tournament)]
    if tournament.is_rated:
        taken.append(leaderboard_snapshot(variant=tournament.variant))
    new = [snapshot for snapshot in taken if snapshot is not None]
    if not new:
        last = tournament.snapshots.first()
        raise Conflict(f"nothing has changed since the snapshot {last.label if last else ''}")
    kept = [{"kind": each.kind, "label": each.label, "sha256": each.sha256} for each in new]
    log.write(tournament, ("published", {"snapshots": kept}), by=by)
    return new


def leaderboard_snapshot(*, variant: str) -> Snapshot | None:
    """Take a snapshot of a game kind's leaderboard, unless it is as in the last one."""
    sheet = board_sheet(Board(Wanted(variant)))
    if not sheet.rows:
        return None
    return _take(_body(sheet), "rows", kind=Snapshot.Kind.LEADERBOARD, variant=variant)


def standings_snapshot(*, tournament: Tournament) -> Snapshot | None:
    """Take a snapshot of a tournament's standings, unless they are as in the last one."""
    phase, rows = standings_of(tournament)
    if not any(row.played for row in rows):
        return None
    sheet = standings_sheet(tournament, phase, rows)
    return _take(_body(sheet), "rows", kind=Snapshot.Kind.STANDINGS, tournament=tournament)


def heads_snapshot() -> Snapshot | None:
    """List the heads of the games sealed since the last list, which it names by its digest.

    So nobody can make a game anew together with its chain and all lists after it, once one of
    those lists is in somebody else's hands.
    """
    before = Snapshot.objects.filter(kind=Snapshot.Kind.HEADS).first()
    listed = {game for game, _ in json.loads(before.body)["heads"]} if before else set()
    sealed = heads_since(before.taken_at - LOOK_BACK if before else None)
    new = [[str(game), head] for game, head in sealed if str(game) not in listed]
    if not new:
        return None
    body = {"before": before.sha256 if before else None, "heads": new}
    return _take(body, "heads", kind=Snapshot.Kind.HEADS)


def _body(sheet: Sheet) -> dict[str, Any]:
    """Return what is kept of a sheet: players by their ids alone."""
    columns = [column for column in sheet.columns if column != "name"]
    rows = [{column: row[column] for column in columns} for row in sheet.rows]
    return {**sheet.facts, "columns": columns, "exact": sorted(sheet.exact), "rows": rows}


@transaction.atomic
def _take(body: Mapping[str, Any], what: str, **of: Any) -> Snapshot | None:
    """Store a snapshot, unless ``what`` of its body is what the last one says."""
    with connection.cursor() as cursor:  # one at a time
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('snapshots'))")
    earlier = Snapshot.objects.filter(**of)
    last = earlier.first()
    if last is not None and json.loads(last.body)[what] == json.loads(json.dumps(body[what])):
        return None
    now = timezone.now()
    same_day = earlier.filter(taken_at__date=now.date()).count()
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return Snapshot.objects.create(
        **of,
        label=f"{now:%Y-%m-%d}" + (f"-{same_day + 1}" if same_day else ""),
        taken_at=now,
        body=text,
        sha256=sha256(text.encode()).hexdigest(),
    )
