"""Cases and plans: everything about free jokers that is settled before a search begins.

A **case** says which jokers are free (M6.4). A joker on the tableau named X is free if a real X
lies there. If none lies there but the hand holds one, there are two cases: X is played and the
joker is free, or X stays in the hand and the joker is one more X. Otherwise it is one more X.
Free jokers of the tableau must lie somewhere at the end (M5.2), those of the hand may.

A **plan** says of each free joker of a case whether it goes into a sequence, and of which suit,
or into a group, and of which rank. With that the suits are coupled by groups only, as they are
without jokers, and each plan has an upper bound of its own. In a group a joker counts like any
suit that is missing, so its name there is a question for later.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Final

from engine.cards import JOKER, Card
from engine.solver.position import BYTES, FACE_OF, Book, RankInfo, fitting
from engine.solver.search import Problem
from engine.solver.suits import HAND, RANK_COUNT, SUIT_COUNT

Split = tuple[int, int, int, int]
"""Something counted by suit."""

SPLITS: Final[list[list[Split]]] = [
    [
        (suits.count(0), suits.count(1), suits.count(2), suits.count(3))
        for suits in combinations_with_replacement(range(SUIT_COUNT), jokers)
    ]
    for jokers in range(3)
]
"""By number of jokers, how they may be divided among the suits."""


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

    def worth(self, weights: Mapping[Card, int]) -> int:
        """Return the worth of the forced cards."""
        return sum([weights[FACE_OF[cell]] for cell in self.forced])


def cases_of(table: int, hand: int, jokers: int, named: list[int]) -> list[Case]:
    """Return the cases of packed cards, jokers in hand and cells with jokers named after them."""
    if not named:
        return [Case(table, hand, 0, jokers, [], [])]
    found = [Case(table, hand, 0, jokers, named, [])]
    for cell in sorted(set(named)):
        count = named.count(cell)
        unit = 1 << 8 * cell
        cases: list[Case] = []
        for case in found:
            held = case.hand // (HAND * unit) & 3
            others = [name for name in case.fixed if name != cell]
            least, most = case.least + count, case.most + count
            if (case.table // unit & 7) > count:
                cases.append(
                    Case(case.table - count * unit, case.hand, least, most, others, case.forced)
                )
            elif held:
                kept_back = case.hand - held * HAND * unit
                played = case.hand - HAND * unit
                table = case.table - (count - 1) * unit
                cases.append(
                    Case(table, played, least, most, others, [*case.forced, cell])
                )
                cases.append(
                    Case(case.table, kept_back, case.least, case.most, case.fixed, case.forced)
                )
            else:
                cases.append(case)
        found = cases
    return found


class Plan:
    """A problem for the kernel: where the jokers go, and what they and forced cards are worth."""

    __slots__ = ("case", "in_groups", "jokers", "problem")

    def __init__(
        self,
        case: Case,
        problem: Problem,
        jokers: int,
        in_groups: list[int],
    ) -> None:
        self.case: Final = case
        self.problem: Final = problem
        self.jokers: Final = jokers
        """Free jokers used."""
        self.in_groups: Final = in_groups
        """The ranks whose groups they join, from the king down."""


def plans_of(case: Case, weights: Mapping[Card, int], book: Book) -> list[Plan]:
    """Return all plans of a case that may be worth something, in a fixed order."""
    layers = book.layers(case.codes, weights)
    base = case.worth(weights)
    suits = [
        [layers.suit(suit, jokers, 0) for jokers in range(case.most + 1)]
        for suit in range(SUIT_COUNT)
    ]
    wild = [
        [book.rank(case.codes, rank, jokers) for jokers in range(case.most + 1)]
        for rank in range(RANK_COUNT)
    ]
    found: list[Plan] = []
    for jokers in range(case.least, case.most + 1):
        if jokers > case.least:
            base += weights[JOKER]
        for in_groups in range(jokers + 1):
            for split in SPLITS[jokers - in_groups]:
                chosen = [suits[suit][split[suit]] for suit in range(SUIT_COUNT)]
                problem = Problem(chosen, layers.vectors, base)
                for ranks in PLACES[in_groups]:
                    plan = _placed(case, problem, jokers, ranks, wild)
                    if plan is not None:
                        found.append(plan)
    return found


PLACES: Final[list[list[list[int]]]] = [
    [list(ranks) for ranks in combinations_with_replacement(range(RANK_COUNT), jokers)]
    for jokers in range(3)
]
"""By number of jokers, the ranks whose groups they may join."""


def _placed(
    case: Case, problem: Problem, jokers: int, ranks: list[int], wild: list[list[RankInfo]]
) -> Plan | None:
    """Return the plan with jokers in the groups of some ranks, None if it cannot be."""
    for rank in reversed(sorted(set(ranks))):
        info = wild[rank][ranks.count(rank)]
        if not info.vectors:
            return None
        problem = problem.limited(rank, info.vectors)
    return Plan(case, problem, jokers, ranks) if problem.bound >= 0 else None
