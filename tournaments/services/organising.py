"""What every act of an organiser shares: the lock, the refusals, and what follows from it."""

from __future__ import annotations

from uuid import UUID

from engine.errors import BadInput
from games.public import Conflict
from tournaments import log
from tournaments.models import Phase, Tournament
from tournaments.services.rounds import settle
from tournaments.services.standings import refresh_standings
from tournaments.services.tournaments import locked

REASON_LENGTH = 200


def acting(tournament_id: UUID) -> Tournament:
    """Lock a tournament for an act of its organiser.

    :raises NotFound: when there is none.
    :raises Conflict: when it is over; nothing in it changes any more.
    """
    tournament = locked(tournament_id)
    if tournament.status == Tournament.Status.ENDED:
        raise Conflict(f"{tournament} is over; nothing in it can be changed any more")
    return tournament


def acted(tournament: Tournament) -> None:
    """Refresh the standings after an act, and go on with what it made possible."""
    phase = playing_phase(tournament)
    if phase is not None:
        refresh_standings(phase, log.read(tournament).phase(phase.number))
    settle(tournament)


def playing_phase(tournament: Tournament) -> Phase | None:
    """Return the phase that is played now, if one is."""
    return tournament.phases.filter(status=Phase.Status.RUNNING).first()


def checked_reason(reason: str) -> str:
    """Return a reason as it is written to the log.

    :raises BadInput: for one that is empty, too long or has characters that cannot be shown.
    """
    text = " ".join(reason.split())
    if not text:
        raise BadInput("a reason is needed; it is shown in the log")
    if len(text) > REASON_LENGTH:
        raise BadInput(f"the reason has {len(text)} characters; at most {REASON_LENGTH} are shown")
    if not text.isprintable():
        raise BadInput("the reason has characters that cannot be shown; plain text is needed")
    return text
