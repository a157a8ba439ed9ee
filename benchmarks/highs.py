"""The best play as an integer program in HiGHS: the model of den Hertog and Hulshof (2006).

One whole number for each of the 197 melds that cannot be split, and one row for each face: cards
in melds = cards that lie there + cards played. Three kinds of number more tell of jokers by RULES
M6.4: how often a free joker is named so, how many jokers named so are freed by a card from the
hand, and how many jokers are played.

The model is built once for a number of packs; a question only sets bounds and costs. It asks for
the value alone, so nothing is spent on making a tableau of the answer.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import highspy
import numpy

from engine.cards import FACES, JOKER, RANKS, SUITS, Card, Tableau, is_joker, named

SETTINGS: Mapping[str, Mapping[str, object]] = {
    "HiGHS": {"presolve": "on"},
    "HiGHS, presolve off": {"presolve": "off"},
    "HiGHS, tuned": {
        "presolve": "off",
        "mip_heuristic_run_feasibility_jump": False,
        "mip_heuristic_effort": 0.0,
        "mip_allow_restart": False,
        "mip_detect_symmetry": False,
    },
}
"""As it comes; without presolve, which is slow where positions are large and fails on some; and
without all else that costs these positions more than it saves."""

PLAIN, PLAIN_OFF, TUNED = SETTINGS

EXACT: Mapping[str, object] = {"mip_rel_gap": 0.0, "mip_abs_gap": 0.5, "threads": 1}
"""No gap; one thread, as others only wait, and all users of HiGHS in a process must agree."""

INDEX = {face: i for i, face in enumerate(FACES)}
F = len(FACES)

INFINITY = highspy.kHighsInf
INTEGER = highspy.HighsVarType.kInteger

NO_ANSWER = -1
"""The value where HiGHS ends without an optimum; no play has it."""


def unsplittable_melds() -> list[list[int]]:
    """Return groups, and sequences of three to five cards, as indices into FACES.

    Those that lay an ace high come last.
    """
    groups = [[INDEX[rank + suit] for suit in SUITS] for rank in RANKS]
    found = [*groups]
    found += [[i for i in group if i != left_out] for group in groups for left_out in group]
    for start in range(12):
        for size in (3, 4, 5):
            ranks = (RANKS + "A")[start : start + size]
            if len(ranks) == size:
                found += [[INDEX[rank + suit] for rank in ranks] for suit in SUITS]
    return sorted(found, key=is_high)


def is_high(meld: Sequence[int]) -> bool:
    """Say whether a meld is a sequence with its ace after the king."""
    ranks = [FACES[i][0] for i in meld]
    return ranks[-2:] == ["K", "A"]


MELDS = unsplittable_melds()
HIGH_MELDS = sum(map(is_high, MELDS))
M = len(MELDS)

# Where the columns of each kind begin, and the rows after those of the faces.
PLAYED, NAMED, FREED, WILD = M, M + F, M + 2 * F, M + 3 * F
COLUMNS = WILD + 1
JOKERS, FREEING = F, F + 1
ROWS = FREEING + F

_NEEDS = numpy.zeros((M, F), dtype=numpy.int8)
for _row, _meld in enumerate(MELDS):
    _NEEDS[_row, _meld] = 1
_ALL_COLUMNS = numpy.arange(COLUMNS, dtype=numpy.int32)
_SET_ROWS = numpy.arange(FREEING, dtype=numpy.int32)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a question sets in the model."""

    upper: Any
    """By column, the most it may be; the least is 0."""
    costs: Any
    """By column, its weight."""
    there: Any
    """By face, the cards that lie there for good; then the jokers that lie there free."""


class Highs:
    """HiGHS with the model of so many packs and one of SETTINGS."""

    def __init__(self, packs: int, settings: str = TUNED) -> None:
        self._packs = packs
        self._presolve = SETTINGS[settings]["presolve"]
        self.asked_again = 0
        """How often HiGHS failed with presolve."""
        self.highs = silent_highs()
        for name, value in {**SETTINGS[settings], **EXACT}.items():
            if self.highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
                raise ValueError(f"HiGHS has no setting {name}={value!r}")
        self.highs.passModel(model())

    def best_value(
        self,
        tableau: Tableau,
        hand: Sequence[Card],
        weights: Mapping[Card, int],
        *,
        high_aces: bool = True,
    ) -> int:
        """Return the highest sum of weights that can be played; as ``solve`` takes them.

        :param high_aces: whether an ace may follow a king.
        """
        bounds = self.bounds(tableau, hand, weights)
        if not high_aces:
            bounds.upper[M - HIGH_MELDS : M] = 0
        self.set(bounds)
        return self.optimum()

    def bounds(self, tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int]) -> Bounds:
        """Return what a position sets."""
        reals = Counter(card for meld in tableau for card in meld if not is_joker(card))
        names = Counter(named(card) for meld in tableau for card in meld if is_joker(card))
        held = Counter(hand)
        bounds = Bounds(numpy.zeros(COLUMNS), numpy.zeros(COLUMNS), numpy.zeros(FREEING))
        upper, costs, there = bounds.upper, bounds.costs, bounds.there
        upper[WILD] = free = held.pop(JOKER, 0)
        costs[WILD] = weights[JOKER] if free else 0
        for face, count in reals.items():
            there[INDEX[face]] = count
        for face, count in names.items():
            if reals[face]:  # a real one lies there: the joker is free
                there[JOKERS] += count
                free += count
                continue
            there[INDEX[face]] = count
            if held[face]:  # a card from the hand may free it
                upper[FREED + INDEX[face]] = count
                free += count
        missing = there[:F] == 0
        for face, count in held.items():
            i = INDEX[face]
            upper[PLAYED + i] = count
            costs[PLAYED + i] = weights[face]
            missing[i] = False
        upper[:M] = numpy.where(_NEEDS @ missing <= free, self._packs, 0)
        upper[NAMED:FREED] = free
        return bounds

    def set(self, bounds: Bounds) -> None:
        """Put a question into the model."""
        highs, there = self.highs, bounds.there
        highs.changeColsBounds(COLUMNS, _ALL_COLUMNS, numpy.zeros(COLUMNS), bounds.upper)
        highs.changeColsCost(COLUMNS, _ALL_COLUMNS, bounds.costs)
        highs.changeRowsBounds(FREEING, _SET_ROWS, there, there)

    def optimum(self) -> int:
        """Solve the model as it stands and return its value, or NO_ANSWER.

        There always is one: the tableau as it lies. Where HiGHS fails with presolve it is asked
        again without.
        """
        answered = self._run()
        if not answered and self._presolve == "on":
            self.asked_again += 1
            self.highs.setOptionValue("presolve", "off")
            answered = self._run()
            self.highs.setOptionValue("presolve", "on")
        if not answered:
            return NO_ANSWER
        value: float = self.highs.getInfo().objective_function_value
        return round(value)

    def _run(self) -> bool:
        """Say whether an optimum was found."""
        self.highs.run()
        return bool(self.highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def model() -> Any:
    """Return the integer program with all bounds 0."""
    columns: list[list[tuple[int, int]]] = [[(i, 1) for i in meld] for meld in MELDS]
    columns += [[(i, -1), (FREEING + i, 2)] for i in range(F)]  # played
    columns += [[(i, -1), (JOKERS, 1)] for i in range(F)]  # free jokers named so
    columns += [[(i, 1), (JOKERS, -1), (FREEING + i, -1)] for i in range(F)]  # jokers freed
    columns += [[(JOKERS, -1)]]  # jokers played
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = COLUMNS, ROWS
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = lp.col_lower_ = lp.col_upper_ = numpy.zeros(COLUMNS)
    lp.row_lower_ = numpy.zeros(ROWS)
    lp.row_upper_ = numpy.where(numpy.arange(ROWS) < FREEING, 0.0, INFINITY)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = numpy.cumsum([0, *map(len, columns)])
    lp.a_matrix_.index_ = numpy.array([row for column in columns for row, _ in column])
    lp.a_matrix_.value_ = numpy.array([float(value) for column in columns for _, value in column])
    lp.integrality_ = [INTEGER] * COLUMNS
    return lp


def silent_highs() -> Any:
    """Return a HiGHS that prints nothing, its banner included."""
    with quiet_stdout():
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    return highs


@contextmanager
def quiet_stdout() -> Iterator[None]:
    """Send to nowhere what libraries not written in Python print."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
