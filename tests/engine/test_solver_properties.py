"""Laws of the solver on random positions, and a brute force on tiny ones."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine.solver as solver
from engine.cards import (
    FACES,
    JOKER,
    RANKS,
    SUITS,
    Card,
    Meld,
    Tableau,
    in_order,
    is_joker,
    named,
    physical,
    unshuffled,
)
from engine.manipulation.melds import canonical_meld
from engine.manipulation.phase import check_phase
from engine.solver import best_by_count, is_playable, solve
from tests.engine.test_solver import faults, points

Position = tuple[Tableau, tuple[Card, ...]]


def random_meld(random: Random) -> list[Card]:
    if random.random() < 0.5:
        rank = random.choice(RANKS)
        return [rank + suit for suit in sorted(random.sample(SUITS, random.choice((3, 3, 4))))]
    size = random.choice((3, 3, 3, 3, 4, 4, 5, 6, 8, 13))
    first = random.randint(0, 14 - size)
    suit = random.choice(SUITS)
    return [rank + suit for rank in (RANKS + "A")[first : first + size]]


def random_position(
    random: Random, packs: int = 2, melds: int = 14, cards: int = 15, jokers: int = 2
) -> Position:
    """Return a legal tableau and a hand from real packs; jokers turn up often."""
    left = Counter(unshuffled(packs, jokers=False))
    left[JOKER] = min(packs, jokers)
    tableau: list[Meld] = []
    for _ in range(random.randint(0, melds)):
        meld = random_meld(random)
        for place, face in enumerate(meld):
            if left[JOKER] and (random.random() < 0.05 or not left[face]):
                meld[place] = JOKER + face
        needed = Counter(map(physical, meld))
        if needed <= left:
            left -= needed
            tableau.append(tuple(meld))
    rest = sorted(left.elements())
    random.shuffle(rest)
    if random.random() < 0.3:
        rest.sort(key=lambda card: card != JOKER)
    hand = rest[: random.randint(0, cards)]
    random.shuffle(hand)
    return tuple(tableau), tuple(hand)


def random_weights(random: Random, hand: Sequence[Card]) -> dict[Card, int]:
    kind = random.randrange(4)
    return {
        card: (1, 64 * points(card) + 1, 4096 + points(card), random.randint(0, 9))[kind]
        for card in sorted(set(hand))
    }


randoms = st.integers(0, 2**32 - 1).map(Random)


@settings(max_examples=150, deadline=None)
@given(randoms)
def test_solutions_are_legal(random: Random) -> None:
    tableau, hand = random_position(random)
    weights = random_weights(random, hand)
    solution = solve(tableau, hand, weights)
    assert not faults(tableau, hand, weights, solution)
    if solution.played:
        played, _ = check_phase(tableau, hand, solution.tableau)
        assert played == solution.played


@settings(max_examples=40, deadline=None)
@given(randoms)
def test_one_card_more_never_hurts(random: Random) -> None:
    tableau, hand = random_position(random)
    weights = random_weights(random, hand)
    values = [solve(tableau, hand[:size], weights).value for size in range(len(hand) + 1)]
    assert values == sorted(values)


@settings(max_examples=100, deadline=None)
@given(randoms)
def test_melds_that_stay_keep_their_order(random: Random) -> None:
    tableau, hand = random_position(random, packs=1)  # no meld can lie there twice
    old = [canonical_meld(meld) for meld in tableau]
    new = solve(tableau, hand, dict.fromkeys(hand, 1)).tableau
    stayed = [meld for meld in map(canonical_meld, new) if meld in old]
    assert stayed == [meld for meld in old if meld in stayed]


@settings(max_examples=100, deadline=None)
@given(randoms)
def test_a_meld_that_stands_alone_breaks_no_other(random: Random) -> None:
    """Where no joker lies: one that is freed may be laid elsewhere although it need not."""
    tableau, _ = random_position(random, jokers=0)
    meld = canonical_meld(tuple(random_meld(random)))
    there = Counter(physical(card) for old in tableau for card in old)
    assume(Counter(meld) <= Counter(unshuffled(2, jokers=False)) - there)
    solution = solve(tableau, meld, dict.fromkeys(meld, 1))
    assert solution.played == in_order(meld)
    assert solution.tableau == (*map(canonical_meld, tableau), meld)


@settings(max_examples=200, deadline=None)
@given(randoms)
def test_worth_something_exactly_if_playable(random: Random) -> None:
    tableau, hand = random_position(random, melds=6, cards=6)
    weights = {card: random.randint(1, 9) for card in sorted(set(hand))}
    assert (solve(tableau, hand, weights).value > 0) == is_playable(tableau, hand)


@settings(max_examples=60, deadline=None)
@given(randoms)
def test_order_of_the_hand_does_not_matter(random: Random) -> None:
    tableau, hand = random_position(random)
    weights = random_weights(random, hand)
    first = solve(tableau, hand, weights)
    assert solve(tableau, sorted(hand), dict(sorted(weights.items(), reverse=True))) == first
    assert solve(tableau, tuple(reversed(hand)), weights) == first


@settings(max_examples=30, deadline=None)
@given(randoms)
def test_what_is_remembered_does_not_matter(random: Random) -> None:
    tableau, hand = random_position(random)
    weights = random_weights(random, hand)
    first = solve(tableau, hand, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver, "_BOOK", solver.Book())
        assert solve(tableau, hand, weights) == first


@settings(max_examples=60, deadline=None)
@given(randoms)
def test_best_by_count_is_best_of_all_subsets(random: Random) -> None:
    tableau, hand = random_position(random, melds=8, cards=6)
    weights = random_weights(random, hand)
    best: dict[int, int] = {}
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            if solve(tableau, cards, dict.fromkeys(cards, 1)).value == size:
                best[size] = max(best.get(size, 0), sum(weights[card] for card in cards))
    plays = best_by_count(tableau, hand, weights)
    assert {len(play.played): play.value for play in plays} == best
    assert [len(play.played) for play in plays] == sorted(best)
    for play in plays:
        assert not faults(tableau, hand, weights, play)


# A brute force that knows the clauses and nothing else: name every joker in every way, play every
# part of the hand, and try to cover the lowest card with every meld.

LINES = [[rank + suit for rank in RANKS + "A"] for suit in SUITS]
ALL_MELDS: list[frozenset[Card]] = [
    *(frozenset(line[i : i + n]) for line in LINES for n in range(3, 14) for i in range(15 - n)),
    *(
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ),
]
MELDS_OF = {face: [meld for meld in ALL_MELDS if face in meld] for face in FACES}


@cache
def can_be_melded(cards: tuple[Card, ...]) -> bool:
    """Say whether sorted natural cards can all be put into melds (M5.3)."""
    if not cards:
        return True
    left = set(cards)
    for meld in MELDS_OF[cards[0]]:
        if meld <= left:
            rest = list(cards)
            for card in meld:
                rest.remove(card)
            if can_be_melded(tuple(rest)):
                return True
    return False


def plays_by_force(tableau: Tableau, hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield every part of the hand that can be played."""
    there = [card for meld in tableau for card in meld]
    names = Counter(named(card) for card in there if is_joker(card))
    for size in range(1, len(hand) + 1):
        for played in sorted(set(combinations(sorted(hand), size))):
            reals = [card for card in (*there, *played) if not is_joker(card)]
            jokers = sum(names.values()) + played.count(JOKER)
            for chosen in product(FACES, repeat=jokers):
                if list(chosen) != sorted(chosen, key=FACES.index):
                    continue
                fewer = names - Counter(chosen)
                if all(name in reals for name in fewer) and can_be_melded(
                    tuple(sorted([*reals, *chosen]))
                ):
                    yield played
                    break


@settings(max_examples=100, deadline=None)
@given(randoms)
def test_brute_force(random: Random) -> None:
    tableau, hand = random_position(random, melds=3, cards=4, jokers=1)
    weights = random_weights(random, hand)
    plays = list(plays_by_force(tableau, hand))
    best = max((sum(weights[card] for card in cards) for cards in plays), default=0)
    assert solve(tableau, hand, weights).value == best
    assert (solve(tableau, hand, dict.fromkeys(hand, 1)).value > 0) == bool(plays)
    assert is_playable(tableau, hand) == bool(plays)


@settings(max_examples=12, deadline=None)
@given(randoms)
def test_brute_force_with_two_jokers(random: Random) -> None:
    tableau, hand = random_position(random, melds=2, cards=3)
    weights = random_weights(random, hand)
    plays = list(plays_by_force(tableau, hand))
    best = max((sum(weights[card] for card in cards) for cards in plays), default=0)
    assert solve(tableau, hand, weights).value == best


def test_same_answer_whatever_the_hash_seed() -> None:
    program = (
        "import json, sys\n"
        "from engine.solver import solve\n"
        "for line in list(open(sys.argv[1]))[::3]:\n"
        "    case = json.loads(line)\n"
        "    tableau = tuple(map(tuple, case['tableau']))\n"
        "    print(solve(tableau, case['hand'], dict.fromkeys(case['hand'], 1)))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program, "tests/data/solver-oracle.jsonl"],
            cwd=Path(__file__).parents[2],
            env={"PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(answers) == 1


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, amount) -> None:
    limit, half = amount((700, 1_500), (4_000, 5_000))
    book = solver.Book()
    monkeypatch.setattr(solver, "_BOOK", book)
    monkeypatch.setattr(solver.Book, "LIMIT", limit)
    random = Random(1)
    largest = objects = 0
    for number in range(2 * half):
        tableau, hand = random_position(random, packs=1, melds=5, cards=5, jokers=number % 8 == 0)
        solve(tableau, hand, {card: points(card) for card in hand})
        largest = max(largest, book.size())
        if number == half:
            book.trim()
            objects = len(gc.get_objects())
    assert largest < 2 * limit
    assert len(gc.get_objects()) < objects + 8 * limit


@settings(max_examples=100, deadline=None)
@given(randoms, st.integers(-40, 40))
def test_nothing_that_is_worth_too_little_is_played(random: Random, more: int) -> None:
    tableau, hand = random_position(random, melds=8, cards=10)
    weights = random_weights(random, hand)
    best = solve(tableau, hand, weights).value
    above = max(0, best + more)
    found = solve(tableau, hand, weights, above)
    assert found.value == (best if best > above else 0)
    if found.value:
        assert not faults(tableau, hand, weights, found)
    else:
        assert (found.played, found.tableau) == ((), tableau)
