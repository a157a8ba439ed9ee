"""What a decision got against the most that the mover could have laid at once.

Only the mover's own hand and the tableau are looked at, which the mover saw; holding cards back
can be sound, so a verdict says what was possible, not what was right.
"""

from __future__ import annotations

from engine.cards import HIDDEN
from engine.events import Event
from engine.manipulation.events import Drew, Meld, Melded, Passed
from engine.manipulation.judge import may
from engine.manipulation.phase import change
from engine.manipulation.rules import MOST_CARDS, MOST_POINTS, hand_points
from engine.manipulation.state import State
from engine.solver import solve
from engine.variant import Verdict

MISTAKES = (5, 12, 18)
"""Points that a turn must leave unlaid to be an inaccuracy, a mistake, a blunder."""


def verdict(before: State, event: Event) -> Verdict | None:
    """Return the points that a decision laid from the hand and the most that it could have laid.

    None for what is no decision of a seat that might have melded: after a third card (M3.5), a
    fault's default (M10.1), a forfeit; and where the hand is not known.
    """
    if before.deal is None or not isinstance(event, Drew | Melded | Passed):
        return None
    deal = before.deal
    hand = deal.hands[event.seat]
    if deal.defaulting or HIDDEN in hand or not may(before, event.seat).meld:
        return None
    laid = change(deal.tableau, event.tableau).played if isinstance(event, Melded) else ()
    most = solve(deal.tableau, hand, MOST_POINTS)
    played, best = hand_points(laid), hand_points(most.played)
    return Verdict(
        played=played,
        best=best,
        missed=best - played,
        command=Meld(most.tableau) if best > played else None,
        cards=len(laid),
        most_cards=len(solve(deal.tableau, hand, MOST_CARDS).played),
    )
