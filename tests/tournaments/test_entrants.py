"""Late entry, withdrawal, return, disqualification, byes and no-shows."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from engine.errors import BadInput
from games.models import Game
from games.public import Conflict, NotFound
from games.services.games import game_abort, game_play
from tests.tournaments.running import (
    QUICK,
    SWISS,
    bot,
    log_of,
    refused,
    row_of,
    started,
    swiss,
    until_round,
    work,
)
from tournaments.formats.base import ByeKind
from tournaments.models import Bye, Round, Table, Tournament
from tournaments.services import entrants
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import results_take, round_start
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import parse_spec

pytestmark = pytest.mark.django_db


def test_a_late_entrant_has_zero_byes_for_the_rounds_missed() -> None:
    tournament = swiss(late_entry=2)
    until_round(tournament, 1)
    entrants.entrant_enter(tournament_id=tournament.pk, player=bot(20))
    assert log_of(tournament, "entered")[-1] == {
        "player": str(bot(20).pk),
        "number": 7,
        "phase": 1,
        "missed": [1],
        "lot": 7,
    }
    late = row_of(tournament, bot(20))
    assert (late.points, late.byes, late.rank) == ("0", 1, late.rank)
    until_round(tournament, 2)
    assert Bye.objects.filter(round__number=2).count() == 1, "seven are odd"
    refused(
        tournament,
        Conflict,
        "too late to enter: Small open takes entries until round 2 is paired",
        entrants.entrant_enter,
        player=bot(21),
    )
    refused(
        tournament,
        Conflict,
        "Greedy 20 has entered already, as number 7",
        entrants.entrant_enter,
        player=bot(20),
    )
    work()
    assert rebuild() == []


def test_no_late_entry_where_none_is_stated() -> None:
    tournament = swiss()
    refused(
        tournament,
        Conflict,
        "has started, and takes no late entries",
        entrants.entrant_enter,
        player=bot(20),
    )
    with pytest.raises(BadInput, match="late_entry=2, but the rounds of a round_robin are planned"):
        started(late_entry=2)


def test_entering_before_the_start() -> None:
    spec = {"name": "x", "rules": QUICK, "entrants": [{"bot": "greedy"}], "phases": [SWISS]}
    with pytest.raises(BadInput, match=r"phases\[1\]: swiss: a round needs at least 2 entrants"):
        parse_spec(spec)
    spec["entrants"] = [{"bot": "greedy", "count": 2}]
    tournament = tournament_create(spec=parse_spec(spec))
    entrants.entrant_enter(tournament_id=tournament.pk, player=bot(20), by=bot(1))
    assert json.loads(tournament.events.last().body)["by"] == str(bot(1).pk)
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(1))
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(2))
    refused(tournament, Conflict, "cannot start: swiss: a round needs at least 2", tournament_start)
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(2))
    tournament_start(tournament_id=tournament.pk)
    work()
    phase = tournament.phases.get()
    names = set(phase.standings.values_list("entrant__player__name", flat=True))
    assert names == {"Greedy 2", "Greedy 20"}, "who left before the start takes no part"


def test_withdrawing_forfeits_the_game_and_keeps_results() -> None:
    tournament = swiss()
    until_round(tournament, 2)
    player = Table.objects.filter(played=False).first().places.first().entrant.player
    points = Fraction(row_of(tournament, player).points)
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=player, reason="has a train")
    assert log_of(tournament, "withdrawn") == [{"player": str(player.pk), "reason": "has a train"}]
    work()
    gone = row_of(tournament, player)
    assert (gone.rank, gone.gone, gone.played) == (None, "withdrawn", 2)
    assert Fraction(gone.points) == points
    assert not Round.objects.get(number=3).places.filter(entrant__player=player).exists()
    second = [line for line in log_of(tournament, "result") if line["round"] == 2]
    (game,) = [line for line in second if str(player.pk) in line["seats"]]
    assert game["ending"] == "forfeit"
    assert rebuild() == []


def test_nobody_waits_for_who_left_while_a_game_was_called_off() -> None:
    tournament = swiss()
    until_round(tournament, 1)
    table = Table.objects.get(number=1)
    game_abort(game_id=table.game_id)
    gone = table.places.first().entrant.player
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=gone)
    results_take(tournament_id=tournament.pk)
    table.refresh_from_db()
    assert table.game.result.ending == "forfeit"
    work()
    assert row_of(tournament, gone).played == 1 and rebuild() == []


def test_withdrawing_twice_and_strangers() -> None:
    tournament = swiss()
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(1))
    for act, what, error, message in (
        (entrants.entrant_withdraw, {"player": bot(1)}, Conflict, "has left already: withdrawn"),
        (entrants.entrant_withdraw, {"player": bot(30)}, NotFound, "Greedy 30 has not entered"),
        (entrants.entrant_return, {"player": bot(2)}, Conflict, "Greedy 2 has not withdrawn"),
        (entrants.bye_request, {"player": bot(1)}, Conflict, "Greedy 1 has left: withdrawn"),
    ):
        refused(tournament, error, message, act, **what)


def test_returning_counts_missed_rounds_as_zero_byes() -> None:
    tournament = swiss(8)
    until_round(tournament, 1)
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(4))
    until_round(tournament, 2)
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(4))
    assert log_of(tournament, "returned") == [{"player": str(bot(4).pk), "phase": 1, "missed": [2]}]
    assert Bye.objects.get(entrant__player=bot(4), round__number=2).kind == "zero"
    until_round(tournament, 3)
    assert Round.objects.get(number=3).places.filter(entrant__player=bot(4)).exists()
    work()
    assert rebuild() == []


@pytest.mark.parametrize("late", [0, 2])
def test_who_left_before_the_start_returns_like_a_late_entrant(late: int) -> None:
    tournament = swiss(7, late_entry=late)
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(3))
    until_round(tournament, 1)
    assert str(bot(3).pk) not in log_of(tournament, "phase_started")[0]["entrants"]
    if not late:
        refused(
            tournament,
            Conflict,
            "takes no late entries",
            entrants.entrant_return,
            player=bot(3),
        )
        return
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(3))
    assert log_of(tournament, "returned") == [
        {"player": str(bot(3).pk), "phase": 1, "missed": [1], "lot": 7}
    ]
    until_round(tournament, 2)
    seated = Round.objects.get(number=2)
    assert seated.places.filter(entrant__player=bot(3)).exists() != (
        seated.byes.filter(entrant__player=bot(3)).exists()
    )
    work()
    assert row_of(tournament, bot(3)).byes >= 1 and rebuild() == []


def test_disqualification_is_for_good() -> None:
    tournament = swiss()
    until_round(tournament, 2)
    refused(
        tournament,
        BadInput,
        "a reason is needed",
        entrants.entrant_disqualify,
        player=bot(1),
        reason=" ",
    )
    entrants.entrant_disqualify(tournament_id=tournament.pk, player=bot(1), reason="peeked")
    assert row_of(tournament, bot(1)).gone == "disqualified"
    for act in (entrants.entrant_return, entrants.entrant_withdraw):
        refused(tournament, Conflict, "disqualified", act, player=bot(1))
    work()
    assert row_of(tournament, bot(1)).rank is None and rebuild() == []


def test_a_requested_bye_and_an_absence() -> None:
    tournament = swiss()
    assert entrants.bye_request(tournament_id=tournament.pk, player=bot(1)) == 1
    entrants.bye_request(tournament_id=tournament.pk, player=bot(2), kind=ByeKind.ZERO)
    entrants.bye_request(tournament_id=tournament.pk, player=bot(3))
    entrants.bye_cancel(tournament_id=tournament.pk, player=bot(3))
    refused(
        tournament,
        Conflict,
        "Greedy 3 has asked for no bye in round 1",
        entrants.bye_cancel,
        player=bot(3),
    )
    refused(
        tournament,
        BadInput,
        "requested or zero, not forfeit_win",
        entrants.bye_request,
        player=bot(3),
        kind=ByeKind.FORFEIT_WIN,
    )
    until_round(tournament, 1)
    kinds = dict(Bye.objects.values_list("entrant__player__name", "kind"))
    assert kinds == {"Greedy 1": "requested", "Greedy 2": "zero"}
    assert (row_of(tournament, bot(1)).points, row_of(tournament, bot(2)).points) == ("1/2", "0")
    until_round(tournament, 2)
    assert not Bye.objects.filter(round__number=2).exists(), "asked for once"
    assert rebuild() == []


@pytest.mark.parametrize("size", [2, 3])
def test_who_does_not_come_has_a_forfeit_loss(size: int) -> None:
    phases = [{"format": "swiss", "table_size": size, "rounds": 2}]
    field = [{"bot": "greedy", "count": 6}]
    tournament = started(rules=QUICK, entrants=field, phases=phases)
    round_start(tournament_id=tournament.pk)
    table = Table.objects.get(number=1)
    places = list(table.places.all())
    absent = places[0].entrant.player
    entrants.no_show(tournament_id=tournament.pk, player=absent)
    kinds = dict(Bye.objects.values_list("entrant__player__name", "kind"))
    (line,) = log_of(tournament, "no_show")
    if size == 2:
        other = places[1].entrant.player
        assert kinds == {absent.name: "forfeit_loss", other.name: "forfeit_win"}
        assert not Table.objects.filter(number=1).exists()
        assert (row_of(tournament, absent).points, row_of(tournament, other).points) == ("0", "1")
        assert "number" not in line
    else:
        assert kinds == {absent.name: "forfeit_loss"}
        again = Table.objects.get(number=1)
        assert again.game_id != table.game_id and again.game_number == line["number"] == 3
        assert [place.seat for place in again.places.all()] == [0, 1]
    assert Game.objects.get(pk=table.game_id).result.is_aborted
    refused(
        tournament,
        Conflict,
        "sits at no table that is being played",
        entrants.no_show,
        player=absent,
    )
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED and rebuild() == []


def test_a_no_show_after_the_game_has_begun() -> None:
    tournament = swiss()
    round_start(tournament_id=tournament.pk)
    table = Table.objects.get(number=1)
    turn = table.game.turn
    game_play(
        game_id=table.game_id,
        seat=turn,
        command={"type": "draw"},
        expected_seq=table.game.seq,
        command_id=table.game_id,
    )
    refused(
        tournament,
        Conflict,
        "table 1 has begun to play; .* can be withdrawn, or the game voided",
        entrants.no_show,
        player=table.places.get(seat=turn).entrant.player,
    )
