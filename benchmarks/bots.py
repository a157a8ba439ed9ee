"""``make bots``: how strong the built-in policies are against each other.

Every bot plays alone against a field of every other one, at two seats and at four where the game
has them, one deal a game by the default rules; dead deals do not count. A *board* is one shuffle
played with the lone bot at each seat in turn, so that the luck of the cards cancels; intervals are
taken over boards. The same arguments give the same table, whatever the number of processes.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, TypeVar

from engine import __version__, seeds
from engine.cli.progress import progress
from engine.errors import BadInput
from engine.game import Game
from engine.play import play_out
from engine.policies import POLICIES, find_policy
from engine.variant import Variant
from engine.variants import VARIANTS, find_variant

RULES = {"length": "deals", "deals": 1}
PAGE = Path(__file__).parent.parent / "docs" / "bots.md"
END = "<!-- end of table -->"
SEATS = (2, 4)

_J = TypeVar("_J")
_R = TypeVar("_R")

WIDE = 2.576
"""Standard errors on each side of a mean that make an interval of 99 %."""


@dataclass(frozen=True, slots=True)
class Match:
    """One bot alone against a field of another."""

    variant: Variant
    seats: int
    bot: str
    field: str


@dataclass(frozen=True, slots=True)
class Board:
    """What the lone bot made of one shuffle, a mean over the seats it had."""

    points: float
    """Points of the deal over the mean of the other seats."""
    wins: float
    """Deals won, a shared one in parts."""


def matches(variant: Variant, bots: Sequence[str]) -> list[Match]:
    """Return every pair, at two seats once, at more with either of the two alone."""
    found = []
    for seats in SEATS:
        if seats in variant.seats:
            pairs = combinations(bots, 2) if seats == 2 else permutations(bots, 2)
            found += [Match(variant, seats, *pair) for pair in pairs]
    return found


def play_board(seed: bytes, job: tuple[Match, int]) -> Board:
    """Play one board (from 1) of a match, one deal for each seat of the lone bot."""
    match, number = job
    points, wins = [], []
    for seat in range(match.seats):
        names = [match.bot if other == seat else match.field for other in range(match.seats)]
        ended = play_deal(match.variant, names, seeds.game_seed(seed, number))
        own = ended.scores[seat]
        points.append(own - (sum(ended.scores) - own) / (match.seats - 1))
        wins.append((seat in ended.winners) / max(1, len(ended.winners)))
    return Board(fmean(points), fmean(wins))


def play_deal(variant: Variant, names: Sequence[str], seed: bytes) -> Any:
    """Play one deal of bots, named by seat; return the event that ended it."""
    players = [f"{name}#{place}" for place, name in enumerate(names)]
    game = Game.start(variant, players, seed=seed, rules=RULES)
    play_out(game, [find_policy(variant, name) for name in names])
    return [e.event for e in game.entries if e.event.type == "deal_ended"][-1]


def play_all(play: Callable[[_J], _R], jobs: Sequence[_J], processes: int) -> Iterator[_R]:
    """Yield what each job comes to, in order, whatever the number of processes."""
    if processes == 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        try:
            yield from pool.map(play, jobs)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of boards and half the width of its 99 % interval."""
    return fmean(values), WIDE * stdev(values) / sqrt(len(values))


def row(match: Match, boards: Sequence[Board]) -> str:
    """Return the line of a match in the table."""
    mean, wide = interval([board.points for board in boards])
    won, about = interval([100 * board.wins for board in boards])
    clear = "**" if abs(mean) > wide else ""
    mean = round(mean, 1) + 0  # no minus zero
    return (
        f"| {match.bot} | {match.field} | {len(boards)} | {clear}{mean:+.1f}{clear} ± {wide:.1f} "
        f"| {won:.0f} ± {about:.0f} |"
    )


def report(results: dict[Match, list[Board]], seed: bytes) -> str:
    """Return the tables in Markdown."""
    parts = [f"Meldboard {__version__}, seed `{seed.hex()}`."]
    for seats in sorted({match.seats for match in results}):
        field = "another" if seats == 2 else f"{seats - 1} of another"
        parts += [
            "",
            f"### One against {field} (an even share of the deals: {100 / seats:.0f} %)",
            "",
            "| bot | against | boards | points a deal over the others' mean | deals won, % |",
            "|---|---|--:|--:|--:|",
        ]
        parts += [row(match, found) for match, found in results.items() if match.seats == seats]
    return "\n".join(parts)


def begin(variant: Variant) -> str:
    """Return the line of a page after which the table of a game kind stands."""
    return f"<!-- table: {variant.key} -->"


def write_into(page: Path, begin: str, table: str) -> None:
    """Put a table between its markers on a page; the prose stays.

    :raises BadInput: when the page has no markers.
    """
    text = page.read_text()
    between = re.compile(f"(?<={re.escape(begin)}\n).*?(?={re.escape(END)})", re.DOTALL)
    if not between.search(text):
        raise BadInput(f"{page} has no lines {begin!r} and {END!r} for the table")
    page.write_text(between.sub(lambda _: f"{table}\n", text, count=1))


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(prog="make bots", description="Measure the built-in bots.")
    kinds = [variant.key for variant in VARIANTS]
    parser.add_argument("--variant", default=kinds[0], choices=kinds, help="(%(default)s)")
    parser.add_argument("--bots", help="names, by commas (all that are not faulty)")
    parser.add_argument(
        "--boards", type=int, default=20, help="boards a pair at 2 seats; at 4 half"
    )
    parser.add_argument("--seed", default="00" * 32, help="64 hex digits")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--page", type=Path, default=PAGE, help="page to write the table into")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Play all matches, print the table and write it into the page."""
    args = parse(argv)
    variant = find_variant(args.variant)
    known = [policy.name for policy in POLICIES[variant.key] if policy.name != "faulty"]
    bots = args.bots.split(",") if args.bots else known
    for name in bots:
        find_policy(variant, name)
    if len(set(bots)) < max(2, len(bots)):
        raise BadInput("--bots names at least two bots, each once")
    if args.boards < 4 or args.jobs < 1:
        raise BadInput("--boards is at least 4, --jobs at least 1")
    seed = bytes.fromhex(args.seed)
    jobs = [
        (match, number)
        for match in matches(variant, bots)
        for number in range(1, 1 + args.boards * 2 // match.seats)
    ]
    results: dict[Match, list[Board]] = {match: [] for match, _ in jobs}
    played = play_all(partial(play_board, seed), jobs, args.jobs)
    for (match, _), board in zip(jobs, progress(played, len(jobs), "Playing"), strict=True):
        results[match].append(board)
    table = report(results, seed)
    sys.stdout.write(f"{table}\n")
    write_into(args.page, begin(variant), table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
