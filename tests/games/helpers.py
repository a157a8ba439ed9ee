"""Ways to make stored games for tests."""

from __future__ import annotations

from collections.abc import Sequence

from engine.variants import find_variant
from games.models import Game, Player
from games.services.games import game_create


def new_player(kind: str = Player.Kind.BOT, policy: str = "greedy") -> Player:
    """A new person or bot."""
    number = Player.objects.count() + 1
    return Player.objects.create(
        kind=kind, name=f"Player {number}", policy=policy if kind == Player.Kind.BOT else ""
    )


def new_game(
    kinds: Sequence[str] = (Player.Kind.BOT, Player.Kind.BOT),
    policy: str = "greedy",
    **rules: object,
) -> Game:
    """A game of Manipulation that has just begun."""
    players = [new_player(kind, policy) for kind in kinds]
    return game_create(variant=find_variant("manipulation"), rules=rules, players=players)
