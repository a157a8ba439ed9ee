"""What a tournament file says: read, checked and turned into values before anything is written.

``docs/TOURNAMENTS.md`` tells what may stand in a file; ``examples/`` holds real ones.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine import knobs
from engine.errors import BadInput
from engine.policies import find_policy
from engine.variant import Variant
from engine.variants import find_variant
from tournaments.formats import find_format
from tournaments.formats.base import ByeKind, Format
from tournaments.schedule import Schedule, at, parse_schedule
from tournaments.seating import phase_sizes, unseated
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import SCHEMES, Scheme, find_scheme

NAME_LENGTH = 80
MAX_ENTRANTS = 10_000
MAX_PHASES = 20
ACCESSES = ("public", "unlisted", "private")
KEYS = (
    "name",
    "variant",
    "rules",
    "access",
    "late_entry",
    "entrants",
    "entry",
    "phases",
    "schedule",
)
_FRACTION = re.compile(r"-?\d{1,6}(/[1-9]\d{0,5})?", re.A)

DEFAULT_SCHEME = "placement"
BOARD_SCHEME = "matchpoints"
"""The scheme of a phase with duplicate boards where the organiser chooses none."""


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
    top: int
    """How many of the phase before take part; 0: all."""
    scheme: str
    tie_breaks: tuple[str, ...]
    bye_points: Mapping[ByeKind, Fraction]
    """What every kind of bye is worth."""
    duplicate: bool = False
    """Whether all tables of a round play the same deals."""
    rotate: bool = False
    """Whether each table plays them once in every rotation of its seats."""


@dataclass(frozen=True, slots=True)
class EntrySpec:
    """Who may enter by themselves, when, and how many there may be."""

    open: bool = False
    """Whether anybody who is signed in may, without an invitation."""
    opens: datetime | None = None
    """In UTC; None: at once."""
    closes: datetime | None = None
    """In UTC; None: when it starts."""
    least: int = 0
    """Entrants without whom there is no start; 0: as many as the format needs."""
    most: int = 0
    """Entrants that there is room for; 0: as many as any tournament takes."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A tournament as its organiser describes it."""

    name: str
    variant: str
    rules: Mapping[str, Any]
    """Every knob of the game."""
    entrants: tuple[BotEntry, ...]
    phases: tuple[PhaseSpec, ...]
    late_entry: int = 0
    """The last round of the first phase that somebody who enters late may begin with; 0: none."""
    access: str = ACCESSES[0]
    entry: EntrySpec = field(default_factory=EntrySpec)
    schedule: Schedule = field(default_factory=Schedule)

    def sizes_of(self, entrants: int) -> list[int]:
        """Return the number of entrants of each phase for so many, if nobody leaves."""
        return phase_sizes(self.phases, entrants)

    @property
    def sizes(self) -> list[int]:
        """Number of entrants of each phase, if nobody leaves or comes late."""
        return self.sizes_of(self.size)

    @property
    def size(self) -> int:
        """Number of entrants."""
        return sum(entry.count for entry in self.entrants)


def read_specs(path: Path) -> tuple[Spec, ...]:
    """Return what a tournament file says: a tournament for each game kind that it names.

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
        return tuple(parse_spec(one) for one in _by_variant(data))
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def _by_variant(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the tournaments of a file; where ``variant`` is a list they are named by it."""
    keys = data.get("variant")
    if not isinstance(keys, list):
        return [data]
    if not keys or len(keys) > len({str(key) for key in keys}):
        raise BadInput("variant as a list names one game kind or more, each once")
    name = _text(data, "name", "")
    found = []
    for key in keys:
        one = {**data, "variant": key}
        variant = find_variant(_text(one, "variant", ""))
        found.append({**one, "name": f"{name}: {variant.name}"})
    return found


def parse_spec(data: Mapping[str, Any]) -> Spec:
    """Return the tournament that a mapping describes.

    :raises BadInput: for an unknown key, variant, bot, format, scheme or tie-break, a value of the
        wrong kind, or a field that a phase cannot seat.
    """
    _only(data, "", set(KEYS))
    phases = parse_phases(data)
    name, variant, rules = parse_game(data, boards=any(phase.duplicate for phase in phases))
    spec = Spec(
        name,
        variant,
        rules,
        parse_entrants(data.get("entrants", []), variant),
        phases,
        access=parse_access(data),
        schedule=parse_schedule(_table(data, "schedule")),
    )
    spec = replace(
        spec,
        late_entry=parse_late_entry(data, spec.phases),
        entry=parse_entry(data, spec.schedule),
    )
    check_room(spec.size, spec.entry)
    sure = max(0 if spec.entry.open else spec.size, spec.entry.least)
    problem = unseated(find_variant(variant), phases, sure) if sure else None
    if problem:
        raise BadInput(f"phases[{problem[0]}]: {problem[1]}")
    return spec


def parse_game(data: Mapping[str, Any], *, boards: bool = False) -> tuple[str, str, dict[str, Any]]:
    """Return the name, the variant's key and every knob of its rules.

    :param boards: whether duplicate boards are played.
    :raises BadInput: as :func:`parse_spec`.
    """
    name = _text(data, "name", "")
    if len(name) > NAME_LENGTH:
        raise BadInput(f"name has {len(name)} characters; at most {NAME_LENGTH} are shown")
    if not name.isprintable():
        raise BadInput("name has characters that cannot be shown; plain text is needed")
    variant = find_variant(_text(data, "variant", "", default="manipulation"))
    given = data.get("rules", {})
    if not isinstance(given, Mapping):
        raise BadInput(f"rules must be a table of knobs, not {given!r}")
    if boards:
        given = _board_rules(variant, given)
    return name, variant.key, knobs.as_settings(knobs.parse(variant.rules, given))


def parse_entrants(given: object, variant: str) -> tuple[BotEntry, ...]:
    """Return the bots that enter; none is right where entrants come later.

    :raises BadInput: as :func:`parse_spec`.
    """
    tables = _tables({"entrants": given}, "entrants") if given else ()
    entrants = tuple(_entry(e, where, variant) for where, e in tables)
    size = sum(entry.count for entry in entrants)
    if size > MAX_ENTRANTS:
        raise BadInput(f"entrants: {size} are too many; at most {MAX_ENTRANTS} can enter")
    return entrants


def parse_phases(data: Mapping[str, Any]) -> tuple[PhaseSpec, ...]:
    """Return the phases.

    :raises BadInput: as :func:`parse_spec`.
    """
    phases = tuple(
        _phase(p, where, first=number == 0)
        for number, (where, p) in enumerate(_tables(data, "phases"))
    )
    if len(phases) > MAX_PHASES:
        raise BadInput(f"phases: {len(phases)} are too many; there may be 1 to {MAX_PHASES}")
    return phases


def parse_access(data: Mapping[str, Any]) -> str:
    """Return who may find and look at the tournament.

    :raises BadInput: for anything else.
    """
    access = data.get("access", ACCESSES[0])
    if access not in ACCESSES:
        raise BadInput(f"access must be one of {', '.join(ACCESSES)}, not {access!r}")
    return str(access)


def parse_late_entry(data: Mapping[str, Any], phases: Sequence[PhaseSpec]) -> int:
    """Return the last round that somebody who enters late may begin with.

    :raises BadInput: when the first phase takes nobody late.
    """
    late = _whole(data, "late_entry", "", 0, 50)
    if late and not find_format(phases[0].format).takes_late:
        raise BadInput(
            f"late_entry={late}, but the rounds of a {phases[0].format} are planned for those who"
            " are there; it must be 0"
        )
    return late


def _board_rules(variant: Variant, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the rules with what duplicate boards need.

    :raises BadInput: for a game kind that has no such boards, or a knob that says otherwise.
    """
    if variant.board_rules is None:
        raise BadInput(f"duplicate: {variant.name} is not played on duplicate boards")
    for name, value in variant.board_rules.items():
        if given.get(name, value) != value:
            raise BadInput(
                f"rules.{name}={given[name]}, but duplicate boards need {name}={value}, so that"
                " every table has the same deals"
            )
    return {**given, **variant.board_rules}


def parse_entry(data: Mapping[str, Any], schedule: Schedule) -> EntrySpec:
    """Return who may enter, when, and how many.

    :raises BadInput: for limits or times that contradict each other.
    """
    given = _table(data, "entry")
    _only(given, "entry", {"open", "opens", "closes", "least", "most"})
    if type(given.get("open", False)) is not bool:
        raise BadInput(f"entry.open must be true or false, not {given['open']!r}")
    opens, closes = (
        at(given[key], schedule.zone, f"entry.{key}") if given.get(key) else None
        for key in ("opens", "closes")
    )
    least, most = (_whole(given, key, "entry", 0, MAX_ENTRANTS) for key in ("least", "most"))
    if most and least > most:
        raise BadInput(f"entry.least={least} must be at most entry.most={most}")
    if opens and closes and closes <= opens:
        raise BadInput("entry.closes must be later than entry.opens")
    if schedule.start:
        for key, moment in (("opens", opens), ("closes", closes)):
            if moment and moment > schedule.start:
                raise BadInput(
                    f"entry.{key} must not be later than the start; who comes later enters by"
                    " late_entry"
                )
    return EntrySpec(given.get("open", False), opens, closes, least, most)


def check_room(bots: int, entry: EntrySpec) -> None:
    """Refuse more bots than there is room for.

    :raises BadInput: naming both numbers.
    """
    if entry.most and bots > entry.most:
        raise BadInput(
            f"entrants: {bots} bots for at most {entry.most} entrants (entry.most);"
            " there must be room for all"
        )


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    given = data.get(key, {})
    if not isinstance(given, Mapping):
        raise BadInput(f"{key} must be a table of keys and values, not {given!r}")
    return given


def _entry(data: Mapping[str, Any], where: str, variant: str) -> BotEntry:
    _only(data, where, {"bot", "count"})
    bot = _text(data, "bot", where)
    try:
        find_policy(find_variant(variant), bot)
    except BadInput as error:
        raise BadInput(f"{where}.bot: {error}") from None
    return BotEntry(bot, _whole(data, "count", where, 1, MAX_ENTRANTS, default=1))


def _phase(data: Mapping[str, Any], where: str, first: bool) -> PhaseSpec:
    try:
        chosen = find_format(_text(data, "format", where))
        named = {"format", "top", "scheme", "tie_breaks", "byes", "duplicate", "rotate"}
        duplicate, rotate = _flag(data, "duplicate", where), _flag(data, "rotate", where)
        if rotate and not duplicate:
            raise BadInput("rotate=true plays duplicate boards again; it needs duplicate=true")
        given = {k: v for k, v in data.items() if k not in named}
        options = knobs.parse(chosen.options, _full(given, chosen) if duplicate else given, "")
        top = _whole(data, "top", where, 0, MAX_ENTRANTS)
        if top and first:
            raise BadInput(f"top={top}, but there is no phase before the first to take them from")
        usual = BOARD_SCHEME if duplicate else DEFAULT_SCHEME
        scheme = find_scheme(_text(data, "scheme", where, default=usual))
        if scheme.same_deals and not duplicate:
            usable = ", ".join(key for key, other in SCHEMES.items() if not other.same_deals)
            raise BadInput(
                f"scheme {scheme.key} compares tables that played the same deals, but those of a"
                f" round play different ones here; set duplicate=true or choose one of {usable}"
            )
        tie_breaks = data.get("tie_breaks", list(chosen.tie_breaks))
        if not isinstance(tie_breaks, list):
            raise BadInput(f"tie_breaks must be a list, not {tie_breaks!r}")
        keys = tuple(tie_break.key for tie_break in find_tie_breaks(tie_breaks))
        byes = _byes(data.get("byes", {}), scheme)
    except BadInput as error:
        text = str(error)
        raise BadInput(text if text.startswith(where) else f"{where}: {text}") from None
    settings = knobs.as_settings(options)
    return PhaseSpec(chosen.key, settings, top, scheme.key, keys, byes, duplicate, rotate)


def _full(given: Mapping[str, Any], chosen: Format) -> Mapping[str, Any]:
    """Return the options of a phase whose tables must all be full.

    :raises BadInput: when short ones are asked for.
    """
    if "short_tables" not in {knob.name for knob in fields(chosen.options)}:
        return given
    if given.get("short_tables") is True:
        raise BadInput("short_tables=true, but duplicate boards need full tables")
    return {**given, "short_tables": False}


def _byes(data: object, scheme: Scheme) -> dict[ByeKind, Fraction]:
    """Return what every kind of bye is worth."""
    if not isinstance(data, Mapping):
        raise BadInput(f"byes must be a table of kinds and points, not {data!r}")
    known = ", ".join(ByeKind)
    for key in data:
        if key not in list(ByeKind):
            raise BadInput(f"byes.{key} is unknown; kinds are: {known}")
    given = {ByeKind(key): exact_points(value, f"byes.{key}") for key, value in data.items()}
    worth = {**(scheme.byes or {}), **given}
    missing = [kind for kind in ByeKind if kind not in worth]
    if missing:
        raise BadInput(
            f"what a bye is worth does not follow from the scheme {scheme.key}; byes must say it"
            f" for {', '.join(missing)}"
        )
    return {kind: worth[kind] for kind in ByeKind}


def exact_points(value: object, name: str) -> Fraction:
    """Return points that are given as a whole number or as a text such as ``"1/2"``."""
    if type(value) is int and abs(value) < 1_000_000:
        return Fraction(value)
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction(value)
    raise BadInput(
        f'{name} must be a whole number or an exact fraction such as "1/2", not {value!r}'
    )


def _whole(
    data: Mapping[str, Any], key: str, where: str, low: int, high: int, default: int = 0
) -> int:
    value = data.get(key, default)
    name = f"{where}.{key}" if where else key
    if type(value) is not int or not low <= value <= high:
        raise BadInput(f"{name} must be a whole number {low} to {high}, not {value!r}")
    return value


def _flag(data: Mapping[str, Any], key: str, where: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise BadInput(f"{where}.{key} must be true or false, not {value!r}")
    return value


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
    if not isinstance(value, str):
        raise BadInput(f"{name} must be a text, not {value!r}")
    if not value.strip():
        raise BadInput(f"{name} is empty; it must have at least one character")
    return value.strip()


def _tables(data: Mapping[str, Any], key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    tables = data.get(key)
    if not isinstance(tables, list) or not tables:
        raise BadInput(f"there must be at least one table [[{key}]]")
    for number, table in enumerate(tables, 1):
        if not isinstance(table, Mapping):
            raise BadInput(f"{key}[{number}] must be a table, not {table!r}")
        yield f"{key}[{number}]", table
