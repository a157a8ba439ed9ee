"""A phase's standings as a table: columns that explain themselves, and a place sheet a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.core.paginator import Page

from tournaments.formats.base import Basis
from tournaments.leaderboards import strengths_of
from tournaments.models import Bye, Phase, Standing
from tournaments.pages.leaderboards import RowShown as RatedShown
from tournaments.pages.leaderboards import rows_shown
from tournaments.selectors import byes_of, places_of, rounds_of
from tournaments.standings.metrics import find_tie_break

SHEET_ROUNDS = 12
"""Rounds in a place sheet; of more, the latest."""


_FIELDS = ("merit", "points", "average", "played", "byes", "penalty")
"""Columns that are columns of the row too; the others are tie-breaks."""

_FIRST = {
    Basis.AVERAGE: (
        "average",
        "Average",
        "Average",
        "Points a game: by plan not everybody plays the same number of games.",
    ),
    Basis.REACHED: (
        "merit",
        "Round reached",
        "Round",
        "The last round reached, plus the part of the table left behind in it.",
    ),
    Basis.RUNG: ("merit", "Rung", "Rung", "Rung of the ladder, counted from the bottom."),
}
"""Columns that come before the points, where something does."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers."""

    key: str
    name: str
    abbreviation: str
    definition: str
    places: int
    """Decimals that all its values are shown with."""
    main: bool = False
    """Whether entrants are compared by it first."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An entrant's round in its place sheet."""

    round: int
    state: str
    """``win``, ``high``, ``mid``, ``low``, ``live``, ``bye``, or ``todo`` where nothing is."""
    place: int | None = None
    game: int | None = None
    """Number of the game in the tournament, None while nobody may look at it."""
    bye: str = ""
    """What kind of bye the round is, in words; empty where it is none."""


@dataclass(frozen=True, slots=True)
class RowShown:
    """An entrant's row."""

    standing: Standing
    values: list[tuple[Column, str | None]]
    sheet: list[Mark]
    rated: RatedShown | None
    """The player's strength over all tournaments, once it has one."""

    @property
    def main(self) -> str | None:
        """What entrants are compared by first."""
        return next(value for column, value in self.values if column.main)

    @property
    def bye_decided(self) -> str:
        """Which tie-breaks parted the entrant from others while a bye counted, in words."""
        names = [find_tie_break(key).name.lower() for key in self.standing.bye_decided]
        return ", ".join(names)


@dataclass(frozen=True, slots=True)
class StandingsShown:
    """A page of a phase's standings."""

    phase: Phase
    columns: list[Column]
    rows: list[RowShown]
    rounds: list[int]
    """Numbers of the rounds in the place sheets."""
    podium: list[RowShown]
    """The first three once somebody has played, on the first page."""

    @property
    def main(self) -> Column:
        """The column that entrants are compared by first."""
        return next(column for column in self.columns if column.main)


def standings_shown(phase: Phase, page: Page[Standing], planned: int) -> StandingsShown:
    """Return a page of standings.

    :param planned: rounds of the phase, as far as they are known.
    """
    standings = list(page)
    begun = len(rounds_of(phase))
    count = max(planned, begun)
    first = max(0, min(begun, count) - SHEET_ROUNDS)
    numbers = list(range(first + 1, min(count, first + SHEET_ROUNDS) + 1))
    columns = _columns(phase, standings)
    sheets = _sheets(phase, standings, numbers)
    players = [standing.entrant.player_id for standing in standings]
    strengths = list(strengths_of(phase.tournament.variant, players))
    shown = rows_shown(strengths)
    rated = {row.player_id: bar for row, bar in zip(strengths, shown, strict=True)}
    rows = [
        RowShown(
            standing=standing,
            values=[(column, _value(standing, column.key)) for column in columns],
            sheet=sheets[standing.entrant_id],
            rated=rated.get(standing.entrant.player_id),
        )
        for standing in standings
    ]
    started = page.number == 1 and any(row.standing.played for row in rows)
    return StandingsShown(phase, columns, rows, numbers, rows[:3] if started else [])


def _columns(phase: Phase, standings: Sequence[Standing]) -> list[Column]:
    """Return the points, the games, then the tie-breaks in their order."""
    points = "Sum of the points of all games and byes, less penalties."
    heads = [
        ("points", "Points", "Points", points, phase.basis == Basis.TOTAL),
        ("played", "Games", "Games", "Games that count.", False),
    ]
    if phase.basis in _FIRST:
        heads.insert(0, (*_FIRST[Basis(phase.basis)], True))
    # A bye is never counted silently: whoever has one is shown, and so is what it is worth.
    if any(row.byes for row in standings):
        worth = ", ".join(
            f"{kind.label} {phase.bye_points[kind]}"
            for kind in Bye.Kind
            if kind in phase.bye_points
        )
        heads.append(("byes", "Byes", "Byes", f"Rounds that count without a game: {worth}.", False))
    if any(row.penalty != "0" for row in standings):
        heads.append(("penalty", "Penalty", "Pen", "Points taken away; the log says why.", False))
    for key in phase.tie_breaks:
        tie_break = find_tie_break(key)
        heads.append((key, tie_break.name, tie_break.abbreviation, tie_break.definition, False))
    return [
        Column(key, name, short, text, _places(_value(row, key) for row in standings), main)
        for key, name, short, text, main in heads
    ]


def _value(standing: Standing, key: str) -> str | None:
    if key in _FIELDS:
        return str(getattr(standing, key))
    value: str | None = standing.metrics.get(key)
    return value


def _places(values: Iterable[str | None]) -> int:
    """Return the decimals that a column needs: none if all its values are whole."""
    parts = (part for value in values if value for part in value.split())
    return 2 if any(Fraction(part).denominator > 1 for part in parts) else 0


def _sheets(
    phase: Phase, standings: Sequence[Standing], numbers: list[int]
) -> dict[int, list[Mark]]:
    """Return for each entrant a mark a round."""
    found: dict[int, dict[int, Mark]] = defaultdict(dict)
    for place in places_of(phase, (standing.entrant_id for standing in standings), numbers):
        game = None if place["hidden"] else place["game"]
        state = _state(place["rank"], place["seats"]) if place["played"] else "live"
        mark = Mark(place["number"], state, place["rank"], game)
        found[place["entrant_id"]][place["number"]] = mark
    for entrant, round_, kind in byes_of(phase, (row.entrant_id for row in standings)):
        found[entrant][round_] = Mark(round_, "bye", bye=Bye.Kind(kind).label)
    return {
        standing.entrant_id: [
            found[standing.entrant_id].get(number) or Mark(number, "todo") for number in numbers
        ]
        for standing in standings
    }


def _state(rank: int, seats: int) -> str:
    if rank == 1:
        return "win"
    if rank == seats:
        return "low"
    return "high" if rank * 2 <= seats else "mid"
