"""What can go wrong in the engine, as one small tree.

::

    EngineError(ValueError)
    ├── RuleViolation   a command that the rules forbid; code, message, clause
    ├── BadInput        input of the wrong form: a card, a knob, a JSON field
    └── RecordError     a record that is broken or untrue; line and reason
"""

from __future__ import annotations

import json

SHOWN = 80
"""Characters of a wrong value that a message shows."""


def shown(value: object) -> str:
    """Return a value as a message shows it: as JSON where it is, and not without end."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


class EngineError(ValueError):
    """Root of the engine's errors; the text is meant for the person who gave the input."""


class RuleViolation(EngineError):
    """A command that the rules forbid.

    :param code: stable word for programs, such as ``"not_held"``.
    :param message: one sentence that names the cards and what would be right.
    :param clause: the clause of RULES.md that forbids it, such as ``"M5.1"``.
    """

    def __init__(self, code: str, message: str, clause: str) -> None:
        super().__init__(f"{message} ({clause})")
        self.code = code
        self.message = message
        self.clause = clause


class BadInput(EngineError):
    """Input of the wrong form; the message names the thing and says what would be right."""


class RecordError(EngineError):
    """A record that cannot be read or is not what the engine would have written.

    :param line: 1-based line of the record where it shows.
    :param reason: what is wrong there.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
