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
from tournaments.standings.metrics import TieBreak
from tournaments.standings.schemes import BYE_POINTS, Scheme, priced
from tournaments.standings.sheet import Seat, Sheet, Value


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's line in the standings."""

    entrant: EntrantId
    rank: int | None
    """Place from 1; equal places share the better number; None for the withdrawn."""
    merit: Fraction | None
    """What comes before the points, in formats where something does."""
    points: Fraction
    """Sum of the points of games and byes, less penalties."""
    average: Fraction
    """Points a game or bye; 0 before the first."""
    played: int
    """Games that came out."""
    byes: int
    """Rounds that counted without a game."""
    penalty: Fraction
    """Points taken away."""
    metrics: Mapping[str, Value]
    """Value of every tie-break by its key, in their order; None where it says nothing."""
    bye_decided: tuple[str, ...]
    """Tie-breaks that parted the entrant from others by a bye: of one of them, or of an opponent
    without whose bye they would come out otherwise."""
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
    penalties: Mapping[EntrantId, Fraction] | None = None,
    merits: Mapping[EntrantId, Fraction] | None = None,
) -> tuple[Row, ...]:
    """Return the rows of a phase in order.

    :param entrants: all of the phase in seed order; among equals they are listed in this order.
    :param results: one for each game that came out, in any order; their points are made anew.
    :param lots: the recorded drawing of lots, wanted only by the tie-break ``lot``.
    :param basis: what entrants are compared by (``Preview.basis``).
    :param penalties: points to be taken away.
    :param merits: what the format compares entrants by (``Format.merits``), where it does.
    :raises BadInput: for an entrant named twice, a result or bye of somebody who did not enter, two
        results of one table, or a missing or doubled lot.
    """
    sheet = _sheet(entrants, priced(results, scheme), byes, bye_points, lots or {})
    taken = {entrant: (penalties or {}).get(entrant, Fraction(0)) for entrant in entrants}
    points = {entrant: total - taken[entrant] for entrant, total in sheet.points.items()}
    averages = {
        entrant: total / max(1, len(sheet.seats[entrant]) + len(sheet.byes[entrant]))
        for entrant, total in points.items()
    }
    compared = merits or (averages if basis is Basis.AVERAGE else points)
    _check_lots(entrants, tie_breaks, sheet.lots)

    rows: list[Row] = []
    for gone in (False, True):
        listed = [entrant for entrant in entrants if (entrant in withdrawn) == gone]
        notes = {entrant: _Notes({}, []) for entrant in listed}
        rank = 1
        for tied in _split(listed, {entrant: (of,) for entrant, of in compared.items()}):
            for group in _untied(tied, tie_breaks, sheet, notes):
                rows += [
                    Row(
                        entrant=entrant,
                        rank=None if gone else rank,
                        merit=merits[entrant] if merits else None,
                        points=points[entrant],
                        average=averages[entrant],
                        played=len(sheet.seats[entrant]),
                        byes=len(sheet.byes[entrant]),
                        penalty=taken[entrant],
                        metrics=notes[entrant].metrics,
                        bye_decided=tuple(notes[entrant].bye_decided),
                        withdrawn=gone,
                    )
                    for entrant in group
                ]
                rank += len(group)
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Notes:
    """What is noted of an entrant while ties are broken."""

    metrics: dict[str, Value]
    bye_decided: list[str]


def _sheet(
    entrants: Sequence[EntrantId],
    results: Iterable[TableResult],
    byes: Iterable[Bye],
    bye_points: Mapping[ByeKind, Fraction],
    lots: Mapping[EntrantId, int],
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
    without: dict[EntrantId, list[ByeKind]] = {entrant: [] for entrant in entrants}
    for bye in byes:
        if bye.entrant not in without:
            raise BadInput(f"a bye of {bye.entrant!r}, who did not enter this phase")
        without[bye.entrant].append(bye.kind)
    points = {
        entrant: sum((seat.points for seat in seats[entrant]), Fraction(0))
        + sum((bye_points[kind] for kind in without[entrant]), Fraction(0))
        for entrant in entrants
    }
    seeds = {entrant: place for place, entrant in enumerate(entrants, 1)}
    return Sheet(seats, without, points, lots, seeds)


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
    notes: Mapping[EntrantId, _Notes],
) -> Iterator[Sequence[EntrantId]]:
    """Yield the tied in groups that nothing separates, best first; note every value."""
    if not tie_breaks:
        yield tied
        return
    first, *others = tie_breaks
    values = first.values(tied, sheet)
    for entrant, value in values.items():
        notes[entrant].metrics[first.key] = value
    groups = _groups(values, first)
    if len(groups) > 1 and first.counts_byes:
        own = any(sheet.byes[entrant] for entrant in tied)
        if own or _groups(first.values(tied, sheet.without_byes), first) != groups:
            for entrant in tied:
                notes[entrant].bye_decided.append(first.key)
    for group in groups:
        yield from _untied(group, others, sheet, notes)


def _groups(values: Mapping[EntrantId, Value], tie_break: TieBreak) -> list[list[EntrantId]]:
    """Return those with equal values together, the best first."""
    worth = {entrant: _worth(value, tie_break) for entrant, value in values.items()}
    return list(_split(list(values), worth))


def _worth(value: Value, tie_break: TieBreak) -> tuple[Fraction, ...]:
    """Return numbers that are higher for better values; all alike where nothing is said."""
    several = value if isinstance(value, tuple) else (Fraction(value or 0),)
    return tuple(part * tie_break.direction.value for part in several)


def _split(
    tied: Sequence[EntrantId], worth: Mapping[EntrantId, tuple[Fraction, ...]]
) -> Iterator[list[EntrantId]]:
    """Yield those of equal worth together, the best first, each group in the order given."""
    ordered = sorted(tied, key=lambda entrant: worth[entrant], reverse=True)
    for _, group in groupby(ordered, key=lambda entrant: worth[entrant]):
        yield list(group)
