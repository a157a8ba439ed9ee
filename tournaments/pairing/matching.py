"""The best seating at tables of two: a matching of least weight.

The matching is rustworkx' (the blossom algorithm of networkx, which took 80 s where this one takes
less than one). Every possible pair has a lot of its own as the last criterion, so exactly one
matching is the best and nothing depends on how the library goes about it.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import rustworkx as rx

from tournaments.pairing.costs import Field
from tournaments.pairing.packing import Table
from tournaments.pairing.pairwise import Pairwise

ALL_PAIRS = 200
"""Largest field in which every two are possible pairs."""
NEIGHBOURS = 16
"""In larger fields everybody may meet so many lower ones, closest in score, then best in seats …"""
WINDOW = 60
"""… among so many who come next and have not been met."""
MOST_BITS = 120
"""Bits of the sum of all weights, which the library counts in 128."""
LOT_BITS = 30


def best_pairs(field: Field, random: Random) -> tuple[list[Table], bool]:
    """Return the pairs of an even field, and whether all possible pairs were looked at.

    If so, no seating costs less. Otherwise none of the possible pairs does, and of these there are
    more if the pairs found have met before.
    """
    costs = Pairwise(field)
    neighbours = len(field) if len(field) <= ALL_PAIRS else NEIGHBOURS
    while True:
        first, second = _possible(costs, neighbours)
        pairs = _matched(field, costs, first, second, random)
        complete = neighbours >= len(field)
        if complete or not any(field.met[a].get(b) for a, b in pairs):
            return pairs, complete
        neighbours *= 4


def _possible(costs: Pairwise, neighbours: int) -> tuple[Any, Any]:
    """Return possible pairs as two arrays of numbers; together they can seat everybody."""
    count = len(costs.groups)
    if neighbours >= count:
        first, second = np.triu_indices(count, 1)
        return first, second
    order = np.argsort(costs.groups, kind="stable")
    seats = costs.seats_of_two()
    window = max(WINDOW, neighbours)
    chosen = np.zeros((count, count), dtype=bool)
    chosen[order[:-1], order[1:]] = True  # so that everybody can be seated
    for at, number in enumerate(order):
        after = order[at + 1 :]
        after = after[costs.repeats[number, after] == 0][:window]
        closest = np.lexsort((seats[number, after], costs.floats[number, after]))
        chosen[number, after[closest[:neighbours]]] = True
    first, second = np.nonzero(chosen | chosen.T)
    ahead = first < second
    return first[ahead], second[ahead]


def _matched(field: Field, costs: Pairwise, first: Any, second: Any, random: Random) -> list[Table]:
    """Return the pairs of least weight, their numbers in order."""
    criteria = [level[first, second] for level in (*costs.levels(), costs.seats_of_two())]
    weights = [0] * len(first)
    bits = 0
    for level in criteria:
        width = (int(level.max(initial=0)) * (len(field) // 2)).bit_length()
        bits += width
        weights = [
            weight << width | cost for weight, cost in zip(weights, level.tolist(), strict=True)
        ]
    lot_bits = min(LOT_BITS, MOST_BITS - bits - len(field).bit_length())
    lots = 1 << lot_bits
    width = lot_bits + len(field).bit_length()
    weights = [weight << width | int(random.random() * lots) for weight in weights]
    heaviest = max(weights)
    graph: Any = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(field)))
    graph.add_edges_from(
        [
            (a, b, heaviest - weight)
            for a, b, weight in zip(first.tolist(), second.tolist(), weights, strict=True)
        ]
    )
    pairs = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)
