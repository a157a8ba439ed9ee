"""What a table result must be."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import BadInput
from engine.seeds import Words
from tournaments.formats.base import TableResult, drawn


@pytest.mark.parametrize(
    ("seats", "scores", "ranks", "points", "message"),
    [
        (("a",), (1,), (1,), (), "round 2, table 3: a result needs at least 2 seats, not 1"),
        (("a", "a"), (1, 2), (2, 1), (), "entrant 'a' cannot have two seats of one table"),
        (("a", "b"), (1,), (2, 1), (), "1 scores for 2 seats; give one a seat"),
        (("a", "b"), (1, 2), (2, 1, 3), (), "3 ranks for 2 seats; give one a seat"),
        (("a", "b"), (1, 2), (2, 1), (Fraction(1),), "1 points for 2 seats; give one a seat"),
        (("a", "b"), (1, 2), (1, 0), (), "in that order they would be (2, 1)"),
        (("a", "b", "c"), (1, 1, 0), (1, 1, 2), (), "in that order they would be (1, 1, 3)"),
    ],
)
def test_results_are_checked(
    seats: tuple[str, ...],
    scores: tuple[int, ...],
    ranks: tuple[int, ...],
    points: tuple[Fraction, ...],
    message: str,
) -> None:
    with pytest.raises(BadInput) as refused:
        TableResult(2, 3, seats, scores, ranks, points)
    assert message in str(refused.value)


def test_a_forfeiter_may_rank_below_a_lower_score() -> None:
    assert TableResult(1, 1, ("a", "b"), (90, 20), (2, 1)).ranks == (2, 1)


def test_every_order_can_be_drawn() -> None:
    orders = {drawn("abc", Words(bytes([i]) * 32)) for i in range(60)}
    assert len(orders) == 6
