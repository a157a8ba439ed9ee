"""Round robin: who meets whom, where they sit, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import knobs
from engine.errors import BadInput
from engine.seeds import Words
from tests.tournaments.helpers import KEY, all_rounds, meetings, tables_of
from tournaments.formats import FORMATS, find_format
from tournaments.formats.base import Basis, Bye, ByeKind, History, Pairing
from tournaments.formats.round_robin import ROUND_ROBIN, Options
from tournaments.pairing.covering import covering, lower_bound
from tournaments.pairing.plans import Plan, plan


def check_plan(entrants: int, size: int, times: int) -> Plan:
    """Check everything that every schedule promises."""
    schedule = plan(entrants, size, times)
    seats = min(size, entrants)
    tables = [table for together in schedule.rounds for table in together]
    assert {len(table) for table in tables} == {seats}
    for together in schedule.rounds:
        seated = [number for table in together for number in table]
        assert together and len(set(seated)) == len(seated), "nobody sits twice in a round"
    met = meetings(tables)
    assert all(met[frozenset(pair)] >= times for pair in combinations(range(entrants), 2))
    assert len(tables) == schedule.tables >= schedule.lower_bound
    for number in range(entrants):
        held = Counter(table.index(number) for table in tables if number in table)
        counts = [held[seat] for seat in range(seats)]
        assert max(counts) - min(counts) <= 1, f"seats of {number}: {counts}"
    return schedule


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_small_fields(size: int, amount) -> None:
    for entrants in range(max(2, size - 1), amount(11, 41)):
        check_plan(entrants, size, 1)


@pytest.mark.parametrize(("entrants", "size"), [(26, 4), (35, 5), (40, 5)])
def test_larger_fields(entrants: int, size: int) -> None:
    schedule = check_plan(entrants, size, 1)
    assert schedule.tables <= 1.13 * schedule.lower_bound


def test_the_largest_field(amount) -> None:
    most = {4: 7_560, 2: 44_850, 3: 15_010, 5: 4_580}
    for size in list(most)[: amount(1, 4)]:
        assert check_plan(300, size, 1).tables <= most[size]


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 5), st.integers(-1, 4), st.integers(1, 10))
def test_several_meetings(size: int, more: int, times: int) -> None:
    schedule = check_plan(max(2, size + more), size, times)
    assert schedule.tables <= times * plan(max(2, size + more), size, 1).tables


@pytest.mark.parametrize(
    ("entrants", "size", "tables", "rounds"),
    [
        (7, 3, 7, 7),  # the Fano plane
        (8, 4, 6, 3),
        (9, 3, 12, 4),  # the affine plane of order 3
        (14, 4, 18, 6),
        (15, 3, 35, 7),  # Kirkman's schoolgirls
        (16, 4, 20, 5),  # the affine plane of order 4
        (25, 4, 50, 10),
        (25, 5, 30, 6),  # the affine plane of order 5
        (27, 3, 117, 13),
        (28, 4, 63, 9),
        (37, 4, 111, 18),
        (40, 4, 130, 19),
        (45, 5, 99, 19),
    ],
)
def test_known_designs_are_reached(entrants: int, size: int, tables: int, rounds: int) -> None:
    schedule = check_plan(entrants, size, 1)
    assert schedule.tables == tables == schedule.lower_bound
    assert len(schedule.rounds) <= rounds
    fewest, most = schedule.games_each
    assert most - fewest == (tables * size % entrants > 0)


@pytest.mark.parametrize(
    ("entrants", "tables"),
    # The fewest possible: the bound of Schönheim except for 7, 9, 10 and 19 (Mills 1972, 1973).
    [(5, 3), (6, 3), (7, 5), (8, 6), (9, 8), (10, 9), (11, 11), (12, 12), (17, 26), (19, 31)],
)
def test_fewest_tables_of_four(entrants: int, tables: int) -> None:
    assert len(covering(entrants, 4)) == tables


@pytest.mark.parametrize(("entrants", "size"), [(13, 4), (21, 5)])
def test_projective_planes_are_reached(entrants: int, size: int) -> None:
    # Any two of their tables share an entrant, so each is a round of its own.
    tables = covering(entrants, size)
    assert len(tables) == entrants == lower_bound(entrants, size)
    assert all(set(a) & set(b) for a, b in combinations(tables, 2))


def test_fewer_tables_for_two_meetings_than_twice_one() -> None:
    # The seven tables of the complement of the Fano plane; one meeting takes five.
    assert plan(7, 4, 1).tables == 5
    assert plan(7, 4, 2).tables == 7 == lower_bound(7, 4, 2)
    assert plan(4, 3, 2).tables == 4


def test_games_are_even_where_they_can_be() -> None:
    for entrants, size in [(16, 5), (14, 4)]:
        fewest, most = plan(entrants, size, 1).games_each
        assert most - fewest <= 1


def test_seats_are_balanced_at_all_times() -> None:
    tables = [table for together in plan(16, 4, 1).rounds for table in together]
    for number in range(16):
        seats = [table.index(number) for table in tables if number in table]
        assert sorted(seats[:4]) == [0, 1, 2, 3]


BERGER_8 = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""
"""FIDE handbook C.05, annex 1, for 7 or 8 players."""


def test_tables_of_two_are_the_berger_tables() -> None:
    printed = [
        [tuple(int(number) - 1 for number in pair.split("-")) for pair in line.split()]
        for line in BERGER_8.strip().splitlines()
    ]
    assert [list(together) for together in plan(8, 2, 1).rounds] == printed
    without_8 = [[pair for pair in together if 7 not in pair] for together in printed]
    assert [list(together) for together in plan(7, 2, 1).rounds] == without_8


def test_berger_cycles_exchange_seats() -> None:
    rounds = plan(6, 2, 2).rounds
    assert [tuple(pair[::-1] for pair in together) for together in rounds[:5]] == list(rounds[5:])


def test_a_field_of_one_less_than_a_table_plays_short() -> None:
    schedule = check_plan(4, 5, 3)
    assert (schedule.tables, schedule.lower_bound, len(schedule.rounds)) == (3, 3, 3)
    assert ROUND_ROBIN.table_sizes(4, Options(5)) == (4,)
    assert ROUND_ROBIN.table_sizes(5, Options(5)) == (5,)


@pytest.mark.parametrize(
    ("entrants", "settings_", "message"),
    [
        (1, {}, "a round robin needs at least 2 entrants, not 1"),
        (
            2,
            {"table_size": 5},
            "2 entrants do not fill a table of 5; table_size may be 2 to 3, or 4 or more must"
            " enter",
        ),
        (
            301,
            {},
            "a round robin takes at most 300 entrants, not 301; everybody would play nearly"
            " everybody, so split the field",
        ),
        (
            300,
            {"table_size": 3, "meetings": 10},
            "meetings=10 of 300 entrants at tables of 3 takes more than 50000 tables; meetings may"
            " be 1 to 3",
        ),
    ],
)
def test_fields_that_cannot_be_seated(
    entrants: int, settings_: dict[str, object], message: str
) -> None:
    options = knobs.parse(Options, settings_)
    for ask in (
        lambda: ROUND_ROBIN.table_sizes(entrants, options),
        lambda: ROUND_ROBIN.preview(entrants, options),
        lambda: ROUND_ROBIN.pair(range(entrants), History(), options, Words(KEY)),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert str(refused.value) == message


def test_options_are_checked() -> None:
    with pytest.raises(BadInput, match="table_size=6 must be a whole number 2 to 5"):
        knobs.parse(Options, {"table_size": 6})
    with pytest.raises(BadInput, match="meetings=0 must be a whole number 1 to 10"):
        knobs.parse(Options, {"meetings": 0})


def test_registry() -> None:
    assert find_format("round_robin") is ROUND_ROBIN is FORMATS["round_robin"]
    with pytest.raises(
        BadInput, match="format 'swis' is unknown; known are: round_robin, swiss, knock"
    ):
        find_format("swis")


@pytest.mark.parametrize(
    ("entrants", "size", "basis"),
    [(9, 3, Basis.TOTAL), (10, 4, Basis.AVERAGE), (7, 2, Basis.TOTAL), (3, 4, Basis.TOTAL)],
)
def test_the_preview_is_what_is_played(entrants: int, size: int, basis: Basis) -> None:
    preview = ROUND_ROBIN.preview(entrants, Options(size))
    rounds = all_rounds(range(entrants), Options(size))
    games = Counter(entrant for table in tables_of(rounds) for entrant in table)
    assert [pairing.round for pairing in rounds] == list(range(1, preview.rounds + 1))
    assert preview.tables == preview.games == len(tables_of(rounds))
    assert preview.games_each == (min(games.values()), max(games.values()))
    assert preview.basis is basis
    assert preview.lower_bound is not None and preview.lower_bound <= preview.tables


def test_every_two_entrants_meet() -> None:
    names = ["ann", "bob", "cy", "di", "eve", "flo", "gus", "hal", "ida", "joe"]
    met = meetings(tables_of(all_rounds(names, Options(4))))
    assert all(met[frozenset(pair)] for pair in combinations(names, 2))


def test_words_decide_who_is_who() -> None:
    first = all_rounds(range(8), Options(4))
    assert first == all_rounds(range(8), Options(4))
    assert first != all_rounds(range(8), Options(4), key=bytes(32))


def test_nothing_depends_on_the_hash_seed() -> None:
    program = (
        "from tests.tournaments.helpers import *\n"
        "from engine.seeds import Words\n"
        "names = ['p' + str(i) for i in range(8)]\n"
        "print([all_rounds(names, Options(k), withdrawn=['p3', 'p5']) for k in (2, 3, 4, 5)])\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(answers) == 1


def test_notes_explain_a_round() -> None:
    (first, *_) = all_rounds(["ann", "bob", "cy", "di", "eve"], Options(4))
    names = {name: name.title() for name in ("ann", "bob", "cy", "di", "eve")}
    said = [note.say(names) for note in first.notes]
    assert said[0] == (
        "Round 1 of 3: every two of 5 entrants meet at least once, in 3 tables (fewer than 3 are"
        " impossible); the places in the schedule were drawn by lot."
    )
    assert said[1] == "Entrants have 2 to 3 games each, so the standings go by points a game."
    (resting,) = set(names) - set(first.tables[0])
    assert said[2] == f"Without a table in this round: {names[resting]}."


def test_the_withdrawn_are_not_seated() -> None:
    everybody = list(range(9))
    rounds = all_rounds(everybody, Options(3), withdrawn=[4])
    full = all_rounds(everybody, Options(3))
    for pairing, planned in zip(rounds, full, strict=True):
        expected = [tuple(e for e in table if e != 4) for table in planned.tables]
        assert list(pairing.tables) == expected
        short = [table for table in pairing.tables if len(table) == 2]
        assert len(short) == 1
        gone = next(note for note in pairing.notes if note.table)
        assert gone.entrants == (4,)
        assert gone.table == pairing.tables.index(short[0]) + 1
    assert meetings(tables_of(rounds)) == {
        frozenset(pair): 1 for pair in combinations([e for e in everybody if e != 4], 2)
    }


def test_whoever_is_left_alone_has_a_forfeit_win() -> None:
    rounds = all_rounds("abcd", Options(2), withdrawn="d")
    byes = [bye for pairing in rounds for bye in pairing.byes]
    assert sorted(bye.entrant for bye in byes) == ["a", "b", "c"]
    assert {bye.kind for bye in byes} == {ByeKind.FORFEIT_WIN}
    assert len(tables_of(rounds)) == 3


@pytest.mark.parametrize("size", [2, 3, 4])
def test_nothing_is_paired_when_everybody_withdrew(size: int) -> None:
    assert all_rounds(range(8), Options(size), withdrawn=range(8)) == []


def test_withdrawal_in_the_middle_keeps_the_schedule() -> None:
    full = all_rounds(range(9), Options(3))
    history = History(tuple(full[:2]), withdrawn={0, 1})
    third = ROUND_ROBIN.pair(range(9), history, Options(3), Words(KEY))
    assert third is not None and third.round == 3
    live = [tuple(e for e in table if e > 1) for table in full[2].tables]
    assert list(third.tables) == [table for table in live if len(table) > 1]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 5), st.integers(2, 11), st.data())
def test_no_round_is_empty_or_seats_the_withdrawn(size: int, entrants: int, data) -> None:
    entrants = max(entrants, size - 1)
    withdrawn = data.draw(st.sets(st.integers(0, entrants - 1)))
    rounds = all_rounds(range(entrants), Options(size), withdrawn=withdrawn)
    assert all(before.round < after.round for before, after in pairwise(rounds))
    for pairing in rounds:
        assert pairing.tables or pairing.byes
        busy = [entrant for table in pairing.tables for entrant in table]
        busy += [bye.entrant for bye in pairing.byes]
        assert not withdrawn & set(busy) and len(set(busy)) == len(busy)
        assert all(len(table) > 1 for table in pairing.tables)


def test_entrants_are_checked() -> None:
    with pytest.raises(BadInput, match="'ann' entered twice"):
        ROUND_ROBIN.pair(["ann", "bob", "ann"], History(), Options(2), Words(KEY))
    played = Pairing(1, ((1, 2), (3, 4)))
    for history in (History((played,)), History(withdrawn=[4])):
        with pytest.raises(BadInput, match="entrant 4 did not enter this phase"):
            ROUND_ROBIN.pair([1, 2, 3], history, Options(2), Words(KEY))


def test_a_pairing_has_nobody_twice() -> None:
    with pytest.raises(BadInput, match="round 3: entrant 2 would play twice in it"):
        Pairing(3, ((1, 2), (2, 3)))
    with pytest.raises(BadInput, match="round 3: entrant 'b' would play twice in it"):
        Pairing(3, (("a", "b"),), (Bye("b", ByeKind.ZERO),))


def test_the_bound_is_exact_arithmetic() -> None:
    for entrants, size, times in [(9, 3, 1), (10, 4, 3), (300, 5, 7)]:
        each = -(-Fraction(times * (entrants - 1), size - 1) // 1)
        assert lower_bound(entrants, size, times) == -(-Fraction(entrants * each, size) // 1)
