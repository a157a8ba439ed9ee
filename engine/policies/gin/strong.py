"""The policy ``strong`` for the gin family: it counts what it has seen and weighs a knock.

It knows which cards are still unseen and which ones everybody saw the opponent take. A card is kept
for the deadwood that it saves and for the unseen cards that would go with it, and is not given to
an opponent who seems to want it. Before a knock it imagines hands that the opponent may hold and
compares knocking now with playing on for a turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.events import Command
from engine.gin.deadwood import arrangement, best_discard, deadwood, lay_off
from engine.gin.events import Discard, DrawDiscard, DrawStock, Gin, RefuseUpcard, TakeUpcard
from engine.gin.melds import BIT, CARD, MELDS, bits
from engine.gin.scoring import score_deal
from engine.gin.state import HAND_SIZE
from engine.gin.views import Observation
from engine.policies.gin.simple import kept, knock
from engine.seeds import Words

PROMISE = 4.0
"""How often an unseen card will come, for each that is unseen; found by play against ``simple``."""

DANGER = 6.0
"""What it costs to discard a card that makes one meld for the opponent; found likewise."""

SAMPLES = 40
"""Hands imagined before a knock."""

PATIENCE = 4.0
"""Points that playing on must promise more; the opponents imagined take no discards."""

_PACK = (1 << 52) - 1
_STOCK = 31
"""Cards of the stock at the start of a deal (G1.4)."""


class Strong:
    """Keeps what can still grow, feeds nobody, and knocks when waiting is worth less."""

    name = "strong"
    summary = "counts the cards it has seen and weighs a knock against gin and an undercut"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return the command that promises most."""
        may, hand = observation.may, bits(observation.hand)
        if may.take_upcard or may.draw_stock:
            wanted = _is_wanted(observation, hand)
            if may.take_upcard:
                return TakeUpcard() if wanted else RefuseUpcard()
            return DrawDiscard() if wanted else DrawStock()
        if may.big_gin:
            return knock(hand, 0)
        theirs = _theirs(observation)
        unseen = _PACK & ~(hand | theirs | bits(observation.discards))
        if may.knock:
            left, discard = best_discard(hand, kept(observation))
            if left == 0 or _pays(
                observation, hand ^ discard, _imagined(observation, unseen, words)
            ):
                return knock(hand, discard)
        return Discard(CARD[_discard(observation, hand, theirs, unseen)])


def _is_wanted(observation: Observation, hand: int) -> bool:
    """Say whether the open card goes into a meld, or lets the seat knock."""
    card = BIT[observation.discards[-1]]
    if deadwood(hand | card) <= deadwood(hand):
        return True
    return best_discard(hand | card, card)[0] <= (observation.limit or 0)


def _discard(observation: Observation, hand: int, theirs: int, unseen: int) -> int:
    """Return the card whose loss costs least: in deadwood, in promise and in danger."""
    hidden = HAND_SIZE - theirs.bit_count()
    chance = hidden / unseen.bit_count()
    worth = {}
    for card in _each(hand & ~kept(observation)):
        rest = hand ^ card
        left = deadwood(rest)
        promise = sum([max(0, left - deadwood(rest | other)) for other in _each(unseen)])
        worth[card] = (
            PROMISE * promise / unseen.bit_count()
            - left
            - DANGER * _melds_for(card, theirs, unseen, chance)
        )
    return max(worth, key=worth.__getitem__)


def _melds_for(card: int, theirs: int, unseen: int, chance: float) -> float:
    """Return about how many melds the opponent can make with a card.

    :param chance: that the opponent holds a card that is unseen.
    """
    melds = 0.0
    for pair in _PARTNERS[card]:
        if pair & ~(theirs | unseen) == 0:
            melds += chance ** (pair & unseen).bit_count()
    return melds


def _imagined(
    observation: Observation, unseen: int, words: Words
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield hands that the opponent may hold, each with the next two cards of the stock.

    The longer the deal, the more cards it has chosen from; a hand that could have knocked would
    have done so.
    """
    theirs, limit = _theirs(observation), observation.limit or 0
    chosen_from = min(6, (_STOCK - observation.stock) * 4 // 5)
    cards = list(_each(unseen))
    count = min(len(cards), 2 + HAND_SIZE - theirs.bit_count() + chosen_from)
    for _ in range(SAMPLES):
        for i in range(count):
            j = i + words.below(len(cards) - i)
            cards[i], cards[j] = cards[j], cards[i]
        hand = theirs | sum(cards[2:count])
        while hand.bit_count() > HAND_SIZE:
            hand ^= best_discard(hand, theirs)[1]
        if deadwood(hand) > limit:
            yield hand, cards[:2]


def _pays(
    observation: Observation, hand: int, imagined: Iterator[tuple[int, Sequence[int]]]
) -> bool:
    """Say whether a knock with a hand scores more than playing on for a turn, on the average."""
    gain = 0.0
    for theirs, stock in imagined:
        gain += _knocked(observation, hand, theirs) + PATIENCE
        gain -= _played_on(observation, hand, theirs, stock)
    return gain >= 0


def _knocked(observation: Observation, hand: int, other: int) -> int:
    """Return what a knock scores against a hand, boxes too; below 0 for an undercut."""
    rules, left = observation.rules, deadwood(hand)
    laid = lay_off(other, arrangement(hand)) if left else 0
    gin = Gin.NONE if left else Gin.GIN
    score = score_deal(left, deadwood(other ^ laid), gin, rules, observation.upcard)
    worth = score.score + rules.boxes(score.ending) * rules.box_bonus
    return worth if score.knocker_wins else -worth


def _played_on(observation: Observation, hand: int, theirs: int, stock: Sequence[int]) -> int:
    """Return what comes of waiting: the opponent draws and may knock, then the seat knocks."""
    theirs |= stock[0]
    left, discard = best_discard(theirs)
    theirs ^= discard
    if left <= (observation.limit or 0):
        return -_knocked(observation, theirs, hand)
    hand |= stock[1]
    return _knocked(observation, hand ^ best_discard(hand)[1], theirs)


def _theirs(observation: Observation) -> int:
    """Return the cards that everybody saw the opponent take and that it still holds."""
    return bits(observation.seats[1 - (observation.you or 0)].seen)


def _each(cards: int) -> Iterator[int]:
    while cards:
        card = cards & -cards
        cards ^= card
        yield card


def _partners() -> dict[int, tuple[int, ...]]:
    """Return for each card the pairs that make a meld of three with it."""
    threes = [meld for meld in MELDS if meld.bit_count() == 3]
    return {card: tuple([meld ^ card for meld in threes if meld & card]) for card in CARD}


_PARTNERS = _partners()
