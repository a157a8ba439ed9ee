"""The filled database of ``make load``: true records, projections equal to what the logs say."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client

from benchmarks import filling
from benchmarks.load import table
from benchmarks.serving import kinds, measure
from engine.verify import verify
from games.models import Analysis, Game
from games.selectors import game_record
from tournaments.services.rebuild import rebuild

pytestmark = pytest.mark.django_db


def test_copies_are_true_records_and_every_page_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ORIGINALS", "SMALL", "RUNNING"):
        monkeypatch.setattr(filling, name, 1)
    monkeypatch.setattr(filling, "deal_analysis", lambda replay, deal: ([], {}))  # it takes long
    filled = filling.fill(games=9, entrants=8, longest=20)
    sealed = Game.objects.filter(status=Game.Status.SEALED)
    assert sealed.count() >= 7 and filled.longest.seq >= 20
    for game in sealed:
        verify(game_record(game).encode())
    Analysis.objects.all().delete()
    assert rebuild() == []
    client = Client(SERVER_NAME="localhost")
    every = kinds(filled, Random(1))
    rows = [measure(kind._replace(paths=kind.paths[:1]), client) for kind in every]
    assert all(row.queries and row.most >= row.middle > 0 for row in rows)
    assert table(rows).count("\n") == len(rows) + 1
