"""A progress bar and a table for people at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO, TypeVar

_T = TypeVar("_T")

WIDTH = 30


def progress(
    items: Iterable[_T], total: int, label: str, out: TextIO | None = None
) -> Iterator[_T]:
    """Yield the items and draw how far they are, on a terminal only (default: standard error)."""
    out = out or sys.stderr
    shown = out.isatty()
    for done, item in enumerate(items, 1):
        yield item
        if shown:
            draw(done, total, label, out)
    if shown:
        out.write("\n")


def draw(done: int, total: int, label: str, out: TextIO) -> None:
    """Draw one state of the bar over the last one."""
    filled = WIDTH * done // max(total, 1)
    out.write(f"\r{label} [{'█' * filled}{'·' * (WIDTH - filled)}] {done}/{total}")
    out.flush()


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a text table; numbers stand at the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    numeric = [
        all(row[i].replace(".", "").replace("-", "").isdigit() for row in cells) and bool(cells)
        for i in range(len(heads))
    ]
    widths = [max(len(row[i]) for row in [list(heads), *cells]) for i in range(len(heads))]

    def line(row: Sequence[str]) -> str:
        parts = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        return "  ".join(parts).rstrip()

    rule = "  ".join("─" * width for width in widths)
    return "\n".join([line(heads), rule, *(line(row) for row in cells)])
