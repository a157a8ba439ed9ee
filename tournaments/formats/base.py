"""What every format shares: entrants, tables, results, rounds and the protocol itself.

A *format* decides who sits where in a *phase* (a part of a tournament with one format). It is a
value with pure functions: no database, no clock, no global random. The registry is
:mod:`tournaments.formats`; :class:`Format` tells how to write one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from engine.errors import BadInput
from engine.knobs import KnobSet
from engine.seeds import Words

EntrantId: TypeAlias = int | str
"""A player in a tournament, by an id that means nothing here."""
Seating: TypeAlias = tuple[EntrantId, ...]
"""The entrants of a table in the order of its seats."""


class ByeKind(StrEnum):
    """Why an entrant has no table in a round that counts for it: five different things."""

    ALLOCATED = "allocated"
    """The pairing had no place left."""
    REQUESTED = "requested"
    """Asked for beforehand."""
    FORFEIT_WIN = "forfeit_win"
    """Nobody came to play against."""
    FORFEIT_LOSS = "forfeit_loss"
    """Did not come to play."""
    ZERO = "zero"
    """Absent without having asked, or entered late."""


@dataclass(frozen=True, slots=True)
class Bye:
    """A round that counts for an entrant without a game."""

    entrant: EntrantId
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence that explains a round or one of its tables."""

    text: str
    """The sentence; ``{0}``, ``{1}`` … stand for the names of ``entrants``."""
    entrants: tuple[EntrantId, ...] = ()
    """Whom the sentence names."""
    table: int | None = None
    """Number of the table it is about, from 1; None for the whole round."""

    def say(self, names: Mapping[EntrantId, str]) -> str:
        """Return the sentence with the names of the entrants.

        >>> Note("{0} rests", (7,)).say({7: "Ada"})
        'Ada rests'
        """
        return self.text.format(*(names[entrant] for entrant in self.entrants))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who sits where in one round."""

    round: int
    """Number of the round in its phase, from 1."""
    tables: tuple[Seating, ...]
    """Table 1, 2, …"""
    byes: tuple[Bye, ...] = ()
    """Those for whom the round counts without a game; whoever merely rests is not named."""
    notes: tuple[Note, ...] = ()
    """Why it is so."""
    floats: Mapping[EntrantId, int] = field(default_factory=dict)
    """By how many score groups each floated, down being positive; who did not is not named."""

    def __post_init__(self) -> None:
        busy = [entrant for table in self.tables for entrant in table]
        busy += [bye.entrant for bye in self.byes]
        twice = duplicates(busy)
        if twice:
            raise BadInput(f"round {self.round}: {_listed(twice)} would play twice in it")


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals of a game on a duplicate board."""

    scores: tuple[tuple[int, ...] | None, ...]
    """Scores of each deal by the seats of that game; None where it was not played to the end by
    all who began, so that it cannot be compared."""
    gone: tuple[int, ...] = ()
    """Seats of that game that forfeited."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """How the game of one table came out. An aborted game has no result."""

    round: int
    """Number of the round in its phase, from 1."""
    table: int
    """Number of the table in its round, from 1."""
    seats: Seating
    """Who sat there."""
    scores: tuple[int, ...]
    """Game scores by seat, as the game counted them."""
    ranks: tuple[int, ...]
    """Places by seat: 1 is the winner, equal places share the better number (1, 1, 3)."""
    points: tuple[Fraction, ...] = ()
    """What a scheme makes of it, by seat; empty until one has (``standings.schemes.priced``)."""
    deals: tuple[Deals, ...] = ()
    """On duplicate boards its deals, by rotation: in rotation k entrant i has seat i + k."""
    corrected: bool = False
    """Whether the scores are no longer those of the deals."""

    def __post_init__(self) -> None:
        where = f"round {self.round}, table {self.table}"
        if len(self.seats) < 2:
            raise BadInput(f"{where}: a result needs at least 2 seats, not {len(self.seats)}")
        twice = duplicates(self.seats)
        if twice:
            raise BadInput(f"{where}: {_listed(twice)} cannot have two seats of one table")
        for name in ("scores", "ranks", "points"):
            values = getattr(self, name)
            if len(values) != len(self.seats) and (values or name != "points"):
                raise BadInput(
                    f"{where}: {len(values)} {name} for {len(self.seats)} seats; give one a seat"
                )
        proper = tuple(1 + sum(other < rank for other in self.ranks) for rank in self.ranks)
        if self.ranks != proper:
            raise BadInput(
                f"{where}: ranks {self.ranks} are not places counted from 1 with equal places"
                f" sharing the better number; in that order they would be {proper}"
            )


@dataclass(frozen=True, slots=True)
class History:
    """What a phase has seen so far."""

    rounds: tuple[Pairing, ...] = ()
    """Every round paired, in order; the organiser may have changed some."""
    results: tuple[TableResult, ...] = ()
    """Every result, with points, in any order."""
    withdrawn: Collection[EntrantId] = frozenset()
    """Entrants who are not to be seated any more."""
    away: Mapping[EntrantId, ByeKind] = field(default_factory=dict)
    """Entrants who are not to be seated in the next round, and what it counts as for them."""
    points: Mapping[EntrantId, Fraction] = field(default_factory=dict)
    """Points so far, with byes and penalties, as the standings count them; who has none is 0."""
    order: Sequence[EntrantId] = ()
    """Everybody in the order of the standings, the best first; empty where there are none."""

    @property
    def last_round(self) -> int:
        """Number of the last round paired, 0 before the first."""
        return self.rounds[-1].round if self.rounds else 0


class Basis(StrEnum):
    """What entrants of a phase are compared by."""

    TOTAL = "total"
    """The sum of their points."""
    AVERAGE = "average"
    """Their points a game, since by plan some have more games than others."""
    REACHED = "reached"
    """The last round they reached, and whom of their table they left behind in it."""
    RUNG = "rung"
    """Their rung on the ladder, counted from the bottom."""


@dataclass(frozen=True, slots=True)
class Preview:
    """How much a phase will take, told to the organiser before anything is started."""

    rounds: int
    tables: int
    """Tables in all rounds together."""
    games: int
    """Games at all tables together."""
    games_each: tuple[int, int]
    """Fewest and most games of one entrant."""
    basis: Basis
    """How the standings of the phase are to compare entrants."""
    lower_bound: int | None = None
    """Number of tables that no schedule could go below, where one is known."""


class Format(Protocol):
    """A way to run a phase, as a value.

    A new format is one file beside this one and one line in the registry. The same arguments must
    always give the same answer, so everything random comes from ``words`` and nothing depends on
    the order of a set. ``words`` begin anew at every call: the phase's own, the same each time.
    """

    key: str
    """Stable key, such as ``"round_robin"``."""
    name: str
    """Name for people."""
    options: type[KnobSet]
    """The knobs; :func:`engine.knobs.parse` reads them."""
    tie_breaks: tuple[str, ...]
    """Keys of the tie-breaks where the organiser chooses none."""
    takes_late: bool
    """Whether somebody may still enter when rounds have been paired."""
    takes_pairing: bool
    """Whether the organiser may pair a round: the rounds after it do not follow from a plan."""

    def table_sizes(self, entrants: int, options: Any) -> tuple[int, ...]:
        """Return the sizes of the tables that a phase of so many entrants has; quick.

        :raises BadInput: for a field that cannot be seated, naming what would work.
        """

    def preview(self, entrants: int, options: Any) -> Preview:
        """Return what a phase of so many entrants will take.

        :raises BadInput: as :meth:`table_sizes`.
        """

    def pair(
        self, entrants: Sequence[EntrantId], history: History, options: Any, words: Words
    ) -> Pairing | None:
        """Return the next round, or None when the phase is complete.

        :param entrants: everybody who entered the phase, also the withdrawn, in seed order.
        :raises BadInput: as :meth:`table_sizes`, and for an entrant named twice or not at all.
        """

    def merits(
        self, entrants: Sequence[EntrantId], history: History, options: Any
    ) -> Mapping[EntrantId, Fraction] | None:
        """Return what entrants are compared by before their points, the higher the better.

        None where points decide; then ``Preview.basis`` is the total or the average.
        """


def drawn(entrants: Iterable[EntrantId], words: Words) -> tuple[EntrantId, ...]:
    """Return the entrants in an order drawn by lot, each order with the same chance."""
    order = list(entrants)
    for i in range(len(order) - 1, 0, -1):
        j = words.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def listed(entrants: Sequence[EntrantId], first: int = 0) -> str:
    """Return the placeholders of so many entrants for the text of a :class:`Note`.

    >>> listed("abc")
    '{0}, {1} and {2}'
    """
    marks = [f"{{{i}}}" for i in range(first, first + len(entrants))]
    return " and ".join(filter(None, (", ".join(marks[:-1]), *marks[-1:])))


def without_absent(history: History, round_: int, seatings: Iterable[Seating]) -> Pairing:
    """Return a planned round without those who are not there.

    The others at their tables play on; whoever is left alone has a forfeit win.
    """
    tables: list[Seating] = []
    byes: list[Bye] = []
    notes: list[Note] = []
    for seating in seatings:
        present = tuple(e for e in seating if e not in history.withdrawn and e not in history.away)
        byes += [Bye(e, history.away[e]) for e in seating if e in history.away]
        if len(present) > 1:
            tables.append(present)
            notes += [
                Note(
                    "{0} has withdrawn; the others play without."
                    if entrant in history.withdrawn
                    else "{0} is away; the others play without.",
                    (entrant,),
                    len(tables),
                )
                for entrant in seating
                if entrant not in present
            ]
        elif present:
            byes.append(Bye(present[0], ByeKind.FORFEIT_WIN))
            missing = "are away" if any(e in history.away for e in seating) else "have withdrawn"
            notes.append(Note(f"{{0}} has a forfeit win: all others {missing}.", present))
    return Pairing(round_, tuple(tables), tuple(byes), tuple(notes))


def placed(result: TableResult, seeds: Mapping[EntrantId, int]) -> list[EntrantId]:
    """Return those who sat at a table, the best first; equal places go by the seeding."""
    by_rank = zip(result.ranks, result.seats, strict=True)
    return [e for _, e in sorted(by_rank, key=lambda one: (one[0], seeds[one[1]]))]


def duplicates(entrants: Iterable[EntrantId]) -> list[EntrantId]:
    """Return whoever stands more than once among the entrants."""
    seen: set[EntrantId] = set()
    twice: dict[EntrantId, None] = {}
    for entrant in entrants:
        if entrant in seen:
            twice[entrant] = None
        seen.add(entrant)
    return list(twice)


def check_entrants(entrants: Sequence[EntrantId], history: History) -> None:
    """Check that everybody stands once among the entrants, and nobody else in the history.

    :raises BadInput: naming those who do not.
    """
    twice = duplicates(entrants)
    if twice:
        raise BadInput(f"{_listed(twice)} entered twice; an entrant has one place in a phase")
    known = set(entrants)
    named = [entrant for pairing in history.rounds for table in pairing.tables for entrant in table]
    named += [*history.withdrawn, *history.away]
    strangers = dict.fromkeys(entrant for entrant in named if entrant not in known)
    if strangers:
        raise BadInput(f"{_listed(strangers)} did not enter this phase; name all who ever did")


def _listed(entrants: Iterable[EntrantId]) -> str:
    return "entrant " + ", ".join(map(repr, entrants))
