"""Every worked case of Manipulation in rule-examples.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import knobs
from engine.cards import unshuffled
from engine.errors import RuleViolation
from engine.events import Fault, FaultReason
from engine.manipulation import judge
from engine.manipulation.judge import decide, may
from engine.manipulation.melds import canonical_meld, meld_kind
from engine.manipulation.phase import check_phase
from engine.manipulation.rules import MAX_DRAWS, Rules, hand_points, packs
from engine.manipulation.scoring import score_deal, score_game
from engine.manipulation.state import Deal, State

DATA = Path(__file__).parent.parent / "data" / "rule-examples.json"
EXAMPLES = [e for e in json.loads(DATA.read_text())["examples"] if e["game"] == "manipulation"]


def cases(kind: str):
    found = [e for e in EXAMPLES if e["kind"] == kind]
    assert found
    return pytest.mark.parametrize("case", found, ids=[e["id"] for e in found])


def test_every_kind_is_tested() -> None:
    tested = {"meld", "turn", "phase", "hand", "deal", "game", "fault"}
    assert {e["kind"] for e in EXAMPLES} == tested


@cases("meld")
def test_meld(case) -> None:
    meld = tuple(case["given"]["meld"])
    if case["expect"]["legal"]:
        assert meld_kind(canonical_meld(meld)) == case["expect"]["type"]
    else:
        with pytest.raises(RuleViolation):
            canonical_meld(meld)


@cases("turn")
def test_turn(case) -> None:
    given, expect = case["given"], case["expect"]
    before = tuple(map(tuple, given["tableau_before"]))
    after = tuple(map(tuple, given["tableau_after"]))
    if not expect["legal"]:
        with pytest.raises(RuleViolation):
            check_phase(before, given["hand_before"], after)
        return
    played, _ = check_phase(before, given["hand_before"], after)
    assert sorted(played + tuple(given["hand_after"])) == sorted(given["hand_before"])
    if "may_knock_after" in expect:
        may_knock = 0 < hand_points(given["hand_after"]) <= Rules().knock_limit
        assert may_knock == expect["may_knock_after"]


def state_of(given: dict, seats: int = 3, seat: int = 0) -> State:
    """A state in the middle of a deal, as the case describes it; hands hidden unless given."""
    rules = knobs.parse(Rules, given.get("rules", {}))
    lap = tuple(range(seat, seats)) if given.get("final_lap") else None
    hand = tuple(given.get("hand", ("Kc", "Kd", "9h", "4s")))
    deal = Deal(
        1,
        seats - 1,
        unshuffled(packs(seats), jokers=True),
        given["pile"],
        tuple(hand if s == seat else ("Kh",) * 4 for s in range(seats)),
        turn=seat,
        draws=given["drawn"],
        lap=lap,
    )
    none = (0,) * seats
    faults = (given.get("faults_before", 0),) * seats
    return State(None, 9, rules, tuple("ABCDE"[:seats]), none, none, faults, (), deal, asked=none)


@cases("phase")
def test_phase(case) -> None:
    given, expect = case["given"], case["expect"]
    seats = len(given.get("players", "ABC"))
    seat = "ABCDE".index(given.get("turn", "A"))
    state = state_of(given, seats, seat)
    if given.get("melded"):
        # Melding ends the drawing (M3.6): in this engine the turn is then over, so what is left
        # to ask is whether the meld command itself may carry the knock.
        if "may_knock" in expect:
            limit = may(state, seat).knock_limit
            assert (limit is not None and hand_points(given["hand"]) <= limit) is expect[
                "may_knock"
            ]
        assert expect.get("may_draw", False) is False
        return
    now = may(state, seat)
    if "may_meld" in expect:
        assert now.meld is expect["may_meld"]
    if "must_draw_if_not_melding" in expect:
        assert (now.draw and not now.pass_) is expect["must_draw_if_not_melding"]
    if "may_knock" in expect:
        limit = now.knock_limit
        knocking = now.pass_ and limit is not None and hand_points(given["hand"]) <= limit
        assert knocking is expect["may_knock"]
    if "lap_order_if_nobody_knocks_or_goes_out" in expect:
        after = judge.apply(state, judge.Passed(seat, False))
        assert after.deal is not None and after.deal.lap is not None
        order = ["ABCDE"[s] for s in after.deal.lap]
        assert order == expect["lap_order_if_nobody_knocks_or_goes_out"]


@cases("hand")
def test_hand(case) -> None:
    points = hand_points(case["given"]["hand"])
    assert points == case["expect"]["points"]
    assert (0 < points <= Rules().knock_limit) is case["expect"]["may_knock"]


@cases("deal")
def test_deal(case) -> None:
    given, expect = case["given"], case["expect"]
    names = list(given["hands"])
    points = [
        h if h is None or isinstance(h, int) else hand_points(h) for h in given["hands"].values()
    ]
    seat = {name: names.index(name) for name in names} | {None: None}
    knocker, out = given.get("knocker"), given.get("out")
    score = score_deal(points, Rules(), knocker=seat[knocker], out=seat[out])
    assert dict(zip(names, score.scores, strict=True)) == expect["points"]
    assert [names[s] for s in score.winners] == expect["deals_won_by"]


@cases("game")
def test_game(case) -> None:
    given = case["given"]
    variations = [((), case["expect"])]
    variations += [((knob,), changed) for knob, changed in case.get("expect_if", {}).items()]
    for knob, expect in variations:
        settings = given.get("rules", {}) | knobs.settings_from_text(",".join(knob))
        rules = knobs.parse(Rules, settings)
        if "totals" in given:
            check_account(given, rules, expect)
        else:
            check_dealer(given, rules, expect)


def check_account(given: dict, rules: Rules, expect: dict) -> None:
    names = list(given["totals"])
    score = score_game(
        list(given["totals"].values()),
        list(given["deals_won"].values()),
        rules,
        deals=given.get("deals", 9),
        forfeited=[names.index(name) for name in given.get("forfeited", [])],
    )
    assert (score.ending is not None) is expect.get("ends", True)
    if "final" in expect:
        assert dict(zip(names, score.totals, strict=True)) == expect["final"]
        assert [names[s] for s in score.winners] == expect["winners"]


def check_dealer(given: dict, rules: Rules, expect: dict) -> None:
    names = given["players"]
    winners = given.get("deal_winners") or [given["deal_winner"]]
    state = State(None, rules=rules, players=tuple(names))
    dealer = judge.next_dealer(
        state, names.index(given["dealer"]), [names.index(w) for w in winners]
    )
    assert names[dealer] == expect["next_dealer"]
    assert names[next(state.live_after(dealer))] == expect["first_to_play"]


@cases("fault")
def test_fault(case) -> None:
    given = {"final_lap": False, **case["given"]}
    state = state_of(given)
    assert given["drawn"] < MAX_DRAWS
    events = decide(state, 0, Fault(FaultReason.TIMEOUT))
    assert [event.type for event in events] == case["expect"]["events"]
