"""How the page of standings tells what decided between equals: columns, byes, lots, ties."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from games import tasks as game_tasks
from games.models import Player
from tests.tournaments.running import QUICK, log_of, row_of, started, work
from tournaments import log, tasks
from tournaments.models import Phase, Table, Tournament
from tournaments.services import pairings, results
from tournaments.services.standings import refresh_standings
from tournaments.standings.metrics import TIE_BREAKS

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hint goes to a broker."""
    monkeypatch.setattr(game_tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)


def won(tournament: Tournament, round_: int, winner: Player | None) -> None:
    """Correct the only game of a round: somebody wins it, or it is a draw."""
    table = Table.objects.get(round__phase__tournament=tournament, round__number=round_)
    seats = [place.entrant.player for place in table.places.select_related("entrant__player")]
    scores = [6 if seat == winner else 5 for seat in seats]
    results.result_correct(
        tournament_id=tournament.pk, game_number=table.game_number, scores=scores, reason="misread"
    )


@pytest.fixture
def three() -> tuple[Tournament, list[Player]]:
    """Three entrants after two rounds: the first has won once and had a bye, then two have 1 point.

    One of these has it of a game, the other of a bye; the first of them won where they met.
    """
    field = [{"bot": "greedy", "count": 3}]
    phases = [{"format": "swiss", "table_size": 2, "rounds": 3}]
    tournament = started(rules=QUICK, entrants=field, phases=phases)
    players = {str(e.player_id): e.player for e in tournament.entrants.select_related("player")}
    best: Any = None
    for round_ in (1, 2):
        while not Table.objects.filter(round__phase__tournament=tournament, round__number=round_):
            assert work(1)
        pairings.tournament_pause(tournament_id=tournament.pk)
        work()
        paired = log_of(tournament, "paired")[-1]
        if round_ == 1:
            best = paired["byes"][0]["player"]
            second = paired["tables"][0]["seats"][0]
        won(tournament, round_, players[second if round_ == 1 else best])
        if round_ == 1:
            pairings.tournament_resume(tournament_id=tournament.pk)
    (third,) = players.keys() - {best, second}
    assert log_of(tournament, "paired")[-1]["byes"][0]["player"] == third
    return tournament, [players[best], players[second], players[third]]


def rows_by(tournament: Tournament, client: Any, *keys: str) -> dict[str, tuple[str, str]]:
    """By name, the rank and the badge that the page shows once ties are broken by these keys."""
    phase = tournament.phases.get()
    Phase.objects.filter(pk=phase.pk).update(tie_breaks=list(keys))
    phase.refresh_from_db()
    refresh_standings(phase, log.read(tournament).phase(1))
    text = unescape(client.get(f"/tournaments/{tournament.slug}/").content.decode())
    for key in keys:
        column = TIE_BREAKS[key]
        assert f'title="{column.name}: {column.definition}"' in text
    found = {}
    for row in re.findall(r"<tr><td class=\"is-rank\">.*?</tr>", text, re.S):
        rank = re.match(r"<tr><td class=\"is-rank\">(.*?)</td>", row)
        badge = re.search(r"were broken by (.*?), in which a bye counted", row)
        (name,) = (f"Greedy {number}" for number in (1, 2, 3) if f">Greedy {number}<" in row)
        assert rank is not None
        found[name] = rank[1], badge[1] if badge else ""
    return found


def test_every_column_says_what_it_is_and_whether_a_bye_decided(three: Any, client: Any) -> None:
    tournament, players = three
    best, second, third = (player.name for player in players)
    assert [row_of(tournament, player).points for player in players] == ["2", "1", "1"]
    for key, column in TIE_BREAKS.items():
        shown = rows_by(tournament, client, key)
        assert shown[best] == ("1", ""), "nobody is level with the first"
        if key in ("lot", "seed"):
            assert sorted(shown[name] for name in (second, third)) == [("2", ""), ("3", "")]
        else:
            said = column.name.lower() if column.counts_byes else ""
            assert (shown[second], shown[third]) == (("2", said), ("3", said)), key


def test_ties_are_shown_as_ties_or_broken_by_the_recorded_lot(three: Any, client: Any) -> None:
    tournament, players = three
    best, second, third = (player.name for player in players)
    assert rows_by(tournament, client) == {best: ("1", ""), second: ("2", ""), third: ("2", "")}
    won(tournament, 1, None)
    won(tournament, 2, None)
    # Now the first has a bye and a draw, the second two draws, the third a draw and a bye.
    shown = rows_by(tournament, client, "wins", "best_table", "direct")
    assert (shown[best][0], shown[third][0], shown[second][0]) == ("1", "1", "3")
    lots = log_of(tournament, "phase_started")[0]["lots"]
    drawn = sorted((players[0], players[2]), key=lambda player: lots[str(player.pk)])
    shown = rows_by(tournament, client, "wins", "best_table", "direct", "lot")
    assert [shown[player.name] for player in drawn] == [("1", ""), ("2", "")]
    assert row_of(tournament, drawn[0]).metrics["lot"] == str(lots[str(drawn[0].pk)])
