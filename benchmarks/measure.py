"""How time is taken: engines in turn on each question, in one process, the collector off.

All times are of the processor, not of the wall: what other programs take of a busy machine does
not count. Every engine runs on one thread.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean, median
from time import process_time
from typing import Any, TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    repeats: int = 3
    """How often each question is put to each engine; the median counts."""
    share: int = 1
    """One question in so many is measured."""

    def some(self, questions: Sequence[_T]) -> Sequence[_T]:
        """Return the questions to measure, spread over all."""
        return questions[:: self.share]

    def count(self, full: int) -> int:
        """Return how many of something to make where ``full`` is everything."""
        return max(1, full // self.share)


@dataclass(frozen=True, slots=True)
class Spread:
    """The times of one engine over all questions, in milliseconds."""

    engine: str
    n: int
    mean: float
    median: float
    p95: float
    p99: float
    max: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that was measured; gates find it by its key."""

    key: str
    value: float
    words: str
    """What it is, its unit last."""


@dataclass(slots=True)
class Result:
    """What one kernel came to."""

    title: str
    spreads: list[Spread] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    """Where engines gave unequal answers."""
    missing: list[str] = field(default_factory=list)
    """Peers that could not be measured, and why."""

    def figure(self, key: str, value: float, words: str) -> None:
        """Add a figure."""
        self.figures.append(Figure(key, value, words))


@dataclass(frozen=True, slots=True)
class Race:
    """Times in seconds by engine and question, one a repeat; and the first answers."""

    seconds: Mapping[str, Sequence[Sequence[float]]]
    answers: Mapping[str, Sequence[Any]]

    def medians(self, engine: str) -> list[float]:
        """Return an engine's time for each question: the median of its repeats."""
        return [median(taken) for taken in self.seconds[engine]]

    def firsts(self, engine: str) -> list[float]:
        """Return what each question took an engine when it saw it for the first time."""
        return [taken[0] for taken in self.seconds[engine]]

    def spreads(self) -> list[Spread]:
        """Return all engines' times."""
        return [spread(engine, self.medians(engine)) for engine in self.seconds]


def clock() -> float:
    """Return the processor's seconds for this process and for those that it started and awaited."""
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def race(
    engines: Mapping[str, Callable[[_T], object]], questions: Sequence[_T], repeats: int
) -> Race:
    """Put every question to every engine so many times, another engine beginning each time."""
    names = list(engines)
    seconds: dict[str, list[list[float]]] = {name: [] for name in names}
    answers: dict[str, list[Any]] = {name: [] for name in names}
    with undisturbed():
        for number, question in enumerate(questions):
            for name in names:
                seconds[name].append([])
            for repeat in range(repeats):
                first = (number + repeat) % len(names)
                for name in names[first:] + names[:first]:
                    engine = engines[name]
                    began = clock()
                    answer = engine(question)
                    seconds[name][-1].append(clock() - began)
                    if not repeat:
                        answers[name].append(answer)
    return Race(seconds, answers)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep Python's cyclic collector away; its pauses are longer than what is measured."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def spread(engine: str, seconds: Sequence[float]) -> Spread:
    """Return the spread of times given in seconds."""
    times = sorted(1000 * taken for taken in seconds)
    return Spread(
        engine,
        len(times),
        fmean(times),
        median(times),
        percentile(times, 95),
        percentile(times, 99),
        times[-1],
    )


def percentile(ascending: Sequence[float], percent: int) -> float:
    """Return the smallest value that so many percent of all do not exceed."""
    return ascending[ceil(len(ascending) * percent / 100) - 1]


def times_faster(own: Sequence[float], peer: Sequence[float]) -> float:
    """Return how many times longer the peer takes: the median over the questions."""
    return median(slow / fast for fast, slow in zip(own, peer, strict=True))
