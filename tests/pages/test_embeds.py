"""Replays in frames of other sites."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from games.models import Access, Game
from games.selectors import game_replay
from tests.pages.checks import check_html, check_page

PARENT = """<!doctype html><title>A page</title><link rel="icon" href="data:,"><script>
window.heard = [];
addEventListener("message", (event) => window.heard.push(event.data))</script>
<iframe src="%s" width="800" height="640"></iframe>"""


def frame_of(game: Game) -> str:
    return reverse("embed-game", args=[game.pk])


@pytest.mark.django_db
def test_a_frame_shows_a_step_to_anybody_and_sets_no_cookies(client: Client, sealed: Game) -> None:
    last = len(game_replay(sealed).steps) - 1
    home = f"http://testserver{reverse('game', args=[sealed.pk])}"
    title = "<title>Greedy 9 v Random 9 v Faulty 9 · Manipulation · Meldboard</title>"
    for query, step in (("", 0), ("?step=3", 3), (f"?seq={sealed.seq}", last)):
        response = client.get(frame_of(sealed) + query)
        assert response.status_code == 200
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert not response.has_header("X-Frame-Options") and not response.cookies
        assert "Cookie" not in response.get("Vary", "")
        assert response["Cache-Control"] == "public, max-age=60"
        text = response.content.decode()
        page = check_html(text)
        assert f'data-step="{step}"' in text and 'data-theme="auto"' in text
        assert title in text
        links = [link for link in page.links if not link.startswith("?step=")]
        assert links == [home]
    text = client.get(f"{frame_of(sealed)}?step=3&theme=dark&deck=4&controls=0").content.decode()
    assert 'data-theme="dark" data-deck="4"' in text and 'id="transport"' not in text
    text = client.get(f"{frame_of(sealed)}?step=3&theme=dark&as=public&deck=pink").content.decode()
    assert 'href="?step=4&amp;as=public&amp;theme=dark"' in text.replace("&as", "&amp;as").replace(
        "&theme", "&amp;theme"
    )


@pytest.mark.django_db
def test_what_cannot_be_shown_says_why(client: Client, sealed: Game, mid_game: Game) -> None:
    last = len(game_replay(sealed).steps) - 1
    for address, right in (
        (f"{frame_of(sealed)}?step={last + 1}", f"steps are 0 to {last}"),
        (f"{frame_of(sealed)}?as=9", "views are open, public"),
        (frame_of(mid_game), "still being played"),
    ):
        response = client.get(address)
        assert response.status_code == 404 and right in response.content.decode()
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert "<script" not in response.content.decode()
    Game.objects.filter(pk=sealed.pk).update(access=Access.PRIVATE)
    assert client.get(frame_of(sealed)).status_code == 404


@pytest.mark.django_db
def test_the_page_of_a_game_shows_how(client: Client, sealed: Game, mid_game: Game) -> None:
    page = reverse("game", args=[sealed.pk])
    response = client.get(page)
    check_page(response)
    told = f'&lt;iframe src="http://testserver{frame_of(sealed)}?step=0"'
    assert told in response.content.decode()
    assert "iframe" not in client.get(reverse("game", args=[mid_game.pk])).content.decode()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """The address of another site, whose files are those of the test's folder."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_frame_steps_and_tells_its_page(
    open_page, served, sealed: Game, tmp_path: Path, elsewhere: str
) -> None:
    last = len(game_replay(sealed).steps) - 1
    page = open_page("/")
    src = f"{served.url}{frame_of(sealed)}?step=1"
    (tmp_path / "index.html").write_text(PARENT % src)
    page.goto(elsewhere)
    frame = page.frame_locator("iframe")
    stage = frame.locator("#stage")
    frame.get_by_role("link", name="Next step").click()
    expect(stage).to_have_attribute("data-step", "2")
    frame.get_by_role("link", name="Next step").press("ArrowLeft")
    expect(stage).to_have_attribute("data-step", "1")
    focused = "(e) => e.ownerDocument.activeElement.ariaLabel"
    assert stage.evaluate(focused) == "Next step (right arrow)"
    frame.get_by_role("button", name="Play").click()
    expect(stage).not_to_have_attribute("data-step", "1")
    frame.get_by_role("button", name="Play").click()
    frame.get_by_role("link", name="Last step").press("End")
    expect(stage).to_have_attribute("data-step", str(last))
    expect(frame.locator("#narration")).not_to_be_empty()
    heard = page.evaluate("window.heard")
    steps = [message["step"] for message in heard if message["type"] == "step"]
    assert steps[:3] == [1, 2, 1] and steps[-1] == last
    assert all(message["last"] == last for message in heard if message["type"] == "step")
    assert [message for message in heard if message["type"] == "end"]
    heights = [message["height"] for message in heard if message["type"] == "resize"]
    assert heights and all(height > 300 for height in heights)
    page.route("**/frames/*/", lambda route: route.fulfill(status=204))
    frame.get_by_role("link", name="Previous step").click()  # then its page is asked for
    expect(stage).to_have_attribute("data-step", str(last - 1))
    expect(stage).to_have_attribute("data-deal", "2")
