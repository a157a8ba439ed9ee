"""The seed scheme: published vectors, an independent twin, uniformity."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from engine import seeds
from engine.cards import unshuffled

ZERO = bytes(32)
COUNT = bytes(range(32))
REJECTING = bytes.fromhex("1b48fe1b004978df35b480005120486b9aa4f7533675f6fe6e2890366e0879d0")


def test_commitment_vector() -> None:
    text = seeds.commitment(ZERO)
    assert text.startswith("66687aad") and text.endswith("5f2925")


@pytest.mark.parametrize(("seed", "dealers"), [(ZERO, [0, 2, 0, 1]), (COUNT, [0, 1, 0, 3])])
def test_first_dealer_vectors(seed: bytes, dealers: list[int]) -> None:
    assert [seeds.first_dealer(seed, n) for n in (2, 3, 4, 5)] == dealers


@pytest.mark.parametrize(
    ("seed", "deal", "packs", "jokers", "start"),
    [
        (ZERO, 1, 1, True, "5s * 7d 8c Ac 4h Ad 5h 4d 6h 6d 9d"),
        (ZERO, 2, 2, True, "6s 2h Qc Kh 3s 6d 4s Qc Th 5c Qh Js"),
        (ZERO, 1, 1, False, "6d 4h Kd 9s Tc 3h As 2d 9c 2h 5s 2c"),
        (COUNT, 1, 1, True, "Qh 8h 4h * Jh 8s Ac 7c 5h Kc 6s As"),
        (COUNT, 2, 2, True, "Kc 8s 2d Ts 5s 4s Ac 4c 7h 7d Tc 6c"),
        (REJECTING, 1, 2, True, "2h 6s 3h Jh Ks Jc 3h 2h"),
    ],
)
def test_deck_vectors(seed: bytes, deal: int, packs: int, jokers: bool, start: str) -> None:
    deck = seeds.shuffled(seed, deal, unshuffled(packs, jokers=jokers))
    assert " ".join(deck).startswith(start)
    assert Counter(deck) == Counter(unshuffled(packs, jokers=jokers))


def twin_shuffle(seed: bytes, deal: int, cards: list[str]) -> list[str]:
    """The scheme written a second time, straight from its text."""

    def mac(key: bytes, text: bytes) -> bytes:
        return hmac.new(key, text, hashlib.sha256).digest()

    key = mac(seed, b"meldboard/deal/1" + deal.to_bytes(4, "big"))
    stream = b"".join(mac(key, i.to_bytes(4, "big")) for i in range(60))
    words = [int.from_bytes(stream[i : i + 4], "big") for i in range(0, len(stream), 4)]
    for i in reversed(range(1, len(cards))):
        while (word := words.pop(0)) >= 2**32 - 2**32 % (i + 1):
            pass
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@pytest.mark.parametrize("n", range(20))
def test_shuffle_equals_twin(n: int) -> None:
    seed = hashlib.sha256(str(n).encode()).digest()
    cards = unshuffled(1 + n % 2, jokers=n % 3 > 0)
    assert list(seeds.shuffled(seed, n + 1, cards)) == twin_shuffle(seed, n + 1, list(cards))


def test_rejecting_seed_rejects_a_word() -> None:
    """The vector is only worth something if its stream really holds a rejected word."""
    words = seeds._words(seeds.deal_key(REJECTING, 1))
    taken = [next(words) for _ in range(105)]
    limits = [(1 << 32) - (1 << 32) % n for n in range(106, 1, -1)]
    assert any(word >= limit for word, limit in zip(taken, limits, strict=True))


@pytest.mark.parametrize("n", [0, -1, (1 << 32) + 1])
def test_below_names_its_range(n: int) -> None:
    with pytest.raises(ValueError, match=r"below\(\) takes 1 to 2\*\*32"):
        seeds.Words(ZERO).below(n)


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[c] - expected) ** 2 for c in counts) / expected + expected * (
        cells - len(counts)
    )


def test_four_cards_shuffle_uniformly() -> None:
    """24,000 shuffles over 24 orders; χ² with 23 degrees passes 73.6 with p = 3e-7."""
    counts: Counter[object] = Counter(seeds.shuffled(ZERO, d, "abcd") for d in range(24_000))
    assert chi_square(counts, 24) < 73.6


def test_game_and_bot_keys_differ_by_each_part() -> None:
    keys = {seeds.game_seed(ZERO, 1), seeds.game_seed(ZERO, 2), seeds.game_seed(COUNT, 1)}
    keys |= {seeds.bot_key(ZERO, s, q) for s in range(3) for q in range(3)}
    keys |= {seeds.deal_key(ZERO, 1), seeds.deal_key(ZERO, 2)}
    assert len(keys) == 14
    label = b"meldboard/bot/1" + b"\x02" + (7).to_bytes(4, "big")
    assert seeds.bot_key(ZERO, 2, 7) == hmac.new(ZERO, label, hashlib.sha256).digest()
