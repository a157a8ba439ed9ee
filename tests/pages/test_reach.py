"""Every page as it must reach everybody: sizes of targets, zoom, large text, names."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import FloatRect, Locator, Page, expect

from games.models import Game, Player
from tests.pages.chromium import replay_of
from tests.pages.test_axe import site
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

__all__ = ["site"]  # the addresses that axe looks at

TARGET_PX, MAIN_PX = 24, 44
"""Least size of what is pressed, and of a main action on a phone (WCAG 2.5.8)."""

SMALL = """(least) => [...document.querySelectorAll(
    "a[href], button, select, summary, textarea, input:not([type=hidden])")]
  .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest(".u-sr, .c-skip"))
  .filter((e) => !(e.localName === "a" && getComputedStyle(e).display === "inline"
    && e.closest("p, dd, dt, figcaption, caption, label, .c-crumbs")))  // in a sentence: no limit
  .map((e) => [e, (e.closest("label") ?? e).getBoundingClientRect()])
  .filter(([, box]) => box.width < least - 0.5 || box.height < least - 0.5)
  .map(([e, box]) => `${e.outerHTML.slice(0, 120)}: ${box.width} x ${box.height}`)"""

CUT_RINGS = """() => [...document.querySelectorAll("a[href], button, select, summary, textarea,"
    + "input:not([type=hidden]), [tabindex='0']")]
  .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.closest(".u-sr, .c-skip"))
  .filter((e) => !e.disabled)
  .filter((e) => {
    e.focus({preventScroll: true});
    const style = getComputedStyle(e), box = e.getBoundingClientRect();
    if (style.outlineStyle === "none") return true;
    const ring = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth) - 0.5;
    const cuts = (from, to, start, outer, inner, scrolls) =>
      from - ring < start || to + ring > start + (scrolls ? inner : outer);
    const fixed = (element) => getComputedStyle(element).position === "fixed";
    for (let a = e; a !== document.body && !fixed(a); ) {
      a = a.parentElement;
      const {overflowX, overflowY} = getComputedStyle(a), at = a.getBoundingClientRect();
      const scrolls = (overflow) => ["auto", "scroll"].includes(overflow);
      if (overflowX !== "visible" && cuts(box.left, box.right, at.left + a.clientLeft
        - a.scrollLeft, a.clientWidth, a.scrollWidth, scrolls(overflowX))) return true;
      if (overflowY !== "visible" && cuts(box.top, box.bottom, at.top + a.clientTop
        - a.scrollTop, a.clientHeight, a.scrollHeight, scrolls(overflowY))) return true;
    }
    return false;
  })
  .map((e) => e.outerHTML.slice(0, 120))"""
"""Controls without a ring when they have the focus, or with one that reaches out of a box that
cuts off what is outside; what scrolls can show all that lies in its scrolled area."""

CLIPPED = """() => [...document.querySelectorAll("body *")]
  .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.data?.trim()))
  .filter((e) => !e.closest(".u-sr, .c-skip, svg, select, option, .c-card, textarea"))
  .filter((e) => {
    const style = getComputedStyle(e);
    return e.scrollWidth > e.clientWidth + 1 && style.display !== "inline"
      && style.overflowX !== "visible" && style.textOverflow !== "ellipsis"
      && !["auto", "scroll"].includes(style.overflowX);
  })
  .map((e) => e.outerHTML.slice(0, 160))"""

TABLEAU = """
- list "Melds on the tableau":
  - listitem:
    - paragraph: Kings
    - img "king of clubs"
    - img "joker as king of diamonds"
    - img "king of hearts"
  - listitem:
    - paragraph: Diamonds 4–6 −1
    - img "4 of diamonds"
    - img "5 of diamonds"
    - img "6 of diamonds"
  - listitem:
    - paragraph: Threes new
    - img "3 of diamonds, moved from Diamonds 3–6"
    - img "3 of hearts, played from hand this turn"
    - img "3 of spades, played from hand this turn"
  - listitem:
    - paragraph: Clubs 8–Q new
    - img "8 of clubs, played from hand this turn"
    - img "9 of clubs, played from hand this turn"
    - img "joker as 10 of clubs, played from hand this turn"
    - img "jack of clubs, played from hand this turn"
    - img "queen of clubs, played from hand this turn"
"""
"""What a screen reader is told of the tableau after step 5 of the sealed game."""

LARGE_TEXT = "() => { document.documentElement.style.fontSize = '200%'; }"


def wide(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found


def box_of(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found is not None
    return found


def test_every_target_can_be_hit_and_shows_its_ring(
    open_page, site: dict[str, str], amount
) -> None:
    for width in amount((390,), (390, 1440)):
        page = open_page("/", width=width)
        wrong: list[str] = []
        for name, path in site.items():
            page.goto(path)
            wrong += [f"{name}: {found}" for found in page.evaluate(SMALL, TARGET_PX)]
            wrong += [f"{name}: ring cut off: {found}" for found in page.evaluate(CUT_RINGS)]
        assert not wrong, "\n".join(wrong)
        page.context.close()


def test_main_actions_on_a_phone_are_large(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=1", width=390)
    for control in page.locator("#transport :is(a, button):visible, #more").all():
        box = control.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= MAIN_PX - 0.5, box
    transport = page.locator(".c-transport")
    page.mouse.wheel(0, 3000)
    expect(transport).to_be_in_viewport(ratio=1)


def test_no_page_breaks_when_it_is_zoomed(open_page, site: dict[str, str], amount) -> None:
    """With text of twice the size; in the long form at 320 px, and at 640 px of twice the size."""
    large = open_page("/", width=1440)
    forms = [(large, 1440, "200 %")]
    if amount(False, True):
        forms += [
            (open_page("/", width=320), 320, "320 px"),
            (open_page("/", width=640, device_scale_factor=2), 640, "2x"),
        ]
    wrong: list[str] = []
    for name, path in site.items():
        for page, width, form in forms:
            page.goto(path)
            if page is large:
                page.evaluate(LARGE_TEXT)
            if wide(page) > width:
                wrong.append(f"{name}, {form}: {wide(page)} px")
            wrong += [f"{name}, {form}: cut off: {cut}" for cut in page.evaluate(CLIPPED)]
    assert not wrong, "\n".join(wrong)


def test_a_long_name_leaves_room_for_figures_on_a_phone(open_page, ended: Tournament) -> None:
    """The column of names stays in view, so it may not take the whole of it."""
    Player.objects.filter(name="Greedy 1").update(name=f"{'W' * 24} {'m' * 15}")
    at = reverse("tournament", args=[ended.slug])
    page = open_page(at, width=390)
    names = page.locator(".c-standings td.is-stick")
    assert max(box["width"] for box in map(box_of, names.all())) <= 195
    points = box_of(page.locator(".c-standings td.is-main").first)
    assert points["x"] + points["width"] <= 390
    page.goto("/leaderboards/manipulation/")
    for column in ("Rating", "Games", "Won", "Last played"):
        expect(page.locator("thead th", has_text=column).first).to_be_visible()
    assert wide(page) == 390
    page.goto(f"{at}?tab=cross")
    cell = box_of(page.locator(".c-xtable tbody td").first)
    assert cell["x"] + cell["width"] <= 390
    met = ended.entrants.select_related("player").exclude(player__name__startswith="W").first()
    assert met is not None
    for path in (reverse("player", args=[met.player_id]), f"{at}?tab=cross&entrant={met.number}"):
        page.goto(path)
        table = page.get_by_role("region", name="Head to head, scrolls sideways")
        assert table.evaluate("(e) => e.scrollWidth - e.clientWidth") <= 0, path
        expect(
            table.get_by_text(re.compile(r"\d+ ahead, \d+ level, \d+ behind")).first
        ).to_be_visible()


def test_standings_print_dark_on_white_and_whole(open_page, ended: Tournament) -> None:
    """Printers leave backgrounds out: light ink would be lost."""
    page = open_page(reverse("tournament", args=[ended.slug]), width=794, theme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(31, 29, 26)"
    assert page.locator(".c-scroll").evaluate("(e) => e.scrollWidth - e.clientWidth") <= 0
    page.goto("/leaderboards/manipulation/")
    expect(page.locator(".c-filters")).to_be_hidden()


def test_a_frame_is_as_high_as_a_phone_needs(open_page, ended: Tournament) -> None:
    page = open_page(f"/tournaments/{ended.slug}/publish/?rows=4", width=390)
    frame = page.locator(".c-frame")
    frame.scroll_into_view_if_needed()
    expect(frame.content_frame.locator("tbody tr")).to_have_count(4)
    hidden = "(e) => { const b = e.contentDocument.documentElement;"
    assert frame.evaluate(f"{hidden} return b.scrollHeight - b.clientHeight; }}") <= 0


def test_long_melds_and_moves_are_seen_whole(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=5", width=390)
    page.evaluate("""() => {
      const row = document.querySelector(".c-meld.is-fresh .c-cards");
      while (row.children.length < 13) row.append(row.lastElementChild.cloneNode(true));
      document.querySelector(".c-moves").style.width = "210px";
    }""")
    cards = [box_of(card) for card in page.locator(".c-felt .c-meld .c-card").all()]
    assert max(box["x"] + box["width"] for box in cards) <= 390
    cut = "(cells) => cells.filter((a) => a.scrollWidth > a.clientWidth).map((a) => a.textContent)"
    assert page.locator(".c-moves td a").evaluate_all(cut) == []


def test_the_controls_of_a_long_game_fit_a_phone(open_page, sealed: Game) -> None:
    page = open_page(replay_of(sealed), width=375)
    page.evaluate('() => { document.querySelector(".c-pos").textContent = "175 / 175"; }')
    play, more = box_of(page.locator("#play")), box_of(page.locator("#more"))
    assert abs(play["y"] - more["y"]) < 2


def test_cards_and_melds_have_names(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=5")
    expect(page.locator(".c-melds")).to_match_aria_snapshot(TABLEAU)
    new = page.get_by_role("img", name="played from hand this turn")
    assert new.count() == page.locator(".c-felt .c-card.is-new").count() == 7
    named = page.get_by_role("img", name="3 of hearts, played from hand this turn", exact=True)
    expect(named).to_be_visible()


def test_focus_is_seen(open_page, sealed: Game) -> None:
    """A ring at least 2 px wide, whatever has the focus; its contrast is that of the accent."""
    page = open_page(f"{replay_of(sealed)}?step=2")
    for _ in range(25):
        page.keyboard.press("Tab")
        style = page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
            return [s.outlineStyle, parseFloat(s.outlineWidth), e.outerHTML]; }"""
        )
        assert style[0] != "none" and style[1] >= 2, style
