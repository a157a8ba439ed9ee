"""Every worked case of the gin family in rule-examples.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine import knobs
from engine.errors import RuleViolation
from engine.events import Event
from engine.gin.deadwood import deadwood, lay_off, points
from engine.gin.endings import next_dealer
from engine.gin.events import (
    DealEnding,
    Discard,
    DrawStock,
    Gin,
    Knock,
    TakeUpcard,
)
from engine.gin.judge import decide, may
from engine.gin.melds import bits
from engine.gin.rules import GinRules, HollywoodRules, OklahomaRules, Rules
from engine.gin.scoring import Column, Sheet, score_deal, score_game
from engine.gin.state import Phase, State, apply, initial
from tests.engine.gin.positions import position
from tests.engine.test_rule_examples import DATA

FAMILY: dict[str, type[Rules]] = {
    "gin": GinRules,
    "hollywood": HollywoodRules,
    "oklahoma": OklahomaRules,
}
EXAMPLES = {e["id"]: e for e in json.loads(DATA.read_text())["examples"] if e["game"] in FAMILY}
NAMES = ["A", "B"]


def variations(*ids: str):
    """Each named case, and again under each knob of its ``expect_if``."""
    params = []
    for ident in ids:
        case = EXAMPLES[ident]
        for knob, expect in [("", case["expect"]), *case.get("expect_if", {}).items()]:
            settings = knobs.settings_from_text(knob)
            rules = knobs.parse(FAMILY[case["game"]], settings)
            expected = case["expect"] | expect
            params.append(pytest.param(case["given"], rules, expected, id=f"{ident} {knob}"))
    tested.update(ids)
    return pytest.mark.parametrize(("given", "rules", "expect"), params)


tested: set[str] = set()


def test_every_case_is_tested() -> None:
    assert tested == set(EXAMPLES)


@variations("GD03", "GD04", "GD05")
def test_deadwood(given: dict, rules: Rules, expect: dict) -> None:
    least = deadwood(bits(given["hand"]))
    assert least == expect["deadwood"]
    assert (least == 0) is expect.get("gin", False)


@variations("GK01", "OK01", "OK09")
def test_knock_limit(given: dict, rules: Rules, expect: dict) -> None:
    """A hand with exactly the given deadwood, and whether it may knock."""
    left = given["after_discard_deadwood"]
    loose = {4: "4s", 6: "6s", 10: "Ks"}[left]
    hand = f"Ac 2c 3c 7d 7h 7s Td Jd Qd {loose}"
    upcard = given.get("upcard", "9c")
    pile = f"9c {given['later_top_discard']}" if "later_top_discard" in given else "9c"
    state = position(hand, drawn="Kc", discards=pile, upcard=upcard, rules=rules)
    assert rules.limit(upcard) == expect.get("limit", 10)
    assert may(state, 0).knock is expect["may_knock"]
    melds = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Td", "Jd", "Qd"))
    if expect["may_knock"]:
        assert decide(state, 0, Knock("Kc", melds))[0].type == "knocked"
    else:
        with pytest.raises(RuleViolation, match=f"{left} points of deadwood would be left"):
            decide(state, 0, Knock("Kc", melds))


@variations("GK03")
def test_card_just_taken(given: dict, rules: Rules, expect: dict) -> None:
    assert given["from"] == "discard" and expect["legal"] is False
    state = position(drawn=given["took"], discards="6s", taken=True, rules=rules)
    with pytest.raises(RuleViolation, match="was just taken"):
        decide(state, 0, Discard(given["discards"]))


@variations("GK06")
def test_dealer_takes_the_upcard(given: dict, rules: Rules, expect: dict) -> None:
    """The non-dealer refused; seat 0 is the dealer."""
    upcard = given["upcard"]
    state = position(discards=upcard, upcard=upcard, phase=Phase.UPCARD, dealer=0, rules=rules)
    state = after(state, decide(state, 0, TakeUpcard()))
    assert expect["dealer_may_discard_6d"] is False
    with pytest.raises(RuleViolation, match="6d was just taken"):
        decide(state, 0, Discard(upcard))
    state = after(state, decide(state, 0, Discard("Kh")))
    assert state.turn == 1 and expect["next"] == "nondealer"
    now = may(state, 1)
    assert (now.draw_stock, now.draw_discard) == (True, True)
    assert expect["may_take"] == ["stock", "discard"]


def after(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = apply(state, event)
    return state


@variations("GK08", "GS04", "GS09", "OK06")
def test_deal_by_deadwood(given: dict, rules: Rules, expect: dict) -> None:
    gin = Gin.GIN if given.get("gin") else Gin.NONE
    knocker, defender = given["knocker_deadwood"], given["defender_deadwood"]
    score = score_deal(knocker, defender, gin, rules, given.get("upcard", "9c"))
    assert scored(score.knocker_wins, score.score) == expect["points"]


def scored(knocker_wins: bool, score: int) -> dict[str, int]:
    return {"knocker": score * knocker_wins, "defender": score * (not knocker_wins)}


def test_a_knock_with_two_cards_left_counts() -> None:
    """GK08 played: three cards before the draw, a knock, no dead deal."""
    state = position("Ac 2c 3c 7d 7h 7s Td Jd Qd 7c", phase=Phase.DRAW, stock=3)
    state = after(state, decide(state, 0, DrawStock()))
    drawn = state.deal.drawn
    melds = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Td", "Jd", "Qd"))
    _, ended, _ = decide(state, 0, Knock(drawn, melds))
    assert ended.ending == DealEnding.KNOCK and ended.points[0] == 7


@variations("GS02", "GS03", "GS06", "GS07")
def test_deal_by_cards(given: dict, rules: Rules, expect: dict) -> None:
    melds = [bits(meld) for meld in given["knocker"]["melds"]]
    left, hand = points(bits(given["knocker"]["deadwood"])), bits(given["defender"])
    laid = lay_off(hand, melds) if left else 0
    after_that = deadwood(hand ^ laid)
    score = score_deal(left, after_that, Gin.NONE if left else Gin.GIN, rules)
    assert after_that == expect["defender_deadwood"]
    assert left == expect.get("knocker_deadwood", left)
    assert scored(score.knocker_wins, score.score) == expect["points"]
    if "laid_off" in expect:
        assert laid == bits(expect["laid_off"])


@variations("GS10")
def test_big_gin(given: dict, rules: Rules, expect: dict) -> None:
    hand = given["hand_after_draw"]
    state = position(" ".join(hand[:-1]), drawn=hand[-1], rules=rules)
    now = may(state, 0)
    assert now.knock and now.big_gin is (expect["best"] == "big gin")
    gin = Gin.BIG if now.big_gin else Gin.GIN
    score = score_deal(0, given["defender_deadwood"], gin, rules)
    assert scored(score.knocker_wins, score.score) == expect["points"]


def account(given: dict, *more: tuple[int, int, int]) -> Sheet:
    """One column with points and boxes as they stand, and more deals entered."""
    column = Column(*(tuple(given[name].values()) for name in ("deal_points", "deals_won")))
    for seat, score, boxes in more:
        column = column.enter(seat, score, boxes)
    return Sheet((column,))


@variations("GE01", "GE03", "GE04")
def test_game(given: dict, rules: Rules, expect: dict) -> None:
    check_game(account(given), rules, expect, deals=sum(given["deals_won"].values()))


def check_game(sheet: Sheet, rules: Rules, expect: dict, *, deals: int) -> None:
    score = score_game(sheet, rules, deals=deals, counted=deals)
    assert (score is not None) is expect["ends"]
    if score is not None:
        assert dict(zip(NAMES, score.totals, strict=True)) == expect["final"]
        assert [NAMES[seat] for seat in score.winners] == [expect["winner"]]


@variations("GE05")
def test_dealers(given: dict, rules: Rules, expect: dict) -> None:
    dealers = [given["dealer"]]
    for result in given["hand_results"]:
        winners = () if result == "cancelled" else (NAMES.index(result[0]),)
        dealer = next_dealer(initial(rules), NAMES.index(dealers[-1]), winners)
        dealers.append(NAMES[dealer])
    assert dealers == expect["dealers"]


def entered(given: dict, rules: Rules) -> Iterator[Sheet]:
    sheet = Sheet.empty(rules)
    for name, score in given["deals"]:
        sheet = sheet.enter(NAMES.index(name), score, 1, rules)
        yield sheet


@variations("HW01", "HW04", "HW05")
def test_hollywood(given: dict, rules: Rules, expect: dict) -> None:
    *_, sheet = entered(given, rules)
    for seat, name in enumerate(NAMES):
        assert [column.points[seat] for column in sheet.columns] == expect[name]
        if "entries" in expect:
            assert [column.boxes[seat] for column in sheet.columns] == expect["entries"][name]
    closed = [i for i, column in enumerate(sheet.columns, 1) if column.closed(rules)]
    assert closed == expect["closed"]
    deals = len(given["deals"])
    score = score_game(sheet, rules, deals=deals, counted=deals)
    assert (score is not None) is ("totals" in expect)
    if score is not None:
        assert dict(zip(NAMES, score.totals, strict=True)) == expect["totals"]
        assert [NAMES[seat] for seat in score.winners] == [expect["winner"]]
        for i, column in enumerate(sheet.columns):
            alone = score_game(Sheet((column,)), rules, deals=deals, counted=deals)
            assert alone is not None
            for seat, name in enumerate(NAMES):
                assert alone.totals[seat] == expect["settled"][name][i]


@variations("OK11", "OK12")
def test_boxes(given: dict, rules: Rules, expect: dict) -> None:
    assert rules.boxes(DealEnding(given["hand_result"])) == expect["boxes_for_winner"]


@variations("OK13")
def test_oklahoma_game(given: dict, rules: Rules, expect: dict) -> None:
    last: dict[str, Any] = given["next_hand"]
    left = last["knocker_deadwood"], last["defender_deadwood"]
    score = score_deal(*left, Gin.NONE, rules, last["upcard"])
    assert score.knocker_wins and score.score == expect["points"][last["winner"]]
    won = NAMES.index(last["winner"])
    sheet = account(given, (won, score.score, rules.boxes(score.ending)))
    check_game(sheet, rules, expect, deals=10)
