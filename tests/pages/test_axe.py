"""Every page with each theme, deck and width: axe, reflow, policy, complaints."""

from __future__ import annotations

from itertools import product

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.urls import reverse
from playwright.sync_api import Page

from games.models import Game, Player, User
from games.pages.verdicts import verdicts_of
from games.selectors import game_replay
from tests.pages.chromium import AXE, replay_of, sign_in, size_of
from tournaments.models import Snapshot, Tournament
from tournaments.pages.acts import PARTS
from tournaments.services.drafts import draft_keep
from tournaments.services.entrants import bye_request
from tournaments.services.snapshots import snapshots_take

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (1440, 720, 390, 320)
THEMES = ("light", "dark")
DECKS = ("2", "4")

Look = tuple[int, str, str]
"""Width, theme and deck."""

LOOK = "(look) => void Object.assign(document.documentElement.dataset, look)"


@pytest.fixture
def site(ended: Tournament, sealed: Game, running: Tournament) -> dict[str, str]:
    """An address of each kind of page, with real data behind it."""
    tournament = reverse("tournament", args=[ended.slug])
    live = reverse("tournament", args=[running.slug])
    game = replay_of(sealed)
    middle = len(game_replay(sealed).steps) // 2
    worst = verdicts_of(sealed, game_replay(sealed)).biggest[0].step
    playing = Game.objects.filter(status=Game.Status.RUNNING).first()
    assert playing is not None
    rated = Player.objects.get(name="Greedy 1")
    new = Player.objects.create(kind=Player.Kind.PERSON, name="Newcomer")
    snapshots_take()
    kept = Snapshot.objects.get(kind=Snapshot.Kind.LEADERBOARD)
    return {
        "home": "/",
        "replay": f"{game}?step={middle}",
        "replay start": f"{game}?step=0",
        "replay best": f"{game}?step={worst}&show=best",
        "replay running": replay_of(playing),
        "tournament": tournament,
        "tournament live": live,
        "rounds": f"{tournament}?tab=rounds",
        "games of it": f"{tournament}?tab=games",
        "cross-table": f"{tournament}?tab=cross",
        "head to head": f"{tournament}?tab=cross&entrant=1",
        "statistics": f"{tournament}?tab=statistics",
        "rules": f"{tournament}?tab=rules",
        "log": f"{tournament}?tab=log",
        "tournaments": "/tournaments/",
        "leaderboard": "/leaderboards/manipulation/",
        "publish": "/leaderboards/manipulation/publish/",
        "snapshot": f"/leaderboards/manipulation/snapshots/{kept.label}/",
        "heads": "/heads/",
        "frame": f"/embed{tournament}",
        "replay in a frame": f"/embed{game}?step={middle}",
        "player": reverse("player", args=[Player.objects.get(name="Greedy 9").pk]),
        "opponents": reverse("player-opponents", args=[rated.pk]),
        "rated player": reverse("player", args=[rated.pk]),
        "new player": reverse("player", args=[new.pk]),
        "games": "/games/",
        "games found": "/games/?player=greedy&state=finished",
        "no game found": "/games/?player=nobody",
        "sign in": "/accounts/login/",
        "search": "/search/?q=greedy",
        "guide": "/ui/",
        "guide of gin": "/ui/gin/",
        "guide of lists": "/ui/site/",
    }


@pytest.fixture
def organised(running: Tournament) -> tuple[User, dict[str, str]]:
    """An organiser, and an address of each of the pages that only organisers see."""
    ann = User.objects.create_user("ann", password="x")
    Tournament.objects.filter(pk=running.pk).update(
        organiser=ann, invitation="word", entry_open=True, late_entry=2
    )
    bye_request(tournament_id=running.pk, player=Player.objects.get(name="Greedy 1"))
    parts = {part: reverse("organise-part", args=[running.slug, part]) for part in PARTS}
    chosen = f"{parts['corrections']}?game_number=1&player=Greedy+1"
    tournament = reverse("tournament", args=[running.slug])
    found = parts | {"corrections chosen": chosen, "tournament": tournament} | described_by(ann)
    return ann, {f"organised: {name}": path for name, path in found.items()}


def described_by(user: User) -> dict[str, str]:
    """An address of each step in which somebody describes a tournament."""
    said = {
        "name": "Spring cup",
        "variant": "gin",
        "rules": {},
        "access": "public",
        "entrants": [{"bot": "strong", "count": 6}],
        "entry": {"open": True, "most": 20},
        "phases": [{"format": "swiss", "table_size": 2}, {"format": "final", "top": 9}],
        "schedule": {},
    }
    draft = draft_keep(user=user, said=said)
    steps = ("rules", "players", "format", "schedule", "review")
    found = {f"step {step}": reverse("draft", args=[draft.pk, step]) for step in steps}
    return found | {"new": reverse("tournament-new"), "file": reverse("tournament-file")}


def looks(number: int, *, every: bool) -> list[Look]:
    """How to look at the page of a number; in the short form every two come together somewhere."""
    if every:
        return [*product(WIDTHS, THEMES, DECKS)]
    theme, deck = number % 2, number // 2 % 2  # a page sees both ends of each
    return [
        (WIDTHS[0], THEMES[theme], DECKS[deck]),
        (WIDTHS[-1], THEMES[1 - theme], DECKS[1 - deck]),
    ]


def test_the_short_form_has_every_pair() -> None:
    rows = [(number, *look) for number in range(8) for look in looks(number, every=False)]
    factors = (range(8), (WIDTHS[0], WIDTHS[-1]), THEMES, DECKS)
    for one, other in ((a, b) for a in range(4) for b in range(a)):
        pairs = {(row[one], row[other]) for row in rows}
        assert pairs == set(product(factors[one], factors[other]))


def judge(page: Page, pages: dict[str, str], *, every: bool) -> None:
    """Load each page once, and look at it in each way."""
    wrong = []
    for number, (name, path) in enumerate(pages.items()):
        page.goto(path)
        page.evaluate(AXE_SCRIPT)
        for width, theme, deck in looks(number, every=every):
            where = f"{name}, {width} px, {theme}, {deck} colours"
            page.set_viewport_size(size_of(width))
            page.evaluate(LOOK, {"theme": theme, "deck": deck})
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                wrong.append(f"{where}: {wide} px wide")
            found = AxeResults(page.evaluate("(options) => axe.run(options)", AXE))
            if found.violations_count:
                wrong.append(f"{where}: {found.generate_report()}")
        wrong += [f"{name}: refused {what}" for what in page.evaluate("window.refused")]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_no_page_fails_axe_or_scrolls_sideways(open_page, site: dict[str, str], amount) -> None:
    judge(open_page("about:blank"), site, every=amount(False, True))


def test_no_page_of_organisers_fails_axe_or_scrolls_sideways(
    open_page, organised: tuple[User, dict[str, str]], amount
) -> None:
    ann, pages = organised
    page = open_page("/")
    sign_in(page, ann)
    judge(page, pages, every=amount(False, True))
