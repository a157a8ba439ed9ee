"""Phases after one another, and every format from start to end."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.utils import timezone

from games.public import Conflict
from tests.tournaments.running import (
    QUICK,
    SWISS,
    bot,
    log_of,
    row_of,
    small_spec,
    started,
    swiss,
    until_round,
    work,
)
from tournaments.models import Bye, Phase, Table, Tournament
from tournaments.services import entrants, results
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import round_start
from tournaments.services.settings import tournament_change
from tournaments.services.tournaments import start_due, tournament_create, tournament_start

pytestmark = pytest.mark.django_db


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
    entered = log_of(tournament, "phase_started")[1]["entrants"]
    assert [str(e.entrant.player_id) for e in first.standings.all()[:3]] == entered
    assert second.rounds.count() == 2 and rebuild() == []


def test_a_later_phase_that_would_not_seat_the_field_hinders_the_start() -> None:
    """While entry is open nobody knows how many come; when it starts, all is known."""
    phases = [SWISS, {"format": "final", "top": 9}]
    field = [{"bot": "greedy", "count": 6}]
    spec = small_spec(rules=QUICK, entrants=field, phases=phases, entry={"open": True})
    tournament = tournament_create(spec=spec)
    why = "with 6 entrants, phase 2: a final is one table of 2 to 5, not of 6; top says how many"
    with pytest.raises(Conflict, match=f"Small open cannot start: {why}"):
        tournament_start(tournament_id=tournament.pk)
    Tournament.objects.update(starts_at=timezone.now())
    start_due(tournament_id=tournament.pk)
    assert log_of(tournament, "start_failed")[0]["reason"].startswith(why)
    changes = {"phases": [SWISS, {"format": "final", "top": 4}]}
    tournament_change(tournament_id=tournament.pk, changes=changes)
    tournament_start(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    assert tournament.phases.get(number=2).standings.count() == 4


def test_boards_whose_tables_would_differ_in_size_hinder_the_start() -> None:
    phases = [{"format": "ladder", "table_size": 4, "duplicate": True}]
    field = [{"bot": "greedy", "count": 5}]
    spec = small_spec(rules=QUICK, entrants=field, phases=phases, entry={"open": True})
    tournament = tournament_create(spec=spec)
    with pytest.raises(Conflict, match="phase 1: duplicate boards need tables of one size"):
        tournament_start(tournament_id=tournament.pk)


def test_a_phase_that_cannot_be_seated_is_closed_and_says_why() -> None:
    phases = [SWISS, {"format": "final", "top": 2}]
    tournament = started(rules=QUICK, entrants=[{"bot": "greedy", "count": 3}], phases=phases)
    until_round(tournament, 2)
    for number in (1, 2):
        entrants.entrant_withdraw(tournament_id=tournament.pk, player=bot(number))
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    closed = log_of(tournament, "phase_closed")
    assert "one table of 2 to 5, not of 1" in closed[1]["reason"]
    assert rebuild() == []


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
    assert row_of(tournament, bot(1)).byes == 2 and rebuild() == []


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
    for words in (
        "Round 2 of 3: score groups",
        "Seats held least often: ",
        "Without a game in this round",
        "bye",
    ):
        assert words in rounds, words
    work()
    standings = client.get(address).content.decode()
    for words in ("Rounds that count without a game: bye 1, requested bye 1/2", "disqualified"):
        assert words in standings, words
    assert "A bye counts as an opponent with" in standings
