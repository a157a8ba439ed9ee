"""Schemes, the tie-breaks made of opponents' points, and what a bye does in them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiebreak_core import GameRecord, PlayerTiebreakData, calculate_strict

from tests.tournaments.events import Phase, played_out
from tests.tournaments.helpers import ranks_of, result
from tournaments.formats.base import Bye, ByeKind, Deals, TableResult
from tournaments.formats.swiss import SWISS, Options
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import BYE_POINTS, find_scheme, matchpoints, priced
from tournaments.standings.table import Row, standings

PLACEMENT = find_scheme("placement")
OPPONENTS = ("buchholz", "buchholz_cut1", "sonneborn_berger", "opponents_average")


def rows_of(entrants, results, *keys: str, **more) -> dict[object, Row]:
    rows = standings(list(entrants), results, PLACEMENT, find_tie_breaks(keys), **more)
    return {row.entrant: row for row in rows}


def fide(entrants, results) -> dict[object, PlayerTiebreakData]:
    """The same event in the terms of the other library; at tables of two."""
    games: dict[object, list[GameRecord]] = {entrant: [] for entrant in entrants}
    for priced_ in priced(results, PLACEMENT):
        for seat, entrant in enumerate(priced_.seats):
            games[entrant].append(
                GameRecord(
                    opponent_id=priced_.seats[1 - seat],
                    opponent_rating=0,
                    score=float(priced_.points[seat]),
                    color=("white", "black")[seat],
                    round_number=priced_.round,
                    kind="played",
                )
            )
    return {
        entrant: PlayerTiebreakData(entrant, 0, sum(g.score for g in played), played)
        for entrant, played in games.items()
    }


def check_against_fide(entrants: list[int], results: list[TableResult], rounds: int) -> None:
    players = fide(entrants, results)
    for entrant, row in rows_of(entrants, results, *OPPONENTS[:3], "wins").items():
        for key in OPPONENTS[:3]:
            theirs = calculate_strict(
                players[entrant], players, key, total_rounds=rounds, ruleset="fide-2024"
            )
            assert row.metrics[key] == Fraction(theirs), (key, entrant)
        wins = calculate_strict(
            players[entrant], players, "wins", total_rounds=rounds, ruleset="fide-2024"
        )
        drawn = Fraction(sum(g.score == 0.5 for g in players[entrant].games), 2)
        assert row.metrics["wins"] == Fraction(wins) + drawn, "ours shares a drawn game"


@settings(deadline=None, max_examples=20)
@given(st.integers(2, 20), st.integers(2, 7), st.randoms(use_true_random=False))
def test_for_two_seats_without_byes_they_are_those_of_fide(half, rounds, random) -> None:
    phase = Phase(SWISS, Options(2, rounds), list(range(1, 2 * half + 1)), random, (0, 1))
    played_out(phase)
    assert not phase.byes
    check_against_fide(list(phase.entrants), phase.results, rounds)


def test_what_a_bye_does_and_how_that_differs_from_fide() -> None:
    # a: a bye worth 1, then a win against b; c beat b in the first round.
    results = [result(1, 1, b=0, c=1), result(2, 1, a=1, b=0)]
    byes = [Bye("a", ByeKind.ALLOCATED)]
    row = rows_of("abc", results, *OPPONENTS, byes=byes)["a"]
    assert row.points == 2
    # The stand-in has a's own average, 1 a game played, for both rounds: 2 points. b has 0.
    assert row.metrics == {
        "buchholz": 2,
        "buchholz_cut1": 2,
        "sonneborn_berger": 2,
        "opponents_average": Fraction(1, 2),
    }
    # FIDE's has a's own points: the same here, where the bye is worth a's average …
    assert _fide_buchholz([result(1, 1, _2=0, _3=1), result(2, 1, _1=1, _2=0)]) == 2
    # … but had a lost its game, FIDE's stand-in would have the bye's point, ours none.
    lost = [result(1, 1, b=0, c=1), result(2, 1, a=0, b=1)]
    assert rows_of("abc", lost, "buchholz", byes=byes)["a"].metrics["buchholz"] == 1, "b's point"
    assert _fide_buchholz([result(1, 1, _2=0, _3=1), result(2, 1, _1=0, _2=1)]) == 2


def _fide_buchholz(results: list[TableResult]) -> float:
    """FIDE's for player 1, who had a bye in the first round."""
    numbered = [
        TableResult(r.round, r.table, tuple(int(str(e)[1:]) for e in r.seats), r.scores, r.ranks)
        for r in results
    ]
    players = fide([1, 2, 3], numbered)
    players[1].games.insert(0, GameRecord(-1, 0, 1.0, "white", 1, kind="pairing_bye"))
    players[1].points += 1
    return calculate_strict(players[1], players, "buchholz", total_rounds=2, ruleset="fide-2024")


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (ByeKind.ALLOCATED, Fraction(1)),
        (ByeKind.FORFEIT_WIN, Fraction(1)),
        (ByeKind.REQUESTED, Fraction(1, 2)),
        (ByeKind.FORFEIT_LOSS, Fraction(0)),
        (ByeKind.ZERO, Fraction(0)),
    ],
)
def test_each_kind_of_bye_beats_its_stand_in_as_far_as_it_says(kind: ByeKind, part) -> None:
    results = [result(1, 1, a=1, b=0)]
    row = rows_of("abc", results, *OPPONENTS, byes=[Bye("a", kind)])["a"]
    assert row.points == 1 + BYE_POINTS[kind]
    assert row.metrics["sonneborn_berger"] == 2 * part, "the stand-in has 1 a game, for two rounds"
    assert row.metrics["buchholz"] == 2
    assert row.metrics["opponents_average"] == Fraction(1, 2)


def test_opponents_at_tables_of_several_count_with_their_mean() -> None:
    results = [result(1, 1, a=3, b=2, c=1), result(2, 1, a=1, d=2), result(2, 2, b=5, c=5)]
    rows = rows_of("abcd", results, *OPPONENTS)
    points = {name: row.points for name, row in rows.items()}
    assert points == {"a": 1, "b": 1, "c": Fraction(1, 2), "d": 1}
    assert rows["a"].metrics == {
        "buchholz": Fraction(3, 4) + 1,
        "buchholz_cut1": 1,
        "sonneborn_berger": Fraction(3, 4),
        "opponents_average": (Fraction(1, 2) + Fraction(1, 4) + 1) / 3,
    }
    assert rows["b"].metrics["sonneborn_berger"] == Fraction(1, 4) + Fraction(1, 4)


def test_penalties_take_points_but_not_from_the_opponents() -> None:
    results = [result(1, 1, a=1, b=0)]
    rows = rows_of("ab", results, "buchholz", penalties={"a": Fraction(3, 2)})
    assert (rows["a"].points, rows["a"].penalty, rows["a"].rank) == (Fraction(-1, 2), 1.5, 2)
    assert rows["a"].average == Fraction(-1, 2)
    assert (rows["b"].rank, rows["b"].metrics["buchholz"]) == (1, 1)


def test_best_table_compares_the_best_then_the_second_best() -> None:
    results = [result(1, 1, a=3, b=2, c=1), result(2, 1, b=3, a=0, c=2), result(3, 1, a=1, b=0)]
    results += [result(3, 2, c=5, d=5)]
    rows = rows_of("abcd", results, "best_table")
    assert rows["a"].metrics["best_table"] == (1, 1, 0)
    assert rows["b"].metrics["best_table"] == (1, Fraction(1, 2), 0)
    assert rows["c"].metrics["best_table"] == (Fraction(1, 2), Fraction(1, 2), 0)


def test_rows_tell_when_a_bye_decided() -> None:
    # a and b have 1 point each; a's is that of a bye, and Buchholz parts them.
    results = [result(1, 1, b=1, c=0), result(2, 1, a=0, d=1), result(2, 2, b=0, e=1)]
    results += [result(3, 1, d=1, e=0)]
    byes = [Bye("a", ByeKind.ALLOCATED)]
    rows = rows_of("abcde", results, "buchholz", "wins", byes=byes)
    assert (rows["a"].points, rows["b"].points, rows["e"].points) == (1, 1, 1)
    assert rows["a"].bye_decided == rows["b"].bye_decided == rows["e"].bye_decided == ("buchholz",)
    assert rows["c"].bye_decided == rows["d"].bye_decided == ()
    assert rows_of("abcde", results, "wins", byes=byes)["a"].bye_decided == (), "wins counts none"
    assert rows_of("abcde", results, "wins", "buchholz", byes=byes)["a"].bye_decided == ()


def test_every_tie_break_says_what_a_bye_does() -> None:
    for tie_break in find_tie_breaks([*OPPONENTS, "wins", "direct", "score_share", "best_table"]):
        assert "bye" in tie_break.definition
        assert tie_break.counts_byes == (tie_break.key in OPPONENTS)


def test_merits_come_before_points() -> None:
    results = [result(1, 1, a=1, b=0)]
    merits = {"a": Fraction(1), "b": Fraction(2)}
    rows = rows_of("ab", results, merits=merits)
    assert (rows["b"].rank, rows["b"].merit, rows["a"].rank) == (1, 2, 2)


@pytest.mark.parametrize(
    ("scheme", "scores", "points"),
    [
        ("wins", (9, 5, 5), "1 0 0"),
        ("wins", (9, 9, 5), "1/2 1/2 0"),
        ("game_points", (9, -3, 5), "9 -3 5"),
        ("matchpoints", (9, -3, 5), "1/2 1/2 1/2"),
    ],
)
def test_schemes(scheme: str, scores: tuple[int, ...], points: str) -> None:
    table = TableResult(1, 1, tuple("abc"), scores, ranks_of(scores))
    (done,) = priced([table], find_scheme(scheme))
    assert list(map(str, done.points)) == points.split()


def board(number: int, *deals: tuple[int, ...]) -> TableResult:
    scores = tuple(map(sum, zip(*deals, strict=True)))
    seats = tuple(f"t{number}s{seat}" for seat in range(len(scores)))
    return TableResult(1, number, seats, scores, ranks_of(scores), deals=(Deals(deals),))


def test_matchpoints_compare_a_seat_with_the_same_seat_elsewhere_deal_by_deal() -> None:
    tables = [board(1, (10, 0), (0, 5)), board(2, (6, 0), (0, 5)), board(3, (6, 0), (0, 9))]
    points = matchpoints(tables)
    # Deal 1, seat 0: ahead by 10, 6, 6. Deal 2, seat 0: by -5, -5, -9.
    assert [of[0] for of in points] == [Fraction(7, 8), Fraction(1, 2), Fraction(1, 8)]
    assert [of[1] for of in points] == [Fraction(1, 8), Fraction(1, 2), Fraction(7, 8)]


def test_matchpoints_of_a_deal_not_played_to_the_end_are_the_average() -> None:
    tables = [board(1, (10, 0), (5, 0)), board(2, (6, 0)), board(3, (1, 2, 3))]
    points = matchpoints(tables)
    assert points[0] == (Fraction(3, 4), Fraction(1, 4)), "deal 2 has nobody to compare with"
    assert points[1] == (Fraction(1, 4), Fraction(3, 4))
    assert points[2] == (Fraction(1, 2),) * 3, "no other table of its size"


@given(st.randoms(use_true_random=False), st.integers(2, 5), st.integers(2, 6), st.integers(1, 4))
def test_matchpoints_of_each_seat_add_up_to_half_its_tables(
    random: Random, seats: int, tables: int, deals: int
) -> None:
    boards = [
        board(i, *[tuple(random.randrange(4) for _ in range(seats)) for _ in range(deals)])
        for i in range(tables)
    ]
    for of_seat in zip(*matchpoints(boards), strict=True):
        assert sum(of_seat) == Fraction(tables, 2)


def rotated(number: int, *games: tuple[tuple[int, ...], ...]) -> TableResult:
    """A table that played a board in every rotation; the scores of each game by its own seats."""
    size = len(games)
    scores = tuple(
        sum(deal[(index + k) % size] for k, deals in enumerate(games) for deal in deals)
        for index in range(size)
    )
    seats = tuple(f"t{number}i{index}" for index in range(size))
    deals = tuple(Deals(game) for game in games)
    return TableResult(1, number, seats, scores, ranks_of(scores), deals=deals)


def test_in_rotations_everybody_is_compared_with_those_of_the_own_table_too() -> None:
    # Seat 0 has the cards: whoever sits there scores, the first entrant a little more.
    (points,) = matchpoints([rotated(1, ((30, 0),), ((20, 0),))])
    assert points == (1, 0), "ahead by 30 against 20 on seat 0, by -20 against -30 on seat 1"
    (points,) = matchpoints([rotated(1, ((30, 0),), ((30, 0),))])
    assert points == (Fraction(1, 2), Fraction(1, 2)), "the cards favour nobody"


def test_who_forfeits_has_nothing_of_the_deals_left_and_the_others_the_average() -> None:
    whole = board(1, (9, 0, 0), (0, 9, 0))
    left = replace(board(2, (3, 0, 0)), deals=(Deals(((3, 0, 0), None), gone=(1,)),))
    points = matchpoints([whole, left])
    assert points[1] == (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
    assert points[0] == (Fraction(3, 4), Fraction(1, 4), Fraction(1, 4))


def test_a_corrected_table_is_compared_by_its_totals() -> None:
    tables = [board(1, (10, 0), (10, 0)), board(2, (6, 0), (6, 0)), board(3, (0, 0), (0, 0))]
    assert [of[0] for of in matchpoints(tables)] == [1, Fraction(1, 2), 0]
    corrected = replace(tables[2], scores=(15, 0), corrected=True)
    assert [of[0] for of in matchpoints([*tables[:2], corrected])] == [1, 0, Fraction(1, 2)]
    lone = replace(rotated(1, ((30, 0),), ((20, 0),)), scores=(5, 9), corrected=True)
    assert matchpoints([lone]) == [(0, 1)]


def test_tables_that_were_called_off_have_the_average_and_count_for_nobody() -> None:
    off = TableResult(1, 3, ("a", "b"), (0, 0), (1, 1), deals=(Deals(()),))
    points = matchpoints([board(1, (10, 0)), board(2, (6, 0)), off])
    assert points == [(1, 0), (0, 1), (Fraction(1, 2), Fraction(1, 2))]
    assert matchpoints([off]) == [(Fraction(1, 2), Fraction(1, 2))]


@given(st.randoms(use_true_random=False), st.integers(2, 4), st.integers(1, 4), st.integers(1, 3))
def test_matchpoints_of_rotated_tables_add_up_to_half(
    random: Random, seats: int, tables: int, deals: int
) -> None:
    def game() -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(random.randrange(4) for _ in range(seats)) for _ in range(deals))

    played = [rotated(i, *(game() for _ in range(seats))) for i in range(tables)]
    points = matchpoints(played)
    assert sum(map(sum, points)) == Fraction(tables * seats, 2)
    assert all(0 <= share <= 1 for of in points for share in of)
