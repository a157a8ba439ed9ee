"""What the figures must keep, for the engine in plain Python and for the compiled one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

DIFFERENCES = "differences"
"""The key of the number of unequal answers in the whole run."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A bound on a figure; exactly the bound is good."""

    id: str
    subject: str
    """The subject that measures it; empty: all of them."""
    key: str
    """The figure's key."""
    words: str
    at_least: bool
    """Whether more is better."""
    pure: float
    compiled: float

    def bound(self, compiled: bool) -> float:
        """Return the bound for an engine."""
        return self.compiled if compiled else self.pure

    def sign(self) -> str:
        """Return how the figure must stand to the bound."""
        return "≥" if self.at_least else "≤"

    def verdict(self, measured: float | None, compiled: bool) -> str:
        """Return ``held``, ``missed`` or ``not measured``."""
        if measured is None:
            return NOT_MEASURED
        bound = self.bound(compiled)
        return HELD if (measured >= bound if self.at_least else measured <= bound) else MISSED


HELD, MISSED, NOT_MEASURED = "held", "missed", "not measured"

GATES = (
    Gate("P1", "solver", "self-play.faster", "self-play: times faster than HiGHS", True, 4, 8),
    Gate("P1", "solver", "self-play.p99", "self-play: p99 in p99s of HiGHS", False, 0.5, 0.5),
    Gate("P2", "rummikub", "rummikub.faster", "times faster than rummikub-solver", True, 12, 20),
    Gate("P3", "solver", "stress.faster", "stress: times faster than HiGHS", True, 4, 8),
    Gate("P3", "solver", "stress.p99", "stress: p99 in p99s of HiGHS", False, 2.5, 1),
    Gate(
        "P4", "gin", "gin.random.spiel", "random hands: times faster than OpenSpiel", True, 1.5, 1.5
    ),
    Gate("P4", "gin", "gin.random.rlcard", "random hands: times faster than RLCard", True, 15, 15),
    Gate(
        "P4",
        "gin",
        "gin.rich.spiel",
        "hands rich in melds: times faster than OpenSpiel",
        True,
        1.5,
        1.5,
    ),
    Gate(
        "P4",
        "gin",
        "gin.rich.rlcard",
        "hands rich in melds: times faster than RLCard",
        True,
        15,
        15,
    ),
    Gate("P5", "gin", "gin.deals.spiel", "times as many gin deals/s as OpenSpiel", True, 1.5, 1.5),
    Gate("P5", "gin", "gin.deals.rlcard", "times as many gin deals/s as RLCard", True, 5, 5),
    Gate("P6", "deals", "deals.faster", "times as many deals/s as with HiGHS", True, 4, 8),
    Gate("P7", "", DIFFERENCES, "unequal answers", False, 0, 0),
    Gate("P8", "worst", "worst.seconds", "seconds for the dearest position", False, 0.5, 0.2),
    Gate("ES-6", "records", "records.verify", "events/s verified", True, 20_000, 20_000),
    Gate("MEM", "command", "memory.most", "MB of `meldboard solve`", False, 100, 100),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A gate in one run."""

    id: str
    words: str
    must: str
    """The bounds for both engines, as text."""
    measured: float | None
    verdict: str


def judge(figures: Mapping[str, float], subjects: Collection[str], compiled: bool) -> list[Judged]:
    """Judge the gates of the subjects that were run."""
    found = []
    for gate in GATES:
        if gate.subject and gate.subject not in subjects:
            continue
        measured = figures.get(gate.key)
        must = f"{gate.sign()} {gate.pure:,g}"
        if gate.compiled != gate.pure:
            must += f" ({gate.sign()} {gate.compiled:,g} compiled)"
        verdict = gate.verdict(measured, compiled)
        found.append(Judged(gate.id, gate.words, must, measured, verdict))
    return found
