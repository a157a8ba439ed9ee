"""The ring around what has the focus, as the eye finds it: in pictures of the page."""

from __future__ import annotations

from base64 import b64encode
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page

from games.models import Game
from tests.pages.chromium import replay_of
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LEAST_PX, LEAST_CONTRAST = 2, 3.0
"""Of a ring: how wide it is, and how it stands out (WCAG 2.4.7, 2.4.11, 1.4.11)."""

OUTSIDE, INSIDE = 8, 6
"""Pixels on either side of an edge among which its ring is looked for."""

REPLAY = {
    "link": ".c-nav a >> nth=1",
    "button": "#copy",
    "button of an accent": "#play",
    "link like a button": "#transport a >> nth=0",
    "slider": "#scrub [type=range]",
    "select": "#speed",
    "card link of the move grid": ".c-moves td a >> nth=0",
    "last card link of a lap": ".c-moves tr:nth-child(2) td:last-child a",
    "card link of the step that is shown": ".c-moves [aria-current]",
    "deal": ".c-deals a >> nth=1",
    "deal that is shown": ".c-deals [aria-current]",
    "what scrolls": ".c-moves",
    "summary": "summary[aria-label='Theme, deck and keys']",
}
MENU = {
    "choice": "#look [name=theme] >> nth=0",
    "choice that is made": "#look [name=deck][aria-pressed=true]",
}
TOURNAMENT = {
    "tab": ".c-tabs a >> nth=1",
    "tab that is shown": ".c-tabs [aria-current]",
    "round": ".c-rounds a >> nth=0",
}
SEARCH = {"input": ".c-search input"}
REFUSED = {"input that is refused": "[aria-invalid] >> nth=0"}

PIXELS = """async (picture) => {
  const blob = await (await fetch(`data:image/png;base64,${picture}`)).blob();
  const image = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const {data} = canvas.getImageData(0, 0, image.width, image.height);
  return [image.width, Array.from(data, (value) => String.fromCharCode(value)).join("")];
}"""

Light = npt.NDArray[np.float64]
"""The relative luminance of each pixel."""


class Ring(NamedTuple):
    """What the eye finds along one line across an edge."""

    width: int
    contrast: float
    """The least against the same pixels without focus, and against those on either side."""


def light_of(blank: Page, picture: bytes) -> Light:
    """Read a picture, in a page whose policy allows that."""
    width, text = blank.evaluate(PIXELS, b64encode(picture).decode())
    values = np.frombuffer(text.encode("latin1"), np.uint8).reshape(-1, width, 4)[..., :3] / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(one: Any, other: Any) -> Any:
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)


def across(before: Light, after: Light) -> Ring:
    """Find the widest run of pixels that the focus has changed enough."""
    changed = contrast(before, after) >= LEAST_CONTRAST
    best = Ring(0, 0.0)
    start = 0
    for place in range(len(changed) + 1):
        if place < len(changed) and changed[place]:
            continue
        if place - start > best.width:
            run = after[start:place]
            beside = [after[p] for p in (start - 1, place) if 0 <= p < len(after)]
            least = min(float(contrast(run, other).max()) for other in beside)
            best = Ring(place - start, least)
        start = place + 1
    return best


def rings(blank: Page, page: Page, control: Locator) -> dict[str, list[Ring]]:
    """What is found across each edge of a control, along lines through the middle of it."""
    control.scroll_into_view_if_needed()
    control.focus()
    box = control.bounding_box()
    assert box is not None
    x, y = round(box["x"]), round(box["y"])
    width, height = round(box["width"]), round(box["height"])
    left, top = max(0, x - OUTSIDE), max(0, y - OUTSIDE)
    clip: Any = {
        "x": left,
        "y": top,
        "width": x + width + OUTSIDE - left,
        "height": y + height + OUTSIDE - top,
    }
    after = light_of(blank, page.screenshot(clip=clip))
    control.blur()
    before = light_of(blank, page.screenshot(clip=clip))
    band = OUTSIDE + INSIDE
    rows = range(y - top + height // 4, y - top + height - height // 4)
    columns = range(x - left + width // 4, x - left + width - width // 4)
    near, far = slice(None, band), slice(-band, None)
    return {
        "left": [across(before[row, near], after[row, near]) for row in rows],
        "right": [across(before[row, far], after[row, far]) for row in rows],
        "top": [across(before[near, column], after[near, column]) for column in columns],
        "bottom": [across(before[far, column], after[far, column]) for column in columns],
    }


def faults(blank: Page, page: Page, controls: dict[str, str]) -> list[str]:
    """Name the controls whose ring is too thin or too faint on one of their sides."""
    page.keyboard.press("Tab")  # whoever uses a keyboard is shown the focus
    found = []
    for name, selector in controls.items():
        for side, seen in rings(blank, page, page.locator(selector)).items():
            good = [r.width >= LEAST_PX and r.contrast >= LEAST_CONTRAST for r in seen]
            if sum(good) < 0.75 * len(good):  # letters may stand next to it
                found.append(f"{name}, {side}: {sorted(seen)[len(seen) // 2]}")
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ring_is_wide_and_stands_out(
    open_page, theme: str, sealed: Game, ended: Tournament
) -> None:
    blank = open_page("about:blank")
    page = open_page(f"{replay_of(sealed)}?step=2", theme=theme)
    wrong = faults(blank, page, REPLAY)
    page.locator(REPLAY["summary"]).press("Enter")
    wrong += faults(blank, page, MENU)
    page.goto(reverse("tournament", args=[ended.slug]))
    wrong += faults(blank, page, TOURNAMENT)
    page.goto("/search/")
    wrong += faults(blank, page, SEARCH)
    page.goto("/accounts/login/")
    page.get_by_label("Name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    wrong += faults(blank, page, REFUSED)
    assert not wrong, "\n".join(wrong)
