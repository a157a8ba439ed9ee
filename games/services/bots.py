"""Playing the seats of built-in bots."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from engine.errors import BadInput
from engine.game import Game as EngineGame
from engine.play import play_decision
from engine.policies import POLICIES, Policy, find_policy
from games import folds
from games.due import attempt, claim
from games.errors import StaleSeq
from games.models import Due, Game, Player
from games.services.games import game_abort, game_append

MAX_SECONDS = 5.0
"""How long bots play in memory before their turns are written."""


def bots_play(*, game_id: UUID, seq: int) -> None:
    """Play the bots' turns of a game that stands at ``seq``, up to the end of the deal.

    Claims the due row, plays with no transaction open, and appends all turns at once. Without
    effect if somebody else holds the claim or the log has grown. A row whose attempts are used
    up is parked and its game aborted.
    """
    row = claim(Due, game_id=game_id, kind=Due.Kind.BOT, seq=seq)
    if row is None:
        return
    if row.parked_at is not None:
        game_abort(game_id=game_id)
        return
    with attempt(row):
        game = Game.objects.select_related("seed").get(pk=game_id)
        if game.seq != seq:
            row.delete()
            return
        played = folds.load(game)
        _play_on(played, _policies(game))
        with suppress(StaleSeq):  # another claim was quicker; its turns stand
            game_append(game_id=game_id, expected_seq=seq, played=played, lease=row)


def _play_on(played: EngineGame, policies: Mapping[int, Policy]) -> None:
    """Decide for the bots on turn until a person's turn, the end of the deal or of the time."""
    until = time.monotonic() + MAX_SECONDS
    deal = played.state.deal_number
    while played.state.deal_number == deal and time.monotonic() < until:
        policy = None if played.turn is None else policies.get(played.turn)
        if policy is None:
            return
        play_decision(played, policy)


def _policies(game: Game) -> dict[int, Policy]:
    return {
        seat.number: find_policy(game.kind, seat.player.policy)
        for seat in game.seats.select_related("player")
        if seat.player.is_bot
    }


def builtin_bot(*, policy: str, number: int = 1) -> Player:
    """Return the built-in bot ``number`` of a policy, made on its first use.

    :raises BadInput: when no variant has such a policy.
    """
    if not any(policy == known.name for group in POLICIES.values() for known in group):
        known = ", ".join(sorted({p.name for group in POLICIES.values() for p in group}))
        raise BadInput(f"bot {policy!r} is unknown; known are: {known}")
    name = f"{policy.capitalize()} {number}"
    player, _ = Player.objects.get_or_create(
        name=name, defaults={"kind": Player.Kind.BOT, "policy": policy}
    )
    return player
