"""``make boards``: how much duplicate boards and rotation take off the luck of the cards.

Two bots of known strength meet, one deal a game by the default rules, and what is measured is how
many more placement points a game the one has than the other. The same number of games is spent in
three ways:

- *independent*: every game has deals of its own;
- *duplicate*: four tables play each board, and those on the same seat are compared;
- *rotation*: one table plays each board in every rotation of its seats.

Who sits where is a lot, as in an event with as many of either bot; under rotation half a table is
of either. What belongs to one board is one observation. Compared are the widths of the intervals
of the difference, and each ratio has a 99 % interval of its own, by a bootstrap over observations.
The command fails where rotation is not clear of 1. The same arguments give the same table.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from benchmarks.bots import WIDE, play_all, play_deal, write_into
from engine import __version__, seeds
from engine.cli.progress import progress
from engine.errors import BadInput
from engine.variants import VARIANTS

PAGE = Path(__file__).parent.parent / "docs" / "TOURNAMENTS.md"
PAIRS = (("greedy", "random"), ("careful", "greedy"))
"""The better bot and the other."""
SEATS = (2, 4)
TABLES = 4
"""Tables that play a duplicate board."""
WAYS = ("independent", "duplicate", "rotation")
BEGIN = "<!-- table: make boards -->"
RESAMPLES = 10_000
_CHUNK = 250


class Job(NamedTuple):
    """One observation: the games of a board."""

    pair: tuple[str, str]
    seats: int
    way: str
    number: int
    """From 1."""

    @property
    def games(self) -> int:
        """Number of games that it takes."""
        return {"independent": 1, "duplicate": TABLES, "rotation": self.seats}[self.way]


class Seen(NamedTuple):
    """What an observation says: the difference is the sum of ``gained`` over that of ``weight``."""

    gained: float
    weight: float


def seated(job: Job) -> list[tuple[int, ...]]:
    """Return where the better bot sits (1) and the other (0) in each game of a board."""
    draw = Random(f"{job.seats} {job.way} {job.number}")
    half = [1] * (job.seats // 2) + [0] * (job.seats // 2)
    if job.way == "rotation":
        return [(*half[-turn:], *half[:-turn]) if turn else (*half,) for turn in range(job.seats)]
    field = half * TABLES
    draw.shuffle(field)
    tables = [tuple(field[at : at + job.seats]) for at in range(0, len(field), job.seats)]
    return tables[: job.games]


def placement_points(scores: Sequence[int]) -> list[float]:
    """Return 1 for the most points, 0 for the fewest, by seat; equal places are shared."""
    others = len(scores) - 1
    return [
        (sum((own > other) + (own >= other) for other in scores) - 1) / 2 / others for own in scores
    ]


def play(seed: bytes, job: Job) -> Seen:
    """Play the games of a board; the same bots on the same seats play the same game once."""
    label = seeds.game_seed(seed, 1 + WAYS.index(job.way))  # no board is in two ways
    tables = seated(job)
    known = {
        table: placement_points(
            play_deal(
                VARIANTS[0],
                [job.pair[1 - better] for better in table],
                seeds.game_seed(label, job.number),
            ).scores
        )
        for table in set(tables)
    }
    points = np.array([known[table] for table in tables]) - 0.5
    better = np.array(tables) - np.mean(tables, axis=1, keepdims=True)
    if job.way != "independent":  # then a seat's cards are known from the other games
        points = points - points.mean(axis=0)
        better = better - better.mean(axis=0)
    return Seen(float((better * points).sum()), float((better * better).sum()))


def error(seen: Any) -> Any:
    """Return the standard error of the difference; the last axis is that of :class:`Seen`."""
    gained, weight = seen[..., 0], seen[..., 1]
    difference = gained.sum(axis=-1, keepdims=True) / weight.sum(axis=-1, keepdims=True)
    spread = (gained - difference * weight).std(axis=-1, ddof=1)
    return spread / (weight.mean(axis=-1) * np.sqrt(weight.shape[-1]))


def resampled(seen: Any, random: Any) -> Any:
    """Return the standard errors of resamples."""
    chunks = [
        error(seen[random.integers(0, len(seen), (_CHUNK, len(seen)))])
        for _ in range(RESAMPLES // _CHUNK)
    ]
    return np.concatenate(chunks)


def ratio(seen: Any, plain: Any, random: Any) -> tuple[float, float, float]:
    """Return how wide an interval is against that of independent deals, with 99 % limits."""
    with np.errstate(divide="ignore", invalid="ignore"):  # few games may have no spread
        ratios = resampled(seen, random) / resampled(plain, random)
        low, high = np.quantile(ratios, [0.005, 0.995])
    return float(error(seen) / error(plain)), float(low), float(high)


def row(job: Job, seen: Any, plain: Any) -> tuple[str, bool]:
    """Return the line of a way in the table, and whether rotation failed in it."""
    difference = seen[:, 0].sum() / seen[:, 1].sum()
    head = (
        f"| {job.seats} | {job.pair[0]} − {job.pair[1]} | {job.way} | {len(seen) * job.games} "
        f"| {difference:.3f} ± {WIDE * error(seen):.3f} |"
    )
    if seen is plain:
        return f"{head} 1 | |", False
    random = np.random.default_rng([job.seats, WAYS.index(job.way)])
    found, low, high = ratio(seen, plain, random)
    return f"{head} {found:.2f} | {low:.2f} to {high:.2f} |", job.way == "rotation" and not high < 1


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the arguments."""
    summary = "Measure what duplicate boards take off the luck of the cards."
    parser = argparse.ArgumentParser(prog="make boards", description=summary)
    parser.add_argument("--games", type=int, default=1200, help="games a way (%(default)s)")
    parser.add_argument("--seed", default="00" * 32, help="64 hex digits")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--page", type=Path, default=PAGE, help="page to write the table into")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print the table, write it into the page, and say whether rotation is clear of 1."""
    args = parse(argv)
    if args.games < 32 or args.games % TABLES or args.jobs < 1:
        raise BadInput(f"--games is a multiple of {TABLES}, at least 32; --jobs at least 1")
    seed = bytes.fromhex(args.seed)
    firsts = [Job(pair, seats, way, 1) for seats in SEATS for pair in PAIRS for way in WAYS]
    jobs = [
        first._replace(number=number)
        for first in firsts
        for number in range(1, 1 + args.games // first.games)
    ]
    seen: dict[Job, list[Seen]] = {first: [] for first in firsts}
    played = play_all(partial(play, seed), jobs, args.jobs)
    for job, one in zip(jobs, progress(played, len(jobs), "Playing"), strict=True):
        seen[job._replace(number=1)].append(one)
    lines = [
        f"Meldboard {__version__}, seed `{seed.hex()}`.",
        "",
        "| seats | points a game | | games | difference, 99 % | width against independent | 99 % |",
        "|--:|---|---|--:|--:|--:|--:|",
    ]
    failed = False
    for first in firsts:
        found = np.array(seen[first])
        plain = found if first.way == WAYS[0] else np.array(seen[first._replace(way=WAYS[0])])
        line, missed = row(first, found, plain)
        lines.append(line)
        failed |= missed
    table = "\n".join(lines)
    sys.stdout.write(f"{table}\n")
    write_into(args.page, BEGIN, table)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
