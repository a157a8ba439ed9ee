"""What an organiser may do in the middle of an event, what follows, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from engine.errors import BadInput
from games import tasks as games_tasks
from games.models import Game, Player
from games.public import Conflict, NotFound, builtin_bot
from tests.tournaments.running import QUICK, started, work
from tournaments import tasks
from tournaments.formats.base import ByeKind
from tournaments.models import Bye, Phase, Round, Table, Tournament
from tournaments.services import entrants, pairings, results
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import results_take, round_start
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import parse_spec

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "table_size": 2, "rounds": 3}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(games_tasks, "ring_for", lambda row: None)


def swiss(count: int = 6, **changes: Any) -> Tournament:
    """A Swiss event at tables of two, started."""
    field = [{"bot": "greedy", "count": count}]
    return started(rules=QUICK, entrants=field, phases=[SWISS], **changes)


def bot(number: int) -> Player:
    return builtin_bot(policy="greedy", number=number)


def log(tournament: Tournament, kind: str) -> list[dict[str, Any]]:
    bodies = tournament.events.order_by("seq").values_list("body", flat=True)
    return [line["data"] for line in map(json.loads, bodies) if line["type"] == kind]


def until_round(tournament: Tournament, number: int) -> None:
    """Play until a round is paired."""
    while not Round.objects.filter(phase__tournament=tournament, number=number).exists():
        assert work(1)


def row(tournament: Tournament, player: Player) -> Any:
    return tournament.phases.get(number=1).standings.get(entrant__player=player)


def refused(tournament: Tournament, error: type[Exception], message: str, act: Any, **what) -> None:
    """An act is refused with a message and leaves nothing behind."""
    before = Tournament.objects.get(pk=tournament.pk).seq
    with pytest.raises(error, match=message):
        act(tournament_id=tournament.pk, **what)
    assert Tournament.objects.get(pk=tournament.pk).seq == before
    assert rebuild() == []


def test_a_late_entrant_has_zero_byes_for_the_rounds_missed() -> None:
    tournament = swiss(late_entry=2)
    until_round(tournament, 1)
    entrants.entrant_enter(tournament_id=tournament.pk, player=bot(20))
    assert log(tournament, "entered")[-1] == {
        "player": str(bot(20).pk),
        "number": 7,
        "phase": 1,
        "missed": [1],
        "lot": 7,
    }
    late = row(tournament, bot(20))
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
    points = Fraction(row(tournament, player).points)
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=player, reason="has a train")
    assert log(tournament, "withdrawn") == [{"player": str(player.pk), "reason": "has a train"}]
    work()
    gone = row(tournament, player)
    assert (gone.rank, gone.gone, gone.played) == (None, "withdrawn", 2)
    assert Fraction(gone.points) == points
    assert not Round.objects.get(number=3).places.filter(entrant__player=player).exists()
    second = [line for line in log(tournament, "result") if line["round"] == 2]
    (game,) = [line for line in second if str(player.pk) in line["seats"]]
    assert game["ending"] == "forfeit"
    assert rebuild() == []


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
    tournament = swiss(7)
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(3))
    until_round(tournament, 1)
    assert str(bot(3).pk) not in log(tournament, "phase_started")[0]["entrants"]
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(3))
    assert log(tournament, "returned")[0]["missed"] == [], "not in this phase"
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(4))
    until_round(tournament, 2)
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(4))
    assert log(tournament, "returned")[1] == {
        "player": str(bot(4).pk),
        "phase": 1,
        "missed": [2],
    }
    assert Bye.objects.get(entrant__player=bot(4), round__number=2).kind == "zero"
    until_round(tournament, 3)
    assert Round.objects.get(number=3).places.filter(entrant__player=bot(4)).exists()
    work()
    assert rebuild() == []


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
    assert row(tournament, bot(1)).gone == "disqualified"
    for act in (entrants.entrant_return, entrants.entrant_withdraw):
        refused(tournament, Conflict, "disqualified", act, player=bot(1))
    work()
    assert row(tournament, bot(1)).rank is None and rebuild() == []


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
        Conflict,
        "requested or zero, not forfeit_win",
        entrants.bye_request,
        player=bot(3),
        kind=ByeKind.FORFEIT_WIN,
    )
    until_round(tournament, 1)
    kinds = dict(Bye.objects.values_list("entrant__player__name", "kind"))
    assert kinds == {"Greedy 1": "requested", "Greedy 2": "zero"}
    assert (row(tournament, bot(1)).points, row(tournament, bot(2)).points) == ("1/2", "0")
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
    (line,) = log(tournament, "no_show")
    if size == 2:
        other = places[1].entrant.player
        assert kinds == {absent.name: "forfeit_loss", other.name: "forfeit_win"}
        assert not Table.objects.filter(number=1).exists()
        assert (row(tournament, absent).points, row(tournament, other).points) == ("0", "1")
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
    from games.services.games import game_play

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


def test_a_corrected_result_recomputes_the_standings_and_re_pairs_nothing() -> None:
    tournament = swiss()
    until_round(tournament, 2)
    table = Table.objects.filter(round__number=1).first()
    seats = [place.entrant.player for place in table.places.all()]
    paired = Round.objects.get(number=2).places.values_list("entrant", "table", "seat")
    before = list(paired)
    results.result_correct(
        tournament_id=tournament.pk,
        game_number=table.game_number,
        scores=[7, 7],
        reason="entered the wrong way round",
        by=bot(1),
    )
    (line,) = log(tournament, "corrected")
    assert (line["totals"], line["ranks"]) == ([7, 7], [1, 1])
    assert line["was"]["ranks"] in ([1, 2], [2, 1], [1, 1])
    assert {row(tournament, player).points for player in seats} == {"1/2"}
    assert list(paired.all()) == before
    work()
    assert Game.objects.get(pk=table.game_id).result.totals != [7, 7], "the record stays"
    assert rebuild() == []


def test_corrections_that_are_refused() -> None:
    tournament = swiss()
    until_round(tournament, 2)
    played = Table.objects.filter(round__number=1).first().game_number
    open_ = Table.objects.filter(played=False).first().game_number
    correct = results.result_correct
    for what, error, message in (
        ({"game_number": 99, "scores": [1, 2]}, NotFound, "no game number 99 that counts in Small"),
        ({"game_number": open_, "scores": [1, 2]}, Conflict, "still being played"),
        ({"game_number": played, "scores": [1]}, BadInput, "1 scores for 2 seats"),
        ({"game_number": played, "scores": [1.5, 2]}, BadInput, "must be whole numbers"),
        (
            {"game_number": played, "scores": [1, 2], "ranks": [1, 3]},
            BadInput,
            r"in that order they would be \(1, 2\)",
        ),
    ):
        refused(tournament, error, message, correct, reason="because", **what)
    refused(
        tournament,
        BadInput,
        "the reason has 201 characters; at most 200",
        correct,
        game_number=played,
        scores=[1, 2],
        reason="x" * 201,
    )


def test_a_voided_game_is_played_again_even_when_its_round_is_closed() -> None:
    tournament = swiss()
    until_round(tournament, 2)
    table = Table.objects.filter(round__number=1).first()
    old = table.game_id
    again = results.game_void(
        tournament_id=tournament.pk, game_number=table.game_number, reason="cards were marked"
    )
    table.refresh_from_db()
    assert (table.game_number, table.played) == (again, False) and table.game_id != old
    assert table.round.status == Round.Status.RUNNING
    assert all(place.points == "" and place.rank is None for place in table.places.all())
    assert rebuild() == []
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    closed = [line["round"] for line in log(tournament, "round_closed")]
    assert closed == [1, 2, 1, 3] or closed == [1, 1, 2, 3]
    assert rebuild() == []


def test_a_running_game_can_be_voided_but_not_with_somebody_who_has_left() -> None:
    tournament = swiss()
    round_start(tournament_id=tournament.pk)
    table = Table.objects.get(number=1)
    results.game_void(tournament_id=tournament.pk, game_number=1, reason="wrong room")
    assert Game.objects.get(pk=table.game_id).result.is_aborted
    results_take(tournament_id=tournament.pk)
    assert len(log(tournament, "voided")) == 1
    player = Table.objects.get(number=1).places.first().entrant.player
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=player)
    refused(
        tournament,
        Conflict,
        "is withdrawn, so game 4 cannot be played again",
        results.game_void,
        game_number=4,
        reason="once more",
    )
    refused(
        tournament,
        NotFound,
        "no game number 1 that counts",
        results.game_void,
        game_number=1,
        reason="once more",
    )


def test_penalties_survive_every_recalculation_and_can_be_lifted() -> None:
    tournament = swiss()
    give = results.penalty_give
    refused(
        tournament,
        Conflict,
        "no phase is being played",
        give,
        player=bot(1),
        points=Fraction(1),
        reason="late",
    )
    until_round(tournament, 2)
    before = Fraction(row(tournament, bot(1)).points)
    number = give(
        tournament_id=tournament.pk, player=bot(1), points=Fraction(1, 3), reason="was late"
    )
    again = give(tournament_id=tournament.pk, player=bot(1), points=Fraction(2), reason="again")
    shown = row(tournament, bot(1))
    assert (Fraction(shown.points), shown.penalty) == (before - Fraction(7, 3), "7/3")
    assert rebuild() == []
    results.penalty_lift(tournament_id=tournament.pk, penalty=again, reason="it was not him")
    assert row(tournament, bot(1)).penalty == "1/3"
    until_round(tournament, 3)
    assert row(tournament, bot(1)).penalty == "1/3"
    for what, error, message in (
        ({"points": Fraction(0)}, BadInput, "more than 0 points, not 0"),
        ({"player": bot(30)}, Conflict, "Greedy 30 is not in phase 1"),
    ):
        refused(
            tournament,
            error,
            message,
            give,
            **({"player": bot(1), "points": Fraction(1), "reason": "late"} | what),
        )
    refused(
        tournament,
        NotFound,
        f"there is no penalty {again} in a phase that is played; there are {number}",
        results.penalty_lift,
        penalty=again,
        reason="why not",
    )


def test_the_next_pairing_counts_penalties() -> None:
    tournament = swiss(4)
    pairings.tournament_pause(tournament_id=tournament.pk)
    pairings.pairing_preview(tournament_id=tournament.pk)
    pairings.tournament_resume(tournament_id=tournament.pk)
    round_start(tournament_id=tournament.pk)
    pairings.tournament_pause(tournament_id=tournament.pk)
    work()
    preview = pairings.pairing_preview(tournament_id=tournament.pk)
    assert preview is not None and "score groups 1 (2), 0 (2)" in preview.notes[0].text
    winner = tournament.phases.get().standings.get(order=1).entrant.player
    results.penalty_give(
        tournament_id=tournament.pk, player=winner, points=Fraction(1, 2), reason="late"
    )
    preview = pairings.pairing_preview(tournament_id=tournament.pk)
    assert preview is not None and "score groups 1 (1), 1/2 (1), 0 (2)" in preview.notes[0].text


def test_a_paused_tournament_starts_no_round() -> None:
    tournament = swiss()
    pause, resume = pairings.tournament_pause, pairings.tournament_resume
    refused(tournament, Conflict, "Small open is not paused", resume)
    pause(tournament_id=tournament.pk)
    refused(tournament, Conflict, "Small open is paused already", pause)
    work()
    assert not Round.objects.exists()
    resume(tournament_id=tournament.pk)
    round_start(tournament_id=tournament.pk)
    pause(tournament_id=tournament.pk)
    work()
    assert [r.status for r in Round.objects.all()] == ["closed"]
    resume(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED and rebuild() == []


def paused_before_round_1(count: int = 5) -> Tournament:
    spec = {
        "name": "Small open",
        "rules": QUICK,
        "late_entry": 3,
        "entrants": [{"bot": "greedy", "count": count}],
        "phases": [SWISS],
    }
    tournament = tournament_create(spec=parse_spec(spec))
    pairings.tournament_pause(tournament_id=tournament.pk)
    tournament_start(tournament_id=tournament.pk)
    return tournament


def test_the_organiser_pairs_a_round_by_hand() -> None:
    tournament = paused_before_round_1()
    number = pairings.pairing_set(
        tournament_id=tournament.pk,
        tables=[[bot(1), bot(2)], [bot(4), bot(3)]],
        byes={bot(5): ByeKind.ALLOCATED},
        reason="{0} asked for it",
        by=bot(1),
    )
    assert number == 1
    pairings.tournament_resume(tournament_id=tournament.pk)
    round_start(tournament_id=tournament.pk)
    tables = [
        [place.entrant.player.name for place in table.places.all()] for table in Table.objects.all()
    ]
    assert tables == [["Greedy 1", "Greedy 2"], ["Greedy 4", "Greedy 3"]]
    assert Bye.objects.get().entrant.player == bot(5)
    assert log(tournament, "paired")[0]["notes"][0] == "Paired by the organiser: {0} asked for it"
    until_round(tournament, 2)
    assert "Round 2 of 3" in Round.objects.get(number=2).notes[0]["text"]
    (bye,) = Bye.objects.filter(round__number=2)
    assert bye.entrant.player != bot(5), "a bye by hand counts like any other"
    work()
    assert rebuild() == []


def test_who_leaves_or_comes_after_a_pairing_by_hand() -> None:
    tournament = paused_before_round_1()
    pairings.pairing_set(
        tournament_id=tournament.pk,
        tables=[[bot(1), bot(2)], [bot(4), bot(3)]],
        byes={bot(5): ByeKind.ALLOCATED},
        reason="a rivalry",
    )
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(1))
    entrants.entrant_enter(tournament_id=tournament.pk, player=bot(20))
    pairings.tournament_resume(tournament_id=tournament.pk)
    round_start(tournament_id=tournament.pk)
    kinds = dict(Bye.objects.values_list("entrant__player__name", "kind"))
    assert kinds == {"Greedy 5": "allocated", "Greedy 20": "allocated", "Greedy 2": "forfeit_win"}
    assert Table.objects.count() == 1
    work()
    assert rebuild() == []


def test_pairings_by_hand_that_are_refused() -> None:
    tournament = paused_before_round_1()
    ann, bob, cy, di, eve = map(bot, range(1, 6))
    for tables, byes, message in (
        ([[ann, bob], [cy, ann]], [di, eve], "Greedy 1 stands twice in the pairing"),
        ([[ann, bob], [cy, di]], [ann, eve], "Greedy 1 stands twice"),
        ([[ann, bob], [cy, di]], [], "Greedy 5 is missing in the pairing; give them a table or"),
        ([[ann, bob], [cy, bot(30)]], [di, eve], "Greedy 30 is not there in phase 1"),
        ([[ann, bob], [cy, di, eve]], [], "table 2 has 3 seats; tables have 2 to 2 here"),
        ([[ann, bob], [cy]], [di, eve], "table 2 has 1 seats"),
    ):
        refused(
            tournament,
            BadInput,
            message,
            pairings.pairing_set,
            tables=tables,
            byes=dict.fromkeys(byes, ByeKind.ALLOCATED),
            reason="because",
        )
    refused(tournament, Conflict, "round 1 has no pairing made by hand", pairings.pairing_drop)
    pairings.pairing_set(
        tournament_id=tournament.pk,
        tables=[[ann, bob], [cy, di]],
        byes={eve: ByeKind.ZERO},
        reason="because",
    )
    pairings.pairing_drop(tournament_id=tournament.pk)
    pairings.tournament_resume(tournament_id=tournament.pk)
    round_start(tournament_id=tournament.pk)
    refused(
        tournament,
        Conflict,
        "round 1 is still being played; pause the tournament, and the next one waits",
        pairings.pairing_preview,
    )
    knockout = started(
        name="Cup", rules=QUICK, entrants=[{"bot": "greedy", "count": 4}], phases=[KNOCKOUT]
    )
    refused(
        knockout,
        Conflict,
        "the rounds of a knock-out follow from its seeding",
        pairings.pairing_set,
        tables=[[ann, bob], [cy, di]],
        reason="because",
    )
    waiting = tournament_create(spec=parse_spec(SPEC))
    refused(waiting, Conflict, "has not started; pause it, start it", pairings.pairing_preview)


KNOCKOUT = {"format": "knockout"}
SPEC = {
    "name": "Waiting",
    "rules": QUICK,
    "entrants": [{"bot": "greedy", "count": 2}],
    "phases": [KNOCKOUT],
}


def test_the_top_of_a_phase_play_the_next() -> None:
    phases = [SWISS, {"format": "final", "top": 3, "rounds": 2}]
    tournament = started(rules=QUICK, entrants=[{"bot": "greedy", "count": 6}], phases=phases)
    while tournament.phases.get(number=1).status != Phase.Status.CLOSED:
        work(1)
    first = tournament.phases.get(number=1)
    standing = list(first.standings.values_list("entrant__player__name", flat=True))
    work()
    second = tournament.phases.get(number=2)
    names = list(second.standings.values_list("entrant__player__name", flat=True))
    assert sorted(names) == sorted(standing[:3])
    entered = log(tournament, "phase_started")[1]["entrants"]
    assert [str(e.entrant.player_id) for e in first.standings.all()[:3]] == entered
    assert second.rounds.count() == 2 and rebuild() == []


def test_a_phase_that_cannot_be_seated_is_closed_and_says_why() -> None:
    phases = [SWISS, {"format": "final", "top": 2}]
    tournament = started(rules=QUICK, entrants=[{"bot": "greedy", "count": 3}], phases=phases)
    until_round(tournament, 2)
    for number in (1, 2):
        entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(number))
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    closed = log(tournament, "phase_closed")
    assert "one table of 2 to 5, not of 1" in closed[1]["reason"]
    assert rebuild() == []


def test_nothing_changes_in_a_phase_that_is_closed() -> None:
    phases = [SWISS, {"format": "round_robin", "table_size": 2}]
    tournament = started(rules=QUICK, entrants=[{"bot": "greedy", "count": 4}], phases=phases)
    while tournament.phases.get(number=2).status != Phase.Status.RUNNING:
        work(1)
    first = tournament.phases.get(number=1)

    def closed() -> list[dict[str, Any]]:
        return [row | {"id": 0} for row in first.standings.values()]

    before = closed()
    game = Table.objects.filter(round__phase=first).first().game_number
    refused(
        tournament,
        Conflict,
        f"game {game} belongs to phase 1, which is closed; its results are final",
        results.result_correct,
        game_number=game,
        scores=[1, 2],
        reason="too late",
    )
    refused(
        tournament,
        Conflict,
        "which is closed",
        results.game_void,
        game_number=game,
        reason="too late",
    )
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(1))
    entrants.entrant_disqualify(tournament_id=tournament.pk, player=bot(2), reason="peeked")
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(1))
    results.penalty_give(
        tournament_id=tournament.pk, player=bot(3), points=Fraction(1), reason="late"
    )
    assert closed() == before
    assert rebuild() == []
    assert closed() == before
    work()
    assert closed() == before and rebuild() == []


def test_nothing_can_be_done_in_a_tournament_that_is_over() -> None:
    tournament = swiss(2)
    work()
    for act, what in (
        (entrants.entrant_enter, {"player": bot(20)}),
        (entrants.entrant_withdraw, {"player": bot(1)}),
        (entrants.entrant_return, {"player": bot(1)}),
        (results.result_correct, {"game_number": 1, "scores": [1, 2], "reason": "late"}),
        (results.game_void, {"game_number": 1, "reason": "late"}),
        (results.penalty_give, {"player": bot(1), "points": Fraction(1), "reason": "late"}),
        (pairings.tournament_pause, {}),
        (pairings.pairing_preview, {}),
    ):
        refused(tournament, Conflict, "is over; nothing in it can be changed any more", act, **what)
    with pytest.raises(NotFound, match="there is no tournament"):
        pairings.tournament_pause(tournament_id=bot(1).pk)


def test_a_round_of_byes_only_is_closed_at_once() -> None:
    """A round robin whose others have all withdrawn: forfeit wins, and nobody waits."""
    phases = [{"format": "round_robin", "table_size": 2}]
    tournament = started(rules=QUICK, entrants=[{"bot": "greedy", "count": 4}], phases=phases)
    round_start(tournament_id=tournament.pk)
    for number in (2, 3, 4):
        entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(number))
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    assert Bye.objects.filter(entrant__player=bot(1), kind="forfeit_win").count() == 2
    assert row(tournament, bot(1)).byes == 2 and rebuild() == []


def test_formats_from_start_to_end() -> None:
    for phases in (
        [{"format": "swiss", "table_size": 3, "rounds": 2, "scheme": "wins"}],
        [{"format": "knockout", "table_size": 4, "advance": 2}],
        [{"format": "gauntlet", "challenger": 3}],
        [{"format": "ladder", "rounds": 3}],
        [{"format": "swiss", "table_size": 5, "rounds": 2}, {"format": "knockout", "top": 4}],
    ):
        tournament = started(
            name=phases[0]["format"],
            rules=QUICK,
            entrants=[{"bot": "greedy", "count": 7}],
            phases=phases,
        )
        work()
        tournament.refresh_from_db()
        assert tournament.status == Tournament.Status.ENDED
        for phase in tournament.phases.all():
            assert phase.rounds.count() == phase.planned_rounds
            tables = Table.objects.filter(round__phase=phase)
            assert tables.count() == phase.planned_tables
            assert phase.standings.first().rank == 1
    assert rebuild() == []


def test_round_pages_and_the_log_tell_all_of_it(client) -> None:
    tournament = swiss(7, late_entry=3)
    until_round(tournament, 2)
    played = Table.objects.filter(round__number=1).first().game_number
    number = results.penalty_give(
        tournament_id=tournament.pk, player=bot(1), points=Fraction(1), reason="was late"
    )
    results.penalty_lift(tournament_id=tournament.pk, penalty=number, reason="was not")
    results.result_correct(
        tournament_id=tournament.pk, game_number=played, scores=[7, 7], reason="misread"
    )
    results.game_void(tournament_id=tournament.pk, game_number=played, reason="<b>marked</b>")
    entrants.entrant_enter(tournament_id=tournament.pk, player=bot(20))
    entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(2), reason="a train")
    entrants.entrant_return(tournament_id=tournament.pk, player=bot(2))
    entrants.bye_request(tournament_id=tournament.pk, player=bot(3))
    entrants.bye_cancel(tournament_id=tournament.pk, player=bot(3))
    entrants.entrant_disqualify(tournament_id=tournament.pk, player=bot(4), reason="peeked")
    address = f"/tournaments/{tournament.slug}/"
    text = "".join(
        client.get(address, {"tab": "log", "page": page}).content.decode() for page in (1, 2)
    )
    for words in (
        "Greedy 1 loses 1 point in phase 1: was late.",
        "was lifted: Greedy 1 has 1 back: was not.",
        "was corrected to 1. ",
        ": misread.",
        "the game was voided and is played again as game number",
        "&lt;b&gt;marked&lt;/b&gt;",
        "Greedy 20 entered as number 8, late; rounds 1, 2 of phase 1 count as absent.",
        "Greedy 2 withdrew: a train.",
        "Greedy 2 returned",
        "Greedy 3 asks for a bye in round 3 of phase 1.",
        "Greedy 3 will be there in round 3 after all.",
        "Greedy 4 was disqualified: peeked.",
    ):
        assert words in text, words
    rounds = client.get(address, {"tab": "rounds", "round": 2}).content.decode()
    for words in ("Round 2 of 3: score groups", "Why here", "Without a game in this round", "bye"):
        assert words in rounds, words
    work()
    standings = client.get(address).content.decode()
    for words in ("Rounds that count without a game: bye 1, requested bye 1/2", "disqualified"):
        assert words in standings, words
    assert "A bye counts as an opponent with" in standings
