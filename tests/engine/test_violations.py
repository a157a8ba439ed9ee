"""Every violation code of Manipulation, reached by a command, with the message people read."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.cards import unshuffled
from engine.errors import BadInput, RuleViolation
from engine.events import Command, Forfeit, ForfeitReason, Outcome, Resign
from engine.manipulation import MANIPULATION
from engine.manipulation.events import Draw, Meld, Pass
from engine.manipulation.judge import decide, is_legal
from engine.manipulation.rules import Rules
from engine.manipulation.state import Deal, State

EIGHTS = ("8c", "8d", "8h")
RUN = ("6s", "7s", "*8s")


def position(
    hand: tuple[str, ...] = ("2c", "3c", "4c", "Kd"),
    tableau: tuple[tuple[str, ...], ...] = (),
    *,
    draws: int = 1,
    pile: int = 20,
    lap: tuple[int, ...] | None = None,
    outcome: Outcome | None = None,
    forfeits: tuple[int, ...] = (),
    **knobs: object,
) -> State:
    """Three seats, seat 0 to act."""
    deck = unshuffled(2, jokers=True)
    hands = (hand, ("Qh",) * 5, ("Qs",) * 5)
    deal = Deal(1, 2, deck, pile, hands, tableau, 0, draws, lap)
    none = (0, 0, 0)
    return State(
        None, 7, Rules(**knobs), ("a", "b", "c"), none, none, none, forfeits, deal, 0, outcome, none
    )


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
        "M9.1",
        "the game is over (target); no command is open",
        position(outcome=Outcome("target", (1, 0, 0), (0,), (1, 2, 2))),
        Draw(),
    ),
    Case("not_your_turn", "M3.1", "it is the turn of seat 0, not of seat 1", position(), Draw(), 1),
    Case("not_your_turn", "M3.1", "there is no seat 7 at this game", position(), Draw(), 7),
    Case(
        "not_your_turn",
        "M10.2",
        "seat 1 has forfeited and takes no more turns",
        position(forfeits=(1,)),
        Resign(),
        1,
    ),
    Case(
        "may_not_draw",
        "M8.8",
        "the final lap is played without drawing",
        position(draws=0, pile=0, lap=(0, 1, 2)),
        Draw(),
    ),
    Case("may_not_draw", "M8.8", "the pile is empty; meld or pass", position(pile=0), Draw()),
    Case("may_not_draw", "M3.4", "you drew your third card; pass", position(draws=3), Draw()),
    Case(
        "may_not_meld",
        "M3.5",
        "a player who drew a third card may not meld; pass",
        position(draws=3),
        Meld((("2c", "3c", "4c"),)),
    ),
    Case(
        "may_not_pass",
        "M3.6",
        "you drew 2 of 3 cards; meld or draw before you pass",
        position(draws=2),
        Pass(),
    ),
    Case(
        "not_held",
        "M5.1",
        "5c is neither in your hand nor left on the tableau; lay cards you hold",
        position(),
        Meld((("3c", "4c", "5c"),)),
    ),
    Case(
        "not_held",
        "M5.1",
        "* is neither in your hand nor left on the tableau; lay cards you hold",
        position(),
        Meld((("3c", "4c", "*5c"),)),
    ),
    Case(
        "card_left",
        "M5.2",
        "8h left the tableau; cards that lie there stay there",
        position(tableau=(EIGHTS,)),
        Meld((("2c", "3c", "4c"), ("8c", "8d"))),
    ),
    Case(
        "nothing_played",
        "M5.1",
        "no card came from your hand; play at least one card or do not meld",
        position(tableau=(EIGHTS,)),
        Meld((("8h", "8c", "8d"),)),
    ),
    Case(
        "undeclared_joker",
        "M6.1",
        "a joker in 2c 3c * has no name; lay it as the card it stands for, such as '*8s'",
        position(("2c", "3c", "*")),
        Meld((("2c", "3c", "*"),)),
    ),
    Case(
        "not_a_meld",
        "M4.1",
        "2c 3c is not a meld: a meld has at least three cards",
        position(),
        Meld((("2c", "3c"),)),
    ),
    Case(
        "not_a_meld",
        "M4.2",
        "8c 8d 8h 8c is not a meld: 8c stands twice; the suits of a group differ",
        position(("8c", "2c", "2d"), (EIGHTS,)),
        Meld((("8c", "8d", "8h", "8c"),)),
    ),
    Case(
        "not_a_meld",
        "M4.2",
        "8c 8d 9s is not a meld: a group is three or four cards of one rank",
        position(("8c", "8d", "9s", "2d")),
        Meld((("8c", "8d", "9s"),)),
    ),
    Case(
        "not_a_meld",
        "M4.3",
        "9s Ts Jd is not a meld: a sequence is consecutive cards of one suit",
        position(("9s", "Ts", "Jd", "2d")),
        Meld((("9s", "Ts", "Jd"),)),
    ),
    Case(
        "not_a_meld",
        "M4.3",
        "2c 3c 5c is not a meld: the ranks leave a gap; a sequence is consecutive",
        position(("2c", "3c", "5c")),
        Meld((("2c", "3c", "5c"),)),
    ),
    Case(
        "not_a_meld",
        "M4.4",
        "Kd Ad 2d is not a meld: an ace is low or high, it does not turn the corner",
        position(("Kd", "Ad", "2d")),
        Meld((("Kd", "Ad", "2d"),)),
    ),
    Case(
        "not_a_meld",
        "M4.4",
        "2c 3c 3c 4c is not a meld: 3c stands twice; a card stands once in a sequence",
        position(("2c", "3c", "3c", "4c")),
        Meld((("2c", "3c", "3c", "4c"),)),
    ),
    Case(
        "not_a_meld",
        "M4.5",
        "8c 8d *8c is not a meld: the joker counts as 8c, which stands twice",
        position(("8c", "8d", "*")),
        Meld((("8c", "8d", "*8c"),)),
    ),
    Case(
        "joker_renamed",
        "M6.4",
        "the joker named 8s may take another name only when a real 8s lies on the tableau",
        position(("4s", "2c"), (RUN,)),
        Meld((("4s", "*5s", "6s", "7s"),)),
    ),
    Case(
        "may_not_knock",
        "M7.2",
        "10 points would be left in hand (Kd); a knock takes at most 5",
        position(),
        Meld((("2c", "3c", "4c"),), knock=True),
    ),
    Case(
        "may_not_knock",
        "M7.3",
        "you go out with no card left; knock must be false",
        position(("2c", "3c", "4c")),
        Meld((("2c", "3c", "4c"),), knock=True),
    ),
    Case(
        "may_not_knock",
        "M8.8",
        "nobody may knock in the final lap",
        position(("Ac",), draws=0, pile=0, lap=(0, 1, 2)),
        Pass(knock=True),
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
    assert {case.code for case in CASES} == set(MANIPULATION.violations)


def test_codes_are_tested_in_order() -> None:
    """A command that breaks several rules is refused for the first of them (DESIGN's order)."""
    wrong = Meld((("8c", "8d"), ("9h", "*", "Tc")), knock=True)
    state = position(("8s", "*"), (("6s", "7s", "*8s"), EIGHTS))
    with pytest.raises(RuleViolation, match="9h Tc is neither") as caught:
        decide(state, 0, wrong)
    assert caught.value.code == "not_held"
    order = list(MANIPULATION.violations)
    assert order.index("card_left") < order.index("nothing_played") < order.index("joker_renamed")


def test_resigning_needs_no_turn() -> None:
    events = decide(position(), 2, Resign())
    assert [event.type for event in events] == ["forfeited"]


def test_command_of_another_game() -> None:
    class Shuffle(Command):
        type = "shuffle"

    with pytest.raises(BadInput, match="shuffle is no command of Manipulation; one is Draw"):
        decide(position(), 0, Shuffle())


def test_forfeit_of_last_opponents_ends_the_game() -> None:
    state = position(forfeits=(1,))
    events = decide(state, 2, Forfeit(ForfeitReason.NO_SHOW))
    assert [event.type for event in events] == ["forfeited", "deal_ended", "game_ended"]
