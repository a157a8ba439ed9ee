"""The best play of a meld phase: exact for every position, joker rule included (RULES M4-M6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.cards import JOKER, Card, Tableau, in_order
from engine.solver.arrange import Arranger, Numbers
from engine.solver.search import Search, Trace
from engine.solver.suits import RANK_COUNT, SUIT_COUNT
from engine.solver.plans import Case, Plan, cases_of, plans_of
from engine.solver.position import (
    CELLS,
    FACE_OF,
    SEVENS,
    SUIT_BYTES,
    UNIT_OF,
    Book,
    MeldInfo,
    ranks_in,
)

__all__ = ["Solution", "solve"]

_BOOK = Book()


@dataclass(frozen=True, slots=True)
class Solution:
    """A best play and how the tableau lies after it."""

    value: int
    played: tuple[Card, ...]
    tableau: Tableau


def solve(tableau: Tableau, hand: Iterable[Card], weights: Mapping[Card, int]) -> Solution:
    book = _BOOK
    book.trim()
    infos = [book.meld(meld) for meld in tableau]
    table = 0
    names: list[int] = []
    for info in infos:
        table += info.packed
        if info.jokers:
            names += info.jokers
    packed = 0
    jokers = 0
    for card in hand:
        if card == JOKER:
            jokers += 1
        else:
            packed += UNIT_OF[card]
    plans: list[Plan] = []
    for case in cases_of(table, packed, jokers, names):
        if case.most:
            plans += plans_of(case, weights, book)
        elif case.held or case.forced:
            plans.append(Plan(case, book.problem(case.codes, weights, case.worth(weights)), 0, []))
    if len(plans) > 1:
        plans.sort(key=_bound, reverse=True)
    search = Search(0)
    best = None
    for plan in plans:
        if plan.problem.bound <= search.best:
            break
        if search.run(plan.problem):
            best = plan
    if best is None:
        return Solution(0, (), tableau)
    return _solution(book, infos, table, names, best, search)


def _bound(plan: Plan) -> int:
    return plan.problem.bound


def _solution(book: Book, infos: list[MeldInfo], table: int, old_names, plan: Plan, search: Search) -> Solution:
    case = plan.case
    steps = search.steps
    problem = search.problem
    played = [FACE_OF[cell] for cell in case.forced]
    played += [JOKER] * (plan.jokers - case.least)
    names = case.fixed[:]
    cards = case.table & SEVENS
    numbers = bytes([option.groups for step in steps for option in step])
    groups = int.from_bytes(numbers, "little")
    for rank in plan.in_groups:
        vector = numbers[4*rank:4*rank+4]
        most = (sum(vector) + plan.in_groups.count(rank) + 3) // 4
        cells = range(SUIT_COUNT * rank, SUIT_COUNT * rank + SUIT_COUNT)
        for cell in sorted(cells, key=lambda cell: cell not in old_names):
            if groups >> 8 * cell & 7 < most:
                groups += 1 << 8 * cell
                cards += 1 << 8 * cell
                names.append(cell)
                break
    high = 0
    for suit in range(SUIT_COUNT):
        machine = problem.suits[suit].machine
        held = case.held & SUIT_BYTES[suit]
        if not (held or machine.kept or machine.jokers):
            continue
        trace = Trace(problem.suits[suit], [step[suit] for step in steps])
        last = machine.states[trace.state(RANK_COUNT - 1)]
        high += last.kept + last.jokers << 8 * suit
        if last.jokers:
            cards += last.jokers << 8 * suit
            names += [suit] * last.jokers
        for rank in range(RANK_COUNT) if machine.jokers else ranks_in(held):
            cell = SUIT_COUNT * rank + suit
            plays, used = trace.used(rank)
            cards += plays + used << 8 * cell
            played += [FACE_OF[cell]] * plays
            names += [cell] * used
    runs = cards - groups - high + (high << 8 * CELLS)
    joker_cards = sum([1 << 8 * name for name in names])
    arranger = Arranger(book, infos, cards, Numbers(groups, runs), joker_cards)
    old_high = table >> 8 * CELLS
    old_groups = table >> 5 & SEVENS
    old_runs = (table & SEVENS) - old_groups - old_high + (old_high << 8 * CELLS)
    tableau = arranger.tableau(old_groups, old_runs, sum([1 << 8 * name for name in old_names]))
    return Solution(search.best, in_order(played), tableau)
