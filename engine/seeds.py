"""Deals anybody can check: how everything random follows from one seed of 32 bytes.

The scheme is a published contract; each label keeps one use of a seed apart from the others and
nothing that is derived can be turned back. ``S`` is a game's seed, ``T`` a tournament's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from hmac import digest
from struct import Struct
from typing import TypeVar

_T = TypeVar("_T")

SEED_BYTES = 32
_WORDS = 1 << 32
_EIGHT_WORDS = Struct(">8I")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def commitment(seed: bytes) -> str:
    """Return the hex SHA-256 of a seed, published before anything depends on the seed."""
    return sha256(seed).hexdigest()


def game_seed(tournament_seed: bytes, number: int) -> bytes:
    """Return the seed ``S`` of a tournament's game ``number`` (1, 2, … in order of creation)."""
    return digest(tournament_seed, b"meldboard/game/1" + _u32(number), "sha256")


def deal_key(seed: bytes, deal: int) -> bytes:
    """Return the key ``K_d`` that shuffles deal ``deal`` (1, 2, …) of a game."""
    return digest(seed, b"meldboard/deal/1" + _u32(deal), "sha256")


def bot_key(seed: bytes, seat: int, seq: int) -> bytes:
    """Return the key of a built-in bot's choices at the decision after event ``seq``."""
    return digest(seed, b"meldboard/bot/1" + bytes([seat]) + _u32(seq), "sha256")


class Words:
    """The endless 32-bit words of a key: block i is HMAC-SHA256(key, u32be(i)), eight words each.

    >>> Words(bytes(32)).below(1)
    0
    """

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def below(self, n: int) -> int:
        """Return a uniform number 0 ≤ x < n, rejecting the words that would favour small ones.

        :raises ValueError: unless 1 ≤ n ≤ 2**32.
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"below() takes 1 to 2**32, not {n}")
        return next(_below(self._words, (n,)))

    def choice(self, options: Sequence[_T]) -> _T:
        """Return one of the options, each with the same chance."""
        return options[self.below(len(options))]


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from _EIGHT_WORDS.unpack(digest(key, _u32(block), "sha256"))
        block += 1


def _below(words: Iterator[int], sizes: Iterable[int]) -> Iterator[int]:
    """Yield a uniform number below each size."""
    for n in sizes:
        limit = _WORDS - _WORDS % n
        for word in words:
            if word < limit:
                break
        yield word % n


def first_dealer(seed: bytes, seats: int) -> int:
    """Return the seat that deals first (RULES M2.1, G1.3), uniform in 0 … seats − 1."""
    return Words(digest(seed, b"meldboard/dealer/1", "sha256")).below(seats)


def shuffled(seed: bytes, deal: int, cards: Sequence[_T]) -> tuple[_T, ...]:
    """Return the order in which deal ``deal`` of a game uses ``cards`` (given unshuffled).

    For i = N−1 … 1, j = below(i+1), cards i and j change places.
    """
    deck = list(cards)
    numbers = _below(_words(deal_key(seed, deal)), range(len(deck), 1, -1))
    for i, j in zip(range(len(deck) - 1, 0, -1), numbers, strict=True):
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)
