"""The gin solver: every meld, exact deadwood, exact lay-offs, arrangements that reach them."""

from __future__ import annotations

import pytest

from engine.errors import RuleViolation
from engine.gin.deadwood import (
    arrangement,
    best_discard,
    can_lay_off,
    deadwood,
    lay_off,
    points,
)
from engine.gin.melds import BIT, MELDS, bits, canonical_meld, faces, hand_cards
from engine.seeds import Words
from tests.engine.gin import twin
from tests.engine.gin.hands import random_cards, rich_cards
from tests.engine.helpers import seed_of


def cards(hand: int) -> twin.Cards:
    return frozenset(faces(hand))


def test_a_pack_has_329_melds() -> None:
    assert len(MELDS) == len(twin.all_melds()) == 329
    assert {frozenset(meld) for meld in MELDS.values()} == set(twin.all_melds())
    for held, meld in MELDS.items():
        assert bits(meld) == held
        assert canonical_meld(meld[::-1]) == meld


@pytest.mark.parametrize("kind", [random_cards, rich_cards])
def test_deadwood_equals_the_twin(kind, amount) -> None:
    words = Words(seed_of(kind.__name__))
    for _ in range(amount(1_500, 100_000)):
        hand = kind(words, 10 + words.below(2))
        assert deadwood(hand) == twin.deadwood(cards(hand)), hand_cards(hand)


def test_small_hands(amount) -> None:
    words = Words(seed_of("small"))
    for _ in range(amount(300, 5_000)):
        hand = rich_cards(words, words.below(10))
        assert deadwood(hand) == twin.deadwood(cards(hand)), hand_cards(hand)
    assert deadwood(0) == points(0) == 0 and arrangement(0) == []


@pytest.mark.parametrize("kind", [random_cards, rich_cards])
def test_an_arrangement_reaches_the_least(kind, amount) -> None:
    words = Words(seed_of(("arrangement", kind.__name__)))
    for _ in range(amount(2_000, 50_000)):
        hand = kind(words, 10 + words.below(2))
        rest = hand
        for meld in arrangement(hand):
            assert meld in MELDS and rest & meld == meld
            rest ^= meld
        assert points(rest) == deadwood(hand) == twin.points(cards(rest))


def test_the_best_discard(amount) -> None:
    words = Words(seed_of("discard"))
    for _ in range(amount(500, 10_000)):
        hand = rich_cards(words, 11)
        kept = BIT[words.choice(faces(hand))] if words.below(2) else 0
        left = {card: twin.deadwood(cards(hand ^ BIT[card])) for card in faces(hand & ~kept)}
        least, card = best_discard(hand, kept)
        assert least == min(left.values()) == left[hand_cards(card)[0]]


def declared(words: Words) -> list[int]:
    """Melds of a knocker: one to three that share no card."""
    melds: list[int] = []
    while len(melds) < 3 and not (melds and words.below(5) == 0):
        meld = words.choice(tuple(MELDS))
        taken = sum(melds)
        if not meld & taken and (meld | taken).bit_count() <= 10:
            melds.append(meld)
        elif taken.bit_count() > 7:
            break
    return melds


def test_lay_offs_equal_the_twin(amount) -> None:
    words = Words(seed_of("lay off"))
    better = 0
    for _ in range(amount(600, 20_000)):
        melds = declared(words)
        hand = rich_cards(words, 10, (1 << 52) - 1 - sum(melds))
        laid = lay_off(hand, melds)
        assert laid & ~hand == 0 and can_lay_off(laid, melds)
        left = deadwood(hand ^ laid)
        assert left == twin.after_laying_off(cards(hand), tuple(map(cards, melds)))
        better += left < deadwood(hand)
    assert better > 100


def test_what_can_be_laid_off_equals_the_twin(amount) -> None:
    words = Words(seed_of("can lay off"))
    both = set()
    for _ in range(amount(600, 20_000)):
        melds = declared(words)
        laid = rich_cards(words, 1 + words.below(3), (1 << 52) - 1 - sum(melds))
        possible = twin_can_lay_off(cards(laid), tuple(map(cards, melds)))
        assert can_lay_off(laid, melds) is possible
        both.add(possible)
    assert both == {True, False}


def twin_can_lay_off(laid: twin.Cards, melds: tuple[twin.Cards, ...]) -> bool:
    """Whether the cards can be added one by one, each to some meld."""
    return not laid or any(
        twin.is_meld(meld | {card})
        and twin_can_lay_off(laid - {card}, (*melds[:i], meld | {card}, *melds[i + 1 :]))
        for card in laid
        for i, meld in enumerate(melds)
    )


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("8h 9h Th Kc Kd Ks 2c 4d 6s 9c", ""),  # an own run that the knocker's would take as well
        ("2c 3c 4c 5c 8h 9h Th Kc Kd Ks", ""),  # nothing is left to lay off
        ("8h 9h 9c 9d 9s 2c 2d 4s 6s Kd", "8h"),  # the nine might follow; its own set keeps it
        ("8h 9h 9c 9d 2c 2d 4s 6s Kd Ac", "8h"),
        ("8h 9h 9c Td 2c 2d 4s 6s Kd Ac", "8h 9h"),
    ],
)
def test_equal_choices_lay_off_fewest(hand: str, laid: str) -> None:
    melds = [bits(["5h", "6h", "7h"])]
    assert " ".join(hand_cards(lay_off(bits(hand.split()), melds))) == laid


@pytest.mark.parametrize(
    ("meld", "clause", "why"),
    [
        ("7c 8c", "G3.1", "a meld has at least three cards"),
        ("", "G3.1", "a meld has at least three cards"),
        ("Qs Ks As", "G1.1", "an ace is low, it does not follow a king"),
        ("7c 8c Tc", "G3.1", "the ranks leave a gap; a run is consecutive"),
        ("7c 7d 8h", "G3.1", "a set is three or four cards of one rank"),
        ("7c 8c 9d", "G3.1", "a run is consecutive cards of one suit"),
        ("7c 7d 7c", "G1.1", "7c stands twice; a pack has it once"),
    ],
)
def test_what_is_no_meld(meld: str, clause: str, why: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        canonical_meld(tuple(meld.split()))
    assert caught.value.code == "not_a_meld" and caught.value.clause == clause
    assert caught.value.message == f"{meld or 'an empty meld'} is not a meld: {why}"
