"""What tests in a browser do again and again."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect

from games.models import Game, User

AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
"""What axe looks for, and reports in full."""


def size_of(width: int) -> ViewportSize:
    """The window of a phone or a desk, by its width in px."""
    return {"width": width, "height": 844 if width < 600 else 900}


def at(page: Page, step: int) -> None:
    """Wait until a step is shown everywhere it should be."""
    here = re.compile(rf"\?step={step}(&as=\w+)?$")
    for _ in range(200):  # the address comes last, between two of the looks that expect takes
        if here.search(page.url):
            break
        page.wait_for_timeout(10)
    expect(page.locator("#stage")).to_have_attribute("data-step", str(step))
    expect(page.locator("#scrub [type=range]")).to_have_value(str(step))
    if step:
        expect(page.locator("#deal [aria-current=step]")).to_have_attribute("href", here)
    expect(page).to_have_url(here)


def drawn(page: Page) -> None:
    """Wait until what was changed last is laid out and painted."""
    page.evaluate("new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))")


def replay_of(game: Game) -> str:
    return reverse("game", args=[game.pk])


def sign_in(page: Page, user: User) -> None:
    """Give a page the session of somebody."""
    client = Client()
    client.force_login(user)
    value = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": value, "url": page.url}])
