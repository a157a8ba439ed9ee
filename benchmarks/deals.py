"""Deals of four greedy seats through the public engine, events and all (P6).

The very same deals are played again with HiGHS asked in the solver's place at every decision.
HiGHS only has to find the value; the play that the solver found for it is then laid, so that
turns, events and bookkeeping are the same. With the solver no deal is played twice: what it knows
of a position it has learned from other positions, as in a tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from sys import modules
from typing import Any
from unittest.mock import patch

from benchmarks.measure import Effort, Result, clock, spread, undisturbed
from benchmarks.peers import PeerMissing, import_highs
from engine.cards import Card, Tableau
from engine.game import Game
from engine.play import play_out
from engine.policies.manipulation import Greedy
from engine.solver import Solution, solve

SEATS = 4
DEALS = 60
WARM_UP = 20

Solve = Callable[[Tableau, Sequence[Card], Mapping[Card, int]], Solution]
BestValue = Callable[[Tableau, Sequence[Card], Mapping[Card, int]], int]


@dataclass(slots=True)
class Deal:
    """What a deal took."""

    seconds: float = 0.0
    solving: float = 0.0
    """Seconds in the solver."""
    turns: int = 0
    events: int = 0
    found: list[Solution] = field(default_factory=list)
    """What the solver found, decision by decision."""


def run(effort: Effort) -> list[Result]:
    """Play the deals with each."""
    result = Result(f"Deals of {SEATS} greedy seats")
    peers: dict[str, Any] = {}
    try:
        highs = import_highs()
        peers = {name: highs.Highs(2, name) for name in (highs.PLAIN, highs.TUNED)}
    except PeerMissing as error:
        result.missing.append(str(error))
    own: list[Deal] = []
    others: dict[str, list[Deal]] = {name: [] for name in peers}
    with undisturbed():
        for number in range(effort.count(WARM_UP)):
            play(f"warm-up {number}", solve)
        for number in range(effort.count(DEALS)):
            deal = play(f"deal {number}", solve)
            own.append(deal)
            for name, peer in peers.items():
                script = _script(deal, peer.best_value, result)
                others[name].append(play(f"deal {number}", script))
        alone = [play(f"deal {number}", _given(deal)) for number, deal in enumerate(own)]
    describe(result, own)
    result.figure(
        "deals.alone",
        1e6 * sum(deal.seconds - deal.solving for deal in alone) / sum(d.turns for d in alone),
        "µs of bookkeeping a turn with the solver's answers given",
    )
    result.spreads = [spread("meldboard", [deal.seconds for deal in own])]
    result.spreads += [spread(name, [d.seconds for d in deals]) for name, deals in others.items()]
    for name, deals in others.items():
        again = peers[name].asked_again
        if again:
            result.figure(
                "deals.again", again, f"decisions on which {name} failed and was asked again"
            )
        key = "deals.tuned" if name == highs.TUNED else "deals.faster"
        times = sum(deal.seconds for deal in deals) / sum(deal.seconds for deal in own)
        result.figure(key, times, f"times as many deals a second as with {name}")
    return [result]


def describe(result: Result, deals: Sequence[Deal]) -> None:
    """Add what the deals with the solver came to."""
    seconds = sum(deal.seconds for deal in deals)
    solving = sum(deal.solving for deal in deals)
    solves = sum(len(deal.found) for deal in deals)
    turns = sum(deal.turns for deal in deals)
    events = sum(deal.events for deal in deals)
    result.figure("deals.rate", len(deals) / seconds, "deals a second")
    result.figure("deals.solves", solves / len(deals), "solves a deal")
    result.figure("deals.solving", 100 * solving / seconds, "% of the time in the solver")
    result.figure("deals.solve", 1e6 * solving / solves, "µs a solve")
    result.figure("deals.turn", 1e6 * (seconds - solving) / turns, "µs of bookkeeping a turn")
    result.figure("deals.event", 1e6 * (seconds - solving) / events, "µs of bookkeeping an event")


def play(name: str, solver: Solve) -> Deal:
    """Play the deal of a name with a solver in the place of the engine's."""
    deal = Deal()

    def timed(tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int]) -> Solution:
        began = clock()
        found = solver(tableau, hand, weights)
        deal.solving += clock() - began
        deal.found.append(found)
        return found

    seed = sha256(name.encode()).digest()
    players = [f"greedy#{seat}" for seat in range(SEATS)]
    rules = {"length": "deals", "deals": 1}
    with patch.object(modules[Greedy.__module__], "solve", timed):
        began = clock()
        game = Game.start("manipulation", players, seed=seed, rules=rules)
        play_out(game, [Greedy()] * SEATS)
        deal.seconds = clock() - began
    deal.turns, deal.events = game.state.turns, len(game.entries)
    return deal


def _given(deal: Deal) -> Solve:
    """Return a solver that answers at once what was found in a deal played before."""
    found = iter(deal.found)
    return lambda tableau, hand, weights: next(found)


def _script(deal: Deal, best_value: BestValue, result: Result) -> Solve:
    """Return a solver that finds the value itself and takes the play from a deal played before."""
    script = iter(deal.found)

    def found(tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int]) -> Solution:
        value = best_value(tableau, hand, weights)
        solution = next(script)
        if value != solution.value:
            result.differences.append(f"{tableau} {hand}: {solution.value}, HiGHS {value}")
        return solution

    return found
