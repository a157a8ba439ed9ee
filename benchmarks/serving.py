"""Measuring the server's time for each kind of page in a filled database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import NamedTuple

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.http import urlencode

from benchmarks.filling import Filled
from games import selectors
from games.models import Game, Player
from games.public import PAGE_SIZE
from games.selectors import game_replay

FRAME_MS, LIST_MS = 20.0, 80.0
"""Budgets: p95 of a frame, and of a page of a list (ui/DESIGN.md 2.0)."""
REPEATS = 3
"""Requests of one address, whose middle time counts: other programs run on the machine, too."""


class Kind(NamedTuple):
    """A kind of page: some addresses."""

    name: str
    budget: float | None
    """Milliseconds that p95 may take."""
    paths: Sequence[str]
    before: Callable[[], object] | None = None
    """What is done before each request; not measured."""


class Measured(NamedTuple):
    """What the pages of a kind took."""

    kind: Kind
    middle: float
    """Milliseconds, like the other two."""
    p95: float
    most: float
    queries: int
    """Of the page that took most of them."""

    @property
    def held(self) -> bool:
        """Whether the budget is held."""
        return self.kind.budget is None or self.p95 <= self.kind.budget


def measure(kind: Kind, client: Client) -> Measured:
    """Ask for every address of a kind."""
    times, queries = [], 0
    for path in kind.paths:
        with CaptureQueriesContext(connection) as counted:
            _ask(client, path)  # warms up what all readers share
        queries = max(queries, len(counted))
        times.append(median(_timed(kind, client, path) for _ in range(REPEATS)))
    p95 = quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else times[0]
    return Measured(kind, median(times), p95, max(times), queries)


def _timed(kind: Kind, client: Client, path: str) -> float:
    if kind.before:
        kind.before()
    began = perf_counter()
    _ask(client, path)
    return 1000 * (perf_counter() - began)


def _ask(client: Client, path: str) -> None:
    response = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answered with {response.status_code}")


def kinds(filled: Filled, rng: Random) -> list[Kind]:
    """Return every kind of page, with addresses chosen at random."""
    games = list(Game.objects.filter(status=Game.Status.SEALED).exclude(pk=filled.longest.pk))
    players = list(Player.objects.all())
    few, names = rng.sample(games, min(40, len(games))), rng.sample(players, min(20, len(players)))
    last = -(-len(games) // PAGE_SIZE)
    pages = sorted({1, 2, *(rng.randint(1, last) for _ in range(12)), last})
    tournament = reverse("tournament", args=[filled.large.slug])
    whole = reverse("game", args=[filled.longest.pk])
    end = len(game_replay(filled.longest).steps) - 1
    steps = [*range(0, end, max(1, end // 30)), end]
    frames = [_frame(game, rng) for game in few]
    board = "/leaderboards/manipulation/"
    return [
        Kind("frame, game known to the process", FRAME_MS, frames),
        Kind("frame, whole log read first", FRAME_MS, frames, _forget),
        Kind("picture of a table", FRAME_MS, [_picture(game, rng) for game in few], _forget),
        Kind("game, page of a step", LIST_MS, [_page(game, rng) for game in few], _forget),
        Kind("list of games", LIST_MS, _queries("/games/", ({"page": n} for n in pages))),
        Kind("list of games, filters", LIST_MS, _queries("/games/", _filters(names))),
        Kind("list of tournaments", LIST_MS, _queries("/tournaments/", ({"page": 1}, {"page": 2}))),
        Kind(
            "list of tournaments, filters",
            LIST_MS,
            _queries("/tournaments/", (f for f in _filters(names) if f.get("state") in STATES)),
        ),
        Kind("home", LIST_MS, ["/"]),
        Kind("leaderboard", LIST_MS, _queries(board, ({"page": n} for n in range(1, 20)))),
        Kind("leaderboard, sorted", LIST_MS, _queries(board, ({"sort": s} for s in SORTS))),
        *(
            Kind(f"tournament, {tab}", LIST_MS, _queries(tournament, asked))
            for tab, asked in _tabs(filled, rng).items()
        ),
        Kind("profile", LIST_MS, [reverse("player", args=[p.pk]) for p in names]),
        Kind("opponents", LIST_MS, [reverse("player-opponents", args=[p.pk]) for p in names]),
        Kind("search", LIST_MS, _queries("/search/", ({"q": q} for q in ("gre", names[0].name)))),
        Kind("games by API", LIST_MS, ["/api/v1/games/"]),
        Kind("long game, frame", FRAME_MS, [f"{whole}frames/{step}/" for step in steps]),
        Kind("long game, page", None, [f"{whole}?step={step}" for step in steps[::4]]),
        Kind("long game, first look", None, [f"{whole}?step={s}" for s in steps[::10]], _forget),
        Kind("long game, film of a deal", None, [f"{whole}films/1/"]),
    ]


STATES = (None, "running", "ended")
SORTS = ("rating", "games", "won", "last", "name")


def _forget() -> None:
    """Let the process know no game."""
    selectors._replays.clear()


def _queries(path: str, asked: Iterable[dict[str, str | int]]) -> list[str]:
    return [f"{path}?{urlencode(query)}" for query in asked]


def _frame(game: Game, rng: Random) -> str:
    step = rng.randrange(len(game_replay(game).steps))
    return f"{reverse('game', args=[game.pk])}frames/{step}/"


def _picture(game: Game, rng: Random) -> str:
    return _page(game, rng).replace("?", "table.svg?")


def _page(game: Game, rng: Random) -> str:
    step = rng.randrange(len(game_replay(game).steps))
    return f"{reverse('game', args=[game.pk])}?step={step}"


def _filters(names: Sequence[Player]) -> list[dict[str, str | int]]:
    one, other = names[0].name, names[1].name
    found: list[dict[str, str | int]] = [{"variant": "gin"}, {"variant": "manipulation"}]
    found += [{"seats": seats} for seats in (2, 3, 4, 5)]
    found += [{"state": state} for state in ("running", "finished", "called_off")]
    found += [{"player": player.name} for player in names]
    found += [{"player": one, "against": other}, {"player": "greedy"}, {"player": "Greedy 1"}]
    found += [{"variant": "gin", "seats": 2, "state": "finished", "player": "Simple 1"}]
    return found


def _tabs(filled: Filled, rng: Random) -> dict[str, list[dict[str, str | int]]]:
    rounds = filled.large.phases.get().rounds.count()
    entrants = filled.large.entrants.count()
    some = [1, 2, 25, *(rng.randint(1, 20) for _ in range(5))]
    last = 1_000_000  # the last page answers for one beyond the end
    return {
        "standings": [{"page": n} for n in some],
        "rounds": [{"tab": "rounds", "round": 1 + n % rounds, "page": 1 + n % 3} for n in some],
        "cross-table": [{"tab": "cross", "page": n} for n in some],
        "head to head": [{"tab": "cross", "entrant": 1 + n % entrants} for n in some],
        "games": [{"tab": "games", "page": n} for n in (*some, last)],
        "statistics": [{"tab": "statistics"}],
        "log": [{"tab": "log", "page": n} for n in (*some, last)],
    }
