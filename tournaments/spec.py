"""What a tournament file says: read, checked and turned into values before anything is written.

A file is TOML with ``name``, ``variant``, a table ``[rules]`` of knobs, tables ``[[entrants]]``
(``bot``, ``count``) and tables ``[[phases]]`` (``format``, its options, ``scheme``,
``tie_breaks``); ``examples/`` holds real ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import knobs
from engine.errors import BadInput
from engine.policies import find_policy
from engine.variants import find_variant
from tournaments.formats import find_format
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import find_scheme

NAME_LENGTH = 80
MAX_ENTRANTS = 10_000

DEFAULT_SCHEME = "placement"
DEFAULT_TIE_BREAKS = ("wins", "direct", "score_share", "lot")


@dataclass(frozen=True, slots=True)
class BotEntry:
    """So many built-in bots of one policy."""

    bot: str
    count: int


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """A phase as its organiser describes it."""

    format: str
    options: Mapping[str, Any]
    """Every option of the format."""
    scheme: str
    tie_breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spec:
    """A tournament as its organiser describes it."""

    name: str
    variant: str
    rules: Mapping[str, Any]
    """Every knob of the game."""
    entrants: tuple[BotEntry, ...]
    phases: tuple[PhaseSpec, ...]

    @property
    def size(self) -> int:
        """Number of entrants."""
        return sum(entry.count for entry in self.entrants)


def read_spec(path: Path) -> Spec:
    """Return what a tournament file says.

    :raises BadInput: naming the file and the line or the thing that is wrong.
    """
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not TOML: {error}") from None
    try:
        return parse_spec(data)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def parse_spec(data: Mapping[str, Any]) -> Spec:
    """Return the tournament that a mapping describes.

    :raises BadInput: for an unknown key, variant, bot, format, scheme or tie-break, a value of the
        wrong kind, or a field that the first phase cannot seat.
    """
    _only(data, "", {"name", "variant", "rules", "entrants", "phases"})
    name = _text(data, "name", "")
    if len(name) > NAME_LENGTH:
        raise BadInput(f"name has {len(name)} characters; at most {NAME_LENGTH} are shown")
    variant = find_variant(_text(data, "variant", "", default="manipulation"))
    given = data.get("rules", {})
    if not isinstance(given, Mapping):
        raise BadInput(f"rules must be a table of knobs, not {given!r}")
    rules = knobs.as_settings(knobs.parse(variant.rules, given))
    entrants = tuple(_entry(e, where, variant.key) for where, e in _tables(data, "entrants"))
    phases = tuple(_phase(p, where) for where, p in _tables(data, "phases"))
    spec = Spec(name, variant.key, rules, entrants, phases)
    if spec.size > MAX_ENTRANTS:
        raise BadInput(f"entrants: {spec.size} are too many; at most {MAX_ENTRANTS} can enter")
    _check_seating(spec)
    return spec


def _check_seating(spec: Spec) -> None:
    """Refuse a field that a phase cannot seat, or tables that the game has no seats for."""
    seats = find_variant(spec.variant).seats
    for number, phase in enumerate(spec.phases, 1):
        chosen = find_format(phase.format)
        options = knobs.parse(chosen.options, phase.options)
        try:
            sizes = chosen.table_sizes(spec.size, options)
        except BadInput as error:
            raise BadInput(f"phases[{number}]: {error}") from None
        for size in sizes:
            if size not in seats:
                raise BadInput(
                    f"phases[{number}]: a table of {size} is not possible; {spec.variant} is "
                    f"played by {seats[0]} to {seats[-1]}"
                )


def _entry(data: Mapping[str, Any], where: str, variant: str) -> BotEntry:
    _only(data, where, {"bot", "count"})
    bot = _text(data, "bot", where)
    try:
        find_policy(find_variant(variant), bot)
    except BadInput as error:
        raise BadInput(f"{where}.bot: {error}") from None
    count = data.get("count", 1)
    if type(count) is not int or not 1 <= count <= MAX_ENTRANTS:
        raise BadInput(f"{where}.count must be a whole number from 1, not {count!r}")
    return BotEntry(bot, count)


def _phase(data: Mapping[str, Any], where: str) -> PhaseSpec:
    try:
        chosen = find_format(_text(data, "format", where))
        named = {"format", "scheme", "tie_breaks"}
        options = knobs.parse(chosen.options, {k: v for k, v in data.items() if k not in named})
        scheme = find_scheme(_text(data, "scheme", where, default=DEFAULT_SCHEME)).key
        tie_breaks = data.get("tie_breaks", list(DEFAULT_TIE_BREAKS))
        if not isinstance(tie_breaks, list):
            raise BadInput(f"tie_breaks must be a list, not {tie_breaks!r}")
        keys = tuple(tie_break.key for tie_break in find_tie_breaks(tie_breaks))
    except BadInput as error:
        text = str(error)
        raise BadInput(text if text.startswith(where) else f"{where}: {text}") from None
    return PhaseSpec(chosen.key, knobs.as_settings(options), scheme, keys)


def _only(data: Mapping[str, Any], where: str, known: set[str]) -> None:
    for key in data:
        if key not in known:
            name = f"{where}.{key}" if where else key
            raise BadInput(f"{name} is unknown; known are: {', '.join(sorted(known))}")


def _text(data: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = data.get(key, default)
    name = f"{where}.{key}" if where else key
    if value is None:
        raise BadInput(f"{name} is missing")
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{name} must be a text, not {value!r}")
    return value.strip()


def _tables(data: Mapping[str, Any], key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    tables = data.get(key)
    if not isinstance(tables, list) or not tables:
        raise BadInput(f"there must be at least one table [[{key}]]")
    for number, table in enumerate(tables, 1):
        if not isinstance(table, Mapping):
            raise BadInput(f"{key}[{number}] must be a table, not {table!r}")
        yield f"{key}[{number}]", table
