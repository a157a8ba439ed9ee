"""A good seating of a large field at tables of three to five, by local search.

It begins with the entrants in order of score, cut into tables where that costs least, and then
exchanges two entrants, or moves one to a short table, as long as that is better. Random exchanges
shake it loose; the best seating seen stands. Last, exchanges that cost nothing else are made for
better seats. The budget is counted in steps, never in time, so the same question has the same
answer on every machine.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from tournaments.pairing.costs import Field
from tournaments.pairing.layouts import Layout
from tournaments.pairing.packing import Table
from tournaments.pairing.pairwise import Pairwise

STEPS = 10_000
"""Looks at all steps of one number; after so many no more shaking is begun …"""
STEPS_TIMES_ENTRANTS = 4_000_000
"""… nor when the product is more than this."""
LONGER = 4
"""Times as many while somebody meets again."""
SHAKEN = 4
"""Exchanges of one shake; in each, one is somebody who meets again or, when nobody does, floats."""
POLISHED = 16
"""Exchanges tried for better seats, for each number."""
WEIGHT_BITS = 62


def good_tables(field: Field, split: Layout, random: Random) -> list[Table]:
    """Return the tables of a seating; everybody of the field is seated."""
    search = _Search(field, split, random)
    search.descend(range(len(field)))
    best = search.snapshot()
    steps = min(STEPS, STEPS_TIMES_ENTRANTS // len(field))
    while search.cost and search.steps < steps * (LONGER if search.repeats else 1):
        before = search.cost
        search.descend(search.shake())
        if search.cost <= before:
            best = search.snapshot()
        else:
            search.restore(best)
    search.polish()
    return [tuple(sorted(table)) for table in search.tables]


def cut(groups: list[int], split: Layout) -> list[int]:
    """Return the sizes of tables that cut a row of score groups at the least cost of floats.

    :param groups: score groups in order.
    """
    least: list[dict[int, tuple[int, list[int]]]] = [{} for _ in range(len(groups) + 1)]
    least[0][0] = 0, []
    for begin in range(len(groups)):
        for short, (cost, sizes) in list(least[begin].items()):
            for size, shorter in ((split.size, short), (split.size - 1, short + 1)):
                end = begin + size
                if end > len(groups) or shorter > split.short:
                    continue
                together = groups[begin:end]
                spread = size * sum(g * g for g in together) - sum(together) ** 2
                known = least[end].get(shorter)
                if known is None or cost + spread < known[0]:
                    least[end][shorter] = cost + spread, [*sizes, size]
        least[begin].clear()
    return least[-1][split.short][1]


def _weights(field: Field, split: Layout) -> tuple[Any, int]:
    """Return what every two cost as one number, and what one repeat meeting does.

    A table's cost is the sum over its pairs.
    """
    pairwise = Pairwise(field)
    pairs = split.tables * split.size * (split.size - 1) // 2
    weights = np.zeros_like(pairwise.repeats)
    left, one = WEIGHT_BITS, 1
    for level in reversed(pairwise.levels()):
        bits = (int(level.max(initial=0)) * pairs).bit_length()
        most = (1 << min(bits, left)) // pairs
        one = 1 << (WEIGHT_BITS - left)
        weights += np.minimum(level, most) * one
        left -= min(bits, left)
    return weights, one


class _Search:
    """A seating that changes; ``sums[i, t]`` is what number i costs with those of table t."""

    def __init__(self, field: Field, split: Layout, random: Random) -> None:
        self.steps = 0
        self._field = field
        self._split = split
        # Only random(), because it is the one method whose sequence Python promises to keep.
        self._draw = random.random
        self._weights, self._repeat = _weights(field, split)
        count = len(field)
        self._all = np.arange(count)
        row = sorted(range(count), key=lambda number: field.groups[number])
        self.tables: list[list[int]] = []
        for size in cut([field.groups[number] for number in row], split):
            self.tables.append(row[:size])
            del row[:size]
        self._at = np.zeros(count, dtype=np.int64)
        for where, table in enumerate(self.tables):
            self._at[table] = where
        sums = [self._weights[:, table].sum(axis=1) for table in self.tables]
        self._sums = np.stack(sums, axis=1)
        self.cost = int(self._own().sum()) // 2

    @property
    def repeats(self) -> int:
        """Repeat meetings of the seating as it is."""
        return self.cost // self._repeat

    def snapshot(self) -> tuple[Any, ...]:
        """Return what :meth:`restore` wants."""
        tables = [list(table) for table in self.tables]
        return self.cost, tables, self._at.copy(), self._sums.copy()

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Go back to an earlier seating."""
        self.cost, tables, at, sums = snapshot
        self.tables = [list(table) for table in tables]
        self._at, self._sums = at.copy(), sums.copy()

    def descend(self, numbers: Any) -> None:
        """Take each number's best step, then those of all whose tables changed, to the end."""
        waiting = dict.fromkeys(numbers)
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            changed = self._step(number)
            if changed:
                waiting.update(dict.fromkeys(changed))

    def shake(self) -> list[int]:
        """Make a few exchanges by lot; return everybody at the tables that changed."""
        changed: dict[int, None] = {}
        for _ in range(SHAKEN):
            own = self._own()
            paying = np.flatnonzero(own >= self._repeat)
            if not len(paying):
                paying = np.flatnonzero(own)
            number = int(paying[int(self._draw() * len(paying))])
            cheap = np.argsort(self._changes(number), kind="stable")
            other = int(cheap[int(self._draw() ** 2 * len(cheap))])
            if self._at[number] != self._at[other]:
                changed.update(dict.fromkeys(self._exchange(number, other)))
        return list(changed)

    def polish(self) -> None:
        """Exchange those who cost the same elsewhere where that makes the seats better."""
        for number in range(len(self._field)):
            here = self.tables[self._at[number]]
            price, _ = self._field.seated(tuple(here))
            if not price:
                continue
            same = np.flatnonzero((self._changes(number) == 0) & (self._at != self._at[number]))
            for other in same[:POLISHED].tolist():
                there = self.tables[self._at[other]]
                before = price + self._field.seated(tuple(there))[0]
                mine = tuple(other if each == number else each for each in here)
                theirs = tuple(number if each == other else each for each in there)
                if self._field.seated(mine)[0] + self._field.seated(theirs)[0] < before:
                    self._exchange(number, other)
                    break

    def _own(self) -> Any:
        """Return what everybody costs at the own table."""
        return self._sums[self._all, self._at]

    def _changes(self, number: int) -> Any:
        """Return how the cost changes when a number is exchanged with each other."""
        where = self._at[number]
        change = self._sums[:, where] + self._sums[number, self._at]
        change -= self._own() + self._sums[number, where] + 2 * self._weights[number]
        change[self.tables[where]] = 0
        return change

    def _step(self, number: int) -> list[int] | None:
        """Take the best step of a number that makes the seating better, if there is any.

        Returns everybody at the tables that changed.
        """
        self.steps += 1
        where = int(self._at[number])
        if not self._sums[number, where]:
            return None
        change = self._changes(number)
        other = int(change.argmin())
        gain = int(change[other])
        if self._split.short and len(self.tables[where]) == self._split.size:
            short = [t for t, table in enumerate(self.tables) if len(table) < self._split.size]
            moved = self._sums[number, short] - self._sums[number, where]
            if int(moved.min()) < min(gain, 0):
                return self._move(number, short[int(moved.argmin())])
        return self._exchange(number, other) if gain < 0 else None

    def _exchange(self, number: int, other: int) -> list[int]:
        here, there = int(self._at[number]), int(self._at[other])
        self.cost += int(self._changes(number)[other])
        mine, theirs = self.tables[here], self.tables[there]
        mine[mine.index(number)], theirs[theirs.index(other)] = other, number
        self._at[number], self._at[other] = there, here
        difference = self._weights[:, other] - self._weights[:, number]
        self._sums[:, here] += difference
        self._sums[:, there] -= difference
        return [*mine, *theirs]

    def _move(self, number: int, there: int) -> list[int]:
        here = int(self._at[number])
        self.cost += int(self._sums[number, there] - self._sums[number, here])
        self.tables[here].remove(number)
        self.tables[there].append(number)
        self._at[number] = there
        self._sums[:, here] -= self._weights[:, number]
        self._sums[:, there] += self._weights[:, number]
        return [*self.tables[here], *self.tables[there]]
