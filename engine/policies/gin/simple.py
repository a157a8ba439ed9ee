"""Policies for the gin family: ``random``, ``faulty`` and ``simple``."""

from __future__ import annotations

from engine.events import Command, Fault, FaultReason, Resign
from engine.gin.deadwood import arrangement, best_discard, deadwood
from engine.gin.events import (
    Discard,
    DrawDiscard,
    DrawStock,
    Knock,
    RefuseUpcard,
    TakeUpcard,
)
from engine.gin.melds import BIT, CARD, MELDS, bits
from engine.gin.views import Observation
from engine.seeds import Words


def knock(hand: int, discard: int) -> Knock:
    """Return a knock by the melds that leave the least deadwood.

    :param discard: the card to discard, as a bit; 0 for big gin.
    """
    melds = tuple([MELDS[meld] for meld in arrangement(hand ^ discard)])
    return Knock(CARD[discard] if discard else None, melds)


def kept(observation: Observation) -> int:
    """Return the bit of the card that may not be discarded (G2.4), or 0."""
    return 0 if observation.taken is None else BIT[observation.taken]


class Random:
    """Chooses evenly among the open kinds of command, and among the cards to discard."""

    name = "random"
    summary = "plays a random kind of legal command"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return a random legal command."""
        may = observation.may
        if may.take_upcard:
            return words.choice((TakeUpcard(), RefuseUpcard()))
        if may.draw_stock:
            return words.choice((DrawStock(), DrawDiscard()))
        hand = bits(observation.hand)
        if may.big_gin and words.below(2):
            return knock(hand, 0)
        if may.knock and words.below(2):
            return knock(hand, best_discard(hand, kept(observation))[1])
        return Discard(words.choice([c for c in observation.hand if c != observation.taken]))


class Faulty(Random):
    """Plays like ``random`` with a fault now and then and a rare resignation (M10)."""

    name = "faulty"
    summary = "plays like random, but faults now and then and rarely resigns"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return a fault, a resignation or a random legal command."""
        chance = words.below(1000)
        if chance < 5:
            return Fault(words.choice(tuple(FaultReason)))
        if chance < 6:
            return Resign()
        return super().choose(observation, words)


class Simple:
    """Takes what it can meld at once, discards for the least deadwood, knocks when it may."""

    name = "simple"
    summary = "takes what it can meld, sheds the dearest card and knocks as soon as it may"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return the command that leaves the least deadwood now."""
        may, hand = observation.may, bits(observation.hand)
        if may.take_upcard or may.draw_stock:
            useful = deadwood(hand | BIT[observation.discards[-1]]) <= deadwood(hand)
            if may.take_upcard:
                return TakeUpcard() if useful else RefuseUpcard()
            return DrawDiscard() if useful else DrawStock()
        if may.big_gin:
            return knock(hand, 0)
        _, discard = best_discard(hand, kept(observation))
        return knock(hand, discard) if may.knock else Discard(CARD[discard])
