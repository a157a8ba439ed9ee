"""Schemes: what the result of a table is worth, in exact fractions.

A new scheme is one function and one line in :data:`SCHEMES`. Points are always made anew from the
raw results, so no stored number can disagree with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise

from engine.errors import BadInput
from tournaments.formats.base import ByeKind, TableResult

BYE_POINTS: Mapping[ByeKind, Fraction] = {
    ByeKind.ALLOCATED: Fraction(1),
    ByeKind.REQUESTED: Fraction(1, 2),
    ByeKind.FORFEIT_WIN: Fraction(1),
    ByeKind.FORFEIT_LOSS: Fraction(0),
    ByeKind.ZERO: Fraction(0),
}
"""What byes are worth where the organiser says nothing else and a game is worth 0 to 1."""

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
    byes: Mapping[ByeKind, Fraction] | None = None
    """What byes are worth; None where nothing natural is and the organiser must say."""
    same_deals: bool = False
    """Whether it compares tables, so that all of a round must have played the same deals."""


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


def wins(table: TableResult) -> Points:
    """Return 1 for the win and 0 for every other place; a shared win is shared equally."""
    share = Fraction(1, table.ranks.count(1))
    return tuple(share if rank == 1 else Fraction(0) for rank in table.ranks)


def game_points(table: TableResult) -> Points:
    """Return the game scores as they are."""
    return tuple(map(Fraction, table.scores))


def matchpoints(tables: Sequence[TableResult]) -> list[Points]:
    """Return the part of the other tables that each seat did better than, a tie being half.

    A seat is compared with the same seat at the other tables of the same size, deal by deal, by
    its score less the mean of the other seats'. Where there is no other table, or a deal was not
    played to the end, it is half: the average.
    """
    boards = [table.deals or (table.scores,) for table in tables]
    deals = max(map(len, boards), default=0)
    return [
        tuple(
            sum((_board(tables, boards, at, seat, deal) for deal in range(deals)), Fraction(0))
            / deals
            for seat in range(len(table.seats))
        )
        for at, table in enumerate(tables)
    ]


def _board(
    tables: Sequence[TableResult],
    boards: Sequence[tuple[tuple[int, ...], ...]],
    at: int,
    seat: int,
    deal: int,
) -> Fraction:
    """Return what a seat of a table has for one deal."""
    size = len(tables[at].seats)

    def ahead(scores: tuple[int, ...]) -> int:
        return size * scores[seat] - sum(scores)

    others = [
        ahead(board[deal])
        for other, board in enumerate(boards)
        if other != at and len(tables[other].seats) == size and deal < len(board)
    ]
    if deal >= len(boards[at]) or not others:
        return Fraction(1, 2)
    own = ahead(boards[at][deal])
    better = sum(own > other for other in others)
    return (better + Fraction(sum(own == other for other in others), 2)) / len(others)


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
            BYE_POINTS,
        ),
        Scheme(
            "wins",
            "Wins",
            "A win is 1, every other place 0; a shared win is shared equally.",
            _each(wins),
            BYE_POINTS,
        ),
        Scheme(
            "game_points",
            "Game points",
            "The points of the game as they are.",
            _each(game_points),
        ),
        Scheme(
            "matchpoints",
            "Matchpoints",
            "On each deal the part of the other tables where the same seat did worse, a tie being"
            " half: compared is the own score less the mean of the others at the table.",
            matchpoints,
            {**BYE_POINTS, ByeKind.ALLOCATED: Fraction(1, 2)},
            same_deals=True,
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
