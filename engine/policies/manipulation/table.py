"""The melds of a playout, quick to copy and to lay on.

Cards are numbers here: ``rank * 4 + suit``, and 52 for a joker in hand. A joker that lies on the
table is the card it is named after; its name is kept, so that the solver can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import JOKER, RANK_OF, RANKS, SUIT_OF, SUITS, Card, Tableau, is_joker, named
from engine.manipulation.rules import POINTS

Cell = int
"""A card: ``rank * 4 + suit``, or :data:`WILD`."""

WILD: Final = 52
FACE_OF: Final[list[Card]] = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER]
CELL_OF: Final[dict[Card, Cell]] = {face: cell for cell, face in enumerate(FACE_OF)}
WORTH: Final = [POINTS[face] for face in FACE_OF]

KING: Final = 12
"""The rank of the king, above which an ace may lie."""

HIGH: Final = 13
"""The rank of an ace above the king."""

SPAN: Final = RANKS + RANKS[0]
ALL_SUITS: Final = 15
MEMBERS: Final = [[suit for suit in range(4) if mask >> suit & 1] for mask in range(16)]
"""The suits of a mask."""


def points(cells: Sequence[Cell]) -> int:
    """Return what cards count in hand (M7.1)."""
    return sum([WORTH[cell] for cell in cells])


def without(hand: Sequence[Cell], cells: Sequence[Cell]) -> list[Cell]:
    """Return a hand without some of its cards."""
    left = list(hand)
    for cell in cells:
        left.remove(cell)
    return left


class Table:
    """Melds: by rank the suits of its groups as masks, by suit first and last of its sequences."""

    __slots__ = ("groups", "names", "sequences")

    def __init__(
        self, groups: list[list[int]], sequences: list[list[tuple[int, int]]], names: list[Cell]
    ) -> None:
        self.groups = groups
        self.sequences = sequences
        self.names = names
        """What the jokers that lie here are named."""

    @classmethod
    def of(cls, tableau: Tableau) -> Table:
        """Return the melds of a legal tableau in canonical order."""
        table = cls([[] for _ in RANKS], [[] for _ in SUITS], [])
        for meld in tableau:
            faces = [named(card) for card in meld]
            rank = RANK_OF[faces[0]]
            if faces[0][0] == faces[1][0]:
                table.groups[rank].append(sum([1 << SUIT_OF[face] for face in faces]))
            else:
                table.sequences[SUIT_OF[faces[0]]].append((rank, rank + len(faces) - 1))
            table.names += [CELL_OF[named(card)] for card in meld if is_joker(card)]
        return table

    def copy(self) -> Table:
        """Return the same melds, to be changed."""
        groups = [masks[:] for masks in self.groups]
        return Table(groups, [spans[:] for spans in self.sequences], self.names[:])

    def tableau(self, *, jokers: bool) -> Tableau:
        """Return the melds as cards; without ``jokers`` the cards that they are named after."""
        melds = []
        for rank, masks in enumerate(self.groups):
            for mask in masks:
                melds.append([RANKS[rank] + SUITS[suit] for suit in MEMBERS[mask]])
        for suit, spans in enumerate(self.sequences):
            for first, last in spans:
                melds.append([rank + SUITS[suit] for rank in SPAN[first : last + 1]])
        for face in [FACE_OF[cell] for cell in self.names] if jokers else ():
            meld = next(meld for meld in melds if face in meld)
            meld[meld.index(face)] = JOKER + face
        return tuple([tuple(meld) for meld in melds])

    def add(self, cell: Cell) -> bool:
        """Add a card to a meld without moving any other, if it fits."""
        rank, suit = cell >> 2, cell & 3
        masks = self.groups[rank]
        for i, mask in enumerate(masks):
            if mask == ALL_SUITS ^ 1 << suit:
                masks[i] = ALL_SUITS
                return True
        spans = self.sequences[suit]
        for i, (first, last) in enumerate(spans):
            if rank == first - 1:
                if rank or last < HIGH:  # no ace at both ends (M4.4)
                    spans[i] = (rank, last)
                    return True
            elif rank == last + 1 or (rank == 0 and last == KING and first):
                spans[i] = (first, last + 1)
                return True
            elif first + 2 <= rank <= last - 2:
                spans[i] = (first, rank)
                spans.append((rank, last))
                return True
        return False

    def add_jokers(self, count: int) -> int:
        """Add jokers to melds as any cards that fit, high ones first; return how many do not."""
        for cell in range(WILD - 1, -1, -1):
            while count and self.add(cell):
                self.names.append(cell)
                count -= 1
        return count

    def lay(self, hand: Sequence[Cell]) -> list[Cell]:
        """Lay what is easily laid of a hand without jokers; return what is left of it.

        First whatever can be added to a meld, then melds of the hand's own, then two cards with one
        that a longer meld can spare, until nothing is laid any more.
        """
        left = list(hand)
        while True:
            before = len(left)
            left = [cell for cell in left if not self.add(cell)]
            if len(left) == before:
                left = self._lay_own(left)
            if len(left) == before:
                left = self._lay_with_spare(left)
            if len(left) == before:
                return left

    def _lay_own(self, hand: list[Cell]) -> list[Cell]:
        """Lay the first meld that a hand holds by itself."""
        by_suit, by_rank = [0] * 4, [0] * 13
        for cell in hand:
            by_suit[cell & 3] |= 1 << (cell >> 2)
            by_rank[cell >> 2] |= 1 << (cell & 3)
        for suit in range(4):
            ranks = by_suit[suit] | (by_suit[suit] & 1) << HIGH
            starts = ranks & ranks >> 1 & ranks >> 2
            if starts:
                first = (starts & -starts).bit_length() - 1
                last = first + 2
                while last < HIGH - (first == 0) and ranks >> last + 1 & 1:
                    last += 1
                self.sequences[suit].append((first, last))
                return without(hand, [rank % 13 * 4 + suit for rank in range(first, last + 1)])
        for rank in range(12, -1, -1):
            suits = MEMBERS[by_rank[rank]]
            if len(suits) >= 3:
                self.groups[rank].append(by_rank[rank])
                return without(hand, [rank * 4 + suit for suit in suits])
        return hand

    def _lay_with_spare(self, hand: list[Cell]) -> list[Cell]:
        """Lay the first two cards of a hand that make a meld with a spare card."""
        held = set(hand)
        for cell in sorted(held):
            rank, suit = cell >> 2, cell & 3
            for other in range(suit + 1, 4):
                if rank * 4 + other in held:
                    for third in range(4):
                        if third not in (suit, other) and self._spare(rank, third):
                            self.groups[rank].append(1 << suit | 1 << other | 1 << third)
                            return without(hand, [cell, rank * 4 + other])
            if cell + 4 in held:
                if rank and self._spare(rank - 1, suit):
                    self.sequences[suit].append((rank - 1, rank + 1))
                    return without(hand, [cell, cell + 4])
                if self._spare((rank + 2) % 13, suit):
                    self.sequences[suit].append((rank, rank + 2))
                    return without(hand, [cell, cell + 4])
            elif cell + 8 in held and self._spare(rank + 1, suit):
                self.sequences[suit].append((rank, rank + 2))
                return without(hand, [cell, cell + 8])
        return hand

    def _spare(self, rank: int, suit: int) -> bool:
        """Take a card from the end of a long sequence or from a group of four, if there is one."""
        spans = self.sequences[suit]
        for i, (first, last) in enumerate(spans):
            if last - first >= 3:
                if first == rank:
                    spans[i] = (first + 1, last)
                    return True
                if last == rank or (last == HIGH and rank == 0):
                    spans[i] = (first, last - 1)
                    return True
        masks = self.groups[rank]
        for i, mask in enumerate(masks):
            if mask == ALL_SUITS:
                masks[i] = ALL_SUITS ^ 1 << suit
                return True
        return False
