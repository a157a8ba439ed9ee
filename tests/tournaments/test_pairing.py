"""The parts that schedules are made of: designs, packing, rounds and seats."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.helpers import meetings
from tournaments.pairing.covering import covering
from tournaments.pairing.designs import Split, known_design, splits
from tournaments.pairing.packing import Meetings, Packing
from tournaments.pairing.rounds import even_out, least_rounds, spread
from tournaments.pairing.seats import balanced_seats


@pytest.mark.parametrize(
    ("entrants", "size"), [(25, 4), (28, 4), (37, 4), (40, 4), (41, 5), (45, 5)]
)
def test_difference_families_let_every_two_meet_once(entrants: int, size: int) -> None:
    tables = known_design(entrants, size)
    assert tables is not None
    assert {len(set(table)) for table in tables} == {size}
    assert meetings(tables) == {frozenset(pair): 1 for pair in combinations(range(entrants), 2)}


def test_most_sizes_have_no_known_design() -> None:
    assert known_design(26, 4) is None


@pytest.mark.parametrize("size", [3, 4, 5])
def test_splits_let_different_groups_meet_once(size: int) -> None:
    for entrants in (size * size, 50, 61):
        for split in splits(entrants, size):
            assert (size - 1) * split.group + split.last + split.guests == entrants
            met = meetings(split.across())
            for part in split.parts():
                met.update(frozenset(pair) for pair in combinations(part, 2))
            guests = set(range(entrants - split.guests, entrants))
            for pair in combinations(range(entrants), 2):
                expected = size if guests.issuperset(pair) else 1
                assert met[frozenset(pair)] == expected


def test_small_fields_have_no_split() -> None:
    assert list(splits(8, 5)) == []
    assert Split(3, 3, 3, 0) in list(splits(9, 3))


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5), st.integers(0, 9), st.integers(1, 3), st.integers(0, 2**32))
def test_packing_keeps_its_books(size: int, more: int, wanted: int, seed: int) -> None:
    entrants = size + more
    packing = Packing(entrants, size, wanted, Random(seed), uphill=0.1)
    for _ in range(6):
        packing.open_round(entrants // size)
        packing.improve(200)
        met = meetings(table for tables in packing.rounds() for table in tables)
        lacking = {
            pair for pair in combinations(range(entrants), 2) if met[frozenset(pair)] < wanted
        }
        assert {tuple(sorted(pair)) for pair in packing.lacking} == lacking
        for tables in packing.rounds():
            seated = [number for table in tables for number in table]
            assert len(set(seated)) == len(seated) == entrants // size * size


def test_loss_tells_what_a_replacement_costs() -> None:
    books = Meetings(5, 1)
    for a, b in combinations((0, 1, 2), 2):
        books.meet(a, b)
    before = len(books.lacking)
    assert books.loss((0, 1, 2), 2, 3) == 0  # as many pairs won as lost
    books.replace((0, 1, 2), 2, 3)
    assert len(books.lacking) == before
    assert books.loss((0, 1, 3), 3, 2) == 0


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), st.integers(0, 8), st.integers(1, 30), st.integers(0, 2**32))
def test_seats_can_always_be_balanced(size: int, more: int, count: int, seed: int) -> None:
    random = Random(seed)
    entrants = size + more
    tables = [tuple(random.sample(range(entrants), size)) for _ in range(count)]
    seated = balanced_seats(tables, entrants)
    assert [set(table) for table in seated] == [set(table) for table in tables]
    for number in range(entrants):
        seats = [table.index(number) for table in seated if number in table]
        for start in range(0, len(seats), size):
            block = seats[start : start + size]
            assert len(set(block)) == len(block)


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 5), st.integers(0, 8), st.integers(0, 2**32))
def test_spreading_and_evening_keep_the_tables_in_order(size: int, more: int, seed: int) -> None:
    entrants, random = size + more, Random(seed)
    tables = [tuple(random.sample(range(entrants), size)) for _ in range(12)]
    wanted = min(meetings(tables).values()) if more == 0 else 0
    rounds = spread(tables, entrants, random)
    assert sorted(table for together in rounds for table in together) == sorted(tables)
    assert len(rounds) >= least_rounds(tables, entrants)
    games = Counter(number for table in tables for number in table)
    evened = even_out(rounds, entrants, wanted, random)
    after = Counter(number for together in evened for table in together for number in table)
    assert sum(after.values()) == sum(games.values())
    assert max(after.values()) <= max(games.values())
    for together in (*rounds, *evened):
        seated = [number for table in together for number in table]
        assert len(set(seated)) == len(seated)


def test_coverings_do_not_depend_on_what_was_asked_before() -> None:
    first = covering(14, 4, 1)
    covering.cache_clear()
    covering(9, 4, 2)
    assert covering(14, 4, 1) == first
