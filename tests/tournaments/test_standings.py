"""Standings: points, tie-breaks, shared ranks, byes and withdrawals; always exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.seeds import Words
from tests.tournaments.helpers import KEY, ranks_of, result
from tournaments.formats.base import Basis, Bye, ByeKind, TableResult
from tournaments.standings.metrics import (
    LAST,
    TIE_BREAKS,
    draw_lots,
    find_tie_break,
    find_tie_breaks,
)
from tournaments.standings.schemes import BYE_POINTS, SCHEMES, find_scheme, placement, priced
from tournaments.standings.table import Row, standings

PLACEMENT = find_scheme("placement")
DECIDING = [key for key in TIE_BREAKS if key not in LAST]
"""Tie-breaks that look at results."""


def ranking(entrants: str, results: list[TableResult], *keys: str, **more) -> list[tuple]:
    """Entrant and rank, in the order of the standings."""
    rows = standings(list(entrants), results, PLACEMENT, find_tie_breaks(keys), **more)
    return [(row.entrant, row.rank) for row in rows]


def row_of(rows: tuple[Row, ...], entrant: object) -> Row:
    return next(row for row in rows if row.entrant == entrant)


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2), ("1", "0")),
        ((1, 1), ("1/2", "1/2")),
        ((2, 1, 3), ("1/2", "1", "0")),
        ((1, 1, 3), ("3/4", "3/4", "0")),
        ((1, 2, 2), ("1", "1/4", "1/4")),
        ((4, 2, 1, 3), ("0", "2/3", "1", "1/3")),
        ((1, 2, 2, 4), ("1", "1/2", "1/2", "0")),
        ((1, 1, 1, 4), ("2/3", "2/3", "2/3", "0")),
        ((1, 2, 3, 4, 5), ("1", "3/4", "1/2", "1/4", "0")),
        ((1, 1, 1, 1, 1), ("1/2",) * 5),
    ],
)
def test_placement(ranks: tuple[int, ...], points: tuple[str, ...]) -> None:
    table = TableResult(1, 1, tuple(range(len(ranks))), (0,) * len(ranks), ranks)
    assert placement(table) == tuple(map(Fraction, points))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=5))
def test_placement_points_of_a_table_add_up_to_half_its_seats(scores: list[int]) -> None:
    table = TableResult(1, 1, tuple(range(len(scores))), tuple(scores), ranks_of(scores))
    points = placement(table)
    assert sum(points) == Fraction(len(scores), 2)
    assert all(type(share) is Fraction and 0 <= share <= 1 for share in points)
    for (a, mine), (b, other) in permutations(zip(scores, points, strict=True), 2):
        assert (a > b) == (mine > other)


def test_points_come_before_everything() -> None:
    results = [result(1, 1, a=10, b=9, c=0), result(1, 2, d=50, e=1, f=0)]
    results += [result(2, 1, a=5, d=6, e=7), result(2, 2, b=10, c=9, f=8)]
    rows = standings("abcdef", results, PLACEMENT, find_tie_breaks(["wins"]))
    assert [(row.entrant, row.rank, str(row.points), row.played) for row in rows] == [
        ("b", 1, "3/2", 2),
        ("d", 1, "3/2", 2),
        ("e", 1, "3/2", 2),
        ("a", 4, "1", 2),
        ("c", 5, "1/2", 2),
        ("f", 6, "0", 2),
    ]


def test_wins_share_a_shared_win() -> None:
    results = [result(1, 1, a=10, b=10, c=0), result(2, 1, a=9, b=3, c=1)]
    rows = standings("abc", results, PLACEMENT, find_tie_breaks(["wins"]))
    assert {row.entrant: row.metrics["wins"] for row in rows} == {
        "a": Fraction(3, 2),
        "b": Fraction(1, 2),
        "c": 0,
    }


def test_score_share_is_averaged_over_games() -> None:
    results = [
        result(1, 1, a=30, b=10, c=0),
        result(2, 1, a=0, b=0, c=0),
        result(3, 1, a=1, b=2),
    ]
    rows = standings("abcd", results, PLACEMENT, find_tie_breaks(["score_share"]))
    shares = {row.entrant: row.metrics["score_share"] for row in rows}
    assert shares["a"] == (Fraction(3, 4) + 0 + Fraction(1, 3)) / 3
    assert shares["b"] == (Fraction(1, 4) + 0 + Fraction(2, 3)) / 3
    assert shares["c"] == 0
    assert shares["d"] == 0, "no game, no share"


def test_direct_of_two_counts_the_tables_they_shared() -> None:
    # a and b have 3/2 each; where they met a was second and b last.
    results = [result(1, 1, a=5, b=1, c=9), result(2, 1, a=9, d=1), result(2, 2, b=9, c=1, d=2)]
    results += [result(3, 1, b=5, c=9, d=1)]
    rows = standings("abcd", results, PLACEMENT, find_tie_breaks(["direct"]))
    assert [(row.entrant, row.rank, row.metrics["direct"]) for row in rows] == [
        ("c", 1, None),
        ("a", 2, Fraction(1, 2)),
        ("b", 3, 0),
        ("d", 4, None),
    ]


def test_direct_of_three_at_tables_of_two_is_a_league_of_their_own() -> None:
    # a beat b and c, b beat c; each beat or lost to the others so that all three have 2 points.
    results = [
        result(1, 1, a=1, b=0),
        result(2, 1, a=1, c=0),
        result(3, 1, b=1, c=0),
        result(4, 1, a=0, d=1),
        result(5, 1, b=1, d=0),
        result(6, 1, c=1, d=0),
        result(7, 1, c=1, e=0),
    ]
    rows = standings("abcde", results, PLACEMENT, find_tie_breaks(["direct"]))
    assert [(row.entrant, row.rank, row.metrics["direct"]) for row in rows[:3]] == [
        ("a", 1, 2),
        ("b", 2, 1),
        ("c", 3, 0),
    ]


def test_direct_says_nothing_when_two_of_the_tied_never_met() -> None:
    results = [result(1, 1, a=1, b=0), result(2, 1, b=1, c=0), result(3, 1, c=1, d=0)]
    rows = standings("abcd", results, PLACEMENT, find_tie_breaks(["direct"]))
    assert [(row.entrant, row.rank) for row in rows] == [("a", 1), ("b", 1), ("c", 1), ("d", 4)]
    assert all(row.metrics["direct"] is None for row in rows)


def test_direct_says_nothing_when_the_tied_met_unequally_often() -> None:
    # Every two of a, b and c met, but a and b twice: nobody's sum is comparable.
    results = [
        result(1, 1, a=1, b=0),
        result(2, 1, b=1, a=0),
        result(3, 1, a=1, c=0),
        result(4, 1, b=1, c=0),
        result(5, 1, c=1, d=0),
        result(6, 1, c=1, d=0),
    ]
    rows = standings("abcd", results, PLACEMENT, find_tie_breaks(["direct"]))
    assert [row.rank for row in rows] == [1, 1, 1, 4]
    assert {row.metrics["direct"] for row in rows} == {None}


def test_direct_of_three_prefers_the_tables_where_all_met() -> None:
    # a, b and c have 3/2 each; that b beat a when c was not there does not count.
    results = [
        result(1, 1, a=3, b=2, c=1),
        result(2, 1, a=0, b=1),
        result(2, 2, c=1, d=0),
        result(3, 1, a=1, e=1),
        result(3, 2, c=1, f=1),
    ]
    rows = standings("abcdef", results, PLACEMENT, find_tie_breaks(["direct"]))
    assert [(row.entrant, row.rank, row.metrics["direct"]) for row in rows[:3]] == [
        ("a", 1, 1),
        ("b", 2, Fraction(1, 2)),
        ("c", 3, 0),
    ]


def test_direct_is_applied_once_to_a_group() -> None:
    # Among four with 2 points a and b have 2 in their own league, c and d 1. That b beat a and
    # c beat d would need a second encounter; instead the next tie-break decides.
    results = [
        result(1, 1, a=1, c=0),
        result(2, 1, a=1, d=0),
        result(3, 1, b=1, a=0),
        result(4, 1, b=1, c=0),
        result(5, 1, c=1, d=0),
        result(6, 1, d=1, b=0),
        result(7, 1, c=1, x=0),
        result(8, 1, d=1, x=0),
    ]
    lots = {"a": 1, "b": 2, "c": 4, "d": 3, "x": 5}
    rows = standings("abcdx", results, PLACEMENT, find_tie_breaks(["direct", "lot"]), lots)
    assert [(row.entrant, row.metrics["direct"]) for row in rows] == [
        ("a", 2),
        ("b", 2),
        ("d", 1),
        ("c", 1),
        ("x", None),
    ]


def test_direct_is_asked_only_of_those_still_tied() -> None:
    # a, b, c and d have 1 point each and never all met. Wins part them in two pairs that have.
    results = [
        result(1, 1, a=3, c=2, w=1),
        result(1, 2, x=3, d=2, y=1),
        result(2, 1, b=1, a=0),
        result(2, 2, x=3, c=2, d=1),
        result(3, 1, y=3, d=2, x=1),
        result(4, 1, y=1, z=0),
    ]
    assert ranking("abcdwxyz", results, "direct")[2:6] == [("a", 3), ("b", 3), ("c", 3), ("d", 3)]
    assert ranking("abcdwxyz", results, "wins", "direct")[2:6] == [
        ("b", 3),
        ("a", 4),
        ("c", 5),
        ("d", 6),
    ]


def test_ties_that_nothing_breaks_share_a_rank() -> None:
    results = [result(1, 1, a=1, b=1), result(1, 2, c=1, d=0)]
    keys = ["wins", "direct", "score_share"]
    assert ranking("abcd", results, *keys) == [("c", 1), ("a", 2), ("b", 2), ("d", 4)]


def test_the_lot_breaks_what_is_left() -> None:
    results = [result(1, 1, a=1, b=1), result(1, 2, c=1, d=0)]
    lots = {"a": 3, "b": 1, "c": 4, "d": 2}
    assert ranking("abcd", results, "wins", "lot", lots=lots) == [
        ("c", 1),
        ("b", 2),
        ("a", 3),
        ("d", 4),
    ]


def test_lots_are_drawn_from_words() -> None:
    lots = draw_lots("abcd", Words(KEY))
    assert lots == draw_lots("abcd", Words(KEY))
    assert sorted(lots.values()) == [1, 2, 3, 4]


def test_the_withdrawn_stay_listed_without_a_rank() -> None:
    results = [result(1, 1, a=3, b=2, c=1), result(2, 1, a=3, b=2, c=1)]
    rows = standings("abc", results, PLACEMENT, find_tie_breaks(["direct"]), withdrawn={"a"})
    assert [(row.entrant, row.rank, row.withdrawn) for row in rows] == [
        ("b", 1, False),
        ("c", 2, False),
        ("a", None, True),
    ]
    assert row_of(rows, "a").points == 2, "played results stand"


def test_the_withdrawn_do_not_disturb_a_direct_encounter() -> None:
    # With c among the tied, a and b would never all have met.
    results = [result(1, 1, a=1, b=0), result(1, 2, c=1, d=0), result(2, 1, b=1, d=0)]
    without = ranking("abcd", results, "direct")
    assert without[0] == ("a", 1) and without[1] == ("b", 1) and without[2] == ("c", 1)
    assert ranking("abcd", results, "direct", withdrawn=["c"]) == [
        ("a", 1),
        ("b", 2),
        ("d", 3),
        ("c", None),
    ]


def test_byes_are_points_without_a_game() -> None:
    results = [result(1, 1, a=1, b=0)]
    byes = [Bye("c", kind) for kind in ByeKind]
    rows = standings("abc", results, PLACEMENT, find_tie_breaks(["wins", "score_share"]), byes=byes)
    c = row_of(rows, "c")
    assert (c.points, c.byes, c.played) == (sum(BYE_POINTS.values()), 5, 0)
    assert c.average == Fraction(5, 2) / 5
    assert c.metrics == {"wins": 0, "score_share": 0}


def test_byes_are_worth_what_the_organiser_says() -> None:
    worth = {ByeKind.ALLOCATED: Fraction(4, 5)}
    byes = [Bye("a", ByeKind.ALLOCATED)]
    (row,) = standings("a", [], PLACEMENT, (), byes=byes, bye_points=worth)
    assert row.points == Fraction(4, 5)


def test_the_average_compares_entrants_with_unequal_games() -> None:
    results = [result(1, 1, a=1, b=0), result(2, 1, b=1, c=0), result(3, 1, b=1, c=0)]
    assert ranking("abc", results) == [("b", 1), ("a", 2), ("c", 3)]
    assert ranking("abc", results, basis=Basis.AVERAGE) == [("a", 1), ("b", 2), ("c", 3)]
    rows = standings("abc", results, PLACEMENT, (), basis=Basis.AVERAGE)
    assert row_of(rows, "b").average == Fraction(2, 3)


def test_before_the_first_result_all_are_equal() -> None:
    lots = {"a": 1, "b": 2}
    rows = standings("ab", [], PLACEMENT, find_tie_breaks([*DECIDING, "lot"]), lots)
    assert [(row.rank, row.points, row.average) for row in rows] == [(1, 0, 0), (2, 0, 0)]
    empty = dict.fromkeys(DECIDING, 0) | {"direct": None, "best_table": (), "lot": 1}
    assert rows[0].metrics == empty


@st.composite
def phases(draw: st.DrawFn) -> tuple[list[int], list[TableResult]]:
    """A field of up to nine and some rounds of tables of two to five."""
    entrants = list(range(draw(st.integers(5, 9))))
    results = []
    for round_ in range(1, draw(st.integers(1, 5)) + 1):
        order = draw(st.permutations(entrants))
        table = 1
        while len(order) >= 2:
            size = min(len(order), draw(st.integers(2, 5)))
            seats, order = tuple(order[:size]), order[size:]
            scores = tuple(draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
            results.append(TableResult(round_, table, seats, scores, ranks_of(scores)))
            table += 1
    return entrants, results


@given(phases(), st.permutations(DECIDING), st.randoms(use_true_random=False))
def test_the_order_of_arrival_makes_no_difference(phase, keys, random) -> None:
    entrants, results = phase
    tie_breaks = find_tie_breaks(keys)
    rows = standings(entrants, results, PLACEMENT, tie_breaks)
    shuffled = random.sample(results, len(results))
    assert standings(entrants, shuffled, PLACEMENT, tie_breaks) == rows
    # Nor does the order of entry, or of the seats, save for the order among equals.
    turned = [
        TableResult(r.round, r.table, r.seats[::-1], r.scores[::-1], r.ranks[::-1]) for r in results
    ]
    other = standings(entrants[::-1], turned, PLACEMENT, tie_breaks)
    assert {row.entrant: row for row in other} == {row.entrant: row for row in rows}


@given(phases())
def test_ranks_points_and_numbers_are_sound(phase) -> None:
    entrants, results = phase
    lots = draw_lots(entrants, Words(KEY))
    rows = standings(entrants, results, PLACEMENT, find_tie_breaks([*DECIDING, "lot"]), lots)
    assert sorted(row.entrant for row in rows) == entrants
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1)), "the lot breaks all ties"
    assert sum(row.points for row in rows) == Fraction(sum(len(r.seats) for r in results), 2)
    assert sum(row.metrics["wins"] for row in rows) == len(results)
    for row in rows:
        numbers = [row.points, row.average, *row.metrics.values()]
        numbers += numbers.pop(-2)  # the best tables
        assert all(number is None or type(number) in (int, Fraction) for number in numbers)
        assert row.played == sum(row.entrant in r.seats for r in results)
    points = [row.points for row in rows]
    assert points == sorted(points, reverse=True)


@given(phases(), st.data())
def test_correcting_a_result_and_correcting_it_back_changes_nothing(phase, data) -> None:
    entrants, results = phase
    before = standings(entrants, results, PLACEMENT, find_tie_breaks(["wins", "direct"]))
    stale = [
        TableResult(r.round, r.table, r.seats, r.scores, r.ranks, (Fraction(9),) * len(r.seats))
        for r in results
    ]
    after = standings(entrants, stale, PLACEMENT, find_tie_breaks(["wins", "direct"]))
    assert after == before, "points are made from scores and ranks, never taken over"


def test_priced_orders_and_prices() -> None:
    results = [result(2, 1, a=1, b=0), result(1, 2, c=1, d=1), result(1, 1, a=0, b=1)]
    done = priced(results, PLACEMENT)
    assert [(r.round, r.table) for r in done] == [(1, 1), (1, 2), (2, 1)]
    assert [list(map(str, r.points)) for r in done] == [["0", "1"], ["1/2", "1/2"], ["1", "0"]]


@pytest.mark.parametrize(
    ("entrants", "results", "lots", "byes", "message"),
    [
        ("aba", [], {}, [], "entrant 'a' is named twice"),
        ("ab", [result(3, 2, a=1, z=0)], {}, [], "round 3, table 2: 'z' did not enter this phase"),
        (
            "ab",
            [result(1, 1, a=1, b=0), result(1, 1, a=0, b=1)],
            {},
            [],
            "round 1, table 1 has two results",
        ),
        ("ab", [], {"a": 1}, [], "tie-break 'lot': entrant 'b' has no lot"),
        ("ab", [], {"a": 1, "b": 1}, [], "two entrants have the same lot"),
        ("ab", [], {"a": 1, "b": 2}, [Bye("z", ByeKind.ZERO)], "a bye of 'z', who did not enter"),
    ],
)
def test_bad_input_names_the_thing(entrants, results, lots, byes, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        standings(entrants, results, PLACEMENT, find_tie_breaks(["lot"]), lots, byes=byes)
    assert message in str(refused.value)


def test_registries() -> None:
    assert list(TIE_BREAKS) == [
        "wins",
        "direct",
        "buchholz",
        "buchholz_cut1",
        "sonneborn_berger",
        "opponents_average",
        "score_share",
        "best_table",
        "seed",
        "lot",
    ]
    assert list(SCHEMES) == ["placement", "wins", "game_points", "matchpoints"]
    for tie_break in TIE_BREAKS.values():
        assert tie_break.definition.endswith(".") and len(tie_break.abbreviation) <= 4
    with pytest.raises(BadInput, match="tie-break 'win' is unknown; known are: wins, direct"):
        find_tie_break("win")
    with pytest.raises(BadInput, match="'wins' is named twice"):
        find_tie_breaks(["wins", "direct", "wins"])
    with pytest.raises(BadInput, match="'wins' after lot would decide nothing"):
        find_tie_breaks(["lot", "wins"])
    with pytest.raises(BadInput, match="'lot' after seed would decide nothing; seed is the last"):
        find_tie_breaks(["seed", "lot"])
    with pytest.raises(BadInput, match="scheme 'wims' is unknown; known are: placement"):
        find_scheme("wims")


def test_ten_thousand_entrants() -> None:
    entrants = range(10_000)
    results = [
        TableResult(
            1,
            i // 4 + 1,
            tuple(range(i, i + 4)),
            (9, i % 7, 3, i % 5),
            ranks_of((9, i % 7, 3, i % 5)),
        )
        for i in range(0, 10_000, 4)
    ]
    rows = standings(
        entrants, results, PLACEMENT, find_tie_breaks(["wins", "direct", "score_share"])
    )
    assert len(rows) == 10_000
