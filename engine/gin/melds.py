"""Sets and runs, and hands as bits: which cards are a legal meld, and in which order (RULES G3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from engine.cards import FACES, RANKS, SUITS, Card, Meld, in_order
from engine.errors import RuleViolation
from engine.gin.deadwood import SETS, SUIT

BIT: Final[dict[Card, int]] = {face: 1 << i for i, face in enumerate(FACES)}
"""The bit of each card in a hand, see :mod:`engine.gin.deadwood`."""

CARD: Final[dict[int, Card]] = {bit: card for card, bit in BIT.items()}

NO_BIT: Final = 1 << 52
"""The bit of what is no card of the pack: no hand has it."""


def bits(cards: Iterable[Card]) -> int:
    """Return cards, each at most once, as the bits of a hand."""
    return sum(map(BIT.__getitem__, cards))


def faces(hand: int) -> tuple[Card, ...]:
    """Return the cards of a hand by suit and rank, as the pack is ordered."""
    return (
        _suit_faces("c", hand & SUIT)
        + _suit_faces("d", hand >> 13 & SUIT)
        + _suit_faces("h", hand >> 26 & SUIT)
        + _suit_faces("s", hand >> 39)
    )


@lru_cache(maxsize=4 * (SUIT + 1))
def _suit_faces(suit: str, held: int) -> tuple[Card, ...]:
    return tuple([rank + suit for i, rank in enumerate(RANKS) if held >> i & 1])


def hand_cards(hand: int) -> tuple[Card, ...]:
    """Return the cards of a hand in canonical order.

    >>> hand_cards(bits(["Kh", "2c", "As"]))
    ('As', '2c', 'Kh')
    """
    return in_order(faces(hand))


def _all_melds() -> dict[int, Meld]:
    melds = [faces(cards) for cards in SETS]
    for suit in SUITS:
        cards = [rank + suit for rank in RANKS]
        melds += [tuple(cards[i:j]) for i in range(11) for j in range(i + 3, 14)]
    return {bits(meld): meld for meld in melds}


MELDS: Final[dict[int, Meld]] = _all_melds()
"""The 329 melds of a pack in canonical order: runs ascending, sets c d h s; by their bits."""


def canonical_meld(meld: Meld) -> Meld:
    """Return a legal meld in canonical order.

    :raises RuleViolation: ``not_a_meld`` with the clause that the cards break.

    >>> canonical_meld(("3h", "Ah", "2h"))
    ('Ah', '2h', '3h')
    """
    found = MELDS.get(bits(meld)) if len(set(meld)) == len(meld) else None
    if found is None:
        raise _not_a_meld(meld)
    return found


def _not_a_meld(meld: Meld) -> RuleViolation:
    """Say which clause a bad meld breaks, and how."""
    text = " ".join(meld) or "an empty meld"

    def broken(why: str, clause: str = "G3.1") -> RuleViolation:
        return RuleViolation("not_a_meld", f"{text} is not a meld: {why}", clause)

    twice = next((card for card in meld if meld.count(card) > 1), None)
    if twice:
        return broken(f"{twice} stands twice; a pack has it once", "G1.1")
    if len(meld) < 3:
        return broken("a meld has at least three cards")
    ranks, suits = {card[0] for card in meld}, {card[1] for card in meld}
    if len(suits) == 1:
        if {"Q", "K", "A"} <= ranks:
            return broken("an ace is low, it does not follow a king", "G1.1")
        return broken("the ranks leave a gap; a run is consecutive")
    if len(ranks) < len(suits):
        return broken("a set is three or four cards of one rank")
    return broken("a run is consecutive cards of one suit")
