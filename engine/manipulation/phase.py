"""One meld phase: what may lie on the tableau afterwards (RULES M5, M6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.cards import HIDDEN, JOKER, Card, Meld, Tableau, in_order, is_joker, named, physical
from engine.errors import RuleViolation
from engine.manipulation.melds import canonical_meld


def check_phase(
    before: Tableau, hand: Sequence[Card], after: Tableau
) -> tuple[tuple[Card, ...], Tableau]:
    """Return the cards played (physical, in hand order) and the canonical tableau.

    Only the two ends of a phase count: what lies there in between does not matter (M5.3).
    A hand of hidden cards passes for any cards, so that a public state can be checked too.

    :param before: legal tableau at the start of the phase.
    :raises RuleViolation: ``not_held``, ``card_left`` (M5.2), ``nothing_played`` (M5.1),
        ``undeclared_joker`` (M6.1), ``not_a_meld`` (M5.3), ``joker_renamed`` (M6.4), tested in
        this order.
    """
    gone, come = changed_melds(before, after)
    missing, played = moved_cards(gone, come)
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
    tableau = tuple([canonical_meld(meld) for meld in after])
    renamed = _renamed(gone, come, after)
    if renamed:
        raise RuleViolation(
            "joker_renamed",
            f"the joker named {renamed} may take another name only when a real {renamed} lies "
            "on the tableau",
            "M6.4",
        )
    return in_order(played), tableau


def changed_melds(before: Tableau, after: Tableau) -> tuple[list[Meld], list[Meld]]:
    """Return the melds only before and the melds only after; equal melds cancel out."""
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
    return gone, come


def moved_cards(gone: list[Meld], come: list[Meld]) -> tuple[list[Card], list[Card]]:
    """Return the physical cards that left the tableau and those that came to it."""
    came = [physical(card) for meld in come for card in meld]
    went = []
    for meld in gone:
        for card in meld:
            face = physical(card)
            if face in came:
                came.remove(face)
            else:
                went.append(face)
    return went, came


def _lacking(played: list[Card], hand: Sequence[Card]) -> list[Card]:
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


def _renamed(gone: list[Meld], come: list[Meld], after: Tableau) -> Card | None:
    """Return a name that a joker lost without a real card of that name on the tableau (M6.4)."""
    lost = _joker_names(gone)
    if lost:
        lost.subtract(_joker_names(come))
        for name, count in lost.items():
            if count > 0 and not any(name in meld for meld in after):
                return name
    return None


def _joker_names(melds: Iterable[Meld]) -> Counter[Card]:
    return Counter(named(card) for meld in melds for card in meld if is_joker(card))


def _text(cards: Iterable[Card]) -> str:
    return " ".join(in_order(cards))
