"""Verdicts: what a decision got against the best there was."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.manipulation.events import Draw, Drew, Meld, Melded, Pass, Passed
from engine.manipulation.rules import hand_points
from engine.manipulation.state import Deal, State
from engine.variant import Variant
from engine.variants import VARIANTS, find_variant
from engine.verify import verify
from tests.engine.helpers import random_game, seed_of

MANIPULATION = find_variant("manipulation")


def position(hand: list[str], tableau: tuple = (), **changes: object) -> State:
    """A two-seat game in which seat 0 is on turn with one card drawn."""
    state = Game.start("manipulation", ["a", "b"], seed=bytes(32)).state
    deal: Deal = state.deal._replace(
        hands=(tuple(hand), ("Kc",)), tableau=tableau, turn=0, draws=1, **changes
    )
    return state._replace(deal=deal)


RUN = ("5c", "6c", "7c")


def test_a_meld_is_compared_with_the_most_points_and_the_most_cards() -> None:
    before = position(["8c", "9c", "Kd", "Kh", "Ks", "2d"], (RUN,))
    verdict = MANIPULATION.verdict(before, Melded(0, (("5c", "6c", "7c", "8c"),), False))
    assert verdict is not None
    assert (verdict.played, verdict.best, verdict.missed) == (8, 47, 39)
    assert (verdict.cards, verdict.most_cards) == (1, 5)
    assert isinstance(verdict.command, Meld)
    (event,) = MANIPULATION.decide(before, 0, verdict.command)[:1]
    assert hand_points(MANIPULATION.apply(before, event).deal.hands[0]) == 2


def test_drawing_and_passing_lay_nothing() -> None:
    before = position(["8c", "2d"], (RUN,))
    for event in (Drew(0), Passed(0, False)):
        verdict = MANIPULATION.verdict(before, event)
        assert verdict is not None and (verdict.played, verdict.missed) == (0, 8)


def test_the_best_play_leaves_nothing_to_show() -> None:
    before = position(["8c", "2d"], (RUN,))
    verdict = MANIPULATION.verdict(before, Melded(0, (("5c", "6c", "7c", "8c"),), False))
    assert verdict is not None and verdict.missed == 0 and verdict.command is None
    verdict = MANIPULATION.verdict(position(["2d", "Kd"], (RUN,)), Drew(0))
    assert verdict is not None and (verdict.best, verdict.command) == (0, None)


@pytest.mark.parametrize("changes", [{"draws": 3}, {"defaulting": True}])
def test_what_could_not_have_melded_is_not_compared(changes: dict) -> None:
    before = position(["8c", "2d"], (RUN,))
    before = before._replace(deal=before.deal._replace(**changes))
    assert MANIPULATION.verdict(before, Passed(0, False)) is None


def test_without_the_seed_there_is_no_verdict() -> None:
    game = Game.start("manipulation", ["a", "b"], seed=bytes(32))
    public = MANIPULATION.initial(None)
    for entry in game.entries:
        public = MANIPULATION.apply(public, entry.event)
    event = game.push(Draw())[0]
    assert MANIPULATION.verdict(public, event) is None


def test_a_pass_after_the_third_card_is_no_decision() -> None:
    game = Game.start("manipulation", ["a", "b"], seed=bytes(32))
    game.push(Draw())
    game.push(Draw())
    before = game.state
    assert MANIPULATION.verdict(before, game.push(Pass())[0]) is None


@pytest.mark.parametrize("variant", VARIANTS, ids=[v.key for v in VARIANTS])
def test_in_random_games_the_better_play_is_legal_and_as_good_as_was_said(
    variant: Variant, amount
) -> None:
    low, mid, high = variant.mistakes
    assert 0 < low < mid < high and variant.measure
    compared = 0
    for number in range(amount(3, 300)):
        *_, game = random_game(variant, ("verdict", number))
        game.reveal()
        state = variant.initial(seed_of(("game", variant.key, ("verdict", number))))
        for entry in verify(game.record().encode()).entries:
            event = entry.event
            verdict = variant.verdict(state, event)
            if verdict is not None:
                compared += 1
                assert verdict.missed == abs(verdict.best - verdict.played)
                assert (verdict.command is None) == (verdict.missed == 0)
            if verdict is not None and verdict.command is not None:
                better = variant.decide(state, event.actor, verdict.command)[0]
                again = variant.verdict(state, better)
                assert again is not None
                assert (again.played, again.missed, again.command) == (verdict.best, 0, None)
            state = variant.apply(state, event)
    assert compared > 100
