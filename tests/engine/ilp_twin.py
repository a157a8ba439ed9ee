"""The same question to an integer program: the model of den Hertog and Hulshof (2006) in HiGHS.

One whole number for each of the 197 melds that cannot be split, one for each face that may be
played, and for free jokers one for each name. pytest does not collect this file by itself. Where
highspy is installed either of these compares fresh random positions with the solver::

    python -m pytest tests/engine/ilp_twin.py
    python -m tests.engine.ilp_twin 2000
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Tableau, is_joker, named
from engine.solver import is_playable, solve
from tests.engine.test_solver import faults
from tests.engine.test_solver_properties import random_position, random_weights

highspy: Any = pytest.importorskip("highspy")
numpy: Any = pytest.importorskip("numpy")

INDEX = {face: i for i, face in enumerate(FACES)}


def unsplittable_melds() -> list[tuple[int, ...]]:
    """Return groups, and sequences of three to five cards, as indices into FACES."""
    found = []
    for rank in RANKS:
        group = [INDEX[rank + suit] for suit in SUITS]
        found.append(tuple(group))
        found += [tuple(i for i in group if i != left_out) for left_out in group]
    for suit in SUITS:
        line = [INDEX[rank + suit] for rank in RANKS + "A"]
        found += [tuple(line[i : i + n]) for n in (3, 4, 5) for i in range(15 - n)]
    return found


MELDS = unsplittable_melds()


class Twin:
    """A HiGHS that answers one position after the other.

    Presolve is off: HiGHS 1.16 calls some models infeasible with it that are not.
    """

    def __init__(self, presolve: str = "off") -> None:
        self.highs = highspy.Highs()
        options = {"output_flag": False, "presolve": presolve, "threads": 1, "mip_abs_gap": 0.5}
        for name, value in {**options, "mip_rel_gap": 0.0}.items():
            self.highs.setOptionValue(name, value)

    def best_value(
        self, tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int]
    ) -> int:
        """Return the highest sum of weights that can be played."""
        if not hand:
            return 0
        self.highs.passModel(model(tableau, hand, weights))
        self.highs.run()
        status = self.highs.getModelStatus()
        assert status == highspy.HighsModelStatus.kOptimal, (status, tableau, hand)
        return round(self.highs.getInfo().objective_function_value)


def model(tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int]) -> Any:
    """Return the integer program of a position."""
    reals = Counter(card for meld in tableau for card in meld if not is_joker(card))
    names = Counter(named(card) for meld in tableau for card in meld if is_joker(card))
    held = Counter(card for card in hand if card != JOKER)
    wild = sum(card == JOKER for card in hand)
    # A joker named X is free if a real X lies there, and freeable if one is held (M6.4).
    free = sum(count for name, count in names.items() if reals[name])
    freeable = [name for name in names if not reals[name] and held[name]]
    most_free = free + wild + sum(names[name] for name in freeable)
    there = [reals[face] + (0 if reals[face] else names[face]) for face in FACES]

    # One row a face: cards in melds - cards played - free jokers named so = cards that lie there.
    # The next row: free jokers named - those of the hand - those freed = free jokers that lie
    # there. One more for each freeable name: it is freed only if its card is played.
    joker_row = len(FACES)
    lower = [float(n) for n in [*there, free]] + [0.0] * len(freeable)
    upper = [float(n) for n in [*there, free]] + [float(len(hand))] * len(freeable)
    costs: list[float] = []
    limits: list[float] = []
    starts = [0]
    rows: list[int] = []
    values: list[float] = []

    def column(cost: int, limit: int, entries: Sequence[tuple[int, int]]) -> None:
        costs.append(float(cost))
        limits.append(float(limit))
        rows.extend(row for row, _ in entries)
        values.extend(float(value) for _, value in entries)
        starts.append(len(rows))

    for meld in MELDS:
        if sum(there[i] + held[FACES[i]] == 0 for i in meld) <= most_free:
            column(0, 4, [(i, 1) for i in meld])
    for face, count in held.items():
        entries = [(INDEX[face], -1)]
        if face in freeable:
            entries.append((joker_row + 1 + freeable.index(face), 1))
        column(weights[face], count, entries)
    for i in range(len(FACES) if most_free else 0):
        column(0, most_free, [(i, -1), (joker_row, 1)])
    if wild:
        column(weights[JOKER], wild, [(joker_row, -1)])
    for i, name in enumerate(freeable):
        count = names[name]
        row = joker_row + 1 + i
        column(0, 1, [(INDEX[name], count), (joker_row, -count), (row, -1)])

    lp = highspy.HighsLp()
    lp.num_col_ = len(costs)
    lp.num_row_ = len(lower)
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = numpy.array(costs)
    lp.col_lower_ = numpy.zeros(len(costs))
    lp.col_upper_ = numpy.array(limits)
    lp.row_lower_ = numpy.array(lower)
    lp.row_upper_ = numpy.array(upper)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = numpy.array(starts)
    lp.a_matrix_.index_ = numpy.array(rows)
    lp.a_matrix_.value_ = numpy.array(values)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
    return lp


def differences(count: int, seed: int) -> list[str]:
    """Compare so many positions; describe those where the two disagree."""
    random = Random(seed)
    twin = Twin()
    found = []
    for number in range(count):
        tableau, hand = random_position(random, packs=random.choice((1, 2, 2)))
        weights = random_weights(random, hand)
        solution = solve(tableau, hand, weights)
        expected = twin.best_value(tableau, hand, weights)
        playable = twin.best_value(tableau, hand, dict.fromkeys(hand, 1)) > 0
        if (
            solution.value != expected
            or is_playable(tableau, hand) != playable
            or faults(tableau, hand, weights, solution)
        ):
            found.append(f"{number}: {tableau} {hand} {weights} {solution} {expected} {playable}")
    return found


def test_twin_agrees(amount: Any) -> None:
    assert differences(amount(100, 2_000), 1) == []


if __name__ == "__main__":
    unequal = differences(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print("\n".join([*unequal, f"{sys.argv[1]} positions, {len(unequal)} differ"]))  # noqa: T201
    sys.exit(bool(unequal))
