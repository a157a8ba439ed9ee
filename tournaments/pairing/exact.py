"""The best seating of a small field, found by looking at all of them.

By dynamic programming: whoever has the lowest number sits with every choice of companions, and
what is left over is a smaller field, met again and again.
"""

from __future__ import annotations

from itertools import combinations

from tournaments.pairing.costs import Field
from tournaments.pairing.layouts import Layout
from tournaments.pairing.packing import Table

EXACT_ENTRANTS = 16
"""Largest field that is searched to the end; at tables of three it takes about two seconds."""
_BITS = 40
"""Bits of one criterion in a cost written as one number; sums of this size never fill them."""


def best_tables(field: Field, split: Layout) -> list[Table]:
    """Return the tables of a seating than which none costs less; everybody is seated."""
    costs: dict[int, tuple[int, Table]] = {}
    best: dict[tuple[int, int], tuple[int, int]] = {(0, 0): (0, 0)}

    def table_cost(mask: int) -> int:
        known = costs.get(mask)
        if known is None:
            table = tuple(number for number in range(len(field)) if mask >> number & 1)
            code = 0
            for criterion in field.table(table):
                code = code << _BITS | criterion
            known = costs[mask] = code, table
        return known[0]

    def cheapest(left: int, short: int) -> int:
        """Return the least cost of seating those left, so many short tables among them."""
        known = best.get((left, short))
        if known is not None:
            return known[0]
        first, *others = (1 << number for number in range(len(field)) if left >> number & 1)
        found: tuple[int, int] | None = None
        for size, after in ((split.size, short), (split.size - 1, short - 1)):
            if after < 0 or (size == split.size and (len(others) + 1) == short * (size - 1)):
                continue
            for companions in combinations(others, size - 1):
                mask = first | sum(companions)
                cost = table_cost(mask) + cheapest(left & ~mask, after)
                if found is None or cost < found[0]:
                    found = cost, mask
        if found is None:
            raise AssertionError("a layout seats everybody")
        best[left, short] = found
        return found[0]

    left, short = (1 << len(field)) - 1, split.short
    cheapest(left, short)
    tables: list[Table] = []
    while left:
        mask = best[left, short][1]
        tables.append(costs[mask][1])
        short -= mask.bit_count() < split.size
        left &= ~mask
    return tables
