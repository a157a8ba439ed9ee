"""Template tags: cards, seat markers, icons, exact numbers, times, and the reader's own look."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django import template
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from engine.cards import HIDDEN, JOKER, Card, is_joker, named
from games.pages.look import Look, look_of

register = template.Library()

SEATS = "abcde"
"""Names of the seat markers, in seat order."""

NEAR = timedelta(hours=12)
"""Time from now within which a clock alone says when."""

_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class Placed(Protocol):
    """A card with a place on a table, as the boards of game kinds have them."""

    id: str
    card: Card
    mark: str
    origin: str


@lru_cache(maxsize=1)
def sprite() -> str:
    """Return the address of the file of suits, seat markers and icons."""
    return static("suits.svg")


def card_words(card: Card) -> str:
    """Return a card in words.

    >>> card_words("Td"), card_words("*8s"), card_words("*")
    ('10 of diamonds', 'joker as 8 of spades', 'joker')
    """
    if card == HIDDEN:
        return "a face-down card"
    if card == JOKER:
        return "joker"
    rank, suit = named(card)[0], named(card)[1]
    plain = f"{_RANKS.get(rank, rank)} of {_SUITS[suit]}"
    return f"joker as {plain}" if is_joker(card) else plain


def rank_text(card: Card) -> str:
    """Return what stands at a card's index."""
    rank = named(card)[0]
    return "10" if rank == "T" else rank


def _classes(card: Card) -> str:
    """Return the classes that give a card its colour and pips, as ``is-h is-ten``."""
    if card == JOKER:
        return "is-free"
    suit = named(card)[1]
    return f"is-{suit}{' is-ten' * (card[-2] == 'T')}{' is-joker' * is_joker(card)}"


@lru_cache(maxsize=8192)
def card_html(card: Card, mark: str = "", ident: str = "", origin: str = "") -> SafeString:
    """Return a card; each is made once per process.

    :param mark: ``new`` or ``moved``, where a turn did something to it.
    :param origin: where it came from, if not from the hand.
    """
    words = card_words(card)
    if mark == "new":
        words += f", from {origin} this turn" if origin else ", played from hand this turn"
    elif mark:
        words += f", moved from {origin}"
    return format_html(
        '<span class="c-card {}{}"{} role="img" aria-label="{}">{}</span>',
        _classes(card),
        f" is-{mark}" if mark else "",
        format_html(' id="{}"', ident) if ident else "",
        words,
        "" if card == JOKER else rank_text(card),
    )


@register.simple_tag
def cards(faces: Iterable[Card | Placed]) -> SafeString:
    """Draw cards that lie in a row."""
    drawn = [
        (
            card_html(face)
            if isinstance(face, str)
            else card_html(face.card, str(face.mark), face.id, face.origin),
        )
        for face in faces
    ]
    return format_html_join("", "{}", drawn)


@register.simple_tag(name="chip")
@lru_cache(maxsize=128)
def chip_html(card: Card) -> SafeString:
    """Return a card as it stands in running text."""
    if card in (HIDDEN, JOKER):
        return format_html('<span class="c-chip is-free">{}</span>', card_words(card))
    return format_html(
        '<span class="c-chip {}"><span aria-hidden="true">{}</span>'
        '<span class="u-sr">{}</span></span>',
        _classes(card),
        rank_text(card) + "★" * is_joker(card),
        card_words(card),
    )


@register.simple_tag(name="seat")
@lru_cache(maxsize=8)
def seat_html(number: int) -> SafeString:
    """Draw a seat's marker: a colour and a shape; its player's name stands beside it."""
    letter = SEATS[number % len(SEATS)]
    return format_html(
        '<svg class="c-mark is-{}" aria-hidden="true"><use href="{}#seat-{}"/></svg>',
        letter,
        sprite(),
        letter,
    )


@register.simple_tag
@lru_cache(maxsize=8)
def seat_use(number: int) -> SafeString:
    """Draw a seat's marker inside an SVG, its middle at the place where it stands."""
    letter = SEATS[number % len(SEATS)]
    return format_html(
        '<use class="c-mark is-{}" href="{}#seat-{}" y="-5" width="9" height="9"/>',
        letter,
        sprite(),
        letter,
    )


@register.simple_tag
def seat_class(number: int) -> str:
    """Return the class that gives a seat's colour and dashes."""
    return f"is-{SEATS[number % len(SEATS)]}"


@register.simple_tag
def percent(part: int, whole: int) -> str:
    """Return a share in percent, short; 0 of nothing.

    >>> percent(13, 16), percent(0, 0)
    ('81.25', '0')
    """
    return f"{100 * part / whole:.2f}".rstrip("0").rstrip(".") if whole else "0"


class Slot(NamedTuple):
    """Where one of several things that stand side by side begins, and how wide it is: percents."""

    x: str
    width: str


@register.simple_tag
def slot(number: int, among: Sized) -> Slot:
    """Return the place of one of several that share a width, counted from 0; few do not fill it.

    >>> slot(1, "abc"), slot(1, "abcdefgh")
    (Slot(x='20', width='20'), Slot(x='12.5', width='12.5'))
    """
    whole = max(5, len(among))
    return Slot(percent(number, whole), percent(1, whole))


@register.simple_tag
def larger(one: int, other: int) -> int:
    """Return the larger of two numbers, at least 1: the end of a scale that holds both."""
    return max(one, other, 1)


@register.simple_tag(name="icon")
@lru_cache(maxsize=64)
def icon_html(name: str, label: str = "") -> SafeString:
    """Draw an icon; without a label it is only an ornament."""
    about = (
        format_html('role="img" aria-label="{}"', label)
        if label
        else SafeString('aria-hidden="true"')
    )
    return format_html('<svg class="c-icon" {}><use href="{}#i-{}"/></svg>', about, sprite(), name)


def decimal(value: Fraction | int, places: int = 2) -> str:
    """Return a number with so many decimals, exact or rounded half up.

    >>> decimal(Fraction(7, 3)), decimal(Fraction(5, 2), 1), decimal(Fraction(1, 200))
    ('2.33', '2.5', '0.01')
    """
    scaled = Fraction(value) * 10**places
    whole = (abs(scaled) * 2 + 1) // 2
    sign = "−" if scaled < 0 and whole else ""
    before, after = divmod(whole, 10**places)
    return f"{sign}{before}.{after:0{places}}" if places else f"{sign}{before}"


class Mark(Protocol):
    """A round in a place sheet, as tournaments have them."""

    round: int
    state: str
    place: int | None
    game: int | None
    bye: str


@register.simple_tag
def place_sheet(marks: Iterable[Mark], at: str) -> SafeString:
    """Draw the places of an entrant round by round; there are hundreds of them on a page.

    :param at: address of the tournament, below which its games are.
    """
    base = escape(at)
    return mark_safe("".join([_mark(mark, base) for mark in marks]))  # noqa: S308


def _mark(mark: Mark, base: str) -> str:
    """Return a round's HTML: numbers, words of ours and an escaped address."""
    place = "•" if mark.place is None else mark.place
    if mark.game:
        words = f"place {mark.place}" if mark.place else "being played"
        return (
            f'<a class="is-{mark.state}" href="{base}games/{mark.game}/"'
            f' aria-label="Round {mark.round}, {words}">{place}</a>'
        )
    if mark.bye:
        return f'<abbr class="is-bye" title="Round {mark.round}: {escape(mark.bye)}">B</abbr>'
    shown = "" if mark.state == "todo" else place
    return f'<span class="is-{mark.state}">{shown}</span>'


@register.simple_tag
@lru_cache(maxsize=4096)
def exact(value: str | Fraction | int | None, places: int = 2) -> SafeString | str:
    """Show an exact number, such as ``7/3``, as a decimal; the title has it exactly.

    Of several numbers with spaces between, each is shown.
    """
    if value is None or value == "":
        return "–"
    if isinstance(value, str) and " " in value:
        return format_html_join(" ", "{}", ((exact(part, places),) for part in value.split()))
    number = Fraction(value)
    shown = decimal(number, places)
    if number.denominator == 1 or Fraction(shown.replace("−", "-")) == number:
        return shown
    return format_html('<span title="exactly {}">{}</span>', number, shown)


class Column(Protocol):
    """A column of numbers, as standings have them."""

    places: int
    main: bool


@register.simple_tag
def numbers(values: Iterable[tuple[Column, str | None]]) -> SafeString:
    """Draw the numbers of a row of standings; there are hundreds of them on a page."""
    drawn = []
    for column, value in values:
        main = ' class="is-main"' if column.main else ""
        drawn.append(f"<td{main}>{conditional_escape(exact(value, column.places))}</td>")
    return mark_safe("".join(drawn))  # noqa: S308


@register.simple_tag
def address(name: str, ident: UUID) -> SafeString:
    """Return the address of a page that has an id in it, as ``url`` does, but hundreds of times."""
    before, after = _around(name)
    return SafeString(f"{before}{ident}{after}")


@lru_cache(maxsize=16)
def _around(name: str) -> list[str]:
    return reverse(name, args=[_NO_ID]).split(str(_NO_ID))


_NO_ID = UUID(int=0)


@register.simple_tag
def when(time: datetime | None, form: str = "full") -> SafeString | str:
    """Show a time in UTC; a script makes it the reader's own.

    What is left out stands in its title.

    :param form: ``full``, ``day``, ``clock``; ``near`` is a clock where no other day can be meant,
        else a day.
    """
    if time is None:
        return "–"
    time = time.astimezone(UTC)
    if form == "near":
        form = "clock" if abs(timezone.now() - time) < NEAR else "day"
    full = f"{time.day} {time:%b %Y, %H:%M} UTC"
    day = f"{time.day} {time:%b %Y}"
    shown = {"full": full, "day": day, "clock": f"{time:%H:%M} UTC"}[form]
    title = "" if shown == full else format_html(' title="{}"', full)
    return format_html(
        '<time datetime="{}" data-form="{}"{}>{}</time>',
        f"{time:%Y-%m-%dT%H:%M:%SZ}",
        form,
        title,
        shown,
    )


@register.simple_tag(takes_context=True)
def look(context: Context) -> Look:
    """Return how the reader wants pages to look; error pages are made without a request."""
    request: Any = context.get("request")
    return look_of(request.COOKIES if request is not None else {})
