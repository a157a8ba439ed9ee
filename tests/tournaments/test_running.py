"""A tournament from its creation to its end, without a worker."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from django.db import DatabaseError, connection, connections, transaction

from engine import seeds
from engine.record import NO_PREV, digest
from engine.verify import verify
from games import tasks as games_tasks
from games.models import Due as GameDue
from games.models import Game, Result
from games.public import Conflict
from games.selectors import game_record
from games.services.games import game_abort
from tests.tournaments.running import small_spec, started, work
from tournaments import tasks
from tournaments.models import (
    Due,
    Event,
    Place,
    Rating,
    RatingHistory,
    Round,
    Standing,
    Table,
    Tournament,
)
from tournaments.selectors import progress_of, standings_of
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import results_take, round_start
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db


def log(tournament: Tournament) -> list[dict]:
    bodies = tournament.events.order_by("seq").values_list("body", flat=True)
    return [json.loads(body) for body in bodies]


def test_the_commitment_stands_before_anybody_enters() -> None:
    tournament = tournament_create(spec=small_spec())
    first, *entries = log(tournament)
    assert first["type"] == "created"
    seed = bytes(Tournament.objects.get(pk=tournament.pk).seed)
    assert first["data"]["commitment"] == sha256(seed).hexdigest() == tournament.commitment
    assert [line["type"] for line in entries] == ["entered"] * 5
    assert first["data"]["practice"] is tournament.practice is False
    assert seed.hex() not in json.dumps(log(tournament))


def test_a_tournament_from_start_to_end() -> None:
    tournament = started()
    assert progress_of(tournament).tables == 4
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    done = progress_of(tournament)
    assert (done.played, done.running, done.ended) == (done.tables, 0, True)

    phase, rows = standings_of(tournament)
    assert [row.order for row in rows] == [1, 2, 3, 4, 5]
    assert sum(place.rank == 1 for place in Place.objects.all()) >= done.tables
    assert all(place.points for place in Place.objects.all())
    assert all(set(row.metrics) <= {"wins", "direct", "score_share", "lot"} for row in rows)

    types = [line["type"] for line in log(tournament)]
    assert types[-2:] == ["ended", "seed_revealed"]
    assert types.count("paired") == types.count("round_closed") == Round.objects.count()
    assert types.count("result") == done.tables
    assert types.count("phase_started") == types.count("phase_closed") == 1
    assert not Due.objects.exists() and not GameDue.objects.exists()
    assert phase.status == "closed"


def test_every_game_of_a_tournament_follows_from_its_seed() -> None:
    tournament = started()
    work()
    (revealed,) = [line for line in log(tournament) if line["type"] == "seed_revealed"]
    seed = bytes.fromhex(revealed["data"]["seed"])
    assert sha256(seed).hexdigest() == tournament.commitment
    for table in Table.objects.select_related("game"):
        record = verify(game_record(table.game).encode(), head=table.game.head)
        expected = seeds.game_seed(seed, table.game_number)
        assert record.events[-1].seed == expected.hex()
        players = [str(place.entrant.player_id) for place in table.places.all()]
        assert list(record.events[0].seats) == players


def test_the_log_is_a_chain_and_cannot_be_changed() -> None:
    tournament = started()
    prev = NO_PREV
    for seq, event in enumerate(tournament.events.order_by("seq"), 1):
        line = json.loads(event.body)
        assert (line["seq"], line["prev"]) == (seq, prev)
        prev = digest(event.body)
    tournament.refresh_from_db()
    assert (tournament.seq, tournament.head) == (seq, prev)
    for sql in ("UPDATE {} SET type = 'x'", "DELETE FROM {}", "TRUNCATE {}"):
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(sql.format(Event._meta.db_table))


def test_the_same_seed_gives_the_same_tournament() -> None:
    """A practice tournament can be played again; it is never rated."""
    tables = []
    for _ in range(2):
        tournament = started(seed=bytes(range(32)))
        work()
        tournament.refresh_from_db()
        assert tournament.practice
        names = {e.pk: e.player.name for e in tournament.entrants.select_related("player")}
        played = Table.objects.filter(round__phase__tournament=tournament)
        tables.append(
            [
                [(names[p.entrant_id], p.score, p.rank, p.points) for p in table.places.all()]
                for table in played.order_by("game_number")
            ]
            + [[row.points for row in standings_of(tournament)[1]]]
        )
    assert tables[0] == tables[1]
    assert not Rating.objects.exists()


def test_ratings_count_each_game_once() -> None:
    tournament = started()
    work()
    games = Table.objects.filter(round__phase__tournament=tournament).count()
    assert sum(Rating.objects.values_list("games", flat=True)) == 3 * games
    strongest = Rating.objects.order_by("-ordinal").first()
    assert strongest is not None and strongest.ordinal == strongest.mu - 3 * strongest.sigma


def test_an_aborted_game_is_played_again_under_a_new_number() -> None:
    tournament = started()
    round_start(tournament_id=tournament.pk)
    table = Table.objects.order_by("number").first()
    assert table is not None
    old = table.game
    game_abort(game_id=old.pk)
    results_take(tournament_id=tournament.pk)
    table.refresh_from_db()
    tournament.refresh_from_db()
    assert table.game_id != old.pk and table.game_number == tournament.games_created
    assert not table.played
    (voided,) = [line for line in log(tournament) if line["type"] == "voided"]
    assert voided["data"]["game"] == str(old.pk)
    assert voided["data"]["replaced_by"] == str(table.game_id)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    assert rebuild() == []


def test_results_are_taken_once(django_assert_num_queries) -> None:
    tournament = started()
    round_start(tournament_id=tournament.pk)
    round_start(tournament_id=tournament.pk)
    assert Round.objects.count() == 1
    before = tournament.events.count()
    results_take(tournament_id=tournament.pk)
    assert tournament.events.count() == before


def test_starting_twice_is_refused() -> None:
    tournament = started()
    with pytest.raises(Conflict, match="Small open has started already"):
        tournament_start(tournament_id=tournament.pk)


def test_slugs_are_free() -> None:
    slugs = [tournament_create(spec=small_spec()).slug for _ in range(3)]
    assert slugs == ["small-open", "small-open-2", "small-open-3"]
    assert tournament_create(spec=small_spec(name="★")).slug == "tournament"


def test_rebuild_reports_what_was_different() -> None:
    started()
    work()
    assert rebuild() == []
    Result.objects.filter(game=Game.objects.first()).update(totals=[0, 0, 0])
    Standing.objects.filter(order=1).update(points="99")
    Rating.objects.all().update(games=1)
    Place.objects.filter(seat=0).update(score=-1)
    found = "\n".join(rebuild())
    for word in ("totals was [0, 0, 0]", "places were different", "standings were", "ratings of"):
        assert word in found
    assert rebuild() == []
    history = RatingHistory.objects.first()
    assert history is not None
    RatingHistory.objects.filter(pk=history.pk).update(mu=history.mu[:-1])
    assert rebuild() == ["ratings of manipulation were different"]
    RatingHistory.objects.filter(pk=RatingHistory.objects.first().pk).delete()
    assert rebuild() == ["ratings of manipulation were different"]
    assert rebuild() == []


@pytest.mark.django_db(transaction=True)
def test_many_workers_at_once_take_each_result_once(amount) -> None:
    """All games of a round finish together and all workers wake (CQ-8)."""
    for _ in range(amount(2, 50)):
        tournament = started()
        round_start(tournament_id=tournament.pk)
        while rows := list(GameDue.objects.filter(kind="bot", parked_at=None)):
            for row in rows:
                games_tasks.ring(row.kind, str(row.game_id), row.seq)
        due = list(Due.objects.filter(tournament=tournament, kind=Due.Kind.RESULT))
        assert due

        def take(row: Due) -> None:
            try:
                tasks.ring(row.kind, str(row.tournament_id), row.number)
                for start in Due.objects.filter(tournament=row.tournament, kind="round"):
                    tasks.ring(start.kind, str(start.tournament_id), start.number)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(take, due * 4))
        work()
        tournament.refresh_from_db()
        assert tournament.status == Tournament.Status.ENDED
        types = [line["type"] for line in log(tournament)]
        tables = Table.objects.filter(round__phase__tournament=tournament)
        assert types.count("result") == tables.count() == tables.filter(played=True).count()
        assert types.count("paired") == types.count("round_closed")
        assert rebuild() == []
