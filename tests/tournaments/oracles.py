"""What seatings cost and which there are, by brute force and straight from the statements.

Written without a look at ``tournaments.pairing``: rounds are lists of tables of names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

Name = Hashable
Tables = Sequence[Sequence[Name]]


@dataclass
class Past:
    """What those who are to be seated have behind them."""

    rounds: Sequence[Tables]
    """Tables of every round, names in the order of the seats."""
    floated: Sequence[Mapping[Name, int]]
    """Who floated in every round, down being positive."""
    points: Mapping[Name, object]
    """Points of those who are to be seated."""

    def __post_init__(self) -> None:
        self.met: Counter[frozenset[Name]] = Counter()
        for tables in self.rounds:
            for table in tables:
                self.met.update(frozenset(pair) for pair in combinations(table, 2))
        levels = sorted(set(self.points.values()), reverse=True)  # type: ignore[type-var]
        self.group = {name: levels.index(points) for name, points in self.points.items()}

    def times(self, name: Name, way: int) -> int:
        """How often somebody floated one way."""
        return sum(by.get(name, 0) * way > 0 for by in self.floated)

    def seat_counts(self, name: Name, seats: int) -> list[int]:
        """How often somebody held each seat."""
        held = [0] * 9
        for tables in self.rounds:
            for table in tables:
                if name in table:
                    held[list(table).index(name)] += 1
        return held[:seats]


def repeats(tables: Tables, past: Past) -> int:
    """Meetings that were there before, each as often as it was."""
    return sum(past.met[frozenset(pair)] for table in tables for pair in combinations(table, 2))


def float_of(name: Name, table: Sequence[Name], past: Past) -> int:
    """Score groups from the own one to the nearest in the middle of the others."""
    others = sorted(past.group[other] for other in table if other != name)
    middle = {others[len(others) // 2], others[(len(others) - 1) // 2]}
    low, high = min(middle), max(middle)
    own = past.group[name]
    return low - own if own < low else high - own if own > high else 0


def floats(tables: Tables, past: Past) -> list[int]:
    """How far each who floats does, the farthest first."""
    found = [abs(float_of(name, table, past)) for table in tables for name in table]
    return sorted(filter(None, found), reverse=True)


def seat_cost(order: Sequence[Name], past: Past) -> int:
    """What the seats of a table cost in this order."""
    cost = 0
    for seat, name in enumerate(order):
        counts = past.seat_counts(name, len(order))
        cost += (counts[seat] - min(counts)) ** 2
    return cost


def least_seat_cost(table: Sequence[Name], past: Past) -> int:
    """The least over all orders."""
    return min(seat_cost(order, past) for order in permutations(table))


def cost(tables: Tables, past: Past) -> tuple[int, int, int, int]:
    """The four criteria in order, seats being given out in the best way."""
    gaps = again = 0
    for table in tables:
        for a, b in combinations(table, 2):
            if past.group[a] > past.group[b]:
                a, b = b, a
            gaps += (past.group[b] - past.group[a]) ** 2
            if past.group[a] != past.group[b]:
                again += past.times(a, 1) + past.times(b, -1)
    return repeats(tables, past), gaps, again, sum(least_seat_cost(t, past) for t in tables)


def all_seatings(names: Sequence[Name], sizes: Sequence[int]) -> Iterator[list[tuple[Name, ...]]]:
    """Every way to seat the names at tables of these sizes."""
    if not names:
        yield []
        return
    first, *others = names
    for size in sorted(set(sizes)):
        rest = list(sizes)
        rest.remove(size)
        for companions in combinations(others, size - 1):
            left = [name for name in others if name not in companions]
            for seating in all_seatings(left, rest):
                yield [(first, *companions), *seating]


def repeat_free(
    names: Sequence[Name], sizes: Sequence[int], past: Past, floaters: int, farthest: int
) -> list[tuple[Name, ...]] | None:
    """A seating without a repeat meeting that floats no more entrants, and none of them further."""
    if not names:
        return []
    first, *others = names
    strangers = [name for name in others if not past.met[frozenset((first, name))]]
    for size in sorted(set(sizes)):
        rest = list(sizes)
        rest.remove(size)
        for companions in combinations(strangers, size - 1):
            if any(past.met[frozenset(pair)] for pair in combinations(companions, 2)):
                continue
            table = (first, *companions)
            by = floats([table], past)
            if len(by) > floaters or (by and by[0] > farthest):
                continue
            left = [name for name in others if name not in companions]
            found = repeat_free(left, rest, past, floaters - len(by), farthest)
            if found is not None:
                return [table, *found]
    return None


def fewest_byes(entrants: int, size: int) -> tuple[int, int]:
    """Byes and short tables of a field: the fewest byes, then the fewest short tables."""
    ways = [
        (entrants - size * full - (size - 1) * short, short)
        for full, short in product(range(entrants + 1), range(entrants + 1 if size > 2 else 1))
        if full + short and size * full + (size - 1) * short <= entrants
    ]
    return min(ways)


class Undecided(Exception):
    """A search ran out of its budget."""


def searched(
    names: Sequence[Name],
    sizes: Sequence[int],
    past: Past,
    floaters: int,
    farthest: int,
    budget: int,
) -> bool:
    """Whether there is a seating as of :func:`repeat_free`, for fields too large for that one.

    It lists the tables at which nobody has met and that float little enough, and covers everybody
    with them, whoever has the fewest left first.

    :raises Undecided: after so many steps.
    """
    steps = 0
    number = {name: i for i, name in enumerate(names)}
    strangers = [
        sum(1 << number[b] for b in names if a != b and not past.met[frozenset((a, b))])
        for a in names
    ]
    tables: list[list[tuple[int, int, int]]] = [[] for _ in names]

    def spend() -> None:
        nonlocal steps
        steps += 1
        if steps > budget:
            raise Undecided

    def grow(table: tuple[int, ...], common: int, size: int) -> None:
        spend()
        if len(table) == size:
            by = floats([[names[i] for i in table]], past)
            if len(by) <= floaters and (not by or by[0] <= farthest):
                mask = sum(1 << i for i in table)
                for i in table:
                    tables[i].append((mask, size, len(by)))
            return
        while common:
            other = common.bit_length() - 1
            common &= ~(1 << other)
            grow((*table, other), common & strangers[other], size)

    def cover(left: int, counts: Counter[int], floating: int) -> bool:
        spend()
        if not left:
            return True
        best: list[tuple[int, int, int]] | None = None
        for i in range(len(names)):
            if left >> i & 1:
                fit = [
                    t for t in tables[i] if not t[0] & ~left and counts[t[1]] and t[2] <= floating
                ]
                if best is None or len(fit) < len(best):
                    best = fit
                if not fit:
                    return False
        for mask, size, by in best or []:
            if cover(left & ~mask, counts - Counter([size]), floating - by):
                return True
        return False

    for size in set(sizes):
        for i in range(len(names)):
            grow((i,), strangers[i] & ((1 << i) - 1), size)
    return cover((1 << len(names)) - 1, Counter(sizes), floaters)
