"""Schemes: what the result of a table is worth, in exact fractions.

A new scheme is one function and one line in :data:`SCHEMES`. Points are always made anew from the
raw results, so no stored number can disagree with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise

from engine.errors import BadInput
from tournaments.formats.base import TableResult

Points = tuple[Fraction, ...]
"""Points of one table, by seat."""
RoundPoints = Callable[[Sequence[TableResult]], list[Points]]
"""Makes the points of every table of a round from all its results."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """A way to turn the results of one round into points."""

    key: str
    """Stable key, such as ``"placement"``."""
    name: str
    """Name for people."""
    definition: str
    """One sentence that defines the points."""
    points: RoundPoints
    """Points of every table of a round, given all its tables: some schemes compare tables."""


def placement(table: TableResult) -> Points:
    """Return (n − r)/(n − 1) for place r of n; equal places share the places they cover.

    The points of a table add up to n/2 whatever the ties.

    >>> [str(p) for p in placement(TableResult(1, 1, ("a", "b", "c"), (9, 9, 4), (1, 1, 3)))]
    ['3/4', '3/4', '0']
    """
    seats = len(table.ranks)

    def share(rank: int) -> Fraction:
        average = rank + Fraction(table.ranks.count(rank) - 1, 2)
        return (seats - average) / (seats - 1)

    return tuple(map(share, table.ranks))


def _each(of_table: Callable[[TableResult], Points]) -> RoundPoints:
    """Return the points of a round for a scheme that looks at one table at a time."""
    return lambda tables: list(map(of_table, tables))


SCHEMES: dict[str, Scheme] = {
    scheme.key: scheme
    for scheme in (
        Scheme(
            "placement",
            "Placement",
            "A win is 1, the last place 0, the places between evenly spaced;"
            " equal places share the places they cover.",
            _each(placement),
        ),
    )
}


def find_scheme(key: str) -> Scheme:
    """Return the scheme with a key.

    :raises BadInput: naming the keys there are.
    """
    try:
        return SCHEMES[key]
    except KeyError:
        raise BadInput(f"scheme {key!r} is unknown; known are: {', '.join(SCHEMES)}") from None


def priced(results: Iterable[TableResult], scheme: Scheme) -> list[TableResult]:
    """Return the results in the order of rounds and tables, with the points of a scheme.

    :raises BadInput: when a table of a round has two results.
    """
    found: list[TableResult] = []
    ordered = sorted(results, key=_where)
    for before, after in pairwise(ordered):
        if _where(before) == _where(after):
            raise BadInput(f"round {after.round}, table {after.table} has two results; one must go")
    for _, together in groupby(ordered, key=lambda result: result.round):
        tables = list(together)
        for table, points in zip(tables, scheme.points(tables), strict=True):
            found.append(replace(table, points=points))
    return found


def _where(result: TableResult) -> tuple[int, int]:
    return result.round, result.table
