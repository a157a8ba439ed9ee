"""Lists narrowed by their addresses: what is found, paging, what is refused, without a reload."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from games.models import Game, Player
from tests.pages.checks import check_html, check_page
from tests.tournaments.boards import players, stored_games
from tests.tournaments.running import QUICK, started, work
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


PAIRS = {"format": "round_robin", "table_size": 2}


def duel(bot: str) -> list[dict[str, object]]:
    """Two bots of one kind."""
    return [{"bot": bot, "count": 2}]


def shown(client: Client, path: str) -> str:
    response = client.get(path)
    check_page(response)
    return response.content.decode()


def ids(text: str) -> set[str]:
    return set(re.findall(r'href="/games/([0-9a-f-]{36})/"', text))


def test_games_are_found_by_kind_seats_state_and_players(
    client: Client, sealed: Game, mid_game: Game, ended: Tournament
) -> None:
    started(name="Gin", variant="gin", rules={}, entrants=duel("simple"), phases=[PAIRS])
    work(2)
    games = Game.objects.prefetch_related("seats__player").select_related("result")
    all_of_them = {str(game.pk): game for game in games}
    assert any(game.variant == "gin" for game in all_of_them.values())

    def are(want) -> set[str]:
        return {pk for pk, game in all_of_them.items() if want(game)}

    def names(game: Game) -> list[str]:
        return [seat.player.name for seat in game.seats.all()]

    for query, want in {
        "": lambda g: True,
        "variant=gin": lambda g: g.variant == "gin",
        "seats=3": lambda g: len(names(g)) == 3,
        "seats=5": lambda g: False,
        "state=running": lambda g: not g.is_sealed,
        "state=finished": lambda g: g.is_sealed and bool(g.result.winners),
        "state=called_off": lambda g: g.is_sealed and not g.result.winners,
        "player=Ann": lambda g: "Ann" in names(g),
        "player=greedy 1": lambda g: "Greedy 1" in names(g),
        "player=rand": lambda g: any("Rand" in name for name in names(g)),
        f"player={sealed.seats.all()[0].player.pk}": lambda g: "Greedy 9" in names(g),
        "player=greedy&against=random 1": lambda g: (
            any("Greedy" in n for n in names(g)) and "Random 1" in names(g)
        ),
        "state=finished&seats=3&variant=manipulation&player=greedy 9": lambda g: g.pk == sealed.pk,
    }.items():
        assert ids(shown(client, f"/games/?{query}")) == are(want), query


def test_tournaments_are_found_by_kind_size_state_and_players(
    client: Client, ended: Tournament, running: Tournament
) -> None:
    started(name="Duels", rules=QUICK, entrants=duel("careful"), phases=[PAIRS])
    Tournament.objects.filter(name="Duels").update(entry_open=True)
    everywhere = {"Small open", "Running open", "Duels"}
    for query, names in {
        "": everywhere,
        "variant=gin": set(),
        "seats=2": {"Duels"},
        "seats=3": everywhere - {"Duels"},
        "state=ended": {"Small open"},
        "state=running": everywhere - {"Small open"},
        "player=careful": {"Duels"},
        "player=greedy&state=running": {"Running open"},
        "entry=open": {"Duels"},
        "entry=invited&state=ended": {"Small open"},
    }.items():
        text = shown(client, f"/tournaments/?{query}")
        assert {name for name in everywhere if f">{name}</a>" in text} == names, query


def test_pages_keep_the_filter_and_empty_lists_say_why(client: Client) -> None:
    a, b = players(2)
    stored_games([([a, b], [2, 1])] * 30)
    text = shown(client, f"/games/?player={a.name}&page=2")
    assert "Page 2 of 2" in text and "30 games" in text and len(ids(text)) == 5
    assert "?player=Player+1&amp;page=1" in text
    assert "No game is like that" in shown(client, "/games/?seats=5")
    lost = shown(client, "/games/?player=%3Cb%3ENobody")
    assert "Nobody here is called “&lt;b&gt;Nobody”" in lost and not ids(lost)
    assert "No tournament is like that" in shown(client, "/tournaments/?state=open")
    assert "Nobody here is called" in shown(client, "/tournaments/?player=zz")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("state=lost", "there is no state &#x27;lost&#x27; to choose; it is one of running"),
        ("variant=whist", "it is one of manipulation, gin, hollywood-gin, oklahoma-gin"),
        ("seats=6", "it is one of 2, 3, 4, 5"),
        ("seats=x", "it is one of 2, 3, 4, 5"),
    ],
)
def test_what_cannot_be_chosen_is_refused_by_name(client: Client, query: str, words: str) -> None:
    for path in ("/games/", "/tournaments/"):
        response = client.get(f"{path}?{query}")
        check_page(response, 404)
        assert words in response.content.decode().replace("There", "there")


def test_a_fragment_has_the_rows_and_names_the_address_of_its_page(
    client: Client, ended: Tournament
) -> None:
    for path, page in (("/games/rows/", "/games/"), ("/rows/tournaments/", "/tournaments/")):
        response = client.get(path, {"variant": "manipulation", "seats": "", "player": "greedy 1"})
        check_html(response.content.decode())
        assert response["HX-Replace-Url"] == f"{page}?variant=manipulation&player=greedy+1"
        assert client.get(path)["HX-Replace-Url"] == page
        assert b"<html" not in response.content and b'id="rows"' in response.content


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_list_is_narrowed_in_place_and_by_plain_links(open_page, ended: Tournament) -> None:
    Player.objects.create(kind=Player.Kind.PERSON, name="Ann")
    page = open_page("/games/")
    page.evaluate("window.kept = true")
    page.get_by_label("Player", exact=True).fill("nobody")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nobody here is called")).to_be_visible()
    page.get_by_label("Player", exact=True).fill("random 1")
    page.get_by_label("State").select_option("finished")
    expect(page.locator(".c-found")).to_be_visible()
    assert page.url.endswith("/games/?state=finished&player=random+1")
    assert page.evaluate("window.kept")
    page.reload()
    assert page.get_by_label("State").input_value() == "finished"
    assert page.get_by_label("Player", exact=True).input_value() == "random 1"
    page.context.close()
    plain = open_page("/tournaments/", java_script_enabled=False)
    plain.get_by_label("State").select_option("ended")
    plain.get_by_role("button", name="Show", exact=True).click()
    expect(plain).to_have_url(re.compile(r"state=ended"))
    expect(plain.get_by_role("link", name="Small open")).to_be_visible()
