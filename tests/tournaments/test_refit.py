"""Refits: the most likely strengths, intervals that hold them, ranks that say no more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations
from math import exp, log
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.helpers import ranks_of
from tournaments.ratings.games import RatedGame, Scope, fingerprint, scopes
from tournaments.ratings.ranges import Field, RankRange
from tournaments.ratings.refit import AVERAGE, RESAMPLES, TENFOLD, Strength, refit

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SEED = b"some seed"


def game(number: int, players: list[int], scores: list[int], deals: int | None = None) -> RatedGame:
    """A game by its final scores; without ``deals`` it has deals of its own."""
    return RatedGame(
        game=UUID(int=number),
        players=tuple(UUID(int=player) for player in players),
        ranks=tuple(ranks_of(scores)),
        deals=number if deals is None else deals,
        over_at=NOON + timedelta(hours=number),
    )


def at(strengths: dict[UUID, Strength], player: int) -> Strength:
    return strengths[UUID(int=player)]


def slopes(games: list[RatedGame], strengths: dict[UUID, Strength]) -> dict[UUID, float]:
    """How the likelihood changes with each strength, by the model's definition."""
    theta = {p: (s.strength - AVERAGE) * log(10) / TENFOLD for p, s in strengths.items()}
    slope = {p: 0.5 - 1 / (1 + exp(-t)) for p, t in theta.items()}
    for played in games:
        for (a, rank_a), (b, rank_b) in combinations(
            zip(played.players, played.ranks, strict=True), 2
        ):
            won = 1.0 if rank_a < rank_b else 0.0 if rank_a > rank_b else 0.5
            expected = 1 / (1 + exp(theta[b] - theta[a]))
            slope[a] += won - expected
            slope[b] -= won - expected
    return slope


fields = st.lists(
    st.tuples(st.permutations(range(7)), st.lists(st.integers(0, 3), min_size=2, max_size=5)),
    min_size=1,
    max_size=12,
)


@settings(deadline=None, max_examples=25)
@given(fields)
def test_strengths_are_the_most_likely_ones(field) -> None:
    games = [game(n, order[: len(scores)], scores) for n, (order, scores) in enumerate(field)]
    strengths = refit(games, SEED)
    # Strengths are rounded to a tenth, which is 0.0003 in the model's unit.
    assert all(abs(slope) < 0.02 for slope in slopes(games, strengths).values())
    assert all(s.low <= s.strength <= s.high for s in strengths.values())
    assert sum(s.games for s in strengths.values()) == sum(len(g.players) for g in games)


def test_nobody_has_played() -> None:
    assert refit([], SEED) == {}


def test_two_players() -> None:
    """Won 3 of 4 and half of a drawn game against the average, which both are at first."""
    one, other = (
        at(two := refit([game(n, [1, 2], [n % 4, 1]) for n in range(4)], SEED), 1),
        at(two, 2),
    )
    assert (one.games, one.wins, other.wins) == (4, 3, 2)
    assert one.strength > AVERAGE > other.strength
    assert one.strength + other.strength == pytest.approx(2 * AVERAGE, abs=0.2)


def test_equal_places_are_half_a_win_for_either() -> None:
    drawn = refit([game(1, [1, 2, 3], [5, 5, 5])], SEED)
    assert {s.strength for s in drawn.values()} == {AVERAGE}
    assert {s.wins for s in drawn.values()} == {1}
    shared = refit([game(1, [1, 2, 3], [9, 9, 1])], SEED)
    assert at(shared, 1).strength == at(shared, 2).strength > at(shared, 3).strength


def test_neither_seats_nor_order_nor_names_make_a_difference() -> None:
    games = [game(n, [n % 4, 4 + n % 3, 7], [n % 5, n % 3, 2]) for n in range(12)]
    turned = [
        RatedGame(g.game, g.players[::-1], g.ranks[::-1], g.deals, g.over_at) for g in games[::-1]
    ]
    one, other = refit(games, SEED), refit(turned, SEED)
    for player, strength in one.items():
        assert other[player].strength == pytest.approx(strength.strength, abs=0.1)


def test_the_same_games_and_seed_give_the_same() -> None:
    games = [game(n, [n % 4, 4 + n % 3], [n % 5, n % 3]) for n in range(60)]
    once, again, other = refit(games, SEED), refit(games, SEED), refit(games, b"another seed")
    assert once == again != other
    assert {p: s.strength for p, s in once.items()} == {p: s.strength for p, s in other.items()}


def test_more_games_narrow_an_interval_and_games_on_the_same_deals_do_not() -> None:
    def width(games: list[RatedGame]) -> float:
        return at(strengths := refit(games, SEED), 1).high - at(strengths, 1).low

    few = [game(n, [1, 2, 3], [n % 3, (n + 1) % 3, n % 2]) for n in range(6)]
    many = [game(n, [1, 2, 3], [n % 3, (n + 1) % 3, n % 2]) for n in range(60)]
    # The same ten games six times, each ten on one set of deals, tell what six sets tell.
    shared = [game(n, [1, 2, 3], [n % 3, (n + 1) % 3, n % 2], deals=n % 6) for n in range(60)]
    assert width(many) < width(few)
    assert width(shared) > 1.3 * width(many)


def test_one_game_leaves_everything_open() -> None:
    """The bootstrap has one deal set to draw from and would claim to be sure."""
    strengths = refit([game(1, [1, 2, 3, 4], [9, 8, 7, 6])], SEED)
    board = Field((s.low, s.high) for s in strengths.values())
    assert {board.rank(s.low, s.high) for s in strengths.values()} == {RankRange(1, 4)}


def test_intervals_hold_the_true_strength_with_95_percent(amount) -> None:
    """Games at tables of four from known strengths by the model (Luce)."""
    held = []
    players, games, trials = 30, 300, amount(4, 40)
    for trial in range(trials):
        random = np.random.default_rng(trial)
        true = random.normal(0, 1, players)
        true -= true.mean()
        played = []
        for number in range(games):
            seats = random.choice(players, 4, replace=False)
            luck = random.gumbel(size=4)
            scores = np.argsort(np.argsort(true[seats] + luck)).tolist()
            played.append(game(number, seats.tolist(), scores))
        strengths = refit(played, SEED)
        for player in range(players):
            shown = AVERAGE + TENFOLD / log(10) * true[player]
            held.append(at(strengths, player).low <= shown <= at(strengths, player).high)
    assert 0.90 <= sum(held) / len(held) <= 0.99


def test_a_bootstrap_has_fewer_resamples_where_games_are_many(monkeypatch) -> None:
    import tournaments.ratings.refit as module

    games = [game(n, [1, 2], [n % 2, 1]) for n in range(20)]
    fit, fits = module._Pairs.fit, []
    monkeypatch.setattr(module._Pairs, "fit", lambda *args: fits.append(1) or fit(*args))
    for comparisons, size in ((12_000_000, RESAMPLES[-1]), (20 * 70, 70), (1, RESAMPLES[0])):
        monkeypatch.setattr(module, "COMPARISONS", comparisons)
        fits.clear()
        refit(games, SEED)
        assert len(fits) == 1 + size


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8)), min_size=1, max_size=12))
def test_a_rank_is_open_exactly_where_intervals_overlap(given_) -> None:
    intervals = [(low, low + width) for low, width in given_]
    field = Field(intervals)
    for low, high in intervals:
        above = sum(other > high for other, _ in intervals)
        below = sum(other < low for _, other in intervals)
        assert field.rank(low, high) == (1 + above, len(intervals) - below)


def test_ranks_in_words() -> None:
    field = Field([(10, 12), (8, 9), (1, 5), (4, 6)])
    assert [str(field.rank(*i)) for i in ((10, 12), (8, 9), (1, 5))] == ["1", "2", "3–4"]


def test_scopes() -> None:
    games = [game(1, [1, 2], [1, 0]), game(2, [1, 2, 3], [1, 0, 0]), game(800, [1, 2], [1, 0])]
    as_of = NOON + timedelta(hours=800)
    assert Scope().counted(games, as_of) == games
    assert Scope(seats=2).counted(games, as_of) == [games[0], games[2]]
    assert Scope(days=30).counted(games, as_of) == [games[2]]
    assert Scope().counted(games, as_of - timedelta(seconds=1)) == games[:2]
    assert Scope(3, 365) in scopes(range(2, 6)) and len(scopes(range(2, 6))) == 20
    assert [scope.seats for scope in scopes(range(2, 3))] == [0] * 4


def test_a_fingerprint_tells_what_a_fit_would_see() -> None:
    games = [game(1, [1, 2], [1, 0]), game(2, [1, 2], [0, 1])]
    assert fingerprint(games) == fingerprint(list(games))
    others = [
        games[:1],
        [games[0], game(2, [1, 2], [1, 1])],
        [games[0], game(2, [1, 2], [0, 1], 1)],
    ]
    assert len({fingerprint(other) for other in [*others, games]}) == 4
