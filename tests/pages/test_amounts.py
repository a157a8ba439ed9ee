"""What a page reads: no more rows than it shows, and those by an index."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Player
from games.pages import lists
from games.public import paged
from tests.tournaments.running import QUICK, started, work
from tournaments.models import Table, Tournament
from tournaments.pages import leaderboards, tabs, views
from tournaments.pages import players as profiles
from tournaments.selectors import latest_end, table_of, tables_of, tables_played
from tournaments.tasks import refit

pytestmark = pytest.mark.django_db

SIZE = 1
"""Rows on a page here."""


def built(client: Client, path: str) -> Counter[str]:
    """Ask for a page, and count the rows that were made objects for it."""
    counted: Counter[str] = Counter()

    def count(sender: type[Any], **_: Any) -> None:
        counted[sender.__name__] += 1

    post_init.connect(count)
    try:
        assert client.get(path).status_code == 200
    finally:
        post_init.disconnect(count)
    del counted["Round"]  # each is a link on the page
    return counted


def test_no_page_builds_more_objects_for_a_longer_list(
    client: Client, ended: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(request: Any, rows: Any, size: int = 0, **told: Any) -> Any:
        return paged(request, rows, SIZE, **told)

    for module in (lists, leaderboards, profiles, tabs):
        monkeypatch.setattr(module, "paged", short)
    monkeypatch.setattr(views, "SIDE_ROWS", SIZE)
    player = Player.objects.get(name="Greedy 1")

    def asked(tournament: Tournament) -> dict[str, Counter[str]]:
        at = reverse("tournament", args=[tournament.slug])
        paths = [f"{at}?tab={tab}" for tab in ("standings", "rounds", "cross", "games", "log")]
        paths += ["/games/", "/leaderboards/manipulation/"]
        paths.append(reverse("player-opponents", args=[player.pk]))
        return {path.removeprefix(at): built(client, path) for path in paths}

    refit(ended.variant, 0, 0)
    few = asked(ended)
    larger = started(
        name="Larger",
        rules=QUICK,
        entrants=[{"bot": "greedy", "count": 5}, {"bot": "random", "count": 4}],
        phases=[{"format": "round_robin", "table_size": 3}],
    )
    work()
    refit(larger.variant, 0, 0)
    many = asked(larger)
    assert few.keys() == many.keys() and all(few.values())
    assert {path: n - few[path] for path, n in many.items() if not n <= few[path]} == {}


def plan(query: str) -> str:
    """How a query finds its rows if it can do without reading and sorting whole tables."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN {query}")
        return "\n".join(row for (row,) in cursor.fetchall())


def plans(query: QuerySet[Any]) -> str:
    with CaptureQueriesContext(connection) as asked:
        list(query)
    return plan(asked[0]["sql"])


def test_an_index_leads_to_what_tournaments_show(ended: Tournament) -> None:
    latest = plans(tables_played(ended)[:6])
    assert "games_game_circle" in latest and "Seq Scan on games_game" not in latest
    with CaptureQueriesContext(connection) as asked:
        assert latest_end(ended) is not None
    assert "games_game_circle" in plan(asked[0]["sql"])
    standings = plans(ended.phases.get().standings.values("pk")[:40])
    assert "tournaments_standing_order" in standings and "Sort" not in standings
    with CaptureQueriesContext(connection) as asked:
        tables_of(ended).filter(played=True).count()
    assert "tournaments_table_played" in plan(asked[0]["sql"])


def test_the_table_of_a_game_is_found_by_its_game(ended: Tournament) -> None:
    table = Table.objects.select_related("game")[1]
    with CaptureQueriesContext(connection) as asked:
        assert table_of(table.game) == table
    assert len(asked) == 1
    assert "tournaments_table_game_id" in plan(asked[0]["sql"])
