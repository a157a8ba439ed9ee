"""What lists are narrowed by: plain parameters of an address, and a form that says them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode

from engine.variants import VARIANTS
from games.errors import NotFound

SEATS = sorted({seats for variant in VARIANTS for seats in variant.seats})

LONGEST = 80
"""Characters of a player's name that are looked at."""


class Filters(NamedTuple):
    """What a list is narrowed to; empty or 0: by nothing."""

    variant: str
    seats: int
    state: str
    player: str
    """The id or the name of somebody who takes part, or a part of the name."""
    against: str
    """Of somebody else who does."""
    entry: str = ""
    """Who may enter, where a list is of what can be entered."""

    @property
    def said(self) -> dict[str, str]:
        """What an address says to ask for the same again."""
        return {name: str(value) for name, value in self._asdict().items() if value}


def filters(request: HttpRequest, states: Iterable[str], entries: Iterable[str] = ()) -> Filters:
    """Return what an address narrows a list to.

    :raises NotFound: naming what there is, when it asks for something else.
    """
    return Filters(
        variant=_chosen(request, "variant", (variant.key for variant in VARIANTS)),
        seats=int(_chosen(request, "seats", map(str, SEATS)) or 0),
        state=_chosen(request, "state", states),
        player=_words(request, "player"),
        against=_words(request, "against"),
        entry=_chosen(request, "entry", entries) if entries else "",
    )


def filter_form(chosen: Filters, states: Mapping[str, str]) -> dict[str, Any]:
    """Return what the form of a list needs, ``c/filters.html``."""
    return {"filters": chosen, "kinds": VARIANTS, "counts": SEATS, "states": states}


def filtered(response: HttpResponse, address: str, chosen: Filters) -> HttpResponse:
    """Let the page that a fragment is for stand at the address of what was asked for."""
    query = urlencode(chosen.said)
    response["HX-Replace-Url"] = f"{address}?{query}" if query else address
    return response


def _chosen(request: HttpRequest, name: str, known: Iterable[str]) -> str:
    given = request.GET.get(name, "").strip()
    values = list(known)
    if given and given not in values:
        raise NotFound(f"there is no {name} {given!r} to choose; it is one of {', '.join(values)}")
    return given


def _words(request: HttpRequest, name: str) -> str:
    return request.GET.get(name, "").replace("\0", "").strip()[:LONGEST]
