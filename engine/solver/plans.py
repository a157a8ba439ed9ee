"""Cases and plans: everything about free jokers that is settled before a search begins.

A **case** says which jokers are free (M6.4). A joker on the tableau named X is free if a real X
lies there. If none lies there but the hand holds one, there are two cases: X is played and the
joker is free, or X stays in the hand and the joker is one more X. Otherwise it is one more X.
Free jokers of the tableau must lie somewhere at the end (M5.2), those of the hand may.

A **plan** says of each free joker of a case whether it goes into a sequence, and of which suit,
or into a group, and of which rank. With that the suits are coupled by groups only, as they are
without jokers, and each plan has an upper bound of its own. In a group a joker stands for any
suit that is missing, so its name there is a question for later.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, product
from typing import Final

from engine.cards import JOKER, Card
from engine.solver.position import (
    BYTES,
    CELLS,
    FACE_OF,
    Book,
    Layers,
    Position,
    RankInfo,
    cards_by_suit,
    fitting,
)
from engine.solver.search import Problem
from engine.solver.suits import HAND, RANK_COUNT, SUIT_COUNT

Split = tuple[int, ...]
"""Something counted by suit."""

SPLITS: Final[list[list[Split]]] = [
    [
        tuple([suits.count(suit) for suit in range(SUIT_COUNT)])
        for suits in combinations_with_replacement(range(SUIT_COUNT), jokers)
    ]
    for jokers in range(3)
]
"""By number of jokers, how they may be divided among the suits."""

PLACES: Final[list[list[list[int]]]] = [
    [list(ranks) for ranks in combinations_with_replacement(range(RANK_COUNT), jokers)]
    for jokers in range(3)
]
"""By number of jokers, the ranks whose groups they may join."""


class Case:
    """The cards as they stand when it is settled which jokers are free."""

    __slots__ = ("codes", "fixed", "forced", "hand", "held", "least", "most", "table")

    def __init__(
        self, table: int, hand: int, least: int, most: int, fixed: list[int], forced: list[int]
    ) -> None:
        self.table: Final = table
        self.hand: Final = hand
        self.least: Final = least
        """Free jokers of the tableau."""
        self.most: Final = most
        """Free jokers of the tableau and of the hand."""
        self.fixed: Final = fixed
        """Cells that the other jokers of the tableau are named after."""
        self.forced: Final = forced
        """Cells whose card from the hand has replaced a joker."""
        self.held: Final = fitting(table, hand, most)
        """The hand without cards that cannot be played."""
        self.codes: Final = (table + self.held).to_bytes(BYTES, "little")


class Plan:
    """A problem for the search, and what it says about jokers."""

    __slots__ = ("case", "count", "in_groups", "jokers", "problem")

    def __init__(
        self, case: Case, problem: Problem, jokers: int, in_groups: list[int], count: int
    ) -> None:
        self.case: Final = case
        self.problem: Final = problem
        self.jokers: Final = jokers
        """Free jokers used."""
        self.in_groups: Final = in_groups
        """The ranks whose groups they join; the others go into sequences."""
        self.count: Final = count
        """Cards played, if they are counted."""


def cases_of(position: Position) -> list[Case]:
    """Return the cases of a position."""
    table, hand, jokers = position.table, position.hand, position.jokers
    found = [Case(table, hand, 0, jokers, position.names, [])]
    for cell in sorted(set(position.names)):
        count = position.names.count(cell)
        unit = 1 << 8 * cell
        cases: list[Case] = []
        for case in found:
            held = case.hand // (HAND * unit) & 3
            others = [name for name in case.fixed if name != cell]
            least = case.least + count
            most = case.most + count
            if (case.table // unit & 7) > count:
                table = case.table - count * unit
                cases.append(Case(table, case.hand, least, most, others, case.forced))
            elif held:
                table = case.table - (count - 1) * unit
                hand = case.hand - HAND * unit
                cases.append(Case(table, hand, least, most, others, [*case.forced, cell]))
                hand = case.hand - held * HAND * unit
                cases.append(Case(case.table, hand, case.least, case.most, case.fixed, case.forced))
            else:
                cases.append(case)
        found = cases
    return found


def plans_of(position: Position, weights: Mapping[Card, int], *, counted: bool) -> list[Plan]:
    """Return all plans that may be worth something, in a fixed order.

    If cards are counted there is one plan for each number of cards played of each suit.
    """
    found: list[Plan] = []
    for case in cases_of(position):
        if case.held or case.forced or case.most > case.least:
            found += _plans_of_case(case, weights, position.book, counted)
    return found


def _plans_of_case(
    case: Case, weights: Mapping[Card, int], book: Book, counted: bool
) -> list[Plan]:
    layers = Layers(book, case.codes, weights)
    base = sum([weights[FACE_OF[cell]] for cell in case.forced])
    if case.most == 0 and not counted:
        named = [layers.suit(suit, 0, 0) for suit in range(SUIT_COUNT)]
        return [Plan(case, Problem(named, layers.vectors, base), 0, [], 0)]
    counts = cards_by_suit(case.held) if counted else [0] * SUIT_COUNT
    suits = [
        [layers.suit(suit, jokers, counts[suit]) for jokers in range(case.most + 1)]
        for suit in range(SUIT_COUNT)
    ]
    wild = [
        [book.rank(code, jokers) for jokers in range(case.most + 1)]
        for code in [case.codes[i : i + SUIT_COUNT] for i in range(0, CELLS, SUIT_COUNT)]
    ]
    found: list[Plan] = []
    for jokers in range(case.least, case.most + 1):
        if jokers > case.least:
            base += weights[JOKER]
        count = len(case.forced) + jokers - case.least
        for in_groups in range(jokers + 1):
            for split in SPLITS[jokers - in_groups]:
                chosen = [suits[suit][split[suit]] for suit in range(SUIT_COUNT)]
                problem = Problem(chosen, layers.vectors, base)
                for ranks in PLACES[in_groups]:
                    placed = _placed(problem, ranks, wild)
                    if placed is None:
                        continue
                    if not counted:
                        if placed.bound >= 0:
                            found.append(Plan(case, placed, jokers, ranks, 0))
                        continue
                    for with_budgets in product(*[suit.budgets() for suit in placed.suits]):
                        counting = Problem(list(with_budgets), placed.vectors, base)
                        total = count + sum([suit.budget() for suit in with_budgets])
                        found.append(Plan(case, counting, jokers, ranks, total))
    return found


def _placed(problem: Problem, ranks: list[int], wild: list[list[RankInfo]]) -> Problem | None:
    """Return the problem with jokers in the groups of some ranks, None if it cannot be."""
    for rank in sorted(set(ranks), reverse=True):
        info = wild[rank][ranks.count(rank)]
        if not info.vectors:
            return None
        problem = problem.limited(rank, info.vectors)
    return problem
