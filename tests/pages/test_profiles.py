"""Profiles: how a rating went, whom a player met, faults, and what is shown of nobody's games."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engine.variants import find_variant
from games.models import Event, Game, Player, Result
from games.pages.chart import POINTS, ROWS, Estimate, band_chart
from games.services.bots import builtin_bot
from games.services.games import game_create
from tests.pages.checks import check_page
from tests.tournaments.boards import VARIANT, players, stored_games
from tests.tournaments.running import QUICK, work
from tournaments.models import RatingHistory
from tournaments.services.ratings import ratings_refresh

pytestmark = pytest.mark.django_db


def profile(client: Client, player: Player, query: str = "") -> str:
    response = client.get(reverse("player", args=[player.pk]) + query)
    check_page(response)
    return response.content.decode()


@pytest.fixture
def field() -> list[Player]:
    """Three players; the first wins most games, some are level, the latest are of today."""
    field = players(3)
    a, b, c = field
    stored_games([([a, b], [9, 1])] * 30, name="Old", days_ago=60)
    stored_games([([a, b, c], [5, 5, 1]), ([b, a], [7, 3]), ([c, a], [1, 4])])
    ratings_refresh(variant=VARIANT)
    return field


def test_a_rating_is_drawn_with_its_band_and_stands_in_a_table(
    client: Client, field: list[Player]
) -> None:
    history = RatingHistory.objects.get(rating__player=field[0])
    assert len(history.at) == history.rating.games == 33 and history.at == sorted(history.at)
    assert (history.mu[-1], history.sigma[-1]) == (history.rating.mu, history.rating.sigma)
    text = profile(client, field[0])
    assert 'class="c-band"' in text
    assert f"now: {history.mu[-1]:.1f}, give or take {1.96 * history.sigma[-1]:.1f}" in text
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>.*?<td>([\d.]+)</td>', text)
    assert len(rows) == ROWS and rows[0] == ("33", f"{history.mu[-1]:.1f}") and rows[-1][0] == "1"
    late = profile(client, field[0], "?days=30")
    assert len(re.findall(r'<tr><th scope="row">', late)) == 3
    assert "No game of this period counts" in profile(client, old(), "?days=30")


def old() -> Player:
    """A player whose only game is long past."""
    player, other = players(2)
    stored_games([([player, other], [2, 1])], name="Long past", days_ago=100)
    ratings_refresh(variant=VARIANT)
    return player


def test_a_chart_of_very_many_games_has_a_bounded_size() -> None:
    for count in (1, 2, 5_000):
        chart = band_chart([Estimate(25 + n % 7, 400 / (n + 20)) for n in range(count)])
        assert chart.path.count("L") < POINTS and len(chart.rows) <= ROWS
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", chart.path + chart.band)]
        assert min(numbers) >= 0 and max(numbers) <= 100
        assert chart.rows[0][0] == count and chart.rows[-1][0] == 1
        assert chart.ticks[-1] == ("0" if count == 1 else "100", count)


def test_head_to_head_counts_every_game_together(client: Client, field: list[Player]) -> None:
    a, b, c = field
    text = profile(client, a)
    found = re.findall(r">(Player \d)</a></span>(.*?)</tr>", text, re.DOTALL)
    numbers = {name: re.findall(r">(\d+)(?:</a></td>|%</span>|</td>)", row) for name, row in found}
    assert numbers == {
        b.name: ["32", "30", "1", "1", "95"],  # 9:1 thirty times, one level, one lost
        c.name: ["2", "2", "0", "0", "100"],
    }
    assert "30 ahead, 1 level, 1 behind" in text, "of phones"
    assert list(numbers) == [b.name, c.name]
    check_page(client.get(reverse("player-opponents", args=[c.pk])))
    link = re.search(r'href="(/games/\?player=[^"]+)"', text)
    assert link
    games = client.get(link[1].replace("&amp;", "&")).content.decode()
    assert "32 games" in games


def test_faults_are_counted_by_their_reasons(client: Client) -> None:
    field = [builtin_bot(policy=name, number=1) for name in ("faulty", "greedy")]
    counts: Counter[tuple[str, str]] = Counter()
    while not counts["faulted", "illegal"]:
        game_create(variant=find_variant("manipulation"), rules=QUICK, players=field)
        work()
        lines = Event.objects.filter(type__in=("faulted", "forfeited"))
        counts = Counter(
            (type, json.loads(body)["data"]["reason"])
            for type, body in lines.values_list("type", "body")
        )
    text = profile(client, field[0])
    for (type, reason), count in counts.items():
        word = {"faulted": "Faults", "forfeited": "Forfeits"}[type]
        assert f'<dt>{word}: {reason}</dt><dd class="u-num">{count}</dd>' in text
    assert '<span class="c-badge">faulty</span>' in text and "Plays like random, but" in text
    assert "<dd>none</dd>" in profile(client, field[1])


def test_who_has_not_played_is_told_what_comes_next(client: Client) -> None:
    ann = Player.objects.create(kind=Player.Kind.PERSON, name="Ann")
    text = profile(client, ann)
    assert "Ann has not played yet" in text and "?state=open" in text
    assert "c-chart" not in text and "Policy" not in text


def test_what_there_is_not_is_refused_by_name(client: Client, field: list[Player]) -> None:
    for query, words in (
        ("?days=7", "there is no period of &#x27;7&#x27; days; periods are 0, 365, 90, 30"),
        ("?variant=gin", "no rating in &#x27;gin&#x27;; ratings are in manipulation"),
    ):
        response = client.get(reverse("player", args=[field[0].pk]) + query)
        check_page(response, 404)
        assert words in response.content.decode().replace("There", "there")


def test_queries_do_not_grow_with_games_and_opponents(client: Client) -> None:
    field = players(12)
    stored_games([(field[:2], [2, 1])], name="Few")
    ratings_refresh(variant=VARIANT)
    with CaptureQueriesContext(connection) as few:
        profile(client, field[0])
    for number, other in enumerate(field[1:]):
        stored_games([([field[0], other], [1, 2])] * 3, name=f"More {number}")
    ratings_refresh(variant=VARIANT)
    Game.objects.update(started_at=timezone.now() - timedelta(days=1))
    with CaptureQueriesContext(connection) as many:
        text = profile(client, field[0])
    assert len(many) <= len(few) + 2, "the opponents' players and entrants' standings at most"
    assert text.count("Replay<span") == 10 and Result.objects.count() == 34
