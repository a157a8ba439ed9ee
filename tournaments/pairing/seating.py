"""The best seating that can be found for a field; what "best" means: ``pairing.costs``."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tournaments.pairing.costs import Cost, Field
from tournaments.pairing.exact import EXACT_ENTRANTS, best_tables
from tournaments.pairing.layouts import Layout
from tournaments.pairing.matching import best_pairs
from tournaments.pairing.packing import Table
from tournaments.pairing.search import good_tables


@dataclass(frozen=True, slots=True)
class Seated:
    """A seating of a field."""

    tables: tuple[Table, ...]
    """Numbers in the order of the seats; the table with the highest score groups first."""
    cost: Cost
    proven: bool
    """Whether no seating of this field at tables of these sizes costs less."""


def seat(field: Field, split: Layout, random: Random) -> Seated:
    """Return a seating of the whole field; among seatings that cost the same it is a lot."""
    proven = True
    if split.size == 2:
        tables, proven = best_pairs(field, random)
    elif len(field) <= EXACT_ENTRANTS:
        tables = best_tables(field, split)
    else:
        tables, proven = good_tables(field, split, random), False
    tables.sort(key=lambda table: (sorted(field.groups[number] for number in table), table))
    seated = tuple(field.seated(table)[1] for table in tables)
    return Seated(seated, field.total(seated), proven)
