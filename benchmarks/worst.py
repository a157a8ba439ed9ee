"""The dearest of the 190 oracle positions, with nothing remembered and with all (P8)."""

from __future__ import annotations

from benchmarks.measure import Effort, Result, race
from benchmarks.positions import POINTS, Position, oracle
from engine import solver
from engine.solver.position import Book

COLD, WARM = "meldboard, nothing remembered", "meldboard, asked before"


def run(effort: Effort) -> list[Result]:
    """Measure each position both ways."""
    result = Result("Solver, worst of the oracle positions, points")
    asked = effort.some(oracle())
    run = race({COLD: _cold, WARM: _warm}, asked, effort.repeats)
    result.spreads = run.spreads()
    result.figure(
        "worst.seconds", max(map(max, map(run.medians, (COLD, WARM)))), "seconds for the dearest"
    )
    for position, cold, warm in zip(asked, run.answers[COLD], run.answers[WARM], strict=True):
        if not cold == warm == position.best_points:
            result.differences.append(f"{position.id}: {cold}, {warm}, not {position.best_points}")
    return [result]


def _warm(position: Position) -> int:
    return solver.solve(position.tableau, position.hand, POINTS).value


def _cold(position: Position) -> int:
    remembered, book = solver._BOOK, Book()
    solver._BOOK = book
    try:
        return _warm(position)
    finally:
        solver._BOOK = remembered
        book.memory.clear()  # its parts know each other, and the collector is off
