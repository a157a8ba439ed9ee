"""Random events of the pure packages, played without a database."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from engine.seeds import Words
from tests.tournaments.helpers import KEY, ranks_of
from tournaments.formats.base import (
    Bye,
    ByeKind,
    EntrantId,
    Format,
    History,
    Pairing,
    TableResult,
)
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import find_scheme, priced
from tournaments.standings.table import Row, standings

SCHEME = find_scheme("placement")


@dataclass
class Phase:
    """A phase that is being played: what a service would keep of it."""

    format: Format
    options: object
    entrants: list[EntrantId]
    random: Random
    scores: tuple[int, ...] = (0, 1, 2, 3, 4)
    """What a game may score."""
    key: bytes = KEY
    rounds: list[Pairing] = field(default_factory=list)
    results: list[TableResult] = field(default_factory=list)
    withdrawn: set[EntrantId] = field(default_factory=set)
    away: dict[EntrantId, ByeKind] = field(default_factory=dict)
    missed: list[Bye] = field(default_factory=list)
    """Rounds before a late entry."""

    @property
    def byes(self) -> list[Bye]:
        """All byes so far."""
        return [*self.missed, *(bye for pairing in self.rounds for bye in pairing.byes)]

    def rows(self) -> tuple[Row, ...]:
        """The standings."""
        history = History(tuple(self.rounds), tuple(self.results))
        lots = {entrant: lot for lot, entrant in enumerate(self.entrants)}
        return standings(
            self.entrants,
            self.results,
            SCHEME,
            find_tie_breaks(["lot"]),
            lots,
            withdrawn=self.withdrawn,
            byes=self.byes,
            merits=self.format.merits(self.entrants, history, self.options),
        )

    def history(self) -> History:
        """What the format is told."""
        rows = self.rows()
        return History(
            tuple(self.rounds),
            tuple(self.results),
            frozenset(self.withdrawn),
            dict(self.away),
            {row.entrant: row.points for row in rows},
            [row.entrant for row in rows],
        )

    def pair(self) -> Pairing | None:
        """Pair the next round."""
        pairing = self.format.pair(self.entrants, self.history(), self.options, Words(self.key))
        if pairing is not None:
            self.rounds.append(pairing)
            self.away.clear()
        return pairing

    def play(self) -> None:
        """Play the last round paired, every score by lot."""
        pairing = self.rounds[-1]
        for number, seats in enumerate(pairing.tables, 1):
            scores = tuple(self.random.choice(self.scores) for _ in seats)
            result = TableResult(pairing.round, number, seats, scores, ranks_of(scores))
            self.results += priced([result], SCHEME)

    def enter_late(self, entrant: EntrantId) -> None:
        """Enter somebody who has missed all rounds so far."""
        self.entrants.append(entrant)
        self.missed += [Bye(entrant, ByeKind.ZERO)] * len(self.rounds)


def played_out(phase: Phase, most: int = 500) -> list[Pairing]:
    """Play a phase to its end."""
    while phase.pair() is not None:
        phase.play()
        assert len(phase.rounds) <= most
    return phase.rounds
