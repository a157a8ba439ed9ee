"""What a discard left in deadwood against the least that it could have left.

Only the mover's own hand is looked at, which the mover saw; keeping cards that may grow can be
sound, so a verdict says what was possible, not what was right.
"""

from __future__ import annotations

from engine.events import Command, Event
from engine.gin.deadwood import arrangement, best_discard, deadwood, points
from engine.gin.events import Discard, Discarded, Knock, Knocked
from engine.gin.melds import BIT, CARD, MELDS, bits
from engine.gin.state import State
from engine.variant import Verdict

MISTAKES = (6, 10, 20)
"""Points of deadwood too many to be an inaccuracy, a mistake, a blunder."""


def verdict(before: State, event: Event) -> Verdict | None:
    """Return the deadwood that a discard or a knock left and the least that one could have left.

    None for what is neither, for a fault's default (G8.1), and where the hand is not known.
    """
    deal = before.deal
    if deal is None or not isinstance(event, Discarded | Knocked):
        return None
    if deal.defaulting or deal.hidden[event.seat]:
        return None
    hand = deal.hands[event.seat]
    least, discard = best_discard(hand, deal.kept)
    better: Command = Discard(CARD[discard])
    if isinstance(event, Discarded):
        left = deadwood(hand ^ BIT[event.card])
    else:
        left = points(bits(event.deadwood))
        better = Knock(CARD[discard], tuple([MELDS[meld] for meld in arrangement(hand ^ discard)]))
    best = min(least, left)  # big gin needs no discard
    command = better if left > best else None
    return Verdict(played=left, best=best, missed=left - best, command=command)
