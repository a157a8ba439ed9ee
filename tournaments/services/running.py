"""The organiser's hand in the running of a tournament: open a round, finish, call it off."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.public import Conflict, Player, game_abort
from tournaments import log
from tournaments.models import Due, Tournament
from tournaments.selectors import rounds_playing
from tournaments.services.boards import board_reveal
from tournaments.services.organising import acting, checked_reason
from tournaments.services.rounds import current_phase, is_complete
from tournaments.services.tables import games_of
from tournaments.services.tournaments import make_due


@transaction.atomic
def round_open(*, tournament_id: UUID, by: Player | None = None) -> None:
    """Make the next round due now, whatever the schedule says; it opens a moment later.

    :raises Conflict: when it has not started or is paused, a round is being played, the next one
        is due already, or none is left.
    """
    tournament = _waiting(tournament_id, "a round can be opened")
    if is_complete(tournament):
        raise Conflict("no round is left; finish it, and its results are final")
    phase = current_phase(tournament)
    log.write(tournament, ("round_opened", {"phase": phase.number if phase else None}), by=by)
    make_due(tournament, Due.Kind.ROUND, tournament.seq)


@transaction.atomic
def tournament_finish(*, tournament_id: UUID, by: Player | None = None) -> None:
    """End a tournament whose rounds are all played out; it closes a moment later.

    :raises Conflict: when it has not started or is paused, or rounds are left.
    """
    tournament = _waiting(tournament_id, "it can be finished")
    if not is_complete(tournament):
        raise Conflict("rounds are left to be played; open the next one, or cancel the tournament")
    log.write(tournament, ("finished", {}), by=by)
    make_due(tournament, Due.Kind.ROUND, tournament.seq)


def _waiting(tournament_id: UUID, then: str) -> Tournament:
    """Lock a tournament that is between two rounds or behind the last, and forget what is due.

    :param then: what can be done once it is there, for refusals.
    :raises Conflict: when it is not there.
    """
    tournament = acting(tournament_id)
    if tournament.status == Tournament.Status.OPEN:
        raise Conflict(f"{tournament} has not started; start it, and {then}")
    if tournament.paused:
        raise Conflict(f"{tournament} is paused; resume it, and {then}")
    playing = rounds_playing(tournament).first()
    if playing is not None:
        raise Conflict(f"round {playing.number} is still being played; after it {then}")
    rows = tournament.due.filter(kind=Due.Kind.ROUND, parked_at=None)
    if rows.filter(due_at__lte=timezone.now()).exists():
        raise Conflict("the next round is being opened already")
    rows.delete()
    return tournament


@transaction.atomic
def tournament_cancel(*, tournament_id: UUID, reason: str, by: Player | None = None) -> None:
    """Call a tournament off for good: games being played are aborted, results so far stand.

    :raises Conflict: when it is over.
    """
    tournament = acting(tournament_id)
    text = checked_reason(reason)
    tournament.status = Tournament.Status.ENDED
    tournament.cancelled = True
    tournament.ended_at = timezone.now()
    tournament.due.filter(kind__in=(Due.Kind.START, Due.Kind.ROUND, Due.Kind.NO_SHOW)).delete()
    for round_ in rounds_playing(tournament).select_related("phase"):
        for table in round_.tables.filter(played=False).select_related("game"):
            for game in games_of(table):
                game_abort(game_id=game.pk)
        if round_.phase.duplicate:
            board_reveal(round_)
    seed = {"seed": bytes(tournament.seed).hex()}
    log.write(tournament, ("cancelled", {"reason": text}), by=by)
    log.write(tournament, ("seed_revealed", seed))
    if tournament.is_rated:
        make_due(tournament, Due.Kind.REFIT, tournament.seq)
