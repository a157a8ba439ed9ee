"""Between dataclasses and JSON: one strict converter for every event and command.

The converter is read off a dataclass's field types once and then reused. It knows ``bool``,
``int``, ``str``, ``Card``, ``Face``, enums of words, ``X | None``, ``tuple[X, ...]`` and mappings,
and refuses everything else: a float, a text where a number should be, a missing or an extra key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engine import cards
from engine.errors import BadInput, shown

MAX_INT = 2**53 - 1
"""Largest whole number that JSON carries safely between programs."""

_T = TypeVar("_T")
_Reader = Callable[[object, str], Any]

_CARDS = {card: card for card in (*cards.FACES, cards.JOKER, *cards.DECLARED)}
_FACES = {card: card for card in cards.FACES}


def decode(cls: type[_T], data: Mapping[str, object], **known: object) -> _T:
    """Return the dataclass made from a JSON object; ``known`` fields are not read from it.

    :raises BadInput: naming the field, what stands there and what should.
    """
    readers, required = _plan(cls)
    values = dict(known)
    for name, given in data.items():
        if name in known or name not in readers:
            expected = ", ".join(n for n in readers if n not in known) or "none"
            raise BadInput(f"unknown field {shown(name)}; known are: {expected}")
        values[name] = readers[name](given, name)
    if len(values) < len(readers):
        for name in required:
            if name not in values:
                raise BadInput(f"field {name!r} is missing")
    return cls(**values)


def encode(value: object, *, leave: frozenset[str] = frozenset({"seat"})) -> dict[str, object]:
    """Return a dataclass's fields as a JSON object (tuples become lists when written).

    :param leave: fields that stand elsewhere in a line and are left out here.
    """
    return {name: getattr(value, name) for name in _plan(type(value))[0] if name not in leave}


_plans: dict[type, tuple[dict[str, _Reader], tuple[str, ...]]] = {}


def _plan(cls: type) -> tuple[dict[str, _Reader], tuple[str, ...]]:
    if cls not in _plans:
        _plans[cls] = _make_plan(cls)
    return _plans[cls]


def _make_plan(cls: Any) -> tuple[dict[str, _Reader], tuple[str, ...]]:
    hints = get_type_hints(cls, include_extras=True)
    readers = {field.name: _reader(hints[field.name]) for field in fields(cls)}
    required = tuple(
        field.name
        for field in fields(cls)
        if field.default is MISSING and field.default_factory is MISSING
    )
    return readers, required


def _reader(hint: Any) -> _Reader:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _read_face if hint == cards.Face else _read_card
    if origin in (Union, UnionType) and NoneType in args:
        (inner,) = (arg for arg in args if arg is not NoneType)
        read = _reader(inner)
        return lambda value, where: None if value is None else read(value, where)
    if origin is tuple:
        read = _reader(args[0])
        return _read_cards if read is _read_card else _read_list(read)
    if origin is not None and issubclass(origin, Mapping):
        return lambda value, where: dict(_of_type(dict, "an object", value, where))
    if issubclass(hint, StrEnum):
        return _read_word(hint)
    if hint is int:
        return _read_number
    words = {bool: "true or false", str: "a text"}[hint]
    return lambda value, where: _of_type(hint, words, value, where)


def _of_type(kind: type[_T], words: str, value: object, where: str) -> _T:
    if type(value) is not kind:
        raise BadInput(f"{where} must be {words}, not {shown(value)}")
    return value


def _read_number(value: object, where: str) -> int:
    if type(value) is not int:
        raise BadInput(f"{where} must be a whole number, not {shown(value)}")
    if not -MAX_INT <= value <= MAX_INT:
        raise BadInput(f"{where}: the number {shown(value)} is beyond 2**53 - 1")
    return value


def _read_card(value: object, where: str) -> cards.Card:
    if type(value) is str and (card := _CARDS.get(value)) is not None:
        return card
    raise BadInput(
        f"{where}: {shown(value)} is not a card; write 'Th', or '*' or '*8s' for a joker"
    )


def _read_face(value: object, where: str) -> cards.Face:
    if type(value) is str and (card := _FACES.get(value)) is not None:
        return card
    raise BadInput(f"{where}: {shown(value)} is not a card of this game; write 'Th'")


def _read_word(words: type[StrEnum]) -> _Reader:
    def read(value: Any, where: str) -> StrEnum:
        try:
            return words(value)
        except ValueError:
            options = ", ".join(words)
            raise BadInput(f"{where} must be one of {options}, not {shown(value)}") from None

    return read


def _read_cards(value: object, where: str) -> tuple[cards.Card, ...]:
    """Read a list of cards; the common case, so it is fast when all is well."""
    try:
        if type(value) is list or type(value) is tuple:
            return tuple(map(_CARDS.__getitem__, value))
    except (KeyError, TypeError):
        pass
    found: tuple[cards.Card, ...] = _read_list(_read_card)(value, where)
    return found


def _read_list(read: _Reader) -> _Reader:
    def read_all(value: object, where: str) -> tuple[Any, ...]:
        if type(value) is not list and type(value) is not tuple:
            raise BadInput(f"{where} must be a list, not {shown(value)}")
        return tuple([read(item, where) for item in value])

    return read_all
