"""Ways to make games for tests: random settings, seeded, the same on every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from hashlib import sha256
from typing import Any

from engine.events import Abort, Forfeit, ForfeitReason
from engine.game import Game
from engine.play import play_decision
from engine.policies import POLICIES, find_policy
from engine.seeds import Words
from engine.variant import Variant


def seed_of(name: object) -> bytes:
    """A seed of its own for every name."""
    return sha256(repr(name).encode()).digest()


def random_rules(variant: Variant, words: Words) -> dict[str, Any]:
    """Settings that turn about half of a variant's knobs, each within what it may be."""
    settings: dict[str, Any] = {}
    for knob in fields(variant.rules):
        if words.below(2):
            continue
        about = knob.metadata
        if "choices" in about:
            settings[knob.name] = words.choice(about["choices"])
        elif knob.name != "deals":
            settings[knob.name] = about["low"] + words.below(about["high"] - about["low"] + 1)
    if settings.get("length") == "deals":
        settings["deals"] = 1 + words.below(3)
    elif words.below(3):
        settings["target"] = 10 + words.below(150)
    settings["max_faults"] = 1 + words.below(3)
    return settings


def random_game(variant: Variant, name: object) -> Iterator[Game]:
    """Play a random game and yield it after every append; faults and forfeits are mixed in."""
    words = Words(seed_of(("settings", variant.key, name)))
    seats = words.choice(variant.seats)
    names = [policy.name for policy in POLICIES[variant.key] if policy.name != "planner"]
    bots = [find_policy(variant, words.choice(names)) for _ in range(seats)]
    players = [f"{bot.name}#{seat}" for seat, bot in enumerate(bots)]
    game = Game.start(
        variant,
        players,
        seed=seed_of(("game", variant.key, name)),
        rules=random_rules(variant, words),
    )
    yield game
    while game.turn is not None:
        live = [seat for seat in range(seats) if seat not in game.state.forfeits]
        chance = words.below(4000)
        if chance < 4:
            game.push(Forfeit(ForfeitReason.WITHDRAWN), words.choice(live))
        elif chance == 4:
            game.push(Abort())
        else:
            play_decision(game, bots[game.turn])
        yield game
    game.reveal()
    yield game
