"""Charts, drawn by the server: lines in an SVG that stretches, text in ones that do not, so that
letters never shrink. Positions are SVG attributes; there is no inline style. Whatever a chart shows
can be read as a table, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

LABEL_GAP = 12.0
"""Least distance between two labels at the right end, in percent of the height."""

TICKS = 5
"""Turns numbered below the chart, about."""

POINTS = 120
"""Points that a line through many values is drawn of, at most."""

ROWS = 20
"""Rows of the table of such a line, at most."""


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
    rows: tuple[tuple[int | None, ...], ...]
    """The values by turn, from the one before the first, and seat."""


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
    rows = tuple(zip_longest(*series))
    return Chart(title, lines, levels, _ticks(turns), turns, rows)


class Estimate(NamedTuple):
    """A value that is known up to an interval."""

    middle: float
    margin: float
    """Half the width of the interval."""

    @property
    def low(self) -> float:
        """Where the interval begins."""
        return self.middle - self.margin

    @property
    def high(self) -> float:
        """Where the interval ends."""
        return self.middle + self.margin


@dataclass(frozen=True, slots=True)
class BandChart:
    """A chart of one value as it went, with the interval that it is known up to as a band."""

    path: str
    """In a box of 100 by 100, like the band."""
    band: str
    levels: tuple[tuple[str, str], ...]
    ticks: tuple[tuple[str, int], ...]
    last: Estimate
    end: str
    """Height of the last value in percent from the top."""
    rows: tuple[tuple[int, Estimate], ...]
    """Some of the values, the last one first, with their numbers from 1."""


def band_chart(values: Sequence[Estimate]) -> BandChart:
    """Return a chart of one or more values; of very many, some stand for all.

    The scale is that of the values and of the last interval, so that what was hardly known at first
    does not make the rest flat; a band that is wider goes to the edge.
    """
    last = values[-1]
    bottom = min(last.low, *(value.middle for value in values))
    top = max(last.high, *(value.middle for value in values))
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 10**9) if top - bottom <= 4 * s)
    bottom = step * (bottom // step)
    height = step * -(-(top - bottom) // step) or step

    def y(value: float) -> str:
        return _number(100 - 100 * min(max((value - bottom) / height, 0), 1))

    chosen = _some(len(values), POINTS)
    turns = max(len(values) - 1, 1)
    across = {i: _number(100 * i / turns) for i in chosen}
    line = [f"{across[i]} {y(values[i].middle)}" for i in chosen]
    above = [f"{across[i]} {y(values[i].high)}" for i in chosen]
    below = [f"{across[i]} {y(values[i].low)}" for i in reversed(chosen)]
    steps = round(height / step)
    return BandChart(
        path=f"M{'L'.join(line)}H100",  # a single value goes all the way
        band=f"M{'L'.join(above)}H100V{y(last.low)}L{'L'.join(below)}Z",
        levels=tuple(
            (_number(100 - 100 * i / steps), _number(bottom + i * step)) for i in range(steps + 1)
        ),
        ticks=tuple((_number(100 * (n - 1) / turns), n) for _, n in _ticks(len(values))),
        last=last,
        end=y(last.middle),
        rows=tuple((i + 1, values[i]) for i in reversed(_some(len(values), ROWS))),
    )


def _some(count: int, most: int) -> list[int]:
    """Return numbers below a count, the first and the last among them, as far apart as it goes."""
    if count <= most:
        return list(range(count))
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


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
