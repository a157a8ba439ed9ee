"""Sheets as tables for people: on snapshots, in embedded frames and in the static site."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.public import decimal
from tournaments.exports import Sheet
from tournaments.models import Snapshot
from tournaments.ratings.ranges import RankRange
from tournaments.selectors import names_of
from tournaments.standings.metrics import find_tie_break

_HEADS = {
    "rank_best": "Rank",
    "rank": "Rank",
    "name": "Player",
    "rating": "Rating",
    "low": "Low",
    "high": "High",
    "points": "Points",
    "average": "Average",
    "games": "Games",
    "played": "Games",
    "wins": "Wins",
}
"""Heads of columns; columns that are not among them, nor tie-breaks, are left out."""

NARROW = ("rank_best", "rank", "name", "rating", "points", "games", "played")
"""Columns that fit into a narrow frame."""


@dataclass(frozen=True, slots=True)
class TableShown:
    """A sheet as a table of texts."""

    heads: list[str]
    rows: list[tuple[str, list[str]]]
    """The player's id, and the cells; the second is the player's name."""
    provisional: bool
    """Whether a rank is marked as such."""


def table_shown(sheet: Sheet, *, narrow: bool = False, rows: int | None = None) -> TableShown:
    """Return a sheet as a table.

    :param narrow: only the columns that matter most.
    :param rows: how many of the first rows.
    """
    columns = [column for column in sheet.columns if column in _HEADS or column in sheet.exact]
    if narrow:
        columns = [column for column in columns if column in NARROW]
    return TableShown(
        [_HEADS.get(column) or find_tie_break(column).abbreviation for column in columns],
        [
            (row["player"], [_cell(row, column, sheet) for column in columns])
            for row in sheet.rows[:rows]
        ],
        any(row.get("provisional") for row in sheet.rows[:rows]),
    )


def snapshot_sheet(snapshot: Snapshot) -> Sheet:
    """Return what a snapshot holds as a sheet, with the names that players have today."""
    return snapshot_sheets([snapshot])[0]


def snapshot_sheets(snapshots: Iterable[Snapshot]) -> list[Sheet]:
    """Return what some snapshots hold, as :func:`snapshot_sheet`; one query, however many."""
    bodies = [json.loads(snapshot.body) for snapshot in snapshots]
    names = names_of({row["player"] for body in bodies for row in body["rows"]})
    return [_sheet(body, names) for body in bodies]


def _sheet(body: Mapping[str, Any], names: Mapping[str, str]) -> Sheet:
    rows: Sequence[Mapping[str, Any]] = [
        row | {"name": names.get(row["player"], "somebody")} for row in body["rows"]
    ]
    columns = list(body["columns"])
    columns.insert(columns.index("player") + 1, "name")
    left_out = ("columns", "exact", "rows")
    facts = {key: value for key, value in body.items() if key not in left_out}
    return Sheet(facts, tuple(columns), rows, frozenset(body["exact"]))


def _cell(row: Mapping[str, Any], column: str, sheet: Sheet) -> str:
    value = row[column]
    if column == "rank_best":
        return f"{RankRange(value, row['rank_worst'])}{'?' if row['provisional'] else ''}"
    if column == "rating":
        return f"{value:.0f} ±{(row['high'] - row['low']) / 2:.0f}"
    if value is None:
        return "–"
    if column in sheet.exact:
        return " ".join(decimal(Fraction(part), 2) for part in str(value).split())
    if isinstance(value, float):
        return f"{value:.0f}"
    return str(value)
