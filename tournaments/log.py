"""Writing a tournament's log: the organiser's record of actions, chained like a game's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engine.record import digest, dumps
from games.public import Line, extend
from tournaments.models import Event, Tournament


def write(
    tournament: Tournament, *events: tuple[str, Mapping[str, Any]], by: str | None = None
) -> None:
    """Add events, each a type and its data, to the log of a tournament locked by the caller.

    Saves the tournament. Names and addresses of people never stand in a log: ``by`` and all
    entrants are opaque player ids.

    :param by: player id of the organiser who acted; None where the system did.
    """
    lines = []
    prev = tournament.head
    for seq, (kind, data) in enumerate(events, tournament.seq + 1):
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        body = dumps(
            {
                "at": at,
                "by": by,
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
