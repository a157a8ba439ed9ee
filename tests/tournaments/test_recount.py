"""Standings of random phases agree with a recount that shares nothing with them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tests.tournaments.recount import OWN_BYES, Game, Recount, board_points, pointed
from tournaments.formats.base import Basis, Bye, ByeKind, Deals, TableResult
from tournaments.standings.metrics import TIE_BREAKS, find_tie_breaks
from tournaments.standings.schemes import find_scheme, matchpoints
from tournaments.standings.table import standings


def random_phase(random: Random, scheme: str) -> tuple[Recount, list[TableResult]]:
    """Some rounds of small tables, byes of any kind, forfeits, penalties, withdrawals."""
    names = [f"e{number}" for number in range(random.randrange(3, 10))]
    games, results, byes = [], [], []
    most = random.choice((2, 2, 3, 40))
    for round_ in range(1, random.randrange(1, 7)):
        order = random.sample(names, len(names))
        table = 0
        while len(order) > 1 and random.random() < 0.9:
            size = min(len(order), random.randrange(2, 6))
            seats, order = tuple(order[:size]), order[size:]
            scores = tuple(random.randrange(most) for _ in seats)
            last = random.choice(seats) if random.random() < 0.1 else None
            worth = [
                -1 if seat == last else score for seat, score in zip(seats, scores, strict=True)
            ]
            ranks = tuple(1 + sum(other > own for other in worth) for own in worth)
            table += 1
            games.append(pointed(Game(seats, scores, ranks), scheme))
            results.append(TableResult(round_, table, seats, scores, ranks))
        byes += [
            (name, random.choice(list(ByeKind)).value) for name in order if random.random() < 0.8
        ]
    worth = {kind.value: Fraction(random.randrange(4), random.randrange(1, 4)) for kind in ByeKind}
    taken = {name: Fraction(random.randrange(1, 4), 2) for name in names if random.random() < 0.1}
    gone = [name for name in names if random.random() < 0.1]
    lots = dict(zip(names, random.sample(range(1, len(names) + 1), len(names)), strict=True))
    random.shuffle(results)
    return Recount(names, games, byes, worth, taken, gone, lots), results


@pytest.mark.parametrize("scheme", ["placement", "wins", "game_points"])
def test_standings_are_what_a_recount_finds(scheme: str, amount) -> None:
    random = Random(scheme)
    decided: set[str] = set()
    for number in range(amount(250, 10_000)):
        phase, results = random_phase(random, scheme)
        keys = random.sample(list(TIE_BREAKS)[:-2], random.randrange(7))
        keys += random.choice(([], ["lot"], ["seed"]))
        basis = random.choice(list(Basis))
        compared = {
            name: phase.average(name) if basis is Basis.AVERAGE else phase.points(name)
            for name in phase.entrants
        }
        rows = standings(
            phase.entrants,
            results,
            find_scheme(scheme),
            find_tie_breaks(keys),
            phase.lots,
            basis=basis,
            withdrawn=set(phase.gone),
            byes=random.sample(
                byes := [Bye(who, ByeKind(kind)) for who, kind in phase.byes], len(byes)
            ),
            bye_points={ByeKind(kind): points for kind, points in phase.worth.items()},
            penalties=phase.taken,
        )
        found = [
            {"who": r.entrant, "rank": r.rank, "metrics": dict(r.metrics), "byes": [*r.bye_decided]}
            for r in rows
        ]
        assert found == phase.rows(keys, compared), (number, keys)
        for row in rows:
            assert (row.points, row.average) == (
                phase.points(row.entrant),
                phase.average(row.entrant),
            )
            assert row.played == len(phase.played(row.entrant))
            decided.update(row.bye_decided)
    assert decided == set(OWN_BYES), "each of these was decided by a bye at least once"


def random_board(random: Random) -> list[TableResult]:
    """Tables of a round that played the same deals: rotated, forfeited, corrected, called off."""
    rotate, length = random.random() < 0.5, random.randrange(1, 4)
    tables = []
    for number in range(1, random.randrange(2, 6)):
        size = random.choice((2, 3, 3))
        seats = tuple(f"t{number}e{index}" for index in range(size))
        games = []
        for _ in range(size if rotate else 1):
            deals: list = [tuple(random.randrange(4) for _ in seats) for _ in range(length)]
            gone = (random.randrange(size),) if random.random() < 0.2 else ()
            if gone:
                deals[random.randrange(length) :] = [None] * random.randrange(2)
            games.append(Deals(tuple(deals), gone))
        if random.random() < 0.1:
            games = [Deals(())] * len(games)
        scores = tuple(random.randrange(12) for _ in seats)
        ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
        corrected = random.random() < 0.2
        tables.append(
            TableResult(1, number, seats, scores, ranks, deals=tuple(games), corrected=corrected)
        )
    return tables


def test_matchpoints_are_what_a_recount_finds(amount) -> None:
    random = Random("boards")
    for _ in range(amount(200, 10_000)):
        tables = random_board(random)
        told = [
            {
                "seats": table.seats,
                "totals": table.scores,
                "deals": [(of.scores, of.gone) for of in table.deals],
                "corrected": table.corrected,
            }
            for table in tables
        ]
        found = [
            dict(zip(table.seats, points, strict=True))
            for table, points in zip(tables, matchpoints(tables), strict=True)
        ]
        assert found == board_points(told)
