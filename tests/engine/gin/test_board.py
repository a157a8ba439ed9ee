"""The gin table as it is drawn, its labels and sentences."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from engine.cards import HIDDEN
from engine.events import Event
from engine.gin import GIN
from engine.gin.board import Board, boards, hand_points, sketch, turn_label
from engine.gin.events import Discard, DrawStock, Knock, RefuseUpcard
from engine.gin.judge import decide
from engine.gin.melds import faces
from engine.gin.rules import HollywoodRules, OklahomaRules
from engine.gin.scoring import Column, Sheet
from engine.gin.state import Phase, State, apply, initial
from engine.record import read_record
from engine.replay import Replay
from engine.variant import CardNames, SeatName
from engine.variants import VARIANTS
from tests.engine.gin.positions import position

GOLDEN = Path(__file__).parent.parent.parent / "data" / "golden"
RECORDS = sorted(path for v in VARIANTS if v.family == "gin" for path in (GOLDEN / v.key).iterdir())

each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda p: f"{p.parent.name}/{p.stem}")


def after(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = apply(state, event)
    return state


def board(state: State) -> Board:
    return boards([state])[0]


def shown(table: Board, seat: int) -> dict[str, str]:
    """A side as names of melds with their cards; what the turn did is marked."""
    signs = {"new": "+", "moved": "~", "": ""}
    side = table.sides[seat]
    found = {
        f"{meld.name}{meld.tag}": " ".join(signs[card.mark] + card.card for card in meld.cards)
        for meld in side.melds
    }
    loose = " ".join(signs[card.mark] + card.card for card in side.loose)
    return found | {f"loose {side.points}": loose} if loose else found


def told(caption: tuple[object, ...]) -> str:
    """A sentence with seats as letters."""
    words = []
    for part in caption:
        if isinstance(part, SeatName):
            words.append("AB"[part.seat])
        elif isinstance(part, CardNames):
            words.append(" ".join(part.cards))
        else:
            words.append(str(part))
    return "".join(words)


def captions(state: State, events: tuple[Event, ...]) -> list[str]:
    found = []
    for event in events:
        following = apply(state, event)
        found.append(told(GIN.caption(state, event, following)))
        state = following
    return found


def test_a_turn() -> None:
    state = position(phase=Phase.DRAW)
    drew = decide(state, 0, DrawStock())
    drawn = apply(state, drew[0])
    events = decide(drawn, 0, Discard("Kh"))
    table = board(after(drawn, events))
    card = drawn.deal.drawn
    assert (table.drawn, table.origin, table.discarded) == ((card,), "the stock", ("Kh",))
    assert [(c.card, str(c.mark)) for c in table.discards] == [("9c", ""), ("Kh", "moved")]
    mine = shown(table, 0)
    assert mine["Clubs A–3"] == "Ac 2c 3c" and f"+{card}" in " ".join(mine.values())
    assert table.sides[0].end == "" and not table.columns and not table.knock_card
    label = turn_label(state, (*drew, *events), after(drawn, events))
    assert (label.main, label.aside, label.end, label.quiet) == ("K♥", "", "", False)


def test_the_end_of_a_deal() -> None:
    """The knocker's melds hold what is laid off, each card where all can lie (G5.2)."""
    state = position(
        "6h 7h 8h Kc Kd Ks 9c 9d 9s 4d", "9h Th Kh Ac 2c 3c Td Qd 6s 3h", discards="Jc", drawn="2d"
    )
    melds = (("9c", "9d", "9s"), ("6h", "7h", "8h"), ("Kc", "Kd", "Ks"))
    events = decide(state, 0, Knock("2d", melds))
    ended = after(state, events[:2])
    table = board(ended)
    assert shown(table, 0) == {
        "Nines": "9c 9d 9s",
        "Hearts 6–10+2": "6h 7h 8h ~9h ~Th",
        "Kings+1": "Kc Kd ~Kh Ks",
        "loose 4": "4d",
    }
    assert shown(table, 1) == {"Clubs A–3": "Ac 2c 3c", "loose 29": "3h 6s Td Qd"}
    assert [side.end for side in table.sides] == ["knock", ""]
    assert hand_points(ended) == (4, 29)
    assert captions(state, events)[:2] == [
        "A draws 2d from the stock, discards 2d and knocks with 4 points of deadwood: 9c 9d 9s "
        "(Nines), 6h 7h 8h (Hearts 6–8) and Kc Kd Ks (Kings) beside 4d.",
        "B lays off 9h Th Kh and is left with 29 points. A wins deal 1 and scores 25.",
    ]
    label = turn_label(state, events[:2], ended)
    assert (label.main, label.end, label.words) == ("2♦", "knock", "knocks with 4 points")
    assert "ann shows 9♣-9♦-9♠ 6♥-7♥-8♥-9♥-10♥ K♣-K♦-K♥-K♠ beside 4♦ knock" in sketch(ended)


def test_endings_told() -> None:
    low = "Ac 2c 3c 7d 7h 7s Td Jd Qd 8s"
    melds = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Td", "Jd", "Qd"))
    state = position(low, "2d 3d 4d 8c 8d 8h Jh Qh Kh 8s".replace("8s", "6c"))
    assert captions(state, decide(state, 0, Knock("5s", melds)))[1] == (
        "B is left with 6 points, no more than the knocker: an undercut. "
        "B wins deal 1 and scores 12."
    )
    gin = position("Ac 2c 3c 4c 7d 7h 7s Td Jd Qd")
    whole = (("Ac", "2c", "3c", "4c"), *melds[1:])
    assert captions(gin, decide(gin, 0, Knock("5s", whole)))[:2] == [
        "A draws 5s from the stock, discards 5s and has gin: Ac 2c 3c 4c (Clubs A–4), 7d 7h 7s "
        "(Sevens) and Td Jd Qd (Diamonds 10–Q).",
        "B is left with 67 points. A wins deal 1 by gin and scores 87.",
    ]
    dead = position(stock=2)
    assert captions(dead, decide(dead, 0, Discard("5s")))[1:] == [
        "Deal 1 is dead: two cards are left in the stock; nobody scores.",
        "Deal 2: B deals and turns up 8h.",
    ]
    many = position(discarded=199)
    assert captions(many, decide(many, 0, Discard("5s")))[1] == (
        "Deal 1 is dead: 200 cards are discarded; nobody scores."
    )


def test_what_an_upcard_means_is_told() -> None:
    table = position(upcard="As", discards="As", rules=OklahomaRules())
    assert (board(table).knock_card, board(table).doubled) == (("As",), True)
    assert ": a knock takes at most 1 point, and the score is doubled" in "".join(sketch(table))
    strict = position(upcard="Ah", discards="Ah", rules=OklahomaRules(ace="gin"))
    assert board(strict).knock_card == ("Ah",) and not board(strict).doubled
    assert ": only gin counts" in "".join(sketch(strict))


def test_columns_told_and_drawn() -> None:
    rules = HollywoodRules()
    sheet = Sheet((Column((90, 0), (2, 0)), Column((60, 12), (1, 1)), Column()))
    state = position("Ac 2c 3c 7d 7h 7s Td Jd Qd 8s", rules=rules)._replace(sheet=sheet)
    melds = (("Ac", "2c", "3c"), ("7d", "7h", "7s"), ("Td", "Jd", "Qd"))
    events = decide(state, 0, Knock("5s", melds))
    assert captions(state, events)[1].endswith(
        "A wins deal 1 and scores 55 in the first, second and third columns, "
        "which closes the first and second."
    )
    columns = board(after(state, events[:2])).columns
    assert [column.points for column in columns] == [(145, 0), (115, 12), (55, 0)]
    assert [column.closed for column in columns] == [True, True, False]
    assert [column.shut_out for column in columns] == [1, None, None]


def test_a_public_table_draws_no_secret() -> None:
    state = position()
    public = state._replace(
        deal=state.deal._replace(hands=(0, 0), hidden=(11, 10), deck=None, drawn=HIDDEN)
    )
    table = board(public)
    assert [(side.hidden, side.loose, side.melds) for side in table.sides] == [
        (11, (), ()),
        (10, (), ()),
    ]
    assert table.drawn == () and hand_points(public) == (None, None)
    assert board(initial(OklahomaRules())) == Board() and sketch(initial(OklahomaRules())) == ()
    assert hand_points(initial(OklahomaRules())) == ()


@each_record
def test_every_step_of_a_record_is_drawn_and_told(path: Path) -> None:
    replay = Replay.of(read_record(path.read_bytes()))
    for step in range(len(replay.steps)):
        state = replay.state(step)
        table = replay.board(step)
        drawn = Counter(c.card for c in table.discards)
        for side in table.sides:
            drawn.update(c.card for meld in side.melds for c in meld.cards)
            drawn.update(c.card for c in side.loose)
        held = Counter(card for hand in state.deal.hands for card in faces(hand))
        held.update(state.deal.discards)
        assert drawn == held
        assert replay.narration(step) and sketch(state)
        label = replay.label(step)
        if step:
            assert label is not None and label.words and (label.main or label.end)


def test_narration_leaves_out_what_the_discard_tells() -> None:
    path = GOLDEN / "gin" / "dead-deals.jsonl"
    replay = Replay.of(read_record(path.read_bytes()))
    step = next(
        s
        for s in range(1, len(replay.steps))
        if any(e.type == "drew_stock" for e in replay.turn(s).events)
    )
    assert len(replay.narration(step)) == 1 < len(replay.captions(step))


def test_labels_of_golden_turns() -> None:
    ends, asides = set(), set()
    for path in RECORDS:
        replay = Replay.of(read_record(path.read_bytes()))
        for step in range(1, len(replay.steps)):
            label = replay.label(step)
            ends.add(label.end)
            asides.add(label.aside[:1])
            assert label.quiet is (label.main == "–")
    assert ends == {"", "knock", "gin", "big gin", "dead", "forfeit"}
    assert asides >= {"", "▲", "f"}


def test_the_second_refusal_draws_for_the_other() -> None:
    state = position(phase=Phase.UPCARD, dealer=0)
    (refused,) = decide(state, 0, RefuseUpcard())
    following = apply(state, refused)
    assert captions(state, (refused,)) == ["A refuses 9c too; B draws from the stock."]
    table = board(following)
    assert table.drawn == () and f"+{following.deal.drawn}" in " ".join(shown(table, 1).values())
    assert turn_label(state, (refused,), following).words == "refuses the upcard"
