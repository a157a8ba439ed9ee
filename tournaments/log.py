"""A tournament's log: the organiser's record of actions, chained like a game's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engine.record import digest, dumps
from games.public import Line, Player, extend
from tournaments.folds import TournamentFold, fold
from tournaments.models import Event, Tournament


def read(tournament: Tournament) -> TournamentFold:
    """Return the fold of a tournament's log as it stands."""
    lines = Event.objects.filter(tournament=tournament).order_by("seq")
    return fold(lines.values_list("body", flat=True).iterator(chunk_size=5_000))


def write(
    tournament: Tournament, *events: tuple[str, Mapping[str, Any]], by: Player | None = None
) -> None:
    """Add events, each a type and its data, to the log of a tournament locked by the caller.

    Saves the tournament. Names and addresses of people never stand in a log: ``by`` and all
    entrants are opaque player ids.

    :param by: the organiser who acted; None where the system did, or the operator at a terminal.
    """
    lines = []
    prev = tournament.head
    for seq, (kind, data) in enumerate(events, tournament.seq + 1):
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        body = dumps(
            {
                "at": at,
                "by": str(by.pk) if by else None,
                "data": data,
                "prev": prev,
                "seq": seq,
                "tournament": str(tournament.pk),
                "type": kind,
                "v": 1,
            }
        )
        lines.append(Line(seq, kind, body, {}))
        prev = digest(body)
    extend(tournament, Event, "tournament", tournament.seq, lines)
    tournament.save()
