"""The knobs of Manipulation and what follows from the number of seats (RULES M1-M10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import FACES, JOKER, Card
from engine.knobs import KnobSet, choice, flag, number

POINTS: dict[Card, int] = {face: min(i % 13 + 1, 10) for i, face in enumerate(FACES)} | {JOKER: 25}
"""What a card counts in hand: joker 25, J Q K 10, 2-10 their number, ace 1 (M7.1)."""

MOST_POINTS: dict[Card, int] = {card: points * 64 + 1 for card, points in POINTS.items()}
"""Card weights for the most points from the hand and, among those, the most cards."""

MOST_CARDS: dict[Card, int] = {card: 4096 + points for card, points in POINTS.items()}
"""Card weights for the most cards from the hand and, among those, the most points."""

SEATS = range(2, 6)
"""Two to five players (M1.1)."""

MAX_DRAWS = 3
"""Cards a player may draw in one turn; after the third no meld (M3.4, M3.5)."""

MAX_DEALS = 200
"""Deals after which a game ends in any case (M10.4)."""


@dataclass(frozen=True, slots=True)
class Rules(KnobSet):
    """One way to play Manipulation; the defaults are the house rules."""

    dealer: str = choice("left", "winner")
    """Who deals next: the seat to the left, or the deal's winner (M2.1)."""
    hand_size: int = number(10, 5, 15)
    """Cards dealt to each seat (M2.2)."""
    knock_limit: int = number(5, 0, 50)
    """Most points in hand with which a player may knock (M7.2)."""
    undercut_bonus: int = number(10, 0, 500)
    """Added for winning a deal in which somebody else knocked (M8.4)."""
    out_bonus: int = number(25, 0, 500)
    """Added for winning by going out (M8.7)."""
    final_lap_knock: bool = flag(False)
    """Whether a player may knock in the final lap (M8.8)."""
    length: str = choice("target", "deals")
    """Whether the game goes to a target or for a fixed number of deals (M9.1)."""
    target: int = number(150, 10, 1000)
    """Points that end the game (M9.1)."""
    deals: int | None = number(None, 1, 100)
    """Number of deals under ``length=deals``, else none (M9.1)."""
    target_bonus: int = number(100, 0, 500)
    """Added by each player at the target (M9.2)."""
    deal_bonus: int = number(25, 0, 500)
    """Added for each deal won (M9.3)."""
    deal_bonus_to: str = choice("others", "all")
    """Whether the players at the target add it too (M9.3)."""
    max_faults: int = number(3, 1, 20)
    """The fault that is followed by a forfeit (M10.2)."""


def packs(seats: int) -> int:
    """Return the packs in play: one for two players, else two, each with a joker (M1.2, M1.3)."""
    return 1 if seats == 2 else 2


def hand_points(hand: Iterable[Card]) -> int:
    """Return the points of a hand (M7.1); cards that would make a meld count too.

    >>> hand_points(["*", "Kh", "2c", "As"])
    38
    """
    return sum(map(POINTS.__getitem__, hand))
