"""Gin records that are well chained: the false ones are refused, with the seed and without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.errors import RecordError
from engine.events import Event, Fault, Faulted, FaultReason
from engine.game import Game
from engine.gin import GIN
from engine.gin.deadwood import points
from engine.gin.endings import as_good
from engine.gin.events import (
    DealEnded,
    DealEnding,
    DealStarted,
    Discard,
    Discarded,
    DrawStock,
    Knock,
    Knocked,
    RefuseUpcard,
    TakeUpcard,
)
from engine.gin.judge import decide
from engine.gin.melds import bits, hand_cards
from engine.play import play_decision, play_out
from engine.policies import find_policy
from engine.verify import verify
from tests.engine.gin.positions import position
from tests.engine.test_verify import rechained


def played(key: str = "gin", number: int = 3, **rules: object) -> Game:
    game = Game.start(key, ["ann", "bob"], seed=bytes([number]) * 32, rules=rules)
    play_out(game, [find_policy(game.variant, "simple")] * 2)
    return game


def events_of(game: Game) -> list[Event]:
    return [entry.event for entry in game.entries]


def place_of(events: list[Event], kind: type[Event]) -> int:
    return next(i for i, event in enumerate(events) if isinstance(event, kind))


def changed(game: Game, kind: type[Event], **fields: Any) -> tuple[list[Event], int]:
    """The events with one changed, and its line."""
    events = events_of(game)
    place = place_of(events, kind)
    return [*events[:place], replace(events[place], **fields), *events[place + 1 :]], place + 1


def refused(game: Game, events: list[Event], message: str) -> None:
    """Refuse a record, also without its last line, the seed."""
    for body, partial in ((events, False), (events[:-1], True)):
        with pytest.raises(RecordError, match=message):
            verify(rechained(game, body), partial=partial)


def test_true_records_and_all_their_beginnings() -> None:
    for key in ("gin", "hollywood-gin", "oklahoma-gin"):
        game = played(key, target=30)
        events = events_of(game)
        verify(rechained(game, events))
        for end in range(2, len(events)):
            verify(rechained(game, events[:end]), partial=True)


def test_what_the_record_lays_open_must_be_possible() -> None:
    game = played(number=4, length="deals", deals=1)
    events = events_of(game)
    place = place_of(events, DealEnded)
    ended = events[place]
    assert isinstance(ended, DealEnded) and ended.ending is DealEnding.KNOCK
    defender = 1 - ended.winners[0]
    hand = ended.hands[defender]
    other = ended.hands[1 - defender]
    assert hand is not None and other is not None
    for false in (hand[1:], hand[::-1], (other[0], *hand[1:]), (hand[0], *hand[:-1]), None):
        hands = [*ended.hands]
        hands[defender] = false
        body, line = changed(game, DealEnded, hands=tuple(hands))
        refused(game, body, f"line {line}: deal_ended: ")
    body, line = changed(game, DealEnded, hands=(hand,))
    refused(game, body, f"line {line}: deal_ended: ")


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("points", lambda old: (old[0] + 1, old[1])),
        ("scores", lambda old: old[::-1]),
        ("winners", lambda old: (1 - old[0],)),
        ("laid_off", lambda old: (*old, "Kc")),
        ("ending", lambda old: DealEnding.DEAD),
        ("deal", lambda old: old + 1),
        ("melds", lambda old: (*old, ())),
        ("melds", lambda old: (None, old[1])),
        ("melds", lambda old: ((), ())),
    ],
)
def test_a_false_account_of_a_deal(field: str, change: Callable[[Any], Any]) -> None:
    game = played(number=4, length="deals", deals=1)
    ended = events_of(game)[place_of(events_of(game), DealEnded)]
    body, line = changed(game, DealEnded, **{field: change(getattr(ended, field))})
    refused(game, body, f"line {line}: deal_ended: {field} is")


def test_a_false_knock() -> None:
    game = played(number=4, length="deals", deals=1)
    knock = events_of(game)[place_of(events_of(game), Knocked)]
    assert isinstance(knock, Knocked) and knock.deadwood
    for fields, message in [
        ({"deadwood": knock.deadwood[1:]}, "deadwood"),
        ({"deadwood": (*knock.deadwood, "Kc")}, "deadwood"),
        ({"gin": "gin"}, "gin is"),
        ({"melds": knock.melds[::-1], "discard": None}, ""),
    ]:
        body, line = changed(game, Knocked, **fields)
        refused(game, body, f"line {line}: .*{message}")
    cards = (*knock.deadwood, *(card for meld in knock.melds for card in meld))
    body, line = changed(game, Knocked, discard=cards[0])
    refused(game, body, f"line {line}: ")


def test_a_false_upcard() -> None:
    game = played(number=4)
    events = events_of(game)
    starts = [i for i, event in enumerate(events) if isinstance(event, DealStarted)]
    for place in starts[:2]:
        started = events[place]
        assert isinstance(started, DealStarted)
        false = "Kc" if started.upcard != "Kc" else "Kd"
        body = [*events[:place], replace(started, upcard=false), *events[place + 1 :]]
        with pytest.raises(RecordError, match=f"line {place + 1}: deal_started: upcard is"):
            verify(rechained(game, body))


def test_cards_that_were_seen_elsewhere_cannot_be_discarded() -> None:
    """Found without the seed: what lies on the discard pile is in no hand."""
    game = Game.start("gin", ["ann", "bob"], seed=bytes(32))
    upcard = game.state.deal.upcard
    for command in (RefuseUpcard(), RefuseUpcard(), Discard("6d"), DrawStock()):
        game.push(command)
    events = events_of(game)
    for card, message in [("6d", "6d is not in your hand"), (upcard, "is not in your hand")]:
        with pytest.raises(RecordError, match=f"line 7: {message}|line 7: {upcard} {message}"):
            verify(rechained(game, [*events, Discarded(0, card)]), partial=True)
    verify(rechained(game, [*events, Discarded(0, "Ts")]), partial=True)


def test_a_default_without_the_seed() -> None:
    """Its discard is taken from the record, if it can be the card just drawn."""
    game = Game.start("gin", ["ann", "bob"], seed=bytes(32))
    game.push(TakeUpcard())
    upcard = game.state.deal.upcard
    for command in (Discard("6d"), DrawStock(), Discard("4h"), Fault(FaultReason.TIMEOUT)):
        game.push(command)
    events = events_of(game)
    verify(rechained(game, events), partial=True)
    assert [event.type for event in events[-3:]] == ["faulted", "drew_stock", "discarded"]
    for cut in (1, 2):
        verify(rechained(game, events[:-cut]), partial=True)
    with pytest.raises(RecordError, match=r'discarded: card is .* but must be "\?\?"'):
        verify(rechained(game, [*events[:-1], Discarded(1, upcard)]), partial=True)
    with pytest.raises(RecordError, match="discarded of seat 1 must stand here, not faulted"):
        false = [*events[:-1], Faulted(1, FaultReason.TIMEOUT)]
        verify(rechained(game, false), partial=True)


def test_other_arrangements_that_reach_the_least_are_as_good() -> None:
    """The order of melds, and which of equal melds and lay-offs a record shows, are free (G5.2)."""
    theirs = "7c 8c 9c 9d 5h 5c Kd Qd Ks 2h"  # the clubs are a run and fit the knocker's
    state = position("2d 3d 4d 8d 8h 8s Tc Jc Qc Ac", theirs, drawn="2s")
    melds = (("2d", "3d", "4d"), ("8d", "8h", "8s"), ("Tc", "Jc", "Qc"))
    _, ended, _ = decide(state, 0, Knock("2s", melds))
    assert isinstance(ended, DealEnded)
    hand = ended.hands[1]
    assert hand is not None
    assert ended.melds[1] == (("7c", "8c", "9c"),) and ended.laid_off == ()
    assert ended.points[1] == 51

    def other(**fields: Any) -> bool:
        return as_good(replace(ended, **fields), ended)

    assert other(melds=(melds[::-1], ended.melds[1]))
    # Nine and eight of clubs go on the run of clubs, and the seven stays: worse.
    assert not other(melds=(melds, ()), laid_off=("8c", "9c"))
    # The seven and all: laid off on ten, jack and queen instead of melded.
    assert other(melds=(melds, ()), laid_off=("7c", "8c", "9c"))
    assert not other(melds=(melds, ()), laid_off=("9c", "8c", "7c"))
    assert not other(melds=(melds, (("9c", "8c", "7c"),)))
    assert not other(melds=(melds, (("9c", "9d", "9h"),)))
    assert not other(melds=(melds[:2], ended.melds[1]))
    assert not other(melds=((melds[0][::-1], *melds[1:]), ended.melds[1]))
    assert not other(scores=(1, 0)) and not other(melds=(melds, None))
    assert not other(melds=(melds, (("7c", "8c", "9c"), ("7c", "8c", "9c"))))
    assert not other(melds=(melds, ()), laid_off=("Ts", "8c", "9c"))
    assert not as_good(ended, replace(ended, deal=2))
    assert GIN.as_good(replace(ended, melds=(melds[::-1], ended.melds[1])), ended)
    assert not GIN.as_good(Discarded(0, "Kc"), Discarded(0, "Kd"))
    assert points(bits(hand)) - 24 == 51 and hand == hand_cards(bits(hand))


def test_an_equal_arrangement_of_a_dead_deal_in_a_record() -> None:
    """A whole record with another arrangement than the engine's own still verifies."""
    for number in range(40):
        game = Game.start(
            "gin",
            ["ann", "bob"],
            seed=bytes([number]) * 32,
            rules={"length": "deals", "deals": 1, "knock_limit": 0},
        )
        while game.turn is not None:
            play_decision(game, find_policy(game.variant, "simple"))
        game.reveal()
        for place, event in enumerate(events := events_of(game)):
            if isinstance(event, DealEnded) and len(event.melds[0] or ()) > 1:
                swapped = (event.melds[0][::-1], event.melds[1])
                body = [*events[:place], replace(event, melds=swapped), *events[place + 1 :]]
                verify(rechained(game, body))
                verify(rechained(game, body[:-1]), partial=True)
                return
    raise AssertionError("no such deal")
