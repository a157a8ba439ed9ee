"""Schemes: what the result of a table is worth, in exact fractions.

A new scheme is one function and one line in :data:`SCHEMES`. Points are always made anew from the
raw results, so no stored number can disagree with them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, groupby, pairwise

from engine.errors import BadInput
from tournaments.formats.base import ByeKind, Deals, TableResult

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
    """Return the part of the others on the same seat that each did better than, a tie being half.

    Compared are all who held the same seat of the same deals, at other tables of as many seats and
    in other rotations, deal by deal, by the score less the mean of the others' at the table. A deal
    that cannot be compared is half, the average; for whoever forfeited it is 0. Where a result was
    corrected the totals are compared instead, for every deal.
    """
    held = [_held(table) for table in tables]
    groups: dict[tuple[int, int], list[_Held]] = defaultdict(list)
    for each in chain.from_iterable(held):
        groups[each.size, each.seat].append(each)
    length = max((len(each.deals) for each in chain.from_iterable(held)), default=1) or 1
    points: dict[int, Fraction] = {}
    for group in groups.values():
        corrected = [each for each in group if each.corrected]
        for deal in range(length):
            played = [each for each in group if each.at(deal) is not None]
            row = sorted(value for each in played if (value := each.at(deal)) is not None)
            for each in group:
                share = _share(each, deal, row, played, corrected)
                points[id(each)] = points.get(id(each), Fraction(0)) + share
    return [
        tuple(
            sum((points[id(each)] for each in of if each.index == index), Fraction(0))
            / (length * sum(each.index == index for each in of))
            for index in range(len(table.seats))
        )
        for table, of in zip(tables, held, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Held:
    """An entrant at a seat of one game of a board."""

    index: int
    """Number of the entrant at the table, from 0."""
    size: int
    seat: int
    deals: tuple[int | None, ...]
    """How far ahead of the others in each deal, times the seats; None: not to be compared."""
    total: int
    """The same in the table's scores."""
    gone: bool
    corrected: bool

    def at(self, deal: int) -> int | None:
        """Return how far ahead the entrant was in a deal that can be compared as it was played."""
        return None if self.corrected or deal >= len(self.deals) else self.deals[deal]


def _held(table: TableResult) -> list[_Held]:
    """Return everybody of a table at each seat that was held."""
    held, size = [], len(table.seats)
    for rotation, of in enumerate(table.deals or (Deals((table.scores,)),)):
        for index in range(size):
            seat = (index + rotation) % size
            deals = tuple(None if s is None else _ahead(s, seat) for s in of.scores)
            total, gone = _ahead(table.scores, index), seat in of.gone
            held.append(_Held(index, size, seat, deals, total, gone, table.corrected))
    return held


def _ahead(scores: Sequence[int], seat: int) -> int:
    return len(scores) * scores[seat] - sum(scores)


def _share(
    own: _Held, deal: int, row: Sequence[int], played: Sequence[_Held], corrected: Sequence[_Held]
) -> Fraction:
    """Return what somebody has for one deal.

    :param row: in order, how far ahead those of ``played`` were in it.
    """
    value = own.at(deal)
    if value is None and not own.corrected:
        return Fraction(0 if own.gone else 1, 2)
    by_total = [each.total for each in corrected if each is not own]
    others, halves = len(by_total), 0
    if value is not None:
        others += len(row) - 1
        halves = bisect_left(row, value) + bisect_right(row, value) - 1
    else:
        others += len(played)
        by_total += [each.total for each in played]
    halves += sum((own.total > total) + (own.total >= total) for total in by_total)
    return Fraction(halves, 2 * others) if others else Fraction(1, 2)


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
            "On each deal the part of all others on the same seat that did worse, a tie being half;"
            " compared is the own score less the mean of the others at the table. A deal that"
            " cannot be compared is half, for whoever forfeited it 0.",
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
