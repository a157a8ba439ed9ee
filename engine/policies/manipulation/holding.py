"""Policies that hold their cards back to lay them all at once.

Cards in hand help nobody else, while every card on the tableau helps whoever moves next. Against
seats that lay what they can at once it pays to draw until one play ends the deal.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import JOKER, Card
from engine.events import Command, Status
from engine.manipulation.events import Draw, Meld, Pass
from engine.manipulation.rules import MOST_POINTS, hand_points
from engine.manipulation.views import Observation
from engine.policies.manipulation.simple import left_over, may_knock
from engine.seeds import Words
from engine.solver import solve

SHORT = 3
"""Cards in somebody's hand from which on the end of the deal is near."""


def finishing(observation: Observation) -> Meld | None:
    """Return the best play that goes out or brings the hand under the knock limit, if any."""
    limit = observation.may.knock_limit or 0
    enough = max(hand_points(observation.hand) - limit, 0)
    return most(observation, observation.hand, above=64 * enough)


def most(observation: Observation, cards: Sequence[Card], above: int = 0) -> Meld | None:
    """Return the play of the most points from some cards of the hand, with a knock if it may be.

    :param above: what it must exceed, weighed by ``MOST_POINTS``.
    """
    found = solve(observation.tableau, cards, MOST_POINTS, above)
    if not found.played:
        return None
    left = left_over(observation.hand, found.played)
    return Meld(found.tableau, knock=may_knock(observation, left))


class Knocker:
    """Draws and lays nothing until one play brings the hand under the knock limit.

    Where it can draw no more, in the final lap, it lays the most points.
    """

    name = "knocker"
    summary = "lays nothing until it can knock or go out, then everything at once"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return the play that ends the deal, or hold on to all cards."""
        may = observation.may
        if may.meld:
            play = finishing(observation) if may.draw else most(observation, observation.hand)
            if play:
                return play
        return Draw() if may.draw else Pass(may_knock(observation, observation.hand))


class Careful:
    """Holds its cards back like ``knocker``, until somebody else may soon end the deal.

    From then on it lays what it can, so as not to be caught with it; but a joker only if the play
    ends the deal or comes in the last lap.
    """

    name = "careful"
    summary = "holds its cards back until somebody's hand is short, jokers until the end"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return the play that ends the deal, a play in time, or hold on to all cards."""
        may, hand = observation.may, observation.hand
        if may.meld:
            play = finishing(observation) if may.draw else most(observation, hand)
            if play is None and end_is_near(observation):
                play = most(observation, [card for card in hand if card != JOKER])
            if play:
                return play
        return Draw() if may.draw else Pass(may_knock(observation, hand))


def end_is_near(observation: Observation) -> bool:
    """Say whether somebody else who still plays holds few cards."""
    return any(
        view.cards <= SHORT
        for seat, view in enumerate(observation.seats)
        if seat != observation.you and view.status is Status.PLAYING
    )
