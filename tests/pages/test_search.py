"""Search: players, tournaments, and games by id or head."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Player
from tests.pages.checks import check_page
from tests.tournaments.boards import players
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_without_a_question_there_is_a_form(client: Client, db: None) -> None:
    for query in ({}, {"q": ""}, {"q": "  \0 "}):
        response = client.get(reverse("search"), query)
        check_page(response)
        assert "Nothing has this" not in response.content.decode()


def test_names_are_found_by_a_part_in_any_case(
    client: Client, ended: Tournament, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(7):
        page = check_page(client.get(reverse("search"), {"q": "gREEDY"}))
    for player in Player.objects.filter(name__startswith="Greedy"):
        assert reverse("player", args=[player.pk]) in page.links
    assert any(link.startswith("/games/0") for link in page.links)
    page = check_page(client.get(reverse("search"), {"q": ended.name[:5]}))
    assert reverse("tournament", args=[ended.slug]) in page.links


def test_what_is_left_out_is_said(client: Client) -> None:
    players(11)
    text = client.get(reverse("search"), {"q": "player"}).content.decode()
    assert text.count('href="/players/') == 10 and "More have this in their names" in text
    text = client.get(reverse("search"), {"q": "player 1"}).content.decode()
    assert "More have this" not in text


def test_a_game_is_found_by_its_id_and_its_head(client: Client, sealed: Game) -> None:
    address = reverse("game", args=[sealed.pk])
    for asked in (str(sealed.pk), f" {sealed.pk} ", sealed.head, sealed.head.upper()):
        assert client.get(reverse("search"), {"q": asked})["Location"] == address


def test_a_hidden_game_is_not_found(client: Client, sealed: Game) -> None:
    Game.objects.filter(pk=sealed.pk).update(status=Game.Status.RUNNING, shared_seed=True)
    for asked in (str(sealed.pk), sealed.head, "Greedy 9"):
        response = client.get(reverse("search"), {"q": asked})
        check_page(response)
        assert reverse("game", args=[sealed.pk]) not in response.content.decode()


@pytest.mark.parametrize("asked", ["%", "<b>", "x" * 500, "'; drop", "\\", "é🂡"])
def test_odd_questions_find_nothing(client: Client, sealed: Game, asked: str) -> None:
    response = client.get(reverse("search"), {"q": asked})
    check_page(response)
    assert "Nothing has this in its name" in response.content.decode()
