"""Weights of files and pages, and that neither they nor queries grow with the field."""

from __future__ import annotations

import gzip
from datetime import timedelta
from pathlib import Path

import django_htmx
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Seed
from tests.pages.checks import check_page
from tests.tournaments.running import small_spec
from tournaments.models import (
    Phase,
    Place,
    Rating,
    Refit,
    Round,
    Standing,
    Strength,
    Table,
    Tournament,
)
from tournaments.services.tournaments import tournament_create

FIELD, ROUNDS, SEATS = 60, 12, 4


def weight(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def test_the_weight_of_styles_and_scripts() -> None:
    static = settings.ROOT / "static"
    ours = sum(weight(static / f"{name}.js") for name in ("site", "replay", "live"))
    htmx = Path(django_htmx.__file__).parent / "static/django_htmx/htmx-2.min.js"
    for own in ("replay.css", "tournament.css", "pages.css", "organise.css"):
        assert weight(static / "app.css") + weight(static / own) <= 10 * 1024
    assert ours <= 5 * 1024
    assert ours + weight(htmx) <= 27 * 1024
    pictures = [static / "suits.svg", *(static / "pips").iterdir()]
    assert sum(weight(picture) for picture in pictures) <= 6 * 1024


@pytest.fixture
def large(db: None) -> Tournament:
    """A tournament of a large field in which every game but the last round's is played."""
    spec = small_spec(
        name="Large open",
        entrants=[{"bot": "greedy", "count": FIELD}],
        phases=[{"format": "round_robin", "table_size": SEATS}],
    )
    tournament = tournament_create(spec=spec)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.RUNNING)
    phase = tournament.phases.get()
    Phase.objects.filter(pk=phase.pk).update(status=Phase.Status.RUNNING)
    entrants = list(tournament.entrants.all())
    seed = Seed.objects.create(value=bytes(32))
    for number in range(1, ROUNDS + 1):
        played = number < ROUNDS
        status = Round.Status.CLOSED if played else Round.Status.RUNNING
        round_ = Round.objects.create(phase=phase, number=number, status=status)
        for table in range(FIELD // SEATS):
            game = Game.objects.create(
                variant="manipulation",
                rules=tournament.rules,
                seed=seed,
                status=Game.Status.SEALED if played else Game.Status.RUNNING,
            )
            at = Table.objects.create(
                round=round_,
                number=table + 1,
                game=game,
                game_number=number * 100 + table,
                played=played,
            )
            order = entrants[table::15] if number % 2 else entrants[table * 4 : table * 4 + 4]
            Place.objects.bulk_create(
                Place(
                    round=round_,
                    table=at,
                    seat=seat,
                    entrant=entrant,
                    score=100 - seat if played else None,
                    rank=seat + 1 if played else None,
                    points=f"{3 - seat}/3" if played else "",
                )
                for seat, entrant in enumerate(order)
            )
    Standing.objects.bulk_create(
        Standing(
            phase=phase,
            entrant=entrant,
            order=order,
            rank=order,
            points=f"{70 - order}/3",
            average=f"{70 - order}/33",
            played=ROUNDS - 1,
            metrics={
                "wins": f"{order}/2",
                "direct": None,
                "score_share": f"{order}/97",
                "lot": str(order),
            },
        )
        for order, entrant in enumerate(entrants, 1)
    )
    refit = Refit.objects.create(
        variant="manipulation", as_of=timezone.now(), games=165, deal_sets=165, fingerprint="0" * 64
    )
    Strength.objects.bulk_create(
        Strength(
            refit=refit,
            player=entrant.player,
            strength=1500 + entrant.number / 7,
            low=1400 + entrant.number / 3,
            high=1600 + entrant.number / 5,
            games=entrant.number,
            wins=entrant.number // 3,
            last_at=timezone.now() - timedelta(hours=entrant.number),
        )
        for entrant in entrants
    )
    Rating.objects.bulk_create(
        Rating(
            variant="manipulation",
            player=entrant.player,
            mu=25 + entrant.number / 7,
            sigma=2 + entrant.number / 31,
            ordinal=25 - entrant.number / 3,
            games=11,
            wins=entrant.number % 11,
        )
        for entrant in entrants
    )
    return tournament


def test_pages_of_a_large_field(client: Client, large: Tournament) -> None:
    address = reverse("tournament", args=[large.slug])
    tabs = ("?tab=rounds", "?tab=games", "?tab=log", "?tab=log&page=2", "?tab=cross&entrant=1")
    for query in ("", "?page=2", *tabs):
        with CaptureQueriesContext(connection) as counted:
            response = client.get(address + query)
        check_page(response)
        assert len(counted) <= 18, query
    text = client.get(address).content.decode()
    assert "Page 1 of 3" in text and text.count('<tr><td class="is-rank">') == 25
    assert text.count('class="is-live"') >= 20
    for query in ("?page=2", "?sort=won&kind=bot&min_games=10"):
        check_page(client.get(f"/leaderboards/manipulation/{query}"))
