"""Ways to make schedules and results for the tests of the pure tournament packages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from engine.seeds import Words
from tournaments.formats.base import EntrantId, History, Pairing, TableResult
from tournaments.formats.round_robin import ROUND_ROBIN, Options

KEY = bytes(range(32))


def ranks_of(scores: Sequence[int]) -> tuple[int, ...]:
    """Places by score, as the engine gives them when nobody forfeits."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def result(round_: int, table: int, **scores: int) -> TableResult:
    """A result by the names of those who sat there: ``result(1, 1, ann=20, bob=10)``."""
    values = tuple(scores.values())
    return TableResult(round_, table, tuple(scores), values, ranks_of(values))


def meetings(tables: Iterable[Sequence[EntrantId]]) -> Counter[frozenset[EntrantId]]:
    """How often every two sit together."""
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def all_rounds(
    entrants: Sequence[EntrantId],
    options: Options,
    key: bytes = KEY,
    withdrawn: Iterable[EntrantId] = (),
) -> list[Pairing]:
    """Every round of a round robin, paired one after the other."""
    rounds: list[Pairing] = []
    while True:
        history = History(tuple(rounds), withdrawn=frozenset(withdrawn))
        pairing = ROUND_ROBIN.pair(entrants, history, options, Words(key))
        if pairing is None:
            return rounds
        rounds.append(pairing)


def tables_of(rounds: Iterable[Pairing]) -> list[tuple[EntrantId, ...]]:
    """All tables of the rounds, in order."""
    return [table for pairing in rounds for table in pairing.tables]
