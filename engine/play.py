"""Play games of built-in bots in memory."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import NAMESPACE_OID, uuid5

from engine.errors import RuleViolation
from engine.events import Event, Fault, FaultReason
from engine.game import Game
from engine.policies import Policy


def play_decision(game: Game, policy: Policy) -> tuple[Event, ...]:
    """Let a policy decide for the seat on turn and return the events; an illegal answer faults."""
    command = policy.choose(game.observe(game.turn), game.bot_words())
    try:
        return game.push(command)
    except RuleViolation:
        return game.push(Fault(FaultReason.ILLEGAL))


def play_out(game: Game, policies: Sequence[Policy]) -> None:
    """Play a game to its end with one policy a seat, and reveal the seed."""
    while game.turn is not None:
        play_decision(game, policies[game.turn])
    game.reveal()


def seeded_game_id(seed: bytes) -> str:
    """Return the id of an offline game whose seed was given."""
    return str(uuid5(NAMESPACE_OID, seed.hex()))
