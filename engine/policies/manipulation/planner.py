"""A policy that tries its moves out in playouts of guessed deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from engine.cards import FACES, JOKER, Card
from engine.events import Command
from engine.manipulation.events import DealEnded, Draw, Meld, Pass
from engine.manipulation.guess import determinize
from engine.manipulation.judge import decide
from engine.manipulation.state import State, apply
from engine.manipulation.views import Observation
from engine.policies.manipulation.holding import Knocker, most
from engine.policies.manipulation.playouts import Playout
from engine.policies.manipulation.table import CELL_OF, Table
from engine.seeds import Words

PLAYOUTS = 24
"""Playouts that a decision may take."""

ROUNDS = 4
"""Guesses that an alternative is tried in before it may be given up."""

SURE = 2.0
"""Standard errors by which an alternative must seem better than what ``knocker`` would do."""


class Planner:
    """Does what ``knocker`` would do, unless playouts speak clearly for something else.

    The unseen cards are guessed again and again, and each time all alternatives are tried in the
    same guess: laying the most points but for jokers, holding on, knocking or not. An alternative
    counts by the points that it wins or loses against the mean of the other seats. Seats with more
    cards than they were dealt are taken to hold cards back; the others to lay what they can, so
    that they are guessed to hold no card that would fit on the tableau.
    """

    name = "planner"
    summary = "tries its moves out in playouts of deals that fit what it sees"

    def choose(self, observation: Observation, words: Words) -> Command:
        """Return the command that does best in playouts."""
        commands = alternatives(observation, Knocker().choose(observation, words))
        rounds = PLAYOUTS // len(commands)
        if len(commands) == 1:
            return commands[0]
        holding = [view.cards > observation.rules.hand_size for view in observation.seats]
        lacking = _lacking(observation, holding)
        gains: dict[int, list[int]] = {number: [] for number in range(1, len(commands))}
        for done in range(rounds):
            state = determinize(observation, words, lacking)
            usual = worth(state, commands[0], holding)
            for number, found in gains.items():
                found.append(worth(state, commands[number], holding) - usual)
            if done + 1 >= ROUNDS:
                gains = {number: found for number, found in gains.items() if sum(found) > 0}
                if not gains:
                    return commands[0]
        best = max(gains, key=lambda number: sum(gains[number]))
        return commands[best if _is_sure(gains[best]) else 0]


def alternatives(observation: Observation, usual: Command) -> list[Command]:
    """Return the commands worth a trial, the usual one first; only that if it goes out."""
    may = observation.may
    commands = [usual]
    if isinstance(usual, Meld):
        if _laid(observation, usual) == len(observation.hand):
            return commands
        if usual.knock:
            commands.append(Meld(usual.tableau, knock=False))
    elif may.meld:
        naturals = [card for card in observation.hand if card != JOKER]
        play = most(observation, naturals)
        if play:
            commands.append(play)
    if may.draw:
        commands.append(Draw())
    if may.pass_:
        commands.append(Pass(knock=False))
    return list(dict.fromkeys(commands))


def worth(state: State, command: Command, holding: Sequence[bool]) -> int:
    """Return what a command wins in one playout: own score over the others' mean, times them."""
    you = state.turn
    assert you is not None  # noqa: S101  (guessed for the seat on turn)
    scores = None
    for event in decide(state, you, command):
        if isinstance(event, DealEnded):
            scores = event.scores
            break
        state = apply(state, event)
    if scores is None:
        models = [holds or seat == you for seat, holds in enumerate(holding)]
        scores = Playout(state, models).run().scores
    return len(scores) * scores[you] - sum(scores)


def _laid(observation: Observation, play: Meld) -> int:
    return sum(map(len, play.tableau)) - sum(map(len, observation.tableau))


def _lacking(observation: Observation, holding: Sequence[bool]) -> Mapping[int, frozenset[Card]]:
    """Return for each seat that lays what it can the cards that it would have laid."""
    if not observation.tableau:
        return {}
    table = Table.of(observation.tableau)
    fitting = frozenset([face for face in FACES if table.copy().add(CELL_OF[face])])
    return {seat: fitting | {JOKER} for seat, holds in enumerate(holding) if not holds}


def _is_sure(gains: Sequence[int]) -> bool:
    """Say whether the mean of some gains is clearly above nothing."""
    count, total = len(gains), sum(gains)
    squares = sum([gain * gain for gain in gains])
    spread = max(squares - total * total / count, 0.0)
    return total > SURE * sqrt(spread * count / (count - 1))
