"""The reading API: shapes, pages, refusals, and what a running game must not tell."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from uuid6 import uuid7

from engine.verify import verify
from games import tasks as games_tasks
from games.models import Game
from games.services.bots import bots_play
from tests.games.helpers import new_game
from tests.tournaments.running import started, work
from tournaments import tasks
from tournaments.models import Tournament
from tournaments.services.snapshots import snapshots_take

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(games_tasks, "ring_for", lambda row: None)


def get(client: Client, path: str, status: int = 200) -> Any:
    response = client.get(f"/api/v1{path}")
    assert response.status_code == status, response.content
    if response["Content-Type"] == "application/x-ndjson":
        return response.content
    return json.loads(response.content)


@pytest.fixture
def ended() -> Tournament:
    tournament = started()
    work()
    tournament.refresh_from_db()
    return tournament


def test_tournaments(client: Client, ended: Tournament) -> None:
    (listed,) = get(client, "/tournaments/")["results"]
    shown = get(client, f"/tournaments/{ended.slug}/")
    assert shown == listed
    assert (shown["status"], shown["entrants"]) == ("ended", 5)
    assert shown["seed"] == bytes(ended.seed).hex()
    assert get(client, "/tournaments/?status=running")["results"] == []
    refused = get(client, "/tournaments/?status=lost", 400)
    assert refused["detail"] == "status must be one of open, running, ended"


def test_a_running_tournament_keeps_its_seed(client: Client) -> None:
    tournament = started()
    work(3)
    shown = get(client, f"/tournaments/{tournament.slug}/")
    assert shown["seed"] is None and shown["commitment"] == tournament.commitment
    everything = json.dumps([shown, get(client, f"/tournaments/{tournament.slug}/log/")])
    assert bytes(tournament.seed).hex() not in everything


def test_standings_and_games(client: Client, ended: Tournament) -> None:
    standings = get(client, f"/tournaments/{ended.slug}/standings/")
    assert standings["phase"]["status"] == "closed"
    assert standings["rows"][0]["rank"] == 1
    assert len(standings["rows"]) == 5
    tables = get(client, f"/tournaments/{ended.slug}/games/")["results"]
    assert len(tables) == 4
    assert all(len(table["places"]) == 3 and table["played"] for table in tables)
    log = get(client, f"/tournaments/{ended.slug}/log/")
    assert log["seq"] == len(log["lines"])


def test_a_record_verifies(client: Client, ended: Tournament) -> None:
    games = get(client, "/games/")["results"]
    assert len(games) == 4
    for game in games:
        assert get(client, f"/games/{game['id']}/") == game
        for accept in ("application/x-ndjson", "application/json", "*/*"):
            path = f"/api/v1/games/{game['id']}/record/"
            assert client.get(path, headers={"accept": accept}).status_code == 200
        data = get(client, f"/games/{game['id']}/record/")
        record = verify(data, head=game["head"])
        assert list(record.events[0].seats) == [seat["player"]["id"] for seat in game["seats"]]
        log = get(client, f"/games/{game['id']}/log/?after=3")
        assert (log["seq"], len(log["lines"])) == (game["seq"], game["seq"] - 3)


def test_a_running_game_tells_no_secret(client: Client) -> None:
    game = new_game()
    shown = get(client, f"/games/{game.pk}/")
    assert (shown["status"], shown["head"], shown["result"]) == ("running", None, None)
    refused = get(client, f"/games/{game.pk}/record/", 409)
    assert refused["code"] == "conflict" and "not sealed yet" in refused["detail"]
    text = json.dumps([shown, get(client, f"/games/{game.pk}/log/")])
    assert bytes(game.seed.value).hex() not in text


def test_a_game_of_a_shared_seed_is_hidden(client: Client) -> None:
    game = new_game()
    Game.objects.filter(pk=game.pk).update(shared_seed=True)
    for path in ("", "log/", "record/"):
        hidden = get(client, f"/games/{game.pk}/{path}", 404)
        absent = get(client, f"/games/{(other := uuid7())}/{path}", 404)
        assert hidden["detail"].replace(str(game.pk), "") == absent["detail"].replace(
            str(other), ""
        )
    assert get(client, "/games/")["results"] == []


def test_games_are_filtered(client: Client) -> None:
    one, other = new_game(), new_game(length="deals", deals=1)
    while other.status == "running":
        bots_play(game_id=other.pk, seq=other.seq)
        other.refresh_from_db()
    player = one.seats.first().player
    ids = [game["id"] for game in get(client, f"/games/?player={player.pk}")["results"]]
    assert ids == [str(one.pk)]
    ids = [game["id"] for game in get(client, "/games/?status=over")["results"]]
    assert ids == [str(other.pk)]
    for query, message in [
        ("status=x", "status must be one of running, over, sealed"),
        ("variant=x", "variant 'x' is unknown; known are: manipulation"),
        ("player=x", "player must be a uuid, not 'x'"),
    ]:
        assert message in get(client, f"/games/?{query}", 400)["detail"]
    missing = get(client, f"/games/?player={uuid7()}", 404)
    assert "there is no player" in missing["detail"]
    assert "after must be a seq" in get(client, f"/games/{one.pk}/log/?after=x", 400)["detail"]


def test_leaderboards_and_players(client: Client, ended: Tournament) -> None:
    assert get(client, "/leaderboards/")["manipulation"] == "Manipulation"
    shown = get(client, "/leaderboards/manipulation/")
    board = shown["results"]
    ratings = [row["rating"] for row in board]
    assert len(board) == 5 and ratings == sorted(ratings, reverse=True)
    assert shown["games"] == shown["deal_sets"] == len(get(client, "/games/")["results"])
    for row in board:
        above = sum(other["low"] > row["high"] for other in board)
        below = sum(other["high"] < row["low"] for other in board)
        assert (row["rank_best"], row["rank_worst"]) == (1 + above, 5 - below)
        assert row["provisional"] and row["running"]["games"] == row["games"]
    player = board[0]["player"]
    assert get(client, f"/players/{player['id']}/") == player
    assert "there is no game 'chess'" in get(client, "/leaderboards/chess/", 404)["detail"]
    assert (
        "seats must be one of" in get(client, "/leaderboards/manipulation/?seats=9", 400)["detail"]
    )


def test_leaderboards_are_filtered_and_come_in_pages(
    client: Client, ended: Tournament, django_assert_max_num_queries
) -> None:
    empty = get(client, "/leaderboards/manipulation/?seats=2")
    assert (empty["as_of"], empty["games"], empty["results"]) == (None, 0, [])
    assert get(client, "/leaderboards/manipulation/?kind=person")["results"] == []
    first = get(client, "/leaderboards/manipulation/?page_size=3&kind=bot")
    with django_assert_max_num_queries(5):
        rest = client.get(first["next"]).json()
    ids = [row["player"]["id"] for row in first["results"] + rest["results"]]
    assert len(ids) == len(set(ids)) == 5 and rest["next"] is None
    assert rest["results"][-1]["rank_worst"] == 5, "ranked among all, not among the page"


def test_snapshots(client: Client, ended: Tournament) -> None:
    snapshots_take()
    found = get(client, "/snapshots/")["results"]
    assert {snapshot["kind"] for snapshot in found} == {"leaderboard", "standings", "heads"}
    for snapshot in found:
        body = client.get(snapshot["path"]).content
        assert sha256(body).hexdigest() == snapshot["sha256"]
    (one,) = get(client, f"/snapshots/?tournament={ended.slug}&kind=standings")["results"]
    assert one["tournament"] == ended.slug
    assert get(client, "/snapshots/?variant=manipulation&kind=heads")["results"] == []
    assert "kind must be one of" in get(client, "/snapshots/?kind=x", 400)["detail"]


def test_nothing_can_be_written(client: Client, ended: Tournament) -> None:
    for method in (client.post, client.put, client.patch, client.delete):
        assert method("/api/v1/tournaments/").status_code in (401, 403, 405)


@pytest.mark.parametrize(
    "path",
    ["/games/nonsense/", "/tournaments/none/", "/tournaments/none/log/", "/nothing/", "/nothing"],
)
def test_what_is_not_there(client: Client, path: str) -> None:
    told = get(client, path, 404)
    assert told["code"] == "not_found" and told["detail"]


def test_every_refusal_is_json(client: Client) -> None:
    for path, status in (("/nothing/", 404), ("/players/x/", 404), ("/games/", 403)):
        response = client.post(f"/api/v1{path}")
        assert (response.status_code, response["Content-Type"]) == (status, "application/json")
    assert client.get("/api/v1/games?status=over")["Location"] == "/api/v1/games/?status=over"


def test_pages_are_limited(client: Client, django_assert_max_num_queries) -> None:
    for _ in range(5):
        new_game()
    page = get(client, "/games/?page_size=2")
    assert len(page["results"]) == 2 and page["next"]
    with django_assert_max_num_queries(4):
        get(client, "/games/?page_size=100")


def test_the_openapi_file_and_its_page(client: Client) -> None:
    schema = get(client, "/openapi.json")
    paths = set(schema["paths"])
    assert {"/api/v1/games/{game_id}/record/", "/api/v1/tournaments/{slug}/standings/"} <= paths
    assert client.get("/api/v1/docs/").status_code == 200
