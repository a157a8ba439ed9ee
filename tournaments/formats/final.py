"""Final: everybody at one table, usually the first few of the phase before."""

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

SEATS = 5
"""Seats of the largest table."""


@dataclass(frozen=True, slots=True)
class Options(KnobSet):
    """The knobs of a final."""

    rounds: int = number(1, 1, 20)
    """Games at the table, with the seats changed each time."""


class Final:
    """The format; see the module."""

    key = "final"
    name = "Final"
    options: type[KnobSet] = Options
    tie_breaks: tuple[str, ...] = ("wins", "score_share", "seed")
    takes_late = False
    takes_pairing = True

    def table_sizes(self, entrants: int, options: Options) -> tuple[int, ...]:
        """Return the size of the one table.

        :raises BadInput: for more entrants than a table has seats, or fewer than two.
        """
        if not 2 <= entrants <= SEATS:
            raise BadInput(
                f"a final is one table of 2 to {SEATS}, not of {entrants}; top says how many of"
                " the phase before take part, such as top = 4"
            )
        return (entrants,)

    def preview(self, entrants: int, options: Options) -> Preview:
        """Return what the final will take.

        :raises BadInput: as :meth:`table_sizes`.
        """
        self.table_sizes(entrants, options)
        rounds = options.rounds
        return Preview(rounds, rounds, rounds, (rounds, rounds), Basis.TOTAL)

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Options, words: Words
    ) -> Pairing | None:
        """Return the next game at the table, or None when all have been.

        :raises BadInput: as :meth:`table_sizes`, and for an entrant named twice or not at all.
        """
        check_entrants(entrants, history)
        self.table_sizes(len(entrants), options)
        this = history.last_round + 1
        present = [entrant for entrant in entrants if entrant not in history.withdrawn]
        if this > options.rounds or not present:
            return None
        table = fair_seats(drawn(entrants, words), history, len(entrants))
        pairing = without_absent(history, this, [table])
        about = Note(
            f"Game {this} of {options.rounds} of the final; "
            + (
                "seats were drawn by lot."
                if this == 1
                else "everybody has a seat held least often."
            )
        )
        return Pairing(this, pairing.tables, pairing.byes, (about, *pairing.notes))

    def merits(self, entrants: Sequence[EntrantId], history: History, options: Options) -> None:
        """Points decide."""


FINAL = Final()
