"""Policies: legal, fair, the same every time, and true to what their summaries say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import bots
from engine.cards import JOKER, Card, Tableau, physical, unshuffled
from engine.events import Status
from engine.game import Game
from engine.manipulation import MANIPULATION
from engine.manipulation.events import DealEnded, Draw, Meld, Pass
from engine.manipulation.guess import determinize, unseen
from engine.manipulation.judge import decide
from engine.manipulation.phase import check_phase
from engine.manipulation.rules import Rules, hand_points, packs
from engine.manipulation.state import Deal, State, apply
from engine.manipulation.views import Observation, observe
from engine.play import play_decision
from engine.policies import POLICIES, find_policy
from engine.policies.manipulation.playouts import Playout
from engine.policies.manipulation.table import CELL_OF, FACE_OF, Table
from engine.seeds import Words
from engine.variant import Variant
from engine.variants import VARIANTS, find_variant
from tests.engine.helpers import random_rules, seed_of
from tests.engine.test_cli import play
from tests.engine.test_contract import with_unseen_permuted
from tests.engine.test_solver_properties import random_position

TABLEAU: Tableau = (("6h", "7h", "8h"), ("4c", "4d", "4s"))


def cards(text: str) -> tuple[Card, ...]:
    return tuple(text.split())


def position(
    hand: str,
    *others: int,
    tableau: Tableau = TABLEAU,
    draws: int = 1,
    pile: int | None = None,
    lap: bool = False,
    **knobs: Any,
) -> State:
    """A state with seat 0 on turn; the other hands are what comes next in the pack."""
    seats = 1 + len(others)
    left = Counter(unshuffled(packs(seats), jokers=True))
    left.subtract(cards(hand))
    left.subtract(physical(card) for meld in tableau for card in meld)
    assert min(left.values()) >= 0
    rest = list(left.elements())
    Random(1).shuffle(rest)
    hands = [cards(hand)]
    for size in others:
        hands.append(tuple(rest[:size]))
        del rest[:size]
    deck = tuple(rest if pile is None else rest[:pile])
    none = (0,) * seats
    return State(
        seed=None,
        rules=replace(Rules(), **knobs),
        players=tuple(f"p{seat}" for seat in range(seats)),
        totals=none,
        deals_won=none,
        faults=none,
        asked=none,
        deal=Deal(
            number=1,
            dealer=0,
            deck=() if lap else deck,
            pile=0 if lap else len(deck),
            hands=tuple(hands),
            tableau=tableau,
            turn=0,
            draws=0 if lap else draws,
            lap=tuple(range(seats)) if lap else None,
        ),
    )


def choice(name: str, state: State, seed: object = 1) -> Any:
    command = find_policy(MANIPULATION, name).choose(observe(state, 0), Words(seed_of(seed)))
    decide(state, 0, command)
    return command


def played(state: State, command: Meld) -> tuple[Card, ...]:
    assert state.deal
    return check_phase(state.deal.tableau, state.deal.hands[0], command.tableau)[0]


HOLDABLE = "Kc Kd Kh Qs 9h 2c 2d 7s Jd Td 3h"


@pytest.mark.parametrize("name", ["knocker", "careful"])
def test_holds_back_while_the_end_is_far(name: str) -> None:
    state = position(HOLDABLE, 8, 9)
    assert choice("greedy", state) != Draw()
    assert choice(name, state) == Draw()
    tired = position(HOLDABLE, 8, 9, draws=3)
    assert choice(name, tired) == Pass(knock=False)


def test_careful_lays_when_a_hand_is_short() -> None:
    """Somebody with three cards may end the deal soon; a forfeited seat with none will not."""
    state = position(HOLDABLE, 8, 3)
    assert set(played(state, choice("careful", state))) == set(cards("Kc Kd Kh 9h"))
    assert choice("knocker", state) == Draw()
    gone = position(HOLDABLE, 8, 0)._replace(forfeits=(2,))
    assert choice("careful", gone) == Draw()


def test_careful_keeps_jokers_for_the_end() -> None:
    state = position(f"{HOLDABLE} *", 8, 3)
    assert JOKER in played(state, choice("greedy", state))
    assert set(played(state, choice("careful", state))) == set(cards("Kc Kd Kh 9h"))
    ends = position("Kc Kd *", 8, 9)
    assert choice("careful", ends) == choice("knocker", ends)
    assert len(played(ends, choice("careful", ends))) == 3


@pytest.mark.parametrize("name", ["knocker", "careful"])
def test_ends_the_deal_when_it_can(name: str) -> None:
    """With five points left it knocks, with more it waits, with none left it goes out."""
    five = position("Kc Kd Kh 2c 3d", 8, 9)
    command = choice(name, five)
    assert command.knock and set(played(five, command)) == set(cards("Kc Kd Kh"))
    assert choice(name, position("Kc Kd Kh 2c 3d", 8, 9, knock_limit=4)) == Draw()
    assert choice(name, position("Kc Kd Kh Qs Js", 8, 9, knock_limit=20)).knock
    out = position("Kc Kd Kh 9h", 8, 9)
    assert len(played(out, choice(name, out))) == 4 and not choice(name, out).knock


@pytest.mark.parametrize("name", ["knocker", "careful"])
def test_lays_all_it_can_in_the_final_lap(name: str) -> None:
    state = position(HOLDABLE, 8, 9, lap=True)
    assert set(played(state, choice(name, state))) == set(cards("Kc Kd Kh 9h"))


def test_planner_does_not_knock_into_an_undercut() -> None:
    """Two cards will count less than 45 points; knocking would only give the bonus away."""
    knobs = {"knock_limit": 50, "undercut_bonus": 500, "final_lap_knock": True}
    state = position("Kc Qd Js Tc 5d", 2, lap=True, **knobs)
    assert choice("knocker", state) == Pass(knock=True)
    assert all(choice("planner", state, seed) == Pass(knock=False) for seed in range(5))


def test_planner_knocks_where_it_must_win() -> None:
    """Two points against a dozen cards: nobody can be lower."""
    state = position("Ac Ad", 12, tableau=(("6h", "7h", "8h"),), draws=3)
    assert all(choice("planner", state, seed) == Pass(knock=True) for seed in range(5))


def test_planner_goes_out() -> None:
    state = position("Kc Kd Kh 9h", 8, 9)
    assert len(played(state, choice("planner", state))) == 4


def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    args = ("--bots", "planner,careful,knocker", "--games", 1, "--seed", "05" * 32)
    args += ("--rules", "length=deals,deals=1")
    first = play(tmp_path / "a", *args, PYTHONHASHSEED="0")
    assert play(tmp_path / "b", *args, PYTHONHASHSEED="1") == first
    assert play(tmp_path / "c", *args, PYTHONHASHSEED="random") == first


def random_deals(number: int, names: Sequence[str], variant: Variant = MANIPULATION) -> Any:
    """A game of one deal by random rules, and a policy for each seat."""
    words = Words(seed_of(("policies", number)))
    rules = random_rules(variant, words) | {"length": "deals", "deals": 1}
    rules.pop("target", None)
    count = variant.seats[number % len(variant.seats)]
    bots = [find_policy(variant, words.choice(names)) for _ in range(count)]
    players = [f"{bot.name}#{seat}" for seat, bot in enumerate(bots)]
    seed = seed_of(("policies game", number))
    return Game.start(variant, players, seed=seed, rules=rules), bots, words


@pytest.mark.parametrize("variant", VARIANTS, ids=[v.key for v in VARIANTS])
def test_whatever_they_play_is_legal_and_fair(variant: Variant, amount) -> None:
    """No policy but ``faulty`` faults, at any number of seats and by any rules.

    What a seat cannot see makes no difference to its choice.
    """
    names = [policy.name for policy in POLICIES[variant.key] if policy.name != "faulty"]
    seen: Counter[str] = Counter()
    for number in range(amount(8, 300)):
        game, bots, words = random_deals(number, names, variant)
        while game.turn is not None:
            policy = bots[game.turn]
            if words.below(8) == 0:
                other = with_unseen_permuted(variant, game.state, game.turn, words)
                chosen = policy.choose(game.observe(game.turn), game.bot_words())
                assert policy.choose(variant.observe(other, game.turn), game.bot_words()) == chosen
            events = play_decision(game, policy)
            assert "faulted" not in [event.type for event in events], (number, policy.name)
            seen[policy.name] += 1
    assert set(seen) == set(names)


def test_a_guess_fits_what_is_seen(amount) -> None:
    for number in range(amount(12, 300)):
        game, bots, words = random_deals(number, ["random", "greedy", "faulty"])
        while game.turn is not None:
            if words.below(4) == 0:
                seat, observation = game.turn, game.observe(game.turn)
                guess = determinize(observation, words)
                assert observe(guess, seat) == observation._replace(since=())
                check_guess(guess, observation)
            play_decision(game, bots[game.turn])


def check_guess(guess: State, observation: Observation) -> None:
    """Every card is there once, but those of forfeited hands; no seed gives anything away."""
    assert guess.deal and guess.deal.deck is not None and guess.seed is None
    dealt = Counter(guess.deal.deck)
    for seat, hand in enumerate(guess.deal.hands):
        if seat != observation.you:
            dealt.update(hand)
    hidden = Counter(unseen(observation))
    assert dealt <= hidden
    if all(view.status is Status.PLAYING for view in observation.seats):
        assert dealt == hidden


def test_a_guess_avoids_what_a_seat_lacks() -> None:
    state = position(HOLDABLE, 9, 9)
    lacking = {1: {card for card in unshuffled(1, jokers=True) if card[-1] in "*ch"}}
    tops = Counter()
    for seed in range(40):
        guess = determinize(observe(state, 0), Words(seed_of(seed)), lacking)
        assert guess.deal and guess.deal.deck
        assert not lacking[1] & set(guess.deal.hands[1])
        tops[guess.deal.deck[0] in lacking[1]] += 1
    assert min(tops[False], tops[True]) >= 8  # what was passed over lies anywhere in the pile


def test_laying_in_a_playout_is_legal(amount) -> None:
    laid = 0
    for number in range(amount(300, 20_000)):
        tableau, hand = random_position(Random(number), jokers=0)
        if not hand:
            continue
        table = Table.of(
            tuple(map(tuple, check_phase((), sum(tableau, ()), tableau)[1])) if tableau else ()
        )
        left = table.lay([CELL_OF[card] for card in hand])
        rest = [FACE_OF[cell] for cell in left]
        if len(rest) < len(hand):
            there, _ = check_phase(tableau, hand, table.tableau(jokers=False))
            assert Counter(there) + Counter(rest) == Counter(hand)
            laid += 1
    assert laid > 50


def test_jokers_keep_their_names_in_a_playout() -> None:
    tableau: Tableau = (("6h", "*7h", "8h"), ("4c", "4d", "4s"))
    table = Table.of(tableau)
    assert Counter(table.tableau(jokers=True)) == Counter(tableau)
    assert ("6h", "7h", "8h") in table.tableau(jokers=False)
    assert table.add_jokers(1) == 0
    (name,) = table.names[1:]
    assert any(f"*{FACE_OF[name]}" in meld for meld in table.tableau(jokers=True))


def test_playouts_keep_turns_laps_and_scores(amount, monkeypatch: pytest.MonkeyPatch) -> None:
    """With seats that lay nothing a playout ends as the engine's own deal does."""
    monkeypatch.setattr(Playout, "_meld", lambda *_: False)
    endings: Counter[str] = Counter()
    for number in range(amount(260, 5_000)):  # a knock without a meld is rare
        game, _, words = random_deals(number, ["random"])
        for _ in range(words.below(40)):
            if game.turn is not None:
                play_decision(game, find_policy(MANIPULATION, "faulty"))
        if game.turn is None:
            continue
        state = game.state
        scores = Playout(state, [True] * len(state.players)).run().scores
        ended = None
        while ended is None:
            for event in decide(state, state.turn, idle(state)):
                if isinstance(event, DealEnded):
                    ended = event
                    break
                state = apply(state, event)
        endings[ended.ending] += 1
        assert ended.scores == scores, number
    assert endings["knock"] and endings["exhausted"]


def idle(state: State) -> Any:
    """Draw while it may be, then pass; knock if it may be."""
    may = MANIPULATION.may(state, state.turn)
    if may.draw:
        return Draw()
    assert state.deal
    hand = state.deal.hands[state.deal.turn or 0]
    return Pass(may.knock_limit is not None and 0 < hand_points(hand) <= may.knock_limit)


@pytest.mark.parametrize("seats", bots.SEATS)
def test_planner_beats_greedy(seats: int, amount) -> None:
    """By points and by deals won; of several boards, each with an interval of 99 % over them."""
    match = bots.Match(MANIPULATION, seats, "planner", "greedy")
    many = amount(5, 60) if seats == 2 else amount(1, 30)
    boards = [bots.play_board(seed_of("boards"), (match, n)) for n in range(1, many + 1)]
    for even, values in (
        (0, [board.points for board in boards]),
        (1 / seats, [board.wins for board in boards]),
    ):
        mean, wide = bots.interval(values) if many > 1 else (values[0], 0)
        assert mean - wide > even


@pytest.mark.parametrize("key", ["gin", "hollywood-gin", "oklahoma-gin"])
def test_strong_beats_simple(key: str, amount) -> None:
    """By points; over the 10,000 deals of the campaign with an interval of 99 % over boards."""
    match = bots.Match(find_variant(key), 2, "strong", "simple")
    boards = [bots.play_board(bytes(32), (match, n)) for n in range(1, amount(40, 5_000) + 1)]
    mean, wide = bots.interval([board.points for board in boards])
    assert mean > amount(0, wide)


def test_the_table_is_the_same_whatever_the_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, begin = [], bots.begin(MANIPULATION)
    for jobs in ("1", "2"):
        page = tmp_path / f"{jobs}.md"
        page.write_text(f"before\n{begin}\n{bots.END}\nafter\n{bots.END}\n")
        args = ["--bots", "random,greedy", "--boards", "4", "--jobs", jobs, "--page", str(page)]
        assert bots.main(args) == 0
        texts.append(page.read_text())
    assert texts[0] == texts[1]
    assert texts[0].startswith("before\n") and texts[0].endswith(f"after\n{bots.END}\n")
    assert texts[0].count("\n| random | greedy |") == 2
    assert capsys.readouterr().out.count("| greedy | random |") == 2
