"""Accounts: signing in, where that leads, registering."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player, User
from tests.pages.checks import check_page
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_signing_in_and_out(client: Client, ended: Tournament) -> None:
    User.objects.create_user("ann", password="a long word indeed")
    address = reverse("login")
    wrong = client.post(address, {"username": "ann", "password": "x"})
    check_page(wrong)
    assert "do not fit together" in wrong.content.decode()
    right = {"username": "ann", "password": "a long word indeed", "next": "/games/"}
    assert client.post(address, right)["Location"] == "/games/"
    text = client.get("/").content.decode()
    assert "Sign out" in text and "Sign in" not in text
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout"))["Location"] == "/"


def test_registering(client: Client) -> None:
    address = reverse("register")
    asked = client.get(address, {"next": "/games/"})
    check_page(asked)
    assert "personal information. Your password" in asked.content.decode()
    for said, words in (
        ({}, "This field is required"),
        ({"username": "ann", "password1": "short", "password2": "short"}, "too short"),
        ({"username": "x" * 41, "password1": "a", "password2": "b"}, "at most 40 characters"),
    ):
        response = client.post(address, said)
        check_page(response, 422)
        text = response.content.decode()
        assert words in text and 'role="alert" tabindex="-1" autofocus' in text
        assert 'aria-invalid="true"' in text and 'aria-describedby="id_' in text
    for chosen, repeated, wrong in (("12345678", "12345678", 1), ("a long word indeed", "b", 2)):
        both = {"username": "ann", "password1": chosen, "password2": repeated}
        text = client.post(address, both).content.decode()
        fields = re.findall(r"<input type=.password.[^>]+>", text)
        invalid = ["aria-invalid" in field for field in fields]
        assert invalid == [wrong == 1, wrong == 2], chosen
        error = f"id_password{wrong}_error"
        assert f'id="{error}"' in text and f'{error}"' in fields[wrong - 1], chosen
    word = "a long word indeed"
    said = {"username": "ann", "password1": word, "password2": word, "next": "/games/"}
    assert client.post(address, said | {"next": "https://elsewhere.example/"})["Location"] == "/"
    assert Player.objects.get(owner__username="ann").name == "ann"
    assert "Sign out" in client.get("/").content.decode()
    check_page(client.post(address, said | {"username": "ANN"}), 422)


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        ("http://testserver/games/?player=ann&page=2", "/games/?player=ann&page=2"),
        ("http://testserver/games/", "/games/"),
        ("http://testserver/tournaments/?page=2", "/games/?page=1"),
        ("http://elsewhere.example/games/?page=2", "/games/?page=1"),
        ("http://[", "/games/?page=1"),
        ("", "/games/?page=1"),
    ],
)
def test_signing_in_leads_back_to_the_page_as_it_was_left(
    client: Client, came_from: str, leads_to: str
) -> None:
    """Its link was made when the page was loaded; the address may have changed since."""
    headers = {"Referer": came_from} if came_from else {}
    asked = client.get(reverse("login"), {"next": "/games/?page=1"}, headers=headers)
    text = asked.content.decode()
    assert f'name="next" value="{leads_to.replace("&", "&amp;")}"' in text
    assert client.get(reverse("login"), headers=headers).context["next"] == ""
