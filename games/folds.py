"""Folding a stored game into its state, with a small cache that saves the refold.

The cache is keyed by game and ``seq``, so it can never be stale, and nothing needs it: a fold of
the whole log costs some tens of microseconds an event.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime
from threading import Lock
from typing import Any
from uuid import UUID

from engine import record
from engine.game import Game as EngineGame
from games.models import Game

CACHED = 256
"""States kept per process."""

_cache: OrderedDict[tuple[UUID, int], Any] = OrderedDict()
_lock = Lock()


def now() -> str:
    """Return the time of a line."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def load(game: Game) -> EngineGame:
    """Return the engine's game at the row's ``seq``, folded with its seed.

    Only what :meth:`engine.variant.Variant.observe` returns of it may leave the server while the
    game runs.
    """
    key = (game.pk, game.seq)
    with _lock:
        state = _cache.get(key)
    if state is None:
        state = fold(game)
        remember(game.pk, state)
    return EngineGame.resume(game.kind, state, game_id=str(game.pk), head=game.head, clock=now)


def remember(game_id: UUID, state: Any) -> None:
    """Keep a state for the next turn."""
    with _lock:
        _cache[game_id, state.seq] = state
        while len(_cache) > CACHED:
            _cache.popitem(last=False)


def fold(game: Game) -> Any:
    """Return the state that a game's stored log folds to, with its seed."""
    variant = game.kind
    state = variant.initial(bytes(game.seed.value))
    bodies = game.events.filter(seq__lte=game.seq).order_by("seq").values_list("body", flat=True)
    for body in bodies:
        state = variant.apply(state, record.read_event(variant, record.loads(body)))
    return state
