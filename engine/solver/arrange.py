"""From numbers back to melds: an arrangement that keeps old melds where it can.

The kernel says how many cards of each cell go into groups and how many into sequences. Where
these numbers are what they were the old melds stay as they are. Elsewhere old melds are kept, one
after the other, if what is left can still be made into melds, and the rest is built anew. At last
each old meld that was broken is tried once more against all the cards outside kept melds, with the
kernel as the judge: it may be that other numbers do as well.

All numbers are packed, a byte a cell, see :mod:`engine.solver.position`; an ace that lies high in
a sequence has a byte after all cells.
"""

from __future__ import annotations

from typing import Final

from engine.cards import JOKER, Meld, Tableau
from engine.solver.search import Search, Trace
from engine.solver.suits import RANK_COUNT, SUIT_COUNT, Runs, runs_after
from engine.solver.position import (
    BYTES,
    CELLS,
    FACE_OF,
    SUIT_BYTES,
    Book,
    MeldInfo,
    melded,
    present,
    ranks_in,
)

Piece = list[int]
"""The cells of a meld that is not built yet, in canonical order."""

_SIGNS: Final = int.from_bytes(b"\x80" * BYTES, "little")


def _holds(whole: int, part: int) -> bool:
    """Say whether no byte of ``part`` exceeds that of ``whole``."""
    return (whole | _SIGNS) - part & _SIGNS == _SIGNS


class Numbers:
    """Cards in groups and cards in sequences that are not in kept melds."""

    __slots__ = ("groups", "runs")

    def __init__(self, groups: int, runs: int) -> None:
        self.groups = groups
        self.runs = runs

    def release(self, info: MeldInfo) -> bool:
        """Take an old meld out if the others can still be made into melds."""
        if info.is_group:
            if not _holds(self.groups, info.cards):
                return False
            rest = self.groups - info.cards
            if not _is_groups(_rank_of(rest, info.first)):
                return False
            self.groups = rest
            return True
        if not _holds(self.runs, info.run):
            return False
        rest = self.runs - info.run
        if not _is_runs(_suit_of(rest, info.suit)):
            return False
        self.runs = rest
        return True

    def pieces(self, broken: list[MeldInfo]) -> list[Piece]:
        """Return melds of all these cards."""
        found: list[Piece] = []
        for rank in ranks_in(self.groups):
            hints = [info.cells for info in broken if info.is_group and info.first == rank]
            found += _groups(rank, _rank_of(self.groups, rank), hints)
        for suit in range(SUIT_COUNT):
            if self.runs & SUIT_BYTES[suit]:
                found += _sequences(suit, _suit_of(self.runs, suit))
        return found


def _rank_of(groups: int, rank: int) -> list[int]:
    """Return the numbers of the four suits at a rank."""
    return list((groups >> 8 * SUIT_COUNT * rank & 0xFFFFFFFF).to_bytes(SUIT_COUNT, "little"))


def _suit_of(runs: int, suit: int) -> list[int]:
    """Return the numbers of a suit, high aces last."""
    return list(runs.to_bytes(BYTES, "little")[suit::SUIT_COUNT])


def _is_groups(cards: list[int]) -> bool:
    """Say whether groups can be made of so many cards of each suit (M4.2)."""
    count = (sum(cards) + 3) // 4
    return max(cards) <= count and 3 * count <= sum(cards)


def _is_runs(cards: list[int]) -> bool:
    """Say whether sequences can be made of so many cards of each rank (M4.3, M4.4)."""
    runs: Runs | None = (0, 0, 0)
    for count in cards:
        if runs is not None:
            runs = runs_after(runs, count)
    return runs is not None and runs[0] == 0 and runs[1] == 0


def _groups(rank: int, cards: list[int], hints: list[list[int]]) -> list[Piece]:
    """Return groups of so many cards of each suit, as like the hints as may be."""
    left = cards[:]
    found: list[Piece] = []
    for count in range((sum(left) + 3) // 4, 0, -1):
        # The groups after this one take three or four cards each, and one of every suit at most.
        least = max(3, sum(left) - 4 * (count - 1))
        most = min(4, sum(left) - 3 * (count - 1))
        hint = hints[len(found)] if len(found) < len(hints) else []
        suits = [suit for suit in range(SUIT_COUNT) if left[suit] == count]
        for suit in range(SUIT_COUNT):
            hinted = SUIT_COUNT * rank + suit in hint
            if hinted and 0 < left[suit] < count and len(suits) < most:
                suits.append(suit)
        for suit in range(SUIT_COUNT):
            if left[suit] and suit not in suits and len(suits) < least:
                suits.append(suit)
        for suit in suits:
            left[suit] -= 1
        found.append([SUIT_COUNT * rank + suit for suit in sorted(suits)])
    return found


def _sequences(suit: int, cards: list[int]) -> list[Piece]:
    """Return sequences of so many cards of each rank, short ones going on first."""
    done: list[Piece] = []
    live: list[Piece] = []
    for rank in range(RANK_COUNT + 1):
        count = cards[rank]
        if len(live) > 1:
            live.sort(key=len)
        if len(live) > count:
            done += live[count:]
            live = live[:count]
        cell = SUIT_COUNT * (rank % RANK_COUNT) + suit
        for piece in live:
            piece.append(cell)
        while len(live) < count:
            live.append([cell])
    found: list[Piece] = []
    for piece in done + live:
        if len(piece) > RANK_COUNT:  # from ace to ace: no card may stand twice in a sequence
            found.append(piece[:3])
            found.append(piece[3:])
        else:
            found.append(piece)
    return found


class Arranger:
    """The old melds, and the cards that are to lie in melds at the end."""

    __slots__ = ("_book", "_cards", "_jokers", "_kept", "_numbers", "_old")

    def __init__(
        self, book: Book, old: list[MeldInfo], cards: int, numbers: Numbers, jokers: int
    ) -> None:
        self._book: Final = book
        self._old: Final = old
        self._cards = cards
        """All cards outside kept melds, jokers among them."""
        self._numbers = numbers
        self._jokers = jokers
        """Jokers outside kept melds, by the cell of their name."""
        self._kept: Final = [False] * len(old)

    def tableau(self, groups: int, runs: int, jokers: int) -> Tableau:
        """Return the melds, given the numbers of old groups, sequences and jokers.

        Kept melds stand in their order and what became of others in their place, then new ones.
        """
        self._keep_easily(groups, runs, jokers)
        if self._cards and not all(self._kept):
            self._keep_yet()
        broken = [info for i, info in enumerate(self._old) if not self._kept[i]]
        pieces = self._numbers.pieces(broken)
        melds: list[Meld] = []
        for i, info in enumerate(self._old):
            if self._kept[i]:
                melds.append(info.canonical)
            elif pieces:
                heir = _heir(pieces, info.cells)
                if heir >= 0:
                    melds.append(self._built(pieces.pop(heir), info.jokers))
        for piece in pieces:
            melds.append(self._built(piece, []))
        return tuple(melds)

    def _keep_easily(self, groups: int, runs: int, jokers: int) -> None:
        """Keep the melds without which the numbers of groups and sequences are still right."""
        numbers = self._numbers
        regrouped = numbers.groups ^ groups
        resequenced = numbers.runs ^ runs
        jokers |= self._jokers
        for i, info in enumerate(self._old):
            if jokers and not self._has(info):
                continue
            # Any part of the old melds of a rank or suit leaves the others of them.
            if (regrouped if info.is_group else resequenced) & info.area:
                if not numbers.release(info):
                    continue
            elif info.is_group:
                numbers.groups -= info.cards
            else:
                numbers.runs -= info.run
            self._keep(i)

    def _keep_yet(self) -> None:
        """Keep broken melds if the kernel finds some arrangement of the other loose cards."""
        for i, info in enumerate(self._old):
            if not self._kept[i] and self._has(info):
                numbers = arranged(self._book, self._cards - info.cards)
                if numbers is not None:
                    self._numbers = numbers
                    self._keep(i)

    def _has(self, info: MeldInfo) -> bool:
        """Say whether the very cards of a meld are loose."""
        reals = self._cards - self._jokers
        return _holds(self._jokers, info.joker_cards) and _holds(
            reals, info.cards - info.joker_cards
        )

    def _keep(self, i: int) -> None:
        self._kept[i] = True
        self._cards -= self._old[i].cards
        self._jokers -= self._old[i].joker_cards

    def _built(self, piece: Piece, joker_cells: list[int]) -> Meld:
        """Return a meld, with jokers where real cards are missing or jokers lay before."""
        cards: list[str] = []
        for cell in piece:
            count = self._cards >> 8 * cell & 7
            jokers = self._jokers >> 8 * cell & 7
            self._cards -= 1 << 8 * cell
            if jokers and (jokers == count or cell in joker_cells):
                self._jokers -= 1 << 8 * cell
                cards.append(JOKER + FACE_OF[cell])
            else:
                cards.append(FACE_OF[cell])
        return tuple(cards)


def _heir(pieces: list[Piece], cells: list[int]) -> int:
    """Return which piece has most cards of a broken meld, two at least, or -1."""
    best = -1
    most = 1
    for i, piece in enumerate(pieces):
        common = sum([1 for cell in piece if cell in cells])
        if common > most:
            best = i
            most = common
    return best


def arranged(book: Book, cards: int) -> Numbers | None:
    """Return numbers that make melds of all these cards, None if there are none."""
    here = present(cards)
    if melded(here, 0) & here != here:
        return None
    codes = cards.to_bytes(BYTES, "little")
    problem = book.problem(codes, {}, 0)
    search = Search(-1)
    if problem.bound < 0 or not search.run(problem):
        return None
    groups = int.from_bytes(
        bytes([option.groups for step in search.steps for option in step]), "little"
    )
    high = 0
    for suit in range(SUIT_COUNT):
        machine = problem.suits[suit].machine
        if machine.kept:
            trace = Trace(search.problem.suits[suit], [step[suit] for step in search.steps])
            high += machine.states[trace.state(RANK_COUNT - 1)].kept << 8 * suit
    return Numbers(groups, cards - groups - high + (high << 8 * CELLS))
