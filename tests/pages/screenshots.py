"""``make screenshots``: pages of a finished tournament into docs/screenshots, static pictures."""

from __future__ import annotations

import struct
import zlib
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

PIP = 64
"""Pixels of a pip's picture, which shows at most 18.5 of a page's."""

DRAW = """async ([drawing, size]) => {
  const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml");
  const pips = {};
  for (const path of parsed.querySelectorAll("path")) {
    path.removeAttribute("transform");
    const names = "http://www.w3.org/2000/svg";
    const svg = `<svg xmlns="${names}" viewBox="0 0 24 24">${path.outerHTML}</svg>`;
    const picture = new Image(size, size);
    picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await picture.decode();
    const context = new OffscreenCanvas(size, size).getContext("2d");
    context.drawImage(picture, 0, 0, size, size);
    const pixels = context.getImageData(0, 0, size, size).data;
    pips[path.id] = [path.getAttribute("fill"), [...pixels].filter((_, at) => at % 4 === 3)];
  }
  return pips;
}"""
"""Returns the colour of each pip of a drawing and how opaque its pixels are, 0 to 255."""


SHARE = """<!doctype html><style>
  body{margin:0;height:630px;display:grid;grid-template-columns:430px 1fr;align-items:center;
    background:#2c5b50;color:#fffdf8;font:500 38px/1.35 system-ui,sans-serif}
  svg{width:330px;justify-self:end} div{padding-left:56px} h1{margin:0 0 14px;font-size:104px}
</style>%s<div><h1>Meldboard</h1>Card games, replayed and ranked.<br>
Every deal can be checked.</div>"""
"""What a link to any page is shown with elsewhere, 1200 by 630 px."""


def test_share(browser: Browser) -> None:
    """Draw ``static/share.png``."""
    page = browser.new_page(viewport={"width": 1200, "height": 630})
    icon = (settings.ROOT / "static" / "favicon.svg").read_text()
    page.set_content(SHARE % icon.replace("#2c5b50", "#17352e"))
    page.screenshot(path=settings.ROOT / "static" / "share.png")


def test_pips(browser: Browser) -> None:
    """Draw ``static/pips.svg``: pictures of one colour, sixteen degrees of it."""
    drawing = (settings.ROOT / "static" / "pips.svg").read_text()
    for name, (colour, opaque) in browser.new_page().evaluate(DRAW, [drawing, PIP]).items():
        rows = b""
        for at in range(0, PIP * PIP, PIP):
            degrees = [round(pixel / 17) for pixel in opaque[at : at + PIP]]
            pairs = zip(degrees[::2], degrees[1::2], strict=True)
            rows += bytes([0, *(16 * left + right for left, right in pairs)])
        chunks = (
            (b"IHDR", struct.pack(">2I5B", PIP, PIP, 4, 3, 0, 0, 0)),
            (b"PLTE", bytes.fromhex(colour[1:]) * 16),
            (b"tRNS", bytes(range(0, 256, 17))),
            (b"IDAT", zlib.compress(rows, 9)),
            (b"IEND", b""),
        )
        written = b"\x89PNG\r\n\x1a\n"
        for kind, data in chunks:
            crc = zlib.crc32(kind + data)
            written += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)
        (settings.ROOT / "static" / "pips" / f"{name}.png").write_bytes(written)


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
