"""The positions that are measured, and the public reference to all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.cards import Card, Tableau
from engine.manipulation.rules import POINTS

DATA = Path(__file__).parent.parent / "tests" / "data"

CARDS: Mapping[Card, int] = dict.fromkeys(POINTS, 1)
"""Weights for the most cards."""


@dataclass(frozen=True, slots=True)
class Position:
    """A tableau and a hand out of so many packs."""

    id: str
    packs: int
    tableau: Tableau
    hand: tuple[Card, ...]
    best_points: int | None = None
    """What can be played at most, where that is on record."""


def positions(name: str, prefix: str = "") -> list[Position]:
    """Return the positions of a file of ``tests/data`` whose id begins so."""
    found = []
    for line in (DATA / f"{name}.jsonl").read_text().splitlines():
        given = json.loads(line)
        if given["id"].startswith(prefix):
            tableau, hand = tuple(map(tuple, given["tableau"])), tuple(given["hand"])
            best = given.get("best_points")
            found.append(Position(given["id"], given["packs"], tableau, hand, best))
    return found


def self_play() -> list[Position]:
    """Return 300 positions as greedy play by the rules meets them, two to five seats."""
    return positions("solver-positions", "play-")


def stress() -> list[Position]:
    """Return 200 crowded positions out of two packs, most of them with jokers."""
    return positions("solver-positions", "stress-")


def oracle() -> list[Position]:
    """Return the 190 positions whose best values four programs agreed on."""
    return positions("solver-oracle")


__all__ = ["CARDS", "POINTS", "Position", "oracle", "self_play", "stress"]
