"""As few tables as can be found at which everybody meets everybody (a covering of all pairs).

The fewest possible is known only for some sizes. Constructions give good answers for large
fields, a search better ones for small fields; the fewest tables found win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from random import Random

from tournaments.pairing.designs import Split, known_design, splits
from tournaments.pairing.packing import Packing, Table

SEARCHED_TABLES = 300
"""Most tables that are searched for; beyond it the constructions alone decide."""
SEARCHED_JOINED = 100
"""The same where coverings for fewer meetings can be joined instead."""
CLOSE_ENOUGH = 1.03
"""A larger construction is not searched on if it has at most this many times the lower bound."""
CLOSE_ENTRANTS = 40
"""Entrants above which that holds."""
STEPS_PER_ENTRANT = 15_000
"""Steps after which no further search is begun; about half a second in all at 25 entrants."""
PATIENCE_PER_ENTRANT = 3_000
"""Steps after which a search that has not succeeded takes more tables …"""
LACKING_PER_TABLE = 8
"""… one for every so many pairs that still lack a meeting."""
SEED = 1
"""Of the first few numbers, the one that finds the fewest tables for up to 30 entrants; it also
lets 15 schoolgirls walk in threes for 7 days (Kirkman 1850)."""
UPHILL = 1 / 256
"""Chance of a step for the worse; measured to find the fewest tables."""


def lower_bound(entrants: int, table_size: int, meetings: int = 1) -> int:
    """Return a number of tables that no schedule can go below (Schönheim's bound).

    Everybody needs ⌈meetings·(n−1)/(k−1)⌉ tables, and a table has k seats. The bound for one
    meeting times ``meetings`` would be too high: of 7 at tables of 4 all meet twice in 7 tables.

    >>> lower_bound(9, 3), lower_bound(13, 4), lower_bound(25, 5)
    (12, 13, 30)
    """
    each = -(-meetings * (entrants - 1) // (table_size - 1))
    return -(-entrants * each // table_size)


@lru_cache(maxsize=1024)
def covering(entrants: int, table_size: int, meetings: int = 1) -> tuple[Table, ...]:
    """Return tables of ``table_size`` numbers at which every two meet ``meetings`` times or more.

    The same arguments give the same tables everywhere; there are at least ``table_size`` entrants.
    """
    bound = lower_bound(entrants, table_size, meetings)
    if entrants == table_size:
        return (tuple(range(entrants)),) * meetings
    if meetings == 1:
        known, most = _constructed(entrants, table_size), SEARCHED_TABLES
    else:
        known, most = _joined(entrants, table_size, meetings), SEARCHED_JOINED
    goal = bound * CLOSE_ENOUGH if entrants > CLOSE_ENTRANTS else bound
    if len(known) <= goal or bound > most:
        return known
    return _searched(entrants, table_size, meetings, known)


def _joined(entrants: int, table_size: int, meetings: int) -> tuple[Table, ...]:
    """Return the best two coverings for fewer meetings, one after the other."""
    ways = (
        covering(entrants, table_size, part) + covering(entrants, table_size, meetings - part)
        for part in range(1, meetings // 2 + 1)
    )
    return min(ways, key=len)


def _searched(
    entrants: int, table_size: int, meetings: int, known: tuple[Table, ...]
) -> tuple[Table, ...]:
    """Return the best of a few searches, each from the lower bound upwards, and what is known."""
    random = Random(f"{SEED} {entrants} {table_size} {meetings}")  # noqa: S311 -- no secret
    bound = lower_bound(entrants, table_size, meetings)
    best = known
    steps = STEPS_PER_ENTRANT * entrants // meetings
    while steps > 0 and len(best) > bound:
        packing = Packing(entrants, table_size, meetings, random, UPHILL)
        tables, more = 0, bound
        while more and tables + more < len(best):
            for _ in range(more):
                packing.open_round(1)
            tables += more
            steps -= packing.improve(PATIENCE_PER_ENTRANT * entrants)
            more = -(-len(packing.lacking) // LACKING_PER_TABLE)
        if not more:
            best = tuple(chain.from_iterable(packing.rounds()))
    return best


def _constructed(entrants: int, table_size: int) -> tuple[Table, ...]:
    """Return the tables of a construction; for a field too small for any, tables by lot."""
    design = known_design(entrants, table_size)
    if design:
        return tuple(design)
    ways = list(splits(entrants, table_size))
    if not ways:
        packing = Packing(entrants, table_size, 1, Random(0), uphill=0)  # noqa: S311
        while packing.lacking:
            packing.open_round(1)
        return tuple(chain.from_iterable(packing.rounds()))
    split = min(ways, key=_estimate)
    tables = list(split.across())
    for part in split.parts():
        if len(part) < table_size:
            tables.append(tuple(part))
        else:
            within = covering(len(part), table_size)
            tables += [tuple(part[i] for i in table) for table in within]
    return _filled(entrants, table_size, tables)


def _estimate(split: Split) -> int:
    parts = map(len, split.parts())
    return split.group**2 + sum(
        lower_bound(part, split.table_size) if part > split.table_size else 1 for part in parts
    )


def _filled(entrants: int, table_size: int, tables: Sequence[Table]) -> tuple[Table, ...]:
    """Return the tables with every free seat given to whoever sits at the fewest so far."""
    short = [table for table in tables if len(table) < table_size]
    full = [table for table in tables if len(table) == table_size]
    games = Counter(number for table in tables for number in table)
    for table in short:
        free = sorted(set(range(entrants)).difference(table), key=lambda number: games[number])
        comes = free[: table_size - len(table)]
        games.update(comes)
        full.append((*table, *comes))
    return tuple(full)
