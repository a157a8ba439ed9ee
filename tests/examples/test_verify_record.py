"""The verifier that shares nothing with the engine: it must agree with ``engine.verify``.

It leaves alone what no card, decision or score depends on: the form of times and ids, the reasons
of faults, and which values a knob may have.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.errors import RecordError
from engine.record import NO_PREV, digest, dumps, head_line, loads
from engine.seeds import Words
from engine.variants import VARIANTS
from engine.verify import verify
from tests.engine.helpers import random_game, seed_of

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "examples" / "verify_record.py"
LINES = 240
"""How long the file may be: 150 would hold all but the decisions and scores of Manipulation."""
GOLDEN = sorted((ROOT / "tests" / "data" / "golden").glob("*/*.jsonl"))
JUDGED = sorted((ROOT / "tests" / "data" / "golden" / "manipulation").glob("*.jsonl"))

Refuses = Callable[[bytes], str | None]


@pytest.fixture
def refusal(monkeypatch: pytest.MonkeyPatch) -> Refuses:
    """What the stand-alone verifier says against a record, or None."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import verify_record

    def refuses(data: bytes) -> str | None:
        try:
            verify_record.check(data, [])
        except Exception as error:
            return repr(error)
        return None

    return refuses


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the file where no package can be found, ours least of all."""
    shutil.copy(FILE, folder)
    command = [sys.executable, "-S", "-E", "-B", str(folder / "verify_record.py"), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def engine_refuses(data: bytes) -> str | None:
    try:
        verify(data)
    except RecordError as error:
        return str(error)
    return None


def chained(events: list[dict[str, Any]]) -> bytes:
    """A record of these events with its numbers, links and head made anew."""
    lines: list[str] = []
    prev = NO_PREV
    for seq, event in enumerate(events, 1):
        lines.append(dumps(event | {"seq": seq, "prev": prev}))
        prev = digest(lines[-1])
    return "".join(f"{line}\n" for line in (*lines, head_line(prev))).encode()


def events_of(data: bytes) -> list[dict[str, Any]]:
    return [loads(line) for line in data.decode().splitlines()[:-1]]


def test_it_is_one_short_file_and_knows_the_standard_library_alone() -> None:
    text = FILE.read_text()
    assert len(text.splitlines()) <= LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module in sys.stdlib_module_names


def test_it_accepts_every_golden_record_by_itself(tmp_path: Path) -> None:
    heads = [loads(path.read_text().splitlines()[-1])["head"] for path in GOLDEN]
    games = [loads(path.read_text().splitlines()[0])["game"] for path in GOLDEN]
    listed = tmp_path / "heads.txt"
    pairs = [f"{game} {head}\n" for game, head in zip(games, heads, strict=True)]
    listed.write_text("".join(pairs))
    done = run(tmp_path, *map(str, GOLDEN), "--heads", str(listed))
    assert (done.returncode, done.stderr) == (0, "")
    folders = sorted({str(path.parent) for path in GOLDEN})
    assert run(tmp_path, *folders, "--heads", str(listed)).stdout == done.stdout
    for line, path, head in zip(done.stdout.splitlines(), GOLDEN, heads, strict=True):
        events = len(path.read_text().splitlines()) - 1
        assert line == f"{path}: ok, {events} events, head {head}"


def test_it_names_the_file_the_line_and_the_reason(tmp_path: Path) -> None:
    good, false, absent = GOLDEN[0], tmp_path / "false.jsonl", tmp_path / "absent.jsonl"
    lines = good.read_bytes().splitlines(keepends=True)
    false.write_bytes(b"".join([*lines[:4], lines[4].replace(b'"seat":', b'"seat": '), *lines[5:]]))
    heads = tmp_path / "heads.txt"
    heads.write_text(f"{loads(lines[0].decode())['game']} {'0' * 64}\n")
    done = run(tmp_path, str(good), str(false), str(absent))
    assert done.returncode == 1
    said = done.stdout.splitlines()
    assert said[0].startswith(f"{good}: ok, ")
    assert said[1].startswith(f"{false}: line 5: the line is not canonical, or not chained")
    assert said[2].startswith(f"{absent}: line 0: ") and "No such file" in said[2]
    for text in (b"", b"x", lines[0], b"".join(lines[:-1])):
        false.write_bytes(text)
        said = run(tmp_path, str(false)).stdout
        assert said.partition(": line ")[2].endswith(": not a line of a whole record\n"), said
    done = run(tmp_path, str(good), "--heads", str(heads))
    last = len(lines) - 1
    assert done.stdout == f"{good}: line {last}: this is not the head in the list\n"
    heads.write_text("nothing\n")
    done = run(tmp_path, str(good), "--heads", str(heads))
    assert done.returncode == 1 and "this is not the head in the list" in done.stdout


@pytest.mark.parametrize("variant", VARIANTS, ids=[v.key for v in VARIANTS])
def test_it_accepts_random_games(variant: Any, refusal: Refuses, amount) -> None:
    """Every knob, number of seats, fault and forfeit."""
    endings: Counter[str] = Counter()
    seats: Counter[int] = Counter()
    for number in range(amount(60, 5_000)):
        *_, game = random_game(variant, ("stand-alone", number))
        endings[game.state.outcome.ending] += 1
        seats[len(game.state.players)] += 1
        endings["with forfeits"] += bool(game.state.forfeits)
        assert refusal(game.record().encode()) is None, number
    assert set(seats) == set(variant.seats)
    assert set(endings) >= {*map(str, variant.game_endings), "with forfeits"}


def test_it_refuses_each_flipped_byte(refusal: Refuses, amount) -> None:
    shortest = min(JUDGED, key=lambda path: path.stat().st_size).read_bytes()
    for place in range(0, len(shortest), amount(3, 1)):
        flipped = bytearray(shortest)
        flipped[place] ^= 1 << place % 8
        assert refusal(bytes(flipped)) is not None, place


def edited(data: bytes, words: Words) -> bytes:
    """A record with something in it changed, left out, exchanged or cut off."""
    lines = data.splitlines(keepends=True)
    place, line = words.below(len(data)), words.below(len(lines) - 1)
    match words.below(6):
        case 0:
            other = (data[place] + 1 + words.below(255)) % 256
            return data[:place] + bytes([other]) + data[place + 1 :]
        case 1:
            return data[:place] + data[place + 1 :]
        case 2:
            after = words.below(len(data))
            low, high = sorted((place, after))
            swapped = data[:low] + data[high : high + 1] + data[low + 1 : high]
            return swapped + data[low : low + 1] + data[high + 1 :]
        case 3:
            return data[:place]
        case 4:
            return b"".join(lines[:line] + lines[line + 1 :])
        case _:
            return b"".join([*lines[:line], lines[line + 1], lines[line], *lines[line + 2 :]])


def test_it_refuses_whatever_was_edited(refusal: Refuses, amount) -> None:
    words, count = Words(seed_of("edits")), 0
    while count < amount(200, 20_000):
        path = words.choice(GOLDEN)
        data = path.read_bytes()
        false = edited(data, words)
        if false != data:
            assert refusal(false) is not None, (path.name, false)
            count += 1


def other_value(value: Any, words: Words, cards: list[str]) -> Any:
    """Something else that could stand where a value stands, or nearly could."""
    near: list[Any] = [None, True, [], {}]
    if isinstance(value, bool):
        near = [not value, int(value), None]
    elif isinstance(value, int):
        near += [value + 1, value - 1, -value, 0, 1, 2, 3, 25, value + 10, value * 2]
    elif isinstance(value, str):
        near += [words.choice(cards), "*", f"*{words.choice(cards)[-2:]}", "forfeit", "deals"]
        near += ["out", "knock", "resigned", "faults", "illegal", value + " ", value.upper()]
    elif isinstance(value, list):
        near += [value[::-1], value[1:], value + value[:1], [*value, words.choice(cards)]]
        near += [sorted(value, key=str)]
    elif isinstance(value, dict):
        near += [value | {"more": 1}, dict(list(value.items())[1:])]
    return words.choice(near)


def changed(value: Any, words: Words, cards: list[str]) -> Any:
    """A JSON value in which one place is another."""
    if isinstance(value, dict | list) and value and words.below(6):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        copy = value.copy()
        key = words.choice(keys)
        copy[key] = changed(value[key], words, cards)
        return copy
    return other_value(value, words, cards)


def mutant(events: list[dict[str, Any]], words: Words) -> list[dict[str, Any]]:
    """A false story of a game, or one that is as true as the first."""
    events = [dict(event) for event in events]
    cards = [card for event in events for meld in event["data"].get("tableau", []) for card in meld]
    cards = [*cards, "Ah", "Kd", "5c", "*8s"]
    place = words.below(len(events))
    event = events[place]
    match words.below(10):
        case 0:
            del events[place]
        case 1:
            events.insert(words.below(len(events)), event)
        case 2:
            after = min(place + 1, len(events) - 1)
            events[place], events[after] = events[after], event
        case 3:
            event["seat"] = words.choice([None, 0, 1, 2, 3, 4, True, False, -1, 1.0, "1"][:9])
        case 4:
            data = {"drew": {}, "passed": {"knock": bool(words.below(2))}}
            data |= {"faulted": {"reason": "timeout"}, "forfeited": {"reason": "withdrawn"}}
            kind = words.choice(list(data))
            events.insert(place, event | {"type": kind, "data": data[kind], "seat": words.below(3)})
        case 5:
            key = words.choice(["at", "game", "type", "v"])
            event[key] = other_value(event[key], words, cards)
        case 6 if "tableau" in event["data"]:
            melds = [list(meld) for meld in event["data"]["tableau"]]
            source, target = words.choice(melds), words.choice(melds)
            card = source.pop(words.below(len(source)))
            target.insert(words.below(len(target) + 1), card)
            event["data"] = event["data"] | {"tableau": [meld for meld in melds if meld]}
        case 7:
            for other in events:
                other["game"] = "00000000-0000-4000-8000-00000000000A"[
                    : 36 - words.below(2)
                ].lower()
        case _:
            event["data"] = changed(event["data"], words, cards)
    return events


LEFT_ALONE = re.compile(
    r"line 1: rules version|(at|game) must be|reason must be|not one of the reasons"
)
"""What the engine says where the verifier may say nothing: see above."""


def test_it_refuses_what_the_engine_refuses(refusal: Refuses, amount) -> None:
    """Well chained false stories: a wrong card, score, joker, knock, draw, end, type, field."""
    words = Words(seed_of("mutants"))
    verdicts: Counter[bool] = Counter()
    stories = [events_of(path.read_bytes()) for path in JUDGED]
    for number in range(amount(12, 500)):
        *_, game = random_game(VARIANTS[0], ("false", number))
        stories.append(events_of(game.record().encode()))
    for events in stories:
        for _ in range(amount(30, 400)):
            try:
                data = chained(mutant(events, words))
            except (TypeError, ValueError, KeyError):
                continue
            expected, found = engine_refuses(data), refusal(data)
            left_alone = found is None and LEFT_ALONE.search(expected or "")
            agree = left_alone or (expected is None) == (found is None)
            assert agree, (expected, found, data.decode())
            verdicts[found is None] += 1
    assert verdicts[False] > 5 * verdicts[True] > 0


def test_a_first_line_that_says_more_or_less_is_refused(refusal: Refuses) -> None:
    for path in GOLDEN:
        first, *events = events_of(path.read_bytes())
        data = first["data"]
        less = ({k: data[k] for k in data if k != key} for key in data)
        for false in (data | {"more": 1}, *less):
            story = chained([first | {"data": false}, *events])
            assert engine_refuses(story) and refusal(story), (path.name, false)


def test_a_knob_too_many_or_too_few_is_refused_in_words(refusal: Refuses) -> None:
    first_of_each = {events_of(path.read_bytes())[0]["data"]["variant"]: path for path in GOLDEN}
    assert set(first_of_each) == {variant.key for variant in VARIANTS}
    for variant, path in first_of_each.items():
        first, *events = events_of(path.read_bytes())
        rules = first["data"]["rules"]
        less = ((key, {k: rules[k] for k in rules if k != key}) for key in rules)
        for knob, false in (("lucky", rules | {"lucky": 7}), *less):
            story = chained([first | {"data": first["data"] | {"rules": false}}, *events])
            said = refusal(story)
            assert engine_refuses(story) and said and f"['{knob}']: no knobs of {variant}" in said
        for other in {*first_of_each, "whist"} - {variant}:
            story = chained([first | {"data": first["data"] | {"variant": other}}, *events])
            said = refusal(story)
            assert engine_refuses(story) and said and f"no knobs of {other}" in said


FOLLOWED = [path for path in GOLDEN if path not in JUDGED and "forfeit" not in path.name]

SHOWN = {"deal_started": ["upcard"], "discarded": ["card"], "deal_ended": ["hands"]}
SHOWN |= {"knocked": ["discard", "melds", "deadwood"]}


def places_of_cards(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value where a card stands: what holds it, and its key there."""
    places = []
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            places.append((value, key))
        elif inner is not None:
            places += places_of_cards(inner)
    return places


def test_whoever_shows_a_card_held_it(refusal: Refuses) -> None:
    """Of the gin family: every card of an event that is another is refused there or later on."""
    pack = VARIANTS[0].pack(2)[:52]
    for path in FOLLOWED:
        events = events_of(path.read_bytes())
        words = Words(seed_of(path.name))
        for place, event in enumerate(events):
            if event["type"] in SHOWN:
                shown = loads(dumps({key: event["data"][key] for key in SHOWN[event["type"]]}))
                cards, key = words.choice(places_of_cards(shown))
                cards[key] = words.choice([card for card in pack if card != cards[key]])
                false = event | {"data": event["data"] | shown}
                data = chained([*events[:place], false, *events[place + 1 :]])
                assert refusal(data) is not None, (path.name, place, shown)
