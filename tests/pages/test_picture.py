"""The table of a step as a file: the cards of the frame, and nothing from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from engine.variants import VARIANTS
from games.models import Game
from games.selectors import game_replay
from games.services.bots import builtin_bot
from games.services.games import game_create
from games.templatetags.meldboard import card_words
from tests.pages.checks import check_page
from tests.tournaments.running import work

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"
NAMES = {"svg", "title", "desc", "defs", "path", "rect", "circle", "text", "use", "g"}
CARD = re.compile(r'class="c-card[^>]+aria-label="([^"]+)"')
BACKS = {"a face-down card", "Draw pile", "Stock", "Hidden cards"}


def picture(client: Client, game: Game, query: str) -> ElementTree.Element:
    response = client.get(reverse("game-table", args=[game.pk]) + query)
    assert response.status_code == 200 and response["Content-Type"] == "image/svg+xml"
    assert "no-store" in response["Cache-Control"]
    return ElementTree.fromstring(response.content)  # noqa: S314


def shown(part: str) -> Counter[str]:
    """The open cards of a part of a page, without what the turn did to them."""
    words = (label.partition(",")[0] for label in CARD.findall(part))
    return Counter(label for label in words if label not in BACKS)


def drawn(root: ElementTree.Element) -> Counter[str]:
    titles = Counter(title.text or "" for title in root.findall(f".//{SVG}g/{SVG}title"))
    return Counter({title: n for title, n in titles.items() if title not in BACKS})


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda kind: kind.key)
def test_a_picture_has_the_cards_of_its_frame(client: Client, variant) -> None:
    bots = [builtin_bot(policy="random", number=n) for n in range(variant.seats[0])]
    seed = sha256(b"picture").digest()
    game = game_create(variant=variant, rules={}, players=bots, seed=seed)
    work()
    page = reverse("game", args=[game.pk])
    for step in [*range(5), len(game_replay(game).steps) - 1]:
        for also in ("", "&as=public", "&as=1"):
            frame = client.get(f"{page}frames/{step}/?{also[1:]}").content.decode()
            table, _, rest = frame.partition('class="c-hand"')
            hand = shown(rest.partition('id="player-0"')[0])
            root = picture(client, game, f"?step={step}{also}")
            further = drawn(root) - shown(table)
            assert drawn(root) >= shown(table) and further <= hand, (step, also)
            assert shown(table) or further or also or not step
    response = client.get(reverse("game-table", args=[game.pk]), {"step": 99_999})
    check_page(response, 404)


def test_a_picture_needs_nothing_else(client: Client, sealed: Game) -> None:
    game_replay(sealed)
    two = picture(client, sealed, "?step=5")
    client.cookies["deck"] = "4"
    four = picture(client, sealed, "?step=5")
    for root, hearts, clubs in ((two, "#a80d29", "#1b1b1f"), (four, "#cf1b1b", "#107568")):
        pips = {path.get("id"): path for path in root.iter(f"{SVG}path")}
        assert (pips["h"].get("fill"), pips["c"].get("fill")) == (hearts, clubs)
        for element in root.iter():
            assert element.tag.removeprefix(SVG) in NAMES
            assert not {"style", "class"} & {*element.keys()}
            for name, value in element.items():
                assert not name.startswith("on") and "url(" not in value
                if name.endswith("href"):
                    assert value[0] == "#" and value[1:] in pips
        width, height = (int(root.get(name, "")) for name in ("width", "height"))
        assert root.get("viewBox") == f"0 0 {width} {height}"
    assert "lays" in (two.findtext(f"{SVG}desc") or "")
    marks = Counter(text.text for text in two.iter(f"{SVG}text"))
    assert marks["+"] == 7 and marks["↷"] == 1, "as in the frame of this step"


def test_a_picture_of_a_running_game_has_what_all_may_see(client: Client, mid_game: Game) -> None:
    laid = {card_words(c) for m in game_replay(mid_game).states[-1].deal.tableau for c in m}
    for query in ("", "?as=0", "?as=1", "?as=public"):
        assert set(drawn(picture(client, mid_game, query))) <= laid, query
