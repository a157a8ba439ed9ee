"""Give everybody every seat equally often."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.pairing.packing import Table


def balanced_seats(tables: Sequence[Table], entrants: int) -> list[Table]:
    """Return the tables, all of one size k, with their numbers in the order of the seats.

    In each number's games 1 … k, k + 1 … 2k and so on it has every seat once, so its seats differ
    by at most 1 at all times. That is always possible: make a node of each such block of games,
    and the seats are a colouring of the edges between blocks and tables, which needs no more
    colours than a node has edges (König 1916).

    >>> balanced_seats([(0, 1), (0, 1), (0, 1)], 2)
    [(0, 1), (1, 0), (0, 1)]
    """
    size = len(tables[0]) if tables else 0
    free = -1
    block_of = [free] * entrants
    owner: list[int] = []  # number whose block it is
    block_seats: list[list[int]] = []  # per block and seat: the table
    table_seats = [[free] * size for _ in tables]  # per table and seat: the block
    games = [0] * entrants
    for at, table in enumerate(tables):
        there = table_seats[at]
        for number in table:
            if games[number] % size == 0:
                block_of[number] = len(owner)
                owner.append(number)
                block_seats.append([free] * size)
            games[number] += 1
            block = block_of[number]
            mine = block_seats[block]
            both = (seat for seat in range(size) if mine[seat] == there[seat] == free)
            wanted = next(both, mine.index(free))
            if there[wanted] != free:
                _make_free(at, wanted, there.index(free), table_seats, block_seats)
            mine[wanted], there[wanted] = at, block
    return [tuple(owner[block] for block in seats) for seats in table_seats]


def _make_free(
    table: int,
    wanted: int,
    spare: int,
    table_seats: list[list[int]],
    block_seats: list[list[int]],
) -> None:
    """Free seat ``wanted`` of a table whose seat ``spare`` is free.

    Whoever has the wanted seat moves to the spare one; if its block has that seat elsewhere, those
    two tables change likewise, and so on along a path that cannot come back.
    """
    path = []
    at = table
    while (block := table_seats[at][wanted]) >= 0:
        path.append((at, block, wanted, spare))
        at = block_seats[block][spare]
        if at < 0:
            break
        path.append((at, block, spare, wanted))
    for at, block, old, _ in path:
        table_seats[at][old] = block_seats[block][old] = -1
    for at, block, _, new in path:
        table_seats[at][new] = block
        block_seats[block][new] = at
