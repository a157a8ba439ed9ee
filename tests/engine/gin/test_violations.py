"""Every violation code of the gin family, reached by a command, with the message people read."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.errors import BadInput, RuleViolation
from engine.events import Command, Forfeit, ForfeitReason, Outcome, Resign
from engine.gin import GIN
from engine.gin.events import (
    Discard,
    DrawDiscard,
    DrawStock,
    Knock,
    RefuseUpcard,
    TakeUpcard,
)
from engine.gin.judge import decide, is_legal
from engine.gin.rules import GinRules, OklahomaRules
from engine.gin.state import Phase, State
from engine.manipulation.events import Draw
from tests.engine.gin.positions import position

ACES = ("Ac", "2c", "3c")
SEVENS = ("7d", "7h", "7s")
LOW = "Ac 2c 3c 7d 7h 7s Td Jd Qd 4s"
"""Three melds and the four of spades."""


@dataclass(frozen=True)
class Case:
    code: str
    clause: str
    message: str
    state: State
    command: Command
    seat: int = 0


CASES = [
    Case(
        "game_over",
        "G7.1",
        "the game is over (target); no command is open",
        position(outcome=Outcome("target", (120, 0), (0,), (1, 2))),
        DrawStock(),
    ),
    Case(
        "not_your_turn",
        "G2.3",
        "it is the turn of seat 0, not of seat 1",
        position(),
        Discard("2d"),
        1,
    ),
    Case("not_your_turn", "G1.1", "there is no seat 2 at this game", position(), DrawStock(), 2),
    Case("not_your_turn", "G1.1", "there is no seat 7 at this game", position(), Resign(), 7),
    Case(
        "may_not_take",
        "G2.1",
        "the upcard is offered at the start of a deal only; draw a card",
        position(phase=Phase.DRAW),
        TakeUpcard(),
    ),
    Case(
        "may_not_take",
        "G2.3",
        "you have drawn a card; discard or knock",
        position(),
        RefuseUpcard(),
    ),
    Case(
        "may_not_draw",
        "G2.1",
        "the upcard is offered; take it or refuse it",
        position(phase=Phase.UPCARD),
        DrawStock(),
    ),
    Case(
        "may_not_draw",
        "G2.1",
        "the upcard is offered; take it or refuse it",
        position(phase=Phase.UPCARD),
        DrawDiscard(),
    ),
    Case(
        "may_not_draw", "G2.3", "you have drawn a card; discard or knock", position(), DrawStock()
    ),
    Case(
        "may_not_draw", "G2.3", "you have drawn a card; discard or knock", position(), DrawDiscard()
    ),
    Case(
        "may_not_discard",
        "G2.1",
        "the upcard is offered; take it or refuse it",
        position(phase=Phase.UPCARD),
        Discard("Kh"),
    ),
    Case(
        "may_not_discard",
        "G2.3",
        "draw a card before you discard or knock",
        position(phase=Phase.DRAW),
        Knock("Kh", (ACES,)),
    ),
    Case("not_held", "G2.3", "9s is not in your hand", position(), Discard("9s")),
    Case("not_held", "G2.3", "* is not in your hand", position(), Discard("*")),
    Case(
        "not_held",
        "G2.3",
        "4c 9s is not in your hand",
        position(),
        Knock("9s", (("Ac", "2c", "3c", "4c"),)),
    ),
    Case(
        "not_held",
        "G3.2",
        "7d stands twice; you hold it once",
        position("Ac 2c 3c 7d 7h 7s 8d 9d Kh 4s"),
        Knock("Kh", (ACES, SEVENS, ("7d", "8d", "9d"))),
    ),
    Case(
        "not_held",
        "G3.2",
        "3c stands twice; you hold it once",
        position(),
        Knock("3c", (ACES, SEVENS)),
    ),
    Case(
        "just_taken",
        "G2.4",
        "5s was just taken from the discard pile; discard another card",
        position(taken=True),
        Discard("5s"),
    ),
    Case(
        "just_taken",
        "G2.4",
        "5s was just taken from the discard pile; discard another card",
        position(LOW, taken=True),
        Knock("5s", (ACES, SEVENS, ("Td", "Jd", "Qd"))),
    ),
    Case(
        "not_a_meld",
        "G3.1",
        "7d 7h is not a meld: a meld has at least three cards",
        position(),
        Knock("Kh", (("7d", "7h"),)),
    ),
    Case(
        "not_a_meld",
        "G1.1",
        "Qd Kd Ad is not a meld: an ace is low, it does not follow a king",
        position("Qd Kd Ad 7c 7h 7s 2c 3c 4c 5c"),
        Knock("5s", (("Qd", "Kd", "Ad"),)),
    ),
    Case(
        "over_limit",
        "G4.1",
        "29 points of deadwood would be left (4s 5s Td Jd); a knock takes at most 10",
        position(),
        Knock("Kh", (ACES, SEVENS)),
    ),
    Case(
        "over_limit",
        "O1",
        "9 points of deadwood would be left (9s); a knock takes at most 8",
        position("Ac 2c 3c 7d 7h 7s Td Jd Qd 9s", upcard="8c", rules=OklahomaRules()),
        Knock("5s", (ACES, SEVENS, ("Td", "Jd", "Qd"))),
    ),
    Case(
        "over_limit",
        "O1",
        "4 points of deadwood would be left (4s); only gin is allowed",
        position(LOW, upcard="As", rules=OklahomaRules(ace="gin")),
        Knock("5s", (ACES, SEVENS, ("Td", "Jd", "Qd"))),
    ),
    Case(
        "may_not_big_gin",
        "G4.3",
        "big gin is not played here; name a card to discard",
        position("Ac 2c 3c 4c 7d 7h 7s Td Jd Qd", drawn="Kd"),
        Knock(None, (("Ac", "2c", "3c", "4c"), SEVENS, ("Td", "Jd", "Qd", "Kd"))),
    ),
    Case(
        "may_not_big_gin",
        "G4.3",
        "big gin melds all eleven cards; 4s 5s is in no meld",
        position(LOW, rules=GinRules(big_gin=31)),
        Knock(None, (ACES, SEVENS, ("Td", "Jd", "Qd"))),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{c.code}-{c.clause}" for c in CASES])
def test_violation(case: Case) -> None:
    with pytest.raises(RuleViolation) as caught:
        decide(case.state, case.seat, case.command)
    error = caught.value
    assert (error.code, error.message, error.clause) == (case.code, case.message, case.clause)
    assert str(error) == f"{case.message} ({case.clause})"
    assert not is_legal(case.state, case.seat, case.command)


def test_every_code_is_reached() -> None:
    assert {case.code for case in CASES} == set(GIN.violations)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Knock("5s", (("9s", "Ts", "Js"), ("7d", "7h"))), "not_held"),
        (Knock("5s", (("7d", "7h"), ("Td", "Jd"))), "just_taken"),
        (Knock("Kh", (("7d", "7h"),)), "not_a_meld"),
        (Knock("Kh", (ACES,)), "over_limit"),
        (Knock(None, (ACES, SEVENS)), "over_limit"),
    ],
)
def test_codes_are_tested_in_order(command: Knock, code: str) -> None:
    """A command that breaks several rules is refused for the first of them."""
    with pytest.raises(RuleViolation) as caught:
        decide(position(taken=True), 0, command)
    assert caught.value.code == code


def test_command_of_another_game() -> None:
    with pytest.raises(BadInput, match=r"draw is no command of this game; one is DrawStock\(\)"):
        decide(position(), 0, Draw())


def test_resigning_needs_no_turn() -> None:
    for command in (Resign(), Forfeit(ForfeitReason.NO_SHOW)):
        events = decide(position(), 1, command)
        assert [event.type for event in events] == ["forfeited", "deal_ended", "game_ended"]
