"""What leads to a game that belongs to a tournament."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.urls import reverse

from games.public import PAGE_SIZE, Crumb, Game
from games.signals import game_crumbs
from tournaments.models import Tournament
from tournaments.selectors import table_of


@receiver(game_crumbs, sender=Game)
def tournament_crumbs(sender: type[Game], game: Game, **kwargs: Any) -> list[Crumb] | None:
    """Return the tournament, the round and the table that a game is played for.

    Of a game that was voided only the tournament.
    """
    table = table_of(game)
    if table is None:
        owner = Tournament.objects.filter(pk=game.circle).first() if game.circle else None
        return [Crumb(owner.name, reverse("tournament", args=[owner.slug]))] if owner else None
    phase = table.round.phase
    address = reverse("tournament", args=[phase.tournament.slug])
    round_ = f"{address}?tab=rounds&phase={phase.number}&round={table.round.number}"
    page = 1 + (table.number - 1) // PAGE_SIZE
    on_page = f"{round_}&page={page}" if page > 1 else round_
    return [
        Crumb(phase.tournament.name, address),
        Crumb(f"Round {table.round.number}", round_),
        Crumb(f"Table {table.number}", f"{on_page}#table-{table.number}"),
    ]
