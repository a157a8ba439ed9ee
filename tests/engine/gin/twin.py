"""The gin solver written a second time, straight from the rules: sets of cards and full search."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from engine.cards import FACES, RANKS

Cards = frozenset[str]


def is_meld(cards: Cards) -> bool:
    """A set is three or four of a rank; a run three or more in a row of a suit, ace low (G3.1)."""
    if len(cards) < 3:
        return False
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    if len(set(ranks)) == 1:
        return True
    one_suit = len({card[1] for card in cards}) == 1
    return one_suit and ranks == list(range(ranks[0], ranks[0] + len(cards)))


@cache
def all_melds() -> tuple[Cards, ...]:
    """Every meld of a pack, found by trying: triples, then one card more and one more."""
    melds = {Cards(triple) for triple in combinations(FACES, 3) if is_meld(Cards(triple))}
    grown = melds
    while grown:
        grown = {m | {card} for m in grown for card in FACES if card not in m}
        grown = {meld for meld in grown if is_meld(meld)} - melds
        melds |= grown
    return tuple(sorted(melds, key=sorted))


def points(cards: Cards) -> int:
    """Ace 1, 2-10 their number, court cards 10 (G1.2)."""
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def deadwood(hand: Cards) -> int:
    """The least points outside melds, over all choices of melds that share no card (G3.2)."""

    def best(free: Cards, melds: list[Cards]) -> int:
        saved = 0
        for i, meld in enumerate(melds):
            rest = [other for other in melds[i + 1 :] if not other & meld]
            saved = max(saved, points(meld) + best(free - meld, rest))
        return saved

    held = [meld for meld in all_melds() if meld <= hand] if len(hand) > 2 else []
    return points(hand) - best(hand, held)


def after_laying_off(hand: Cards, melds: tuple[Cards, ...]) -> int:
    """The least deadwood when cards may be added to the knocker's melds, one by one (G5.2)."""
    least = deadwood(hand)
    seen = {(hand, melds)}
    open_ = [(hand, melds)]
    while open_:
        held, lying = open_.pop()
        for card in held:
            for i, meld in enumerate(lying):
                rest = held - {card}, (*lying[:i], meld | {card}, *lying[i + 1 :])
                if is_meld(meld | {card}) and rest not in seen:
                    seen.add(rest)
                    least = min(least, deadwood(rest[0]))
                    open_.append(rest)
    return least
