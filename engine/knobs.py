"""Rules as values: frozen dataclasses of knobs, each with its default and what it may be.

A rules class is a frozen dataclass whose fields are made by :func:`number`, :func:`flag` and
:func:`choice`; :func:`parse` makes a value of it from named settings (JSON or ``knob=value`` text).
A class may name presets: ``PRESETS`` maps a name to the knobs it sets before the named ones apply.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from inspect import getsource
from itertools import pairwise
from textwrap import dedent
from typing import Any, ClassVar, TypeVar

from engine.errors import BadInput, shown

Setting = str | int | bool | None


@dataclass(frozen=True, slots=True)
class KnobSet:
    """Base of every rules class."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Setting]]] = {}


_R = TypeVar("_R", bound=KnobSet)


def number(default: int | None, low: int, high: int) -> Any:
    """Declare a whole-number knob with its range; a default of None makes it optional."""
    return field(default=default, metadata={"low": low, "high": high})


def flag(default: bool) -> Any:
    """Declare a yes/no knob."""
    return field(default=default, metadata={"choices": (False, True)})


def choice(default: str | int, *others: str | int) -> Any:
    """Declare a knob with a few named values."""
    return field(default=default, metadata={"choices": (default, *others)})


def parse(rules: type[_R], settings: Mapping[str, object], what: str = "rules: ") -> _R:
    """Return the rules with the given settings; knobs that are not named keep their defaults.

    :param what: how refusals begin.

    :raises BadInput: for an unknown knob or preset, a value of the wrong kind or out of range,
        or ``deals`` and ``length`` that do not fit each other (RULES M9.1, G7.1).
    """
    if not isinstance(settings, Mapping):
        raise BadInput(f"rules must be knobs and their values, not {shown(settings)}")
    values: dict[str, object] = {}
    known = {knob.name: knob.metadata for knob in fields(rules)}
    for name, given in settings.items():
        if name == "preset" and rules.PRESETS:
            if not isinstance(given, str) or given not in rules.PRESETS:
                options = " or ".join(sorted(rules.PRESETS))
                raise BadInput(f"{what}preset={_shown(given)} is unknown; it may be {options}")
            values = {**rules.PRESETS[given], **values}
        elif name in known:
            values[name] = _checked(name, given, known[name], what)
        else:
            raise BadInput(f"{what}there is no knob {name!r}; known are {', '.join(known)}")
    made = rules(**values)
    length, deals = getattr(made, "length", None), getattr(made, "deals", None)
    if length == "deals" and deals is None:
        raise BadInput(f"{what}length=deals needs the number of deals, such as deals=8")
    if length != "deals" and deals is not None:
        raise BadInput(f"{what}deals={deals} needs length=deals; length is {length}")
    return made


def settings_from_text(text: str) -> dict[str, object]:
    """Split ``knob=value,knob=value`` into settings for :func:`parse`.

    :raises BadInput: for a part without ``=`` or a knob named twice.
    """
    settings: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise BadInput(f"rules: {part!r} is not of the form knob=value")
        if name in settings:
            raise BadInput(f"rules: {name} is given twice")
        settings[name] = value
    return settings


def as_settings(rules: KnobSet) -> dict[str, Setting]:
    """Return every knob and its value, presets expanded, as it stands in a record."""
    return {knob.name: getattr(rules, knob.name) for knob in fields(rules)}


_DEFINITIONS: dict[type[KnobSet], Mapping[str, str]] = {}


def definitions(rules: type[KnobSet]) -> Mapping[str, str]:
    """Return what each knob means: the docstring under it, so that forms need no second one."""
    if rules not in _DEFINITIONS:
        found: dict[str, str] = {}
        for each in reversed(rules.__mro__[:-1]):  # what a class says of a shared knob comes last
            declared = ast.parse(dedent(getsource(each))).body[0]
            for knob, words in pairwise(ast.iter_child_nodes(declared)):
                match knob, words:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(said))),
                    ):
                        found[name] = " ".join(said.replace("``", "").split())
        _DEFINITIONS[rules] = {knob.name: found[knob.name] for knob in fields(rules)}
    return _DEFINITIONS[rules]


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _checked(name: str, given: object, allowed: Mapping[str, Any], what: str) -> object:
    if "choices" in allowed:
        for option in allowed["choices"]:
            if _same(given, option):
                return option
        options = ", ".join(_shown(option) for option in allowed["choices"])
        raise BadInput(f"{what}{name}={_shown(given)} is not one of {options}")
    if given is None and name == "deals":
        return None
    if isinstance(given, str) and given.isascii() and given.isdigit():
        given = int(given)
    low, high = allowed["low"], allowed["high"]
    if not isinstance(given, int) or isinstance(given, bool) or not low <= given <= high:
        raise BadInput(f"{what}{name}={_shown(given)} must be a whole number {low} to {high}")
    return given


def _same(given: object, option: str | int | bool) -> bool:
    if isinstance(option, bool):
        return given is option or given in (("yes", "true") if option else ("no", "false"))
    return not isinstance(given, bool) and str(given) == str(option)
