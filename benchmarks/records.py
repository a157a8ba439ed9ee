"""Records of whole games: read, fold, judge again, verify (RELIABILITY ES-6).

The games are of four seats, two greedy and two random ones, by the default rules.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from benchmarks.measure import Effort, Result, race
from engine.game import Game
from engine.play import play_out
from engine.policies import find_policy
from engine.record import Record, read_record
from engine.replay import Replay
from engine.verify import verify, verify_events

BOTS = ("greedy", "random", "greedy", "random")
GAMES = 12
REPEATS = 15
"""They take milliseconds, so that even a busy machine leaves one of them alone."""


def run(effort: Effort) -> list[Result]:
    """Measure all games with each; the fastest repeat tells of a quiet core."""
    games = [Parsed(_played(number)) for number in range(effort.count(GAMES))]
    events = sum(len(game.record.entries) for game in games)
    result = Result(f"Records, {len(games)} games of {events} events")
    run = race(ENGINES, games, max(REPEATS, effort.repeats))
    result.spreads = run.spreads()
    for (name, _), (key, words) in zip(ENGINES.items(), FIGURES.items(), strict=True):
        seconds = sum(min(taken) for taken in run.seconds[name])
        result.figure(f"records.{key}", events / seconds, words)
    return [result]


class Parsed:
    """A record as bytes and read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.record: Record = read_record(data)


ENGINES: dict[str, Callable[[Parsed], object]] = {
    "verify": lambda game: verify(game.data),
    "read": lambda game: read_record(game.data),
    "judge": lambda game: verify_events(game.record),
    "fold": lambda game: Replay.of(game.record),
}

FIGURES = {
    "verify": "events a second verified, from bytes",
    "read": "events a second read, with chain and form checked",
    "judge": "events a second decided anew, compared and applied",
    "fold": "events a second folded into a replay",
}


def _played(number: int) -> bytes:
    seed = sha256(f"record {number}".encode()).digest()
    game = Game.start("manipulation", [f"p{seat}" for seat in range(len(BOTS))], seed=seed)
    play_out(game, [find_policy(game.variant, name) for name in BOTS])
    return game.record().encode()
