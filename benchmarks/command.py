"""The command line as a process: how soon it is there, how much memory it comes to need."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import engine
from benchmarks.measure import Effort, Result, race, times_faster
from benchmarks.positions import self_play, stress
from engine.cards import JOKER, SUITS, Card

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(engine.__file__).parent.parent)}
"""For processes that are to run the very engine that is imported here."""

STARTS = 20
POSITIONS = 10_000
"""Positions that ``meldboard solve`` is given; its memory is looked at after a tenth, too."""


def run(effort: Effort) -> list[Result]:
    """Measure both."""
    return [start_up(effort), memory(effort.count(POSITIONS))]


def start_up(effort: Effort) -> Result:
    """Measure how long ``meldboard --version`` takes against a Python that does nothing."""
    result = Result("Start of the command line")
    own, bare = "meldboard --version", "python -c pass"
    engines = {own: _version, bare: _nothing}
    run = race(engines, range(effort.count(STARTS)), effort.repeats)
    result.spreads = run.spreads()
    result.figure(
        "start.ratio",
        times_faster(run.medians(bare), run.medians(own)),
        "times as long as a bare Python",
    )
    return result


def _version(_: int) -> None:
    _python("-m", "engine", "--version")


def _nothing(_: int) -> None:
    _python("-c", "pass")


def _python(*words: str) -> None:
    argv = [sys.executable, "-P", *words]
    subprocess.run(argv, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)


def memory(count: int) -> Result:
    """Measure the memory that ``meldboard solve`` has needed at most, none of it given back."""
    result = Result(f"Memory of meldboard solve over {count:,} positions")
    for number, megabytes in solve_memory(variations(count), (1, count // 10, count)).items():
        result.figure(f"memory.{number}", megabytes, f"MB at most after {number:,} positions")
    result.figure("memory.most", megabytes, "MB at most")
    return result


def solve_memory(questions: Iterator[str], after: tuple[int, ...]) -> dict[int, float]:
    """Return the peak of memory in MB of ``meldboard solve`` after so many lines."""
    found: dict[int, float] = {}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "engine", "solve"],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101
        for number, question in enumerate(questions, 1):
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            if '"points"' not in answer:
                raise ValueError(f"line {number}: {answer}")
            if number in after:
                found[number] = _peak(process.pid)
    return found


def _peak(pid: int) -> float:
    """Return the most memory that a process has held, in MB (Linux only)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise ValueError(f"process {pid} has no memory any more")


def variations(count: int) -> Iterator[str]:
    """Yield so many questions: the known positions with suits exchanged and cards left out."""
    chance = random.Random(1)
    known = [*self_play(), *stress()]
    for number in range(count):
        position = known[number % len(known)]
        exchanged = dict(zip(SUITS, chance.sample(SUITS, len(SUITS)), strict=True))

        def turned(card: Card, exchanged: dict[str, str] = exchanged) -> Card:
            return card if card == JOKER else card[:-1] + exchanged[card[-1]]

        size = chance.randint((len(position.hand) + 1) // 2, len(position.hand))
        yield json.dumps(
            {
                "tableau": [[turned(card) for card in meld] for meld in position.tableau],
                "hand": [turned(card) for card in chance.sample(position.hand, size)],
            }
        )
