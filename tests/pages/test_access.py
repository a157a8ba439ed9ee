"""Keyboards, screen readers, forced colours, print, tables, errors: in Chromium."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Game
from tests.pages.chromium import at, replay_of
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOCUSED = "document.activeElement.id || document.activeElement.ariaLabel || ''"

PAINT = """(element) => {
  let behind = element;
  while (/, 0[)]$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  return [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
}"""
"""The colour of words, and of what is behind them."""


def test_focus_stays_where_it_was_on_every_step(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=0")
    for name in ("player-1", "speed", "play", "changes"):
        page.locator(f"#{name}").focus()
        for step in (1, 2):
            page.keyboard.press("]" if name != "speed" else "Tab")
            if name == "speed":
                break
            expect(page.locator("#stage")).not_to_have_attribute("data-step", "0")
            assert page.evaluate(FOCUSED) == name, (name, step)
        page.keyboard.press("Home")
    page.get_by_role("link", name="Next step").focus()
    page.keyboard.press("Enter")
    at(page, 1)
    assert page.evaluate(FOCUSED) == "Next step (right arrow)"
    outline = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    assert outline >= 2


def test_tab_goes_through_the_page_in_its_order_and_out(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=1")
    order = page.evaluate(
        """[...document.querySelectorAll("a[href], button, select, summary, [tabindex='0'],"
           + " input:not([type=hidden])")].filter((e) => e.checkVisibility()
           && !e.closest("dialog:not([open]), details:not([open]) > :not(summary)"))
           .map((e, i) => (e.dataset.order = i, i))"""
    )
    seen = []
    for _ in order:
        page.keyboard.press("Tab")
        seen.append(page.evaluate("Number(document.activeElement.dataset.order ?? -1)"))
    assert seen == sorted(seen) == order
    for key, dialog in (("?", "keys"), ("g", "go")):
        page.locator("#player-0").focus()
        page.keyboard.press(key)
        expect(page.locator(f"#{dialog}")).to_be_visible()
        for _ in range(4):
            page.keyboard.press("Tab")
            assert page.evaluate(
                f"!document.activeElement.closest('main :not(dialog) > a')"
                f" && (document.activeElement === document.body"
                f" || !!document.activeElement.closest('#{dialog}'))"
            )
        page.keyboard.press("Escape")
        expect(page.locator(f"#{dialog}")).to_be_hidden()
        assert page.evaluate(FOCUSED) == "player-0"


def test_autoplay_is_not_read_aloud(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=0")
    page.evaluate(
        """() => {
          let heard = 0;
          const narration = document.getElementById("narration");
          new MutationObserver(() => heard++).observe(narration, {childList: true});
          window.heard = new Promise((done) => new MutationObserver(() => {
            if (document.getElementById("stage").dataset.step >= 4) done(heard);
          }).observe(document.body, {childList: true, subtree: true}));
        }"""
    )
    page.locator("#speed").select_option("4")
    page.keyboard.press("Space")
    assert page.evaluate("window.heard") == 0
    region = page.locator("#narration")
    expect(region).to_have_attribute("aria-live", "polite")
    expect(region).to_have_attribute("aria-atomic", "true")


def test_shortcuts_are_ignored_where_one_types(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=2")
    page.keyboard.press("g")
    page.locator("#go input").press_sequentially("gamed[]")
    expect(page.locator("#stage")).to_have_attribute("data-step", "2")
    assert page.locator("#replay").get_attribute("data-changes") is None
    page.keyboard.press("Escape")
    page.locator("#speed").focus()
    page.keyboard.press("d")
    assert page.locator("#replay").get_attribute("data-changes") is None


def test_a_key_counts_as_soon_as_a_dialog_is_closed(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=0")
    page.keyboard.press("g")
    page.locator("#go input").fill("3")
    page.evaluate(
        """() => {
          document.querySelector("#go .c-form").requestSubmit();
          document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key: "?", bubbles: true}));
        }"""
    )
    expect(page.locator("#keys")).to_be_visible()


def test_forced_colours_and_paper_keep_cards_and_edges(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=4", forced_colors="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    cards = page.locator(".c-card")
    assert page.locator(".c-felt .c-card").count() and page.locator(".c-seatbox .c-card").count()
    styles = cards.evaluate_all("(all) => all.map((e) => getComputedStyle(e).outlineStyle)")
    assert {*styles} <= {"solid", "dashed"}
    width = page.locator("#copy").evaluate("(e) => getComputedStyle(e).borderTopWidth")
    assert width != "0px"
    page.emulate_media(media="print", forced_colors="none")
    expect(page.locator("#transport")).to_be_hidden()
    paint = page.locator(".c-meld p").first.evaluate(PAINT)
    assert paint == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    expect(page.locator(".c-felt .c-meld .c-card").first).to_be_visible()


def test_what_is_printed_is_the_content(open_page, ended: Tournament) -> None:
    page: Page = open_page(reverse("tournament", args=[ended.slug]))
    page.emulate_media(media="print")
    for gone in (".c-topbar", ".c-tabs", "#side", ".c-podium"):
        expect(page.locator(gone)).to_be_hidden()
    rows = page.locator(".c-standings tbody tr")
    expect(rows).to_have_count(ended.entrants.count())
    expect(rows.first).to_be_visible()


def test_tables_are_tables(open_page, ended: Tournament, sealed: Game) -> None:
    tournament = reverse("tournament", args=[ended.slug])
    page = open_page(tournament)
    for path in (tournament, f"{tournament}?tab=cross", "/leaderboards/manipulation/"):
        page.goto(path)
        tables = page.locator("main table")
        assert tables.count() >= 1, path
        wrong = tables.evaluate_all(
            """(all) => all.filter((t) => !t.caption?.textContent.trim()
              || [...t.querySelectorAll("th")].some((h) => !h.scope))
              .map((t) => t.outerHTML.slice(0, 200))"""
        )
        assert wrong == [], path
        regions = page.locator("main .c-scroll").evaluate_all(
            "(all) => all.filter((e) => e.tabIndex !== 0 || !e.ariaLabel).length"
        )
        assert regions == 0, path
    page.goto(tournament)
    assert page.locator("main th[aria-sort]").count() == 1
    page.goto("/leaderboards/manipulation/")
    assert page.locator("main th[aria-sort]").count() == 1


def test_a_sign_in_that_fails_says_so_where_it_went_wrong(open_page) -> None:
    page = open_page("/accounts/login/?next=/games/")
    page.get_by_label("Name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("do not fit together")
    for label in ("Name", "Password"):
        field = page.get_by_label(label)
        expect(field).to_have_attribute("aria-invalid", "true")
        assert field.get_attribute("aria-describedby") == alert.get_attribute("id")
    expect(page.get_by_label("Name")).to_have_value("nobody")
