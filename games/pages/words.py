"""Captions for pages: seats as names with their markers, cards as chips."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from engine.variant import Caption, CardNames, SeatName
from games.templatetags.meldboard import card_words, chip_html, seat_html

PUNCTUATION = ",.;:)"
SHORT_NAME = 24
"""Characters of a name that stay on one line."""

_CHANGE = re.compile(r"(\d+ → \d+ points?)")
"""What a turn did to a hand, told as ``50 → 29 points``."""


def caption_html(caption: Caption, names: Sequence[str]) -> SafeString:
    """Return a sentence as HTML; a mark of punctuation stays on the line of the card before it."""
    parts: list[SafeString | str] = []
    for part in caption:
        if isinstance(part, SeatName):
            mark, name = seat_html(part.seat), names[part.seat]
            kept = " u-nowrap" if len(name) <= SHORT_NAME else ""
            parts.append(format_html('<span class="c-who{}">{}{}</span>', kept, mark, name))
        elif isinstance(part, CardNames):
            parts += _chips(part)
        else:
            if part[:1] in PUNCTUATION and part and parts and isinstance(parts[-1], SafeString):
                held = parts.pop()
                parts.append(format_html('<span class="u-nowrap">{}{}</span>', held, part[0]))
                part = part[1:]
            parts += _text(part)
    return format_html_join("", "{}", ((part,) for part in parts))


def _text(text: str) -> Iterator[SafeString | str]:
    """Yield a text with its changes of points in bold."""
    for i, piece in enumerate(_CHANGE.split(text)):
        yield format_html('<b class="u-nowrap">{}</b>', piece) if i % 2 else piece


def _chips(part: CardNames) -> list[SafeString | str]:
    chips: list[SafeString | str] = []
    for card in part.cards:
        chips += [" ", chip_html(card)] if chips else [chip_html(card)]
    return chips


def caption_text(caption: Caption, names: Sequence[str]) -> str:
    """Return a sentence as plain text."""
    words = []
    for part in caption:
        if isinstance(part, SeatName):
            words.append(names[part.seat])
        elif isinstance(part, CardNames):
            words.append(", ".join(map(card_words, part.cards)))
        else:
            words.append(part)
    return "".join(words)
