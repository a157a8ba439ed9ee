"""Tables of a tournament as pages show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from games.public import Remark
from tournaments.models import Place, Table
from tournaments.pages.remarks import remarks


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table with its places."""

    table: Table
    places: list[Place]
    """By rank once the table is played, else by seat."""
    open: bool
    """Whether anybody may look at its game."""
    notes: list[str]
    """Why those who sit there do."""
    forfeits: Mapping[tuple[UUID, int], str] = field(default_factory=dict)
    """Why seats of games forfeited, by game and seat."""
    remark: Remark | None = None
    """What the organiser made of its game; None where it counts as it was played."""

    @property
    def seats(self) -> list[tuple[Place, str]]:
        """The places, each with why it forfeited the table's game; empty if it did not."""
        game = self.table.game_id
        return [
            (place, self.forfeits.get((game, place.seat), "").replace("_", " "))
            for place in self.places
        ]

    @property
    def winners(self) -> list[Place]:
        """The places that won or share the win."""
        return [place for place in self.places if place.rank == 1]

    @property
    def others(self) -> list[Place]:
        """The places that did not win."""
        return [place for place in self.places if place.rank != 1]


def tables_as_shown(
    tables: Iterable[Table],
    notes: Mapping[int | None, list[str]] | None = None,
    forfeits: Mapping[tuple[UUID, int], str] | None = None,
) -> list[TableShown]:
    """Return tables, read by :func:`tournaments.selectors.tables_of`, for a page.

    :param notes: what is to be said of tables of one round, by their numbers.
    :param forfeits: why seats forfeited, by game and seat.
    """
    shown = list(tables)
    told = remarks(table.game_id for table in shown)
    return [
        _shown(
            table,
            (notes or {}).get(table.number, []),
            forfeits or {},
            told.get(table.game_id),
        )
        for table in shown
    ]


def _shown(
    table: Table,
    notes: list[str],
    forfeits: Mapping[tuple[UUID, int], str],
    remark: Remark | None,
) -> TableShown:
    places = list(table.places.all())
    if table.played:
        places.sort(key=lambda place: (place.rank or 0, place.seat))
    is_open = table.game.is_sealed or not table.game.shared_seed
    return TableShown(table, places, is_open, notes, forfeits, remark)
