"""Killed workers, flushed brokers, doubled messages and a crashed database change nothing.

The same tournament, played from the same seed with and without faults, comes out the same, event
by event; nothing is lost, doubled or stuck.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.verify import verify
from games import tasks as games_tasks
from games.models import Due as GameDue
from games.models import Event, Game
from games.selectors import game_record
from tests.faults.cluster import Cluster
from tests.tournaments.running import started, work
from tournaments import tasks
from tournaments.models import Due, Table, Tournament
from tournaments.services.rebuild import rebuild

pytestmark = [pytest.mark.serial, pytest.mark.django_db(transaction=True)]

PATIENCE_S = 240


def field(bots: int, **rules: Any) -> dict[str, Any]:
    greedy = bots // 2
    return {
        "rules": rules,
        "entrants": [
            {"bot": "greedy", "count": greedy},
            {"bot": "random", "count": bots - greedy},
        ],
        "phases": [{"format": "round_robin", "table_size": 4}],
    }


def played_alone(seed: bytes, monkeypatch: pytest.MonkeyPatch, **spec: Any) -> list[Any]:
    """Play the tournament in this process, with no worker and no broker."""
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "ring_for", lambda row: None)
        patch.setattr(games_tasks, "ring_for", lambda row: None)
        tournament = started(seed=seed, **spec)
        work()
    return account(tournament)


def account(tournament: Tournament) -> list[Any]:
    """All that a tournament came to, but for ids and times."""
    names = {str(e.player_id): e.player.name for e in tournament.entrants.select_related("player")}
    told: list[Any] = []
    for table in Table.objects.filter(round__phase__tournament=tournament).order_by("game_number"):
        places = [
            (names[str(place.entrant.player_id)], place.score, place.rank, place.points)
            for place in table.places.select_related("entrant")
        ]
        told.append((table.round.number, table.number, table.game_number, places))
        told.append(events_of(table.game))
    for row in tournament.phases.get().standings.select_related("entrant__player"):
        told.append((row.entrant.player.name, row.rank, row.points, row.metrics))
    return told


def events_of(game: Game) -> list[Any]:
    lines = [
        json.loads(body) for body in game.events.order_by("seq").values_list("body", flat=True)
    ]
    for line in lines:
        line["data"].pop("seats", None)  # player ids are the same; kept out to compare databases
    return [(line["seq"], line["type"], line["seat"], line["data"]) for line in lines]


def is_ended(tournament: Tournament) -> bool:
    tournament.refresh_from_db()
    return tournament.status == Tournament.Status.ENDED


def check_whole(tournament: Tournament) -> None:
    """Nothing lost, nothing doubled, nothing stuck."""
    tables = Table.objects.filter(round__phase__tournament=tournament).select_related("game")
    for table in tables:
        record = verify(game_record(table.game).encode(), head=table.game.head)
        assert len(record.entries) == table.game.seq
    types = list(tournament.events.values_list("type", flat=True))
    assert types.count("result") == tables.count() == tables.filter(played=True).count()
    assert types.count("ended") == types.count("seed_revealed") == 1
    assert not Game.objects.exclude(status=Game.Status.SEALED).exists()
    assert not Game.objects.filter(analysed=False).exists()
    assert not GameDue.objects.exists() and not Due.objects.exists()
    assert rebuild() == []


def played(tournament: Tournament) -> int:
    return Table.objects.filter(round__phase__tournament=tournament, played=True).count()


def run_with_faults(
    cluster: Cluster, seed: bytes, faults: list[str], pause: int, **spec: Any
) -> Tournament:
    """Play through workers and let one fault after the other happen as events come in."""
    tournament = started(seed=seed, **spec)
    cluster.start()
    for fault in faults:
        before = Event.objects.count()
        cluster.wait_until(
            lambda before=before: Event.objects.count() >= before + pause or is_ended(tournament),
            PATIENCE_S,
        )
        if is_ended(tournament):
            pytest.fail(f"the tournament was over before {fault!r} could happen")
        getattr(cluster, fault)()
    cluster.wait_until(lambda: is_ended(tournament), PATIENCE_S)
    cluster.wait_until(
        lambda: not Game.objects.exclude(status=Game.Status.SEALED).exists(), PATIENCE_S
    )
    wait_until_nothing_is_due(cluster)
    return tournament


def wait_until_nothing_is_due(cluster: Cluster) -> None:
    """Wait for what is done after the end, the last analysis too."""
    cluster.wait_until(
        lambda: not Due.objects.exists() and not GameDue.objects.exists(), PATIENCE_S
    )


def test_a_tournament_survives_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, amount
) -> None:
    """A killed worker, a flushed broker, doubled messages, a crashed database: the same end."""
    for number in range(amount(1, 5)):
        seed = bytes([number]) * 32
        spec = field(amount(8, 16), target=amount(200, 400))
        expected = played_alone(seed, monkeypatch, **spec)
        kinds = ["kill_worker", "flush_broker", "double_messages", "crash_database"]
        with Cluster(tmp_path / str(number)) as cluster:
            tournament = run_with_faults(
                cluster, seed, kinds * amount(1, 3), amount(1, 150), **spec
            )
        assert account(tournament) == expected
        check_whole(tournament)


def test_games_finish_when_the_first_worker_comes_late(tmp_path: Path) -> None:
    """Messages sent while no worker ran may be lost; the sweeper finds what is due."""
    tournament = started(seed=b"\x07" * 32, **field(4, length="deals", deals=1))
    with Cluster(tmp_path / "late") as cluster:
        cluster.start()
        cluster.wait_until(lambda: is_ended(tournament), PATIENCE_S)
        wait_until_nothing_is_due(cluster)
    check_whole(tournament)
