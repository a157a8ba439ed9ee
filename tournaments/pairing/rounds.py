"""Spread tables over rounds, and even out how many games everybody has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, permutations
from random import Random

from tournaments.pairing.packing import Packing, Rounds, Table

SPREAD_WORK = 300_000
"""Tables that may be placed in all while :func:`spread` tries orders."""
MAX_PASSES = 1_000
"""Orders that are tried at most."""
REPACKED_ENTRANTS = 24
"""Largest field for which :func:`repack` searches; beyond it hardly ever succeeds."""
REPACK_TRIES = 3
"""Starts of :func:`repack` for each number of rounds …"""
REPACK_STEPS_PER_ENTRANT = 2_500
"""… and the steps of each start."""
UPHILL = 1 / 100
"""Chance of a step for the worse; measured to find full rounds, more than with tables alone."""
EVENING_STEPS = 30_000
"""Steps of :func:`even_out`."""


def least_rounds(tables: Sequence[Table], entrants: int) -> int:
    """Return a number of rounds below which nobody can go without sitting twice in a round."""
    most = max(_games(tables, entrants))
    return max(most, -(-len(tables) // (entrants // len(tables[0]))))


def spread(tables: Iterable[Table], entrants: int, random: Random) -> Rounds:
    """Return the tables in as few rounds as found in which nobody sits twice.

    Each table goes into the first round that is free. Then again with whole rounds in another
    order, which never takes more rounds and often fewer (Culberson's iterated greedy colouring).
    """
    best = _first_fit(tables, entrants)
    count = sum(map(len, best))
    least = least_rounds(list(chain(*best)), entrants)
    rounds = list(best)
    for _ in range(min(MAX_PASSES, SPREAD_WORK // count)):
        if len(best) == least:
            break
        chance = random.random()
        if chance < 0.5:
            rounds.reverse()
        elif chance < 0.85:
            rounds.sort(key=len, reverse=chance < 0.7)
        else:
            rounds.sort(key=lambda _: random.random())
        rounds = _first_fit(chain(*rounds), entrants)
        if len(rounds) < len(best):
            best = list(rounds)
    return best


def _first_fit(tables: Iterable[Table], entrants: int) -> Rounds:
    busy = [0] * entrants  # bit r is set when the number sits in round r
    rounds: Rounds = []
    for table in tables:
        taken = 0
        for number in table:
            taken |= busy[number]
        free = ~taken & (taken + 1)
        for number in table:
            busy[number] |= free
        which = free.bit_length() - 1
        if which == len(rounds):
            rounds.append([])
        rounds[which].append(table)
    return rounds


def repack(rounds: Rounds, entrants: int, meetings: int, random: Random) -> Rounds:
    """Return other rounds with as many tables at which all meet, fewer of them where found.

    First the least possible number of rounds is tried, where everybody sits in every round; then
    each search halves the gap that is left.
    """
    size, count = len(rounds[0][0]), sum(map(len, rounds))
    low, best = -(-count // (entrants // size)), rounds
    tried = low
    while entrants <= REPACKED_ENTRANTS and low < len(best):
        for _ in range(REPACK_TRIES):
            packing = Packing(entrants, size, meetings, random, UPHILL)
            for which in range(tried):
                packing.open_round(count // tried + (which < count % tried))
            packing.improve(REPACK_STEPS_PER_ENTRANT * entrants)
            if not packing.lacking:
                best = packing.rounds()
                break
        else:
            low = tried + 1
        tried = (low + len(best)) // 2
    return best


def even_out(rounds: Rounds, entrants: int, meetings: int, random: Random) -> Rounds:
    """Return the rounds with everybody's games as equal as a random walk of spare seats finds.

    A seat is spare when its holder meets all the others of the table often enough elsewhere; it
    goes to somebody who rests in that round and has fewer games.
    """
    rounds = [list(tables) for tables in rounds]
    games = _games(chain(*rounds), entrants)
    met = [[0] * entrants for _ in range(entrants)]
    for a, b in chain.from_iterable(permutations(table, 2) for table in chain(*rounds)):
        met[a][b] += 1
    for _ in range(EVENING_STEPS):
        if max(games) - min(games) <= 1:
            break
        tables = rounds[int(random.random() * len(rounds))]
        which = int(random.random() * len(tables))
        table = tables[which]
        seat = int(random.random() * len(table))
        leaves, comes = table[seat], int(random.random() * entrants)
        others = (*table[:seat], *table[seat + 1 :])
        if games[comes] < games[leaves] and all(met[leaves][other] > meetings for other in others):
            if any(comes in table for table in tables):
                continue
            tables[which] = (*table[:seat], comes, *table[seat + 1 :])
            games[leaves] -= 1
            games[comes] += 1
            for other in others:
                for who, change in ((leaves, -1), (comes, 1)):
                    met[who][other] += change
                    met[other][who] += change
    return rounds


def _games(tables: Iterable[Table], entrants: int) -> list[int]:
    games = [0] * entrants
    for table in tables:
        for number in table:
            games[number] += 1
    return games
