"""How often the solver breaks no more old melds than it must.

It keeps old melds by a greedy search, so the fewest broken ones are not promised. HiGHS tells what
they are: a second question asks, of all plays of the best value, for the most old melds that lie
as they lay, jokers and their names included.
"""

from __future__ import annotations

from collections import Counter

from benchmarks.measure import Effort, Result
from benchmarks.peers import PeerMissing, import_highs
from benchmarks.positions import POINTS, Position, self_play
from engine.cards import Card, is_joker, named
from engine.manipulation.melds import canonical_meld
from engine.solver import solve

POSITIONS = 100


def run(effort: Effort) -> list[Result]:
    """Compare the first positions of self-play in which an old meld lies and a card can be laid."""
    result = Result("Old melds kept, self-play positions, points")
    fewest = broken = least = 0
    asked = [position for position in self_play() if position.tableau]
    asked = [p for p in asked if solve(p.tableau, p.hand, POINTS).played]
    asked = asked[: effort.count(POSITIONS)]
    for position in asked:
        try:
            kept, most = kept_melds(position), most_kept(position)
        except PeerMissing as error:
            result.missing.append(str(error))
            return [result]
        if kept > most:
            result.differences.append(f"{position.id}: {kept} kept, HiGHS {most}")
        fewest += kept == most
        broken += len(position.tableau) - kept
        least += len(position.tableau) - most
    result.figure("kept.asked", len(asked), "positions")
    result.figure("kept.fewest", fewest, "of them with no meld broken that could be kept")
    result.figure("kept.broken", broken, "melds broken in all")
    result.figure("kept.least", least, "melds that must be broken in all")
    return [result]


def kept_melds(position: Position) -> int:
    """Return how many old melds the solver leaves as they lie."""
    old = Counter(map(canonical_meld, position.tableau))
    new = Counter(solve(position.tableau, position.hand, POINTS).tableau)
    return (old & new).total()


def most_kept(position: Position) -> int:
    """Return how many old melds a play of the best value can leave as they lie.

    :raises PeerMissing: when highspy cannot be imported.
    """
    highs = import_highs()
    asked = highs.Highs(position.packs)
    best = asked.best_value(position.tableau, position.hand, POINTS)
    bounds = asked.bounds(position.tableau, position.hand, POINTS)
    weights = {column: cost for column, cost in enumerate(bounds.costs) if cost}
    bounds.costs[:] = 0
    asked.set(bounds)
    solver = asked.highs
    solver.addRow(float(best), float(best), len(weights), [*weights], [*weights.values()])

    # Kept melds hold no more jokers of a name than bear it in the end. One that is free, as a real
    # card of its name lies there, bears it only if it is named so again.
    there = [card for meld in position.tableau for card in meld]
    rows: dict[Card, int] = {}
    for joker, count in Counter(card for card in there if is_joker(card)).items():
        i = highs.INDEX[named(joker)]
        bearing = 0 if named(joker) in there else count
        rows[joker] = solver.getNumRow()
        solver.addRow(-bearing, highs.INFINITY, 2, [highs.NAMED + i, highs.FREED + i], [1.0, -1.0])
    for meld in position.tableau:
        entries = [highs.INDEX[named(card)] for card in meld]
        values = [1.0] * len(meld)
        jokers = [card for card in meld if is_joker(card)]
        entries += [rows[joker] for joker in jokers]
        values += [-1.0] * len(jokers)
        solver.addCol(1.0, 0.0, 1.0, len(entries), entries, values)
        solver.changeColIntegrality(solver.getNumCol() - 1, highs.INTEGER)
    most: int = asked.optimum()
    return most
