"""Ways to run tournaments in tests without a worker."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games import tasks as games_tasks
from games.models import Due as GameDue
from games.models import Player
from games.public import builtin_bot, overdue
from tournaments import tasks
from tournaments.models import Due, Round, Tournament
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import Spec, parse_spec

QUICK = {"length": "deals", "deals": 1, "hand_size": 5, "knock_limit": 50}
"""Rules of games that are over after a few turns."""


def small_spec(**changes: Any) -> Spec:
    """Five bots at tables of three, games of one deal."""
    data: dict[str, Any] = {
        "name": "Small open",
        "variant": "manipulation",
        "rules": {"length": "deals", "deals": 1},
        "entrants": [{"bot": "greedy", "count": 3}, {"bot": "random", "count": 2}],
        "phases": [{"format": "round_robin", "table_size": 3}],
    }
    return parse_spec(data | changes)


def started(seed: bytes | None = None, **changes: Any) -> Tournament:
    """A tournament whose first round is due."""
    tournament = tournament_create(spec=small_spec(**changes), seed=seed)
    tournament_start(tournament_id=tournament.pk)
    return tournament


def work(limit: int = 10_000) -> int:
    """Do what is due until nothing is, as workers would; return how many rows were taken up."""
    done = 0
    while done < limit:
        games = list(overdue(GameDue).order_by("pk"))
        own = list(overdue(Due).order_by("pk"))
        if not games and not own:
            break
        for row in games[: limit - done]:
            games_tasks.ring(row.kind, str(row.game_id), row.seq)
            done += 1
        for row in own:
            tasks.ring(row.kind, str(row.tournament_id), row.number)
            done += 1
    return done


SWISS = {"format": "swiss", "table_size": 2, "rounds": 3}


def swiss(count: int = 6, **changes: Any) -> Tournament:
    """A Swiss event at tables of two, started."""
    field = [{"bot": "greedy", "count": count}]
    return started(rules=QUICK, entrants=field, phases=[SWISS], **changes)


def bot(number: int) -> Player:
    """A built-in bot that plays greedily."""
    return builtin_bot(policy="greedy", number=number)


def log_of(tournament: Tournament, kind: str) -> list[dict[str, Any]]:
    """The data of a log's lines of one type."""
    bodies = tournament.events.order_by("seq").values_list("body", flat=True)
    return [line["data"] for line in map(json.loads, bodies) if line["type"] == kind]


def until_round(tournament: Tournament, number: int) -> None:
    """Play until a round is paired."""
    while not Round.objects.filter(phase__tournament=tournament, number=number).exists():
        assert work(1)


def row_of(tournament: Tournament, player: Player) -> Any:
    """A player's row in the standings of the first phase."""
    return tournament.phases.get(number=1).standings.get(entrant__player=player)


def refused(tournament: Tournament, error: type[Exception], message: str, act: Any, **what) -> None:
    """An act is refused with a message and leaves nothing behind."""
    before = Tournament.objects.get(pk=tournament.pk).seq
    with pytest.raises(error, match=message):
        act(tournament_id=tournament.pk, **what)
    assert Tournament.objects.get(pk=tournament.pk).seq == before
