"""The leaderboard's page: ranks, filters, orders, finding somebody, empty states."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Player, User
from tests.pages.checks import check_page
from tests.tournaments.boards import VARIANT, players, stored_games
from tournaments.models import Refit, Strength
from tournaments.ratings.games import Scope
from tournaments.services.ratings import ratings_refresh
from tournaments.services.refits import leaderboard_refit

pytestmark = pytest.mark.django_db
ADDRESS = f"/leaderboards/{VARIANT}/"


@pytest.fixture
def field() -> list[Player]:
    """Four players of whom the first is far ahead and the last two have few games."""
    field = players(4)
    stored_games(
        [(field[:2], [9, 1])] * 30
        + [([field[1], field[2]], [n % 2, 1]) for n in range(6)]
        + [([field[3], field[0], field[1]], [1, 3, 2])]
    )
    ratings_refresh(variant=VARIANT)
    leaderboard_refit(variant=VARIANT, scopes=[Scope(), Scope(3), Scope(5)])
    return field


def shown(client: Client, query: str = "") -> str:
    response = client.get(ADDRESS + query)
    check_page(response)
    return response.content.decode()


def names(text: str) -> list[str]:
    return re.findall(r'<a href="/players/[^"]+">([^<]+)</a>', text)


def test_ranks_ratings_and_what_is_provisional(client: Client, field: list[Player]) -> None:
    text = shown(client)
    assert names(text)[0] == field[0].name and len(names(text)) == 4
    assert text.count("Provisional: fewer than 10 games") == 2
    rows = dict(re.findall(r'<tr id="p-([^"]+)"><td class="is-rank">([^<]+)</td>', text))
    assert rows[str(field[0].pk)] == "1" and rows[str(field[1].pk)] == "2"
    assert "–" in rows[str(field[3].pk)]
    first = Strength.objects.get(player=field[0], refit__seats=0)
    assert f'<td class="is-main">{first.strength:.0f}</td>' in text
    assert f"±{(first.high - first.low) / 2:.0f}" in text
    assert "over 37 games" in text and 'aria-sort="descending"' in text


def test_filters_stay_in_the_links_and_in_the_form(client: Client, field: list[Player]) -> None:
    text = shown(client, "?seats=3&kind=bot")
    assert len(names(text)) == 3
    assert '<option value="3" selected>' in text and '<option value="bot" selected>' in text
    assert "?seats=3&amp;kind=bot&amp;sort=games" in text
    by_name = names(shown(client, "?sort=name"))
    assert by_name == sorted(by_name)
    for query, words in [
        ("?seats=9", "Seats must be one of 0, 2, 3, 4, 5, not &#x27;9&#x27;"),
        ("?sort=luck", "Sort must be one of"),
    ]:
        response = client.get(ADDRESS + query)
        check_page(response, 404)
        assert words in response.content.decode()


def test_empty_states(client: Client) -> None:
    assert "Nobody is ranked yet" in shown(client)
    stored_games([(players(2), [2, 1])])
    leaderboard_refit(variant=VARIANT, scopes=[Scope(), Scope(3)])
    assert "No game counts here yet" in shown(client, "?seats=3")
    assert "No game counts here yet" in shown(client, "?days=30")
    assert "Ask for less" in shown(client, "?min_games=30")
    assert "Nobody on this board" in shown(client, "?kind=person")


def test_finding_somebody(client: Client, field: list[Player], monkeypatch) -> None:
    from tournaments.pages import leaderboards

    monkeypatch.setattr(leaderboards, "PAGE_SIZE", 2)
    last = field[3]
    place = names(shown(client)).index(last.name)
    for sought in (last.name.lower(), str(last.pk)):
        response = client.get(ADDRESS, {"find": sought, "sort": "rating"})
        assert response["Location"] == f"{ADDRESS}?page={1 + place // 2}#p-{last.pk}"
    lost = shown(client, "?find=%3Cb%3ENobody")
    assert "&lt;b&gt;Nobody is not on this board" in lost
    user = User.objects.create_user("ann", password="a long word indeed")
    client.force_login(user)
    assert "Find me" not in shown(client)
    Player.objects.filter(pk=last.pk).update(owner=user)
    assert f"find={last.pk}" in shown(client)


def test_queries_do_not_grow_with_players(client: Client, field: list[Player]) -> None:
    with CaptureQueriesContext(connection) as few:
        shown(client)
    more = players(60)
    refit = Refit.objects.get(seats=0)
    first = Strength.objects.filter(refit=refit).first()
    for player in more:
        first.pk, first.player = None, player
        first.save(force_insert=True)
    with CaptureQueriesContext(connection) as many:
        assert "Page 1 of 3" in shown(client)
    assert len(many) <= len(few) <= 7
