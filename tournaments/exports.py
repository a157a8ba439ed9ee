"""Standings and leaderboards as sheets: columns with stable names and rows, for CSV and JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from io import StringIO
from typing import Any

from tournaments.leaderboards import Board
from tournaments.models import Entrant, Phase, Standing, Tournament

BOM = "\ufeff"
"""What tells spreadsheets that a file is UTF-8."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""With what a text may not begin in a cell: spreadsheets would run it."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table to be published."""

    facts: Mapping[str, Any]
    """What it is of, and of when."""
    columns: tuple[str, ...]
    """Stable names of the fields of a row, in order."""
    rows: Sequence[Row]
    exact: frozenset[str] = frozenset()
    """Columns that hold exact fractions as texts."""


def board_sheet(board: Board) -> Sheet:
    """Return a whole leaderboard as a sheet."""
    refit = board.refit
    rows = [
        {
            "rank_best": row.rank.best,
            "rank_worst": row.rank.worst,
            "player": str(row.player.pk),
            "name": row.player.name,
            "kind": row.player.kind,
            "rating": row.strength,
            "low": row.low,
            "high": row.high,
            "provisional": row.provisional,
            "games": row.games,
            "wins": row.wins,
            "last_at": _time(row.last_at),
        }
        for row in board.rows(board.strengths)
    ]
    facts = {
        "leaderboard": board.wanted.variant,
        "filters": board.wanted.query,
        "as_of": _time(refit.as_of) if refit else None,
        "games": refit.games if refit else 0,
        "deal_sets": refit.deal_sets if refit else 0,
    }
    return Sheet(facts, BOARD_COLUMNS, rows)


BOARD_COLUMNS = (
    "rank_best",
    "rank_worst",
    "player",
    "name",
    "kind",
    "rating",
    "low",
    "high",
    "provisional",
    "games",
    "wins",
    "last_at",
)


def standings_sheet(tournament: Tournament, phase: Phase, rows: Iterable[Standing]) -> Sheet:
    """Return the standings of a phase as a sheet; points and metrics are exact fractions."""
    metrics = tuple(phase.tie_breaks)
    shown = [
        {
            "rank": row.rank,
            "player": str(row.entrant.player_id),
            "name": row.entrant.player.name,
            "kind": row.entrant.player.kind,
            "status": row.gone or Entrant.Status.PLAYING,
            "points": row.points,
            "average": row.average,
            "played": row.played,
            **{key: row.metrics.get(key) for key in metrics},
        }
        for row in rows
    ]
    facts = {
        "tournament": tournament.slug,
        "name": tournament.name,
        "status": tournament.status,
        "phase": phase.number,
        "closed": phase.status == Phase.Status.CLOSED,
        "as_of_line": tournament.seq,
    }
    columns = ("rank", "player", "name", "kind", "status", "points", "average", "played", *metrics)
    return Sheet(facts, columns, shown, frozenset({"points", "average", *metrics}))


def sheet_csv(sheet: Sheet) -> str:
    """Return a sheet as CSV that spreadsheets read rightly.

    Every cell is quoted, fractions are decimals (a spreadsheet would take 1/3 for a day), and no
    text can be run as a formula.
    """
    out = StringIO()
    out.write(BOM)
    written = csv.writer(out, quoting=csv.QUOTE_ALL)
    written.writerow(sheet.columns)
    for row in sheet.rows:
        written.writerow([_cell(row[key], key in sheet.exact) for key in sheet.columns])
    return out.getvalue()


def sheet_json(sheet: Sheet) -> str:
    """Return a sheet as JSON: its facts, and its rows as objects."""
    return json.dumps({**sheet.facts, "rows": list(sheet.rows)}, ensure_ascii=False, indent=1)


def _cell(value: Any, exact: bool) -> str:
    if value is None:
        return ""
    if exact:
        return " ".join(_decimal(part) for part in str(value).split())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return str(value)


def _decimal(text: str) -> str:
    return f"{float(Fraction(text)):.6f}".rstrip("0").rstrip(".")


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
