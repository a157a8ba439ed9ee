"""What entrants have seen in a phase so far, in the terms of :mod:`tournaments.pairing.costs`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from tournaments.formats.base import EntrantId, History, Seating
from tournaments.pairing.costs import Field, floats_of


def points_of(entrant: EntrantId, history: History) -> Fraction:
    """Return an entrant's points so far."""
    return history.points.get(entrant, Fraction(0))


def score_groups(entrants: Sequence[EntrantId], history: History) -> dict[EntrantId, int]:
    """Return the score group of each, counted from 0 for the most points."""
    points = {entrant: points_of(entrant, history) for entrant in entrants}
    numbers = {of: number for number, of in enumerate(sorted(set(points.values()), reverse=True))}
    return {entrant: numbers[of] for entrant, of in points.items()}


def floats(tables: Iterable[Seating], history: History) -> dict[EntrantId, int]:
    """Return by how many score groups each of those seated floats, down being positive.

    The score groups are those of all who are seated; who does not float is not named.
    """
    tables = list(tables)
    groups = score_groups([entrant for table in tables for entrant in table], history)
    found: dict[EntrantId, int] = {}
    for table in tables:
        steps = floats_of([groups[entrant] for entrant in table])
        found |= {entrant: by for entrant, by in zip(table, steps, strict=True) if by}
    return found


def seen(entrants: Sequence[EntrantId], history: History, size: int) -> Field:
    """Return what entrants have seen, each by the number of its place among them.

    :param size: seats of a full table.
    """
    numbers = {entrant: number for number, entrant in enumerate(entrants)}
    groups = score_groups(entrants, history)
    met: list[Counter[int]] = [Counter() for _ in entrants]
    held = [[0] * size for _ in entrants]
    down, up = [0] * len(entrants), [0] * len(entrants)
    for pairing in history.rounds:
        for table in pairing.tables:
            here = [numbers[entrant] for entrant in table if entrant in numbers]
            for number in here:
                met[number].update(other for other in here if other != number)
            for seat, entrant in enumerate(table[:size]):
                if entrant in numbers:
                    held[numbers[entrant]][seat] += 1
        for entrant, by in pairing.floats.items():
            if entrant in numbers:
                (down if by > 0 else up)[numbers[entrant]] += 1
    return Field([groups[entrant] for entrant in entrants], met, down, up, held)


def fair_seats(table: Sequence[EntrantId], history: History, size: int) -> Seating:
    """Return those of a table in the order of seats that each has held least often."""
    _, order = seen(table, history, size).seated(tuple(range(len(table))))
    return tuple(table[number] for number in order)


def seeding(entrants: Sequence[EntrantId]) -> Mapping[EntrantId, int]:
    """Return the place of each in the seeding, from 1."""
    return {entrant: place for place, entrant in enumerate(entrants, 1)}
