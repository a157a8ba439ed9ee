"""The whole schedule of a round robin for numbers 0 … n − 1, whoever they will stand for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from random import Random

from tournaments.pairing.berger import berger
from tournaments.pairing.covering import SEED, covering, lower_bound
from tournaments.pairing.packing import Rounds, Table
from tournaments.pairing.rounds import even_out, repack, spread
from tournaments.pairing.seats import balanced_seats


@dataclass(frozen=True)
class Plan:
    """Rounds of tables at which every two meet often enough."""

    rounds: tuple[tuple[Table, ...], ...]
    """Tables, their numbers in the order of the seats, played together."""
    lower_bound: int
    """Number of tables that no schedule can go below."""

    @cached_property
    def tables(self) -> int:
        """How many tables there are in all."""
        return sum(map(len, self.rounds))

    @cached_property
    def games_each(self) -> tuple[int, int]:
        """Fewest and most tables that one number sits at."""
        games = Counter(chain.from_iterable(chain.from_iterable(self.rounds)))
        return min(games.values()), max(games.values())


@lru_cache(maxsize=64)
def plan(entrants: int, table_size: int, meetings: int) -> Plan:
    """Return the schedule for a field; the same arguments give the same schedule everywhere.

    There are at least ``table_size`` entrants, or one less: they play short tables of all.
    """
    if table_size == 2:
        return _plan(berger(entrants, meetings), lower_bound(entrants, 2, meetings))
    if entrants < table_size:
        together = balanced_seats([tuple(range(entrants))] * meetings, entrants)
        return _plan([[table] for table in together], meetings)
    random = Random(f"rounds {SEED} {entrants} {table_size} {meetings}")  # noqa: S311 -- no secret
    tables = covering(entrants, table_size, meetings)
    alone = even_out([[table] for table in tables], entrants, meetings, random)
    rounds = spread(chain.from_iterable(alone), entrants, random)
    rounds = repack(rounds, entrants, meetings, random)
    rounds = even_out(rounds, entrants, meetings, random)
    return _plan(_seated(rounds, entrants), lower_bound(entrants, table_size, meetings))


def _seated(rounds: Rounds, entrants: int) -> Rounds:
    tables = iter(balanced_seats(list(chain.from_iterable(rounds)), entrants))
    return [[next(tables) for _ in together] for together in rounds]


def _plan(rounds: Rounds, bound: int) -> Plan:
    return Plan(tuple(map(tuple, rounds)), bound)
