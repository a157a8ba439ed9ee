"""The pages in a real Chromium: stepping, no-script use, policy, reflow, accessibility."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Route, expect

from engine.variants import find_variant
from games.models import Game
from games.pages.verdicts import verdicts_of
from games.selectors import game_replay
from games.services.bots import builtin_bot
from games.services.games import game_create
from tests.pages.chromium import AXE, at, drawn, replay_of
from tests.tournaments.running import QUICK, small_spec, work
from tournaments.models import Tournament
from tournaments.pages.site import site_write
from tournaments.services.entries import bots_enter
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOVES = """window.moves = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  window.moves += 1;
  return animate.apply(this, how);
};"""
"""Counts what is moved, however soon it comes to rest."""

CHANGES = """window.changes = [];
new MutationObserver((seen) => window.changes.push(...seen.map(({target}) => target.nodeName)))
  .observe(document.body, {attributes: true, characterData: true, childList: true, subtree: true});
"""
"""Notes whatever changes on the page."""

COVERED = """() => [...document.querySelectorAll(".c-felt .c-card:not(.is-back)")].filter(card => {
  card.scrollIntoView({block: "center"});
  const {x, y, width, height} = card.getBoundingClientRect();
  return document.elementFromPoint(x + width * 0.3, y + height * 0.25) !== card;
}).map((card) => card.ariaLabel)"""
"""Returns the cards whose rank cannot be seen."""


def test_no_card_hides_the_rank_of_another(open_page, db: None) -> None:
    bots = [builtin_bot(policy="simple", number=number) for number in (1, 2)]
    rules = {"length": "deals", "deals": 1}
    seed = sha256(b"overlap").digest()
    gin = game_create(variant=find_variant("gin"), rules=rules, players=bots, seed=seed)
    work()
    page = open_page(f"{replay_of(gin)}?step=0", reduced_motion="reduce")
    for step in range(1, 6):
        page.keyboard.press("ArrowRight")
        at(page, step)
        assert page.evaluate(COVERED) == [], step
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(COVERED) == []


STARTS = """() => [...document.querySelectorAll(".c-cards")].map((hand) => {
  while (hand.children.length && hand.children.length < 30)
    hand.append(hand.lastElementChild.cloneNode(true));
  let below = 0;
  const starts = [...hand.children].filter((card) => {
    const box = card.getBoundingClientRect();
    return box.width && box.top >= below && (below = box.bottom - 1);
  });
  return new Set(starts.map((card) => Math.round(card.getBoundingClientRect().left))).size;
})"""
"""Fills hands and melds until they wrap; returns at how many places their rows begin."""


def test_rows_of_cards_begin_below_one_another(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=1&as=open")
    assert set(page.evaluate(STARTS)) == {1}


def test_a_replay_is_stepped_by_keys(open_page, sealed: Game) -> None:
    first, second = game_replay(sealed).deals
    last = second[-1]
    page = open_page(f"{replay_of(sealed)}?step=0")
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("]", 4),
        ("[", 1),
        ("End", last),
        ("ArrowRight", last),
        ("Shift+ArrowLeft", second[0]),
        ("ArrowLeft", first[-1]),
        ("Shift+ArrowRight", second[0]),
        ("Shift+ArrowLeft", 0),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        at(page, step)
    for key in ("Control+ArrowRight", "Alt+ArrowRight", "Meta+ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    at(page, 0)
    page.keyboard.press("g")
    page.keyboard.type("3")
    page.keyboard.press("ArrowLeft")  # in the input it is no step
    page.keyboard.press("Enter")
    at(page, 3)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    at(page, 3)
    page.keyboard.press("d")
    expect(page.locator("#changes")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("history.length") == 2  # about:blank and this page: Back leaves the replay


def test_a_replay_is_stepped_by_slider_links_and_play(open_page, sealed: Game) -> None:
    first, second = game_replay(sealed).deals
    page = open_page(f"{replay_of(sealed)}?step=1")
    page.locator("#scrub [type=range]").fill(str(second[1]))
    at(page, second[1])
    expect(page.locator("#deal")).to_have_attribute("data-deal", "2")
    expect(page.locator(".c-chart")).to_have_attribute("data-first", str(second[0]))
    page.locator("#scrub [type=range]").press("ArrowLeft")
    at(page, second[0])
    expect(page).to_have_title(re.compile("^Deal 2, turn 1 of "))
    page.keyboard.press("[")  # with the slider focused
    at(page, second[0] - 3)
    page.keyboard.press("]")
    at(page, second[0])
    page.get_by_role("link", name="First step").click()
    at(page, 0)
    page.locator(".c-moves a").nth(1).click()
    at(page, 2)
    focused = page.evaluate("document.activeElement.getAttribute('href')")
    assert focused == "?step=2"
    page.get_by_role("link", name="Next step").click()
    at(page, 3)
    focused = page.evaluate("document.activeElement.getAttribute('aria-keyshortcuts')")
    assert focused == "ArrowRight"
    actor = page.locator(".c-narr .c-who").first.inner_text()
    expect(page.locator("#narration")).to_have_text(re.compile(rf"^{actor} "))
    page.locator("#player-1").focus()
    page.keyboard.press("ArrowRight")
    at(page, 4)
    assert page.evaluate("document.activeElement.id") == "player-1"
    page.locator(".c-deals a").nth(1).click()
    at(page, second[0])
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
    page.get_by_role("link", name="First step").click()
    at(page, 0)
    page.locator("#speed").select_option("4")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#stage")).to_have_attribute("data-step", str(first[-1]), timeout=60_000)
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.reload()
    at(page, first[-1])


def test_the_move_grid_follows(open_page, sealed: Game) -> None:
    """Where it is too long to be seen whole the turn that is shown is in sight."""
    last = game_replay(sealed).deals[0][-1]
    page = open_page(f"{replay_of(sealed)}?step=1")
    page.evaluate("document.querySelector('.c-moves').style.maxHeight = '90px'")
    page.locator("#scrub [type=range]").fill(str(last))
    at(page, last)
    seen = """() => {
      const cell = document.querySelector(".c-moves [aria-current]").getBoundingClientRect();
      const box = document.querySelector(".c-moves").getBoundingClientRect();
      return box.top <= cell.top && cell.bottom <= box.bottom;
    }"""
    assert page.evaluate(seen)


def test_once_the_film_is_here_steps_ask_for_nothing(open_page, sealed: Game) -> None:
    first, second = game_replay(sealed).deals
    page = open_page("/")
    with page.expect_response("**/films/1/") as film:
        page.goto(f"{replay_of(sealed)}?step=0")
    film.value.finished()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for step in range(1, first[-1] + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#stage")).to_have_attribute("data-step", str(step))
    at(page, first[-1])
    assert not [url for url in asked if "/frames/" in url]
    with page.expect_response("**/films/2/"):
        page.keyboard.press("ArrowRight")
    at(page, second[0])
    drawn = page.locator("#stage").inner_html()
    page.reload()
    assert page.locator("#stage").inner_html() == drawn


def test_views_and_how_cards_moved(open_page, sealed: Game) -> None:
    replay = game_replay(sealed)
    step = next(s for s in replay.deals[0][1:-1] if "▲" in replay.label(s).main)
    page = open_page(f"{replay_of(sealed)}?step={step}")
    page.keyboard.press("p")
    page.wait_for_url(f"**?as=public&step={step}")
    assert page.locator(".c-seatbox .c-cards").count() == 0
    page.keyboard.press("ArrowRight")
    at(page, step + 1)
    assert page.url.endswith(f"?step={step + 1}&as=public")
    assert page.locator(".c-seatbox .c-cards").count() == 0
    page.locator("#views select").select_option("open")
    page.wait_for_url(f"**?step={step + 1}&as=open")
    page.goto(f"{replay_of(sealed)}?step={step}")
    page.keyboard.press(".")
    for moving in (True, False):  # the page's policy lets nothing wait inside it
        for _ in range(200):
            if page.evaluate("document.getAnimations().length > 0") == moving:
                break
            page.wait_for_timeout(50)
        else:
            pytest.fail(f"cards {'never moved' if moving else 'never came to rest'}")
    at(page, step)


def test_a_step_that_cannot_be_had_says_so_and_can_be_tried_again(open_page, sealed: Game) -> None:
    page = open_page("/")
    for fragments in ("**/frames/*/", "**/films/*/"):
        page.route(fragments, lambda route: route.fulfill(status=204))
    page.goto(f"{replay_of(sealed)}?step=0")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#failure")).to_contain_text("Step 1 could not be loaded. Try again")
    page.unroute("**/frames/*/")
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator("#failure")).to_be_empty()


def test_a_replay_works_without_scripts(open_page, sealed: Game) -> None:
    page = open_page(f"{replay_of(sealed)}?step=0", java_script_enabled=False)
    stage = page.locator("#stage")
    page.get_by_role("link", name="Next step").click()
    expect(stage).to_have_attribute("data-step", "1")
    page.locator(".c-moves a").nth(2).click()
    expect(stage).to_have_attribute("data-step", "3")
    page.locator(".c-deals a").nth(1).click()
    expect(stage).to_have_attribute("data-deal", "2")
    expect(page.locator("#play")).to_be_hidden()
    page.locator("#scrub [type=range]").press("Home")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(stage).to_have_attribute("data-step", "0")
    page.locator("summary[aria-label='Theme, deck and keys']").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(stage).to_have_attribute("data-step", "0")


def test_theme_and_deck_change_at_once_and_stay(open_page, sealed: Game) -> None:
    page = open_page(replay_of(sealed))
    page.locator("summary[aria-label='Theme, deck and keys']").click()
    for name, attribute, value in (
        ("Dark", "data-theme", "dark"),
        ("Four colours", "data-deck", "4"),
    ):
        page.get_by_role("button", name=name).click()
        expect(page.locator("html")).to_have_attribute(attribute, value)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Dark")).to_be_hidden()
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 21, 18)"


def test_the_system_decides_where_nothing_was_chosen(open_page, sealed: Game) -> None:
    page = open_page("/", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 21, 18)"


def test_mistakes_and_better_plays_by_key(open_page, sealed: Game) -> None:
    verdicts = verdicts_of(sealed, game_replay(sealed))
    first, second = (verdict.step for verdict in verdicts.mistakes[:2])
    page = open_page(f"{replay_of(sealed)}?step=0")
    page.keyboard.press("m")
    at(page, first)
    page.keyboard.press("m")
    at(page, second)
    page.keyboard.press("Shift+M")
    at(page, first)
    page.keyboard.press("b")
    expect(page.locator("#stage")).to_have_attribute("data-better", "")
    expect(page.locator(".c-narr")).to_contain_text("Best play")
    expect(page).to_have_url(re.compile(rf"\?step={first}&show=best$"))
    page.reload()
    expect(page.locator(".c-narr")).to_contain_text("Best play")
    page.get_by_role("link", name="Show what was played").click()
    expect(page.locator("#stage")).not_to_have_attribute("data-better", "")
    page.keyboard.press("b")
    expect(page.locator("#stage")).to_have_attribute("data-better", "")
    page.keyboard.press("ArrowRight")
    at(page, first + 1)
    expect(page.locator("#stage")).not_to_have_attribute("data-better", "")


@pytest.fixture
def growing(db: None) -> Iterator[tuple[Game, Callable[[], None]]]:
    """A running game of bots, and how they are let play on for a deal."""
    bots = [builtin_bot(policy="greedy", number=number) for number in (1, 2, 3)]
    game = game_create(
        variant=find_variant("manipulation"), rules={"length": "deals", "deals": 3}, players=bots
    )

    def play() -> None:
        game.refresh_from_db()
        work(1)
        game.refresh_from_db()

    yield game, play


def test_a_running_game_is_followed_until_somebody_looks_back(open_page, growing) -> None:
    game, play = growing
    page = open_page(replay_of(game))
    stage, news = page.locator("#stage"), page.locator("#news")
    expect(stage).to_have_attribute("data-step", str(len(game_replay(game).steps) - 1))
    expect(news).to_be_hidden()
    play()
    assert not game.is_sealed
    last = len(game_replay(game).steps) - 1
    expect(stage).to_have_attribute("data-step", str(last), timeout=20_000)
    expect(page).to_have_url(re.compile(rf"\?step={last}$"))
    assert page.locator(".c-seatbox .c-cards, .c-hand .c-hand-who + .c-cards").count() == 0
    page.keyboard.press("Home")
    at(page, 0)
    page.get_by_role("button", name="Pause updates").click()
    play()
    grown = len(game_replay(game).steps) - 1
    assert grown > last
    page.wait_for_timeout(1500)
    assert stage.get_attribute("data-step") == "0"
    page.get_by_role("button", name="Pause updates").click()
    expect(news).to_have_text(f"{grown} new steps. Go live", timeout=20_000)
    at(page, 0)
    page.get_by_role("link", name="Go live").click()
    expect(stage).to_have_attribute("data-step", str(grown))
    expect(page.locator("#deal")).to_have_attribute("data-deal", str(game.deal))
    expect(news).to_be_hidden()
    work()
    expect(page.locator("#shares")).to_be_visible(timeout=15_000)


def test_who_looks_back_while_an_update_is_under_way_stays_there(open_page, growing) -> None:
    game, play = growing
    play()
    page = open_page(replay_of(game))
    asked = re.compile(r"/games/[^/]+/$")
    held: list[Route] = []
    page.route(asked, lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(asked, timeout=20_000):
        play()
    page.keyboard.press("Home")
    at(page, 0)
    with page.expect_response(asked):
        held[0].continue_()
    drawn(page)
    expect(page.locator("#news")).to_have_text(re.compile(r"new steps?\. Go live"))
    at(page, 0)


def test_updates_of_a_running_game_can_be_paused(open_page, growing, amount) -> None:
    game, play = growing
    page, other = (open_page(replay_of(game)) for _ in range(2))
    expect(page.locator("#narration")).not_to_be_empty()  # the first message has been followed
    pause = page.get_by_role("button", name="Pause updates")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    page.evaluate(CHANGES)
    play()
    last = str(len(game_replay(game).steps) - 1)
    expect(other.locator("#stage")).to_have_attribute("data-step", last, timeout=20_000)
    page.wait_for_timeout(amount(2_000, 10_000))
    assert page.evaluate("window.changes") == []
    pause.click()
    expect(page.locator("#stage")).to_have_attribute("data-step", last, timeout=20_000)
    expect(page).to_have_url(re.compile(rf"\?step={last}$"))


def test_a_running_tournament_updates_itself_until_it_is_over(
    open_page, running: Tournament, amount
) -> None:
    address = reverse("tournament", args=[running.slug])
    other, page = open_page(address), open_page("about:blank")
    now = reverse("tournament-progress", args=[running.slug])
    with page.expect_response(lambda answer: now in answer.url):  # a stream begins with what is now
        page.goto(address)
    page.get_by_role("button", name="Pause updates").click()
    before = page.locator("#progress").inner_text()
    work()
    expect(other.locator("#state")).to_contain_text("Finished")
    page.wait_for_timeout(amount(2_000, 10_000))
    assert page.locator("#progress").inner_text() == before
    page.get_by_role("button", name="Pause updates").click()
    expect(page.locator("#state")).to_contain_text("Finished")
    expect(page.locator("#tab ol")).to_have_attribute("aria-label", "Podium")
    expect(page.locator("#side")).to_contain_text(bytes(running.seed).hex())
    assert page.locator("[hx-get]").count() == 0


def test_entering_is_over_on_an_open_page_when_it_starts(open_page, db: None) -> None:
    spec = small_spec(rules=QUICK, schedule={"rounds": "hand"}, entry={"open": True})
    cup = tournament_create(spec=spec)
    page = open_page(reverse("tournament", args=[cup.slug]))
    expect(page.get_by_role("link", name="Sign in to enter")).to_be_visible()
    bots_enter(tournament_id=cup.pk, bot="greedy", count=2)
    expect(page.locator("#about")).to_contain_text("7 entrants")
    tournament_start(tournament_id=cup.pk)
    expect(page.get_by_role("link", name="Sign in to enter")).to_have_count(0)
    expect(page.locator("#state")).to_contain_text("Live")
    assert page.locator("#stale").count() == 1


def test_the_static_site_opens_from_the_file_system(
    open_page, ended: Tournament, tmp_path: Path
) -> None:
    list(site_write(tmp_path))
    page = open_page((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name=ended.name).click()
    expect(page.get_by_role("heading", name=ended.name)).to_be_visible()
    expect(page.locator(".c-standings tbody tr")).to_have_count(ended.entrants.count())
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.c-panel')).borderStyle") != "none"
    )
    page.get_by_role("link", name="Verify").click()
    expect(page.get_by_role("heading", name="How to verify", exact=True)).to_be_visible()
    page.get_by_role("link", name="Contents").click()
    page.get_by_role("link", name="Manipulation").click()
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    # Chromium lets no page of a file system read a style sheet, as axe would.
    result = Axe().run(page, options=AXE | {"preload": False})
    assert result.violations_count == 0, result.generate_report()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_there_is_no_motion_for_whom_it_is_too_much(
    open_page, sealed: Game, growing, motion: str
) -> None:
    page = open_page("about:blank", reduced_motion=motion)
    page.add_init_script(MOVES)
    page.goto(f"{replay_of(sealed)}?step=0")
    for step in range(1, 6):
        page.keyboard.press("ArrowRight")
        at(page, step)
    game, _ = growing
    moves = page.evaluate("window.moves")
    page.goto(replay_of(game))
    expect(page.locator(".c-badge.is-live")).to_be_visible()
    animations = page.evaluate("document.getAnimations().length")
    assert bool(moves) == bool(animations) == (motion == "no-preference")
