"""Ratings: equal places are rated equally, seats make no difference, winners gain most."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from tests.tournaments.helpers import ranks_of
from tournaments.ratings.openskill import Rating, histories, rate_game

some_ratings = st.builds(Rating, mu=st.floats(5, 45), sigma=st.floats(1, 9))


def test_a_newcomer() -> None:
    new = Rating()
    assert (new.mu, new.sigma, new.games, new.wins) == (25, 25 / 3, 0, 0)
    assert new.ordinal == pytest.approx(0)


def test_games_and_wins_are_counted() -> None:
    games = [("abc", (1, 2, 3)), ("ab", (1, 1)), ("bc", (2, 1))]
    ratings = {player: known[-1] for player, known in histories(games).items()}
    assert {p: (r.games, r.wins) for p, r in ratings.items()} == {
        "a": (2, 2),
        "b": (3, 1),
        "c": (2, 1),
    }


def test_histories_follow_every_game() -> None:
    games = [("abc", (1, 2, 3)), ("ab", (1, 1)), ("bc", (2, 1))]
    found = histories(games)
    assert {player: len(ratings) for player, ratings in found.items()} == {"a": 2, "b": 3, "c": 2}
    assert {p: ratings[:1] for p, ratings in found.items()} == histories(games[:1])
    assert found["a"][1] == rate_game({p: r[0] for p, r in found.items()}, *games[1])["a"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_from_equal_ratings_a_better_place_is_never_rated_lower(seats: int) -> None:
    # Another model of the library gives the third of 1, 1, 3, 4, 5 more than the winners.
    for scores in product(range(seats), repeat=seats):
        ranks = ranks_of(scores)
        after = rate_game({}, range(seats), ranks)
        for a, b in permutations(range(seats), 2):
            if ranks[a] == ranks[b]:
                assert after[a] == after[b]
            elif ranks[a] < ranks[b]:
                assert after[a].mu > after[b].mu


@given(st.lists(st.tuples(some_ratings, st.integers(0, 3)), min_size=2, max_size=5), st.data())
def test_seats_make_no_difference(field, data) -> None:
    ratings = {f"p{i}": rating for i, (rating, _) in enumerate(field)}
    ranks = dict(zip(ratings, ranks_of([score for _, score in field]), strict=True))
    first = rate_game(ratings, list(ranks), list(ranks.values()))
    order = data.draw(st.permutations(list(ranks)))
    assert rate_game(ratings, order, [ranks[player] for player in order]) == first


@given(some_ratings, st.lists(st.integers(0, 2), min_size=2, max_size=5))
def test_equal_ratings_and_places_stay_equal(rating: Rating, scores: list[int]) -> None:
    players = range(len(scores))
    ranks = ranks_of(scores)
    after = rate_game(dict.fromkeys(players, rating), players, ranks)
    assert len({(after[p].mu, after[p].sigma, ranks[p]) for p in players}) == len(set(ranks))


@given(st.lists(some_ratings, min_size=2, max_size=5))
def test_alone_a_winner_gains_and_the_last_loses(field: list[Rating]) -> None:
    ratings = dict(enumerate(field))
    after = rate_game(ratings, list(ratings), range(1, len(field) + 1))
    assert after[0].mu > ratings[0].mu
    assert after[len(field) - 1].mu < ratings[len(field) - 1].mu


@pytest.mark.parametrize(
    ("players", "ranks", "message"),
    [
        ("a", (1,), "two or more different players"),
        ("aa", (1, 2), "two or more different players"),
        ("ab", (1,), "1 places for 2 players"),
    ],
)
def test_games_are_checked(players: str, ranks: tuple[int, ...], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        histories([(players, ranks)])
