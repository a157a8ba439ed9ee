"""What holds for every game kind: one contract, run for each variant."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.cards import physical
from engine.codec import decode, encode
from engine.errors import RecordError
from engine.record import dumps, loads, read_record
from engine.replay import Replay
from engine.seeds import Words
from engine.variant import Variant
from engine.variants import VARIANTS
from engine.verify import verify
from tests.engine.helpers import random_game, seed_of
from tests.engine.tables import places

GOLDEN = Path(__file__).parent.parent / "data" / "golden"

each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=[v.key for v in VARIANTS])


def cards_in(variant: Variant, state: Any) -> Counter[str]:
    """Every physical card of a state that is in play."""
    where = places(variant)
    cards: Counter[str] = Counter()
    for pile in (*where.hands(state), *where.face_up(state), where.face_down(state)):
        cards.update(map(physical, pile))
    return cards


def with_unseen_permuted(variant: Variant, state: Any, seat: int, words: Words) -> Any:
    """The same state with every card that ``seat`` cannot see at another place."""
    where = places(variant)
    hands, rest = [list(hand) for hand in where.hands(state)], where.face_down(state)
    known = [hands[s] if s == seat else where.seen(state, s) for s in range(len(hands))]
    unseen = [*rest]
    for hand, open_ in zip(hands, known, strict=True):
        unseen += (Counter(hand) - Counter(open_)).elements()
    for i in range(len(unseen) - 1, 0, -1):
        j = words.below(i + 1)
        unseen[i], unseen[j] = unseen[j], unseen[i]
    pile = tuple(unseen.pop() for _ in rest)
    dealt = [
        (*open_, *(unseen.pop() for _ in range(len(hand) - len(open_))))
        for hand, open_ in zip(hands, known, strict=True)
    ]
    return where.moved(state, dealt, pile)


@each_variant
def test_random_games(variant: Variant, amount) -> None:
    """Cards are conserved, views agree and leak nothing, replay equals live, records verify."""
    endings: Counter[str] = Counter()
    for number in range(amount(30, 2_000)):
        public = variant.initial(None)
        replayed = variant.initial(seed_of(("game", variant.key, number)))
        words = Words(seed_of(("permute", number)))
        seen, lost = 0, Counter[str]()
        pack: Counter[str] = Counter()
        game = None
        for game in random_game(variant, number):
            for line in game.lines[seen:]:
                fields = loads(line)
                event = decode_line(variant, fields)
                before, replayed = replayed, variant.apply(replayed, event)
                public = variant.apply(public, event)
                if event.type == "deal_started":
                    pack, lost = Counter(variant.pack(len(replayed.players))), Counter()
                    hands = places(variant).hands(replayed)
                    assert not any(hands[seat] for seat in replayed.forfeits)
                elif event.type == "forfeited":
                    lost.update(places(variant).hands(before)[event.actor])
                if replayed.deal:
                    assert cards_in(variant, replayed) + lost == pack, (number, replayed.seq)
                assert variant.observe(replayed, None) == variant.observe(public, None)
                if words.below(8) == 0 and replayed.turn is not None:
                    for seat in range(len(replayed.players)):
                        other = with_unseen_permuted(variant, replayed, seat, words)
                        assert variant.observe(other, seat) == variant.observe(replayed, seat)
                caption = variant.caption(before, event, replayed)
                assert caption and all(part != "" for part in caption)
            seen = len(game.lines)
            assert replayed == game.state
        assert game is not None and game.outcome is not None
        endings[game.outcome.ending] += 1
        record = verify(game.record().encode())
        assert record.text() == game.record()
        check_replay(Replay.of(record))
    assert len(endings) >= 3, endings


def decode_line(variant: Variant, fields: dict[str, Any]) -> Any:
    cls = variant.events[fields["type"]]
    known = {} if fields["seat"] is None else {"seat": fields["seat"]}
    event = decode(cls, fields["data"], **known)
    assert loads(dumps(encode(event))) == fields["data"]
    return event


def check_replay(replay: Replay) -> None:
    """Steps cover all events once, in order, and count turns."""
    assert replay.steps[0].first == 1
    for before, after in zip(replay.steps, replay.steps[1:], strict=False):
        assert after.first == before.last + 1
    assert replay.steps[-1].last == len(replay.events)
    turns = replay.states[-1].turns
    assert len(replay.steps) - 1 in (turns, turns + 1)
    for number in range(turns + 1):
        assert replay.state(number).turns == number


def test_default_commands_are_legal(amount) -> None:
    """The default exists and is legal at every decision (M10.1)."""
    for variant in VARIANTS:
        for number in range(amount(10, 300)):
            for game in random_game(variant, ("default", number)):
                if game.turn is None:
                    continue
                state = game.state
                seat = state.turn
                commands = variant.default_commands(state)
                assert commands
                for command in commands:
                    for event in variant.decide(state, seat, command):
                        state = variant.apply(state, event)
                assert state.turns == game.state.turns + 1


def golden(variant: Variant) -> list[Path]:
    return sorted((GOLDEN / variant.key).glob("*.jsonl"))


@each_variant
def test_golden_records_verify(variant: Variant) -> None:
    for path in golden(variant):
        verify(path.read_bytes())


@each_variant
def test_every_ending_has_a_golden_record(variant: Variant) -> None:
    deal_endings, game_endings = set(), set()
    for path in golden(variant):
        for event in read_record(path.read_bytes()).events:
            if event.type == "deal_ended":
                deal_endings.add(event.ending)
            elif event.type == "game_ended":
                game_endings.add(event.ending)
    assert deal_endings == set(variant.deal_endings)
    assert game_endings == set(variant.game_endings)


@each_variant
def test_one_flipped_byte_is_found(variant: Variant, amount) -> None:
    """Every byte of an export counts: whichever is changed, ``verify`` refuses the record."""
    path = min(golden(variant), key=lambda p: p.stat().st_size)
    data = path.read_bytes()
    verify(data)
    for place in range(0, len(data), amount(7, 1)):
        broken = bytearray(data)
        broken[place] ^= 1 << place % 8
        with pytest.raises(RecordError):
            verify(bytes(broken))


@each_variant
def test_cuts_swaps_and_doubles_are_found(variant: Variant) -> None:
    path = min(golden(variant), key=lambda p: p.stat().st_size)
    lines = path.read_bytes().splitlines(keepends=True)
    for i in range(len(lines)):
        for broken in (
            lines[:i] + lines[i + 1 :],
            lines[:i],
            lines[: i + 1] + lines[i:],
            [*lines[:i], *lines[i + 1 : i + 2], lines[i], *lines[i + 2 :]],
        ):
            if broken != lines:
                with pytest.raises(RecordError):
                    verify(b"".join(broken))
