"""When things start: wall-clock times, rounds by hand, by interval and on a calendar, no-shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from engine.errors import BadInput
from games.models import Due as GameDue
from games.models import Game, Player
from games.public import Conflict
from tests.tournaments.running import QUICK, log_of, small_spec, work
from tournaments import tasks
from tournaments.models import Bye, Due, Phase, Round, Table, Tournament
from tournaments.pages.told import told
from tournaments.schedule import Pace, Schedule, at, in_words, parse_schedule
from tournaments.selectors import log_of as lines_of
from tournaments.services.entrants import entrant_enter
from tournaments.services.pairings import tournament_pause, tournament_resume
from tournaments.services.rebuild import rebuild
from tournaments.services.results import result_correct
from tournaments.services.running import round_open, tournament_cancel, tournament_finish
from tournaments.services.settings import tournament_change
from tournaments.services.tournaments import start_due, tournament_create, tournament_start

BERLIN = "Europe/Berlin"
PAST = datetime(2026, 1, 1, tzinfo=UTC)


def test_times_are_the_clocks_of_a_zone() -> None:
    for text in ("2026-12-01 19:00", "2026-12-01T19:00", datetime(2026, 12, 1, 19, 0, 40)):
        assert at(text, BERLIN, "start") == datetime(2026, 12, 1, 18, tzinfo=UTC)
    said = in_words(datetime(2026, 7, 1, 17, tzinfo=UTC), BERLIN)
    assert said == "2026-07-01 19:00 Europe/Berlin (2026-07-01 17:00 UTC)"
    assert in_words(datetime(2026, 7, 1, 17, tzinfo=UTC), "UTC") == "2026-07-01 17:00 UTC"


@pytest.mark.parametrize(
    ("zone", "text", "works"),
    [
        (BERLIN, "2026-03-29 02:30", "01:30 and 03:30"),
        ("America/New_York", "2027-03-14 02:00", "01:00 and 03:00"),
        ("Australia/Lord_Howe", "2026-10-04 02:15", "01:45 and 02:45"),
    ],
)
def test_a_time_that_the_clocks_leave_out_is_refused(zone: str, text: str, works: str) -> None:
    with pytest.raises(BadInput, match=f"start: the clocks in {zone} never show {text}.*{works}"):
        at(text, zone, "start")
    for other in works.split(" and "):
        at(f"{text[:10]} {other}", zone, "start")


def test_of_a_time_that_comes_twice_the_first_is_meant_and_told() -> None:
    moment = at("2026-10-25 02:30", BERLIN, "start")
    assert moment == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert "the first of the two (2026-10-25 00:30 UTC)" in in_words(moment, BERLIN)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"at": 1}, "schedule.at is unknown; known are: zone, start, rounds"),
        ({"zone": "Europe/Berlim"}, "is no IANA time zone; perhaps Europe/Berlin"),
        ({"zone": "x/../etc"}, "is no IANA time zone"),
        ({"zone": 3}, "schedule.zone must be a text"),
        ({"start": "tomorrow"}, "schedule.start must be a time .* such as 2026-12-01 19:00"),
        ({"start": "2026-12-01 19:00+01:00"}, "schedule.start must be a time of the zone's clocks"),
        ({"rounds": "weekly"}, "schedule.rounds must be one of flow, hand, interval, calendar"),
        ({"rounds": "interval"}, "schedule.minutes must be whole minutes, 1 to 20160, not 0"),
        ({"minutes": 5}, "schedule.minutes needs rounds = interval; rounds is flow"),
        ({"no_show": -1}, "schedule.no_show must be whole minutes, 0 to 20160, not -1"),
        ({"rounds": "calendar"}, "schedule.times and rounds = calendar need each other"),
        ({"times": ["2026-12-01 19:00"]}, "schedule.times and rounds = calendar need each other"),
        (
            {"rounds": "calendar", "times": ["2026-12-01 19:00", "2026-12-01 19:00"]},
            r"schedule.times\[2\]: 2026-12-01 19:00 is not after the time of the round before",
        ),
        (
            {"rounds": "calendar", "times": ["2026-03-29 02:30"], "zone": BERLIN},
            r"schedule.times\[1\]: the clocks in Europe/Berlin never show",
        ),
        (
            {"rounds": "calendar", "times": ["2026-12-01 19:00"], "start": "2026-12-01 20:00"},
            "schedule.start is the first of schedule.times",
        ),
    ],
)
def test_a_bad_schedule_is_told_what_is_wrong(data: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_schedule(data)


def test_when_the_next_round_starts() -> None:
    now = datetime(2026, 12, 1, tzinfo=UTC)
    later = now + timedelta(hours=3)
    assert Schedule().next_at(4, now) == now
    assert Schedule(pace=Pace.HAND).next_at(0, now) is None
    interval = Schedule(pace=Pace.INTERVAL, minutes=20)
    assert (interval.next_at(0, now), interval.next_at(1, now)) == (
        now,
        now + timedelta(minutes=20),
    )
    calendar = Schedule(pace=Pace.CALENDAR, times=(now, later))
    assert [calendar.next_at(begun, now) for begun in range(3)] == [now, later, None]
    assert calendar.next_at(1, later + timedelta(hours=1)) == later + timedelta(hours=1)


pytestmark = pytest.mark.django_db
SWISS = [{"format": "swiss", "table_size": 2, "rounds": 2}]


LEAST: dict[str, Any] = {"entry": {"least": 2}}


def created(schedule: dict[str, Any], seed: bytes | None = None, **changes: Any) -> Tournament:
    field = [{"bot": "greedy", "count": 4}]
    spec = small_spec(**{"rules": QUICK, "entrants": field, "phases": SWISS} | changes)
    return tournament_create(spec=replace(spec, schedule=parse_schedule(schedule)), seed=seed)


def in_(hours: float) -> str:
    return f"{timezone.now() + timedelta(hours=hours):%Y-%m-%d %H:%M}"


def pass_time(tournament: Tournament) -> None:
    """Let the time of everything that is scheduled come."""
    now = timezone.now()
    Due.objects.filter(tournament=tournament).update(due_at=now)
    Tournament.objects.filter(pk=tournament.pk, starts_at__gt=now).update(starts_at=now)


def rounds(tournament: Tournament) -> int:
    return Round.objects.filter(phase__tournament=tournament).count()


def test_a_tournament_starts_at_its_time() -> None:
    tournament = created({"start": in_(2)})
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.OPEN and rounds(tournament) == 0
    pass_time(tournament)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED and rounds(tournament) == 2
    assert len(log_of(tournament, "started")) == 1


def test_a_start_in_the_past_is_refused() -> None:
    with pytest.raises(BadInput, match=r"schedule.start: .* has passed; a later time would work"):
        created({"start": in_(-1)})
    assert not Tournament.objects.exists()


def test_a_start_that_is_not_possible_is_told_and_the_organiser_can_start_later() -> None:
    tournament = created({"start": in_(2)}, entrants=[], entry={"least": 3})
    pass_time(tournament)
    work()
    tournament.refresh_from_db()
    assert (tournament.status, tournament.starts_at) == (Tournament.Status.OPEN, None)
    (failed,) = log_of(tournament, "start_failed")
    assert failed["reason"] == "0 of at least 3 entrants are there"
    with pytest.raises(Conflict, match="cannot start: 0 of at least 3 entrants are there"):
        tournament_start(tournament_id=tournament.pk)


def test_a_start_that_was_put_off_does_not_happen_early() -> None:
    tournament = created({"start": in_(2)})
    tournament_change(
        tournament_id=tournament.pk, changes={"schedule": {"start": in_(5), "zone": "UTC"}}
    )
    assert Due.objects.get(tournament=tournament).due_at > timezone.now() + timedelta(hours=4)
    start_due(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.OPEN
    assert Due.objects.filter(tournament=tournament, kind=Due.Kind.START).count() == 1


def test_a_paused_start_comes_with_the_resumption() -> None:
    tournament = created({"start": in_(2)})
    tournament_pause(tournament_id=tournament.pk)
    pass_time(tournament)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.OPEN
    tournament_resume(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED


def test_rounds_by_hand_wait_for_the_organiser_and_so_does_the_end() -> None:
    tournament = created({"rounds": "hand"})
    with pytest.raises(Conflict, match="has not started; start it"):
        round_open(tournament_id=tournament.pk)
    tournament_start(tournament_id=tournament.pk)
    for number in (1, 2):
        work()
        assert rounds(tournament) == number - 1
        round_open(tournament_id=tournament.pk)
        with pytest.raises(Conflict, match="is being opened already"):
            round_open(tournament_id=tournament.pk)
        work(1)
        for act in (round_open, tournament_finish):
            with pytest.raises(Conflict, match=f"round {number} is still being played"):
                act(tournament_id=tournament.pk)
        if number == 1:
            work()
            with pytest.raises(Conflict, match="rounds are left to be played"):
                tournament_finish(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.RUNNING, "results can still be corrected"
    last = Table.objects.get(round__number=2, number=1)
    result_correct(
        tournament_id=tournament.pk, game_number=last.game_number, scores=[1, 9], reason="misread"
    )
    work()
    assert tournament.phases.get().status == Phase.Status.RUNNING
    with pytest.raises(Conflict, match="no round is left; finish it"):
        round_open(tournament_id=tournament.pk)
    tournament_pause(tournament_id=tournament.pk)
    with pytest.raises(Conflict, match="is paused; resume it, and it can be finished"):
        tournament_finish(tournament_id=tournament.pk)
    tournament_resume(tournament_id=tournament.pk)
    work()
    assert not log_of(tournament, "ended")
    tournament_finish(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    assert len(log_of(tournament, "round_opened")) == 2
    words = [line.words for line in told(lines_of(tournament))]
    assert "The next round was opened by hand." in words
    assert "Finished by hand: no round is left." in words
    assert rebuild() == []


@pytest.mark.parametrize("rounds", ["flow", "interval"])
def test_other_rounds_end_it_by_themselves(rounds: str) -> None:
    tournament = created({"rounds": rounds, **({"minutes": 9} if rounds == "interval" else {})})
    tournament_start(tournament_id=tournament.pk)
    while Due.objects.filter(tournament=tournament, kind=Due.Kind.ROUND).update(due_at=PAST):
        work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED


def test_rounds_by_interval_pause_in_between() -> None:
    tournament = created({"rounds": "interval", "minutes": 30})
    tournament_start(tournament_id=tournament.pk)
    work()
    assert rounds(tournament) == 1
    waits = Due.objects.get(tournament=tournament, kind=Due.Kind.ROUND).due_at - timezone.now()
    assert timedelta(minutes=25) < waits <= timedelta(minutes=30)
    round_open(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert rounds(tournament) == 2 and tournament.status == Tournament.Status.ENDED


def test_rounds_on_a_calendar_start_at_their_times() -> None:
    times = [in_(1), in_(25)]
    tournament = created({"rounds": "calendar", "times": times, "zone": "UTC"})
    assert f"{tournament.starts_at:%Y-%m-%d %H:%M}" == times[0]
    pass_time(tournament)
    work(1)
    (row,) = Due.objects.filter(tournament=tournament)
    assert f"{row.due_at:%Y-%m-%d %H:%M}" == times[0]
    pass_time(tournament)
    work()
    assert rounds(tournament) == 1
    (row,) = Due.objects.filter(tournament=tournament, kind=Due.Kind.ROUND)
    assert f"{row.due_at:%Y-%m-%d %H:%M}" == times[1]


def test_a_schedule_changed_in_the_middle_holds_at_once() -> None:
    tournament = created({"rounds": "interval", "minutes": 30})
    tournament_start(tournament_id=tournament.pk)
    work()
    tournament_change(tournament_id=tournament.pk, changes={"schedule": {"rounds": "flow"}})
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    (changed,) = log_of(tournament, "changed")
    assert set(changed) == {"schedule"}
    words = [line.words for line in told(lines_of(tournament))]
    assert "Changed: the start is by hand, rounds start as soon as the last one is over." in words


def test_a_cancelled_tournament_is_over_and_nothing_waits() -> None:
    tournament = created({})
    tournament_start(tournament_id=tournament.pk)
    work(1)
    assert Game.objects.filter(status=Game.Status.RUNNING).count() == 2
    with pytest.raises(BadInput, match="a reason is needed"):
        tournament_cancel(tournament_id=tournament.pk, reason=" ")
    tournament_cancel(tournament_id=tournament.pk, reason="a fire alarm")
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED and tournament.cancelled
    assert not Game.objects.exclude(status=Game.Status.SEALED).exists()
    assert Game.objects.count() == 2, "no game is played again"
    assert not Due.objects.filter(tournament=tournament).exists() and not GameDue.objects.exists()
    words = [line.words for line in told(lines_of(tournament))]
    assert "Cancelled for good: a fire alarm. Results so far stand." in words
    assert rebuild() == []
    with pytest.raises(Conflict, match="is over"):
        tournament_cancel(tournament_id=tournament.pk, reason="again")


def person(name: str) -> Player:
    return Player.objects.create(kind=Player.Kind.PERSON, name=name)


def test_who_does_not_come_loses_by_forfeit() -> None:
    tournament = created({"no_show": 10}, entrants=[])
    ann, bob = person("Ann"), person("Bob")
    for player in (ann, bob):
        entrant_enter(tournament_id=tournament.pk, player=player)
    tournament_start(tournament_id=tournament.pk)
    work()
    (row,) = Due.objects.filter(tournament=tournament)
    assert row.kind == Due.Kind.NO_SHOW and row.due_at > timezone.now() + timedelta(minutes=9)
    Due.objects.update(due_at=timezone.now())
    work()
    assert Bye.objects.count() == 0, "looked at too early, it waits on"
    Tournament.objects.update(no_show=1)
    _age(tournament)
    work()
    kinds = sorted(Bye.objects.filter(round__number=1).values_list("kind", flat=True))
    assert kinds == ["forfeit_loss", "forfeit_win"]
    assert rounds(tournament) == 2, "the tournament goes on"
    (absent,) = log_of(tournament, "no_show")
    assert absent["reason"] == "did not play within 1 minutes"


def test_who_stops_playing_forfeits_the_game() -> None:
    rules = {"length": "deals", "deals": 1, "knock_limit": 0}  # nobody ends the first lap
    field = {"entrants": [{"bot": "greedy", "count": 1}], "rules": rules}
    tournament = created({"no_show": 1}, seed=bytes(31) + b"\x01", **field, **LEAST)
    entrant_enter(tournament_id=tournament.pk, player=person("Ann"))
    tournament_start(tournament_id=tournament.pk)
    work()
    game = Table.objects.get().game
    assert game.events.filter(seat__isnull=False).exists(), "the bot has the first turn"
    _age(tournament)
    work()
    table = Table.objects.get(round__number=1)
    assert table.played and table.game.result.ending == "forfeit"


def _age(tournament: Tournament) -> None:
    """Let an hour pass for the games and what is due."""
    hour = timezone.now() - timedelta(hours=1)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER refuse_change")
        cursor.execute("UPDATE games_event SET recorded_at = %s", [hour])
        cursor.execute("ALTER TABLE games_event ENABLE ALWAYS TRIGGER refuse_change")
    Due.objects.filter(tournament=tournament).update(due_at=hour)


@pytest.mark.django_db(transaction=True)
def test_two_workers_start_a_tournament_and_open_a_round_once(monkeypatch) -> None:
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)
    tournament = created({"start": in_(2), "rounds": "interval", "minutes": 30})
    pass_time(tournament)
    for kind in (Due.Kind.START, Due.Kind.ROUND):
        (row,) = Due.objects.filter(tournament=tournament, kind=kind)
        _together(lambda row=row: tasks.ring(row.kind, str(row.tournament_id), row.number))
    tournament.refresh_from_db()
    assert len(log_of(tournament, "started")) == 1
    assert len(log_of(tournament, "paired")) == rounds(tournament) == 1


def _together(do: Any, workers: int = 4) -> None:
    barrier = Barrier(workers)

    def one() -> None:
        barrier.wait()
        try:
            do()
        finally:
            connection.close()

    threads = [Thread(target=one) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
