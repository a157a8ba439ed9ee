"""Stepping through a replay: every key, what a step costs, what stays as it was."""

from __future__ import annotations

import logging
import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from games.pages.verdicts import verdicts_of
from games.selectors import game_replay
from tests.pages.chromium import at, drawn, replay_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAYOUTS = 3
"""Of a step: for the places of cards, for the move grid, for what is told when one stands on it."""

THROTTLE = 4
"""How many times slower than this machine the reader's is taken to be."""

WATCH = """() => {
  window.took = [];
  const stage = document.getElementById("stage");
  let key = 0;
  addEventListener("keydown", (event) => { key = event.timeStamp; }, true);
  new MutationObserver(() => {
    const began = key;
    requestAnimationFrame(() => {
      const drawn = new MessageChannel();
      drawn.port1.onmessage = () => window.took.push(performance.now() - began);
      drawn.port2.postMessage(0);
    });
  }).observe(stage, {attributeFilter: ["data-step"]});
}"""
"""Takes the milliseconds from each key to the end of the frame that follows its step."""


def with_film(open_page, game: Game, *, clock: bool = False, **options: object) -> Page:
    """Open a game at its start and wait until the film of the first deal is here.

    :param clock: stop the page's clock then; ``page.clock`` moves it.
    """
    page: Page = open_page("about:blank", **options)
    if clock:
        page.clock.install()
    with page.expect_response("**/films/1/") as film:
        page.goto(f"{replay_of(game)}?step=0")
    film.value.finished()
    if clock:
        page.clock.pause_at(datetime.now() + timedelta(hours=1))
    return page


def counted(page: Page) -> dict[str, float]:
    """What the page did so far."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    session.detach()
    return {metric["name"]: metric["value"] for metric in metrics}


def test_a_step_lays_the_page_out_once_and_asks_for_nothing(open_page, sealed: Game) -> None:
    """The causes of slow steps, counted: layouts, requests, elements made anew."""
    page = with_film(open_page, sealed, reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    at(page, 1)
    drawn(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    before, steps = counted(page), len(game_replay(sealed).deals[0]) - 2
    page.evaluate("document.querySelectorAll('#seats a, #transport a').forEach((e) => e.was = 1)")
    for step in range(2, 2 + steps):
        page.evaluate("document.querySelectorAll('.c-melds li').forEach((e) => e.was = 1)")
        melds = page.locator(".c-melds li").count()
        page.keyboard.press("ArrowRight")
        at(page, step)
        kept = page.evaluate(
            "[...document.querySelectorAll('.c-melds li')].filter((e) => e.was).length"
        )
        assert kept >= melds - 3, step
        drawn(page)
    after = counted(page)
    assert after["LayoutCount"] - before["LayoutCount"] <= LAYOUTS * steps
    assert not [url for url in asked if "/games/" in url]
    parts = "[...document.querySelectorAll('#seats a, #transport a')]"
    assert page.evaluate(f"{parts}.every((e) => e.was || e.hidden)")


def test_every_step_is_drawn_as_the_server_draws_its_page(open_page, sealed: Game) -> None:
    """Whatever was on the page before, a step looks as if it had been opened by itself."""
    page = with_film(open_page, sealed)
    first, second = game_replay(sealed).deals
    parts = ("stage", "seats", "verdict", "transport", "cursor", "deal")
    other = open_page("about:blank", java_script_enabled=False)
    for step in (first[-1], 3, first[5], second[4], second[-1], 1):
        page.locator("#scrub [type=range]").fill(str(step))
        at(page, step)
        other.goto(f"{replay_of(sealed)}?step={step}")
        for part in parts:
            looks = [p.locator(f"#{part}").evaluate("(e) => e.outerHTML") for p in (page, other)]
            assert looks[0] == looks[1], part


def test_every_key_presses_its_control(open_page, sealed: Game) -> None:
    page = with_film(open_page, sealed)
    root = page.locator("html")
    listed = set(page.locator("#keys kbd").all_inner_texts())
    assert listed == {*"←→[]mMbg.padc?", "Shift", "Home", "End", "Space"}
    for key, name in (("a", "analysis"), ("d", "changes")):
        for on in ("off", "on"):
            page.keyboard.press(key)
            expect(root).to_have_attribute(f"data-{name}", on)
            expect(page.locator("#verdict")).to_be_visible(
                visible=(name, on) != ("analysis", "off")
            )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    expect(page.locator("#copy")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"{replay_of(sealed)}?step=1")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.keyboard.press("c")  # as over plain http
    expect(page.locator("#copy")).to_have_text("Copy the address")
    play = page.locator("#play")
    for pressed in ("true", "false"):
        page.keyboard.press("Space")
        expect(play).to_have_attribute("aria-pressed", pressed)
    for key, dialog in (("g", "go"), ("?", "keys")):
        page.keyboard.press(key)
        expect(page.locator(f"#{dialog}")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(f"#{dialog}")).to_be_hidden()


def test_turns_that_only_drew_can_be_left_out(open_page, sealed: Game) -> None:
    replay = game_replay(sealed)
    first = replay.deals[0]
    told = [step for step in first[1:] if not replay.label(step).quiet]
    assert len(told) < len(first) - 1, "no turn only drew"
    page = with_film(open_page, sealed)
    page.get_by_role("button", name="More controls").click()
    page.get_by_role("button", name="Draws").click()
    stage = page.locator("#stage")
    for key, steps in (("ArrowRight", told), ("ArrowLeft", told[-2::-1])):
        for step in steps:
            page.keyboard.press(key)
            expect(stage).to_have_attribute("data-step", str(step))
        at(page, steps[-1])
    page.get_by_role("button", name="Draws").click()
    page.keyboard.press("ArrowRight")
    at(page, told[0] + 1)


def test_cards_are_laid_one_by_one(open_page, sealed: Game) -> None:
    replay = game_replay(sealed)
    step = next(s for s in replay.deals[0][2:-1] if "▲" in replay.label(s).main)
    page = with_film(open_page, sealed, reduced_motion="reduce")
    page.locator("#scrub [type=range]").fill(str(step))
    at(page, step)
    page.keyboard.press(".")
    expect(page.locator("#narration")).to_have_text(re.compile("this turn|moved from"))
    at(page, step)
    page.keyboard.press("ArrowRight")
    at(page, step + 1)
    assert page.evaluate("document.getAnimations().length") == 0


def test_shortcuts_by_single_keys_can_be_turned_off(open_page, sealed: Game) -> None:
    page = with_film(open_page, sealed)
    page.locator("summary[aria-label='Theme, deck and keys']").click()
    page.get_by_role("group", name="Single-key shortcuts").get_by_role("button", name="Off").click()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    for _ in range(2):
        for key in ("ArrowRight", "]", "End", "m", "d", "a", "g", "?", " "):
            page.keyboard.press(key)
        at(page, 0)
        assert page.locator("dialog[open]").count() == 0
        assert page.locator("#play").get_attribute("aria-pressed") == "false"
        page.reload()  # it stays
    page.get_by_role("link", name="Next step").click()
    at(page, 1)
    page.locator("#changes").click()
    expect(page.locator("html")).to_have_attribute("data-changes", "off")


def test_typing_in_a_search_is_no_shortcut(open_page, sealed: Game) -> None:
    page = with_film(open_page, sealed)
    page.evaluate("document.querySelector('.c-pagehead').append(document.createElement('input'))")
    page.locator(".c-pagehead input").press_sequentially("gamed")
    at(page, 0)
    assert page.locator("html").get_attribute("data-analysis") is None
    assert page.locator("dialog[open]").count() == 0


def test_a_held_key_is_told_at_most_thrice(open_page, sealed: Game) -> None:
    """Twenty steps of a key that repeats, by a clock of the test's own."""
    page = with_film(open_page, sealed, clock=True)
    page.evaluate(
        """window.heard = window.repeated = 0;
        addEventListener("keydown", (event) => { window.repeated += event.repeat; });
        new MutationObserver(() => window.heard++).observe(
          document.getElementById("narration"), {childList: true});"""
    )
    stage = page.locator("#stage")
    for step in range(1, 21):
        page.keyboard.down("ArrowRight")
        expect(stage).to_have_attribute("data-step", str(step))
        page.clock.run_for(50)
        page.keyboard.down("ArrowRight")  # sooner than held keys step
        page.clock.run_for(60)
    assert page.evaluate("window.repeated") == 39
    page.keyboard.up("ArrowRight")
    assert page.evaluate("window.heard") <= 2
    page.clock.run_for(300)
    at(page, 20)
    expect(page.locator("#narration")).not_to_be_empty()
    assert 1 <= page.evaluate("window.heard") <= 3


def test_a_link_to_a_step_back_and_reload(open_page, sealed: Game) -> None:
    page = open_page("/games/")
    page.goto(f"{replay_of(sealed)}?step=3")
    for step in range(4, 9):
        page.keyboard.press("ArrowRight")
        at(page, step)
    page.reload()
    at(page, 8)
    page.go_back()
    expect(page).to_have_url(re.compile("/games/$"))
    page.go_forward()
    at(page, 8)
    page.keyboard.press("ArrowRight")
    at(page, 9)
    expect(page.locator("#picture")).to_have_attribute("href", "table.svg?step=9")
    page.get_by_role("link", name="Sign in").click()
    expect(page.locator("main [name=next]")).to_have_value(f"{replay_of(sealed)}?step=9")


def test_a_mistake_by_key_is_the_one_before_or_after(open_page, sealed: Game) -> None:
    mistakes = [v.step for v in verdicts_of(sealed, game_replay(sealed)).mistakes]
    page = open_page(f"{replay_of(sealed)}?step={mistakes[1]}")
    page.keyboard.press("Shift+M")
    at(page, mistakes[0])
    page.keyboard.press("Shift+M")
    at(page, mistakes[0])


def test_how_long_steps_take(open_page, sealed: Game, amount) -> None:
    """Measured, not judged: machines are busy. ``ARGS="-k how_long -rP"`` tells."""
    page = with_film(open_page, sealed)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    page.evaluate(WATCH)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    steps, last = amount(4, 200), len(game_replay(sealed).deals[0]) - 2
    for number in range(steps):
        page.keyboard.press("ArrowRight" if number // last % 2 == 0 else "ArrowLeft")
        for _ in range(200):  # the page's policy lets nothing wait inside it
            if page.evaluate("window.took.length") > number:
                break
            page.wait_for_timeout(20)
    took = sorted(page.evaluate("window.took"))
    assert len(took) == steps
    middle, high = took[steps // 2], took[steps * 95 // 100]
    told = "%s steps at %sx: median %.0f ms, 95 of 100 within %.0f ms"
    logging.getLogger(__name__).warning(told, steps, THROTTLE, middle, high)
