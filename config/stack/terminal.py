"""Words to the person at the terminal, which may be gone by now."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path


def say(text: str) -> None:
    """Print a line; a closed pipe or a terminal that hung up must not stop a clean end."""
    _write(text, error=False)


def complain(text: str) -> None:
    """Print a line on standard error."""
    _write(text, error=True)


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log file, indented, or a word that there are none."""
    try:
        text = log.read_text(errors="replace")
    except OSError:
        text = ""
    last = text.splitlines()[-lines:] or ["(nothing was written)"]
    return "\n".join([f"{log}:", *(f"    {line}" for line in last)])


def _write(text: str, *, error: bool) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr if error else sys.stdout, flush=True)
