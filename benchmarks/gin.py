"""Gin against OpenSpiel and RLCard: the least deadwood (P4), random deals (P5).

Hands are asked many at a time, as one answer takes less than a look at the clock. Each engine gets
them in its own form: bits here, numbers in OpenSpiel, objects in RLCard. A game of theirs is one
deal; it is played by legal actions chosen evenly, a knock being one of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from benchmarks.measure import Effort, Race, Result, race, times_faster
from benchmarks.peers import PeerMissing, import_peer
from engine.cards import FACES
from engine.game import Game
from engine.gin.deadwood import best_discard, deadwood
from engine.gin.events import Discard, DrawDiscard, DrawStock, RefuseUpcard, TakeUpcard
from engine.gin.melds import MELDS, bits, faces
from engine.gin.state import HAND_SIZE
from engine.policies.gin.simple import knock

OWN, WRITTEN, SPIEL, RLCARD = "meldboard", "meldboard, record written", "OpenSpiel", "RLCard"

HANDS = 5_000
"""Hands of each kind; the answers to all are compared."""
BATCH = 500
DEALS = 60

_T = TypeVar("_T")


def run(effort: Effort) -> list[Result]:
    """Measure deadwood on both kinds of hands, then deals."""
    return [
        _deadwood("random", "random hands", random_hand, effort),
        _deadwood("rich", "hands rich in melds", rich_hand, effort),
        _deals(effort),
    ]


def _deadwood(
    kind: str, words: str, deal: Callable[[random.Random], int], effort: Effort
) -> Result:
    result = Result(f"Gin, deadwood of {BATCH} {words}")
    chance = random.Random(kind)
    asked = [[deal(chance) for _ in range(BATCH)] for _ in range(effort.count(HANDS // BATCH))]
    makers = {OWN: own_deadwood, SPIEL: spiel_deadwood, RLCARD: rlcard_deadwood}
    engines = {name: solver.asked(asked) for name, solver in _there(result, makers).items()}
    run = race(engines, range(len(asked)), effort.repeats)
    result.spreads = run.spreads()
    for name in engines:
        rate = BATCH * len(asked) / sum(run.medians(name))
        result.figure(f"gin.{kind}.{name}", rate, f"hands a second by {name}")
    for key, peer in (("spiel", SPIEL), ("rlcard", RLCARD)):
        if peer in run.seconds:
            times = times_faster(run.medians(OWN), run.medians(peer))
            result.figure(f"gin.{kind}.{key}", times, f"times faster than {peer}")
            _compare(result, asked, run, peer)
    return result


def _compare(result: Result, asked: Sequence[Sequence[int]], run: Race, peer: str) -> None:
    for hands, own, other in zip(asked, run.answers[OWN], run.answers[peer], strict=True):
        for hand, here, there in zip(hands, own, other, strict=True):
            if here != there:
                result.differences.append(f"{' '.join(faces(hand))}: {here}, {peer} {there}")


def _deals(effort: Effort) -> Result:
    result = Result("Gin, deals of two random seats")
    makers = {OWN: own_deal, WRITTEN: written_deal, SPIEL: spiel_deal, RLCARD: rlcard_deal}
    numbers = range(effort.count(DEALS))
    run = race(_there(result, makers), numbers, effort.repeats)
    result.spreads = run.spreads()
    rates = {name: len(numbers) / sum(run.medians(name)) for name in run.seconds}
    for name, rate in rates.items():
        moves = sum(run.answers[name]) / len(numbers)
        result.figure(
            f"gin.deals.{name}", rate, f"deals a second by {name}, {moves:.0f} moves each"
        )
    for key, peer in (("spiel", SPIEL), ("rlcard", RLCARD)):
        if peer in rates:
            times = rates[OWN] / rates[peer]
            result.figure(f"gin.deals.{key}", times, f"times as many deals a second as {peer}")
    return result


def _there(result: Result, makers: Mapping[str, Callable[[], _T]]) -> dict[str, _T]:
    """Return the engines that can be measured here."""
    engines = {}
    for name, make in makers.items():
        try:
            engines[name] = make()
        except PeerMissing as error:
            result.missing.append(str(error))
    return engines


class Solver(NamedTuple):
    """Who finds the least deadwood, and the form in which it takes a hand."""

    form: Callable[[int], Any]
    least: Callable[[Any], int]

    def asked(self, batches: Sequence[Sequence[int]]) -> Callable[[int], list[int]]:
        """Return what answers a batch by its number; all hands are brought into form before."""
        forms, least = [list(map(self.form, hands)) for hands in batches], self.least
        return lambda number: [least(hand) for hand in forms[number]]


def random_hand(chance: random.Random) -> int:
    """Return ten cards of the pack."""
    return bits(chance.sample(FACES, HAND_SIZE))


def rich_hand(chance: random.Random) -> int:
    """Return ten cards of a few melds, which overlap."""
    wanted: set[str] = set()
    while len(wanted) < HAND_SIZE + 2:
        wanted.update(chance.choice(_MELDS))
    return bits(chance.sample(sorted(wanted), HAND_SIZE))


_MELDS = tuple(MELDS.values())


def own_deadwood() -> Solver:
    """Return our own."""
    return Solver(lambda hand: hand, deadwood)


def spiel_deadwood() -> Solver:
    """Return OpenSpiel's.

    :raises PeerMissing: when it is not installed.
    """
    utils = import_peer("open-spiel", "pyspiel").gin_rummy.GinRummyUtils(13, 4, HAND_SIZE)
    return Solver(lambda hand: list(map(utils.card_int, faces(hand))), utils.min_deadwood)


def rlcard_deadwood() -> Solver:
    """Return RLCard's.

    :raises PeerMissing: when it is not installed.
    """
    melding = import_peer("rlcard", "rlcard.games.gin_rummy.utils.melding")
    utils = import_peer("rlcard", "rlcard.games.gin_rummy.utils.utils")

    def least(hand: list[Any]) -> int:
        melds = melding.get_best_meld_clusters(hand)
        count: int = utils.get_deadwood_count(hand, melds[0] if melds else [])
        return count

    return Solver(lambda hand: [utils.card_from_text(c.upper()) for c in faces(hand)], least)


def own_deal() -> Callable[[int], int]:
    """Return how we play the deal of a number; the answer is the number of moves."""
    return lambda number: play(number)[1]


def written_deal() -> Callable[[int], int]:
    """Return the same with every line of the record written and hashed."""

    def played(number: int) -> int:
        game, moves = play(number)
        assert game.record()  # noqa: S101  (asked for, so written)
        return moves

    return played


def play(number: int) -> tuple[Game, int]:
    """Play a deal at random and return the game in which it ended, and the number of moves."""
    chance = random.Random(number)
    game = Game.start("gin", ["a", "b"], seed=sha256(b"%d" % number).digest())
    moves = 0
    while game.state.deal_number == 1:
        moves += 1
        game.push(_random_command(game, chance))
    return game, moves


def _random_command(game: Game, chance: random.Random) -> Any:
    may = game.may()
    if may.discard:
        deal = game.state.deal
        hand = deal.hands[deal.turn]
        cards = faces(hand & ~deal.kept)
        chosen = chance.randrange(len(cards) + may.knock)
        if chosen == len(cards):
            return knock(hand, best_discard(hand, deal.kept)[1])
        return Discard(cards[chosen])
    return chance.choice(_UPCARD if may.take_upcard else _DRAWS)


_UPCARD = (TakeUpcard(), RefuseUpcard())
_DRAWS = (DrawStock(), DrawDiscard())


def spiel_deal() -> Callable[[int], int]:
    """Return how a loop in Python plays a game of OpenSpiel.

    :raises PeerMissing: when it is not installed.
    """
    rules = import_peer("open-spiel", "pyspiel").load_game("gin_rummy")

    def played(number: int) -> int:
        chance = random.Random(number)
        state, moves = rules.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                moves += 1
        return moves

    return played


def rlcard_deal() -> Callable[[int], int]:
    """Return how RLCard plays a game of its random agents.

    :raises PeerMissing: when it is not installed.
    """
    rlcard = import_peer("rlcard", "rlcard")
    agents = import_peer("rlcard", "rlcard.agents")
    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(2)])

    def played(number: int) -> int:
        env.run(is_training=False)
        return len(env.action_recorder)

    return played
