"""Celery tasks of the games app: doorbells. Losing or doubling one changes nothing but the wait."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db.models import Case, When

from games.due import overdue
from games.models import Due
from games.services.analysis import analysis_go_on
from games.services.bots import bots_play
from games.services.games import game_reveal_due

SWEPT = 200
"""Rows that one sweep rings at most."""

STALE_RING_S = 30
"""Age at which a ring that nobody took up is dropped; the sweeper rings again."""

WORK = {
    Due.Kind.BOT: bots_play,
    Due.Kind.REVEAL: game_reveal_due,
    Due.Kind.ANALYSIS: analysis_go_on,
}


@shared_task
def ring(kind: str, game_id: str, seq: int) -> None:
    """Take up what is due for a game at ``seq``."""
    WORK[Due.Kind(kind)](game_id=UUID(game_id), seq=seq)


@shared_task
def sweep() -> None:
    """Ring what is overdue: messages that were lost, claims whose worker died; games first."""
    waits = Case(When(kind=Due.Kind.ANALYSIS, then=1), default=0)
    for row in overdue(Due).order_by(waits, "due_at")[:SWEPT]:
        ring_for(row)


def ring_for(row: Due) -> None:
    """Send the hint that a row is due."""
    ring.apply_async(
        (row.kind, str(row.game_id), row.seq),
        expires=STALE_RING_S,
        priority=settings.RING_LAST if row.kind == Due.Kind.ANALYSIS else settings.RING_FIRST,
    )
