"""What the tests of pages share."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from hashlib import sha256
from threading import Thread
from typing import Any, NamedTuple

import pytest
import uvicorn
from django.core.asgi import get_asgi_application
from django.db import connection
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from config.stack.browser import find_chromium
from engine.variants import find_variant
from games import tasks as game_tasks
from games.models import Game, Player
from games.services.bots import bots_play, builtin_bot
from games.services.games import game_create
from tests.kept import kept
from tests.pages.chromium import size_of
from tests.tournaments.running import QUICK, started, work
from tournaments import tasks as tournament_tasks
from tournaments.models import Tournament

FIELD = [{"bot": "greedy", "count": 2}, {"bot": "random", "count": 2}]
PHASE = {"format": "round_robin", "table_size": 3}

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]

LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""


@pytest.fixture(autouse=True)
def nobody_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hint goes to a broker; tests do what is due themselves."""
    monkeypatch.setattr(game_tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tournament_tasks, "ring_for", lambda row: None)


@pytest.fixture
def ended(db: None) -> Tournament:
    """A tournament of four bots that is over."""

    def make() -> Tournament:
        tournament = started(rules=QUICK, entrants=FIELD, phases=[PHASE])
        work()
        return tournament

    tournament = kept("ended", make)
    assert tournament.status == Tournament.Status.ENDED
    return tournament


@pytest.fixture
def running(db: None) -> Tournament:
    """A tournament in its second round, whose table has not begun to play."""

    def make() -> Tournament:
        tournament = started(name="Running open", rules=QUICK, entrants=FIELD, phases=[PHASE])
        while not tournament.phases.get().rounds.filter(number=2).exists():
            work(1)
        return tournament

    return kept("running", make)


@pytest.fixture
def sealed(db: None) -> Game:
    """A game of two deals at three seats whose seed is revealed."""

    def make() -> Game:
        bots = [builtin_bot(policy=name, number=9) for name in ("greedy", "random", "faulty")]
        game = game_create(
            variant=find_variant("manipulation"),
            rules={"length": "deals", "deals": 2, "target_bonus": 50},
            players=bots,
            seed=sha256(b"pages").digest(),
        )
        work()
        return game

    game = kept("sealed", make)
    assert game.is_sealed and game.deal == 2
    return game


@pytest.fixture
def mid_game(db: None) -> Game:
    """A game in which two bots have played and a person is on turn."""
    person = Player.objects.create(kind=Player.Kind.PERSON, name="Ann")
    bots = [builtin_bot(policy="greedy", number=number) for number in (1, 2)]
    for number in range(20):
        seed = sha256(b"secrecy%d" % number).digest()
        game = game_create(
            variant=find_variant("manipulation"), rules={}, players=[person, *bots], seed=seed
        )
        bots_play(game_id=game.pk, seq=game.seq)
        game.refresh_from_db()
        if game.seq > 4:
            return game
    raise AssertionError("bots never played")


class Site(NamedTuple):
    """A site that is served."""

    url: str


@pytest.fixture
def served(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The site behind the web server of production; streams need one."""
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)  # its threads come and go
    with socket.create_server(("127.0.0.1", 0)) as door:
        config = uvicorn.Config(
            get_asgi_application(),
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        yield Site(f"http://127.0.0.1:{door.getsockname()[1]}")
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How a Chromium is started; without one these tests are skipped, or fail if it is required."""
    path = find_chromium(os.environ)
    if path is None:
        reason = os.environ.get("CHROMIUM_MISSING", "no Chromium: install one or set CHROMIUM")
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return {"executable_path": path, "args": ARGUMENTS}


def is_complaint(message: ConsoleMessage) -> bool:
    """Say whether a browser complains; that a form was refused is no fault."""
    refused = "the server responded with a status of 422" in message.text
    return message.type in ("error", "warning") and not refused


@pytest.fixture
def open_page(browser: Browser, served: Site) -> Iterator[Callable[..., Page]]:
    """Open pages of the site in contexts of their own; nothing may be refused or go wrong."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_(
        path: str, *, width: int = 1440, theme: str = "", deck: str = "", **options: Any
    ) -> Page:
        context = browser.new_context(viewport=size_of(width), base_url=served.url, **options)
        context.set_default_timeout(10_000)
        for name, value in (("theme", theme), ("deck", deck)):
            if value:
                context.add_cookies([{"name": name, "value": value, "url": served.url}])
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(LISTEN)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda m: wrong.append(m.text) if is_complaint(m) else None)
        page.goto(path)
        return page

    yield open_
    for context in contexts:
        for page in context.pages:
            if context.pages and page.url.startswith("http"):
                wrong += page.evaluate("window.refused ?? []")
        context.close()
    assert wrong == []
