"""The style guide, and the pages and panels that say no."""

from __future__ import annotations

import re
import struct
import uuid

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from engine.variants import VARIANTS
from games.models import Game, Player
from tests.pages.checks import check_html, check_page
from tournaments.models import Tournament

STATES = {
    f"{kind}-{name}"
    for kind, names in (
        ("c", "card meld felt mark hand btn form standings badge prog pod empty narr"),
        ("c", "error chart verdict moves sheet pages transport chip tabs"),
        ("is", "new joker free ten back live primary win high low todo bye first second warn bad"),
        ("is", "ok best"),
    )
    for name in names.split()
}
"""Components and states that the guide must show."""

SITE = {"c-band", "c-chart", "c-filters", "c-found", "c-share", "c-empty", "c-standings"} | {
    "c-steps",
    "c-field",
    "is-check",
    "is-wide",
}
"""Those that its page about lists and players must show."""


@pytest.mark.django_db
@pytest.mark.parametrize("kind", VARIANTS, ids=lambda kind: kind.key)
def test_the_guide_shows_each_component_in_each_state(client: Client, kind) -> None:
    page = check_page(client.get(reverse("guide-of", args=[kind.key])))
    assert page.classes >= STATES, STATES - page.classes
    page = check_page(client.get(reverse("guide-of-site")))
    assert page.classes >= SITE, SITE - page.classes
    assert not Game.objects.exists() and not Player.objects.exists()


@pytest.mark.django_db
def test_the_guide_of_no_game_kind_says_which_there_are(client: Client) -> None:
    response = client.get("/ui/poker/")
    assert check_page(response, 404) and b"manipulation" in response.content


@pytest.mark.django_db
def test_pages_that_say_no_keep_navigation_and_search(client: Client, ended: Tournament) -> None:
    nowhere = reverse("game", args=[uuid.uuid4()])
    old = reverse("invitation", args=[ended.slug, "nonsense"])
    strict = Client(enforce_csrf_checks=True)
    for response, status in (
        (client.get(nowhere), 404),
        (client.get("/no/such/page/"), 404),
        (client.get(old), 404),
        (strict.post(reverse("look"), {"theme": "dark"}), 403),
    ):
        page = check_page(response, status)
        assert {reverse("tournaments"), reverse("games"), reverse("leaderboards")} <= {*page.links}
        assert f'action="{reverse("search")}"' in response.content.decode()


@pytest.mark.django_db
def test_an_error_of_ours_has_a_page_with_ways_on(monkeypatch, caplog) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("games.pages.lists.games_wanted", fail)
    response = Client(raise_request_exception=False).get(reverse("games"))
    page = check_page(response, 500)
    assert reverse("tournaments") in page.links
    assert b"broken on purpose" not in response.content
    assert b'<a href="">Try again</a>' in response.content
    (number,) = re.findall(r"error <b[^>]*>(\w{8})</b>", response.content.decode())
    (line,) = (record for record in caplog.records if number in record.getMessage())
    assert line.exc_info is not None and "broken on purpose" in str(line.exc_info[1])
    assert f'action="{reverse("search")}"' in response.content.decode()


@pytest.mark.django_db
def test_a_part_of_a_page_that_cannot_be_had_is_a_panel(client: Client, sealed: Game) -> None:
    missing = f"{reverse('game', args=[sealed.pk])}frames/9999/"
    response = client.get(missing, headers={"HX-Request": "true"})
    assert response.status_code == 404
    text = response.content.decode()
    assert check_html(text).classes == {"c-error"} and "<html" not in text
    assert "steps are 0 to" in text and 'role="alert"' in text


@pytest.mark.django_db
def test_every_page_tells_other_sites_what_it_is(client: Client, ended: Tournament) -> None:
    paths = ("/", "/games/", "/tournaments/", "/search/", reverse("tournament", args=[ended.slug]))
    titles = set()
    for path in (*paths, "/leaderboards/manipulation/", "/ui/", "/accounts/login/"):
        text = client.get(path).content.decode()
        assert 'property="og:site_name"' in text and 'property="og:description"' in text
        assert 'rel="icon"' in text
        assert f'property="og:url" content="http://testserver{path}"' in text
        assert 'property="og:image" content="http://testserver/static/share.png"' in text
        titles.add(text.partition("<title>")[2].partition("</title>")[0])
    assert len(titles) == len(paths) + 3
    text = client.get("/games/?player=a&page=1", secure=True).content.decode()
    assert 'property="og:url" content="https://testserver/games/?player=a&amp;page=1"' in text
    picture = (settings.ROOT / "static" / "share.png").read_bytes()
    assert struct.unpack(">2I", picture[16:24]) == (1200, 630) and len(picture) < 100_000
