"""Entering a tournament by oneself on its page, and leaving again."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import User
from tests.pages.checks import check_page
from tests.tournaments.running import small_spec
from tournaments.models import Tournament
from tournaments.services.access import invitation_make
from tournaments.services.entries import bots_enter
from tournaments.services.running import tournament_cancel
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db

FIELD = [{"bot": "greedy", "count": 3}]


@pytest.fixture
def cup() -> Tournament:
    """A tournament that anybody may enter, with room for two more than its three bots."""
    spec = small_spec(name="Cup", entrants=FIELD, entry={"open": True, "most": 5})
    return tournament_create(spec=spec)


@pytest.fixture
def ann(client: Client) -> User:
    user = User.objects.create_user("ann", password="x")
    client.force_login(user)
    return user


def words(client: Client, of: Tournament) -> str:
    return unescape(check_text(client.get(reverse("tournament", args=[of.slug]))))


def check_text(response: Any) -> str:
    check_page(response)
    return response.content.decode()


def post(client: Client, what: str, of: Tournament, status: int = 302, **given: str) -> str:
    response = client.post(reverse(f"tournament-{what}", args=[of.slug]), given)
    assert response.status_code == status, response.content.decode()
    return unescape(response.content.decode())


def test_somebody_enters_and_leaves(client: Client, cup: Tournament, ann: User) -> None:
    text = words(client, cup)
    assert "Enter as ann" in text and "3 of 5 places are taken" in text
    assert "people cannot play on these pages yet" in text, "told before one enters"
    post(client, "enter", cup)
    assert "You are in, as entrant 4" in words(client, cup)
    assert "entered already" in post(client, "enter", cup, 409)
    sure = post(client, "leave", cup, 200)
    assert "Only the organiser can let you return" in sure
    assert cup.entrants.get(number=4).status == "playing", "asked first"
    post(client, "leave", cup, sure="yes")
    assert cup.entrants.get(number=4).status == "withdrawn"
    assert "You have left" in words(client, cup)
    lines = list(cup.events.order_by("seq").values_list("type", flat=True))
    assert lines[-2:] == ["entered", "withdrawn"]


def test_nobody_enters_signed_out(client: Client, cup: Tournament) -> None:
    assert "Sign in to enter" in words(client, cup)
    post(client, "enter", cup)
    assert cup.entrants.count() == 3


def test_what_is_closed_says_why(client: Client, cup: Tournament, ann: User) -> None:
    def refused(message: str) -> None:
        text = words(client, cup)
        assert message in text and "Enter as" not in text
        assert message[1:] in post(client, "enter", cup, 409)
        assert cup.entrants.filter(player__owner=ann).count() == 0

    def change(**what: Any) -> None:
        Tournament.objects.filter(pk=cup.pk).update(**what)

    bots_enter(tournament_id=cup.pk, bot="random", count=2)
    refused("takes at most 5 entrants and has 5: nobody more can enter")
    change(most=0, entry_opens_at=timezone.now() + timedelta(hours=1))
    refused("entries to Cup open at")
    change(entry_opens_at=None, entry_closes_at=timezone.now() - timedelta(hours=1))
    refused("entries to Cup closed at")
    change(entry_closes_at=None, entry_open=False)
    refused("only its organiser enters players")
    change(entry_open=True)
    tournament_start(tournament_id=cup.pk)
    assert "Enter as" not in words(client, cup) and "You cannot enter" not in words(client, cup)
    assert "takes no late entries" in post(client, "enter", cup, 409)
    tournament_cancel(tournament_id=cup.pk, reason="rain")
    assert "Enter as" not in words(client, cup)
    assert "is over" in post(client, "enter", cup, 409)


def test_an_invitation_lets_enter(client: Client, ann: User) -> None:
    spec = small_spec(name="Den", access="private", entrants=FIELD)
    den = tournament_create(spec=spec)
    assert client.post(reverse("tournament-enter", args=[den.slug])).status_code == 404
    word = invitation_make(tournament_id=den.pk)
    client.get(reverse("invitation", args=[den.slug, word]))
    assert "for you have the invitation" in words(client, den)
    post(client, "enter", den)
    assert den.entrants.filter(player__owner=ann).exists()
