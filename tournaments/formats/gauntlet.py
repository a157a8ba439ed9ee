"""Gauntlet: one entrant, the challenger, meets the whole field, table after table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import BadInput
from engine.knobs import KnobSet, number
from engine.seeds import Words
from tournaments.formats.base import (
    Basis,
    EntrantId,
    History,
    Note,
    Pairing,
    Preview,
    check_entrants,
    drawn,
    without_absent,
)
from tournaments.formats.seen import fair_seats

MAX_ENTRANTS = 1_000
MAX_CHALLENGER = 1_000


@dataclass(frozen=True, slots=True)
class Options(KnobSet):
    """The knobs of a gauntlet."""

    table_size: int = number(2, 2, 5)
    """Seats at a table, one of them the challenger's."""
    meetings: int = number(1, 1, 50)
    """How often the challenger meets everybody."""
    challenger: int = number(1, 1, MAX_CHALLENGER)
    """Number of the challenger in the seeding: in the first phase the order of entry."""


class Gauntlet:
    """The format; see the module."""

    key = "gauntlet"
    name = "Gauntlet"
    options: type[KnobSet] = Options
    tie_breaks: tuple[str, ...] = ("wins", "score_share", "lot")
    takes_late = False
    takes_pairing = False

    def table_sizes(self, entrants: int, options: Options) -> tuple[int, ...]:
        """Return the sizes of tables, the larger first: they differ by at most 1.

        :raises BadInput: for a field that is too small or too large, or has no such challenger.
        """
        if not 2 <= entrants <= MAX_ENTRANTS:
            raise BadInput(f"a gauntlet takes 2 to {MAX_ENTRANTS} entrants, not {entrants}")
        if options.challenger > entrants:
            raise BadInput(
                f"challenger={options.challenger}, but there are {entrants} entrants;"
                f" it may be 1 to {entrants}"
            )
        return tuple(dict.fromkeys(size + 1 for size in _sizes(entrants, options)))

    def preview(self, entrants: int, options: Options) -> Preview:
        """Return what a gauntlet of so many entrants will take, if nobody withdraws.

        :raises BadInput: as :meth:`table_sizes`.
        """
        self.table_sizes(entrants, options)
        rounds = len(_sizes(entrants, options)) * options.meetings
        return Preview(rounds, rounds, rounds, (options.meetings, rounds), Basis.AVERAGE)

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Options, words: Words
    ) -> Pairing | None:
        """Return the next table, or None when all have been or the challenger has withdrawn.

        A table whose others have all withdrawn is passed over.

        :raises BadInput: as :meth:`table_sizes`, and for an entrant named twice or not at all.
        """
        check_entrants(entrants, history)
        self.table_sizes(len(entrants), options)
        challenger = entrants[options.challenger - 1]
        if challenger in history.withdrawn:
            return None
        field = list(drawn([entrant for entrant in entrants if entrant != challenger], words))
        groups = []
        for size in _sizes(len(entrants), options):
            groups.append(field[:size])
            del field[:size]
        plan = groups * options.meetings
        for this, group in enumerate(plan[history.last_round :], history.last_round + 1):
            if all(entrant in history.withdrawn for entrant in group):
                continue
            table = fair_seats([challenger, *group], history, options.table_size)
            pairing = without_absent(history, this, [table])
            about = Note(
                f"Table {this} of {len(plan)}: {{0}} against the field in an order drawn by lot.",
                (challenger,),
            )
            return Pairing(this, pairing.tables, pairing.byes, (about, *pairing.notes))
        return None

    def merits(self, entrants: Sequence[EntrantId], history: History, options: Options) -> None:
        """Points decide."""


GAUNTLET = Gauntlet()


def _sizes(entrants: int, options: Options) -> list[int]:
    """Return how many of the field sit at each table: as equal as can be, the larger first."""
    tables = -(-(entrants - 1) // (options.table_size - 1))
    size, more = divmod(entrants - 1, tables)
    return [size + (table < more) for table in range(tables)]
