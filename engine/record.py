"""The record: a game's log as text, one event a line, each line naming the hash of the one before.

A line is canonical JSON (UTF-8, keys sorted, no spaces, whole numbers only, non-ASCII unescaped):
``{"at":…,"data":{…},"game":…,"prev":…,"seat":…,"seq":…,"type":…,"v":…}``. The SHA-256 of the last
event line is the game's **head**; an exported record ends with the line ``{"head":"<hex>"}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from engine.codec import MAX_INT, decode, encode
from engine.errors import BadInput, RecordError, shown
from engine.events import Event
from engine.variant import JsonObject, Variant
from engine.variants import find_variant

NO_PREV = "0" * 64
"""What the first line names as the hash of the line before it."""

MAX_LINE = 65_536
"""Most bytes of a line."""

_KEYS = ["at", "data", "game", "prev", "seat", "seq", "type", "v"]
_AT = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z", re.A
)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BAD_TEXT = re.compile("[\x00\ud800-\udfff]")

_encoder = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
)


def _quick_writer() -> Callable[[object], str]:
    """Return what :data:`_encoder` does without making its parts anew for every value.

    Where Python has no such parts in C it is the encoder itself.
    """
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _encoder.encode
    text = json.encoder.encode_basestring
    parts = make(None, _encoder.default, text, None, ":", ",", True, False, False)
    return lambda value: "".join(parts(value, 0))


_write = _quick_writer()


def dumps(value: object) -> str:
    """Return canonical JSON.

    :raises BadInput: for a float, a whole number beyond ±(2**53 − 1), NUL or a lone surrogate.

    >>> dumps({"b": 1, "a": [True, None, "é"]})
    '{"a":[true,null,"é"],"b":1}'
    """
    _check(value)
    return _write(value)


def loads(text: str) -> Any:
    """Return the value of a JSON text, refusing what :func:`dumps` could not have written.

    :raises BadInput: for broken JSON, a float, a key twice, NUL, a lone surrogate, a huge number.
    """
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"not JSON: {error.msg.removesuffix(' at')} at column {error.colno}"
        ) from None
    except RecursionError:
        raise BadInput("not JSON that a record holds: nested too deep") from None
    if "\\u" in text:  # only an escape brings in what no UTF-8 text holds
        _check(value)
    return value


def digest(line: str) -> str:
    """Return the hex SHA-256 of a line without its newline."""
    return sha256(line.encode()).hexdigest()


def write_line(event: Event, *, game: str, seq: int, prev: str, at: str) -> str:
    """Return the record line of an event, without a newline.

    :param at: UTC time such as ``2026-11-29T19:07:48.123456Z``.
    """
    seat = "null" if event.actor is None else event.actor
    return (
        f'{{"at":"{at}","data":{_write(encode(event))},"game":"{game}","prev":"{prev}",'
        f'"seat":{seat},"seq":{seq},"type":"{event.type}","v":{event.v}}}'
    )


def head_line(head: str) -> str:
    """Return the line that ends an exported record."""
    return _write({"head": head})


class Entry(NamedTuple):
    """A line of a record with its event."""

    text: str
    seq: int
    at: str
    event: Event


def read_event(variant: Variant, fields: Mapping[str, Any]) -> Event:
    """Return the event of a line's JSON object.

    :raises BadInput: for an unknown type or version, or data of another form.
    """
    kind, version, seat = fields["type"], fields["v"], fields["seat"]
    cls = variant.events.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise BadInput(f"{variant.name} has no event {shown(kind)}")
    if type(version) is not int or version != cls.v:
        raise BadInput(f"{kind} has version {cls.v}, not {shown(version)}")
    data = fields["data"]
    if not isinstance(data, dict):
        raise BadInput(f"data must be an object, not {shown(data)}")
    acts = "seat" in cls.__dataclass_fields__  # type: ignore[attr-defined]
    if acts and (type(seat) is not int or not 0 <= seat <= MAX_INT):
        raise BadInput(f"{kind} needs a seat number, not {shown(seat)}")
    if not acts and seat is not None:
        raise BadInput(f"nobody acts in {kind}; seat must be null, not {shown(seat)}")
    return decode(cls, data, seat=seat) if acts else decode(cls, data)


@dataclass(frozen=True, slots=True)
class Record:
    """A game's log, read and checked line by line: form, order, chain."""

    variant: Variant
    game: str
    entries: tuple[Entry, ...]
    head: str
    """SHA-256 of the last event line."""

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in order."""
        return tuple(entry.event for entry in self.entries)

    def text(self) -> str:
        """Return the exported record, the head line included."""
        lines = [entry.text for entry in self.entries]
        return "".join(f"{line}\n" for line in (*lines, head_line(self.head)))


def read_record(data: bytes) -> Record:
    """Return an exported record whose form and chain are right.

    :raises RecordError: with the first line that is wrong.
    """
    lines = list(_lines(data))
    if len(lines) < 2:
        raise RecordError(len(lines) or 1, "a record has event lines and a head line at its end")
    record = read_lines(lines[:-1])
    head = _head(len(lines), lines[-1])
    if head != record.head:
        raise RecordError(
            len(lines), f"head is not the hash of line {len(lines) - 1} ({record.head})"
        )
    return record


def read_lines(lines: Iterable[str]) -> Record:
    """Return the record of event lines, without the head line.

    :raises RecordError: with the first line that is wrong.
    """
    entries: list[Entry] = []
    prev, game, variant = NO_PREV, "", None
    for number, text in enumerate(lines, 1):
        try:
            fields = _fields(text)
            if fields["seq"] != number or type(fields["seq"]) is not int:
                raise BadInput(f"seq is {shown(fields['seq'])} where {number} follows")
            if fields["prev"] != prev:
                raise BadInput(
                    f"prev is not the hash of line {number - 1}: that line, or this one, was "
                    "changed"
                    if number > 1
                    else "prev of the first line must be 64 zeros"
                )
            if number == 1:
                game, variant = _opening(fields)
            if fields["game"] != game:
                raise BadInput(f"game is {shown(fields['game'])}, not {shown(game)} as in line 1")
            assert variant is not None  # noqa: S101  (set by the first line)
            entries.append(Entry(text, number, fields["at"], read_event(variant, fields)))
        except BadInput as error:
            raise RecordError(number, str(error)) from None
        prev = digest(text)
    if variant is None:
        raise RecordError(1, "a record begins with game_started; this one is empty")
    return Record(variant, game, tuple(entries), prev)


def _lines(data: bytes) -> Iterator[str]:
    parts = data.split(b"\n")
    for number, part in enumerate(parts, 1):
        if number == len(parts):
            if part:
                raise RecordError(number, "the last line does not end with a newline")
            return
        if len(part) > MAX_LINE:
            raise RecordError(number, f"a line has at most {MAX_LINE} bytes, not {len(part)}")
        try:
            yield part.decode()
        except UnicodeDecodeError:
            raise RecordError(number, "the line is not UTF-8") from None


def _head(number: int, text: str) -> str:
    try:
        value = loads(text)
    except BadInput as error:
        raise RecordError(number, str(error)) from None
    if not isinstance(value, dict) or list(value) != ["head"] or not isinstance(value["head"], str):
        raise RecordError(number, 'the last line must be {"head":"<hex>"}')
    if text != head_line(value["head"]):
        raise RecordError(number, "the head line is not canonical JSON")
    return value["head"]


def _fields(text: str) -> JsonObject:
    try:
        value = _quick_decoder.decode(text)
        canonical = "\\u" not in text and _write(value) == text
    except (BadInput, ValueError, RecursionError):
        canonical = False
    if not canonical:
        value = loads(text)
    if not isinstance(value, dict) or sorted(value) != _KEYS:
        raise BadInput(f"a line is an object with the keys {', '.join(_KEYS)}")
    if not canonical and _write(value) != text:
        raise BadInput("the line is not canonical JSON (keys sorted, no spaces, no escapes)")
    at = value["at"]
    if not is_time(at):
        raise BadInput(f"at must be a time like 2026-11-29T19:07:48.123456Z, not {shown(at)}")
    return value


def is_game_id(text: object) -> bool:
    """Say whether a text can be a game's id."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None


def is_time(at: object) -> bool:
    """Say whether ``at`` writes a time that exists, in the one form that lines have."""
    return isinstance(at, str) and _AT.fullmatch(at) is not None and _is_date(at[:10])


@lru_cache(maxsize=64)
def _is_date(text: str) -> bool:
    year, month, day = map(int, text.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    longest = 30 if month in (4, 6, 9, 11) else 28 + leap if month == 2 else 31
    return year > 0 and day <= longest


def _opening(fields: JsonObject) -> tuple[str, Variant]:
    game, data = fields["game"], fields["data"]
    if not is_game_id(game):
        raise BadInput(f"game must be a uuid, not {shown(game)}")
    if fields["type"] != "game_started" or not isinstance(data, dict):
        raise BadInput(f"a record begins with game_started, not {shown(fields['type'])}")
    key = data.get("variant")
    return game, find_variant(key if isinstance(key, str) else shown(key))


def _check(value: object) -> None:
    """Refuse what canonical JSON cannot hold."""
    kind = type(value)
    if value is None or kind is bool:
        return
    if kind is int:
        if not -MAX_INT <= value <= MAX_INT:  # type: ignore[operator]
            raise BadInput(f"the number {value} is beyond 2**53 - 1")
    elif isinstance(value, str):
        if _BAD_TEXT.search(value):
            raise BadInput("a text holds NUL or a lone surrogate")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadInput(f"a key must be a text, not {shown(key)}")
            _check(key)
            _check(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check(item)
    else:
        raise BadInput(f"{shown(value)} cannot stand in a record; whole numbers and texts can")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> JsonObject:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadInput(f"the key {shown(twice)} stands twice")
    return value


def _whole(text: str) -> int:
    number = int(text) if len(text) < 18 else MAX_INT + 1
    if not -MAX_INT <= number <= MAX_INT:
        raise BadInput(f"the number {text} is beyond 2**53 - 1")
    return number


def _no_float(text: str) -> Any:
    raise BadInput(f"{text} is not a whole number; records hold no others")


_decoder = json.JSONDecoder(
    object_pairs_hook=_no_key_twice,
    parse_int=_whole,
    parse_float=_no_float,
    parse_constant=_no_float,
)

# It lets keys stand twice, which shows when the value is written again, and lets huge numbers pass,
# which no field of an event takes.
_quick_decoder = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float)
