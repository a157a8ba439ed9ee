"""``meldboard play``: offline games of built-in bots, one record a file."""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from engine import knobs, seeds
from engine.cli.progress import progress, table
from engine.errors import BadInput
from engine.events import Outcome
from engine.game import EPOCH, Game
from engine.play import play_out, seeded_game_id
from engine.policies import find_policy
from engine.variant import Variant, seat_count
from engine.variants import find_variant


@dataclass(frozen=True, slots=True)
class Job:
    """What all games of one call share."""

    variant: str
    bots: tuple[str, ...]
    rules: Mapping[str, object]
    seed: bytes | None
    """Given seed of all games, or None for a random one each."""


def run(args: argparse.Namespace) -> int:
    """Play the games, write their records and print a table of results."""
    variant = find_variant(args.variant)
    bots = tuple(part.strip() for part in args.bots.split(","))
    for name in bots:
        find_policy(variant, name)
    if len(bots) not in variant.seats:
        raise BadInput(f"--bots names {len(bots)}; {variant.name} has {seat_count(variant)} seats")
    if args.games < 1 or args.jobs < 1:
        raise BadInput("--games and --jobs must be at least 1")
    settings = knobs.settings_from_text(args.rules)
    knobs.parse(variant.rules, settings)
    job = Job(variant.key, bots, settings, args.seed)
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--out {args.out}: {error.strerror}") from None
    outcomes = []
    width = len(str(args.games))
    played = _play_all(job, args.games, args.jobs)
    for number, (game_id, text, outcome) in enumerate(
        progress(played, args.games, "Playing"), start=1
    ):
        _write(args.out / f"{number:0{width}}-{game_id}.jsonl", text.encode())
        outcomes.append(outcome)
    print(_results(bots, outcomes))
    records = "1 record" if len(outcomes) == 1 else f"{len(outcomes)} records"
    print(f"{records} in {args.out}; check with: meldboard verify {args.out}/*.jsonl")
    return 0


def play_game(job: Job, number: int) -> tuple[str, str, Outcome]:
    """Play game ``number`` (from 1) and return its id, record and outcome."""
    variant: Variant = find_variant(job.variant)
    if job.seed is None:
        seed, game_id, clock = secrets.token_bytes(seeds.SEED_BYTES), str(uuid4()), _now
    else:
        seed = seeds.game_seed(job.seed, number)
        game_id, clock = seeded_game_id(seed), _epoch
    game = Game.start(
        variant,
        [f"{name}#{seat}" for seat, name in enumerate(job.bots)],
        seed=seed,
        rules=job.rules,
        game_id=game_id,
        clock=clock,
    )
    play_out(game, [find_policy(variant, name) for name in job.bots])
    assert game.outcome is not None  # noqa: S101  (play_out ends the game)
    return game.id, game.record(), game.outcome


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _epoch() -> str:
    return EPOCH


def _play_all(job: Job, games: int, jobs: int) -> Iterator[tuple[str, str, Outcome]]:
    """Yield the games in order, whatever the number of processes."""
    numbers = range(1, games + 1)
    if jobs == 1 or games == 1:
        yield from map(partial(play_game, job), numbers)
        return
    with ProcessPoolExecutor(min(jobs, games)) as pool:
        try:
            yield from pool.map(partial(play_game, job), numbers)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _write(path: Path, data: bytes) -> None:
    """Write a record whole or not at all; never over another one.

    :raises BadInput: when the file is there with other contents, or cannot be written.
    """
    try:
        if path.exists():
            if path.read_bytes() != data:
                raise BadInput(f"{path} holds another record; choose another --out folder")
            return
        part = path.with_suffix(".part")
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None


def _results(bots: Sequence[str], outcomes: Sequence[Outcome]) -> str:
    rows = []
    games = len(outcomes)
    for seat, name in enumerate(bots):
        won = sum(o.winners == (seat,) for o in outcomes)
        shared = sum(seat in o.winners for o in outcomes) - won
        mean = sum(o.totals[seat] for o in outcomes) / games
        rows.append((f"{name}#{seat}", won, shared, f"{100 * won / games:.1f}", f"{mean:.1f}"))
    return table(("seat", "won", "shared", "won %", "mean points"), rows)
