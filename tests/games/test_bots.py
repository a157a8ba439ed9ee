"""Bots' turns, due rows, claims, attempts, and the sealing of games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from uuid6 import uuid7

from engine.policies.manipulation import Greedy
from engine.verify import verify
from games import tasks
from games.due import LEASE, MAX_ATTEMPTS, claim, is_held, overdue
from games.errors import Conflict, StaleSeq
from games.models import Due, Game, Player, Result
from games.selectors import game_lines, game_record
from games.services.bots import bots_play, builtin_bot
from games.services.games import (
    game_abort,
    game_append,
    game_forfeit,
    game_reveal,
    game_reveal_due,
)
from games.services.results import result_refold
from tests.games.helpers import new_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Due]:
    """The rows that were rung for; nothing reaches a broker."""
    rows: list[Due] = []
    monkeypatch.setattr(tasks, "ring_for", rows.append)
    return rows


def play_out(game: Game) -> None:
    while game.status == Game.Status.RUNNING:
        bots_play(game_id=game.pk, seq=game.seq)
        game.refresh_from_db()


def test_bots_play_to_the_end_of_the_deal(django_capture_on_commit_callbacks, rung) -> None:
    game = new_game(length="deals", deals=2)
    with django_capture_on_commit_callbacks(execute=True):
        bots_play(game_id=game.pk, seq=2)
    game.refresh_from_db()
    assert game.deal == 2 and game.seq > 3
    assert [(row.kind, row.seq) for row in game.due.all()] == [("bot", game.seq)]
    assert [row.seq for row in rung] == [game.seq]


def test_a_game_ends_is_sealed_and_verifies() -> None:
    game = new_game(length="deals", deals=1)
    play_out(game)
    assert game.status == Game.Status.OVER and game.over_at is not None
    assert (game.result.ending, game.result.deals) == ("deals", 1)
    with pytest.raises(Conflict, match="the game is not sealed yet"):
        game_record(game)
    (due,) = game.due.all()
    assert (due.kind, due.seq) == (Due.Kind.REVEAL, game.seq)
    game_reveal_due(game_id=game.pk, seq=game.seq)
    game.refresh_from_db()
    assert game.is_sealed
    assert [row.kind for row in game.due.all()] == [Due.Kind.ANALYSIS]
    record = verify(game_record(game).encode(), head=game.head)
    assert len(record.entries) == game.seq
    assert result_refold(game) == []


def test_a_doubled_or_late_message_changes_nothing() -> None:
    game = new_game(length="deals", deals=1)
    for seq in (2, 2, 1, 99):
        bots_play(game_id=game.pk, seq=seq)
    play_out(game)
    before = game_lines(game)
    bots_play(game_id=game.pk, seq=2)
    game_reveal_due(game_id=game.pk, seq=2)
    assert game_lines(game) == before


def test_a_claim_is_had_once_until_its_lease_runs_out() -> None:
    game = new_game()
    first = claim(Due, game_id=game.pk)
    assert first is not None and is_held(first)
    assert claim(Due, game_id=game.pk) is None
    assert not overdue(Due).exists()
    Due.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = claim(Due, game_id=game.pk)
    assert second is not None and second.attempts == 2
    assert is_held(second) and not is_held(first)


def test_turns_of_a_lost_claim_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that was too slow finds its claim gone and writes nothing."""
    game = new_game()
    slow = Greedy.choose

    def lose_the_claim(*args: Any) -> Any:
        Due.objects.update(lease=uuid7())
        return slow(*args)

    monkeypatch.setattr(Greedy, "choose", lose_the_claim)
    bots_play(game_id=game.pk, seq=2)
    assert len(game_lines(game)) == 2


def test_our_own_error_parks_the_row_and_aborts_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three attempts that ended in our error; the bot is not blamed (DESIGN 3.2)."""
    game = new_game()

    def broken(*args: Any) -> Any:
        raise RuntimeError("out of order")

    monkeypatch.setattr(Greedy, "choose", broken)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with pytest.raises(RuntimeError):
            bots_play(game_id=game.pk, seq=2)
        row = Due.objects.get(game=game)
        assert (row.attempts, row.error) == (attempt, "RuntimeError: out of order")
    bots_play(game_id=game.pk, seq=2)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER and game.result.is_aborted
    assert (game.result.ending, game.result.winners) == ("aborted", [])
    assert Due.objects.filter(game=game).exclude(parked_at=None).count() == 1


def test_an_illegal_answer_of_a_bot_is_its_own_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.manipulation.events import Pass

    game = new_game(max_faults=1)
    monkeypatch.setattr(Greedy, "choose", lambda *args: Pass(True))
    bots_play(game_id=game.pk, seq=2)
    game.refresh_from_db()
    assert game.result.ending == "forfeit" and len(game.result.winners) == 1


def test_forfeit_and_abort() -> None:
    game = new_game(kinds=(Player.Kind.PERSON,) * 3)
    game_forfeit(game_id=game.pk, seat=1, reason="withdrawn")
    game_forfeit(game_id=game.pk, seat=1, reason="withdrawn")
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    assert sum('"forfeited"' in line for line in game_lines(game)) == 1
    game_abort(game_id=game.pk)
    game_abort(game_id=game.pk)
    game.refresh_from_db()
    assert game.result.is_aborted
    assert game.result.ranks[1] == 3


def test_a_shared_seed_stays_secret_until_its_last_game_is_over() -> None:
    one, other = new_game(), new_game()
    other.seed, other.shared_seed = one.seed, True
    other.save()
    game_abort(game_id=one.pk)
    assert not one.due.filter(kind=Due.Kind.REVEAL).exists()
    with pytest.raises(Conflict, match="a game of this seed still runs"):
        game_reveal(game_id=one.pk)
    assert not Game.objects.visible().filter(pk=other.pk).exists()
    game_abort(game_id=other.pk)
    for game in (one, other):
        game.refresh_from_db()
        game_reveal_due(game_id=game.pk, seq=game.seq)
        game.refresh_from_db()
        assert game.is_sealed
    assert Game.objects.visible().filter(pk=other.pk).exists()


def test_the_sweeper_rings_what_is_overdue(rung: list[Due]) -> None:
    waiting, held, parked = new_game(), new_game(), new_game()
    Due.objects.filter(game=held).update(lease_until=timezone.now() + LEASE)
    Due.objects.filter(game=parked).update(parked_at=timezone.now())
    tasks.sweep()
    assert [row.game_id for row in rung] == [waiting.pk]


def test_append_refuses_a_stale_game() -> None:
    from games import folds

    game = Game.objects.select_related("seed").get(pk=new_game().pk)
    one, other = folds.load(game), folds.load(game)
    for played in (one, other):
        played.push(game.kind.default_commands(played.state)[0])
    game_append(game_id=game.pk, expected_seq=2, played=one)
    with pytest.raises(StaleSeq):
        game_append(game_id=game.pk, expected_seq=2, played=other)
    assert len(game_lines(game)) == 3


def test_rebuild_finds_a_changed_result() -> None:
    game = new_game(length="deals", deals=1)
    play_out(game)
    Result.objects.filter(game=game).update(totals=[7, 7])
    (found,) = result_refold(game)
    assert "totals was [7, 7]" in found
    assert result_refold(game) == []


def test_builtin_bots_are_made_once() -> None:
    assert builtin_bot(policy="greedy", number=2) == builtin_bot(policy="greedy", number=2)
    assert builtin_bot(policy="greedy", number=2).name == "Greedy 2"
    from engine.errors import BadInput

    with pytest.raises(BadInput, match="bot 'gredy' is unknown; known are: careful, faulty"):
        builtin_bot(policy="gredy")
