"""Leaderboards: which games count, who is ranked among whom, and that refits are projections."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.errors import BadInput
from games import tasks as game_tasks
from games.models import Player
from tests.tournaments.boards import VARIANT, players, stored_games
from tests.tournaments.running import started, work
from tournaments import tasks
from tournaments.leaderboards import Board, Wanted, leaders, rated_games, ratings_of
from tournaments.models import Due, Place, Refit, Strength, Table
from tournaments.ratings.games import Scope
from tournaments.services.ratings import ratings_refresh, ratings_refresh_due
from tournaments.services.rebuild import rebuild
from tournaments.services.refits import leaderboard_refit, refits_rebuild

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """No hint goes to a broker; those for a refit are kept."""
    sent: list[tuple] = []
    monkeypatch.setattr(game_tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tasks.refit, "apply_async", lambda args: sent.append(args))
    return sent


def board(**query: object) -> Board:
    return Board(Wanted.read(VARIANT, {name: str(value) for name, value in query.items()}))


def names(shown: Board) -> list[str]:
    return [strength.player.name for strength in shown.strengths]


def rounds(field: list[Player], times: int, first: int = 0) -> list[tuple[list[Player], list[int]]]:
    """Games of all at one table in which the earlier of the list mostly come out better."""
    size = len(field)
    return [
        (field, [10 * (size - seat) + (7 * (n + first) * (seat + 3)) % 23 for seat in range(size)])
        for n in range(times)
    ]


def test_the_stronger_stand_first_and_overlapping_ranks_are_ranges() -> None:
    field = players(4)
    stored_games(rounds(field, 40))
    leaderboard_refit(variant=VARIANT)
    shown = board()
    rows = shown.rows(shown.strengths)
    assert [row.strength for row in rows] == sorted((r.strength for r in rows), reverse=True)
    assert {row.games for row in rows} == {40}
    for row in rows:
        above = sum(other.low > row.high for other in rows)
        below = sum(other.high < row.low for other in rows)
        assert row.rank == (1 + above, len(rows) - below)
        assert not row.provisional
    assert rows[0].rank.best == 1 and rows[-1].rank.worst == 4
    assert leaders(VARIANT, 2)[0].player == rows[0].player
    assert shown.place_of(rows[2].player) == 2
    assert shown.place_of(players(1)[0]) is None


def test_the_provisional_do_not_blur_the_ranks_of_the_firm() -> None:
    field = players(2)
    stored_games([(field, [9, 1])] * 60 + [(field[::-1], [1, 9])] * 60)
    new = players(1)[0]
    stored_games([([field[0], new], [5, 4])], name="Later")
    leaderboard_refit(variant=VARIANT)
    rows = {row.player: row for row in board().rows(board().strengths)}
    assert rows[new].provisional and rows[new].rank == (1, 3)
    assert [str(rows[player].rank) for player in field] == ["1", "2"]
    assert rows[new].margin > max(rows[player].margin for player in field)


def test_which_games_count() -> None:
    two, three = players(2), players(3)
    stored_games(rounds(two, 3), name="Old", days_ago=100)
    stored_games(rounds(three, 2), name="New")
    stored_games(rounds(three, 9), name="Practice", practice=True)
    scopes = [Scope(), Scope(2), Scope(3), Scope(0, 90), Scope(2, 90), Scope(0, 365)]
    leaderboard_refit(variant=VARIANT, scopes=scopes)
    counted = {(row.seats, row.days): row.games for row in Refit.objects.all()}
    assert counted == {(0, 0): 5, (2, 0): 3, (3, 0): 2, (0, 90): 2, (2, 90): 0, (0, 365): 5}
    assert len(names(board(seats=2))) == 2 and len(names(board(days=90))) == 3
    assert names(board(seats=2, days=90)) == [] and board(seats=2, days=90).refit is not None
    assert board(seats=4).refit is None and names(board(seats=4)) == []


def test_games_on_shared_deals_are_one_deal_set() -> None:
    stored_games(rounds(players(3), 6), shared=3)
    leaderboard_refit(variant=VARIANT)
    row = Refit.objects.get()
    assert (row.games, row.deal_sets) == (6, 2)


def test_filters_and_orders() -> None:
    bots, people = players(2), players(2, Player.Kind.PERSON)
    stored_games(rounds([*bots, *people], 12))
    stored_games([(bots, [1, 2])], name="More", days_ago=3)
    leaderboard_refit(variant=VARIANT)
    assert {row.player for row in board(kind="bot").strengths} == set(bots)
    assert {row.player for row in board(kind="person").strengths} == set(people)
    assert {row.player for row in board(min_games=13).strengths} == set(bots)
    assert names(board(sort="name")) == sorted(names(board()))
    won = [row.wins / row.games for row in board(sort="won").strengths]
    assert won == sorted(won, reverse=True)
    games = [row.games for row in board(sort="games").strengths]
    assert games == [13, 13, 12, 12]
    # Ranks are those among whom is shown, whatever the order.
    assert (
        max(row.rank.worst for row in board(kind="person").rows(board(kind="person").strengths))
        <= 2
    )
    assert {r.player: r.rank for r in board(sort="name").rows(board(sort="name").strengths)} == {
        r.player: r.rank for r in board().rows(board().strengths)
    }


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"seats": "6"}, "seats must be one of 0, 2, 3, 4, 5, not '6'"),
        ({"days": "7"}, "days must be one of 0, 365, 90, 30, not '7'"),
        ({"days": "-1"}, "days must be one of"),
        ({"kind": "cat"}, "kind must be one of person, bot, not 'cat'"),
        ({"min_games": "x"}, "min_games must be 0 to 99999, not 'x'"),
        ({"min_games": "100000"}, "min_games must be 0 to 99999"),
        ({"sort": "luck"}, "sort must be one of rating, games, won, last, name, not 'luck'"),
    ],
)
def test_what_cannot_be_asked_for(query: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Wanted.read(VARIANT, query)


def test_an_address_asks_for_the_same_again() -> None:
    query = {"seats": "3", "days": "90", "kind": "bot", "min_games": "10", "sort": "won"}
    assert Wanted.read(VARIANT, query).query == query
    assert Wanted.read(VARIANT, {"seats": "", "sort": "rating"}).query == {}


def test_a_corrected_result_counts_as_corrected(rung: list[tuple]) -> None:
    one, other = players(2)
    tournament = stored_games([([one, other], [5, 1])])
    ratings_refresh(variant=VARIANT)
    leaderboard_refit(variant=VARIANT, scopes=[Scope(), Scope(2), Scope(3)])
    before = {row.player: row.strength for row in board().strengths}
    assert before[one] > before[other]
    assert rating_of(one) > rating_of(other)
    for place in Place.objects.all():
        Place.objects.filter(pk=place.pk).update(rank=3 - (place.rank or 0))
    ratings_refresh_due(tournament_id=tournament.pk)
    assert rating_of(one) < rating_of(other)
    assert rung == [(VARIANT, 0, 0), (VARIANT, 2, 0)], "no game of the third scope is another"
    stale = Strength.objects.get(refit__seats=2, player=one).strength
    assert refits_rebuild(variant=VARIANT) == [], "late is not wrong"
    assert Strength.objects.get(refit__seats=2, player=one).strength < stale
    for args in rung:
        tasks.refit(*args)
    after = {row.player: row.strength for row in board().strengths}
    assert after == {one: before[other], other: before[one]}


def rating_of(player: Player) -> float:
    ((rating, _),) = ratings_of(player)
    return rating.mu


def test_later_games_leave_a_refit_as_it_is(rung: list[tuple]) -> None:
    field = players(2)
    stored_games(rounds(field, 2))
    leaderboard_refit(variant=VARIANT)
    Refit.objects.update(as_of=timezone.now() - timedelta(seconds=30))
    leaderboard_refit(variant=VARIANT)
    later = stored_games(rounds(field, 1), name="Later", days_ago=-1)
    ratings_refresh_due(tournament_id=later.pk)
    assert rung == []
    assert refits_rebuild(variant=VARIANT) == []
    assert Refit.objects.get().games == 2


def test_a_refit_does_not_give_way_to_an_older_one(monkeypatch: pytest.MonkeyPatch) -> None:
    field = players(2)
    stored_games(rounds(field, 2))
    leaderboard_refit(variant=VARIANT)
    newest = Refit.objects.get()
    monkeypatch.setattr(timezone, "now", lambda: newest.as_of - timedelta(hours=1))
    leaderboard_refit(variant=VARIANT)
    assert Refit.objects.get().as_of == newest.as_of and newest.strengths.count() == 2


def test_a_result_taken_after_a_refit_makes_it_late(rung: list[tuple]) -> None:
    """Its game ended before, so it is one of those that the refit should have counted."""
    field = players(2)
    tournament = stored_games(rounds(field, 3))
    last = Table.objects.order_by("-pk").first()
    Table.objects.filter(pk=last.pk).update(played=False)
    leaderboard_refit(variant=VARIANT)
    assert Refit.objects.get().games == 2
    Table.objects.filter(pk=last.pk).update(played=True)
    ratings_refresh_due(tournament_id=tournament.pk)
    assert rung == [(VARIANT, 0, 0)]
    assert refits_rebuild(variant=VARIANT) == []
    assert Refit.objects.get().games == 3


def test_a_tournament_that_ends_refits_the_leaderboard() -> None:
    tournament = started()
    work()
    assert Refit.objects.get(seats=0, days=0).games == Table.objects.count() > 0
    assert not Due.objects.filter(kind=Due.Kind.REFIT).exists()
    assert set(names(board())) == {entrant.player.name for entrant in tournament.entrants.all()}
    assert rebuild() == []


def test_practice_refits_nothing() -> None:
    started(seed=bytes(32))
    work()
    assert not Refit.objects.exists() and not rated_games(VARIANT)


def test_rebuild_makes_refits_anew_and_says_what_was_different() -> None:
    started()
    work()
    leaderboard_refit(variant=VARIANT, scopes=[Scope(3, 30)])
    stored = list(Strength.objects.order_by("refit", "player").values_list("strength", "low"))
    assert rebuild() == []
    Strength.objects.filter(refit__seats=3).update(low=1)
    assert rebuild() == [f"refit of {VARIANT}, 3 seats, 30 days: strengths were different"]
    assert rebuild() == []
    again = list(Strength.objects.order_by("refit", "player").values_list("strength", "low"))
    assert again == stored


def test_the_command_refits_every_scope() -> None:
    stored_games(rounds(players(3), 5))
    said = StringIO()
    call_command("refit", stdout=said)
    assert Refit.objects.filter(variant=VARIANT).count() == 20
    assert f"refit of {VARIANT}, 3 seats, 90 days: 5 games, 3 players" in said.getvalue()
    with pytest.raises(CommandError, match="variant 'whist' is unknown"):
        call_command("refit", "whist")


def test_the_nightly_task_rings_for_every_scope(rung: list[tuple]) -> None:
    tasks.refit_nightly()
    assert (VARIANT, 0, 0) in rung and (VARIANT, 5, 30) in rung
    assert len(set(rung)) == len(rung) >= 20
