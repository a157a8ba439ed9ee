"""The tableau step by step as it is drawn: melds that keep their places, and marks of change.

A card on the tableau has an id for as long as it lies there, a meld has one for as long as it
keeps most of its cards. Equal cards are numbered in the order in which they came to the tableau,
never by the pack they are from: which of two equal cards was moved is nobody's knowledge.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count

from engine.cards import HIDDEN, Card, Meld, Tableau, in_order, is_joker, physical, pretty
from engine.events import Event, Faulted, Forfeited
from engine.manipulation.events import DealEnded, DealEnding, Drew, Melded, Passed
from engine.manipulation.phase import change
from engine.manipulation.rules import hand_points as points_of
from engine.manipulation.state import State
from engine.variant import TurnLabel
from engine.words import meld_name


class Mark(StrEnum):
    """What the last turn did to a card."""

    NONE = ""
    NEW = "new"
    """It came from the hand."""
    MOVED = "moved"
    """It came from another meld."""


class Change(StrEnum):
    """What the last turn did to a meld."""

    NONE = ""
    FRESH = "fresh"
    """It holds cards from the hand."""
    CHANGED = "changed"
    """Cards of the tableau were moved to it or from it, or a joker has another name."""


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A card lying on the tableau."""

    id: str
    """``k6h-2`` is the second six of hearts that came to the tableau; jokers are ``kx``."""
    card: Card
    mark: Mark = Mark.NONE
    origin: str = ""
    """Name of the meld that it was moved from."""


@dataclass(frozen=True, slots=True)
class BoardMeld:
    """A meld lying on the tableau."""

    slot: int
    """Its place, from 1, through the whole deal; places of melds that are gone stay empty."""
    name: str
    cards: tuple[BoardCard, ...]
    change: Change = Change.NONE
    tag: str = ""
    """``new``, ``split``, ``joined``, ``+2``, ``−1`` or ``renamed``."""

    @property
    def id(self) -> str:
        """The meld's id on a page."""
        return f"m{self.slot}"


@dataclass(frozen=True, slots=True)
class Board:
    """A tableau after a turn."""

    melds: tuple[BoardMeld, ...] = ()
    """In order of their places."""
    played: tuple[Card, ...] = ()
    """What the turn laid from the hand, in canonical order; jokers have no name here."""
    next_slot: int = 1

    @property
    def cards(self) -> int:
        """Number of cards on the tableau."""
        return sum(len(meld.cards) for meld in self.melds)


def boards(states: Iterable[State]) -> list[Board]:
    """Return a board for each state, where each state follows the last by one turn."""
    made = []
    board, number = Board(), 0
    for state in states:
        if state.deal_number != number:
            board, number = Board(), state.deal_number
        board = _after(board, state.deal.tableau if state.deal else ())
        made.append(board)
    return made


def sketch(state: State) -> tuple[str, ...]:
    """Return the tableau and the pile as lines of text."""
    tableau = state.deal.tableau if state.deal else ()
    pile = state.deal.pile if state.deal else 0
    melds = [" ".join(map(pretty, meld)) for meld in tableau] or ["(no melds)"]
    return (*melds, f"pile: {pile}")


def hand_points(state: State) -> tuple[int | None, ...]:
    """Return the points of each hand (M7.1), None where it is not known or out of play."""
    hands = state.deal.hands if state.deal else ()
    return tuple(
        None if seat in state.forfeits or HIDDEN in hand else points_of(hand)
        for seat, hand in enumerate(hands)
    )


def turn_label(before: State, events: Sequence[Event], after: State) -> TurnLabel:
    """Return a turn in a few signs: ``▲3 ⟳2``, ``draw 3``, ``knock``.

    :param before: the state in which the turn began.
    :param events: what happened until it was over.
    """
    draws = before.deal.draws if before.deal else 0
    draws += sum(isinstance(event, Drew) for event in events)
    main, aside, end = "–", "", ""
    words = [f"draws {draws}"] if draws else []
    for event in events:
        if isinstance(event, Melded):
            laid, moved = _amounts(before, event)
            main, aside = f"▲{laid}", f"⟳{moved}" if moved else ""
            words.append(f"plays {laid} from hand")
            words += [f"rearranges {moved}"] if moved else []
        elif isinstance(event, Passed):
            main = f"draw {draws}" if draws else "pass"
            words.append("lays nothing")
        elif isinstance(event, Faulted):
            aside = "fault"
            words.insert(0, "faults")
        elif isinstance(event, Forfeited) and event.seat == before.turn:
            end = "forfeit"
        elif isinstance(event, DealEnded) and event.ending is DealEnding.OUT:
            end = "out"
        if isinstance(event, Melded | Passed) and event.knock:
            end = "knock"
    words += [_ENDS[end]] if end else []
    quiet = not main.startswith("▲")
    return TurnLabel("" if quiet and end else main, ", ".join(words), aside, end, quiet)


_ENDS = {"forfeit": "forfeits", "out": "goes out", "knock": "knocks"}


def _amounts(before: State, event: Melded) -> tuple[int, int]:
    """Return how many cards came from the hand and how many melds were broken up or joined."""
    old = before.deal.tableau if before.deal else ()
    fresh = Counter(change(old, event.tableau).played)
    left = deque(event.tableau)
    moved = 0
    for meld in old:
        heir = next((new for new in left if _extends(meld, new, fresh)), None)
        if heir is None:
            moved += 1
        else:
            left.remove(heir)
    return fresh.total(), moved


def _extends(old: Meld, new: Meld, fresh: Counter[Card]) -> bool:
    return set(old) <= set(new) and Counter(physical(c) for c in new if c not in old) <= fresh


def _after(board: Board, tableau: Tableau) -> Board:
    """Return the board when the tableau lies anew."""
    heirs = _heirs([tuple(c.card for c in meld.cards) for meld in board.melds], tableau)
    unchanged = {
        new: board.melds[old]
        for new, old in heirs.items()
        if tuple(c.card for c in board.melds[old].cards) == tableau[new]
    }
    if len(unchanged) == len(tableau) == len(board.melds):
        return replace(board, melds=tuple(map(_settled, board.melds)), played=())
    told = _Turn(board, tableau, heirs)
    slots = count(board.next_slot)
    melds = []
    for new in range(len(tableau)):
        if new in unchanged:
            melds.append(_settled(unchanged[new]))
        elif new in heirs:
            melds.append(told.meld(new, board.melds[heirs[new]].slot))
        else:
            melds.append(told.meld(new, next(slots)))
    melds.sort(key=lambda meld: meld.slot)
    played = [physical(c.card) for m in melds for c in m.cards if c.mark is Mark.NEW]
    return Board(tuple(melds), in_order(played), next(slots))


def _settled(meld: BoardMeld) -> BoardMeld:
    """Return a meld that the turn left alone."""
    if not meld.change:
        return meld
    cards = tuple(BoardCard(card.id, card.card) for card in meld.cards)
    return BoardMeld(meld.slot, meld.name, cards)


def _heirs(old: Sequence[Meld], new: Sequence[Meld]) -> dict[int, int]:
    """Return for new melds the old meld whose place they take: unchanged ones, then those that
    keep most of its or consist mostly of its cards, for the most cards in all.
    """
    found: dict[int, int] = {}
    same: dict[Meld, deque[int]] = defaultdict(deque)
    for i, meld in enumerate(old):
        same[meld].append(i)
    for j, meld in enumerate(new):
        if same[meld]:
            found[j] = same[meld].popleft()
    taken = set(found.values())
    rows = [i for i in range(len(old)) if i not in taken]
    columns = [j for j in range(len(new)) if j not in found]
    olds = {i: Counter(map(physical, old[i])) for i in rows}
    news = {j: Counter(map(physical, new[j])) for j in columns}
    claims = {(i, j): _claim(olds[i], news[j]) for i in rows for j in columns}
    rows = [i for i in rows if any(claims[i, j] for j in columns)]
    columns = [j for j in columns if any(claims[i, j] for i in rows)]
    for row, column in _matching([[claims[i, j] for j in columns] for i in rows]):
        found[columns[column]] = rows[row]
    return found


def _claim(old: Counter[Card], new: Counter[Card]) -> int:
    """Return how many cards of ``old`` are in ``new``, or 0 if that is most of neither."""
    if old.keys().isdisjoint(new):
        return 0
    shared = (old & new).total()
    return shared if shared * 2 > min(old.total(), new.total()) else 0


def _matching(weights: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return pairs of a row and a column, each at most once, with the largest sum of weights.

    The Hungarian method; pairs of weight 0 are left out.

    >>> sorted(_matching([[3, 2], [3, 0]]))
    [(0, 1), (1, 0)]
    """
    size = max(len(weights), len(weights[0]) if weights else 0)
    cost = [[0] * (size + 1) for _ in range(size + 1)]
    for i, row in enumerate(weights, 1):
        for j, weight in enumerate(row, 1):
            cost[i][j] = -weight
    of_row, of_column = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)
    for i in range(1, size + 1):
        row_of[0], column = i, 0
        least = [1 << 30] * (size + 1)
        back, seen = [0] * (size + 1), [False] * (size + 1)
        while row_of[column]:
            seen[column] = True
            here, delta, nearest = row_of[column], 1 << 30, 0
            for j in range(1, size + 1):
                if seen[j]:
                    continue
                slack = cost[here][j] - of_row[here] - of_column[j]
                if slack < least[j]:
                    least[j], back[j] = slack, column
                if least[j] < delta:
                    delta, nearest = least[j], j
            for j in range(size + 1):
                if seen[j]:
                    of_row[row_of[j]] += delta
                    of_column[j] -= delta
                else:
                    least[j] -= delta
            column = nearest
        while column:
            row_of[column] = row_of[back[column]]
            column = back[column]
    pairs = [(row_of[j] - 1, j - 1) for j in range(1, size + 1)]
    return [(i, j) for i, j in pairs if cost[i + 1][j + 1]]


class _Turn:
    """What a turn did: which card on the new tableau is which, and where it came from."""

    def __init__(self, board: Board, tableau: Tableau, heirs: dict[int, int]) -> None:
        self._old = board.melds
        self._new = tableau
        self._heirs = heirs
        self._left = [list(meld.cards) for meld in board.melds]
        self._counts = Counter(physical(c.card) for m in board.melds for c in m.cards)
        self._placed: list[list[tuple[BoardCard, int | None] | None]] = [
            [None] * len(meld) for meld in tableau
        ]
        for new, old in heirs.items():
            if tuple(card.card for card in self._left[old]) == tableau[new]:
                self._placed[new] = [(card, old) for card in self._left[old]]
                self._left[old] = []
        for same_name in (True, False):  # a joker that keeps its name comes before a renamed one
            for new, old in heirs.items():
                if None in self._placed[new]:
                    self._find(new, [old], same_name)
            for new, meld in enumerate(tableau):
                if None in self._placed[new]:
                    self._find(new, self._nearest(meld), same_name)
        self._lay_from_hand()

    def meld(self, new: int, slot: int) -> BoardMeld:
        """Return a changed meld with its marks."""
        placed = [card for card in self._placed[new] if card is not None]
        home = self._heirs.get(new)
        sources = {source for _, source in placed}
        fresh = sum(source is None for _, source in placed)
        split = home is None and len(sources) == 1 and not fresh
        cards = []
        for card, source in placed:
            if source is None:
                cards.append(BoardCard(card.id, card.card, Mark.NEW))
            elif source != home and not split:
                origin = self._old[source].name
                cards.append(BoardCard(card.id, card.card, Mark.MOVED, origin))
            else:
                cards.append(card)
        change = Change.FRESH if fresh else Change.CHANGED
        tag = "split" if split else "new" if home is None else self._tag(new, home)
        return BoardMeld(slot, meld_name(self._new[new]), tuple(cards), change, tag)

    def _tag(self, new: int, home: int) -> str:
        """Say how a meld differs from the one whose place it has."""
        placed = [source for _, source in filter(None, self._placed[new])]
        kept = placed.count(home)
        gained, lost = len(placed) - kept, len(self._old[home].cards) - kept
        for source in set(placed) - {home, None}:
            if source is not None and placed.count(source) == len(self._old[source].cards):
                return "joined"
        if gained:
            return f"+{gained}"
        if lost:
            return "split" if self._has_offspring(home) else f"−{lost}"
        return "renamed"

    def _has_offspring(self, home: int) -> bool:
        """Say whether another new meld consists of cards of an old one alone."""
        return any(
            new not in self._heirs and {source for _, source in filter(None, cards)} == {home}
            for new, cards in enumerate(self._placed)
        )

    def _nearest(self, meld: Meld) -> list[int]:
        """Return the old melds, those first that have most cards left to give to a new one."""
        given = [sum(c.card in meld for c in cards) for cards in self._left]
        return sorted(range(len(self._old)), key=lambda old: -given[old])

    def _find(self, new: int, olds: Sequence[int], same_name: bool) -> None:
        """Find the cards of a new meld that lay in some old ones."""
        for i, card in enumerate(self._new[new]):
            for old in olds:
                if self._placed[new][i] is None:
                    self._take(new, i, card, old, same_name)

    def _take(self, new: int, i: int, card: Card, old: int, same_name: bool) -> None:
        """Put a card that lay in an old meld to its new place, if it is there."""
        for lying in self._left[old]:
            if lying.card == card or (not same_name and is_joker(card) and is_joker(lying.card)):
                self._left[old].remove(lying)
                self._placed[new][i] = (BoardCard(lying.id, card), old)
                return

    def _lay_from_hand(self) -> None:
        """Number the cards that came to the tableau."""
        for meld, cards in zip(self._new, self._placed, strict=True):
            for i, card in enumerate(meld):
                if cards[i] is None:
                    face = physical(card)
                    self._counts[face] += 1
                    ident = f"k{'x' if is_joker(face) else face}-{self._counts[face]}"
                    cards[i] = (BoardCard(ident, card), None)
