"""The solver against the integer program, by points: self-play and stress positions (P1, P3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.measure import (
    Effort,
    Race,
    Result,
    percentile,
    race,
    times_faster,
)
from benchmarks.peers import PeerMissing, import_highs
from benchmarks.positions import POINTS, Position, self_play, stress
from engine.solver import solve

OWN = "meldboard"


def run(effort: Effort) -> list[Result]:
    """Measure both sets."""
    return [
        measure("self-play", "Solver, self-play positions, points", self_play(), effort),
        measure("stress", "Solver, stress positions, points", stress(), effort),
    ]


def own_value(position: Position) -> int:
    """Return the solver's value of a position."""
    return solve(position.tableau, position.hand, POINTS).value


def measure(key: str, title: str, asked: Sequence[Position], effort: Effort) -> Result:
    """Measure one set of positions; its figures begin with ``key``."""
    result = Result(title)
    engines: dict[str, Callable[[Position], int]] = {OWN: own_value}
    try:
        engines |= peers()
    except PeerMissing as error:
        result.missing.append(str(error))
    asked = effort.some(asked)
    run = race(engines, asked, effort.repeats)
    result.spreads = run.spreads()
    for number, position in enumerate(asked):
        values = {name: answers[number] for name, answers in run.answers.items()}
        if len(set(values.values())) > 1:
            result.differences.append(f"{position.id}: {values}")
    if len(engines) > 1:
        compare(result, key, run)
    return result


def peers() -> dict[str, Callable[[Position], int]]:
    """Return HiGHS with each of its settings.

    :raises PeerMissing: when it is not installed.
    """
    highs = import_highs()
    return {settings: _peer(highs, settings) for settings in highs.SETTINGS}


def _peer(highs: Any, settings: str) -> Callable[[Position], int]:
    by_packs = {packs: highs.Highs(packs, settings) for packs in (1, 2)}

    def value(position: Position) -> int:
        best: int = by_packs[position.packs].best_value(position.tableau, position.hand, POINTS)
        return best

    return value


def compare(result: Result, key: str, run: Race) -> None:
    """Add the figures against HiGHS; the better of its plain settings counts for the gates."""
    highs = import_highs()
    own, plain = run.medians(OWN), (highs.PLAIN, highs.PLAIN_OFF)
    result.figure(
        f"{key}.faster",
        min(times_faster(own, run.medians(name)) for name in plain),
        "times faster than HiGHS, with or without presolve, whichever is faster",
    )
    result.figure(
        f"{key}.p99",
        p99(own) / min(p99(run.medians(name)) for name in plain),
        "times the p99 of HiGHS, with or without presolve, whichever is lower",
    )
    tuned = run.medians(highs.TUNED)
    result.figure(f"{key}.tuned", times_faster(own, tuned), "times faster than tuned HiGHS")
    result.figure(f"{key}.tuned-p99", p99(own) / p99(tuned), "times the p99 of tuned HiGHS")
    result.figure(
        f"{key}.first",
        min(times_faster(run.firsts(OWN), run.firsts(name)) for name in plain),
        "times faster than HiGHS on first sight of each position",
    )
    result.figure(
        f"{key}.tuned-first",
        times_faster(run.firsts(OWN), run.firsts(highs.TUNED)),
        "times faster than tuned HiGHS on first sight of each position",
    )


def p99(seconds: Sequence[float]) -> float:
    """Return the 99th percentile of times."""
    return percentile(sorted(seconds), 99)
