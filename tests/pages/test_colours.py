"""Colours stay apart for every kind of sight, and words stay readable: from the style sheet."""

from __future__ import annotations

import doctest
import re
from itertools import combinations

import pytest
from django.conf import settings

from tests.pages import colours
from tests.pages.colours import SIGHT, contrast, difference, seen, tokens

APART = 14
"""Least CIEDE2000 distance of two suits of the four-colour deck, and of two seats."""

RINGS_APART = 18

TEXT, LARGE = 4.5, 3.0
"""Least contrasts of WCAG AA: of text, and of large signs and the edges of controls."""

WORDS = (
    *((ink, on) for ink in ("ink", "ink-2", "ink-3") for on in ("surface", "surface-2", "bg")),
    *((tone, "surface") for tone in ("accent", "ok", "warn", "bad", "best")),
    *((tone, f"{tone}-soft") for tone in ("accent", "ok", "warn", "bad")),
    ("on-accent", "accent"),
    ("ink-2", "surface-3"),
    ("on-felt", "felt"),
    ("on-felt-2", "felt"),
    ("on-felt-2", "tray"),
    ("on-felt-2", "felt-edge"),
    ("on-new", "new"),
    ("on-moved", "moved"),
    ("joker", "card"),
    *((f"suit-{suit}", "card") for suit in "shdc"),
)

SIGNS = (
    ("line-strong", "surface"),
    ("card", "felt"),
    ("card-edge", "card"),
    *((ring, on) for ring in ("new", "moved") for on in ("felt", "tray")),
)


def sheet() -> str:
    return (settings.ROOT / "static" / "app.css").read_text()


def least(names: list[str], values: dict[str, str], sight: str) -> tuple[float, str, str]:
    labs = {name: seen(values[name], sight) for name in names}
    return min((difference(labs[a], labs[b]), a, b) for a, b in combinations(names, 2))


def test_the_measure_of_differences_is_that_of_its_authors() -> None:
    assert doctest.testmod(colours).failed == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_suits_seats_and_rings_stay_apart(theme: str, sight: str) -> None:
    values = tokens(sheet(), theme, deck="4")
    for names, apart in (
        ([f"suit-{suit}" for suit in "shdc"], APART),
        ([f"seat-{seat}" for seat in "abcde"], APART),
        (["new", "moved"], RINGS_APART),
    ):
        distance, one, other = least(names, values, sight)
        assert distance >= apart, f"{one} and {other}: {distance:.1f}"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("deck", ["2", "4"])
def test_words_and_signs_have_contrast(theme: str, deck: str) -> None:
    values = tokens(sheet(), theme, deck)
    for pairs, bound in ((WORDS, TEXT), (SIGNS, LARGE)):
        for front, back in pairs:
            found = contrast(values[front], values[back])
            assert found >= bound, f"{front} on {back}: {found:.2f}"


def test_the_usual_four_colours_would_fail() -> None:
    usual = {"s": "#000000", "h": "#d40000", "d": "#0000ff", "c": "#008000"}
    distance, *_ = least([*usual], usual, "deutan")
    assert distance == pytest.approx(6.0, abs=0.1)


@pytest.mark.parametrize("deck", ["2", "4"])
def test_pips_have_the_colours_of_their_suits(deck: str) -> None:
    static = settings.ROOT / "static"
    values = tokens(sheet(), "light", deck)
    rules = [line for line in sheet().splitlines() if "--pip:url" in line]
    drawn = dict(re.findall(r'id="(\w+)".*?fill="(#\w+)"', (static / "pips.svg").read_text()))
    for suit in "shdc":
        named = [re.search(rf"is-{suit}\{{--pip:url\(pips/(\w+)\.png", rule) for rule in rules]
        (pip, *fourth) = [found[1] for found in named if found]
        pip = fourth[0] if fourth and deck == "4" else pip
        palette = (static / "pips" / f"{pip}.png").read_bytes().partition(b"PLTE")[2]
        assert drawn[pip] == f"#{palette[:3].hex()}" == values[f"suit-{suit}"]
    assert drawn["joker"] == values["joker"]
