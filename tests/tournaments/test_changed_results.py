"""Results corrected, games voided, penalties; and what is final."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.errors import BadInput
from games.models import Game
from games.public import Conflict, NotFound
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
from tournaments.models import Phase, Round, Table, Tournament
from tournaments.services import entrants, pairings, results
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import results_take, round_start

pytestmark = pytest.mark.django_db


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
    (line,) = log_of(tournament, "corrected")
    assert (line["totals"], line["ranks"]) == ([7, 7], [1, 1])
    assert line["was"]["ranks"] in ([1, 2], [2, 1], [1, 1])
    assert {row_of(tournament, player).points for player in seats} == {"1/2"}
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
    closed = [line["round"] for line in log_of(tournament, "round_closed")]
    assert closed == [1, 2, 1, 3] or closed == [1, 1, 2, 3]
    assert rebuild() == []


def test_a_running_game_can_be_voided_but_not_with_somebody_who_has_left() -> None:
    tournament = swiss()
    round_start(tournament_id=tournament.pk)
    table = Table.objects.get(number=1)
    results.game_void(tournament_id=tournament.pk, game_number=1, reason="wrong room")
    assert Game.objects.get(pk=table.game_id).result.is_aborted
    results_take(tournament_id=tournament.pk)
    assert len(log_of(tournament, "voided")) == 1
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
    before = Fraction(row_of(tournament, bot(1)).points)
    number = give(
        tournament_id=tournament.pk, player=bot(1), points=Fraction(1, 3), reason="was late"
    )
    again = give(tournament_id=tournament.pk, player=bot(1), points=Fraction(2), reason="again")
    shown = row_of(tournament, bot(1))
    assert (Fraction(shown.points), shown.penalty) == (before - Fraction(7, 3), "7/3")
    assert rebuild() == []
    results.penalty_lift(tournament_id=tournament.pk, penalty=again, reason="it was not him")
    assert row_of(tournament, bot(1)).penalty == "1/3"
    until_round(tournament, 3)
    assert row_of(tournament, bot(1)).penalty == "1/3"
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
