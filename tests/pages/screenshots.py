"""``make screenshots``: the pages of a finished tournament as pictures, into docs/screenshots."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page

from games.models import Game, Player
from games.selectors import game_replay
from tests.tournaments.running import work
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import read_specs
from tournaments.tasks import refit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OUT = settings.ROOT / "docs" / "screenshots"
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
QUALITY = 78
"""Of JPEG: pictures of pages stay below 200 kB."""


def test_screenshots(browser: Browser, served: Any) -> None:
    """Play the example tournament to its end and take every page at every size and theme."""
    (spec,) = read_specs(settings.ROOT / "examples" / "demo.toml")
    tournament = tournament_create(spec=spec)
    tournament_start(tournament_id=tournament.pk)
    work()
    refit(tournament.variant, 0, 0)
    paths = {
        "home": "/",
        "tournament": reverse("tournament", args=[tournament.slug]),
        "leaderboard": reverse("leaderboard", args=[tournament.variant]),
        "profile": reverse("player", args=[Player.objects.get(name="Greedy 2").pk]),
        "replay": _telling_step(),
    }
    OUT.mkdir(exist_ok=True)
    for size, (width, height) in SIZES.items():
        for theme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height}, base_url=served.url
            )
            context.add_cookies([{"name": "theme", "value": theme, "url": served.url}])
            page = context.new_page()
            for name, path in paths.items():
                _take(page, path, f"{name}-{size}-{theme}.jpg")
            context.close()


def _telling_step() -> str:
    """Return the address of the step of the first game that plays most cards on a full table."""
    game = Game.objects.earliest("pk")
    replay = game_replay(game)
    steps = [step for step in range(len(replay.steps)) if replay.turn(step)]
    step = max(steps, key=lambda s: (len(str(replay.narration(s))), s))
    return f"{reverse('game', args=[game.pk])}?step={step}"


def _take(page: Page, path: str, name: str) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=OUT / name, type="jpeg", quality=QUALITY)
