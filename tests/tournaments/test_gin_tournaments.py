"""Tournaments of the gin family from their example files, records and boards included."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from engine.variants import VARIANTS
from engine.verify import verify
from games.models import Game
from games.selectors import game_record
from tests.pages.checks import check_page
from tests.tournaments.running import work
from tournaments.management.commands import tournament as command
from tournaments.models import Rating, Tournament
from tournaments.selectors import standings_of
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import parse_spec, read_specs

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
FILES = {"gin": "gin.toml", "hollywood-gin": "hollywood.toml", "oklahoma-gin": "oklahoma.toml"}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", FILES)
def test_a_tournament_of_bots(client: Client, key: str, amount) -> None:
    (spec,) = read_specs(EXAMPLES / FILES[key])
    assert spec.variant == key
    field = amount(tuple(replace(bots, count=1) for bots in spec.entrants), spec.entrants)
    one_deal = {**spec.rules, "length": "deals", "deals": 1}
    spec = replace(spec, rules=one_deal, entrants=field)
    tournament = tournament_create(spec=spec)
    tournament_start(tournament_id=tournament.pk)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    _, rows = standings_of(tournament)
    assert [row.order for row in rows] == list(range(1, spec.size + 1))
    games = Game.objects.filter(variant=key)
    assert games.count() >= spec.size * (spec.size - 1) // 2
    for game in games:
        assert game.is_sealed
        verify(game_record(game).encode())
    assert Rating.objects.filter(variant=key).count() == spec.size
    check_page(client.get(f"/tournaments/{tournament.slug}/"))
    board = client.get(f"/leaderboards/{key}/")
    check_page(board)
    assert "Strong 1" in board.content.decode()


def test_a_mixed_file_runs_every_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, amount
) -> None:
    """From the command line, with the workers' part done while it watches."""
    text = (EXAMPLES / "mixed.toml").read_text()
    assert text.count("\ndeals = 2\n") == 1 and text.count("\ncount = 2\n") == 2
    each, games = amount((1, 1), (2, 6))
    text = text.replace("\ncount = 2\n", f"\ncount = {each}\n")
    file = tmp_path / "mixed.toml"
    file.write_text(text.replace("\ndeals = 2\n", f"\ndeals = {each}\n"))
    monkeypatch.setattr(command.time, "sleep", lambda _: work())
    out = StringIO()
    call_command("tournament", "run", str(file), stdout=out)
    for variant in VARIANTS:
        tournament = Tournament.objects.get(variant=variant.key)
        assert tournament.status == Tournament.Status.ENDED
        assert str(tournament) == f"Mixed evening: {variant.name}"
        assert f"\n{tournament}\n" in out.getvalue()
        found = Game.objects.filter(variant=variant.key)
        assert found.count() == games
        for game in found:
            verify(game_record(game).encode())


def test_ratings_are_kept_by_variant() -> None:
    """The same bots play several games; each has a rating of its own."""
    for key in FILES:
        data = {
            "name": f"Pair at {key}",
            "variant": key,
            "rules": {"length": "deals", "deals": 1},
            "entrants": [{"bot": "simple"}, {"bot": "random"}],
            "phases": [{"format": "round_robin", "table_size": 2}],
        }
        tournament = tournament_create(spec=parse_spec(data))
        tournament_start(tournament_id=tournament.pk)
        work()
    found = Rating.objects.order_by("variant").values_list("variant", "player__name", "games")
    assert sorted(found) == [
        (key, name, 1) for key in sorted(FILES) for name in ("Random 1", "Simple 1")
    ]
