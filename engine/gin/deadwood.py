"""The least deadwood of a hand and the best lay-offs, exactly (RULES G3, G5).

A hand is a whole number with a bit for each card of the pack: bit 13 · suit + rank, in the order of
:data:`engine.cards.FACES`. Within a suit a run never hurts: cards in a block of three or more
consecutive ranks are all melded. Only sets are a choice, and a hand has at most three ranks with
three cards; so a table of 8,192 suits and a few branches find the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

SUIT: Final = 0x1FFF
"""The thirteen bits of a suit."""

_TWO_SUITS: Final = (1 << 26) - 1

CARD_POINTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
"""What a card counts, by rank (G1.2)."""


def _runs(suit: int) -> int:
    """Return the cards of a suit that lie in runs (G3.1); ace is low only (G1.1)."""
    held = 0
    for low in range(11):
        run = 7 << low
        if suit & run == run:
            held |= run
    return held


def _suit_points(suit: int) -> int:
    return sum([points for rank, points in enumerate(CARD_POINTS) if suit >> rank & 1])


RUNS: Final[list[int]] = [_runs(suit) for suit in range(SUIT + 1)]
"""By the cards held of a suit: those that lie in runs."""

LOOSE: Final[list[int]] = [_suit_points(suit & ~RUNS[suit]) for suit in range(SUIT + 1)]
"""By the cards held of a suit: the points of those that lie in no run."""


def points(cards: int) -> int:
    """Return what cards count together (G1.2).

    >>> points(1 << 12 | 1 << 13)
    11
    """
    total = 0
    while cards:
        total += _suit_points(cards & SUIT)
        cards >>= 13
    return total


def deadwood(hand: int) -> int:
    """Return the least points outside melds over all ways to meld a hand (G3.2).

    >>> deadwood(0b111 | 1 << 38)  # ace, two and three of clubs; king of hearts
    10
    """
    low, high = hand & _TWO_SUITS, hand >> 26  # numbers of 30 bits are quicker
    c, d, h, s = low & SUIT, low >> 13, high & SUIT, high >> 13
    sets = (c & d & (h | s)) | (h & s & (c | d))
    if sets:
        return _least(c, d, h, s, sets)
    return LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]


def _least(c: int, d: int, h: int, s: int, sets: int) -> int:
    """Return the least deadwood of four suits, where ``sets`` are the ranks still to choose from.

    A set none of whose cards lies in a run is laid whole.
    """
    free = sets & ~(RUNS[c] | RUNS[d] | RUNS[h] | RUNS[s])
    if free:
        c, d, h, s = c & ~free, d & ~free, h & ~free, s & ~free
        sets ^= free
    least = LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s]
    while sets:
        rank = sets & -sets
        sets ^= rank
        c3, d3, h3, s3 = c & ~rank, d & ~rank, h & ~rank, s & ~rank
        least = min(least, _least(c3, d3, h3, s3, sets))
        if c & d & h & s & rank:  # or three of the four, and the other stays in a run
            least = min(
                least,
                _least(c, d3, h3, s3, sets),
                _least(c3, d, h3, s3, sets),
                _least(c3, d3, h, s3, sets),
                _least(c3, d3, h3, s, sets),
            )
    return least


def best_discard(hand: int, kept: int = 0) -> tuple[int, int]:
    """Return the least deadwood that a discard can leave, and the card to discard.

    :param kept: a card that may not be discarded (G2.4), or 0.
    """
    least, best = 1 << 30, 0
    rest = hand & ~kept
    while rest:
        card = rest & -rest
        rest ^= card
        left = deadwood(hand ^ card)
        if left < least:
            least, best = left, card
    return least, best


def _rank_sets(rank: int) -> tuple[int, ...]:
    """Return the five sets of a rank, the largest first, then by the suit left out (G3.1)."""
    suits = [1 << 13 * suit + rank for suit in range(4)]
    whole = sum(suits)
    return (whole, *(whole ^ card for card in reversed(suits)))


SETS: Final[list[int]] = [cards for rank in range(13) for cards in _rank_sets(rank)]
"""All sets, by rank."""


def arrangement(hand: int) -> list[int]:
    """Return melds that leave the least deadwood: sets by rank, then runs by suit and rank.

    Among equal arrangements a set is preferred to runs, and the set that comes first.
    """
    least = deadwood(hand)
    melds = []
    for cards in SETS:
        if hand & cards == cards and deadwood(hand ^ cards) == least:
            melds.append(cards)
            hand ^= cards
    for shift in (0, 13, 26, 39):
        held = RUNS[hand >> shift & SUIT]
        while held:
            low = held & -held
            run = held & ~(held + low)  # adding the lowest bit carries through the run
            melds.append(run << shift)
            held ^= run
    return melds


def lay_off(hand: int, melds: Sequence[int]) -> int:
    """Return the cards of a hand to lay off on melds so that the least deadwood is left (G5.2).

    Own melds and lay-offs are chosen together; among equal choices fewest cards are laid off.

    :param melds: the knocker's.
    """
    best, least, fewest = 0, deadwood(hand), 0
    if not least:
        return 0
    for laid in _lay_offs(hand, melds):
        left = deadwood(hand & ~laid)
        if left < least or (left == least and laid.bit_count() < fewest):
            best, least, fewest = laid, left, laid.bit_count()
    return best


def can_lay_off(cards: int, melds: Sequence[int]) -> bool:
    """Say whether all the cards may be laid off on melds (G5.2)."""
    return cards in _lay_offs(cards, melds)


def _lay_offs(hand: int, melds: Sequence[int]) -> set[int]:
    """Return every choice of cards that may be laid off, none of them included."""
    choices = {0}
    for meld in melds:
        for chain in _chains(hand, meld):
            choices |= {laid | part for laid in choices for part in chain if not laid & part}
    return choices


def _chains(hand: int, meld: int) -> list[list[int]]:
    """Return the ends at which a meld can grow, each with what can be laid there, growing."""
    low, high = (meld & -meld).bit_length() - 1, meld.bit_length() - 1
    first = low - low % 13
    if not meld >> low + 1 & 1:  # a set grows by its fourth card only
        return [_chain(hand & ~meld, [low % 13 + 13 * suit]) for suit in range(4)]
    return [_chain(hand, range(low - 1, first - 1, -1)), _chain(hand, range(high + 1, first + 13))]


def _chain(hand: int, places: Sequence[int]) -> list[int]:
    """Return the first of these places, the first two and so on, as far as the hand has them."""
    laid, chain = 0, []
    for place in places:
        if not hand >> place & 1:
            break
        laid |= 1 << place
        chain.append(laid)
    return chain
