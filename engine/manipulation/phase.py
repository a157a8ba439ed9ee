"""One meld phase: what may lie on the tableau afterwards (RULES M5, M6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.cards import HIDDEN, JOKER, Card, Meld, Tableau, in_order, named
from engine.errors import RuleViolation
from engine.manipulation.melds import canonical_meld


def check_phase(
    before: Tableau, hand: Sequence[Card], after: Tableau
) -> tuple[tuple[Card, ...], Tableau]:
    """Return the cards played (physical, in hand order) and the canonical tableau.

    Only the two ends of a phase count: what lies there in between does not matter (M5.3).
    A hand of hidden cards passes for any cards, so that a public state can be checked too.

    :param before: legal tableau at the start of the phase, each meld in canonical order.
    :raises RuleViolation: ``not_held``, ``card_left`` (M5.2), ``nothing_played`` (M5.1),
        ``undeclared_joker`` (M6.1), ``not_a_meld`` (M5.3), ``joker_renamed`` (M6.4), tested in
        this order.
    """
    gone, come, missing, played = change(before, after)
    lacking = _lacking(played, hand)
    if lacking:
        raise RuleViolation(
            "not_held",
            f"{_text(lacking)} is neither in your hand nor left on the tableau; lay cards you hold",
            "M5.1",
        )
    if missing:
        raise RuleViolation(
            "card_left",
            f"{_text(missing)} left the tableau; cards that lie there stay there",
            "M5.2",
        )
    if not played:
        raise RuleViolation(
            "nothing_played",
            "no card came from your hand; play at least one card or do not meld",
            "M5.1",
        )
    for meld in come:
        if JOKER in meld:
            canonical_meld(meld)
    ordered = {meld: canonical_meld(meld) for meld in come}
    tableau = tuple([ordered.get(meld, meld) for meld in after])
    renamed = _renamed(gone, come, after)
    if renamed:
        raise RuleViolation(
            "joker_renamed",
            f"the joker named {renamed} may take another name only when a real {renamed} lies "
            "on the tableau",
            "M6.4",
        )
    return in_order(played), tableau


class Change(NamedTuple):
    """What a phase did to a tableau."""

    gone: tuple[Meld, ...]
    """Melds only before."""
    come: tuple[Meld, ...]
    """Melds only after."""
    missing: tuple[Card, ...]
    """Physical cards that left the tableau."""
    played: tuple[Card, ...]
    """Physical cards that came to it."""


@lru_cache(maxsize=16)  # whoever judges a phase moves the cards next
def change(before: Tableau, after: Tableau) -> Change:
    """Return the difference of two tableaus; equal melds, and cards in other melds, cancel out."""
    same = 0  # most melds keep their place, and comparing in order is quick
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        same += 1
    gone, come = list(before[same:]), []
    for meld in after[same:]:
        if meld in gone:
            gone.remove(meld)
        else:
            come.append(meld)
    played = [JOKER if card[0] == JOKER else card for meld in come for card in meld]
    missing = []
    for meld in gone:
        for card in meld:
            face = JOKER if card[0] == JOKER else card
            if face in played:
                played.remove(face)
            else:
                missing.append(face)
    return Change(tuple(gone), tuple(come), tuple(missing), tuple(played))


def _lacking(played: Iterable[Card], hand: Sequence[Card]) -> list[Card]:
    """Return the played cards that the hand does not hold."""
    left = list(hand)
    lacking = []
    for card in played:
        if card in left:
            left.remove(card)
        elif HIDDEN in left:
            left.remove(HIDDEN)
        else:
            lacking.append(card)
    return lacking


def _renamed(gone: Iterable[Meld], come: Iterable[Meld], after: Tableau) -> Card | None:
    """Return a name that a joker lost without a real card of that name on the tableau (M6.4)."""
    lost = _joker_names(gone)
    if lost:
        kept = _joker_names(come)
        for name in lost:
            if name in kept:
                kept.remove(name)
            elif not any(name in meld for meld in after):
                return name
    return None


def _joker_names(melds: Iterable[Meld]) -> list[Card]:
    return [named(card) for meld in melds for card in meld if card[0] == JOKER]


def _text(cards: Iterable[Card]) -> str:
    return " ".join(in_order(cards))
