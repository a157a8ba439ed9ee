"""Tables at which every two numbers meet exactly once, by construction instead of by search.

Two constructions suffice: *difference families* for single sizes at which the search falls short,
and *transversal designs*, which split a large field into groups so that only the groups are left
to be seated. Colbourn and Dinitz, Handbook of Combinatorial Designs, II.3, III.3 and VI.16.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from tournaments.pairing.packing import Table

MAX_GUESTS = 6
"""Most numbers left beside the groups of a :class:`Split`; they bridge gaps between good sizes."""

_Point = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Family:
    """Base tables in a group; adding each element of the group to them gives all tables.

    It works because every difference but zero occurs exactly once in the base tables (those of
    a subgroup: in the short table, whose sums repeat).
    """

    moduli: _Point
    """The group: tuples of numbers added modulo these."""
    base: tuple[tuple[_Point, ...], ...]
    """Tables that have as many different sums as the group has elements."""
    short: tuple[_Point, ...] = ()
    """A subgroup, which is a table with fewer different sums."""
    fixed: bool = False
    """Whether one number more, that nothing is added to, completes the short table."""

    def tables(self) -> list[Table]:
        """Return all tables; the numbers 0, 1, … stand for the elements of the group in order."""
        elements = list(product(*map(range, self.moduli)))
        number = {element: i for i, element in enumerate(elements)}
        extra = (len(elements),) if self.fixed else ()
        found: dict[Table, None] = {}
        for base, ending in (*((table, ()) for table in self.base), (self.short, extra)):
            for shift in elements if base else []:
                sums = (self._sum(point, shift) for point in base)
                found[(*sorted(number[point] for point in sums), *ending)] = None
        return list(found)

    def _sum(self, a: _Point, b: _Point) -> _Point:
        return tuple((x + y) % m for x, y, m in zip(a, b, self.moduli, strict=True))


def _cyclic(modulus: int, *base: Sequence[int], short: Sequence[int] = ()) -> _Family:
    """Return a family in the numbers modulo ``modulus``."""
    tables = tuple(tuple((x,) for x in table) for table in base)
    return _Family((modulus,), tables, tuple((x,) for x in short))


def _points(*texts: str) -> tuple[_Point, ...]:
    """Return the points written as digits: ``"012"`` is (0, 1, 2)."""
    return tuple(tuple(map(int, text)) for text in texts)


_FAMILIES = {
    (25, 4): _Family((5, 5), (_points("00", "01", "10", "22"), _points("00", "02", "13", "32"))),
    (28, 4): _Family(
        (3, 3, 3),
        (_points("000", "010", "100", "111"), _points("000", "012", "121", "220")),
        short=_points("000", "001", "002"),
        fixed=True,
    ),
    (37, 4): _cyclic(37, (0, 1, 3, 24), (0, 4, 9, 15), (0, 7, 17, 25)),
    (40, 4): _cyclic(40, (0, 1, 4, 13), (0, 2, 7, 24), (0, 6, 14, 25), short=(0, 10, 20, 30)),
    (41, 5): _cyclic(41, (0, 1, 4, 11, 29), (0, 2, 8, 17, 22)),
    (45, 5): _Family(
        (3, 3, 5),
        (_points("000", "010", "021", "102", "212"), _points("000", "012", "101", "200", "222")),
        short=_points("000", "001", "002", "003", "004"),
    ),
}


def known_design(entrants: int, table_size: int) -> list[Table] | None:
    """Return tables at which every two meet exactly once, where a family of them is known here.

    >>> len(known_design(25, 4))
    50
    """
    family = _FAMILIES.get((entrants, table_size))
    return family.tables() if family else None


@dataclass(frozen=True, slots=True)
class Split:
    """A field split into ``table_size`` groups that meet across by a transversal design."""

    table_size: int
    group: int
    """Size of every group but the last."""
    last: int
    """Size of the last group, 1 up to ``group``."""
    guests: int
    """Numbers beside the groups; they meet each group, and each other, within the parts."""

    def across(self) -> Iterator[Table]:
        """Yield tables that seat every two of different groups exactly once.

        Where the last group has nobody for a table, it is one short. Two groups i and j fix x and
        y, since i − j has an inverse modulo ``group``; so they meet once and once only.
        """
        q, whole = self.group, self.table_size - 1
        for x, y in product(range(q), range(q)):  # each x is a round, where the inverses allow
            seats = [i * q + (x + (i + 1) * y) % q for i in range(whole)]
            yield (*seats, whole * q + y) if y < self.last else tuple(seats)

    def parts(self) -> Iterator[Sequence[int]]:
        """Yield the numbers, group by group with the guests, that have yet to meet each other."""
        starts = range(0, self.table_size * self.group, self.group)
        end = starts[-1] + self.last
        guests = range(end, end + self.guests)
        for start in starts:
            yield [*range(start, min(start + self.group, end)), *guests]


def splits(entrants: int, table_size: int) -> Iterator[Split]:
    """Yield the ways to split a field for a transversal design; none for small fields."""
    whole = table_size - 1
    for guests in range(MAX_GUESTS + 1):
        for group in range(-(-(entrants - guests) // table_size), (entrants - guests) // whole + 1):
            last = entrants - guests - whole * group
            if last and group > 1 and all(group % d for d in range(2, whole)):
                yield Split(table_size, group, last, guests)
