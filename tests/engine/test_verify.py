"""What a verifier must not accept: records that are well chained and false."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import RecordError
from engine.events import Event, Forfeited, ForfeitReason, SeedRevealed
from engine.game import EPOCH, Game
from engine.manipulation.events import GameEnded, GameEnding, Melded
from engine.play import play_out
from engine.policies import find_policy
from engine.record import NO_PREV, digest, head_line, write_line
from engine.verify import verify


def rechained(game: Game, events: list[Event]) -> bytes:
    """A record of the game's id with other events, its chain and head made anew."""
    lines: list[str] = []
    prev = NO_PREV
    for seq, event in enumerate(events, 1):
        lines.append(write_line(event, game=game.id, seq=seq, prev=prev, at=EPOCH))
        prev = digest(lines[-1])
    text = "".join(f"{line}\n" for line in (*lines, head_line(prev)))
    return text.encode()


def played() -> Game:
    game = Game.start(
        "manipulation", ["ann", "bob"], seed=bytes(32), rules={"length": "deals", "deals": 1}
    )
    play_out(game, [find_policy(game.variant, "greedy")] * 2)
    return game


def test_a_forfeit_for_faults_that_never_were() -> None:
    game = played()
    events = [entry.event for entry in game.entries]
    for reason, line in [(ForfeitReason.FAULTS, 3), (ForfeitReason.NO_SHOW, 4)]:
        false = [*events[:2], Forfeited(0, reason), *events[2:]]
        with pytest.raises(RecordError, match=f"line {line}: "):
            verify(rechained(game, false))


def test_the_seed_stands_last_and_once() -> None:
    game = played()
    events = [entry.event for entry in game.entries]
    last = len(events)
    for false, message in [
        ([*events, events[-1]], f"line {last + 1}: nothing may follow seed_revealed"),
        (
            [*events[:-2], events[-1], events[-2]],
            f"line {last - 1}: game_ended must stand here, not seed_revealed",
        ),
    ]:
        with pytest.raises(RecordError, match=message):
            verify(rechained(game, false))


def test_commitment_and_seed_are_blamed_where_they_stand() -> None:
    game = played()
    events = [entry.event for entry in game.entries]
    loud = replace(events[0], commitment=events[0].commitment.upper())
    with pytest.raises(RecordError, match="line 1: commitment must be a SHA-256 in 64 lower-case"):
        verify(rechained(game, [loud, *events[1:]]))
    other = SeedRevealed("AB" * 32)
    with pytest.raises(RecordError, match=f"line {len(events)}: seed must be 64 lower-case hex"):
        verify(rechained(game, [*events[:-1], other]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda hand: hand[::-1], "hands is"),
        (lambda hand: hand[1:], "hands is"),
        (lambda hand: ("*3d", *hand[1:]), "hands is"),
        (lambda hand: (hand[0],) * len(hand), "hands is"),
    ],
)
def test_hands_laid_open_are_checked_without_the_seed(change, message: str) -> None:
    game = played()
    events = [entry.event for entry in game.entries][:-1]
    place = next(i for i, event in enumerate(events) if event.type == "deal_ended")
    hands = [change(hand) if len(hand) > 2 else hand for hand in events[place].hands]
    false = [*events]
    false[place] = replace(events[place], hands=tuple(hands))
    with pytest.raises(RecordError, match=f"line {place + 1}: deal_ended: {message}"):
        verify(rechained(game, false), partial=True)
    verify(rechained(game, events), partial=True)


def test_the_end_of_a_deal_cannot_be_left_out() -> None:
    game = played()
    events = [entry.event for entry in game.entries][:-1]
    place = next(i for i, event in enumerate(events) if event.type == "deal_ended")
    aborted = GameEnded(GameEnding.ABORTED, (0, 0), (0, 0), ())
    with pytest.raises(RecordError, match=f"line {place + 1}: the deal is over"):
        verify(rechained(game, [*events[:place], aborted]), partial=True)


def test_no_more_cards_than_the_packs_hold() -> None:
    game = played()
    events = [entry.event for entry in game.entries]
    melded = next(i for i, event in enumerate(events) if isinstance(event, Melded))
    many = Melded(events[melded].actor or 0, (("2c", "3c", "4c"), ("2c", "2d", "2h")), False)
    with pytest.raises(RecordError, match="2c lies on the tableau more often than the packs"):
        verify(rechained(game, [*events[:melded], many]), partial=True)
