"""Canonical JSON, lines, knobs and what is refused, each with its message."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import knobs
from engine.cards import Card, Face
from engine.codec import decode
from engine.errors import BadInput, RecordError, RuleViolation
from engine.game import Game
from engine.manipulation.events import COMMANDS, Meld
from engine.manipulation.rules import Rules
from engine.record import digest, dumps, head_line, is_time, loads, read_record
from engine.verify import verify

texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)))
numbers = st.integers(-(2**53) + 1, 2**53 - 1)
documents = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=20,
)


@given(documents)
def test_canonical_json_goes_both_ways(document: object) -> None:
    text = dumps(document)
    assert loads(text) == document
    assert dumps(loads(text)) == text
    assert text == json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (1.0, "1.0 cannot stand in a record"),
        ({"a": [1, 2.5]}, "2.5 cannot stand in a record"),
        (2**53, "the number 9007199254740992 is beyond"),
        (-(2**53), "is beyond 2"),
        ("a\x00b", "NUL or a lone surrogate"),
        ("\ud800", "NUL or a lone surrogate"),
        ({1: 2}, "a key must be a text"),
        ({1, 2}, "cannot stand in a record"),
    ],
)
def test_dumps_refuses(value: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        dumps(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.0", "1.0 is not a whole number"),
        ("1e2", "1e2 is not a whole number"),
        ("NaN", "NaN is not a whole number"),
        ("-Infinity", "-Infinity is not a whole number"),
        ("9007199254740992", "beyond 2"),
        ("9" * 5000, "beyond 2"),
        ('{"a":1,"a":1}', 'the key "a" stands twice'),
        ('"\\u0000"', "NUL or a lone surrogate"),
        ('"\\ud800"', "NUL or a lone surrogate"),
        ('{"a":', "not JSON: Expecting value at column 6"),
        ("[" * 100_000, "nested too deep"),
        ("", "not JSON"),
    ],
)
def test_loads_refuses(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        loads(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hand_sise": 9}, "there is no knob 'hand_sise'; known are dealer, hand_size"),
        ({"hand_size": 4}, "hand_size=4 must be a whole number 5 to 15"),
        ({"hand_size": 16}, "5 to 15"),
        ({"hand_size": True}, "hand_size=yes must be a whole number"),
        ({"hand_size": "ten"}, "hand_size=ten must be"),
        ({"knock_limit": 51}, "0 to 50"),
        ({"undercut_bonus": 501}, "0 to 500"),
        ({"out_bonus": -1}, "0 to 500"),
        ({"target": 9}, "10 to 1000"),
        ({"length": "deals", "deals": 101}, "1 to 100"),
        ({"max_faults": 0}, "1 to 20"),
        ({"dealer": "right"}, "dealer=right is not one of left, winner"),
        ({"final_lap_knock": 1}, "final_lap_knock=1 is not one of no, yes"),
        ({"length": "deals"}, "length=deals needs the number of deals, such as deals=8"),
        ({"deals": 8}, "deals=8 needs length=deals; length is target"),
        ({"preset": "pagat"}, "there is no knob 'preset'"),
    ],
)
def test_knobs_refuse(settings: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        knobs.parse(Rules, settings)


def test_knobs_from_text() -> None:
    settings = knobs.settings_from_text("final_lap_knock=yes, target = 90,dealer=winner")
    rules = knobs.parse(Rules, settings)
    assert (rules.final_lap_knock, rules.target, rules.dealer) == (True, 90, "winner")
    assert knobs.parse(Rules, knobs.as_settings(rules)) == rules
    for text, message in [
        ("target", "'target' is not of the form knob=value"),
        ("target=9,target=8", "target is given twice"),
    ]:
        with pytest.raises(BadInput, match=message):
            knobs.settings_from_text(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "field 'tableau' is missing"),
        ({"tableau": [["Ah"]], "knok": True}, 'unknown field "knok"; known are: tableau, knock'),
        ({"tableau": [["10h"]]}, '"10h" is not a card; write .Th., or'),
        ({"tableau": [[5]]}, "5 is not a card"),
        ({"tableau": ["Ah"]}, 'tableau must be a list, not "Ah"'),
        ({"tableau": [["Ah"]], "knock": 1}, "knock must be true or false, not 1"),
    ],
)
def test_commands_refuse(data: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        decode(COMMANDS["meld"], data)
    assert decode(COMMANDS["meld"], {"tableau": [["Ah"]]}) == Meld((("Ah",),))


@dataclass(frozen=True)
class Shape:
    """Fields of every kind that a card can stand in."""

    card: Card
    face: Face
    perhaps: Face | None
    faces: tuple[tuple[Face, ...] | None, ...]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"face": "*"}, "face: \"\\*\" is not a card of this game; write 'Th'"),
        ({"perhaps": "*"}, "perhaps: .* is not a card of this game"),
        ({"face": "*8s"}, "face: .* is not a card of this game"),
        ({"face": None}, "face: null is not a card of this game"),
        ({"faces": [["Th", "*"]]}, 'faces: "\\*" is not a card of this game'),
        ({"faces": [["10h"]]}, 'faces: "10h" is not a card of this game'),
    ],
)
def test_a_pack_without_jokers(data: dict[str, object], message: str) -> None:
    right = {"card": "*8s", "face": "Th", "perhaps": None, "faces": [["Th"], None]}
    assert decode(Shape, right) == Shape("*8s", "Th", None, (("Th",), None))
    with pytest.raises(BadInput, match=message):
        decode(Shape, right | data)


def short_record() -> list[str]:
    game = Game.start("manipulation", ["ann", "bob"], seed=bytes(32))
    return game.lines


def exported(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in (*lines, head_line(digest(lines[-1])))).encode()


def test_unfinished_record() -> None:
    data = exported(short_record())
    with pytest.raises(RecordError, match="line 2: the game is unfinished: no seed_revealed"):
        verify(data)
    assert len(verify(data, partial=True).entries) == 2


def test_head_from_elsewhere() -> None:
    data = exported(short_record())
    head = read_record(data).head
    verify(data, head=head, partial=True)
    with pytest.raises(RecordError, match=f"line 3: head is {head}, not ff"):
        verify(data, head="ff" * 32, partial=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"seq":1', '"seq":2', "line 1: seq is 2 where 1 follows"),
        ('"v":1', '"v":2', "line 1: game_started has version 1, not 2"),
        ('{"at"', '{ "at"', "line 1: the line is not canonical JSON"),
        ('"type":"game_started"', '"type":"dealt"', "line 1: a record begins with game_started"),
        ('"manipulation"', '"canasta"', "line 1: variant 'canasta' is unknown; known are: manip"),
        ("1970-01-01T00", "1970-01-01 00", "line 1: at must be a time like 2026-11-29T19:07:48"),
        ('"seat":null', '"seat":0', "line 1: nobody acts in game_started; seat must be null"),
        ('"hand_size":10', '"hand_size":99', "line 1: rules: hand_size=99 must be a whole"),
        ('"hand_size":10,', "", "line 1: game_started: rules is"),
        ('["ann","bob"]', '["ann"]', "line 1: Manipulation is played by 2 to 5 players, not 1"),
        ('["ann","bob"]', '["ann","ann"]', "line 1: a player cannot sit at two seats"),
        ('"rules_version":1', '"rules_version":9', "line 1: rules version 9 of Manipulation is"),
    ],
)
def test_broken_first_line(old: str, new: str, message: str) -> None:
    line = short_record()[0]
    assert old in line
    with pytest.raises(RecordError, match=message):
        verify(exported([line.replace(old, new)]), partial=True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: a record has event lines and a head line"),
        (b"{}", "line 1: the last line does not end with a newline"),
        (b"\xff\n\n", "line 1: the line is not UTF-8"),
        (b"x" * 70_000 + b"\n", "line 1: a line has at most 65536 bytes, not 70000"),
        (b"{}\n{}\n", "line 1: a line is an object with the keys at, data, game"),
        (b'[]\n{"head":"ab"}\n', "line 1: a line is an object with the keys at, data, game"),
    ],
)
def test_broken_file(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        verify(data)


def test_seed_stays_secret_while_a_game_runs() -> None:
    game = Game.start("manipulation", ["ann", "bob"], seed=bytes(32))
    with pytest.raises(RuleViolation, match="the seed stays secret while a game runs"):
        game.reveal()
    assert len(game.lines) == 2


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("{}", 'line 3: the last line must be {"head":"<hex>"}'),
        ('{"head": "ab"}', "line 3: the head line is not canonical JSON"),
        ('{"head":"ab"}', "line 3: head is not the hash of line 2"),
    ],
)
def test_broken_head(head: str, message: str) -> None:
    data = "".join(f"{line}\n" for line in (*short_record(), head)).encode()
    with pytest.raises(RecordError, match=message):
        verify(data, partial=True)


@pytest.mark.parametrize(
    "at",
    [
        "2026-13-01T00:00:00.000000Z",
        "2026-02-29T00:00:00.000000Z",
        "2026-04-31T00:00:00.000000Z",
        "2026-01-01T24:00:00.000000Z",
        "2026-01-01T00:00:60.000000Z",
        "0000-01-01T00:00:00.000000Z",
        "٢٠٢٦-01-01T00:00:00.000000Z",
        "2026-01-01T00:00:00Z",
        7,
    ],
)
def test_times_that_do_not_exist(at: object) -> None:
    assert not is_time(at)


def test_times_that_exist() -> None:
    for day in ("2024-02-29", "2000-02-29", "1900-02-28", "2026-12-31"):
        assert is_time(f"{day}T23:59:59.999999Z")
