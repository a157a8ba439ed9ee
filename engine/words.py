"""What captions of all game kinds share: names of melds, lists, the platform's own events.

A sentence is made of parts, texts and things to be rendered; :func:`joined` makes it a caption.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.cards import RANKS, SUITS, Meld, named
from engine.events import FaultReason, ForfeitReason
from engine.variant import Caption, CardNames, SeatName

Part = str | SeatName | CardNames
Parts = list[Part]

_RANK_NAMES = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines"),
    *("tens", "jacks", "queens", "kings"),
)
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

FAULTS = {
    FaultReason.TIMEOUT: "gives no answer in time",
    FaultReason.ILLEGAL: "gives an illegal answer",
    FaultReason.CRASHED: "breaks down",
    FaultReason.UNREACHABLE: "cannot be reached",
}
"""What a seat does that faults."""

FORFEITS = {
    ForfeitReason.FAULTS: "forfeits after too many faults",
    ForfeitReason.RESIGNED: "resigns",
    ForfeitReason.WITHDRAWN: "is withdrawn",
    ForfeitReason.NO_SHOW: "does not show up",
}
"""What a seat does that forfeits."""

SEED_REVEALED = "The seed is revealed; every deal can be checked."


def meld_name(meld: Meld) -> str:
    """Return a short name of a legal meld: ``Sixes``, ``Clubs 6–9``.

    >>> meld_name(("Qd", "Kd", "*Ad")), meld_name(("6c", "6d", "6h"))
    ('Diamonds Q–A', 'Sixes')
    """
    first, last = named(meld[0]), named(meld[-1])
    if first[0] == last[0]:
        return _RANK_NAMES[RANKS.index(first[0])].capitalize()
    low, high = ("10" if c[0] == "T" else c[0] for c in (first, last))
    return f"{_SUIT_NAMES[SUITS.index(first[1])].capitalize()} {low}–{high}"


def listed(clauses: Sequence[Parts]) -> Parts:
    """Join clauses with commas and a last "and"."""
    parts: Parts = []
    for i, clause in enumerate(clauses):
        if i:
            parts.append(" and " if i == len(clauses) - 1 else ", ")
        parts += clause
    return parts


def joined(parts: Iterable[Part]) -> Caption:
    """Merge neighbouring texts."""
    merged: Parts = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return tuple(merged)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "card"), counted(2, "card")
    ('1 card', '2 cards')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"
