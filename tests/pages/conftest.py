"""What the tests of pages share."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from hashlib import sha256
from threading import Thread
from typing import NamedTuple

import pytest
import uvicorn
from django.core.asgi import get_asgi_application
from django.db import connection

from engine.variants import find_variant
from games import tasks as game_tasks
from games.models import Game, Player
from games.services.bots import bots_play, builtin_bot
from games.services.games import game_create
from tests.tournaments.running import QUICK, started, work
from tournaments import tasks as tournament_tasks
from tournaments.models import Tournament

FIELD = [{"bot": "greedy", "count": 2}, {"bot": "random", "count": 2}]
PHASE = {"format": "round_robin", "table_size": 3}


@pytest.fixture(autouse=True)
def nobody_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hint goes to a broker; tests do what is due themselves."""
    monkeypatch.setattr(game_tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tournament_tasks, "ring_for", lambda row: None)


@pytest.fixture
def ended(db: None) -> Tournament:
    """A tournament of four bots that is over."""
    tournament = started(rules=QUICK, entrants=FIELD, phases=[PHASE])
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    return tournament


@pytest.fixture
def running(db: None) -> Tournament:
    """A tournament in its second round, whose table has not begun to play."""
    tournament = started(name="Running open", rules=QUICK, entrants=FIELD, phases=[PHASE])
    while not tournament.phases.get().rounds.filter(number=2).exists():
        work(1)
    return tournament


@pytest.fixture
def sealed(db: None) -> Game:
    """A game of two deals at three seats whose seed is revealed."""
    bots = [builtin_bot(policy=name, number=9) for name in ("greedy", "random", "faulty")]
    game = game_create(
        variant=find_variant("manipulation"),
        rules={"length": "deals", "deals": 2, "target_bonus": 50},
        players=bots,
        seed=sha256(b"pages").digest(),
    )
    work()
    game.refresh_from_db()
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
