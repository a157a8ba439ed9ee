"""How a deal of the gin family goes, turn by turn, and what a fault does (RULES G1, G2, G4, G8)."""

from __future__ import annotations

import pytest

from engine.events import (
    Abort,
    Event,
    Fault,
    FaultReason,
    Forfeit,
    ForfeitReason,
    Resign,
)
from engine.game import Game
from engine.gin.events import (
    DealEnding,
    Discard,
    Discarded,
    DrawDiscard,
    DrawStock,
    DrewStock,
    Gin,
    Knock,
    RefuseUpcard,
    TakeUpcard,
)
from engine.gin.judge import decide, default_commands, may
from engine.gin.melds import bits, faces
from engine.gin.rules import GinRules, OklahomaRules
from engine.gin.state import Phase, apply, initial
from engine.gin.views import hand_of
from tests.engine.gin.positions import MINE, position

TIMEOUT = Fault(FaultReason.TIMEOUT)


def new_game(key: str = "gin", **rules: object) -> Game:
    return Game.start(key, ["ann", "bob"], seed=bytes(32), rules=rules)


def types(events: tuple[Event, ...]) -> list[str]:
    return [event.type for event in events]


def test_ten_cards_each_then_the_upcard() -> None:
    """The published deck; the dealer is seat 0, so seat 1 gets the first card (G1.4)."""
    game = new_game()
    deal = game.state.deal
    assert (deal.dealer, game.turn, deal.stock, deal.phase) == (0, 1, 31, Phase.UPCARD)
    assert deal.deck[:4] == ("6d", "4h", "Kd", "9s")
    assert deal.hands == (bits(deal.deck[1:20:2]), bits(deal.deck[0:20:2]))
    assert deal.upcard == deal.deck[20] == game.entries[1].event.upcard
    assert deal.discards == (deal.upcard,)


def test_both_refuse() -> None:
    """A refusal is a turn; after the second the non-dealer has drawn (G2.2, G8.1)."""
    game = new_game()
    assert types(game.push(RefuseUpcard())) == ["upcard_refused"]
    assert (game.turn, game.state.turns) == (0, 1)
    assert types(game.push(RefuseUpcard())) == ["upcard_refused"]
    deal = game.state.deal
    assert (game.turn, game.state.turns, deal.phase, deal.stock) == (1, 2, Phase.DISCARD, 30)
    assert deal.drawn == deal.deck[21] and deal.drawn in faces(deal.hands[1])
    assert not game.may().draw_stock and game.may().discard
    game.push(Discard(deal.drawn))  # a card drawn from the stock may be discarded (G2.4)
    assert (game.turn, game.state.deal.phase) == (0, Phase.DRAW)
    assert game.state.deal.discards == (deal.upcard, deal.drawn)


def test_the_dealer_takes_the_upcard() -> None:
    game = new_game()
    game.push(RefuseUpcard())
    game.push(TakeUpcard())
    deal = game.state.deal
    assert deal.taken and deal.drawn == deal.upcard and not deal.discards
    assert not game.is_legal(Discard(deal.upcard))
    other = next(card for card in faces(deal.hands[0]) if card != deal.upcard)
    game.push(Discard(other))
    assert (game.turn, game.state.deal.phase) == (1, Phase.DRAW)
    game.push(DrawDiscard())
    assert game.state.deal.drawn == other and not game.is_legal(Discard(other))
    again = next(card for card in faces(game.state.deal.hands[1]) if card != other)
    game.push(Discard(again))
    assert game.observe(1).seats[0].seen == (deal.upcard,)
    assert game.observe(0).seats[1].seen == (other,)


def test_a_card_taken_may_be_discarded_in_a_later_turn() -> None:
    game = new_game()
    game.push(TakeUpcard())
    upcard = game.state.deal.upcard
    for command in (Discard("6d"), DrawStock(), Discard("4h"), DrawStock(), Discard(upcard)):
        game.push(command)
    assert game.observe(0).seats[1].seen == ()


def test_two_cards_left_in_the_stock() -> None:
    """The discard with two cards left makes the deal dead; the same dealer deals again (G4.4)."""
    state = position(stock=2)
    discarded, ended, started = decide(state, 0, Discard("5s"))
    assert (ended.ending, ended.scores, ended.winners) == (DealEnding.DEAD, (0, 0), ())
    assert ended.laid_off == () and ended.points == (34, 67)
    assert ended.melds[0] == (("7d", "7h", "7s"), ("Ac", "2c", "3c"))
    assert ended.hands[0] == hand_of(apply(state, discarded), 0)
    assert (started.deal, started.dealer) == (2, state.deal.dealer)
    assert types(decide(position(stock=3), 0, Discard("5s"))) == ["discarded"]


def test_the_200th_discard() -> None:
    """G4.6."""
    assert types(decide(position(discarded=198), 0, Discard("5s"))) == ["discarded"]
    events = decide(position(discarded=199), 0, Discard("5s"))
    assert types(events) == ["discarded", "deal_ended", "deal_started"]
    assert events[1].ending is DealEnding.DEAD
    melds = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Td", "Jd", "Qd"))
    state = position("Ac 2c 3c 7d 7h 7s Td Jd Qd 4s", discarded=199)
    assert decide(state, 0, Knock("5s", melds))[1].ending is DealEnding.KNOCK


MELDS = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Td", "Jd", "Qd"))
LOW = "Ac 2c 3c 7d 7h 7s Td Jd Qd 4s"


def test_a_knock_goes_by_the_declared_melds() -> None:
    """Not by the least: what could be melded and is not counts, and takes no lay-off (G3.2)."""
    state = position("Ac 2c 3c 4c 7d 7h 7s Td Jd Qd", "5c 2d 3h 5d 6h 8c 9s Th Jc Qs", drawn="Kh")
    whole = (("Ac", "2c", "3c", "4c"), *MELDS[1:])
    knocked, ended, _ = decide(state, 0, Knock("Kh", whole))
    assert (knocked.gin, ended.ending) == (Gin.GIN, DealEnding.GIN)
    knocked, ended, _ = decide(state, 0, Knock("Kh", MELDS))
    assert (knocked.gin, knocked.deadwood) == (Gin.NONE, ("4c",))
    assert ended.ending is DealEnding.KNOCK and ended.points[0] == 4
    assert "5c" not in ended.laid_off and "9s" not in ended.laid_off


def test_melds_are_written_in_canonical_order_as_they_were_declared() -> None:
    state = position(LOW)
    lists = [["Qd", "Td", "Jd"], ["7s", "7d", "7h"], ["3c", "2c", "Ac"]]
    knocked, ended, _ = decide(state, 0, Knock("5s", lists))
    assert knocked.melds == (MELDS[2], MELDS[1], MELDS[0])
    assert ended.melds[0] == knocked.melds and ended.hands[0] == (
        *("Ac", "2c", "3c", "4s", "7d", "7h", "7s", "Td", "Jd", "Qd"),
    )


def test_big_gin() -> None:
    state = position(
        "Ac 2c 3c 4c 7d 7h 7s Td Jd Qd", drawn="Kd", taken=True, rules=GinRules(big_gin=50)
    )
    assert may(state, 0).big_gin  # also with a card taken from the discard pile (G4.3)
    whole = (("Ac", "2c", "3c", "4c"), MELDS[1], ("Td", "Jd", "Qd", "Kd"))
    knocked, ended, _ = decide(state, 0, Knock(None, whole))
    assert (knocked.gin, knocked.discard, knocked.deadwood) == (Gin.BIG, None, ())
    assert ended.ending is DealEnding.BIG_GIN and len(ended.hands[0]) == 11
    assert ended.laid_off == () and ended.scores == (ended.points[1] + 50, 0)


def test_an_undercut_with_equal_deadwood() -> None:
    theirs = "2d 3d 4d 8c 8h 8s Jh Qh Kh 9s"
    state = position("Ac 2c 3c 7d 7h 7s Tc Jc Qc 9d", theirs)
    melds = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Tc", "Jc", "Qc"))
    _, ended, started = decide(state, 0, Knock("5s", melds))
    assert (ended.ending, ended.points, ended.scores) == (DealEnding.UNDERCUT, (9, 9), (0, 10))
    assert ended.winners == (1,) and started.dealer == 1


def test_a_spade_doubles_the_whole_score() -> None:
    """O4, also the bonus; the limit is the upcard's, whoever took it (O5)."""
    state = position(LOW, upcard="5s", drawn="6s", rules=OklahomaRules())
    _, ended, _ = decide(state, 0, Knock("6s", MELDS))
    assert ended.scores[0] == 2 * (ended.points[1] - 4)
    plain = position(LOW, upcard="5s", drawn="6s", rules=OklahomaRules(spade_doubles=False))
    assert decide(plain, 0, Knock("6s", MELDS))[1].scores[0] == ended.points[1] - 4


@pytest.mark.parametrize(
    ("phase", "drawn", "taken", "events"),
    [
        (Phase.UPCARD, None, False, ["faulted", "upcard_refused"]),
        (Phase.DRAW, None, False, ["faulted", "drew_stock", "discarded"]),
        (Phase.DISCARD, "5s", False, ["faulted", "discarded"]),
        (Phase.DISCARD, "5s", True, ["faulted", "discarded"]),
    ],
)
def test_a_fault_hands_the_rest_of_the_turn_over(
    phase: Phase, drawn: str | None, taken: bool, events: list[str]
) -> None:
    state = position(phase=phase, drawn=drawn, taken=taken)
    caused = decide(state, 0, TIMEOUT)
    assert types(caused) == events
    for event in caused:
        state = apply(state, event)
    assert (state.turn, state.turns, state.faults) == (1, 1, (1, 0))
    assert not state.deal.defaulting
    card = caused[-1].card if isinstance(caused[-1], Discarded) else None
    if phase is Phase.DRAW:
        assert card == state.deal.deck[-20] and isinstance(caused[1], DrewStock)
    elif phase is Phase.DISCARD:
        assert card == ("Kh" if taken else "5s")
    # The default's events are no decision of the seat's own: its news begin with the fault.
    assert state.news[0] == caused and state.news[1][-len(caused) :] == caused


@pytest.mark.parametrize(
    ("hand", "taken", "dearest"),
    [
        (MINE, "5s", "Kh"),
        ("Ac 2c 3c 7d 7h 7s Tc Jc Kh Qs", "Ks", "Qs"),  # the later suit
        ("Ac 2c 3c 7d 7h 7s Th Jh Kh Qd", "Ks", "Kh"),  # then the higher rank
        ("Ac 2c 3c 4d 5h 6s 7s 8s 9h 9d", "Ks", "9h"),
    ],
)
def test_the_dearest_other_card(hand: str, taken: str, dearest: str) -> None:
    """G8.1: ten points are equal; among equals the later suit in c d h s, then the rank."""
    state = position(hand, drawn=taken, taken=True)
    assert default_commands(state) == (Discard(dearest),)


def test_a_default_may_end_the_deal() -> None:
    events = decide(position(phase=Phase.DRAW, stock=3), 0, TIMEOUT)
    assert types(events) == ["faulted", "drew_stock", "discarded", "deal_ended", "deal_started"]
    assert events[-2].ending is DealEnding.DEAD


def test_the_fault_that_forfeits() -> None:
    events = decide(position(faults=(2, 0)), 0, TIMEOUT)
    assert types(events) == ["faulted", "forfeited", "deal_ended", "game_ended"]
    ended, over = events[2:]
    assert (ended.ending, ended.scores, ended.winners) == (DealEnding.FORFEIT, (0, 0), ())
    assert (ended.hands[0], ended.melds[0], ended.points[0]) == (None, None, None)
    assert ended.points[1] == 67 and ended.melds[1] == () and ended.laid_off == ()
    assert (over.ending, over.winners, over.boxes, over.bonuses) == (
        "forfeit",
        (1,),
        (0, 0),
        (0, 0),
    )


@pytest.mark.parametrize("command", [Resign(), Forfeit(ForfeitReason.WITHDRAWN)])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_may_leave_at_any_time(command: Resign | Forfeit, seat: int) -> None:
    game = new_game("hollywood-gin")
    game.push(command, seat)
    assert game.is_over and game.outcome.winners == (1 - seat,)
    assert game.outcome.ranks == ((2, 1) if seat == 0 else (1, 2))
    assert game.entries[-1].event.columns == ((0, 0),) * 3
    live = game.entries[-2].event.hands[1 - seat]
    assert len(live) == 10 and game.observe(None).seats[seat].status == "forfeited"


def test_a_game_called_off() -> None:
    game = new_game("oklahoma-gin")
    (ended,) = game.push(Abort())
    assert (ended.ending, ended.totals, ended.winners) == ("aborted", (0, 0), ())
    assert game.outcome.aborted and game.turn is None


def test_what_a_seat_may_know() -> None:
    """The keys of the contract, and what stands in them at the start."""
    game = new_game("oklahoma-gin", preset="modern")
    seen = game.observe(1).as_dict()
    assert list(seen) == [
        *("variant", "rules", "you", "hand", "upcard", "discards", "stock", "phase", "taken"),
        *("limit", "dealer", "deal", "seats", "columns", "may", "since"),
    ]
    upcard = game.state.deal.upcard
    assert (seen["upcard"], seen["discards"], seen["taken"]) == (upcard, [upcard], None)
    assert seen["limit"] == game.state.rules.limit(upcard) and seen["columns"] is None
    assert (seen["rules"]["target"], seen["rules"]["gin_bonus"]) == (150, 25)
    assert sorted(seen["hand"]) == sorted(faces(game.state.deal.hands[1]))
    assert [name for name, open_ in seen["may"].items() if open_] == [
        "take_upcard",
        "refuse_upcard",
    ]
    assert [event["type"] for event in seen["since"]] == ["game_started", "deal_started"]
    game.push(TakeUpcard())
    assert game.observe(0).as_dict()["taken"] == game.observe(1).as_dict()["taken"] == upcard
    assert game.observe(None).hand == () and not any(vars_of(game.observe(0).may))
    three = new_game("hollywood-gin").observe(None).as_dict()
    assert three["columns"] == [[0, 0]] * 3 and three["since"] == []


def vars_of(may: object) -> list[bool]:
    return [getattr(may, name) for name in may.__slots__]


def test_since_goes_back_to_the_own_last_decision() -> None:
    game = new_game()
    game.push(RefuseUpcard())
    game.push(RefuseUpcard())
    assert [(seq, e.type) for seq, e in game.observe(1).since] == [
        (3, "upcard_refused"),
        (4, "upcard_refused"),
    ]
    game.push(Discard(game.state.deal.drawn))
    assert [seq for seq, _ in game.observe(1).since] == [5]
    assert [seq for seq, _ in game.observe(0).since] == [4, 5]


def test_the_state_before_a_game() -> None:
    state = initial(GinRules())
    assert (state.turn, state.deal_number, hand_of(state, 0)) == (None, 0, ())
