"""The solver against the oracle, the worked cases of the rules and a judge of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.cards import JOKER, RANKS, Card, Meld, Tableau, in_order, is_joker, named, physical
from engine.solver import Solution, best_by_count, is_playable, solve

DATA = Path(__file__).parents[1] / "data"
ORACLE = [json.loads(line) for line in (DATA / "solver-oracle.jsonl").read_text().splitlines()]
POINTS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, "*": 25}


def points(card: Card) -> int:
    """M7.1"""
    return POINTS.get(card[0]) or int(card[0])


def is_canonical_meld(meld: Meld) -> bool:
    """M4.1-M4.5, word by word, and the canonical order."""
    cards = [named(card) for card in meld]
    if len(cards) < 3 or len(set(cards)) < len(cards):
        return False
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    if len(ranks) == 1:
        return len(cards) <= 4 and cards == sorted(cards, key=lambda card: "cdhs".index(card[1]))
    line = "".join(card[0] for card in cards)
    return len(suits) == 1 and line in RANKS + "A"


def faults(
    tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int], solution: Solution
) -> list[str]:
    """Return what is wrong with a solution, its value's being the highest left aside."""
    found = []
    before = Counter(physical(card) for meld in tableau for card in meld)
    after = Counter(physical(card) for meld in solution.tableau for card in meld)
    played = Counter(solution.played)
    if solution.value != sum(weights[card] for card in solution.played):
        found.append("the value is not the weight of the cards played")
    if solution.played != in_order(solution.played):
        found.append("the cards played are out of order")
    if not played and solution.tableau != tableau:
        found.append("nothing played, yet the tableau has changed (M5.1)")
    if played - Counter(hand):
        found.append("a card is played that is not held")
    if before + played != after:
        found.append("cards have come or gone (M5.2)")
    if played:
        found += [
            f"not a meld in order: {meld} (M5.3)"
            for meld in solution.tableau
            if not is_canonical_meld(meld)
        ]
    reals = {card for meld in solution.tableau for card in meld if not is_joker(card)}
    for joker, count in joker_names(tableau).items():
        if joker_names(solution.tableau)[joker] < count and named(joker) not in reals:
            found.append(f"{joker} has lost its name (M6.4)")
    return found


def joker_names(tableau: Tableau) -> Counter[Card]:
    return Counter(card for meld in tableau for card in meld if is_joker(card))


def as_tableau(melds: Sequence[Sequence[Card]]) -> Tableau:
    return tuple(tuple(meld) for meld in melds)


@pytest.mark.parametrize("objective", ["points", "cards"])
def test_oracle(objective: str) -> None:
    assert len(ORACLE) == 190
    for line in ORACLE:
        tableau, hand = as_tableau(line["tableau"]), line["hand"]
        weights = {card: points(card) if objective == "points" else 1 for card in hand}
        solution = solve(tableau, hand, weights)
        assert solution.value == line[f"best_{objective}"], line["id"]
        assert not faults(tableau, hand, weights, solution), (line["id"], solution)
        assert is_playable(tableau, hand) == (solution.value > 0), line["id"]


@pytest.mark.parametrize("objective", ["points", "cards"])
def test_combined_weights_order_two_aims(objective: str) -> None:
    for line in ORACLE:
        tableau, hand = as_tableau(line["tableau"]), line["hand"]
        weights = {
            card: 64 * points(card) + 1 if objective == "points" else 4096 + points(card)
            for card in hand
        }
        solution = solve(tableau, hand, weights)
        unit = 64 if objective == "points" else 4096
        assert solution.value // unit == line[f"best_{objective}"], line["id"]


def examples(*ids: str) -> list[Any]:
    """Return the named examples: tableau and hand before, tableau after, cards played."""
    text = (DATA / "rule-examples.json").read_text()
    given = {example["id"]: example["given"] for example in json.loads(text)["examples"]}
    found = []
    for name in ids:
        case = given[name]
        played = Counter(case["hand_before"]) - Counter(case["hand_after"])
        before, after = as_tableau(case["tableau_before"]), as_tableau(case["tableau_after"])
        found.append(pytest.param(before, tuple(played.elements()), after, id=name))
    return found


@pytest.mark.parametrize(("tableau", "hand", "after"), examples("MT13", "MT15", "MT18", "MT25"))
def test_freed_joker_is_used_again(tableau: Tableau, hand: Sequence[Card], after: Tableau) -> None:
    solution = solve(tableau, hand, dict.fromkeys(hand, 1))
    assert solution.value == len(hand)
    assert not faults(tableau, hand, dict.fromkeys(hand, 1), solution)
    assert joker_names(solution.tableau) != joker_names(tableau)
    assert set(joker_names(after)) <= {JOKER + name for name in ("2h", "5s", "9s", "3d", "Td")}


@pytest.mark.parametrize(("tableau", "hand", "after"), examples("MT16", "MT24"))
def test_unreplaced_joker_keeps_its_name(
    tableau: Tableau, hand: Sequence[Card], after: Tableau
) -> None:
    solution = solve(tableau, hand, dict.fromkeys(hand, 1))
    assert joker_names(solution.tableau) == joker_names(tableau) != joker_names(after)
    assert not faults(tableau, hand, dict.fromkeys(hand, 1), solution)


def test_replacing_a_joker_with_a_tableau_card_needs_a_card_from_the_hand() -> None:
    """M6.5"""
    tableau = (("5d", "6d", "*7d"), ("7d", "8d", "9d", "Td"))
    assert not is_playable(tableau, ["3c"])
    assert solve(tableau, ["3c"], {"3c": 3}) == Solution(0, (), tableau)


def test_no_corner_is_turned() -> None:
    """M4.4"""
    tableau = (("Qs", "Ks", "As"),)
    assert solve(tableau, ["2s", "3s"], {"2s": 2, "3s": 3}).value == 0
    assert solve(tableau, ["Js"], {"Js": 10}).tableau == (("Js", "Qs", "Ks", "As"),)


def test_thirteen_and_fourteen_cards_of_a_suit() -> None:
    twelve = tuple(rank + "h" for rank in RANKS[:12])
    assert solve((twelve,), ["Kh"], {"Kh": 1}).tableau == ((*twelve, "Kh"),)
    melds = solve((twelve,), ["Kh", "Ah"], {"Kh": 1, "Ah": 1}).tableau
    assert sorted(map(len, melds)) == [3, 11] and all(map(is_canonical_meld, melds))


def test_a_second_card_may_split_a_sequence() -> None:
    for size in range(3, 9):
        meld = tuple(rank + "d" for rank in RANKS[3 : 3 + size])
        for place, card in enumerate(meld):
            assert is_playable((meld,), [card]) == (2 <= place <= size - 3)
            assert bool(solve((meld,), [card], {card: 1}).played) == (2 <= place <= size - 3)


def test_old_melds_keep_their_places() -> None:
    tableau = (("9h", "Th", "Jh"), ("2c", "2d", "2s"), ("4s", "5s", "6s"), ("Kc", "Kd", "Kh"))
    hand = ["2h", "7s", "Qc", "Qd", "Qs"]
    assert solve(tableau, hand, dict.fromkeys(hand, 1)).tableau == (
        ("9h", "Th", "Jh"),
        ("2c", "2d", "2h", "2s"),
        ("4s", "5s", "6s", "7s"),
        ("Kc", "Kd", "Kh"),
        ("Qc", "Qd", "Qs"),
    )


def test_a_group_is_kept_that_other_numbers_would_break() -> None:
    """The nines must lend one card either to the clubs or to the spades; the tens stay whole."""
    tableau = (("9c", "9d", "9h", "9s"), ("Tc", "Td", "Th"), ("6s", "7s", "8s"))
    solution = solve(tableau, ["Ts"], {"Ts": 10})
    assert solution.value == 10
    assert sum(meld in solution.tableau for meld in tableau) == 2


def test_jokers_lie_where_they_lay() -> None:
    tableau = (("8c", "8d", "*8s"), ("6s", "7s", "8s"), ("Jc", "Jd", "Jh"))
    solution = solve(tableau, ["Js"], {"Js": 10})
    assert solution.tableau == (*tableau[:2], ("Jc", "Jd", "Jh", "Js"))


def test_nothing_to_play() -> None:
    assert solve((), [], {}) == Solution(0, (), ())
    assert not is_playable((), [])
    assert best_by_count((), [], {}) == ()
    odd = (("8h", "8d", "8c"),)
    assert solve(odd, ["Ks"], {"Ks": 10}) == Solution(0, (), odd)


def test_weightless_cards() -> None:
    tableau = (("6s", "7s", "8s"),)
    assert solve(tableau, ["9s"], {"9s": 0}) == Solution(0, (), tableau)
    assert is_playable(tableau, ["9s"])
    assert [play.played for play in best_by_count(tableau, ["9s"], {"9s": 0})] == [("9s",)]


def test_melds_come_out_in_canonical_order() -> None:
    tableau = (("8h", "8d", "8c"), ("Ks", "As", "Qs"))
    assert solve(tableau, ["8s"], {"8s": 8}).tableau == (
        ("8c", "8d", "8h", "8s"),
        ("Qs", "Ks", "As"),
    )


def test_counts_and_cards_held_back() -> None:
    tableau = (("3d", "4d", "5d"),)
    hand = ["6d", "7d", "2d", "Kc", "*"]
    weights = {card: points(card) for card in hand}
    plays = best_by_count(tableau, hand, weights)
    assert [(len(play.played), play.value) for play in plays] == [
        (1, 25),
        (2, 32),
        (3, 38),
        (4, 40),
    ]
    held_back = best_by_count(tableau, [card for card in hand if card != JOKER], weights)
    assert [(len(play.played), play.value) for play in held_back] == [(1, 6), (2, 13), (3, 15)]
    for play in (*plays, *held_back):
        assert not faults(tableau, hand, weights, play)
