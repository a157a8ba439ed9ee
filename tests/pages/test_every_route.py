"""What must hold on every route, the site's and the API's, those that come later too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from games import folds, selectors
from games.models import Game, Player, Seed
from games.services.bots import bots_play
from tests.pages.conftest import PHASE
from tests.pages.routes import addresses
from tests.tournaments.running import QUICK, started, work
from tournaments.models import Tournament
from tournaments.selectors import tournament_version
from tournaments.services.snapshots import snapshots_take
from tournaments.tasks import refit

pytestmark = pytest.mark.django_db

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
"""What differs from one answer to the next in the same world, too."""

SINGLY = ("", "?as=0", "?as=public", "?step=1", "?q=ann", "?page=1&step=0")
TOGETHER = ("", "?as=0&step=1", "?as=public&q=ann&page=1&step=0")
"""Asked for on every route, whether it knows them or not."""


def everywhere(
    game: Game, tournament: Tournament, player: Player, queries: tuple[str, ...] = ("",)
) -> list[str]:
    """The address of every route, about these."""
    values: dict[str, object] = {
        "game_id": game.pk,
        "player_id": player.pk,
        "slug": tournament.slug,
        "variant": "manipulation",
        "version": "0123abcd",
        "step": 1,
        "deal": 1,
        "number": 1,
        "tab": "standings",
        "part": "rounds",
        "word": "nothing",
        "label": "2026-01-01",
        "rest": "nothing",
        "as_of": "2026-01-01",
    }
    found = addresses(values)
    found += [
        path.replace("/standings/", f"/{tab}/")
        for path in found
        if "/parts/" in path
        for tab in ("rounds", "cross", "games", "statistics", "rules", "log")
    ]
    return [path + query for path in found for query in queries]


def answers(client: Client, paths: list[str]) -> dict[str, tuple[int, bytes]]:
    """What stands at addresses; a stream tells only that something grew, so it is left unread."""
    got: dict[str, tuple[int, bytes]] = {}
    for path in paths:
        response: Any = client.get(path)
        content = b"" if response.streaming else TOKEN.sub(b"", response.content)
        got[path] = (response.status_code, content)
    return got


def test_whatever_is_hidden_no_route_shows(
    client: Client, mid_game: Game, running: Tournament, amount
) -> None:
    """Two worlds that differ only in what nobody may know give the same bytes on every route."""
    player = mid_game.seats.all()[1].player
    paths = everywhere(mid_game, running, player, amount(TOGETHER, SINGLY))
    one = answers(client, paths)
    secret = bytes(mid_game.seed.value)
    assert secret.hex().encode() not in b"".join(content for _, content in one.values())
    hidden = Seed.objects.exclude(games__status=Game.Status.SEALED)
    assert hidden.filter(pk=mid_game.seed_id).update(value=bytes(32)) == 1
    hidden.update(value=bytes(32))
    Tournament.objects.filter(pk=running.pk).update(seed=bytes(32))
    selectors._replays.clear()
    folds._cache.clear()
    two = answers(client, paths)
    for path in paths:
        assert one[path] == two[path], path


def test_a_hidden_board_tells_nothing_before_its_round_is_over(client: Client) -> None:
    """While other tables play the same deals nobody may even know how far one is."""
    phase = {"format": "swiss", "table_size": 2, "rounds": 2, "duplicate": True}
    field = [{"bot": "greedy", "count": 2}, {"bot": "random", "count": 2}]
    tournament = started(rules=QUICK, entrants=field, phases=[phase])
    work(1)
    games = Game.objects.order_by("pk")
    first = games[0]
    player = first.seats.all()[0].player
    paths = everywhere(first, tournament, player)
    before = answers(client, paths), tournament_version(tournament.pk)
    bots_play(game_id=first.pk, seq=first.seq)
    assert Game.objects.get(pk=first.pk).seq > first.seq and games.count() == 2
    after = answers(client, paths), tournament_version(tournament.pk)
    assert before[1] == after[1]
    for path in paths:
        assert before[0][path] == after[0][path], path


def test_no_route_fails(client: Client, sealed: Game, ended: Tournament, amount) -> None:
    """Whatever is asked, the answer is a page, a refusal or a redirect, never an error of ours."""
    player = sealed.seats.all()[0].player
    got = answers(client, everywhere(sealed, ended, player, amount(TOGETHER, SINGLY)))
    assert not {path: status for path, (status, _) in got.items() if status >= 500}
    shown = {
        resolve(path.partition("?")[0]).route for path, (status, _) in got.items() if status == 200
    }
    assert len(shown) > 30, shown


def test_queries_of_no_route_grow_with_rows(
    client: Client, sealed: Game, ended: Tournament
) -> None:
    """A larger field, more games, opponents, ratings: no page asks the database more often."""
    player = Player.objects.get(name="Greedy 1")

    def asked(tournament: Tournament) -> dict[str, int]:
        found = {}
        for path in everywhere(sealed, tournament, player):
            with CaptureQueriesContext(connection) as counted:
                client.get(path)
            found[path.replace(tournament.slug, "slug")] = len(counted)
        return found

    refit(ended.variant, 0, 0)
    snapshots_take()
    few = asked(ended)
    field = [{"bot": "greedy", "count": 6}, {"bot": "random", "count": 5}]
    larger = started(name="Larger", rules=QUICK, entrants=field, phases=[PHASE])
    work()
    refit(larger.variant, 0, 0)
    snapshots_take()
    many = asked(larger)
    assert few.keys() == many.keys() and len(few) > 40
    assert {path: n for path, n in many.items() if n > few[path]} == {}
