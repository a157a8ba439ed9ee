"""Policies for Manipulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.cards import Card
from engine.events import Command, Fault, FaultReason, Resign
from engine.manipulation.events import Draw, Meld, Pass
from engine.manipulation.rules import MOST_POINTS, hand_points
from engine.manipulation.views import Observation
from engine.seeds import Words
from engine.solver import Solution, solve


def may_knock(observation: Observation, hand: Sequence[Card]) -> bool:
    """Say whether the turn may end in a knock with this hand left (M7.2, M7.3)."""
    limit = observation.may.knock_limit
    return limit is not None and len(hand) > 0 and hand_points(hand) <= limit


def left_over(hand: Sequence[Card], played: Sequence[Card]) -> tuple[Card, ...]:
    """Return the hand without the cards played."""
    left = list(hand)
    for card in played:
        left.remove(card)
    return tuple(left)


class Random:
    """Chooses evenly among the open kinds of command; melds by random card weights.

    It wants each card of its hand out or not, by a coin: weights of 1 for all would make it lay
    all it can, which is hard to beat.
    """

    name = "random"
    summary = "plays a random kind of legal command"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return a random legal command."""
        hand, may = observation.hand, observation.may
        open_: list[Callable[[], Command]] = []
        if may.draw:
            open_.append(Draw)
        if may.pass_:
            knock = may_knock(observation, hand) and words.below(2) == 1
            open_.append(lambda: Pass(knock))
        if may.meld:
            wanted = {card: words.below(2) for card in dict.fromkeys(hand)}
            found = solve(observation.tableau, hand, wanted)
            if not found.played:
                found = solve(observation.tableau, hand, dict.fromkeys(hand, 1))
            if found.played:
                open_.append(lambda: self._meld(observation, found, words))
        return words.choice(open_)()

    @staticmethod
    def _meld(observation: Observation, found: Solution, words: Words) -> Command:
        left = left_over(observation.hand, found.played)
        return Meld(found.tableau, may_knock(observation, left) and words.below(2) == 1)


class Greedy:
    """Lays the most points it can now, and knocks when it may."""

    name = "greedy"
    summary = "lays the most points at once and knocks when it may"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return the command with the most points from the hand now."""
        hand, may = observation.hand, observation.may
        if may.meld:
            found = solve(observation.tableau, hand, MOST_POINTS)
            if found.played:
                left = left_over(hand, found.played)
                return Meld(found.tableau, may_knock(observation, left))
        if may.draw:
            return Draw()
        return Pass(may_knock(observation, hand))


class Faulty(Random):
    """Plays like ``random`` with a fault now and then and a rare resignation (M10)."""

    name = "faulty"
    summary = "plays like random, but faults now and then and rarely resigns"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return a fault, a resignation or a random legal command."""
        chance = words.below(1000)
        if chance < 20:
            return Fault(words.choice(tuple(FaultReason)))
        if chance < 22:
            return Resign()
        return super().choose(observation, words)
