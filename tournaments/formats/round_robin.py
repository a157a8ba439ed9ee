"""Round robin: everybody meets everybody, in as few tables as a bounded search finds.

At tables of two the Berger tables; at larger ones a covering of all pairs by tables
(:mod:`tournaments.pairing.covering`). Which number an entrant has in it is drawn by lot.

Every table is full: a short one never saves a table, and makes tables incomparable. Only a field
of one less than a table plays short, all together. So most fields cannot all have the same number
of games; then the standings go by the average (``Preview.basis``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
    listed,
    without_absent,
)
from tournaments.pairing.covering import lower_bound
from tournaments.pairing.plans import Plan, plan

MAX_ENTRANTS = 300
"""Largest field; its schedule takes a few seconds."""
MAX_TABLES = 50_000
"""Most tables of a schedule: 300 entrants at tables of two need 44,850."""


@dataclass(frozen=True, slots=True)
class Options(KnobSet):
    """The knobs of a round robin."""

    table_size: int = number(4, 2, 5)
    """Seats at a table."""
    meetings: int = number(1, 1, 10)
    """How often every two entrants meet at least."""


class RoundRobin:
    """The format; see the module."""

    key = "round_robin"
    name = "Round robin"
    options: type[KnobSet] = Options
    tie_breaks: tuple[str, ...] = ("wins", "direct", "score_share", "lot")
    takes_late = False
    takes_pairing = True

    def table_sizes(self, entrants: int, options: Options) -> tuple[int, ...]:
        """Return the one size of all tables: ``table_size``, or one less if that is the field.

        :raises BadInput: for a field that is too small or too large, naming what would work.
        """
        _check_field(entrants, options)
        return (min(entrants, options.table_size),)

    def preview(self, entrants: int, options: Options) -> Preview:
        """Return what a phase of so many entrants will take; exactly, if nobody withdraws.

        :raises BadInput: as :meth:`table_sizes`.
        """
        schedule = _schedule(entrants, options)
        fewest, most = schedule.games_each
        return Preview(
            rounds=len(schedule.rounds),
            tables=schedule.tables,
            games=schedule.tables,
            games_each=(fewest, most),
            basis=Basis.TOTAL if fewest == most else Basis.AVERAGE,
            lower_bound=schedule.lower_bound,
        )

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Options, words: Words
    ) -> Pairing | None:
        """Return the next round of the schedule, or None when all have been paired.

        Whoever has withdrawn or is away is not seated: the others at the table play on, and one
        who is left alone has a forfeit win. A round in which nobody would be left is skipped.

        :raises BadInput: for a field that cannot be seated or an entrant named twice or not at all.
        """
        check_entrants(entrants, history)
        schedule = _schedule(len(entrants), options)
        order = drawn(entrants, words)
        done = history.last_round
        for number_, tables in enumerate(schedule.rounds[done:], start=done + 1):
            seatings = [tuple(order[i] for i in table) for table in tables]
            pairing = without_absent(history, number_, seatings)
            if pairing.tables or pairing.byes:
                about = _about(number_, schedule, len(entrants), options)
                resting = _resting(entrants, history, pairing)
                return replace(pairing, notes=(*about, *resting, *pairing.notes))
        return None

    def merits(self, entrants: Sequence[EntrantId], history: History, options: Options) -> None:
        """Points decide."""


ROUND_ROBIN = RoundRobin()


def _schedule(entrants: int, options: Options) -> Plan:
    _check_field(entrants, options)
    return plan(entrants, options.table_size, options.meetings)


def _check_field(entrants: int, options: Options) -> None:
    size, meetings = options.table_size, options.meetings
    if entrants < 2:
        raise BadInput(f"a round robin needs at least 2 entrants, not {entrants}")
    if entrants < size - 1:
        raise BadInput(
            f"{entrants} entrants do not fill a table of {size};"
            f" table_size may be 2 to {entrants + 1}, or {size - 1} or more must enter"
        )
    if entrants > MAX_ENTRANTS:
        raise BadInput(
            f"a round robin takes at most {MAX_ENTRANTS} entrants, not {entrants};"
            " everybody would play nearly everybody, so split the field"
        )
    possible = meetings
    while entrants >= size and lower_bound(entrants, size, possible) > MAX_TABLES:
        possible -= 1
    if possible < meetings:
        raise BadInput(
            f"meetings={meetings} of {entrants} entrants at tables of {size} takes more than"
            f" {MAX_TABLES} tables; meetings may be 1 to {possible}"
        )


def _about(round_: int, schedule: Plan, entrants: int, options: Options) -> tuple[Note, ...]:
    often = "once" if options.meetings == 1 else f"{options.meetings} times"
    about = Note(
        f"Round {round_} of {len(schedule.rounds)}: every two of {entrants} entrants meet at least"
        f" {often}, in {schedule.tables} tables (fewer than {schedule.lower_bound} are impossible);"
        " the places in the schedule were drawn by lot."
    )
    fewest, most = schedule.games_each
    if fewest == most:
        return (about,)
    return about, Note(
        f"Entrants have {fewest} to {most} games each, so the standings go by points a game."
    )


def _resting(entrants: Sequence[EntrantId], history: History, pairing: Pairing) -> tuple[Note, ...]:
    busy = {entrant for table in pairing.tables for entrant in table}
    busy.update(bye.entrant for bye in pairing.byes)
    resting = tuple(e for e in entrants if e not in busy and e not in history.withdrawn)
    if not resting:
        return ()
    return (Note(f"Without a table in this round: {listed(resting)}.", resting),)
