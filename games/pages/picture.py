"""A step's table as one SVG file that needs nothing else: no style, no script, nothing outside.

What lies on it is said by the game kind's own template, as that of the page is; here stands how
groups of cards are laid out and what a card looks like. Lengths are pixels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from engine.cards import HIDDEN, JOKER, Card, is_joker, named
from games.pages.stage import Stage
from games.templatetags.meldboard import Placed, card_words, rank_text

WIDTH, EDGE, GAP = 960, 20, 10
CARD_W, CARD_H, STRIP = 44, 62, 26
"""Of a card that another lies on, a strip is seen."""
PAD, LABEL_H = 8, 20
GROUP_H = LABEL_H + CARD_H + 2 * PAD
LETTER_W = 7
"""A label's letter, at most on average."""

PAPER, INK = "#fffdf8", "#1b1b1f"
NEW, MOVED, STAR = "#ffc53d", "#79d6ff", "#6a2c96"
EDGES = {"fresh": NEW, "changed": MOVED}
SIGNS = {"new": ("+", NEW, ""), "moved": ("↷", MOVED, ' stroke-dasharray="5 3"')}
"""What the turn did to a card, in sign, colour and line, so that none says it alone."""

_PIP = re.compile(r'<path id="(\w+)"[^>]*? fill="([^"]+)" d="([^"]+)"')


class Pip(NamedTuple):
    """What tells a suit, or a joker: 24 by 24."""

    colour: str
    outline: str


@lru_cache(maxsize=2)
def pips(deck: str) -> Mapping[str, Pip]:
    """Return the pip of each suit, and of jokers, in a deck of ``2`` or ``4`` colours."""
    drawing = (settings.ROOT / "static" / "pips.svg").read_text()
    found = {name: Pip(colour, outline) for name, colour, outline in _PIP.findall(drawing)}
    kept = ("s", "h4", "d4", "c4") if deck == "4" else ("s", "h", "d", "c")
    return {name[0]: found[name] for name in kept} | {"joker": found["joker"]}


class Felt:
    """A table on which groups of cards are laid from the left, line after line."""

    def __init__(self, deck: str) -> None:
        """Begin an empty table.

        :param deck: ``2`` or ``4`` colours.
        """
        self._deck = deck
        self._x, self._y = EDGE, EDGE
        self._full = False
        """Whether there is a group in the line."""

    @property
    def height(self) -> int:
        """How high the picture is so far."""
        return self._y + (GROUP_H if self._full else 0) + EDGE

    def line(self) -> str:
        """Begin a new line, if there is something in this one."""
        if self._full:
            self._x, self._y, self._full = EDGE, self._y + GROUP_H + GAP, False
        return ""

    def tell(self, words: str) -> SafeString:
        """Write a line of words."""
        self.line()
        y = self._y + 15
        self._y += 26
        return format_html('<text x="{}" y="{}" font-size="14">{}</text>', EDGE, y, words)

    def lay(
        self, label: str, faces: Sequence[Card | Placed], tag: str = "", change: str = ""
    ) -> SafeString:
        """Lay a group of cards, each over the one before; changed ones are spread out."""
        strip = CARD_W + 5 if change else STRIP
        cards_w = strip * (len(faces) - 1) + CARD_W if faces else 0
        width = max(cards_w, LETTER_W * (len(label) + len(tag) + 2)) + 2 * PAD
        if self._x + width > WIDTH - EDGE:
            self.line()
        x, y, self._full = self._x, self._y, True
        self._x += width + GAP
        drawn = [
            f'<g transform="translate({PAD + strip * at} {LABEL_H + PAD})">'
            f"{self._card(face, whole=bool(change) or at == len(faces) - 1)}</g>"
            for at, face in enumerate(faces)
        ]
        return format_html(
            '<g transform="translate({} {})"><rect width="{}" height="{}" rx="7" fill="#3a6c60"'
            ' stroke="{}"/><text x="{}" y="17" font-size="12">{}</text>'
            '<text x="{}" y="17" font-size="12" font-weight="700" text-anchor="end">{}</text>'
            "{}</g>",
            *(x, y, width, GROUP_H, EDGES.get(change, "#4d8073"), PAD, label),
            *(width - PAD, tag, mark_safe("".join(drawn))),  # noqa: S308  # of escaped parts
        )

    def _card(self, face: Card | Placed, *, whole: bool) -> str:
        if isinstance(face, str):
            return _card(face, "", whole, self._deck)
        return _card(face.card, str(face.mark), whole, self._deck)


def picture(stage: Stage, deck: str) -> str:
    """Return the table of a step as an SVG file: of hands only what the step shows.

    :param deck: ``2`` or ``4`` colours.
    """
    felt = Felt(deck)
    head = felt.tell(stage.place)
    context = {"stage": stage, "felt": felt, "back": (HIDDEN,)}
    table = render_to_string(stage.table_template, context)
    shown = {"stage": stage, "felt": felt, "width": WIDTH, "pips": pips(deck), "head": head}
    return render_to_string("games/table.svg", shown | {"table": table})


@lru_cache(maxsize=1024)
def _card(card: Card, mark: str, whole: bool, deck: str) -> str:
    """Return a card with its upper left corner at the origin.

    :param whole: whether no other card lies on it, so that there is room for a large pip.
    """
    sign, edge, dashes = SIGNS.get(mark, ("", "#938c7d", ""))
    paper = "#2b5f9e" if card == HIDDEN else "#efe3f8" if is_joker(card) else PAPER
    parts = [
        f"<title>{card_words(card)}</title>",
        f'<rect width="{CARD_W}" height="{CARD_H}" rx="5" fill="{paper}" stroke="{edge}"',
        f' stroke-width="{2.5 if mark else 0.8}"{dashes}/>',
    ]
    if card == HIDDEN:
        parts.append(
            f'<rect x="3" y="3" width="{CARD_W - 6}" height="{CARD_H - 6}" rx="3" fill="none"'
            f' stroke="{PAPER}" stroke-width="2"/>'
        )
    elif card == JOKER:
        parts.append('<use href="#joker" transform="translate(4 5) scale(.8)"/>')
    else:
        suit = named(card)[1]
        colour = pips(deck)[suit].colour
        large = "joker" if is_joker(card) else suit
        rank = rank_text(card)
        tight = ' textLength="20" lengthAdjust="spacingAndGlyphs"' * (rank == "10")
        parts.append(
            f'<text x="12" y="19" font-size="18" font-weight="700" text-anchor="middle"'
            f' fill="{colour}"{tight}>{rank}</text>'
            f'<use href="#{suit}" transform="translate(5 24) scale(.58)"/>'
        )
        if whole:
            parts.append(f'<use href="#{large}" transform="translate(21 38) scale(.8)"/>')
        elif is_joker(card):
            parts.append('<use href="#joker" transform="translate(5 42) scale(.58)"/>')
    if sign:
        parts.append(
            f'<circle cx="22" cy="{CARD_H}" r="7.5" fill="{edge}"/><text x="22" y="{CARD_H + 4}"'
            f' font-size="12" font-weight="700" text-anchor="middle" fill="{INK}">{sign}</text>'
        )
    return "".join(parts)
