"""Ways to run tournaments in tests without a worker."""

from __future__ import annotations

from typing import Any

from games import tasks as games_tasks
from games.models import Due as GameDue
from tournaments import tasks
from tournaments.models import Due, Tournament
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
        games = list(GameDue.objects.filter(parked_at=None).order_by("pk"))
        own = list(Due.objects.filter(parked_at=None).order_by("pk"))
        if not games and not own:
            break
        for row in games[: limit - done]:
            games_tasks.ring(row.kind, str(row.game_id), row.seq)
            done += 1
        for row in own:
            tasks.ring(row.kind, str(row.tournament_id), row.number)
            done += 1
    return done
