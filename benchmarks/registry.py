"""The subjects, in the order in which they run. A new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks import command, deals, gin, kept, records, rummikub, solver, worst
from benchmarks.measure import Effort, Result


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be measured by itself."""

    run: Callable[[Effort], list[Result]]
    summary: str


SUBJECTS: Mapping[str, Subject] = {
    "solver": Subject(solver.run, "the solver against HiGHS, by points"),
    "rummikub": Subject(rummikub.run, "the solver against rummikub-solver, by cards"),
    "worst": Subject(worst.run, "the dearest of the oracle positions"),
    "kept": Subject(kept.run, "how many old melds the solver keeps of those it could"),
    "deals": Subject(deals.run, "deals of four greedy seats, with the solver and with HiGHS"),
    "gin": Subject(gin.run, "gin against OpenSpiel and RLCard: deadwood and random deals"),
    "records": Subject(records.run, "reading, folding and verifying records"),
    "command": Subject(command.run, "start and memory of the command line"),
}
"""By the word for the command line."""
