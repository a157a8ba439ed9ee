"""What the tournaments app does when a signal is sent."""

from __future__ import annotations

import logging
from typing import Any

from django.dispatch import receiver
from kombu.exceptions import OperationalError

from games.public import Game, Result
from games.signals import game_asked, game_over
from tournaments import tasks
from tournaments.access import may_see
from tournaments.models import Due, Refit, Tournament
from tournaments.ratings.games import Scope
from tournaments.selectors import table_of
from tournaments.services.tournaments import make_due
from tournaments.signals import due_written, refit_stale

logger = logging.getLogger(__name__)


@receiver(game_over, sender=Game)
def result_due(sender: type[Game], game: Game, result: Result, **kwargs: Any) -> None:
    """Note, in the transaction that ended a game, that its tournament has a result to take."""
    table = table_of(game)
    if table is not None:
        make_due(table.round.phase.tournament, Due.Kind.RESULT, table.game_number)


@receiver(game_asked, sender=Game)
def let_into_game(sender: type[Game], game: Game, reader: Any, **kwargs: Any) -> bool:
    """Let those see a private game who may see its tournament."""
    tournament = Tournament.objects.filter(pk=game.circle).first() if game.circle else None
    return tournament is not None and may_see(tournament, reader)


@receiver(due_written, sender=Due)
def ring_when_due(sender: type[Due], row: Due, **kwargs: Any) -> None:
    """Ring for a row just written; with the broker away the sweeper rings later."""
    try:
        tasks.ring_for(row)
    except OperationalError as error:
        logger.warning("no broker to ring for %s: %s", row, error)


@receiver(refit_stale, sender=Refit)
def refit_when_stale(sender: type[Refit], variant: str, scope: Scope, **kwargs: Any) -> None:
    """Ring for a refit; with the broker away the next night's will do."""
    try:
        tasks.refit.apply_async((variant, *scope))
    except OperationalError as error:
        logger.warning("no broker to ring for a refit of %s: %s", variant, error)
