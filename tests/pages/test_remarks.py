"""What became of a game after it was played is told wherever the game is shown."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Game
from tests.pages.checks import check_page
from tests.pages.test_amounts import plan
from tests.tournaments.running import QUICK, bot, started, swiss, until_round, work
from tournaments.models import Rotation, Table, Tournament
from tournaments.selectors import acts_on
from tournaments.services.entrants import no_show
from tournaments.services.results import game_void, result_correct
from tournaments.services.rounds import round_start
from tournaments.services.running import round_open

pytestmark = pytest.mark.django_db


def words(client: Client, path: str) -> str:
    response = client.get(path)
    check_page(response)
    return unescape(response.content.decode())


def corrected(tournament: Tournament, number: int, **given: Any) -> Game:
    """Correct the result of a table; return the game that was played there."""
    result_correct(tournament_id=tournament.pk, game_number=number, reason="misread", **given)
    return Table.objects.get(game_number=number).game


@pytest.fixture
def changed() -> tuple[Tournament, Game, Game]:
    """An event of six in its second round, a game of whose first was corrected, another voided."""
    tournament = swiss()
    until_round(tournament, 2)
    voided = Table.objects.get(game_number=2).game
    game_void(tournament_id=tournament.pk, game_number=2, reason="marked cards")
    return tournament, corrected(tournament, 1, scores=[777, 111]), voided


def test_a_correction_and_a_void_are_told_everywhere(client: Client, changed) -> None:
    tournament, game, voided = changed
    played = [seat.player for seat in game.seats.all()]
    told = f"was corrected to 1. {played[0]} with 777, 2. {played[1]} with 111 from "
    replay = words(client, reverse("game", args=[game.pk]))
    assert told in replay and ": misread." in replay
    void = words(client, reverse("game", args=[voided.pk]))
    assert "the game was voided and is played again as game number" in void
    assert "marked cards" in void and tournament.name in void, "it still leads to its tournament"
    at = reverse("tournament", args=[tournament.slug])
    for path, badges in (
        ("/games/", (1, 1)),
        (reverse("games-rows"), (1, 1)),
        (reverse("player", args=[played[0].pk]), (1, None)),
        (f"{at}parts/rounds/?round=1", (1, 0)),
        (f"{at}parts/games/", (1, 0)),
        (f"{at}side/", (1, 0)),
    ):
        text = unescape(client.get(path).content.decode())
        for word, count in zip(("Corrected", "Voided"), badges, strict=True):
            assert count is None or text.count(f">{word}</abbr>") == count, (path, word)
        assert told in text, path
    assert told in unescape(client.get(f"/embed/games/{game.pk}/").content.decode())
    assert told in client.get(reverse("game-narration", args=[game.pk])).content.decode()
    shown = client.get(f"/api/v1/games/{game.pk}/").json()
    assert told in shown["remark"]["text"] and shown["remark"]["word"] == "corrected"
    assert (shown["remark"]["totals"], shown["remark"]["ranks"]) == ([777, 111], [1, 2])
    assert shown["result"]["totals"] == game.result.totals != [777, 111], "the record stays"
    listed = {row["id"]: row for row in client.get("/api/v1/games/").json()["results"]}
    assert listed[str(game.pk)] == shown
    assert listed[str(voided.pk)]["remark"]["totals"] is None
    assert sum(row["remark"] is not None for row in listed.values()) == 2


def test_the_latest_correction_counts(client: Client, changed) -> None:
    tournament, game, _ = changed
    corrected(tournament, 1, scores=[3, 4])
    text = words(client, reverse("game", args=[game.pk]))
    assert "with 4, 2. " in text and "from 1. " in text and "with 777" in text
    assert client.get(f"/api/v1/games/{game.pk}/").json()["remark"]["totals"] == [3, 4]


def test_more_remarks_take_no_more_queries(client: Client, changed) -> None:
    tournament, game, _ = changed
    player = game.seats.first().player
    at = reverse("tournament", args=[tournament.slug])
    paths = ["/games/", "/api/v1/games/", f"{at}?tab=games", f"{at}?tab=rounds&round=1"]
    paths.append(reverse("player", args=[player.pk]))

    def asked() -> list[int]:
        counts = []
        for path in paths:
            with CaptureQueriesContext(connection) as counted:
                client.get(path)
            counts.append(len(counted))
        return counts

    few = asked()
    corrected(tournament, 3, scores=[1, 2])
    assert asked() == few
    with CaptureQueriesContext(connection) as counted:
        assert len(acts_on([game.pk])) == 1
    assert "tournaments_on_games" in plan(counted[0]["sql"])


def test_the_newest_game_says_so_at_home(client: Client) -> None:
    tournament = swiss(2, schedule={"rounds": "hand"})
    round_open(tournament_id=tournament.pk)
    work()
    corrected(tournament, 1, scores=[3, 4])
    text = words(client, "/")
    assert text.count(">Corrected</abbr>") == 2, "the table, and the list of games"


def test_a_no_show_is_told_of_the_game_that_was_called_off(client: Client) -> None:
    tournament = swiss()
    round_start(tournament_id=tournament.pk)
    table = Table.objects.filter(places__entrant__player=bot(1)).get()
    no_show(tournament_id=tournament.pk, player=bot(1), reason="was ill")
    text = words(client, reverse("game", args=[table.game_id]))
    assert "Greedy 1 has a forfeit loss: was ill; the opponent has a forfeit win." in text


def test_what_is_made_of_a_board_is_told_of_all_its_rotations(client: Client) -> None:
    phase = {"format": "final", "rounds": 2, "duplicate": True, "rotate": True}
    tournament = started(rules=QUICK, entrants=[{"bot": "greedy", "count": 4}], phases=[phase])
    until_round(tournament, 2)
    corrected(tournament, 1, scores=[1, 2, 3, 4])
    for rotation in Rotation.objects.filter(table__round__number=1):
        text = words(client, reverse("game", args=[rotation.game_id]))
        assert "Round 1, table 1 was corrected to 1. " in text
    rows = client.get("/api/v1/games/").json()["results"]
    assert [row["remark"]["totals"] for row in rows if row["remark"]] == [None] * 4
