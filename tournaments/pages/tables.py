"""Tables of a tournament as pages show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import Place, Table


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table with its places."""

    table: Table
    places: list[Place]
    """By rank once the table is played, else by seat."""
    open: bool
    """Whether anybody may look at its game."""

    @property
    def winners(self) -> list[Place]:
        """The places that won or share the win."""
        return [place for place in self.places if place.rank == 1]

    @property
    def others(self) -> list[Place]:
        """The places that did not win."""
        return [place for place in self.places if place.rank != 1]


def tables_as_shown(tables: Iterable[Table]) -> list[TableShown]:
    """Return tables, read by :func:`tournaments.selectors.tables_of`, for a page."""
    return [_shown(table) for table in tables]


def _shown(table: Table) -> TableShown:
    places = list(table.places.all())
    if table.played:
        places.sort(key=lambda place: (place.rank or 0, place.seat))
    return TableShown(table, places, table.game.is_sealed or not table.game.shared_seed)
