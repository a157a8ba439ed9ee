"""The home page: a table that follows its game, what runs and comes next, the newest ranks."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from playwright.sync_api import expect

from games.models import Access, Game
from games.pages import live
from games.services.bots import bots_play
from tests.pages.checks import check_html, check_page
from tests.pages.chromium import replay_of
from tests.tournaments.boards import players, stored_games
from tests.tournaments.running import QUICK, started, work
from tournaments.models import Tournament
from tournaments.services.refits import leaderboard_refit

pytestmark = pytest.mark.django_db


def home(client: Client) -> str:
    response = client.get("/")
    check_page(response)
    return response.content.decode()


def table_of(text: str) -> str:
    found = re.search(r'<a class="c-btn" href="([^"]+)">', text[text.index("c-live-end") :])
    assert found
    return found[1]


def test_before_anything_was_played(client: Client, db: None) -> None:
    text = home(client)
    assert "No game has been played yet" in text and "Nobody is ranked yet" in text
    assert "data-stream" not in text and "Pause updates" not in text


def test_when_nothing_runs_the_newest_game_is_shown_as_it_ended(
    client: Client, sealed: Game, ended: Tournament
) -> None:
    text = home(client)
    newest = Game.objects.filter(status=Game.Status.SEALED).order_by("-pk").first()
    assert newest is not None and table_of(text) == replay_of(newest)
    assert "The latest game" in text and "data-stream" not in text and "c-felt" in text
    assert "is-live" not in text and "live.js" not in text
    assert (
        client.get("/table/stream/", {"since": f"{newest.pk}.{newest.seq}.done"}).status_code == 204
    )


def test_the_running_game_that_began_first_is_shown_and_no_other(
    client: Client, ended: Tournament, mid_game: Game
) -> None:
    started(name="Later", rules=QUICK)
    work(1)
    first, *others = Game.objects.filter(status=Game.Status.RUNNING).order_by("started_at")
    assert others
    text = home(client)
    assert table_of(text) == replay_of(first)
    assert 'data-stream="/table/stream/"' in text and "At the table now" in text
    part = client.get("/table/")
    check_html(part.content.decode())
    assert table_of(part.content.decode()) == replay_of(first)
    assert client.get("/table/", headers={"If-None-Match": part["ETag"]}).status_code == 304
    for hide in ({"access": Access.PRIVATE}, {"access": Access.PUBLIC, "shared_seed": True}):
        Game.objects.filter(pk=first.pk).update(**hide)
        assert table_of(home(client)) != replay_of(first), hide


def test_what_runs_and_comes_next_stands_before_what_is_over(
    client: Client, ended: Tournament
) -> None:
    assert "Running and next" not in home(client) and f">{ended.name}</a>" in home(client)
    started(name="Playing", rules=QUICK)
    text = home(client)
    assert "Running and next" in text and f">{ended.name}</a>" not in text
    assert ">Playing</a>" in text


def test_the_leaderboard_is_the_one_fitted_last(client: Client, db: None) -> None:
    stored_games([(players(2), [2, 1])])
    leaderboard_refit(variant="manipulation")
    leaderboard_refit(variant="gin")
    assert "Leaderboard: Manipulation" in home(client), "that of gin has no game"
    with CaptureQueriesContext(connection) as few:
        home(client)
    stored_games([(players(2), [2, 1]) for _ in range(9)], name="More")
    leaderboard_refit(variant="manipulation")
    with CaptureQueriesContext(connection) as many:
        home(client)
    assert len(many) == len(few)


@pytest.mark.django_db(transaction=True)
def test_the_stream_tells_of_every_game_until_nothing_is_left(
    running: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "INTERVAL_S", 0.01)

    def work_apart(limit: int) -> int:
        done = work(limit)
        connection.close()
        return done

    async def listen() -> list[str]:
        response = await AsyncClient().get("/table/stream/")
        heard = []
        async for part in response:
            heard.append(part.decode())
            await sync_to_async(work_apart, thread_sensitive=False)(3)
        return heard

    heard = async_to_sync(listen)()
    games = {message.split("data: ")[1].split(".")[0] for message in heard}
    assert len(games) > 1 and heard[-1].rstrip().endswith(".done")
    assert ".waits" in "".join(heard), "between two rounds"


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_table_follows_its_game_until_it_is_paused(open_page, running: Tournament) -> None:
    game = Game.objects.filter(status=Game.Status.RUNNING).earliest("started_at", "pk")
    other, page = open_page("/"), open_page("about:blank")
    with page.expect_response(f"**{reverse('home-table')}"):  # a stream begins with what is now
        page.goto("/")
    told = page.locator(".c-live-end p")
    expect(told).to_contain_text("begins with")
    pause = page.get_by_role("button", name="Pause updates")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    bots_play(game_id=game.pk, seq=game.seq)
    expect(other.locator(".c-live-end p")).not_to_contain_text("begins with")
    expect(told).to_contain_text("begins with")
    pause.click()
    expect(told).not_to_contain_text("begins with")
    work()
    expect(page.locator(".c-live-end .c-badge")).to_have_text("Finished")
    newest = Game.objects.order_by("-pk")[0]
    expect(page.get_by_role("link", name="Replay it")).to_have_attribute("href", replay_of(newest))
    expect(page.locator("#live")).not_to_have_attribute("data-live", "")
