"""A private tournament leaks nowhere, an unlisted one into no list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from games.models import Game, Player, User
from games.public import player_of
from tests.tournaments.running import QUICK, small_spec, work
from tournaments.models import Rating, Strength, Tournament
from tournaments.services.access import invitation_make, organiser_add
from tournaments.services.entrants import entrant_enter, entrant_withdraw
from tournaments.services.results import game_void
from tournaments.services.settings import tournament_change
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db

NAME = "Quokka cup"
FIELD = [{"bot": "greedy", "count": 3}]
PHASE = {"format": "swiss", "table_size": 3, "rounds": 3}


def user(name: str) -> User:
    return User.objects.create_user(name, password="a long word indeed")


@pytest.fixture
def owner() -> User:
    return user("olga")


def hidden(owner: User, access: str) -> Tournament:
    """A tournament in its third round, with a game that was voided."""
    spec = small_spec(name=NAME, access=access, rules=QUICK, entrants=FIELD, phases=[PHASE])
    tournament = tournament_create(spec=spec, organiser=owner)
    tournament_start(tournament_id=tournament.pk)
    work(1)
    game_void(tournament_id=tournament.pk, game_number=1, reason="a test")
    while not tournament.phases.get().rounds.filter(number=3).exists():
        work(1)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def private(owner: User) -> Tournament:
    return hidden(owner, "private")


def routes(tournament: Tournament) -> tuple[list[str], list[str]]:
    """Every address that can be read: those of the tournament and its games, and all others."""
    player = Player.objects.get(name="Greedy 1")
    games = list(Game.objects.values_list("pk", flat=True))
    own: list[str] = []
    others: list[str] = ["/", "/search/?q=quokka", f"/search/?q={tournament.slug}"]
    others += [f"/search/?q={game}" for game in games]
    others += ["/leaderboards/manipulation/?find=Greedy+1", "/search/?q=greedy"]
    for pattern in _patterns(get_resolver(), ""):
        if pattern.startswith(("admin", "accounts", "api/v1/docs", "healthz", "readyz", "look")):
            continue
        path = "/" + pattern.replace("<slug:variant>", "manipulation").replace(
            "<str:variant>", "manipulation"
        ).replace("<uuid:player_id>", str(player.pk))
        path = path.replace("<slug:slug>", tournament.slug).replace("<slug:version>", "0123abcd")
        for name in ("step", "deal", "number"):
            path = path.replace(f"<int:{name}>", "1")
        path = path.replace("<slug:tab>", "standings").replace("<slug:part>", "rounds")
        path = path.replace("<slug:step>", "review")
        for name in ("word", "label", "rest"):
            path = path.replace(f"<str:{name}>", "nonsense").replace(f"<path:{name}>", "nonsense")
        of_games = "<uuid:game_id>" in path
        found = (
            [path.replace("<uuid:game_id>", str(game)) for game in games] if of_games else [path]
        )
        assert "<" not in found[0], f"{pattern}: tell this test how to fill the address"
        (own if of_games or tournament.slug in path else others).extend(found)
    return own, others


def _patterns(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        elif pattern.app_name != "admin":
            yield from _patterns(pattern, route)


def text_of(response: Any) -> str:
    """What an answer says; a stream says only that something has grown, so it is left unread."""
    return "" if response.streaming else response.content.decode()


def secrets_of(tournament: Tournament) -> list[str]:
    known = [NAME, tournament.slug, str(tournament.pk), tournament.commitment]
    return known + [str(game) for game in Game.objects.values_list("pk", flat=True)]


@pytest.mark.parametrize("over", [False, True])
def test_a_private_tournament_leaks_nowhere(
    client: Client, private: Tournament, over: bool
) -> None:
    if over:
        work()
        private.refresh_from_db()
        assert private.status == Tournament.Status.ENDED
    client.force_login(user("eve"))
    own, others = routes(private)
    assert len(own) > 20
    for path in own:
        response = client.get(path)
        assert response.status_code in (404, 405), (path, response.status_code)
        if response.status_code == 404:
            text = response.content.decode().replace(path, "")
            assert NAME not in text and private.commitment not in text, path
    for path in others:
        response = client.get(path)
        text = text_of(response).replace(f'value="{private.slug}"', "")
        for game in Game.objects.values_list("pk", flat=True):
            text = text.replace(f'value="{game}"', "")
        asked = path.partition("?q=")[2]
        for secret in secrets_of(private):
            assert secret == asked or secret not in text, (path, secret)
    assert not Rating.objects.exists() and not Strength.objects.exists()


def test_what_is_not_there_and_what_is_private_are_told_alike(
    client: Client, private: Tournament
) -> None:
    for prefix in ("/tournaments/", "/api/v1/tournaments/"):
        one = client.get(f"{prefix}{private.slug}/").content.decode()
        two = client.get(f"{prefix}quokka-cup-0123456789/").content.decode()
        assert _bare(one).replace(private.slug, "") == _bare(two).replace(
            "quokka-cup-0123456789", ""
        )


def _bare(text: str) -> str:
    import re

    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)


def may(client: Client, tournament: Tournament) -> bool:
    address = reverse("tournament", args=[tournament.slug])
    game = Game.objects.filter(circle=tournament.pk, status=Game.Status.SEALED).first()
    assert game is not None
    answers = {
        client.get(path).status_code == 200
        for path in (
            address,
            f"{address}?tab=log",
            f"/api/v1{address}",
            reverse("game", args=[game.pk]),
            f"/api/v1/games/{game.pk}/",
        )
    }
    assert len(answers) == 1
    return answers.pop()


def test_who_is_let_in(private: Tournament, owner: User) -> None:
    anybody = Client()
    assert not may(anybody, private)
    clients = {}
    for name in ("olga", "co", "entrant", "stranger", "boss"):
        known = User.objects.filter(username=name).first() or user(name)
        clients[name] = Client()
        clients[name].force_login(known)
    User.objects.filter(username="boss").update(is_superuser=True)
    assert may(clients["olga"], private) and may(clients["boss"], private)
    co, entrant = (User.objects.get(username=name) for name in ("co", "entrant"))
    assert not may(clients["co"], private)
    organiser_add(tournament_id=private.pk, user=co)
    assert may(clients["co"], private)
    assert not may(clients["entrant"], private)
    Tournament.objects.filter(pk=private.pk).update(late_entry=9)
    entrant_enter(tournament_id=private.pk, player=player_of(entrant))
    assert may(clients["entrant"], private)
    entrant_withdraw(tournament_id=private.pk, player=player_of(entrant))
    assert may(clients["entrant"], private), "who has left may still look"
    assert not may(clients["stranger"], private)


def test_a_private_game_is_kept_by_no_cache(client: Client, private: Tournament, owner) -> None:
    work()
    client.force_login(owner)
    game = Game.objects.filter(circle=private.pk, status=Game.Status.SEALED).first()
    assert game is not None and game.analysed
    from games.pages.stage import frames_at

    for path in (
        f"{frames_at(game)}frames/0/",
        f"/games/{game.pk}/record.jsonl",
        f"/api/v1/games/{game.pk}/record/",
    ):
        response = client.get(path)
        assert response.status_code == 200
        assert response["Cache-Control"] == "private, no-store", path


def test_an_unlisted_tournament_stands_in_no_list(client: Client, owner: User) -> None:
    unlisted = hidden(owner, "unlisted")
    assert len(unlisted.slug) > 15 and unlisted.slug != "quokka-cup", "nobody guesses it"
    assert may(client, unlisted)
    _, others = routes(unlisted)
    for path in others:
        asked = path.partition("?q=")[2]
        if _is_game(asked):
            continue
        text = text_of(client.get(path)).replace(f'value="{unlisted.slug}"', "")
        for secret in secrets_of(unlisted):
            assert secret == asked or secret not in text, (path, secret)


def _is_game(text: str) -> bool:
    try:
        return Game.objects.filter(pk=UUID(text)).exists()
    except ValueError:
        return False


def test_access_can_be_changed_with_all_games(client: Client, private: Tournament) -> None:
    work()
    assert not may(client, private)
    Tournament.objects.filter(pk=private.pk).update(status=Tournament.Status.RUNNING)
    tournament_change(tournament_id=private.pk, changes={"access": "public"})
    assert may(client, private)
    assert str(private.slug) in client.get("/tournaments/").content.decode()
    work()
    assert Rating.objects.count() == 3
    tournament_change(tournament_id=private.pk, changes={"access": "private"})
    assert not may(client, private)
    work()
    assert not Rating.objects.exists()


def test_an_invitation_lets_in_until_it_is_withdrawn(client: Client, private: Tournament) -> None:
    word = invitation_make(tournament_id=private.pk)
    link = reverse("invitation", args=[private.slug, word])
    assert client.get(reverse("invitation", args=[private.slug, "nonsense"])).status_code == 404
    assert not may(client, private)
    response = client.get(link)
    assert response.status_code == 302 and word not in response["Location"]
    assert may(client, private)
    invitation_make(tournament_id=private.pk)
    assert not may(client, private)
