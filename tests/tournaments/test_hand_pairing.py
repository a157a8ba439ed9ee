"""Rounds held back, looked at and paired by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import BadInput
from games.public import Conflict
from tests.tournaments.running import (
    QUICK,
    SWISS,
    bot,
    log_of,
    refused,
    started,
    swiss,
    until_round,
    work,
)
from tournaments.formats.base import ByeKind
from tournaments.models import Bye, Round, Table, Tournament
from tournaments.services import entrants, pairings, results
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import round_start
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import parse_spec

pytestmark = pytest.mark.django_db


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
    assert (
        log_of(tournament, "paired")[0]["notes"][0] == "Paired by the organiser: {0} asked for it"
    )
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
        ([[ann, bob], [cy, di, eve]], [], "table 2 has 3 seats; tables have 2 here"),
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
