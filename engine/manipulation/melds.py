"""Groups and sequences: which cards form a legal meld, and in which order (RULES M4)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from engine.cards import JOKER, RANK_OF, RANKS, SUIT_OF, SUITS, Card, Meld, is_joker, named
from engine.errors import RuleViolation

ACE, KING = 0, 12


class MeldKind(StrEnum):
    """What a meld is (M4.1)."""

    GROUP = "group"
    """Three or four cards of one rank, all suits different (M4.2)."""
    SEQUENCE = "sequence"
    """Three or more consecutive cards of one suit (M4.3)."""


def meld_kind(meld: Meld) -> MeldKind:
    """Return the kind of a legal meld."""
    return MeldKind.GROUP if meld[0][-2] == meld[1][-2] else MeldKind.SEQUENCE


@lru_cache(maxsize=1 << 16)
def canonical_meld(meld: Meld) -> Meld:
    """Return a legal meld in canonical order: sequences ascending, groups c d h s.

    A high ace stands last; in a sequence of thirteen it stands first.

    :raises RuleViolation: ``undeclared_joker`` (M6.1) or ``not_a_meld`` with the clause of M4
        that the cards break.

    >>> canonical_meld(("Kd", "*Ad", "Qd"))
    ('Qd', 'Kd', '*Ad')
    """
    if JOKER in meld:
        raise RuleViolation(
            "undeclared_joker",
            f"a joker in {_text(meld)} has no name; lay it as the card it stands for, "
            "such as '*8s'",
            "M6.1",
        )
    by_name: dict[Card, Card] = {named(card): card for card in meld}
    size = len(meld)
    if size >= 3 and len(by_name) == size:
        ranks = sorted(RANK_OF[name] for name in by_name)
        suits = {SUIT_OF[name] for name in by_name}
        if ranks[0] == ranks[-1]:
            rank = RANKS[ranks[0]]
            return tuple(by_name[rank + SUITS[suit]] for suit in sorted(suits))
        if len(suits) == 1:
            ordered = _consecutive(ranks)
            if ordered is not None:
                suit = SUITS[suits.pop()]
                return tuple(by_name[RANKS[rank] + suit] for rank in ordered)
    raise _not_a_meld(meld)


def _consecutive(ranks: list[int]) -> list[int] | None:
    """Return distinct sorted ranks in sequence order, or None where they leave a gap (M4.4)."""
    if ranks[-1] - ranks[0] == len(ranks) - 1:
        return ranks
    if ranks[0] == ACE and ranks[-1] == KING and KING - ranks[1] == len(ranks) - 2:
        return [*ranks[1:], ACE]
    return None


def _text(meld: Meld) -> str:
    return " ".join(meld) or "an empty meld"


def _not_a_meld(meld: Meld) -> RuleViolation:
    """Say which clause of M4 a bad meld breaks, and how."""

    def broken(why: str, clause: str) -> RuleViolation:
        return RuleViolation("not_a_meld", f"{_text(meld)} is not a meld: {why}", clause)

    names = [named(card) for card in meld]
    if len(meld) < 3:
        return broken("a meld has at least three cards", "M4.1")
    ranks, suits = [name[0] for name in names], [name[1] for name in names]
    twice = next((name for name in names if names.count(name) > 1), None)
    one_rank, one_suit = len(set(ranks)) == 1, len(set(suits)) == 1
    if twice and (one_rank or one_suit):
        if any(is_joker(card) and named(card) == twice for card in meld):
            return broken(f"the joker counts as {twice}, which stands twice", "M4.5")
        if one_rank:
            return broken(f"{twice} stands twice; the suits of a group differ", "M4.2")
        return broken(f"{twice} stands twice; a card stands once in a sequence", "M4.4")
    if one_suit:
        if {"K", "A", "2"} <= set(ranks):
            return broken("an ace is low or high, it does not turn the corner", "M4.4")
        return broken("the ranks leave a gap; a sequence is consecutive", "M4.3")
    if len(set(ranks)) < len(set(suits)) or len(set(ranks)) <= len(meld) // 2:
        return broken("a group is three or four cards of one rank", "M4.2")
    return broken("a sequence is consecutive cards of one suit", "M4.3")
