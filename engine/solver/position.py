"""Positions packed into integers, and the group vectors that each rank allows.

Cell ``4 * rank + suit`` has a byte of its own: cards on the tableau in bits 0-2, in the hand in
bits 3-4, those of old groups in bits 5-7. Four more bytes count the aces that lie high in a
sequence. A meld is thus one number, a tableau a sum, a rank four bytes that look up its group
vectors, and a question to all cells at once a few shifts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.cards import FACES, RANK_OF, SUIT_OF, Card, Meld, is_joker, named
from engine.solver.search import Problem, Vector, numbers_of
from engine.solver.suits import (
    GROUPS,
    HAND,
    KEEPING,
    MOST_GROUPS,
    RANK_COUNT,
    SUIT_COUNT,
    WEIGHT,
    Memory,
    Segment,
    Suit,
)

CELLS: Final = RANK_COUNT * SUIT_COUNT
BYTES: Final = CELLS + SUIT_COUNT
OLD_GROUP: Final = 32
"""The unit of bits 5-7 of a cell's byte; those of bits 0-4 are the kernel's TABLE and HAND."""

CELL_OF: Final[dict[Card, int]] = {
    face: SUIT_COUNT * RANK_OF[face] + SUIT_OF[face] for face in FACES
}
FACE_OF: Final[list[Card]] = sorted(FACES, key=CELL_OF.__getitem__)

UNIT_OF: Final[dict[Card, int]] = {face: HAND << 8 * cell for face, cell in CELL_OF.items()}
"""A card in the hand."""

_ONES: Final = int.from_bytes(b"\1" * CELLS, "little")
_CLUBS: Final = int.from_bytes(b"\1\0\0\0" * RANK_COUNT, "little")
_ACES: Final = int.from_bytes(b"\1\1\1\1", "little")
_CARDS: Final = bytes([(code & 7) + (code >> 3 & 3) for code in range(256)])
"""By code of a cell, the cards on the tableau and in the hand."""

_RANK: Final = 8 * SUIT_COUNT
_TOP: Final = 8 * CELLS


SUIT_BYTES: Final[list[int]] = [
    int.from_bytes(bytes([255 * (i % SUIT_COUNT == suit) for i in range(BYTES)]), "little")
    for suit in range(SUIT_COUNT)
]
"""All bytes of each suit."""

SEVENS: Final = int.from_bytes(b"\7" * CELLS, "little")


class MeldInfo:
    """What the solver needs to know of a legal meld on the tableau."""

    __slots__ = (
        "area", "canonical", "cards", "cells", "first", "is_group", "joker_cards", "jokers",
        "open", "packed", "run", "suit",
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
        self.canonical: Final = tuple(ordered)
        self.first: Final = cells[0] // SUIT_COUNT
        """Rank of the first card."""
        self.suit: Final = cells[0] % SUIT_COUNT
        """Suit of the first card."""
        self.jokers: Final = [CELL_OF[named(card)] for card in ordered if is_joker(card)]
        self.joker_cards: Final = sum([1 << 8 * cell for cell in self.jokers])
        self.open: Final = self._open()
        self.area: Final = (
            0xFFFFFFFF << 32 * self.first if self.is_group else SUIT_BYTES[self.suit]
        )
        """The bytes whose cards could be exchanged with this meld's, melds being what they are."""

    def _open(self) -> int:
        """Return ones at the cells whose card could be added and all melds stay legal."""
        found = 0
        size = len(self.cells)
        if self.is_group:
            for cell in range(SUIT_COUNT * self.first, SUIT_COUNT * self.first + SUIT_COUNT):
                if cell not in self.cells:
                    found |= 1 << 8 * cell
            return found
        for place in range(-1, size + 1):
            rank = self.first + place
            # At an end, or as the end and the beginning of two sequences that share the card.
            if 0 <= rank <= RANK_COUNT and (place in (-1, size) or 2 <= place <= size - 3):
                cell = SUIT_COUNT * (rank % RANK_COUNT) + self.cells[0] % SUIT_COUNT
                found |= 1 << 8 * cell
        return found


class RankInfo:
    """The group vectors that the cards of one rank allow, nearest to the old groups first."""

    __slots__ = ("hand", "keys", "vectors")

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
        if jokers:
            found = [entry for entry in found if max(entry[1]) > 0]
        found.sort()
        self.vectors: Final = [vector for _, vector in found]
        self.keys: Final[list[int]] = []
        """The keys of the four suits' tails, but for the weights of hand cards."""
        for suit in range(SUIT_COUNT):
            key = (codes[suit] & OLD_GROUP - 1) + GROUPS * numbers_of(self.vectors, suit)
            self.keys.append(key)
        self.hand: Final = [suit for suit in range(SUIT_COUNT) if codes[suit] & 3 * HAND]
        """The suits with hand cards."""

    def weighted(self, rank: int, weights: Mapping[Card, int]) -> list[int]:
        """Return the keys with the weights of hand cards."""
        keys = self.keys[:]
        for suit in self.hand:
            keys[suit] += WEIGHT * weights[FACE_OF[SUIT_COUNT * rank + suit]]
        return keys


def group_count(vector: Vector, jokers: int) -> int:
    """Return the number of groups that so many cards and jokers of a rank make (M4.2)."""
    return (sum(vector) + jokers + 3) // 4


class Book:
    """All that is remembered between two calls, kept within bounds."""

    __slots__ = ("_ranks", "melds", "memory")

    LIMIT: Final = 60_000
    """Entries after which everything is forgotten."""

    def __init__(self) -> None:
        self.memory: Final = Memory()
        self.melds: Final[dict[Meld, MeldInfo]] = {}
        self._ranks: Final[list[dict[bytes, RankInfo]]] = [{}, {}, {}]

    def trim(self) -> None:
        """Forget everything if it has become too much; to be called before a solution begins."""
        size = self.memory.size + len(self.melds)
        for ranks in self._ranks:
            size += len(ranks)
        if size > self.LIMIT:
            self.memory.clear()
            self.melds.clear()
            for ranks in self._ranks:
                ranks.clear()

    def meld(self, meld: Meld) -> MeldInfo:
        """Return what is to be known of a meld on the tableau."""
        found = self.melds.get(meld)
        if found is None:
            found = self.melds[meld] = MeldInfo(meld)
        return found

    def rank(self, codes: bytes, rank: int, jokers: int) -> RankInfo:
        """Return what a rank allows beside so many jokers in its groups."""
        code = codes[SUIT_COUNT * rank : SUIT_COUNT * rank + SUIT_COUNT]
        ranks = self._ranks[jokers]
        found = ranks.get(code)
        if found is None:
            found = ranks[code] = RankInfo(code, jokers)
        return found

    def layers(self, codes: bytes, weights: Mapping[Card, int]) -> Layers:
        """Return the cards rank by rank, no joker being in groups."""
        keys: list[list[int]] = []
        vectors: list[list[Vector]] = []
        ranks = self._ranks[0]
        for rank in range(RANK_COUNT):
            code = codes[SUIT_COUNT * rank : SUIT_COUNT * rank + SUIT_COUNT]
            info = ranks.get(code)
            if info is None:
                info = ranks[code] = RankInfo(code, 0)
            vectors.append(info.vectors)
            keys.append(info.weighted(rank, weights) if info.hand else info.keys)
        return Layers(codes, keys, vectors, self.memory)

    def problem(self, codes: bytes, weights: Mapping[Card, int], base: int) -> Problem:
        """Return the problem of these cards, no joker being free."""
        layers = self.layers(codes, weights)
        suits = [layers.suit(suit, 0, 0) for suit in range(SUIT_COUNT)]
        return Problem(suits, layers.vectors, base)


class Layers:
    """The cards rank by rank: keys of stages, and group vectors."""

    __slots__ = ("_codes", "_keys", "_memory", "_most", "vectors")

    def __init__(
        self, codes: bytes, keys: list[list[int]], vectors: list[list[Vector]], memory: Memory
    ) -> None:
        self._codes: Final = codes
        self._keys: Final[list[tuple[int, ...]]] = list(zip(*keys, strict=True))
        """By suit and rank."""
        self.vectors: Final = vectors
        """By rank."""
        self._memory: Final = memory
        self._most: Final = max(2, max(codes.translate(_CARDS)))
        """Most cards of one face."""

    def suit(self, suit: int, jokers: int, budget: int) -> Suit:
        """Return a suit, given the jokers for its sequences and the most cards counted."""
        codes = self._codes
        keys = self._keys[suit]
        kept = 0
        if codes[suit] and (codes[44 + suit] > 0) + (codes[48 + suit] > 0) + jokers >= 2:
            kept = _CARDS[codes[suit]]
            keys = (keys[0] + KEEPING, *keys[1:])
        machine = self._memory.machine(self._most, kept, jokers, budget)
        if kept or jokers or budget:
            return Suit(machine, [(0, machine.segment(keys, budget))])
        segments: list[tuple[int, Segment]] = []
        rank = 0
        for cards in codes[suit:CELLS:SUIT_COUNT].translate(_CARDS).split(b"\0"):
            if cards:
                after = rank + len(cards)
                segments.append((rank, machine.segment(keys[rank:after], 0)))
                rank = after
            rank += 1
        return Suit(machine, segments)


def ranks_in(cards: int) -> list[int]:
    """Return the ranks that packed cards have."""
    found: list[int] = []
    while cards:
        rank = ((cards & -cards).bit_length() - 1) // _RANK
        found.append(rank)
        cards &= -1 << _RANK * (rank + 1)
    return found


def fitting(table: int, hand: int, jokers: int) -> int:
    """Return those cards of a packed hand that lie in some meld that all the cards could make."""
    on_table = present(table)
    in_hand = (hand >> 3 | hand >> 4) & _ONES
    while in_hand:
        fit = in_hand & melded(on_table | in_hand, jokers)
        if fit == in_hand:
            break
        in_hand = fit
    return hand & in_hand * 3 * HAND


def present(cards: int) -> int:
    """Return ones at the cells that have cards on the tableau."""
    return (cards | cards >> 1 | cards >> 2) & _ONES


def melded(here: int, jokers: int) -> int:
    """Return ones at the cells that lie in some meld of cards at ``here`` and of free jokers.

    One joker leaves two cards of the meld to be found, two jokers leave no question.
    """
    if jokers > 1:
        return _ONES
    ring = here | (here & _ACES) << _TOP
    second = ring >> _RANK
    third = second >> _RANK
    suits = (here & _CLUBS) + (here >> 8 & _CLUBS) + (here >> 16 & _CLUBS) + (here >> 24 & _CLUBS)
    if jokers:
        runs = ring & (second | third) | second & third
        groups = suits >> 1 | suits >> 2
    else:
        runs = ring & second & third
        groups = suits >> 1 & suits | suits >> 2
    runs |= runs << _RANK | runs << 2 * _RANK
    return (runs | runs >> _TOP | (groups & _CLUBS) * 0x01010101) & _ONES
