"""Cards, captions, numbers and the chart as HTML."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from django.utils import timezone

from engine.variant import CardNames, SeatName
from games.pages.chart import chart
from games.pages.look import look_of
from games.pages.words import caption_html, caption_text
from games.templatetags.meldboard import card_html, cards, chip_html, decimal, exact, percent, when


def test_a_card_says_what_it_is_and_what_happened_to_it() -> None:
    new = card_html("Td", "new", "kTd-1")
    assert 'class="c-card is-d is-ten is-new" id="kTd-1"' in new
    assert 'aria-label="10 of diamonds, played from hand this turn"' in new
    moved = card_html("*8s", "moved", "kx-1", "Spades 6–8")
    assert 'aria-label="joker as 8 of spades, moved from Spades 6–8"' in moved
    assert 'class="c-card is-s is-joker is-moved"' in moved and ">8</span>" in moved
    assert card_html("*") == '<span class="c-card is-free" role="img" aria-label="joker"></span>'
    assert cards(["Ah", "*"]).count('role="img"') == 2


def test_a_caption_names_seats_and_cards_and_escapes_names() -> None:
    caption = (
        SeatName(1),
        " lays ",
        CardNames(("6c", "*6h")),
        ". 50 → 29 points; ",
        SeatName(0),
        ".",
    )
    html = caption_html(caption, ["Ann", "<b>"])
    assert "&lt;b&gt;" in html and "<b>Ann" not in html
    assert '<b class="u-nowrap">50 → 29 points</b>' in html
    assert "6 of clubs" in html and "joker as 6 of hearts" in html
    text = caption_text(caption, ["Ann", "Bo"])
    assert text == "Bo lays 6 of clubs, joker as 6 of hearts. 50 → 29 points; Ann."


def test_punctuation_stays_with_its_card() -> None:
    html = caption_html((CardNames(("6c",)), ", and more"), [])
    assert html.endswith(",</span> and more")
    assert chip_html("*") == '<span class="c-chip is-free">joker</span>'


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("7/3", "2.33"),
        ("3", "3.00"),
        ("1/2", "0.50"),
        ("-1/3", "−0.33"),
        (Fraction(199, 200), "1.00"),
    ],
)
def test_exact_numbers_are_shown_as_decimals(value, shown) -> None:
    assert decimal(Fraction(value)) == shown


def test_the_exact_value_stands_in_the_title_where_it_is_rounded() -> None:
    assert exact("7/3") == '<span title="exactly 7/3">2.33</span>'
    assert exact("5/2") == "2.50" and exact("5", 0) == "5" and exact(None) == "–"
    assert percent(1, 3) == "33.33" and percent(1, 0) == "0"


def test_times_are_utc_until_a_script_makes_them_local() -> None:
    time = datetime(2026, 11, 5, 7, 8, tzinfo=UTC)
    start = '<time datetime="2026-11-05T07:08:00Z" data-form='
    full = "5 Nov 2026, 07:08 UTC"
    assert when(time) == f'{start}"full">{full}</time>'
    for form, shown in {"day": "5 Nov 2026", "clock": "07:08 UTC"}.items():
        assert when(time, form) == f'{start}"{form}" title="{full}">{shown}</time>'
    now = timezone.now()
    assert 'data-form="clock"' in when(now - timedelta(hours=11), "near")
    assert 'data-form="day"' in when(now + timedelta(hours=13), "near")
    assert when(None) == "–"


def test_a_look_that_cannot_be_is_the_usual_one() -> None:
    assert look_of({"theme": "dark", "deck": "4", "keys": "off"}) == ("dark", "4", "off")
    assert look_of({"theme": '"><script>', "deck": "", "keys": "?"}) == ("auto", "2", "on")


def test_a_chart_has_step_lines_and_labels_apart() -> None:
    drawn = chart("Points", ["a", "b", "c"], [[40, 30, 30], [20, 31, 29], [50, None, None]])
    assert [line.path for line in drawn.lines] == [
        "M0 33.33H50V50H100",
        "M0 66.67H50V48.33H100V51.67H100",
        "M0 16.67H0",
    ]
    assert [line.last for line in drawn.lines] == [30, 29, None]
    ends = sorted(line.label for line in drawn.lines)
    assert all(b - a >= 12 for a, b in pairwise(ends)) and ends[-1] <= 100
    assert drawn.levels[-1] == ("0", 60) and drawn.turns == 2


def test_a_chart_of_nothing() -> None:
    drawn = chart("Points", ["a", "b"], [[0], [0]])
    assert (drawn.turns, drawn.ticks) == (0, ())
    assert chart("Points", [], []).lines == ()


@pytest.mark.parametrize("turns", [1, 2, 7, 23, 48, 79, 200])
def test_numbered_turns_do_not_touch(turns) -> None:
    ticks = chart("Points", ["a"], [[0] * (turns + 1)]).ticks
    numbers = [number for _, number in ticks]
    assert numbers[-1] == turns and len(numbers) <= 8
    assert all((b - a) * 14 >= turns for a, b in pairwise(numbers))
