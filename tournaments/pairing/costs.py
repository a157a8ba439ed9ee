"""What it costs to seat entrants together: the order of preference, stated in this one place.

Of two seatings of the same entrants at tables of the same sizes the better one has, in this order,

1. **fewer repeat meetings**: for every two at a table, how often they have met before;
2. **shorter floats**: for every two at a table, the square of the number of score groups from one
   to the other;
3. **fewer repeated floats**: for every two at a table from different score groups, how often the
   higher one has floated down before, and the lower one up;
4. **better seats**: for everybody, the square of how much oftener the seat was held than the seat
   held least often, the seats of each table being given out in the best way;

each added up over all tables; a later one decides only where all earlier ones are equal, and a lot
where nothing does. Entrants are numbers 0 … n − 1 here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tournaments.pairing.packing import Table


class Cost(NamedTuple):
    """What a seating costs, compared from left to right."""

    repeats: int = 0
    floats: int = 0
    repeated_floats: int = 0
    seats: int = 0

    def plus(self, other: Cost) -> Cost:
        """Return the sum of both."""
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))


@dataclass(frozen=True, slots=True)
class Field:
    """What the entrants who are to be seated have seen so far; one value for each number."""

    groups: Sequence[int]
    """Score group: 0 has the most points, 1 the next most …"""
    met: Sequence[Mapping[int, int]]
    """How often each has met which others."""
    down: Sequence[int]
    """How often each has floated down."""
    up: Sequence[int]
    """How often each has floated up."""
    held: Sequence[Sequence[int]]
    """How often each has held every seat, for all seats of a full table."""

    def __len__(self) -> int:
        return len(self.groups)

    def pair(self, a: int, b: int) -> tuple[int, int, int]:
        """Return what two cost who sit at one table: the first three criteria."""
        gap = self.groups[a] - self.groups[b]
        higher, lower = (a, b) if gap < 0 else (b, a)
        again = self.down[higher] + self.up[lower] if gap else 0
        return self.met[a].get(b, 0), gap * gap, again

    def table(self, table: Table) -> Cost:
        """Return what a table costs, whatever the order of its numbers."""
        pairs = [self.pair(a, b) for a, b in combinations(table, 2)]
        repeats, floats, again = map(sum, zip(*pairs, strict=True))
        return Cost(repeats, floats, again, self.seated(table)[0])

    def total(self, tables: Iterable[Table]) -> Cost:
        """Return what a whole seating costs."""
        total = Cost()
        for table in tables:
            total = total.plus(self.table(table))
        return total

    def excess(self, number: int, seats: int) -> tuple[int, ...]:
        """Return what each of so many seats costs one number: 0 for those held least often."""
        held = self.held[number][:seats]
        least = min(held)
        return tuple((times - least) ** 2 for times in held)

    def seated(self, table: Table) -> tuple[int, Table]:
        """Return what the seats of a table cost, and its numbers in the best order of the seats."""
        cost, order = _best_order(tuple(self.excess(number, len(table)) for number in table))
        return cost, tuple(table[i] for i in order)


@lru_cache(maxsize=1 << 16)
def _best_order(excess: tuple[tuple[int, ...], ...]) -> tuple[int, tuple[int, ...]]:
    """Return the least sum of one cost a seat, and who has seat 0, 1 …

    By dynamic programming over who is seated; there are at most five seats.
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(len(excess)):
        after: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, order) in best.items():
            for i, costs in enumerate(excess):
                if taken >> i & 1:
                    continue
                found = (cost + costs[seat], (*order, i))
                known = after.get(taken | 1 << i)
                if known is None or found < known:
                    after[taken | 1 << i] = found
        best = after
    return best[(1 << len(excess)) - 1]


def floats_of(groups: Sequence[int]) -> list[int]:
    """Return how many score groups each of a table floats, down being positive.

    Somebody floats whose score group lies outside the middle of the others': by the number of
    score groups to the nearest of the middle one, or the middle two, of the others.

    >>> floats_of([0, 1]), floats_of([0, 0, 0, 2]), floats_of([0, 1, 2])
    ([1, -1], [0, 0, 0, -2], [1, 0, -1])
    """
    found = []
    for i, own in enumerate(groups):
        others = sorted((*groups[:i], *groups[i + 1 :]))
        low, high = others[(len(others) - 1) // 2], others[len(others) // 2]
        found.append(min(max(own, low), high) - own)
    return found
