"""Random hands for tests, seeded: from the whole pack, or of cards that lie close together."""

from __future__ import annotations

from engine.gin.melds import MELDS
from engine.seeds import Words

_MELDS = tuple(MELDS)


def random_cards(words: Words, count: int, pack: int = (1 << 52) - 1) -> int:
    """Some cards of a pack, each choice with the same chance, as bits."""
    cards = [i for i in range(52) if pack >> i & 1]
    for i in range(count):
        j = i + words.below(len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]
    return sum(1 << card for card in cards[:count])


def rich_cards(words: Words, count: int, pack: int = (1 << 52) - 1) -> int:
    """Cards of a few melds that overlap, so that there is much to choose from."""
    wanted = 0
    while (wanted & pack).bit_count() < count + words.below(3):
        wanted |= words.choice(_MELDS)
    return random_cards(words, count, wanted & pack)
