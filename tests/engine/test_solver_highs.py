"""The solver against an integer program that shares nothing with it, on fresh random positions."""

from __future__ import annotations

import re
from random import Random

from benchmarks.highs import PLAIN, PLAIN_OFF, TUNED, Highs
from benchmarks.kept import kept_melds, most_kept
from benchmarks.positions import Position
from engine.solver import is_playable, solve
from tests.engine.test_solver import faults, points
from tests.engine.test_solver_properties import random_position, random_weights


def test_highs_agrees(amount) -> None:
    """P7: by points, by cards and by random weights; without presolve, see benchmarks/highs.py."""
    random = Random(1)
    highs = {packs: Highs(packs, PLAIN_OFF) for packs in (1, 2)}
    for number in range(amount(50, 2_000)):
        packs = random.choice((1, 2, 2))
        tableau, hand = random_position(random, packs=packs)
        for weights in (
            random_weights(random, hand),
            {card: points(card) for card in hand},
            dict.fromkeys(hand, 1),
        ):
            solution = solve(tableau, hand, weights)
            best = highs[packs].best_value(tableau, hand, weights)
            where = (number, tableau, hand, weights, solution)
            assert solution.value == best, where
            assert not faults(tableau, hand, weights, solution), where
        assert is_playable(tableau, hand) == (best > 0), where  # by cards: 0 says that none is


def test_tuned_highs_gives_the_same_answers(amount) -> None:
    """The settings that benchmarks measure are settings that are right."""
    random = Random(2)
    plain, tuned = ({packs: Highs(packs, name) for packs in (1, 2)} for name in (PLAIN_OFF, TUNED))
    for _ in range(amount(20, 500)):
        packs = random.choice((1, 2, 2))
        tableau, hand = random_position(random, packs=packs)
        weights = random_weights(random, hand)
        expected = plain[packs].best_value(tableau, hand, weights)
        assert tuned[packs].best_value(tableau, hand, weights) == expected


def test_where_presolve_fails_highs_is_asked_again() -> None:
    """HiGHS 1.16 ends with an error here if it presolves, and answers if it does not."""
    melds = (
        "6h7h8h9h 7c7d7s QdQhQs 9c9h9s TdThTs JcJhJs *QcQdQs 3d4d5d6d 3s4s5s JcJdJs 4c5c6c7c"
        " 3h4h5h6h AcAdAs 2c2d2s *TcThTs"
    )
    tableau = tuple(tuple(re.findall(r"\*?..", meld)) for meld in melds.split())
    weights = {"4c": 257, "6d": 385, "8d": 513}
    assert solve(tableau, tuple(weights), weights).value == 0
    highs = Highs(2, PLAIN)
    assert highs.best_value(tableau, tuple(weights), weights) == 0
    assert highs.best_value(tableau, tuple(weights), weights) == 0


def test_no_solution_keeps_more_old_melds_than_any_can(amount) -> None:
    """The bound that benchmarks measure kept melds against is one."""
    random = Random(3)
    fewest = 0
    count = amount(20, 500)
    for number in range(count):
        tableau, hand = random_position(random, melds=8, cards=10)
        position = Position(str(number), 2, tableau, hand)
        kept, most = kept_melds(position), most_kept(position)
        assert kept <= most <= len(tableau)
        fewest += kept == most
    assert fewest > count / 2
