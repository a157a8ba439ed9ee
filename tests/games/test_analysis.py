"""Analyses: made deal by deal by whoever holds the claim, kept once, equal when made anew."""

from __future__ import annotations

from typing import Any

import pytest

from engine.verify import verify
from games import tasks
from games.due import MAX_ATTEMPTS
from games.errors import NotFound
from games.models import Analysis, Due, Game
from games.selectors import better_play, game_record, game_verdicts
from games.services import analysis
from games.services.analysis import analysis_go_on, analysis_refold
from games.services.bots import bots_play
from games.services.games import game_reveal
from tests.games.helpers import new_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Due]:
    """The rows that were rung for; nothing reaches a broker."""
    rows: list[Due] = []
    monkeypatch.setattr(tasks, "ring_for", rows.append)
    return rows


@pytest.fixture
def sealed() -> Game:
    game = new_game(policy="random", length="deals", deals=3)
    while game.status == Game.Status.RUNNING:
        bots_play(game_id=game.pk, seq=game.seq)
        game.refresh_from_db()
    game_reveal(game_id=game.pk)
    game.refresh_from_db()
    return game


def test_every_decision_of_a_sealed_game_has_a_verdict(sealed: Game) -> None:
    analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
    sealed.refresh_from_db()
    assert sealed.analysed and not sealed.due.exists()
    assert [row.deal for row in sealed.analyses.order_by("deal")] == [1, 2, 3]
    found = {verdict["seq"]: verdict for verdict in game_verdicts(sealed)}
    assert list(found) == sorted(found)
    state = sealed.kind.initial(bytes(sealed.seed.value))
    for entry in verify(game_record(sealed).encode()).entries:
        verdict = sealed.kind.verdict(state, entry.event)
        assert (verdict is None) == (entry.seq not in found)
        if verdict is not None:
            kept = found[entry.seq]
            assert kept["seat"] == entry.event.actor
            assert (kept["played"], kept["best"]) == (verdict.played, verdict.best)
        state = sealed.kind.apply(state, entry.event)


def test_a_better_play_is_kept_where_there_is_one(sealed: Game) -> None:
    analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
    verdicts = game_verdicts(sealed)
    missed = next(verdict for verdict in verdicts if verdict["missed"])
    assert better_play(sealed, missed["seq"])["type"] == "meld"
    best = next(verdict for verdict in verdicts if not verdict["missed"])
    with pytest.raises(NotFound, match=f"better than event {best['seq']}"):
        better_play(sealed, best["seq"])


def test_a_long_analysis_lets_others_have_their_turn(
    sealed: Game, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any, rung
) -> None:
    monkeypatch.setattr(analysis, "MAX_SECONDS", 0.0)
    for done in (1, 2, 3):
        with django_capture_on_commit_callbacks(execute=True):
            analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
        assert Analysis.objects.filter(game=sealed).count() == done
        row = Due.objects.get(game=sealed)
        assert (row.attempts, row.lease_until) == (0, None)
        assert [row.kind for row in rung] == ["analysis"] * done
    analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
    sealed.refresh_from_db()
    assert sealed.analysed and not sealed.due.exists()


def test_a_doubled_or_late_message_changes_nothing(sealed: Game) -> None:
    for seq in (sealed.seq, sealed.seq, 1, sealed.seq + 1):
        analysis_go_on(game_id=sealed.pk, seq=seq)
    assert Analysis.objects.count() == 3


def test_a_game_that_cannot_be_analysed_is_parked(
    sealed: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("no verdict")

    monkeypatch.setattr(analysis, "deal_analysis", broken)
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(RuntimeError):
            analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
    analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
    row = Due.objects.get(game=sealed)
    assert row.parked_at is not None and "no verdict" in row.error
    sealed.refresh_from_db()
    assert sealed.is_sealed and not sealed.analysed


def test_made_anew_from_the_log_it_is_the_same(sealed: Game) -> None:
    assert analysis_refold(sealed) == []
    analysis_go_on(game_id=sealed.pk, seq=sealed.seq)
    sealed.refresh_from_db()
    assert analysis_refold(sealed) == []
    row = sealed.analyses.get(deal=2)
    row.verdicts[0]["best"] += 1
    Analysis.objects.filter(game=sealed, deal=2).update(verdicts=row.verdicts)
    assert analysis_refold(sealed) == [f"game {sealed.pk}: the analysis of deal 2 was different"]
    assert analysis_refold(sealed) == []


def test_the_sweeper_lets_games_go_before_analyses(sealed: Game, rung: list[Due]) -> None:
    other = new_game()
    rung.clear()
    tasks.sweep()
    assert [row.game_id for row in rung] == [other.pk, sealed.pk]
