"""Who came out ahead of whom: the cross-table of a phase, and one entrant against all others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID

from tournaments.models import Entrant, Phase, Standing
from tournaments.selectors import meetings_of, meetings_with

CROSS_SIZE = 16
"""Entrants of a cross-table; of more, a page each."""

GAMES_SHOWN = 8
"""Games of two entrants that are linked, the latest."""

MEASURES = {
    "ahead": ("Placed ahead, %", "share of the common games in which the row placed ahead"),
    "points": ("Points share, %", "the row's share of the points that both won in common games"),
    "score": ("Score a game", "by how much the row's score a common game was the higher"),
}
"""What a cell may tell, the first by default, with its definition."""


@dataclass(slots=True)
class Meeting:
    """How an entrant came out against another in the games both played."""

    games: int = 0
    ahead: int = 0
    level: int = 0
    points: list[Fraction] = field(default_factory=lambda: [Fraction(0), Fraction(0)])
    """The entrant's own, the other's."""
    scores: list[int] = field(default_factory=lambda: [0, 0])
    numbers: list[int] = field(default_factory=list)
    """Of the games that anybody may look at."""

    def add(self, own: dict[str, Any], other: dict[str, Any]) -> None:
        """Count a common game."""
        self.games += 1
        self.ahead += own["rank"] < other["rank"]
        self.level += own["rank"] == other["rank"]
        for i, place in enumerate((own, other)):
            self.points[i] += place["points"]
            self.scores[i] += place["score"]
        if not own["hidden"]:
            self.numbers.append(own["game"])

    @property
    def behind(self) -> int:
        """Common games in which the other placed ahead."""
        return self.games - self.ahead - self.level

    @property
    def percent(self) -> int:
        """Share of the common games in which the entrant placed ahead; level ones count half."""
        return round(100 * (self.ahead + self.level / 2) / self.games)

    @property
    def points_percent(self) -> int | None:
        """The entrant's share of the points of both, None where nobody won any."""
        total = sum(self.points)
        return round(100 * self.points[0] / total) if total else None

    @property
    def difference(self) -> int:
        """By how much the entrant's score a game was the higher."""
        return round((self.scores[0] - self.scores[1]) / self.games)

    @property
    def latest(self) -> list[int]:
        """Numbers of the last games that anybody may look at."""
        return self.numbers[-GAMES_SHOWN:]


Meetings = dict[int, dict[int, Meeting]]
"""By entrant and the other entrant."""


class Result(NamedTuple):
    """An entrant's result at a table."""

    round: int
    rank: int
    seats: int
    """Entrants at the table."""
    score: int
    points: str
    game: int | None
    """Number of the game in the tournament, None while nobody may look at it."""
    game_id: UUID
    seat: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the cross-table."""

    text: str
    shade: int
    """0 the worst to 10 the best, 5 even; -1 where there is nothing to tell."""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """An entrant's row."""

    order: int
    entrant: Entrant
    cells: list[Cell | None]
    """In the order of the rows; None against oneself."""


def cross_table(phase: Phase, standings: Sequence[Standing], measure: str) -> list[CrossRow]:
    """Return the cross-table of some entrants, in their order."""
    ids = [standing.entrant_id for standing in standings]
    met = _met(meetings_of(phase, ids))
    spread = max((abs(m.difference) for row in met.values() for m in row.values()), default=0) or 1
    return [
        CrossRow(
            standing.order,
            standing.entrant,
            [
                None
                if other == standing.entrant_id
                else _cell(met[standing.entrant_id].get(other), measure, spread)
                for other in ids
            ],
        )
        for standing in standings
    ]


def head_to_head(
    phase: Phase, entrant: Entrant
) -> tuple[list[tuple[Entrant, Meeting]], list[Result]]:
    """Return how an entrant came out against everybody it met, whom it met most often first.

    And its own results, in the order of the rounds.
    """
    places = meetings_with(entrant, phase)
    seats = Counter(place["table_id"] for place in places)
    own = [
        Result(
            place["round_number"],
            place["rank"],
            seats[place["table_id"]],
            place["score"],
            place["points"],
            None if place["hidden"] else place["game"],
            place["game_id"],
            place["seat"],
        )
        for place in places
        if place["entrant_id"] == entrant.pk
    ]
    met = _met(places)[entrant.pk]
    others = Entrant.objects.filter(pk__in=list(met)).select_related("player")
    rows = [(other, met[other.pk]) for other in others]
    rows.sort(key=lambda row: (-row[1].games, row[0].number))
    return rows, sorted(own)


def _met(places: Iterable[dict[str, Any]]) -> Meetings:
    tables: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for place in places:
        tables[place["table_id"]].append(place | {"points": Fraction(place["points"] or 0)})
    found: Meetings = defaultdict(lambda: defaultdict(Meeting))
    for seats in tables.values():
        for own in seats:
            for other in seats:
                if other is not own:
                    found[own["entrant_id"]][other["entrant_id"]].add(own, other)
    return found


def _cell(meeting: Meeting | None, measure: str, spread: int) -> Cell:
    if meeting is None:
        return Cell("", -1)
    if measure == "score":
        value = meeting.difference
        sign = "+" if value > 0 else "−" if value < 0 else ""
        return Cell(f"{sign}{abs(value)}", round(5 + 5 * value / spread))
    percent = meeting.percent if measure == "ahead" else meeting.points_percent
    return Cell("–", 5) if percent is None else Cell(str(percent), round(percent / 10))
