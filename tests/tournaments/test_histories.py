"""Random histories: whatever happens in an event, the logs say it and nothing half done is left."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.db import connections
from django.db.transaction import atomic, set_rollback

from engine.errors import BadInput
from games import tasks as games_tasks
from games.models import Due as GameDue
from games.models import Player
from games.public import ApplicationError, Conflict, builtin_bot
from tests.tournaments.recount import of_log
from tests.tournaments.running import QUICK, started, work
from tournaments.formats.base import ByeKind
from tournaments.models import Due, Entrant, Phase, Place, Round, Standing, Table, Tournament
from tournaments.schedule import Pace
from tournaments.services import entrants, pairings, results, running
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import results_take, round_start

BYES = {"allocated": "9/2", "requested": 3, "forfeit_win": 5, "forfeit_loss": 0, "zero": 0}
PHASES = [
    {"format": "swiss", "table_size": 2, "rounds": 3},
    {"format": "swiss", "table_size": 3, "rounds": 2},
    {"format": "swiss", "table_size": 4, "rounds": 2, "scheme": "wins"},
    {"format": "swiss", "table_size": 5, "rounds": 2, "scheme": "game_points", "byes": BYES},
    {"format": "round_robin", "table_size": 3},
    {"format": "ladder", "rounds": 3},
    {"format": "swiss", "table_size": 2, "rounds": 2, "duplicate": True},
    {"format": "swiss", "table_size": 3, "rounds": 2, "duplicate": True, "rotate": True},
    {"format": "knockout"},
    {"format": "gauntlet"},
]
CUTS = [
    {"format": "final", "top": 3},
    {"format": "final", "top": 3, "duplicate": True, "rotate": True},
    {"format": "knockout", "top": 4},
    {"format": "swiss", "table_size": 2, "rounds": 1, "top": 4},
]

HAPPENED = {
    "bye_cancelled",
    "bye_requested",
    "corrected",
    "disqualified",
    "entered",
    "pairing_dropped",
    "pairing_set",
    "paused",
    "penalised",
    "resumed",
    "returned",
    "voided",
    "withdrawn",
}
"""Lines that are not rare, so that some log has them when there are enough logs."""


def as_text(value: Any) -> str | None:
    """A column's value as it is stored."""
    if value is None:
        return None
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


class History:
    """An event to which anything may happen."""

    def __init__(self, random: Random) -> None:
        self.random = random
        first = random.choice(PHASES)
        late = random.randrange(3) if first["format"] in ("swiss", "ladder") else 0
        bots = [{"bot": "random", "count": random.randrange(4, 8)}]
        phases = [first, *random.sample(CUTS, random.randrange(2))]
        pace = {"rounds": random.choice(("flow", "hand"))}
        self.tournament = started(
            rules=QUICK, entrants=bots, phases=phases, late_entry=late, schedule=pace
        )
        self.frozen: dict[int, list[dict[str, Any]]] = {}

    def run(self) -> None:
        """Go on until the tournament is over."""
        while not self.over():
            if self.random.random() < 0.5:
                self.act()
                self.check()
            elif not work(self.random.randrange(1, 6)):
                self.tournament.refresh_from_db()
                if self.tournament.paused:
                    pairings.tournament_resume(tournament_id=self.tournament.pk)
                if self.tournament.pace == Pace.HAND:
                    self._advance()
                assert Due.objects.exists() or GameDue.objects.exists() or self.over()
        self.check()
        self.recount()

    def _advance(self) -> None:
        """Open the next round or finish: one of them can be done, and not both."""
        done = []
        for act in (running.round_open, running.tournament_finish):
            try:
                act(tournament_id=self.tournament.pk)
            except Conflict:
                continue
            done.append(act)
        assert len(done) == 1 or self.over()

    def recount(self) -> None:
        """The standings of every phase are what its log says, counted another way."""
        bodies = self.tournament.events.order_by("seq").values_list("body", flat=True)
        lines = [json.loads(body) for body in bodies]
        for phase in self.tournament.phases.all():
            worth = {kind: Fraction(points) for kind, points in phase.bye_points.items()}
            of = of_log(lines, phase.number, phase.scheme, worth)
            rows = phase.standings.order_by("order").select_related("entrant")
            merits = {str(row.entrant.player_id): Fraction(row.merit or 0) for row in rows}
            by_merit = any(row.merit for row in rows)
            compared = {
                who: merits[str(who)]
                if by_merit
                else of.average(who)
                if phase.basis == "average"
                else of.points(who)
                for who in of.entrants
            }
            told = [
                {
                    "who": str(row.entrant.player_id),
                    "rank": row.rank,
                    "metrics": row.metrics,
                    "byes": row.bye_decided,
                }
                for row in rows
            ]
            found = of.rows(phase.tie_breaks, compared)
            for row in found:
                row["metrics"] = {key: as_text(value) for key, value in row["metrics"].items()}
            assert told == found
            for row in rows:
                who = str(row.entrant.player_id)
                assert Fraction(row.points) == of.points(who)
                assert Fraction(row.penalty) == of.taken.get(who, 0)
                assert (row.played, row.byes) == (len(of.played(who)), len(of.kinds(who)))

    def over(self) -> bool:
        self.tournament.refresh_from_db()
        return self.tournament.status == Tournament.Status.ENDED

    def told(self) -> Counter[str]:
        """How often each kind of line stands in the log."""
        return Counter(self.tournament.events.values_list("type", flat=True))

    def check(self) -> None:
        """What has been closed is as it was, and nobody sits twice."""
        for phase in self.tournament.phases.filter(status=Phase.Status.CLOSED):
            rows = [row | {"id": 0} for row in phase.standings.order_by("order").values()]
            rows += Place.objects.filter(round__phase=phase).order_by("pk").values()
            assert self.frozen.setdefault(phase.number, rows) == rows
        where = Place.objects.filter(round__phase__tournament=self.tournament)
        seats = list(where.values_list("round", "entrant"))
        assert len(set(seats)) == len(seats)

    def act(self) -> None:
        """Do something, allowed or not; what is refused leaves nothing behind."""
        acts = (
            self._enter,
            self._leave,
            self._return,
            self._bye,
            self._correct,
            self._void,
            self._penalty,
            self._pause,
            self._pair,
            self._no_show,
        )
        self.tournament.refresh_from_db()
        before = self.tournament.seq, self.tournament.head
        rows = list(Standing.objects.values_list("entrant", "phase", "points", "rank"))
        try:
            act = self.random.choice(acts)
            rounds = Round.objects.filter(phase__tournament=self.tournament)
            if (
                not rounds.filter(status=Round.Status.RUNNING).exists()
                and self.random.random() < 0.4
            ):
                act = self._pair  # which is for between rounds only
            act(self.tournament.pk)
        except (ApplicationError, BadInput):
            self.tournament.refresh_from_db()
            assert (self.tournament.seq, self.tournament.head) == before
            assert list(Standing.objects.values_list("entrant", "phase", "points", "rank")) == rows

    def _somebody(self) -> Player:
        players = [entrant.player for entrant in self.tournament.entrants.select_related("player")]
        return self.random.choice([*players, builtin_bot(policy="greedy", number=99)])

    def _a_table(self) -> tuple[int, int]:
        """Number of a game and seats of its table; mostly of one that can be changed."""
        tables = Table.objects.filter(round__phase__tournament=self.tournament)
        open_ = list(
            tables.filter(round__phase__status=Phase.Status.RUNNING).order_by("game_number")
        )
        if not open_ or self.random.random() < 0.2:
            return self.random.randrange(1, self.tournament.games_created + 2), 2
        table = self.random.choice([table for table in open_ if table.played] or open_)
        return table.game_number, table.places.count()

    def _told(self, kind: str) -> list[dict[str, Any]]:
        """What the lines of one kind say, each with its number."""
        rows = self.tournament.events.filter(type=kind).order_by("seq").values_list("body", "seq")
        return [json.loads(body)["data"] | {"seq": seq} for body, seq in rows]

    def _enter(self, pk: Any) -> None:
        number = self.random.randrange(1, 30)
        player = builtin_bot(policy="greedy", number=number)
        entrants.entrant_enter(tournament_id=pk, player=player)

    def _leave(self, pk: Any) -> None:
        there = self.tournament.entrants.filter(status=Entrant.Status.PLAYING).count()
        if there < 4 and self.random.random() < 0.8:
            return
        if self.random.random() < 0.7:
            entrants.entrant_withdraw(tournament_id=pk, player=self._somebody())
        else:
            entrants.entrant_disqualify(tournament_id=pk, player=self._somebody(), reason="rude")

    def _return(self, pk: Any) -> None:
        gone = self.tournament.entrants.filter(status=Entrant.Status.WITHDRAWN).first()
        player = gone.player if gone else self._somebody()
        entrants.entrant_return(tournament_id=pk, player=player)

    def _bye(self, pk: Any) -> None:
        kind = self.random.choice((ByeKind.REQUESTED, ByeKind.ZERO, ByeKind.FORFEIT_WIN))
        if self.random.random() < 0.7:
            player = self._somebody()
            entrants.bye_request(tournament_id=pk, player=player, kind=kind)
            if self.random.random() < 0.4:
                entrants.bye_cancel(tournament_id=pk, player=player)
        else:
            entrants.bye_cancel(tournament_id=pk, player=self._somebody())

    def _correct(self, pk: Any) -> None:
        number, seats = self._a_table()
        seats += self.random.random() < 0.1
        scores = [self.random.randrange(9) for _ in range(seats)]
        results.result_correct(
            tournament_id=pk, game_number=number, scores=scores, reason="misread"
        )

    def _void(self, pk: Any) -> None:
        number, _ = self._a_table()
        results.game_void(tournament_id=pk, game_number=number, reason="marked cards")

    def _penalty(self, pk: Any) -> None:
        if self.random.random() < 0.7:
            points = Fraction(self.random.randrange(4), self.random.randrange(1, 4))
            results.penalty_give(
                tournament_id=pk, player=self._somebody(), points=points, reason="was late"
            )
        else:
            given = [data["seq"] for data in self._told("penalised")]
            number = given[-1] if given else 1
            results.penalty_lift(tournament_id=pk, penalty=number, reason="was not")

    def _pause(self, pk: Any) -> None:
        if self.tournament.paused:
            pairings.tournament_resume(tournament_id=pk)
        else:
            pairings.tournament_pause(tournament_id=pk)

    def _pair(self, pk: Any) -> None:
        if self.random.random() < 0.1:
            pairings.pairing_drop(tournament_id=pk)
            return
        rows = self.tournament.entrants.filter(status=Entrant.Status.PLAYING)
        there = [entrant.player for entrant in rows.select_related("player")]
        self.random.shuffle(there)
        size = self.random.choice((2, 2, 3, 4))
        count = len(there) // size
        tables = [there[i * size : (i + 1) * size] for i in range(count)]
        byes = dict.fromkeys(there[count * size :], ByeKind.ALLOCATED)
        pairings.pairing_set(tournament_id=pk, tables=tables, byes=byes, reason="a request")
        if self.random.random() < 0.4:
            pairings.pairing_drop(tournament_id=pk)

    def _no_show(self, pk: Any) -> None:
        entrants.no_show(tournament_id=pk, player=self._somebody())


@pytest.mark.django_db
@pytest.mark.parametrize("part", range(4))
def test_rebuild_finds_no_difference_after_random_histories(
    part: int, amount, record_property
) -> None:
    each = amount(1, 50)
    told: Counter[str] = Counter()
    for seed in range(part * each, (part + 1) * each):
        with atomic():
            history = History(Random(seed))
            history.run()
            assert rebuild() == [], f"history {seed}"
            told += history.told()
            set_rollback(True)  # so that each begins with nothing, however many there are
    for kind, times in sorted(told.items()):
        record_property(kind, times)
    assert min(told["paired"], told["result"], told["phase_closed"]) >= each
    if each > 40:
        assert set(told) >= HAPPENED


@pytest.mark.django_db
def test_standings_do_not_depend_on_the_order_in_which_results_arrive() -> None:
    """All games of a practice tournament end at once; their results are taken in two orders."""
    found = []
    for seed in (1, 2):
        tournament = started(
            seed=bytes(range(32)),
            rules=QUICK,
            entrants=[{"bot": "greedy", "count": 8}],
            phases=[{"format": "swiss", "table_size": 2, "rounds": 3}],
        )
        random = Random(seed)
        while True:
            round_start(tournament_id=tournament.pk)
            due = list(GameDue.objects.filter(kind="bot"))
            if not due:
                break
            random.shuffle(due)
            for row in due:
                games_tasks.ring(row.kind, str(row.game_id), row.seq)
                results_take(tournament_id=tournament.pk)
            work()
        tournament.refresh_from_db()
        assert tournament.status == Tournament.Status.ENDED
        rows = tournament.phases.get().standings.values_list(
            "entrant__player__name", "order", "rank", "points", "metrics"
        )
        found.append(list(rows))
    assert found[0] == found[1]


@pytest.mark.django_db(transaction=True)
def test_workers_that_close_the_same_round_make_one_next_round(amount) -> None:
    for _ in range(amount(1, 25)):
        tournament = started(
            rules=QUICK,
            entrants=[{"bot": "greedy", "count": 6}],
            phases=[{"format": "swiss", "table_size": 2, "rounds": 3}],
        )

        def step(what: str, pk: Any = tournament.pk) -> None:
            try:
                {"take": results_take, "start": round_start}[what](tournament_id=pk)
            finally:
                connections.close_all()

        for number in (1, 2, 3):
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(step, ["start"] * 4))
            assert Round.objects.filter(phase__tournament=tournament).count() == number
            for row in GameDue.objects.filter(kind="bot"):
                games_tasks.ring(row.kind, str(row.game_id), row.seq)
            while rows := list(GameDue.objects.filter(kind="bot")):
                for row in rows:
                    games_tasks.ring(row.kind, str(row.game_id), row.seq)
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(step, ["take", "take", "take", "take"]))
            closed = tournament.events.filter(type="round_closed").count()
            assert closed == number
        work()
        tournament.refresh_from_db()
        assert tournament.status == Tournament.Status.ENDED
        assert Table.objects.filter(round__phase__tournament=tournament).count() == 9
        assert rebuild() == []
