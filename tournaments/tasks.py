"""Celery tasks of the tournaments app: doorbells, and the aggregation of results in batches."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from engine.variants import VARIANTS
from games.public import attempt, claim, overdue
from tournaments.models import Due
from tournaments.ratings.games import Scope, scopes
from tournaments.services.no_shows import no_shows_take
from tournaments.services.ratings import ratings_refresh_due
from tournaments.services.refits import leaderboard_refit, refit_due
from tournaments.services.rounds import results_take, round_start
from tournaments.services.snapshots import snapshots_take
from tournaments.services.tournaments import start_due

SWEPT = 200
"""Rows that one sweep rings at most."""

STALE_RING_S = 30
"""Age at which a ring that nobody took up is dropped; the sweeper rings again."""


_WORK = {
    Due.Kind.START: start_due,
    Due.Kind.NO_SHOW: no_shows_take,
    Due.Kind.RESULT: results_take,
    Due.Kind.ROUND: round_start,
    Due.Kind.RATINGS: ratings_refresh_due,
    Due.Kind.REFIT: refit_due,
}


@shared_task
def ring(kind: str, tournament_id: str, number: int) -> None:
    """Take up what is due for a tournament; one call takes all results that have come in."""
    row = claim(Due, tournament_id=UUID(tournament_id), kind=kind, number=number)
    if row is None or row.parked_at is not None:
        return
    with attempt(row):
        _WORK[Due.Kind(kind)](tournament_id=row.tournament_id)


@shared_task
def sweep() -> None:
    """Ring what is overdue, once per tournament and kind."""
    rung = set()
    for row in overdue(Due)[:SWEPT]:
        if (row.kind, row.tournament_id) not in rung:
            rung.add((row.kind, row.tournament_id))
            ring_for(row)


def ring_for(row: Due) -> None:
    """Send the hint that a row is due."""
    ring.apply_async((row.kind, str(row.tournament_id), row.number), expires=STALE_RING_S)


@shared_task
def refit_nightly() -> None:
    """Ring for a refit of every leaderboard; one that is lost is made the night after."""
    for variant in VARIANTS:
        for scope in scopes(variant.seats):
            refit.apply_async((variant.key, *scope))


@shared_task
def refit(variant: str, seats: int, days: int) -> None:
    """Refit one leaderboard."""
    leaderboard_refit(variant=variant, scopes=[Scope(seats, days)])


@shared_task
def snapshots_nightly() -> None:
    """Take the snapshots of the day."""
    snapshots_take()
