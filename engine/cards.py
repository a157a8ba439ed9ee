"""Cards in the record's notation, packs and orders (RULES.md, opening lines).

A card is its text: rank ``A23456789TJQK`` and suit ``c d h s`` (``"Ah"``, ``"Td"``). ``"*"`` is an
undeclared joker, ``"*8s"`` a joker declared as the eight of spades, ``"??"`` a card whose face is
not known. Everything in the engine, in records and in JSON speaks this one notation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

Card: TypeAlias = Annotated[str, "a card in the record's notation"]
Face: TypeAlias = Annotated[str, "a natural card: no joker is in the pack"]
Meld = tuple[Card, ...]
Tableau = tuple[Meld, ...]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKER: Card = "*"
HIDDEN: Card = "??"

FACES: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 natural cards in unshuffled order: suits c d h s, ranks A to K within a suit."""

RANK_OF: dict[Card, int] = {face: i % 13 for i, face in enumerate(FACES)}
"""Rank of a natural card as an index into :data:`RANKS`, ace 0 to king 12."""

SUIT_OF: dict[Card, int] = {face: i // 13 for i, face in enumerate(FACES)}
"""Suit of a natural card as an index into :data:`SUITS`."""

DECLARED: frozenset[Card] = frozenset(JOKER + face for face in FACES)
"""The 52 names that a joker may carry on the tableau (RULES M6.1)."""


class _Order(dict[Card, int]):
    """Places of cards; what is no card comes last, so that a message can name it."""

    def __missing__(self, card: Card) -> int:
        return 54


_ORDER = _Order({face: RANK_OF[face] * 4 + SUIT_OF[face] for face in FACES})
_ORDER |= {JOKER: 52, HIDDEN: 53}

_GLYPHS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def unshuffled(packs: int, *, jokers: bool) -> tuple[Card, ...]:
    """Return ``packs`` packs in unshuffled order, each followed by its joker if it has one.

    >>> len(unshuffled(2, jokers=True))
    106
    """
    return (FACES + ((JOKER,) if jokers else ())) * packs


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the canonical order of hands: rank A to K, then suit c d h s, jokers last.

    >>> in_order(["*", "Kh", "2c", "As"])
    ('As', '2c', 'Kh', '*')
    """
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def is_joker(card: Card) -> bool:
    """Say whether a card is a joker, declared or not."""
    return card[0] == JOKER


def named(card: Card) -> Card:
    """Return the natural card that a card counts as: its own face, or a joker's name (M4.5).

    >>> named("*8s"), named("Td")
    ('8s', 'Td')
    """
    return card[-2:]


def physical(card: Card) -> Card:
    """Return the card as it lies in a hand: a joker loses its name.

    >>> physical("*8s"), physical("Td")
    ('*', 'Td')
    """
    return JOKER if card[0] == JOKER else card


def pretty(card: Card) -> str:
    """Return a card as people write it: ``10♦``, ``★8♠`` for a joker declared as 8s, ``★``.

    >>> pretty("Td"), pretty("*8s"), pretty("*")
    ('10♦', '★8♠', '★')
    """
    if card == HIDDEN:
        return card
    if card == JOKER:
        return "★"
    star = "★" if is_joker(card) else ""
    rank, suit = card[-2], card[-1]
    return f"{star}{'10' if rank == 'T' else rank}{_GLYPHS[suit]}"
