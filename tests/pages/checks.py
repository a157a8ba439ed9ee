"""What must be true of the HTML of every page."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from string import ascii_letters, digits

from django.http import HttpResponse

MAX_PAGE = 9 * 1024
"""Bytes of a page, gzip."""

TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")\w+')
SOME_TOKEN = rb"\1" + (ascii_letters + digits).encode()
"""Each answer has another token, which packs a byte or two better or worse."""


class Page(HTMLParser):
    """The elements of a page, their classes and ids, and what a strict CSP would refuse."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.classes: set[str] = set()
        self.refused: list[str] = []
        self.links: list[str] = []
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.classes.update((given.get("class") or "").split())
        self.refused += [
            f"{tag} {name}" for name in given if name == "style" or name.startswith(("on", "hx-on"))
        ]
        self.refused += [tag] if tag == "style" or (tag == "script" and "src" not in given) else []
        self.refused += [f"{tag} {v}" for v in given.values() if v and v.startswith("javascript:")]
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")


def check_page(response: HttpResponse, status: int = 200) -> Page:
    """Check a full page and return what is in it."""
    text = response.content.decode()
    assert response.status_code == status, text[:2000]
    assert text.startswith("<!doctype html>") and "<title>" in text
    page = check_html(text)
    size = len(gzip.compress(TOKEN.sub(SOME_TOKEN, response.content), 9))
    assert size <= MAX_PAGE, size
    if response.has_header("Cache-Control"):
        assert "private" in response["Cache-Control"] and "no-store" in response["Cache-Control"]
    else:
        assert status != 200
    assert {"main"} <= set(page.ids)
    return page


def check_html(text: str) -> Page:
    """Check a page or a fragment and return what is in it."""
    page = Page(text)
    assert not page.refused, page.refused
    twice = {ident for ident in page.ids if page.ids.count(ident) > 1}
    assert not twice, twice
    foreign = {name for name in page.classes if not re.match(r"(c|p|is|u)-", name)}
    assert not foreign, foreign
    assert "{{" not in text and "{%" not in text
    return page
