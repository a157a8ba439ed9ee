"""A chart of step lines, drawn by the server: lines in an SVG that stretches, text in ones that do
not, so that letters never shrink. Positions are SVG attributes; there is no inline style.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LABEL_GAP = 12.0
"""Least distance between two labels at the right end, in percent of the height."""

TICKS = 5
"""Turns numbered below the chart, about."""


@dataclass(frozen=True, slots=True)
class Line:
    """One seat's line."""

    seat: int
    name: str
    path: str
    """In a box of 100 by 100."""
    last: int | None
    """The last value, None where it is not known."""
    label: float
    """Where the label stands, in percent from the top."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of a deal."""

    title: str
    lines: tuple[Line, ...]
    levels: tuple[tuple[str, int], ...]
    """Heights of the grid in percent from the top, with their values."""
    ticks: tuple[tuple[str, int], ...]
    """Positions of the numbered turns in percent, with their numbers."""
    turns: int


def chart(title: str, names: Sequence[str], series: Sequence[Sequence[int | None]]) -> Chart:
    """Return a chart of each seat's values before the first turn and after each turn.

    :param series: by seat; a line ends at its first None.
    """
    turns = max((len(values) for values in series), default=1) - 1
    known = [value for values in series for value in values if value is not None]
    top = _ceiling(max(known, default=0))
    ends = [_last(values) for values in series]
    labels = _spread([100.0 - 100.0 * (end or 0) / top for end in ends])
    lines = tuple(
        Line(seat, names[seat], _path(values, turns, top), ends[seat], labels[seat])
        for seat, values in enumerate(series)
    )
    levels = tuple((_number(100 - 25 * i), top * i // 4) for i in range(5))
    return Chart(title, lines, levels, _ticks(turns), turns)


def _ceiling(value: int) -> int:
    """Return a round number of which a quarter is whole, not below ``value``."""
    for step in (20, 40, 60, 80, 100, 120, 160, 200, 240, 300, 400, 500, 600, 800):
        if value <= step:
            return step
    return -(-value // 400) * 400


def _last(values: Sequence[int | None]) -> int | None:
    return values[-1] if values else None


def _path(values: Sequence[int | None], turns: int, top: int) -> str:
    """Return a step line; a value holds from its turn to the next."""
    parts: list[str] = []
    before: int | None = None
    for turn, value in enumerate(values):
        if value is None:
            break
        x, y = _number(100 * turn / max(turns, 1)), _number(100 - 100 * value / top)
        if before is None:
            parts.append(f"M{x} {y}")
        elif value != before:
            parts.append(f"H{x}V{y}")
        before = value
        end = x
    return "".join(parts) + (f"H{end}" if parts else "")


def _spread(wanted: Sequence[float]) -> list[float]:
    """Move labels apart that would cover one another, none of them out of the picture."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = list(wanted)
    floor = 0.0
    for i in order:
        placed[i] = max(placed[i], floor)
        floor = placed[i] + LABEL_GAP
    ceiling = 100.0
    for i in reversed(order):
        placed[i] = min(placed[i], ceiling)
        ceiling = placed[i] - LABEL_GAP
    return [round(y, 1) for y in placed]


def _ticks(turns: int) -> tuple[tuple[str, int], ...]:
    """Return round numbers of turns and the last one, where it does not cover another."""
    if turns < 1:
        return ()
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 1000) if turns <= s * TICKS)
    numbers = [n for n in range(step, turns, step) if (turns - n) * 12 > turns] + [turns]
    return tuple((_number(100 * n / turns), n) for n in numbers)


def _number(value: float) -> str:
    """Return a number as short as it can be written in an SVG."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
