"""How a field splits into tables: of one size, or of one less, and who is left over."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import BadInput


@dataclass(frozen=True, slots=True)
class Layout:
    """How many tables there are, and how many entrants have none."""

    size: int
    """Seats of a full table."""
    full: int
    """Full tables."""
    short: int
    """Tables of one seat less."""
    byes: int
    """Entrants without a table."""

    @property
    def tables(self) -> int:
        """Number of tables."""
        return self.full + self.short

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of all tables, the full ones first."""
        return (self.size,) * self.full + (self.size - 1,) * self.short


def least_field(size: int, short: bool = True) -> int:
    """Return the smallest field that fills a table of ``size`` or, from three on, of one less.

    :param short: whether tables of one less may be.
    """
    return max(2, size - 1) if short else size


def layout(entrants: int, size: int, short: bool = True) -> Layout:
    """Return how a field is split: the fewest byes, then the fewest short tables.

    :param short: whether short tables may be at all.
    :raises BadInput: for a field that fills no table, naming what would work.

    >>> layout(5, 4)
    Layout(size=4, full=1, short=0, byes=1)
    >>> layout(11, 4).sizes
    (4, 4, 3)
    >>> layout(11, 4, short=False).byes
    3
    """
    if entrants < least_field(size, short):
        raise BadInput(too_small(entrants, size, short))
    most_short = size if size > 2 and short else 1
    for byes in range(entrants):
        for smaller in range(most_short):
            full, rest = divmod(entrants - byes - smaller * (size - 1), size)
            if full >= 0 and rest == 0 and full + smaller:
                return Layout(size, full, smaller, byes)
    raise AssertionError("one table and the others as byes always fits")


def too_small(entrants: int, size: int, short: bool = True) -> str:
    """Return why a field fills no table, and what would."""
    if entrants < 2:
        return f"a round needs at least 2 entrants, not {entrants}"
    if not short:
        return (
            f"{entrants} entrants do not fill a table of {size};"
            f" table_size may be 2 to {entrants}, or {size} or more must enter"
        )
    return (
        f"{entrants} entrants do not fill a table of {size} or {size - 1};"
        f" table_size may be 2 to {entrants + 1}, or {size - 1} or more must enter"
    )
