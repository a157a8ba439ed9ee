"""Knock-out, final, gauntlet and ladder."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.seeds import Words
from tests.tournaments.events import Phase, played_out
from tests.tournaments.helpers import KEY, ranks_of, tables_of
from tournaments.formats import FORMATS
from tournaments.formats.base import Basis, Bye, ByeKind, History, TableResult
from tournaments.formats.final import FINAL
from tournaments.formats.final import Options as FinalOptions
from tournaments.formats.gauntlet import GAUNTLET
from tournaments.formats.gauntlet import Options as GauntletOptions
from tournaments.formats.knockout import KNOCKOUT, dealt
from tournaments.formats.knockout import Options as KnockoutOptions
from tournaments.formats.ladder import LADDER, rungs
from tournaments.formats.ladder import Options as LadderOptions

BRACKETS = [(2, 1), (3, 1), (4, 1), (4, 2), (5, 1)]


def favourites_win(phase: Phase) -> None:
    """Play the last round; whoever has the better seed scores more."""
    pairing = phase.rounds[-1]
    for number, seats in enumerate(pairing.tables, 1):
        scores = tuple(-phase.entrants.index(entrant) for entrant in seats)
        phase.results.append(
            TableResult(
                pairing.round, number, seats, scores, ranks_of(scores), (Fraction(0),) * len(seats)
            )
        )


def test_a_bracket_of_eight() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(2, 1), list(range(1, 9)), Random(1))
    shown = []
    while (pairing := phase.pair()) is not None:
        shown.append([tuple(sorted(table)) for table in pairing.tables])
        favourites_win(phase)
    assert shown == [[(1, 8), (2, 7), (3, 6), (4, 5)], [(1, 4), (2, 3)], [(1, 2)]]
    assert [(row.entrant, row.rank) for row in phase.rows()][:3] == [(1, 1), (2, 2), (3, 3)]
    merits = KNOCKOUT.merits(phase.entrants, phase.history(), phase.options)
    assert [str(merits[i]) for i in (1, 2, 3, 4, 5, 8)] == ["7/2", "3", "2", "2", "1", "1"]


def test_an_underdog_takes_over_the_place_in_the_bracket() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(2, 1), list(range(1, 9)), Random(1))
    phase.pair()
    for number, seats in enumerate(phase.rounds[0].tables, 1):
        scores = tuple(int(e in (8, 2, 3, 4)) for e in seats)
        phase.results.append(TableResult(1, number, seats, scores, ranks_of(scores)))
    second = KNOCKOUT.pair(
        phase.entrants,
        History(tuple(phase.rounds), tuple(phase.results)),
        phase.options,
        Words(KEY),
    )
    assert second is not None
    assert [set(table) for table in second.tables] == [{8, 4}, {2, 3}]


def test_a_correction_moves_nobody_in_a_round_already_paired() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(2, 1), list(range(1, 9)), Random(1))
    for _ in range(2):
        phase.pair()
        favourites_win(phase)
    # Both first-round tables of 1 and 4 turn out to have been won by the others.
    wrong = {frozenset({1, 8}), frozenset({4, 5})}
    phase.results = [
        replace(r, scores=r.scores[::-1], ranks=r.ranks[::-1]) if set(r.seats) in wrong else r
        for r in phase.results
    ]
    final = phase.pair()
    assert final is not None and [set(table) for table in final.tables] == [{1, 2}]


def test_the_first_seeds_rest_when_the_bracket_is_not_full() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(2, 1), list(range(1, 7)), Random(1))
    pairing = phase.pair()
    assert pairing is not None
    assert [set(table) for table in pairing.tables] == [{3, 6}, {4, 5}]
    assert pairing.byes == (Bye(1, ByeKind.ALLOCATED), Bye(2, ByeKind.ALLOCATED))
    said = [note.say({i: str(i) for i in range(7)}) for note in pairing.notes]
    assert "Without a game: 1; the bracket has no opponent for so high a seed." in said


def test_two_of_four_go_on() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(4, 2), list(range(1, 17)), Random(1))
    shown = []
    while (pairing := phase.pair()) is not None:
        shown.append([sorted(table) for table in pairing.tables])
        favourites_win(phase)
    assert shown[0] == [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]]
    assert shown[1:] == [[[1, 4, 5, 8], [2, 3, 6, 7]], [[1, 2, 3, 4]]]


def test_equal_places_at_a_table_go_by_the_seeding() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(2, 1), [1, 2], Random(1), scores=(0,))
    played_out(phase)
    assert [(row.entrant, row.rank) for row in phase.rows()] == [(1, 1), (2, 2)]


def test_whoever_meets_only_the_withdrawn_goes_on() -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(2, 1), list(range(1, 5)), Random(1))
    phase.pair()
    favourites_win(phase)
    phase.withdrawn.add(1)
    final = phase.pair()
    assert final is not None and final.tables == ()
    assert final.byes == (Bye(2, ByeKind.FORFEIT_WIN),)
    assert phase.pair() is None
    assert [(row.entrant, row.rank) for row in phase.rows()] == [(2, 1), (3, 2), (4, 3), (1, None)]


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(BRACKETS), st.integers(2, 40), st.randoms(use_true_random=False))
def test_every_bracket_ends_with_one_winner(bracket, entrants, random) -> None:
    options = KnockoutOptions(*bracket)
    phase = Phase(KNOCKOUT, options, list(range(entrants)), random)
    preview = KNOCKOUT.preview(entrants, options)
    rounds = played_out(phase)
    assert len(rounds) == preview.rounds
    assert len(tables_of(rounds)) == preview.tables
    assert {len(t) for t in tables_of(rounds)} <= set(KNOCKOUT.table_sizes(entrants, options))
    games = Counter(entrant for table in tables_of(rounds) for entrant in table)
    assert max(games.values()) <= preview.games_each[1]
    assert min(games[e] for e in range(entrants)) >= preview.games_each[0]
    alive = set(range(entrants))
    for pairing in rounds:
        there = {e for table in pairing.tables for e in table} | {b.entrant for b in pairing.byes}
        assert there == alive, "whoever goes on plays or has a bye, nobody else"
        for result in phase.results:
            if result.round == pairing.round:
                best = sorted(
                    range(len(result.seats)), key=lambda i: (result.ranks[i], result.seats[i])
                )
                alive -= {result.seats[i] for i in best[options.advance :]}
    assert [row.rank for row in phase.rows()].count(1) == 1


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(BRACKETS), st.integers(2, 20), st.randoms(use_true_random=False))
def test_a_bracket_survives_withdrawals(bracket, entrants, random) -> None:
    phase = Phase(KNOCKOUT, KnockoutOptions(*bracket), list(range(entrants)), random)
    while phase.pair() is not None:
        phase.play()
        phase.withdrawn.update(e for e in range(entrants) if random.random() < 0.15)
        for pairing in phase.rounds:
            assert all(len(table) > 1 for table in pairing.tables)
    assert len(phase.rounds) <= KNOCKOUT.preview(entrants, phase.options).rounds


def test_dealing_protects_seeds() -> None:
    assert dealt(range(8), 2) == [[0, 3, 4, 7], [1, 2, 5, 6]]


def test_a_final_changes_seats() -> None:
    phase = Phase(FINAL, FinalOptions(4), list("abcd"), Random(1))
    rounds = played_out(phase)
    assert len(rounds) == 4 and all(len(pairing.tables) == 1 for pairing in rounds)
    for entrant in "abcd":
        assert sorted(table.index(entrant) for table in tables_of(rounds)) == [0, 1, 2, 3]


def test_a_final_goes_on_without_the_withdrawn() -> None:
    phase = Phase(FINAL, FinalOptions(2), list("abc"), Random(1))
    phase.pair()
    phase.play()
    phase.withdrawn |= {"a", "b"}
    last = phase.pair()
    assert last is not None and last.byes == (Bye("c", ByeKind.FORFEIT_WIN),)


def test_a_challenger_meets_everybody() -> None:
    options = GauntletOptions(table_size=3, meetings=2, challenger=2)
    phase = Phase(GAUNTLET, options, list(range(1, 7)), Random(1))
    rounds = played_out(phase)
    assert [len(table) for table in tables_of(rounds)] == [3, 3, 2] * 2
    assert all(2 in table for table in tables_of(rounds))
    met = Counter(entrant for table in tables_of(rounds) for entrant in table)
    assert {met[i] for i in (1, 3, 4, 5, 6)} == {2} and met[2] == 6
    preview = GAUNTLET.preview(6, options)
    assert (preview.rounds, preview.games_each, preview.basis) == (6, (2, 6), Basis.AVERAGE)
    seats = Counter(table.index(2) for table in tables_of(rounds))
    assert max(seats.values()) - min(seats.values()) <= 2


def test_a_gauntlet_ends_with_its_challenger() -> None:
    phase = Phase(GAUNTLET, GauntletOptions(), list("abcd"), Random(1))
    phase.pair()
    phase.play()
    phase.withdrawn |= {"b", "c", "d"} - set(phase.rounds[0].tables[0])
    assert phase.pair() is None, "tables without an opponent are passed over"
    other = Phase(GAUNTLET, GauntletOptions(), list("abcd"), Random(1), withdrawn={"a"})
    assert other.pair() is None


def test_neighbours_change_rungs() -> None:
    phase = Phase(LADDER, LadderOptions(2, 3), list("abcde"), Random(1))
    first = phase.pair()
    assert first is not None
    assert [set(table) for table in first.tables] == [{"a", "b"}, {"c", "d"}]
    phase.results.append(TableResult(1, 1, ("a", "b"), (0, 1), (2, 1)))
    phase.results.append(TableResult(1, 2, ("d", "c"), (1, 1), (1, 1)))
    history = History(tuple(phase.rounds), tuple(phase.results))
    assert rungs(phase.entrants, history) == list("bacde"), "a tie changes nothing"
    second = LADDER.pair(phase.entrants, history, phase.options, Words(KEY))
    assert second is not None
    assert [set(table) for table in second.tables] == [{"a", "c"}, {"d", "e"}]
    assert second.notes[1].say({e: e for e in "abcde"}) == "Without a table in this round: b."
    merits = LADDER.merits(phase.entrants, history, phase.options)
    assert [str(merits[e]) for e in "abcde"] == ["4", "5", "3", "2", "1"]


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 5), st.integers(2, 25), st.integers(1, 8), st.randoms(use_true_random=False))
def test_ladders(size, entrants, rounds, random) -> None:
    options = LadderOptions(size, rounds)
    phase = Phase(LADDER, options, list(range(entrants)), random)
    preview = LADDER.preview(entrants, options)
    played = played_out(phase)
    assert len(played) == preview.rounds and len(tables_of(played)) == preview.tables
    assert {len(t) for t in tables_of(played)} <= set(LADDER.table_sizes(entrants, options))
    order = rungs(phase.entrants, phase.history())
    assert sorted(order) == list(range(entrants))
    assert [row.entrant for row in phase.rows()] == order


def test_who_comes_late_begins_at_the_bottom() -> None:
    phase = Phase(LADDER, LadderOptions(2, 3), list("abc"), Random(1))
    phase.pair()
    phase.play()
    phase.enter_late("z")
    assert rungs(phase.entrants, phase.history())[-1] == "z"


@pytest.mark.parametrize(
    ("key", "entrants", "options", "message"),
    [
        ("knockout", 1, {}, "a knock-out takes 2 to 1024 entrants, not 1"),
        ("knockout", 9, {"table_size": 3, "advance": 2}, "advance=2 does not divide tables of 3"),
        ("knockout", 9, {"table_size": 2, "advance": 2}, "evenly; advance may be 1"),
        ("final", 6, {}, "a final is one table of 2 to 5, not of 6; top says how many"),
        ("final", 1, {}, "a final is one table of 2 to 5, not of 1"),
        ("gauntlet", 1, {}, "a gauntlet takes 2 to 1000 entrants, not 1"),
        (
            "gauntlet",
            3,
            {"challenger": 4},
            "challenger=4, but there are 3 entrants; it may be 1 to",
        ),
        ("ladder", 1, {}, "a ladder takes 2 to 2000 entrants, not 1"),
    ],
)
def test_fields_that_cannot_be_seated(key, entrants, options, message) -> None:
    format_ = FORMATS[key]
    value = format_.options(**options)
    for ask in (
        lambda: format_.table_sizes(entrants, value),
        lambda: format_.preview(entrants, value),
        lambda: format_.pair(range(entrants), History(), value, Words(KEY)),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert message in str(refused.value)


@pytest.mark.parametrize("key", list(FORMATS))
def test_every_format_names_tie_breaks_that_there_are(key: str) -> None:
    from tournaments.standings.metrics import find_tie_breaks

    assert find_tie_breaks(FORMATS[key].tie_breaks)
