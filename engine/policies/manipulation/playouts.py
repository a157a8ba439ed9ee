"""Playouts: a guessed deal played to its end by simple models of the seats, for an estimate.

Turns, draws, knocks, the final lap and the scores are those of the rules; the seats are simple.
They lay what is easily laid (:meth:`Table.lay`) and ask the solver only about what is left of their
hands, so that a playout costs about what a few turns of ``greedy`` cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.manipulation.rules import MAX_DRAWS, MOST_POINTS
from engine.manipulation.scoring import DealScore, score_deal
from engine.manipulation.state import State
from engine.policies.manipulation.table import (
    CELL_OF,
    FACE_OF,
    WILD,
    Cell,
    Table,
    points,
    without,
)
from engine.solver import solve

LIKELY: Final = 10
"""Most cards left with which a seat that holds back asks the solver; a joker counts as four."""

FEW: Final = 2
"""Cards left with which a seat that lays what it can asks for plays with jokers, too."""


class Playout:
    """A deal on its way to the end, from a state after a command of the seat that guessed it."""

    def __init__(self, state: State, holding: Sequence[bool]) -> None:
        """Take over a deal that is not over.

        :param state: with its deck known.
        :param holding: by seat, whether it lays nothing until one play ends the deal (a model of
            ``knocker``) or whatever it can (a model of ``greedy``).
        """
        deal = state.deal
        assert deal is not None and deal.deck is not None and deal.turn is not None  # noqa: S101
        self.rules = state.rules
        self.holding = holding
        self.live = state.live
        self.turn = deal.turn
        self.draws = deal.draws
        self.lap = deal.lap
        self.table = Table.of(deal.tableau)
        self.hands = [[CELL_OF[card] for card in hand] for hand in deal.hands]
        cards = deal.deck[len(deal.deck) - deal.pile :]
        self.pile = [CELL_OF[card] for card in reversed(cards)]

    def run(self) -> DealScore:
        """Play to the end and return the scores of the deal (M3, M7, M8)."""
        while True:
            seat = self.turn
            may_knock = self.lap is None or self.rules.final_lap_knock
            self._take_turn(seat, self.rules.knock_limit if may_knock else 0)
            hand = self.hands[seat]
            if not hand:
                return self._score(out=seat)
            if may_knock and points(hand) <= self.rules.knock_limit:
                return self._score(knocker=seat)
            if self.lap is not None:
                self.lap = self.lap[1:]
            elif not self.pile:
                place = self.live.index(seat) + 1
                self.lap = self.live[place:] + self.live[:place]
            if self.lap == ():
                return self._score()
            if self.lap:
                self.turn = self.lap[0]
            else:
                self.turn = self.live[(self.live.index(seat) + 1) % len(self.live)]
                self._draw()

    def _score(self, knocker: int | None = None, out: int | None = None) -> DealScore:
        held = [points(hand) if seat in self.live else None for seat, hand in enumerate(self.hands)]
        return score_deal(held, self.rules, knocker=knocker, out=out)

    def _take_turn(self, seat: int, limit: int) -> None:
        """Play the rest of a turn, which ends the deal with ``limit`` points or fewer left."""
        while self.draws < MAX_DRAWS:
            drawing = self.lap is None and bool(self.pile)
            if self._meld(seat, limit, self.holding[seat] and drawing) or not drawing:
                break
            self._draw()
        self.draws = 0

    def _draw(self) -> None:
        self.hands[self.turn].append(self.pile.pop())
        self.draws += 1

    def _meld(self, seat: int, limit: int, holding: bool) -> bool:
        """Lay cards, with ``holding`` only if that ends the deal; say whether any were laid."""
        hand = self.hands[seat]
        naturals = [cell for cell in hand if cell != WILD]
        jokers = [WILD] * (len(hand) - len(naturals))
        table = self.table.copy()
        left = table.lay(naturals)
        if holding:
            if points(left) > limit:
                if len(left) + 4 * len(jokers) > LIKELY:
                    return False
                left += jokers
                table, left = _ask(table, left, above=points(left) - limit, jokers=True)
                if points(left) > limit:
                    return False
                jokers = []
        elif left and self.pile:  # without a pile the tableau is large and searching it dear
            few = len(left) <= FEW
            table, left = _ask(table, left + jokers * few, above=0, jokers=few)
            if few:
                jokers = [cell for cell in left if cell == WILD]
                left = without(left, jokers)
        left += [WILD] * table.add_jokers(len(jokers))
        if len(left) == len(hand):
            return False
        self.table, self.hands[seat] = table, left
        return True


def _ask(table: Table, cards: list[Cell], *, above: int, jokers: bool) -> tuple[Table, list[Cell]]:
    """Lay as many points as the solver can, if not fewer than ``above``; return what is left.

    :param jokers: whether the jokers on the table may move, which costs the solver more.
    """
    faces = [FACE_OF[cell] for cell in cards]
    found = solve(table.tableau(jokers=jokers), faces, MOST_POINTS, above=64 * above)
    if not found.played:
        return table, cards
    new = Table.of(found.tableau)
    if not jokers:
        new.names += table.names
    return new, without(cards, [CELL_OF[card] for card in found.played])
