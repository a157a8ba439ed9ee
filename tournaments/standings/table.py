"""Standings: the order of the entrants of a phase, made from its results alone.

Points first, then one tie-break after the other, each within the groups that are still tied.
Whom nothing separates share a rank. Everything is exact, and the order in which results arrive
makes no difference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from engine.errors import BadInput
from tournaments.formats.base import Basis, Bye, ByeKind, EntrantId, TableResult, duplicates
from tournaments.standings.metrics import Seat, Sheet, TieBreak, Value
from tournaments.standings.schemes import Scheme, priced

BYE_POINTS: Mapping[ByeKind, Fraction] = {
    ByeKind.ALLOCATED: Fraction(1),
    ByeKind.REQUESTED: Fraction(1, 2),
    ByeKind.FORFEIT_WIN: Fraction(1),
    ByeKind.FORFEIT_LOSS: Fraction(0),
    ByeKind.ZERO: Fraction(0),
}
"""What byes are worth where the organiser says nothing else; fit for points of 0 to 1 a game."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's line in the standings."""

    entrant: EntrantId
    rank: int | None
    """Place from 1; equal places share the better number; None for the withdrawn."""
    points: Fraction
    """Sum of the points of games and byes."""
    average: Fraction
    """Points a game or bye; 0 before the first."""
    played: int
    """Games that came out."""
    byes: int
    """Rounds that counted without a game."""
    metrics: Mapping[str, Value]
    """Value of every tie-break by its key, in their order; None where it says nothing."""
    withdrawn: bool
    """Whether the entrant has withdrawn; listed after all others, and for no prize."""


def standings(
    entrants: Sequence[EntrantId],
    results: Iterable[TableResult],
    scheme: Scheme,
    tie_breaks: Sequence[TieBreak],
    lots: Mapping[EntrantId, int] | None = None,
    *,
    basis: Basis = Basis.TOTAL,
    withdrawn: Collection[EntrantId] = frozenset(),
    byes: Iterable[Bye] = (),
    bye_points: Mapping[ByeKind, Fraction] = BYE_POINTS,
) -> tuple[Row, ...]:
    """Return the rows of a phase in order.

    :param entrants: all of the phase; among equals they are listed in this order.
    :param results: one for each game that came out, in any order; their points are made anew.
    :param lots: the recorded drawing of lots, wanted only by the tie-break ``lot``.
    :param basis: what entrants are compared by (``Preview.basis``).
    :raises BadInput: for an entrant named twice, a result or bye of somebody who did not enter, two
        results of one table, or a missing or doubled lot.
    """
    sheet = _sheet(entrants, priced(results, scheme), lots or {})
    bye_counts = dict.fromkeys(entrants, 0)
    points = {
        entrant: sum((seat.points for seat in seats), Fraction(0))
        for entrant, seats in sheet.seats.items()
    }
    for bye in byes:
        if bye.entrant not in points:
            raise BadInput(f"a bye of {bye.entrant!r}, who did not enter this phase")
        bye_counts[bye.entrant] += 1
        points[bye.entrant] += bye_points[bye.kind]
    averages = {
        entrant: total / max(1, len(sheet.seats[entrant]) + bye_counts[entrant])
        for entrant, total in points.items()
    }
    compared = points if basis is Basis.TOTAL else averages
    _check_lots(entrants, tie_breaks, sheet.lots)

    rows: list[Row] = []
    for gone in (False, True):
        listed = [entrant for entrant in entrants if (entrant in withdrawn) == gone]
        metrics: dict[EntrantId, dict[str, Value]] = {entrant: {} for entrant in listed}
        rank = 1
        for tied in _split(listed, compared):
            for group in _untied(tied, tie_breaks, sheet, metrics):
                rows += [
                    Row(
                        entrant=entrant,
                        rank=None if gone else rank,
                        points=points[entrant],
                        average=averages[entrant],
                        played=len(sheet.seats[entrant]),
                        byes=bye_counts[entrant],
                        metrics=metrics[entrant],
                        withdrawn=gone,
                    )
                    for entrant in group
                ]
                rank += len(group)
    return tuple(rows)


def _sheet(
    entrants: Sequence[EntrantId], results: Iterable[TableResult], lots: Mapping[EntrantId, int]
) -> Sheet:
    twice = duplicates(entrants)
    if twice:
        raise BadInput(f"entrant {twice[0]!r} is named twice; an entrant has one row")
    seats: dict[EntrantId, list[Seat]] = {entrant: [] for entrant in entrants}
    for result in results:
        for index, entrant in enumerate(result.seats):
            if entrant not in seats:
                raise BadInput(
                    f"round {result.round}, table {result.table}: {entrant!r} did not enter this"
                    " phase; the withdrawn must be named among the entrants too"
                )
            seats[entrant].append(Seat(result, index))
    return Sheet(seats, lots)


def _check_lots(
    entrants: Sequence[EntrantId], tie_breaks: Sequence[TieBreak], lots: Mapping[EntrantId, int]
) -> None:
    if not any(tie_break.key == "lot" for tie_break in tie_breaks):
        return
    missing = [entrant for entrant in entrants if entrant not in lots]
    if missing:
        raise BadInput(f"tie-break 'lot': entrant {missing[0]!r} has no lot; draw one for all")
    if len(set(lots.values())) < len(lots):
        raise BadInput("tie-break 'lot': two entrants have the same lot; draw a place for each")


def _untied(
    tied: Sequence[EntrantId],
    tie_breaks: Sequence[TieBreak],
    sheet: Sheet,
    metrics: Mapping[EntrantId, dict[str, Value]],
) -> Iterator[Sequence[EntrantId]]:
    """Yield the tied in groups that nothing separates, best first; note every value."""
    if not tie_breaks:
        yield tied
        return
    first, *others = tie_breaks
    values = first.values(tied, sheet)
    for entrant, value in values.items():
        metrics[entrant][first.key] = value
    for group in _split(tied, {e: _worth(v, first) for e, v in values.items()}):
        yield from _untied(group, others, sheet, metrics)


def _worth(value: Value, tie_break: TieBreak) -> Fraction:
    """Return a number that is higher for better values; all alike where nothing is said."""
    return Fraction(value or 0) * tie_break.direction.value


def _split(
    tied: Sequence[EntrantId], worth: Mapping[EntrantId, Fraction]
) -> Iterator[list[EntrantId]]:
    """Yield those of equal worth together, the best first, each group in the order given."""
    ordered = sorted(tied, key=lambda entrant: -worth[entrant])
    for _, group in groupby(ordered, key=lambda entrant: worth[entrant]):
        yield list(group)
