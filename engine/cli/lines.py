"""Commands that read JSON lines and write JSON lines, in order; their kin ask and answer here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar

from engine.codec import decode
from engine.errors import BadInput, RuleViolation, shown
from engine.record import dumps, loads

_T = TypeVar("_T")

Answer = dict[str, Any]
"""What is written for a line."""

Answerer = Callable[[dict[str, Any]], Answer]
"""Answers the object of a line.

:raises BadInput: for a bad line.
"""


def run(answer: Answerer) -> int:
    """Answer each line of standard input with one line; return 1 if any line was bad."""
    status = 0
    for number, raw in enumerate(sys.stdin.buffer, 1):
        try:
            text = dumps(answer(_object(raw)))
        except (BadInput, RuleViolation) as error:
            text = dumps({"error": {"line": number, "message": str(error)}})
            status = 1
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    return status


def _object(raw: bytes) -> dict[str, Any]:
    try:
        text = raw.decode().strip(" \t\r\n")
    except UnicodeDecodeError:
        raise BadInput("the line is not UTF-8") from None
    value = loads(text) if text else None
    if not isinstance(value, dict):
        raise BadInput("a JSON object must stand here")
    return value


def shaped(shape: type[_T], given: Mapping[str, Any]) -> _T:
    """Return the input as its dataclass; other keys may stand there unless they look mistyped."""
    known = [f.name for f in fields(shape)]  # type: ignore[arg-type]
    for name in given:
        near = get_close_matches(name, known, n=1, cutoff=0.75)
        if name not in known and near:
            raise BadInput(f"unknown field {shown(name)}; did you mean {shown(near[0])}?")
    return decode(shape, {name: value for name, value in given.items() if name in known})
