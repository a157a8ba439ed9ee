"""Local search for rounds of tables at which everybody meets everybody.

Numbers 0 … n − 1 stand for the entrants. The search knows nothing of tournaments and keeps a
budget of steps, never of time: the same question has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

Table = tuple[int, ...]
"""Numbers that sit together."""
Rounds = list[list[Table]]
"""Tables played together, round by round."""


class Meetings:
    """How often every two numbers meet, and which pairs still lack a meeting."""

    def __init__(self, entrants: int, wanted: int) -> None:
        self.wanted = wanted
        self.count = [[0] * entrants for _ in range(entrants)]
        self.lacking = [(a, b) for a in range(entrants) for b in range(a)]
        """The list changes in place."""
        self._place = {pair: i for i, pair in enumerate(self.lacking)}

    def meet(self, a: int, b: int) -> None:
        """Count one meeting more."""
        self.count[a][b] += 1
        self.count[b][a] += 1
        if self.count[a][b] == self.wanted:
            place = self._place.pop((a, b) if a > b else (b, a))
            last = self.lacking.pop()
            if place < len(self.lacking):
                self.lacking[place] = last
                self._place[last] = place

    def part(self, a: int, b: int) -> None:
        """Count one meeting less."""
        self.count[a][b] -= 1
        self.count[b][a] -= 1
        if self.count[a][b] == self.wanted - 1:
            pair = (a, b) if a > b else (b, a)
            self._place[pair] = len(self.lacking)
            self.lacking.append(pair)

    def loss(self, table: Sequence[int], leaves: int, comes: int) -> int:
        """Return how many pairs more would lack a meeting if ``comes`` took a place at a table."""
        wanted = self.wanted
        old, new = self.count[leaves], self.count[comes]
        loss = 0
        for other in table:
            if other != leaves:
                if old[other] == wanted:
                    loss += 1
                if new[other] == wanted - 1:
                    loss -= 1
        return loss

    def replace(self, table: Sequence[int], leaves: int, comes: int) -> None:
        """Give the place of ``leaves`` at a table to ``comes``."""
        for other in table:
            if other != leaves:
                self.part(leaves, other)
                self.meet(comes, other)


class Packing:
    """Rounds being filled; in each nobody sits twice, and whoever has no table rests."""

    def __init__(
        self, entrants: int, table_size: int, meetings: int, random: Random, uphill: float
    ) -> None:
        """Begin without rounds.

        :param meetings: how often every two are to meet.
        :param uphill: chance of a step that loses one pair; without any the search is soon stuck.
        """
        self._meetings = Meetings(entrants, meetings)
        self.lacking = self._meetings.lacking
        """Pairs that do not meet often enough yet; empty when the search has succeeded."""
        self._entrants = entrants
        self._size = table_size
        self._uphill = uphill
        # Only random(), because it is the one method whose sequence Python promises to keep.
        self._draw = random.random
        self._rows: list[list[int]] = []
        self._places: list[list[int]] = []
        self._seated: list[int] = []

    def open_round(self, tables: int) -> None:
        """Add a round; one pair that lacks a meeting sits at its first table, the rest by lot."""
        draw, lacking = self._draw, self.lacking
        row = sorted(range(self._entrants), key=lambda _: draw())
        if lacking:
            pair = lacking[int(draw() * len(lacking))]
            row = [*pair, *(number for number in row if number not in pair)]
        place = [0] * self._entrants
        for i, number in enumerate(row):
            place[number] = i
        self._rows.append(row)
        self._places.append(place)
        self._seated.append(tables * self._size)
        for table in self._tables(len(self._rows) - 1):
            for i, a in enumerate(table):
                for b in table[:i]:
                    self._meetings.meet(a, b)

    def improve(self, steps: int) -> int:
        """Bring pairs that lack a meeting together; return the steps taken, fewer when all meet.

        A step picks such a pair and a round, and offers one of the two a random place at the
        other's table. They take it unless other pairs would lose more than is gained.
        """
        draw, meetings, lacking = self._draw, self._meetings, self.lacking
        rows, places, seated, size = self._rows, self._places, self._seated, self._size
        for step in range(steps):
            if not lacking:
                return step
            host, guest = lacking[int(draw() * len(lacking))]
            which = int(draw() * len(rows))
            place, limit = places[which], seated[which]
            at, origin = place[host], place[guest]
            if at >= limit or (origin < limit and draw() < 0.5):
                host, guest, at, origin = guest, host, origin, at
                if at >= limit:
                    continue  # both rest in this round
            start = at - at % size
            target = start + int(draw() * size)
            if target == at or start <= origin < start + size:
                continue
            row = rows[which]
            table, leaver = row[start : start + size], row[target]
            loss = meetings.loss(table, leaver, guest)
            other: list[int] = []
            if origin < limit:
                start = origin - origin % size
                other = row[start : start + size]
                loss += meetings.loss(other, guest, leaver)
            if loss <= 0 or (loss == 1 and draw() < self._uphill):
                meetings.replace(table, leaver, guest)
                meetings.replace(other, guest, leaver)
                row[target], row[origin] = guest, leaver
                place[guest], place[leaver] = target, origin
        return steps

    def rounds(self) -> Rounds:
        """Return the tables of every round."""
        return [self._tables(which) for which in range(len(self._rows))]

    def _tables(self, which: int) -> list[Table]:
        row, size = self._rows[which], self._size
        return [tuple(row[i : i + size]) for i in range(0, self._seated[which], size)]
