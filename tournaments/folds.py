"""What a tournament's log says: the fold of its lines.

Pairings and standings are made from this and from nothing else, so that what is stored in rows is
a projection: made anew from the log it must be equal. Entrants are player ids here, as in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.record import loads
from tournaments.formats.base import (
    Bye,
    ByeKind,
    Deals,
    EntrantId,
    History,
    Pairing,
    TableResult,
)

PLAYING, WITHDRAWN, DISQUALIFIED = "playing", "withdrawn", "disqualified"

Line = Mapping[str, Any]
"""A line of the log, read."""


@dataclass
class TableFold:
    """A table of a round."""

    game: str
    number: int
    """Number of the game in the tournament."""
    seats: tuple[str, ...]
    scores: tuple[int, ...] | None = None
    """Scores and ranks by seat once it is played, as last corrected."""
    ranks: tuple[int, ...] | None = None
    rotations: tuple[tuple[str, int], ...] = ()
    """Its further games on a duplicate board, each with its number in the tournament."""
    deals: tuple[Deals, ...] = ()
    """On a duplicate board, by rotation; empty elsewhere."""
    corrected: bool = False
    averaged: bool = False


@dataclass
class RoundFold:
    """A round that was paired."""

    tables: dict[int, TableFold]
    byes: dict[str, ByeKind]
    floats: dict[EntrantId, int]
    closed: bool = False


@dataclass(frozen=True)
class Proposal:
    """The organiser's own pairing of a round that has not started."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[Bye, ...]
    reason: str


@dataclass(frozen=True)
class Penalty:
    """Points taken away."""

    seq: int
    """Line of the log that did; its number for whoever lifts it."""
    player: str
    points: Fraction
    reason: str


@dataclass
class PhaseFold:
    """A phase, as far as it has come."""

    entrants: list[str] = field(default_factory=list)
    """In seed order."""
    lots: dict[EntrantId, int] = field(default_factory=dict)
    rounds: dict[int, RoundFold] = field(default_factory=dict)
    away: dict[int, dict[str, ByeKind]] = field(default_factory=dict)
    """By round not yet paired: who asked for a bye, or will be absent."""
    proposals: dict[int, Proposal] = field(default_factory=dict)
    penalties: dict[int, Penalty] = field(default_factory=dict)
    """By the line of the log; those lifted are gone."""
    started: bool = False
    closed: bool = False
    gone: dict[str, str] = field(default_factory=dict)
    """Who had left and how; frozen when the phase is closed."""

    @property
    def next_round(self) -> int:
        """Number of the round that has not been paired yet."""
        return max(self.rounds, default=0) + 1

    @property
    def byes(self) -> list[Bye]:
        """All byes of the phase, round by round."""
        return [Bye(p, kind) for of in self.rounds.values() for p, kind in of.byes.items()]

    @property
    def taken(self) -> dict[EntrantId, Fraction]:
        """Points taken away from each, where any are."""
        taken: dict[EntrantId, Fraction] = {}
        for penalty in self.penalties.values():
            taken[penalty.player] = taken.get(penalty.player, Fraction(0)) + penalty.points
        return taken

    def find(self, game: str) -> tuple[int, int, TableFold] | None:
        """Return the round, the number and the table at which a game counts, if it does."""
        for round_, of in self.rounds.items():
            for number, table in of.tables.items():
                if table.game == game:
                    return round_, number, table
        return None

    def results(self) -> list[TableResult]:
        """Return the results, in the order of rounds and tables."""
        return [
            TableResult(
                round_,
                number,
                table.seats,
                table.scores,
                table.ranks,
                deals=table.deals,
                corrected=table.corrected,
            )
            for round_, of in sorted(self.rounds.items())
            for number, table in sorted(of.tables.items())
            if table.scores is not None and table.ranks is not None
        ]

    def history(self) -> History:
        """Return what the phase has seen, without points and order."""
        return History(
            rounds=tuple(
                Pairing(
                    round_,
                    tuple(table.seats for _, table in sorted(of.tables.items())),
                    tuple(Bye(player, kind) for player, kind in of.byes.items()),
                    floats=dict(of.floats),
                )
                for round_, of in sorted(self.rounds.items())
            ),
            results=tuple(self.results()),
            withdrawn=frozenset(self.gone).intersection(self.entrants),
            away={
                player: kind
                for player, kind in self.away.get(self.next_round, {}).items()
                if player in self.entrants and player not in self.gone
            },
        )


@dataclass
class TournamentFold:
    """A tournament, as far as it has come."""

    entrants: dict[str, int] = field(default_factory=dict)
    """Number of entry of each player."""
    gone: dict[str, str] = field(default_factory=dict)
    """Who has left and how."""
    phases: dict[int, PhaseFold] = field(default_factory=dict)
    paused: bool = False
    cancelled: bool = False

    def phase(self, number: int) -> PhaseFold:
        """Return a phase, from 1."""
        return self.phases.setdefault(number, PhaseFold())

    @property
    def present(self) -> list[str]:
        """Everybody who has not left, in order of entry."""
        return [player for player in self.entrants if player not in self.gone]

    def apply(self, line: Line) -> None:
        """Take up one more line."""
        _APPLY.get(line["type"], _nothing)(self, line["data"], line["seq"])


def fold(bodies: Iterable[str]) -> TournamentFold:
    """Return the fold of a log's lines, given as they stand."""
    found = TournamentFold()
    for body in bodies:
        found.apply(loads(body))
    return found


_Data = Mapping[str, Any]


def _nothing(of: TournamentFold, data: _Data, seq: int) -> None:
    """Leave everything as it is: the line says nothing that counts."""


def _entered(of: TournamentFold, data: _Data, seq: int) -> None:
    of.entrants[data["player"]] = data["number"]
    _join(of, data)


def _join(of: TournamentFold, data: _Data) -> None:
    """Take up who comes to a phase that is being played, and the rounds that were missed."""
    if "phase" not in data:
        return
    phase = of.phase(data["phase"])
    if "lot" in data:
        phase.entrants.append(data["player"])
        phase.lots[data["player"]] = data["lot"]
    for round_ in data["missed"]:
        phase.rounds[round_].byes[data["player"]] = ByeKind.ZERO


def _gone(how: str) -> Any:
    def apply(of: TournamentFold, data: _Data, seq: int) -> None:
        of.gone[data["player"]] = how
        for phase in of.phases.values():
            if not phase.closed:
                phase.gone[data["player"]] = how

    return apply


def _returned(of: TournamentFold, data: _Data, seq: int) -> None:
    player = data["player"]
    del of.gone[player]
    for phase in of.phases.values():
        if not phase.closed:
            phase.gone.pop(player, None)
    _join(of, data)


def _phase_started(of: TournamentFold, data: _Data, seq: int) -> None:
    phase = of.phase(data["phase"])
    # Logs of before phases had fields of their own name everybody, in the lots alone.
    phase.entrants = list(data.get("entrants") or of.entrants)
    phase.lots = dict(data["lots"])
    phase.gone = dict(of.gone)
    phase.started = True


def _phase_closed(of: TournamentFold, data: _Data, seq: int) -> None:
    of.phase(data["phase"]).closed = True


def _paired(of: TournamentFold, data: _Data, seq: int) -> None:
    phase = of.phase(data["phase"])
    phase.rounds[data["round"]] = RoundFold(
        {
            table["table"]: TableFold(
                table["game"],
                table["number"],
                tuple(table["seats"]),
                rotations=tuple(
                    (further["game"], further["number"]) for further in table.get("rotations", ())
                ),
            )
            for table in data["tables"]
        },
        {bye["player"]: ByeKind(bye["kind"]) for bye in data.get("byes", ())},
        dict(data.get("floats", {})),
    )
    phase.away.pop(data["round"], None)
    phase.proposals.pop(data["round"], None)


def _table(of: TournamentFold, data: _Data) -> TableFold:
    return of.phase(data["phase"]).rounds[data["round"]].tables[data["table"]]


def _result(of: TournamentFold, data: _Data, seq: int) -> None:
    table = _table(of, data)
    table.scores, table.ranks = tuple(data["totals"]), tuple(data["ranks"])
    table.deals = tuple(
        Deals(
            tuple(None if scores is None else tuple(scores) for scores in deals["scores"]),
            tuple(deals["gone"]),
        )
        for deals in data.get("deals", ())
    )


def _corrected(of: TournamentFold, data: _Data, seq: int) -> None:
    table = _table(of, data)
    table.scores, table.ranks = tuple(data["totals"]), tuple(data["ranks"])
    table.corrected, table.averaged = bool(table.deals), False


def _averaged(of: TournamentFold, data: _Data, seq: int) -> None:
    """Let everybody at a table of a duplicate board be equal, with no deal to compare."""
    table = _table(of, data)
    table.scores, table.ranks = (0,) * len(table.seats), (1,) * len(table.seats)
    table.deals = (Deals(()),) * (1 + len(table.rotations))
    table.corrected, table.averaged = False, True


def _voided(of: TournamentFold, data: _Data, seq: int) -> None:
    for phase in of.phases.values():
        found = phase.find(data["game"])
        if found is not None:
            round_, _, table = found
            table.game, table.number = data["replaced_by"], data["number"]
            table.scores = table.ranks = None
            table.corrected = False
            phase.rounds[round_].closed = False


def _no_show(of: TournamentFold, data: _Data, seq: int) -> None:
    if data.get("forfeited"):
        return  # what the game says of it is its result
    round_ = of.phase(data["phase"]).rounds[data["round"]]
    table = round_.tables[data["table"]]
    round_.byes[data["player"]] = ByeKind.FORFEIT_LOSS
    left = tuple(player for player in table.seats if player != data["player"])
    if len(left) > 1:
        table.seats, table.game, table.number = left, data["replaced_by"], data["number"]
    else:
        del round_.tables[data["table"]]
        round_.byes[left[0]] = ByeKind.FORFEIT_WIN


def _round_closed(of: TournamentFold, data: _Data, seq: int) -> None:
    of.phase(data["phase"]).rounds[data["round"]].closed = True


def _penalised(of: TournamentFold, data: _Data, seq: int) -> None:
    penalty = Penalty(seq, data["player"], Fraction(data["points"]), data["reason"])
    of.phase(data["phase"]).penalties[seq] = penalty


def _penalty_lifted(of: TournamentFold, data: _Data, seq: int) -> None:
    of.phase(data["phase"]).penalties.pop(data["penalty"])


def _bye_requested(of: TournamentFold, data: _Data, seq: int) -> None:
    away = of.phase(data["phase"]).away.setdefault(data["round"], {})
    away[data["player"]] = ByeKind(data["kind"])


def _bye_cancelled(of: TournamentFold, data: _Data, seq: int) -> None:
    of.phase(data["phase"]).away[data["round"]].pop(data["player"])


def _pairing_set(of: TournamentFold, data: _Data, seq: int) -> None:
    of.phase(data["phase"]).proposals[data["round"]] = Proposal(
        tuple(map(tuple, data["tables"])),
        tuple(Bye(bye["player"], ByeKind(bye["kind"])) for bye in data["byes"]),
        data["reason"],
    )


def _pairing_dropped(of: TournamentFold, data: _Data, seq: int) -> None:
    of.phase(data["phase"]).proposals.pop(data["round"])


def _paused(of: TournamentFold, data: _Data, seq: int) -> None:
    of.paused = True


def _resumed(of: TournamentFold, data: _Data, seq: int) -> None:
    of.paused = False


def _cancelled(of: TournamentFold, data: _Data, seq: int) -> None:
    of.cancelled = True


_APPLY = {
    "entered": _entered,
    "withdrawn": _gone(WITHDRAWN),
    "disqualified": _gone(DISQUALIFIED),
    "returned": _returned,
    "phase_started": _phase_started,
    "phase_closed": _phase_closed,
    "paired": _paired,
    "result": _result,
    "corrected": _corrected,
    "averaged": _averaged,
    "voided": _voided,
    "no_show": _no_show,
    "round_closed": _round_closed,
    "penalised": _penalised,
    "penalty_lifted": _penalty_lifted,
    "bye_requested": _bye_requested,
    "bye_cancelled": _bye_cancelled,
    "pairing_set": _pairing_set,
    "pairing_dropped": _pairing_dropped,
    "paused": _paused,
    "resumed": _resumed,
    "cancelled": _cancelled,
}
