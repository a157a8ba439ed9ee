"""What all page views share: refusals as pages, caching, pages of lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, cast

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.cache import get_conditional_response, patch_vary_headers

from engine.knobs import as_settings
from engine.variant import Variant
from games.errors import ApplicationError, NotFound

PAGE_SIZE = 25
"""Rows of a list on one page."""

PRIVATE = "private, no-store"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATED = "private, no-cache"
"""A browser keeps it, and asks each time whether it is still what there is."""

STOP_POLLING = 286
"""Status that tells htmx to ask no more."""

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


class Crumb(NamedTuple):
    """A link that leads to a page."""

    name: str
    url: str


def page(view: View[P]) -> View[P]:
    """Answer an :class:`ApplicationError` with its page, and let no cache keep a reader's page.

    A view that may be cached says so itself.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            response: HttpResponseBase = view(request, *args, **kwargs)
        except ApplicationError as error:
            response = _refusal(request, error)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = PRIVATE
        if response["Cache-Control"].startswith("private"):
            patch_vary_headers(response, ("Cookie", "Authorization"))
        return response

    return cast("View[P]", answer)  # wraps() forgets that the request stands first


def _refusal(request: HttpRequest, error: ApplicationError) -> HttpResponse:
    """Say why not: to a script that asked for a part of a page in a panel, else on a page."""
    if request.headers.get("HX-Request"):
        context: dict[str, Any] = {"title": error.title, "text": error.message}
        return render(request, "c/refusal.html", context, status=error.status)
    if isinstance(error, NotFound):
        return render(request, "404.html", {"exception": error.message}, status=error.status)
    return render(request, "error.html", {"error": error}, status=error.status)


class _Deep(Paginator[Any]):
    """Pages of a long list: only those on the page are read with what is shown of them.

    Those before it, however many, are passed by their ids.
    """

    def page(self, number: int | str) -> Page[Any]:
        found = super().page(number)
        rows: Any = self.object_list
        own: Any = found.object_list
        found.object_list = rows.filter(pk__in=own.values("pk"))
        return found


def paged(
    request: HttpRequest,
    rows: QuerySet[Any],
    size: int = PAGE_SIZE,
    *,
    deep: bool = False,
    count: int | None = None,
) -> Page[Any]:
    """Return the page of a list that ``?page=`` asks for, the nearest if there is none such.

    :param deep: of a long list of objects, each shown with others that belong to it.
    :param count: how many there are, where that is known or cheaper to be had than by the rows.
    """
    pages = (_Deep if deep else Paginator)(rows, size)
    if count is not None:
        pages.count = count
    return pages.get_page(request.GET.get("page"))


def revalidated(request: HttpRequest, version: str, draw: Callable[[], str]) -> HttpResponseBase:
    """Answer with a fragment that a browser keeps, and draw it only if it has not the version.

    :param version: what the fragment is drawn from.
    """
    tag = f'W/"{version}-{drawing_version()}"'
    response = get_conditional_response(request, etag=tag) or HttpResponse(draw())
    response["ETag"] = tag
    response["Cache-Control"] = REVALIDATED
    return response


@lru_cache(maxsize=1)
def drawing_version() -> str:
    """Return a word for how pages are drawn by this version of the program."""
    digest = sha256(static("suits.svg").encode())
    for folder in ("templates", "engine", "games", "tournaments"):
        for path in sorted((Path(settings.ROOT) / folder).rglob("*.[hp][ty]*")):
            if "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def rules_in_words(rules: Mapping[str, Any]) -> list[tuple[str, object]]:
    """Return rules with their names and values in words; what is left open is left out."""
    words = {True: "yes", False: "no"}
    return [
        (name.replace("_", " "), words[value] if isinstance(value, bool) else value)
        for name, value in rules.items()
        if value is not None
    ]


def unusual_rules(kind: Variant, rules: Mapping[str, Any]) -> list[tuple[str, object]]:
    """Return the rules that are not a game kind's usual ones, in words."""
    usual = as_settings(kind.rules())
    return rules_in_words({name: v for name, v in rules.items() if v != usual.get(name)})
