"""Standings and points as rows: a projection of the tournament's log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine import knobs
from tournaments.folds import PhaseFold
from tournaments.formats import find_format
from tournaments.formats.base import Basis, ByeKind, EntrantId, History, TableResult
from tournaments.models import Phase, Place, Standing
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import BYE_POINTS, find_scheme, priced
from tournaments.standings.sheet import Value
from tournaments.standings.table import Row, standings


def phase_options(phase: Phase) -> Any:
    """Return the knobs of a phase's format as their value."""
    return knobs.parse(find_format(phase.format).options, phase.options)


def rows_of(phase: Phase, of: PhaseFold) -> tuple[Row, ...]:
    """Return the standings of a phase that follow from its log."""
    worth = {kind: Fraction(phase.bye_points.get(kind, BYE_POINTS[kind])) for kind in ByeKind}
    entrants = list(of.entrants)
    return standings(
        entrants,
        of.results(),
        find_scheme(phase.scheme),
        find_tie_breaks(phase.tie_breaks),
        of.lots,
        basis=Basis(phase.basis),
        withdrawn=frozenset(of.gone),
        byes=of.byes,
        bye_points=worth,
        penalties=of.taken,
        merits=find_format(phase.format).merits(entrants, of.history(), phase_options(phase)),
    )


def history_of(phase: Phase, of: PhaseFold) -> History:
    """Return what a phase has seen, with points and order."""
    rows = rows_of(phase, of)
    return replace(
        of.history(),
        points={row.entrant: row.points for row in rows},
        order=[row.entrant for row in rows],
    )


def refresh_standings(phase: Phase, of: PhaseFold) -> None:
    """Make a phase's points and standings anew from its log."""
    numbers = _entrants(phase)
    _store_points(phase, priced(of.results(), find_scheme(phase.scheme)))
    rows = [
        Standing(
            phase=phase,
            entrant_id=numbers[row.entrant],
            order=order,
            rank=row.rank,
            gone=of.gone.get(str(row.entrant), ""),
            merit="" if row.merit is None else str(row.merit),
            points=str(row.points),
            penalty=str(row.penalty),
            average=str(row.average),
            played=row.played,
            byes=row.byes,
            metrics={key: _text(value) for key, value in row.metrics.items()},
            bye_decided=list(row.bye_decided),
        )
        for order, row in enumerate(rows_of(phase, of), 1)
    ]
    phase.standings.all().delete()
    Standing.objects.bulk_create(rows, batch_size=1_000)


def _text(value: Value) -> str | None:
    """Return a tie-break's value as it is stored: exact, several with spaces between."""
    if value is None:
        return None
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _entrants(phase: Phase) -> dict[EntrantId, int]:
    rows = phase.tournament.entrants.values_list("player_id", "pk")
    return {str(player): pk for player, pk in rows}


def _store_points(phase: Phase, results: Iterable[TableResult]) -> None:
    """Store what the scheme makes of the results, at those places where it is not stored yet."""
    points = {
        (result.round, entrant): str(share)
        for result in results
        for entrant, share in zip(result.seats, result.points, strict=True)
    }
    changed = []
    places = Place.objects.filter(round__phase=phase).select_related("round", "entrant")
    for place in places.only("points", "round__number", "entrant__player_id"):
        share = points.get((place.round.number, str(place.entrant.player_id)), "")
        if place.points != share:
            place.points = share
            changed.append(place)
    Place.objects.bulk_update(changed, ["points"], batch_size=500)
