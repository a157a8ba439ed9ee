"""From numbers back to melds: an arrangement that keeps old melds where it can.

The search says how many cards of each cell go into groups and how many into sequences. Where
these numbers are what they were the old melds stay as they are. Elsewhere old melds are kept, one
after the other, if what is left can still be made into melds, and the rest is built anew. At last
each old meld that was broken is tried once more against all the cards outside kept melds, with
another search as the judge: it may be that other numbers do as well.

All numbers are packed, a byte a cell, see :mod:`engine.solver.position`; an ace that lies high in
a sequence has a byte after all cells.
"""

from __future__ import annotations

from typing import Final

from engine.cards import JOKER, Card, Meld, Tableau
from engine.solver.plans import Plan
from engine.solver.position import (
    BYTES,
    CELLS,
    COUNTS,
    FACE_OF,
    RANK_BITS,
    RANK_BYTES,
    SUIT_BYTES,
    Book,
    Layers,
    MeldInfo,
    Position,
    group_count,
    melded,
    present,
    ranks_in,
)
from engine.solver.search import Line, Problem, Search
from engine.solver.suits import HOPELESS, RANK_COUNT, SUIT_COUNT, Suit

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
        if not _is_runs(_suit_of(rest, info.cells[0] % SUIT_COUNT)):
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
    return list((groups >> RANK_BITS * rank & RANK_BYTES).to_bytes(SUIT_COUNT, "little"))


def _suit_of(runs: int, suit: int) -> list[int]:
    """Return the numbers of a suit, high aces last."""
    return list(runs.to_bytes(BYTES, "little")[suit::SUIT_COUNT])


def _is_groups(cards: list[int]) -> bool:
    """Say whether groups can be made of so many cards of each suit (M4.2)."""
    count = (sum(cards) + 3) // 4
    return max(cards) <= count and 3 * count <= sum(cards)


def _is_runs(cards: list[int]) -> bool:
    """Say whether sequences can be made of so many cards of each rank (M4.3, M4.4)."""
    one = two = more = 0  # sequences so far of one card, of two, of three or more
    for count in cards:
        going_on = count - one - two
        if going_on < 0:
            return False
        two, more = one, two + min(more, going_on)
        one = count - two - more
    return one == 0 and two == 0


def _groups(rank: int, cards: list[int], hints: list[list[int]]) -> list[Piece]:
    """Return groups of so many cards of each suit, as like the hints as may be."""
    cells = range(SUIT_COUNT * rank, SUIT_COUNT * rank + SUIT_COUNT)
    left = {cell: cards[cell % SUIT_COUNT] for cell in cells if cards[cell % SUIT_COUNT]}
    found: list[Piece] = []
    for count in range((sum(cards) + 3) // 4, 1, -1):
        # The groups after this one take three or four cards each, and one of every suit at most.
        total = sum(left.values())
        least = max(3, total - 4 * (count - 1))
        most = min(4, total - 3 * (count - 1))
        hint = hints[len(found)] if len(found) < len(hints) else []
        piece = [cell for cell in left if left[cell] == count]
        likely = [cell for cell in left if left[cell] < count and cell in hint]
        piece += likely[: most - len(piece)]
        others = [cell for cell in left if cell not in piece]
        piece += others[: max(0, least - len(piece))]
        found.append(sorted(piece))
        left = {cell: left[cell] - (cell in piece) for cell in left}
        left = {cell: left[cell] for cell in left if left[cell]}
    found.append(list(left))
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
    """Cards that are to lie in melds, as many old ones among them as a greedy search can keep."""

    __slots__ = ("_book", "_cards", "_jokers", "_kept", "_numbers", "_old")

    def __init__(self, position: Position, cards: int, numbers: Numbers, jokers: int) -> None:
        self._book: Final = position.book
        self._old: Final = position.melds
        self._cards = cards
        """All cards outside kept melds, jokers among them."""
        self._numbers = numbers
        self._jokers = jokers
        """Jokers outside kept melds, by the cell of their name."""
        self._kept: Final = [False] * len(self._old)

    def tableau(self) -> Tableau:
        """Return the melds: kept ones in their order, what became of others in their place."""
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

    def keep_fitting(self, groups: int, runs: int, jokers: int) -> None:
        """Keep old melds that leave numbers of which melds can be made.

        The arguments are the numbers of old groups, old sequences and old jokers.
        """
        numbers = self._numbers
        regrouped = numbers.groups ^ groups
        rerun = numbers.runs ^ runs
        jokers |= self._jokers
        for i, info in enumerate(self._old):
            if jokers and not self._has(info):
                continue
            # Where nothing changed, taking some of the old melds leaves the others of them.
            if (regrouped if info.is_group else rerun) & info.area:
                if not numbers.release(info):
                    continue
            elif info.is_group:
                numbers.groups -= info.cards
            else:
                numbers.runs -= info.run
            self._keep(i)

    def keep_searching(self) -> None:
        """Keep old melds that leave cards of which melds can be made with other numbers."""
        for i, info in enumerate(self._old):
            if not self._kept[i] and self._has(info):
                numbers = _arranged(self._book, self._cards - info.cards)
                if numbers is not None:
                    self._numbers = numbers
                    self._keep(i)

    def _has(self, info: MeldInfo) -> bool:
        """Say whether the very cards of a meld are outside kept melds."""
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
        if not self._jokers:
            return tuple([FACE_OF[cell] for cell in piece])
        cards: list[Card] = []
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


def _arranged(book: Book, cards: int) -> Numbers | None:
    """Return numbers that make melds of all these cards, None if there are none."""
    here = present(cards)
    if melded(here, 0) & here != here:
        return None
    layers = Layers(book, cards.to_bytes(BYTES, "little"), {})
    suits: list[Suit] = []
    for i in range(SUIT_COUNT):
        suits.append(layers.suit(i, 0, 0))
        if suits[i].debt >= HOPELESS:
            return None
    search = Search(-1)
    if not search.run(Problem(suits, layers.vectors, 0)):
        return None
    groups = _groups_of(search)
    high = 0
    for i, suit in enumerate(suits):
        if suit.machine.kept:
            high += Line(suit.machine, search.steps, i).high_aces << 8 * i
    return Numbers(groups, _runs_of(cards, groups, high))


def _groups_of(search: Search) -> int:
    """Return the cards that the best play has in groups."""
    return int.from_bytes([option.groups for step in search.steps for option in step], "little")


def _runs_of(cards: int, groups: int, high: int) -> int:
    """Return the cards that are in sequences, given the high aces."""
    return cards - groups - high + (high << 8 * CELLS)


def outcome(position: Position, plan: Plan, search: Search) -> tuple[list[Card], Tableau]:
    """Return the cards that the best play takes from the hand, and the tableau after it."""
    case = plan.case
    played = [FACE_OF[cell] for cell in case.forced]
    played += [JOKER] * (plan.jokers - case.least)
    cards = case.table & COUNTS
    names = case.fixed[:]
    groups = _groups_of(search)
    for rank in sorted(set(plan.in_groups)):
        for cell in _named_in_groups(position, groups, rank, plan.in_groups.count(rank)):
            groups += 1 << 8 * cell
            cards += 1 << 8 * cell
            names.append(cell)
    high = 0
    for i, suit in enumerate(plan.problem.suits):
        if not (case.held & SUIT_BYTES[i] or suit.machine.kept or suit.machine.jokers):
            continue
        line = Line(suit.machine, search.steps, i)
        high += line.high_aces << 8 * i
        for rank in line.played:
            cards += 1 << 8 * (SUIT_COUNT * rank + i)
            played.append(FACE_OF[SUIT_COUNT * rank + i])
        for rank in line.jokers:
            cards += 1 << 8 * (SUIT_COUNT * rank + i)
            names.append(SUIT_COUNT * rank + i)
    jokers = sum([1 << 8 * cell for cell in names])
    numbers = Numbers(groups, _runs_of(cards, groups, high))
    arranger = Arranger(position, cards, numbers, jokers)
    old_groups = position.table >> 5 & COUNTS
    old_high = position.table >> 8 * CELLS
    old_runs = _runs_of(position.table & COUNTS, old_groups, old_high)
    old_jokers = sum([1 << 8 * cell for cell in position.names])
    arranger.keep_fitting(old_groups, old_runs, old_jokers)
    arranger.keep_searching()
    return played, arranger.tableau()


def _named_in_groups(position: Position, groups: int, rank: int, jokers: int) -> list[int]:
    """Return cells to name so many jokers after that join the groups of a rank.

    An old name is kept if the groups have room for it; a suit that is missing comes next.
    """
    found: list[int] = []
    left = _rank_of(groups, rank)
    count = group_count(left, jokers)
    for _ in range(jokers):
        room = [
            (SUIT_COUNT * rank + suit not in position.names, left[suit], suit)
            for suit in range(SUIT_COUNT)
            if left[suit] < count
        ]
        suit = min(room)[2]
        left[suit] += 1
        found.append(SUIT_COUNT * rank + suit)
    return found
