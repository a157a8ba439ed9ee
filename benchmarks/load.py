"""``make load``: fill a scratch database and measure the server's time for every kind of page.

The database, which ``make load`` starts, is filled once with real records under chains of their
own, and kept. Pages are asked for through the whole of Django, in one process and without a
network. The middle of three times counts for an address, p95 is over the addresses. Status 1 if a
budget is not held.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import django
from django.core.management import call_command
from django.db import connection
from django.test import Client

if TYPE_CHECKING:
    from benchmarks.serving import Measured

SEED = b"load"


def main(argv: Sequence[str] | None = None) -> int:
    """Fill the database of the environment, or measure its pages and print a table."""
    args = _parser().parse_args(argv)
    django.setup()
    call_command("migrate", verbosity=0)
    return _fill(args) if args.part == "fill" else _measure()


def _fill(args: argparse.Namespace) -> int:
    from benchmarks.filling import fill

    began = time.monotonic()
    _say(f"filling: {args.games} games, {args.entrants} entrants, a game of {args.events} events")
    fill(games=args.games, entrants=args.entrants, longest=args.events, key=SEED)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    _say(f"filled in {time.monotonic() - began:.0f} s\n")
    return 0


def _measure() -> int:
    from benchmarks.filling import Filled
    from benchmarks.serving import kinds, measure

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client(SERVER_NAME="localhost")
    rows = [measure(kind, client) for kind in kinds(Filled.found(), Random(SEED))]
    _say(table(rows))
    return 0 if all(row.held for row in rows) else 1


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def table(rows: Sequence[Measured]) -> str:
    """Return what was measured as a table in Markdown, in milliseconds."""
    lines = [
        "| page | addresses | median | p95 | most | budget | queries |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        budget = f"{row.kind.budget:.0f}" if row.kind.budget else ""
        over = "" if row.held else " **over**"
        lines.append(
            f"| {row.kind.name} | {len(row.kind.paths)} | {row.middle:.1f} | {row.p95:.1f}{over} "
            f"| {row.most:.1f} | {budget} | {row.queries} |"
        )
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make load", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("part", choices=("fill", "measure"))
    parser.add_argument("--games", type=int, default=10_000, help="games in all")
    parser.add_argument("--entrants", type=int, default=1_000, help="of the largest tournament")
    parser.add_argument("--events", type=int, default=2_000, help="of the longest game, at least")
    return parser


if __name__ == "__main__":
    sys.exit(main())
