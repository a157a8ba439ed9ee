"""The facade: what it refuses, and how it helps a newcomer."""

from __future__ import annotations

import pytest

from engine.errors import BadInput, RuleViolation
from engine.events import Forfeit, ForfeitReason
from engine.game import Game
from engine.manipulation.events import Meld
from tests.engine.test_verify import played


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": bytes(31)}, "a seed is 32 bytes"),
        ({"seed": "00" * 32}, "a seed is 32 bytes"),
        ({"players": ["ann", 7]}, "players is a list of player ids, each a text"),
        ({"players": "ab"}, "players is a list of player ids"),
        ({"players": ["ann", "b\x1b[31m"]}, "a player id is 1 to 100 printable characters"),
        ({"players": ["ann", "b" * 101]}, "a player id is 1 to 100 printable characters"),
        ({"players": ["ann", ""]}, "a player id is 1 to 100 printable characters"),
        ({"game_id": "x"}, "a game id is a lower-case uuid"),
        ({"rules": ["target"]}, "rules must be knobs and their values"),
    ],
)
def test_the_facade_refuses(arguments: dict, message: str) -> None:
    usual = {"players": ["ann", "bob"], "seed": bytes(32)}
    with pytest.raises(BadInput, match=message):
        Game.start("manipulation", **(usual | arguments))


def test_the_facade_helps_a_newcomer() -> None:
    game = Game.start("manipulation", ["ann", "bob"], seed=bytes(32))
    for seat in (-1, 2):
        with pytest.raises(BadInput, match="there is no seat"):
            game.observe(seat)
    with pytest.raises(BadInput, match=r'push takes a command such as Resign\(\), not "draw"'):
        game.push("draw")
    with pytest.raises(RuleViolation, match="10c Zz is neither in your hand"):
        game.push(Meld([["10c", "Zz"]]))
    with pytest.raises(BadInput, match="cannot make a seat forfeit as faults"):
        Forfeit(ForfeitReason.FAULTS)
    assert len(game.lines) == 2
    ended = played()
    before = ended.record()
    ended.reveal()
    assert ended.record() == before
