"""Positions packed into integers, and the group vectors that each rank allows.

Cell ``4 * rank + suit`` has a byte of its own: cards on the tableau in bits 0-2, in the hand in
bits 3-4, those of old groups in bits 5-7. Four more bytes count the aces that lie high in a
sequence. A meld is thus one number, a tableau a sum, a rank four bytes that look up its group
vectors, and a question to all cells at once a few shifts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import FACES, JOKER, RANK_OF, SUIT_OF, Card, Meld, Tableau, is_joker, named
from engine.solver.search import Vector, numbers_of
from engine.solver.suits import (
    GROUPS,
    HAND,
    KEEPING,
    MOST_GROUPS,
    RANK_COUNT,
    SUIT_COUNT,
    WEIGHT,
    Memory,
    Suit,
    suit_of,
)

CELLS: Final = RANK_COUNT * SUIT_COUNT
BYTES: Final = CELLS + SUIT_COUNT
OLD_GROUP: Final = 32
"""The unit of bits 5-7 of a cell's byte; those of bits 0-4 are TABLE and HAND of a stage's key."""

CELL_OF: Final[dict[Card, int]] = {
    face: SUIT_COUNT * RANK_OF[face] + SUIT_OF[face] for face in FACES
}
FACE_OF: Final[list[Card]] = sorted(FACES, key=CELL_OF.__getitem__)

HELD: Final[dict[Card, int]] = {face: HAND << 8 * cell for face, cell in CELL_OF.items()}
"""By face, a card in the hand."""

COUNTS: Final = int.from_bytes(b"\7" * CELLS, "little")
"""Bits 0-2 of all cells."""

SUIT_BYTES: Final[list[int]] = [
    int.from_bytes(bytes([255 * (i % SUIT_COUNT == suit) for i in range(BYTES)]), "little")
    for suit in range(SUIT_COUNT)
]
"""All bytes of each suit."""

RANK_BYTES: Final = int.from_bytes(b"\xff" * SUIT_COUNT, "little")
"""The bytes of the lowest rank."""

RANK_BITS: Final = 8 * SUIT_COUNT

_ONES: Final = int.from_bytes(b"\1" * CELLS, "little")
_CLUBS: Final = int.from_bytes(b"\1\0\0\0" * RANK_COUNT, "little")
_ALL_SUITS: Final = int.from_bytes(b"\1\1\1\1", "little")

_CARDS: Final = bytes([(code & 7) + (code >> 3 & 3) for code in range(256)])
"""By byte of a cell, the cards on the tableau and in the hand."""


class MeldInfo:
    """What the solver needs to know of a legal meld on the tableau."""

    __slots__ = (
        "area", "canonical", "cards", "cells", "first", "is_group", "joker_cards", "jokers",
        "open", "packed", "run",
    )  # fmt: skip

    def __init__(self, meld: Meld) -> None:
        ordered = sorted(meld, key=lambda card: CELL_OF[named(card)])
        cells = [CELL_OF[named(card)] for card in ordered]
        self.cards: Final = sum([1 << 8 * cell for cell in cells])
        self.is_group: Final = cells[0] // SUIT_COUNT == cells[-1] // SUIT_COUNT
        run = 0
        if not self.is_group:
            run = self.cards
            if cells[0] < SUIT_COUNT and cells[1] >= 2 * SUIT_COUNT:  # a high ace
                run += (1 << 8 * (CELLS + cells[0])) - (1 << 8 * cells[0])
                ordered.append(ordered.pop(0))
                cells.append(cells.pop(0))
        self.run: Final = run
        """The cards of a sequence, its high ace in the byte of high aces."""
        self.packed: Final = self.cards * (1 + OLD_GROUP) if self.is_group else self.cards | run
        self.cells: Final = cells
        """In canonical order."""
        self.canonical: Final = tuple(ordered)
        self.first: Final = cells[0] // SUIT_COUNT
        """Rank of the first card."""
        self.area: Final = (
            RANK_BYTES << RANK_BITS * self.first
            if self.is_group
            else SUIT_BYTES[cells[0] % SUIT_COUNT]
        )
        """The bytes of the rank of a group, of the suit of a sequence."""
        self.jokers: Final = [CELL_OF[named(card)] for card in ordered if is_joker(card)]
        self.joker_cards: Final = sum([1 << 8 * cell for cell in self.jokers])
        self.open: Final = self._open()

    def _open(self) -> int:
        """Return ones at the cells of cards that could be added without moving other melds."""
        if self.is_group:
            return (_ALL_SUITS << RANK_BITS * self.first) - self.cards
        found = 0
        size = len(self.cells)
        for place in range(-1, size + 1):
            rank = self.first + place
            # At an end, or as the end and the beginning of two sequences that share the card.
            if 0 <= rank <= RANK_COUNT and (place in (-1, size) or 2 <= place <= size - 3):
                cell = SUIT_COUNT * (rank % RANK_COUNT) + self.cells[0] % SUIT_COUNT
                found |= 1 << 8 * cell
        return found


class RankInfo:
    """The group vectors that the cards of one rank allow, nearest to the old groups first."""

    __slots__ = ("held", "keys", "vectors")

    def __init__(self, codes: bytes, jokers: int) -> None:
        most = [min(MOST_GROUPS, _CARDS[code]) for code in codes]
        found: list[tuple[int, Vector]] = []
        for c in range(most[0] + 1):
            for d in range(most[1] + 1):
                for h in range(most[2] + 1):
                    for s in range(most[3] + 1):
                        vector = (c, d, h, s)
                        groups = group_count(vector, jokers)
                        if max(vector) <= groups and 3 * groups <= c + d + h + s + jokers:
                            apart = sum(
                                [abs(vector[i] - (codes[i] >> 5)) for i in range(SUIT_COUNT)]
                            )
                            found.append((apart, vector))
        found.sort()
        self.vectors: Final = [vector for _, vector in found]
        self.keys: Final = [
            (codes[suit] & OLD_GROUP - 1) + GROUPS * numbers_of(self.vectors, suit)
            for suit in range(SUIT_COUNT)
        ]
        """The keys of the four suits' stages, but for the weights of hand cards."""
        self.held: Final = [suit for suit in range(SUIT_COUNT) if codes[suit] & 3 * HAND]
        """The suits with hand cards."""

    def weighted(self, rank: int, weights: Mapping[Card, int]) -> list[int]:
        """Return the keys with the weights of hand cards."""
        keys = self.keys[:]
        for suit in self.held:
            keys[suit] += WEIGHT * weights[FACE_OF[SUIT_COUNT * rank + suit]]
        return keys


def group_count(vector: Sequence[int], jokers: int) -> int:
    """Return the number of groups that so many cards and jokers of a rank make (M4.2)."""
    return (sum(vector) + jokers + 3) // 4


class Book:
    """All that is remembered between two calls, kept within bounds."""

    __slots__ = ("_melds", "memory", "ranks")

    LIMIT: Final = 100_000
    """Entries after which everything is forgotten, some 70 MB."""

    def __init__(self) -> None:
        self.memory: Final = Memory()
        self._melds: Final[dict[Meld, MeldInfo]] = {}
        self.ranks: Final[list[dict[bytes, RankInfo]]] = [{}, {}, {}]
        """By jokers in groups, and the bytes of a rank."""

    def size(self) -> int:
        """Return the number of entries."""
        return self.memory.size + len(self._melds) + sum([len(ranks) for ranks in self.ranks])

    def trim(self) -> None:
        """Forget everything if it has become too much; to be called before a search begins."""
        if self.size() > self.LIMIT:
            self.memory.clear()
            self._melds.clear()
            for ranks in self.ranks:
                ranks.clear()

    def meld(self, meld: Meld) -> MeldInfo:
        """Return what is to be known of a meld on the tableau."""
        found = self._melds.get(meld)
        if found is None:
            found = self._melds[meld] = MeldInfo(meld)
        return found

    def rank(self, code: bytes, jokers: int) -> RankInfo:
        """Return what a rank allows beside so many jokers in its groups."""
        found = self.ranks[jokers].get(code)
        if found is None:
            found = self.ranks[jokers][code] = RankInfo(code, jokers)
        return found


class Position:
    """A tableau and a hand, packed."""

    __slots__ = ("book", "hand", "jokers", "melds", "names", "table")

    def __init__(self, book: Book, tableau: Tableau, hand: Sequence[Card]) -> None:
        self.book: Final = book
        self.melds: Final = [book.meld(meld) for meld in tableau]
        table = 0
        names: list[int] = []
        for info in self.melds:
            table += info.packed
            if info.jokers:
                names += info.jokers
        held = 0
        jokers = 0
        for card in hand:
            if card == JOKER:
                jokers += 1
            else:
                held += HELD[card]
        self.table: Final = table
        self.names: Final = names
        """Cells that the jokers of the tableau are named after."""
        self.hand: Final = held
        """The hand without jokers."""
        self.jokers: Final = jokers
        """Jokers in the hand."""


class Layers:
    """The cards rank by rank, as the keys of stages and group vectors."""

    __slots__ = ("_codes", "_keys", "_memory", "_most", "vectors")

    def __init__(self, book: Book, codes: bytes, weights: Mapping[Card, int]) -> None:
        self._codes: Final = codes
        self._memory: Final = book.memory
        self._most: Final = max(2, max(codes.translate(_CARDS)))
        """Most cards of one face."""
        self.vectors: Final[list[list[Vector]]] = []
        """By rank, no joker being in groups."""
        keys: list[list[int]] = []
        ranks = book.ranks[0]
        for rank in range(RANK_COUNT - 1, -1, -1):
            code = codes[SUIT_COUNT * rank : SUIT_COUNT * rank + SUIT_COUNT]
            info = ranks.get(code) or book.rank(code, 0)
            self.vectors.append(info.vectors)
            keys.append(info.weighted(rank, weights) if info.held else info.keys)
        self.vectors.reverse()
        self._keys: Final = list(zip(*keys, strict=True))
        """By suit, from the king down."""

    def suit(self, suit: int, jokers: int, budget: int) -> Suit:
        """Return a suit, given the jokers for its sequences and the most cards counted."""
        codes = self._codes
        keys = self._keys[suit]
        kept = 0
        queen, king = codes[CELLS - 2 * SUIT_COUNT + suit], codes[CELLS - SUIT_COUNT + suit]
        if codes[suit] and (queen > 0) + (king > 0) + jokers >= 2:
            kept = _CARDS[codes[suit]]
            keys = (*keys[:-1], keys[-1] + KEEPING)
        return suit_of(self._memory.king(self._most, kept, jokers, budget), keys)


def ranks_in(cards: int) -> list[int]:
    """Return the ranks that packed cards have."""
    found: list[int] = []
    while cards:
        rank = ((cards & -cards).bit_length() - 1) // RANK_BITS
        found.append(rank)
        cards &= -1 << RANK_BITS * (rank + 1)
    return found


def cards_by_suit(hand: int) -> list[int]:
    """Return the number of cards of each suit in a packed hand."""
    codes = hand.to_bytes(BYTES, "little").translate(_CARDS)
    return [sum(codes[suit:CELLS:SUIT_COUNT]) for suit in range(SUIT_COUNT)]


def fitting(table: int, hand: int, jokers: int) -> int:
    """Return those cards of a packed hand that lie in some meld that all the cards could make."""
    on_table = present(table)
    in_hand = present(hand >> 3)
    while in_hand:
        fit = in_hand & melded(on_table | in_hand, jokers)
        if fit == in_hand:
            break
        in_hand = fit
    return hand & in_hand * 3 * HAND


def present(cards: int) -> int:
    """Return ones at the cells that have cards in bits 0-2."""
    return (cards | cards >> 1 | cards >> 2) & _ONES


def melded(here: int, jokers: int) -> int:
    """Return ones at the cells that lie in some meld of cards at ``here`` and of free jokers.

    One joker leaves two cards of the meld to be found, two jokers leave no question.
    """
    if jokers > 1:
        return _ONES
    ring = here | (here & _ALL_SUITS) << 8 * CELLS
    second = ring >> RANK_BITS
    third = second >> RANK_BITS
    suits = (here & _CLUBS) + (here >> 8 & _CLUBS) + (here >> 16 & _CLUBS) + (here >> 24 & _CLUBS)
    if jokers:
        runs = ring & (second | third) | second & third
        groups = suits >> 1 | suits >> 2
    else:
        runs = ring & second & third
        groups = suits >> 1 & suits | suits >> 2
    runs |= runs << RANK_BITS | runs << 2 * RANK_BITS
    return (runs | runs >> 8 * CELLS | (groups & _CLUBS) * _ALL_SUITS) & _ONES
