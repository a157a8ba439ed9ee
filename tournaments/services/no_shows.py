"""Nothing waits on a person for ever: who lets a game wait too long is out of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from engine.events import ForfeitReason
from games.public import Game, game_forfeit
from tournaments.models import Due, Table, Tournament
from tournaments.services.entrants import no_show
from tournaments.services.tournaments import locked


@transaction.atomic
def no_shows_take(*, tournament_id: UUID) -> None:
    """Look at the games that are due to be looked at, and take out whom they wait for.

    Somebody at a table that has not begun did not come: a forfeit loss. Later the seat on turn
    forfeits the game.
    """
    tournament = locked(tournament_id)
    now = timezone.now()
    rows = tournament.due.filter(kind=Due.Kind.NO_SHOW, parked_at=None, due_at__lte=now)
    for row in list(rows.select_for_update()):
        table = (
            Table.objects.filter(
                round__phase__tournament=tournament, game_number=row.number, played=False
            )
            .select_related("game")
            .first()
        )
        if table is None or table.game.status != Game.Status.RUNNING or not tournament.no_show:
            row.delete()
            continue
        due_at = _look(tournament, table, now)
        if due_at is None:
            row.delete()
        else:
            Due.objects.filter(pk=row.pk).update(
                due_at=due_at, lease=None, lease_until=None, attempts=0
            )


def _look(tournament: Tournament, table: Table, now: datetime) -> datetime | None:
    """Take out the person that a game waits for; return when to look again, None for never."""
    patience = timedelta(minutes=tournament.no_show)
    last = table.game.events.latest("seq").recorded_at
    if last + patience > now:
        return last + patience
    places = table.places.select_related("entrant__player")
    place = next((place for place in places if place.seat == table.game.turn), None)
    if place is None or place.entrant.player.is_bot:
        return now + patience
    if table.game.events.filter(seat__isnull=False).exists():
        game_forfeit(game_id=table.game_id, seat=place.seat, reason=ForfeitReason.NO_SHOW)
        return now + patience
    no_show(
        tournament_id=tournament.pk,
        player=place.entrant.player,
        reason=f"did not play within {tournament.no_show} minutes",
    )
    return None
