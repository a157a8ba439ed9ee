"""A tournament's log in plain words, each with its raw line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.record import loads
from tournaments.formats import find_format
from tournaments.models import Bye, Event
from tournaments.schedule import PACE_WORDS, Pace, in_words
from tournaments.selectors import names_of
from tournaments.standings.metrics import find_tie_break

SHOWN_TABLES = 4
"""Tables of a round that are told one by one."""
RUN = (
    "phase_started",
    "paired",
    "result",
    "round_closed",
    "phase_closed",
    "start_failed",
    "ended",
    "seed_revealed",
)
"""Lines that a tournament writes by itself as it goes on; all others say what somebody did."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the log."""

    seq: int
    at: datetime
    words: str
    game: str | None
    """The game that the line is about, where there is one."""
    by: str | None
    """The player who acted, by id; None where the tournament itself did, or its operator."""
    raw: str


_Names = Mapping[str, str]
"""Names of players by id."""


def told(events: Iterable[Event]) -> list[Told]:
    """Return lines of a log in words; players are named by one query."""
    lines = [(event, loads(event.body)) for event in events]
    ids = {player for _, line in lines for player in _players(line)}
    names = names_of(ids)
    return [
        Told(
            seq=event.seq,
            at=datetime.fromisoformat(line["at"]),
            words=_sentence(line, names),
            game=line["data"].get("game"),
            by=line.get("by"),
            raw=event.body,
        )
        for event, line in lines
    ]


def _players(line: Mapping[str, Any]) -> list[str]:
    """Return the ids of the players that the words of a line name."""
    data = line["data"]
    named = [data.get("player"), line.get("by"), *data.get("seats", [])]
    for table in data.get("tables", [])[:SHOWN_TABLES]:
        named += table["seats"] if isinstance(table, dict) else table
    named += [bye["player"] for bye in data.get("byes", [])[:SHOWN_TABLES]]
    named += [row["player"] for row in data.get("standings", [])[:3]]
    return [player for player in named if player]


def _sentence(line: Mapping[str, Any], names: _Names) -> str:
    tell = _TELLERS.get(line["type"])
    if tell is None:
        words = line["type"].replace("_", " ").capitalize() + "."
    else:
        words = tell(line["data"], names)
    by = line.get("by")
    return f"{words} (by {_name(by, names)})" if by else words


def _name(player: str, names: _Names) -> str:
    return names.get(player, "somebody")


def _created(data: Mapping[str, Any], names: _Names) -> str:
    formats = ", then ".join(find_format(p["format"]).name.lower() for p in data["phases"])
    ties = ", ".join(find_tie_break(key).name.lower() for key in data["phases"][0]["tie_breaks"])
    practice = " A practice tournament: its seed was given beforehand." * data["practice"]
    schedule = data.get("schedule") or {"start": None}  # logs of before there was one
    at = ""
    if schedule["start"]:
        moment = datetime.fromisoformat(schedule["start"])
        at = f" It starts at {in_words(moment, schedule['zone'])}."
    return (
        f"Created as a {formats}; ties are broken by {ties}. The secret seed is committed to."
        f"{at}{practice}"
    )


def _entered(data: Mapping[str, Any], names: _Names) -> str:
    entered = f"{_name(data['player'], names)} entered as number {data['number']}"
    if "missed" not in data:
        return f"{entered}."
    return f"{entered}, late{_missed(data)}."


def _missed(data: Mapping[str, Any]) -> str:
    missed = data["missed"]
    if not missed:
        return ""
    rounds = f"round{'s' * (len(missed) > 1)} {', '.join(map(str, missed))}"
    return f"; {rounds} of phase {data['phase']} count as absent"


def _because(data: Mapping[str, Any]) -> str:
    return f": {data['reason']}" if data.get("reason") else ""


def _withdrawn(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} withdrew{_because(data)}."


def _disqualified(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} was disqualified{_because(data)}."


def _returned(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} returned{_missed(data)}."


def _started(data: Mapping[str, Any], names: _Names) -> str:
    return f"Started with {data['entrants']} entrants."


def _phase_started(data: Mapping[str, Any], names: _Names) -> str:
    field = len(data["lots"])
    return f"Phase {data['phase']} began with {field} entrants; lots were drawn from the seed."


def _paired(data: Mapping[str, Any], names: _Names) -> str:
    shown = [table["seats"] for table in data["tables"]]
    words = _tables(shown, data.get("byes", []), names)
    return f"Round {data['round']} of phase {data['phase']} was paired: {words}."


def _pairing_set(data: Mapping[str, Any], names: _Names) -> str:
    words = _tables(data["tables"], data["byes"], names)
    where = f"Round {data['round']} of phase {data['phase']}"
    return f"{where} will be paired by hand: {words}{_because(data)}."


def _tables(
    tables: Sequence[Sequence[str]], byes: Sequence[Mapping[str, str]], names: _Names
) -> str:
    """Return the first tables and byes of a pairing in words, and how many more there are."""
    parts = [
        f"table {number}: " + ", ".join(_name(player, names) for player in seats)
        for number, seats in enumerate(tables[:SHOWN_TABLES], 1)
    ]
    more = len(tables) - SHOWN_TABLES
    if more > 0:
        parts.append(f"and {more} more table{'s' * (more > 1)}")
    parts += [
        f"{Bye.Kind(bye['kind']).label} for {_name(bye['player'], names)}"
        for bye in byes[:SHOWN_TABLES]
    ]
    more = len(byes) - SHOWN_TABLES
    if more > 0:
        parts.append(f"and {more} more bye{'s' * (more > 1)}")
    return "; ".join(parts)


def _pairing_dropped(data: Mapping[str, Any], names: _Names) -> str:
    return f"The pairing by hand of round {data['round']} of phase {data['phase']} was dropped."


def _result(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_where(data)} is played: {_places(data, names)}."


def _corrected(data: Mapping[str, Any], names: _Names) -> str:
    before = _places({**data, **data["was"]}, names)
    return f"{_where(data)} was corrected to {_places(data, names)} from {before}{_because(data)}."


def _where(data: Mapping[str, Any]) -> str:
    return f"Round {data['round']}, table {data['table']}"


def _places(data: Mapping[str, Any], names: _Names) -> str:
    seats = sorted(zip(data["ranks"], data["totals"], data["seats"], strict=True))
    return ", ".join(
        f"{rank}. {_name(player, names)} with {total}" for rank, total, player in seats
    )


def _voided(data: Mapping[str, Any], names: _Names) -> str:
    again = f"is played again as game number {data['number']}"
    if data["reason"] == "aborted":
        return f"A game was called off and {again}."
    return f"{_where(data)}: the game was voided and {again}{_because(data)}."


def _averaged(data: Mapping[str, Any], names: _Names) -> str:
    off = "was called off" if data["reason"] == "aborted" else f"was voided{_because(data)}"
    return f"{_where(data)} {off}; everybody there has the average on its deals."


def _no_show(data: Mapping[str, Any], names: _Names) -> str:
    absent = f"{_name(data['player'], names)} has a forfeit loss{_because(data)}"
    if data.get("forfeited"):
        return f"{_where(data)}: {absent}; the others have the average on the deals left."
    if "number" in data:
        return f"{_where(data)}: {absent}; the others play as game number {data['number']}."
    return f"{_where(data)}: {absent}; the opponent has a forfeit win."


def _penalised(data: Mapping[str, Any], names: _Names) -> str:
    points = f"{data['points']} point{'s' * (data['points'] != '1')}"
    return (
        f"{_name(data['player'], names)} loses {points} in phase {data['phase']}{_because(data)}."
    )


def _penalty_lifted(data: Mapping[str, Any], names: _Names) -> str:
    return (
        f"The penalty of line {data['penalty']} was lifted: {_name(data['player'], names)} has"
        f" {data['points']} back{_because(data)}."
    )


def _bye_requested(data: Mapping[str, Any], names: _Names) -> str:
    will = "asks for a bye" if data["kind"] == "requested" else "will be absent"
    return (
        f"{_name(data['player'], names)} {will} in round {data['round']} of phase {data['phase']}."
    )


def _bye_cancelled(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} will be there in round {data['round']} after all."


def _paused(data: Mapping[str, Any], names: _Names) -> str:
    return "Paused: no further round starts for now."


def _resumed(data: Mapping[str, Any], names: _Names) -> str:
    return "Resumed."


def _cancelled(data: Mapping[str, Any], names: _Names) -> str:
    return f"Cancelled for good{_because(data)}. Results so far stand."


def _start_failed(data: Mapping[str, Any], names: _Names) -> str:
    return f"The time of the start came, but it could not start: {data['reason']}."


def _round_opened(data: Mapping[str, Any], names: _Names) -> str:
    return "The next round was opened by hand."


def _finished(data: Mapping[str, Any], names: _Names) -> str:
    return "Finished by hand: no round is left."


def _invitation_made(data: Mapping[str, Any], names: _Names) -> str:
    return "A new invitation link was made; earlier ones hold no more."


def _invitation_dropped(data: Mapping[str, Any], names: _Names) -> str:
    return "The invitation link was withdrawn."


def _organiser_added(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} became a co-organiser."


def _organiser_removed(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} is no co-organiser any more."


def _changed(data: Mapping[str, Any], names: _Names) -> str:
    parts = [f"the name is {data['name']}"] if "name" in data else []
    if "access" in data:
        parts.append(f"it is {data['access']}")
    if "phases" in data:
        formats = ", then ".join(find_format(p["format"]).name.lower() for p in data["phases"])
        parts.append(f"the game or the format is another ({formats})")
    if "entry" in data:
        parts.append(_entry_words(data["entry"]))
    if "schedule" in data:
        parts.append(_schedule_words(data["schedule"]))
    return f"Changed: {'; '.join(parts)}."


def _entry_words(entry: Mapping[str, Any]) -> str:
    who = "anybody may enter" if entry["open"] else "the organiser enters players"
    least, most = entry["least"], entry["most"]
    limits = f", {least or 'any number'} to {most or 'any number'} of them" if least or most else ""
    return who + limits


def _schedule_words(schedule: Mapping[str, Any]) -> str:
    zone, start = schedule["zone"], schedule["start"]
    at = in_words(datetime.fromisoformat(start), zone) if start else "by hand"
    return f"the start is {at}, rounds {PACE_WORDS[Pace(schedule['rounds'])]}"


def _round_closed(data: Mapping[str, Any], names: _Names) -> str:
    return f"Round {data['round']} of phase {data['phase']} is played out."


def _phase_closed(data: Mapping[str, Any], names: _Names) -> str:
    if data.get("reason"):
        return f"Phase {data['phase']} is closed without a round: {data['reason']}."
    rows = sorted(data["standings"], key=lambda row: row["rank"] or len(data["standings"]) + 1)
    first = ", ".join(f"{row['rank']}. {_name(row['player'], names)}" for row in rows[:3])
    return f"Phase {data['phase']} is closed with {first}."


def _published(data: Mapping[str, Any], names: _Names) -> str:
    kept = [f"the {each['kind']} as {each['label']}" for each in data["snapshots"]]
    return f"Published for good: {' and '.join(kept)}."


def _ended(data: Mapping[str, Any], names: _Names) -> str:
    return "The tournament ended."


def _seed_revealed(data: Mapping[str, Any], names: _Names) -> str:
    return "The seed was revealed; every deal of the tournament can be checked."


_TELLERS: dict[str, Callable[[Mapping[str, Any], _Names], str]] = {
    "created": _created,
    "entered": _entered,
    "withdrawn": _withdrawn,
    "disqualified": _disqualified,
    "returned": _returned,
    "started": _started,
    "phase_started": _phase_started,
    "paired": _paired,
    "pairing_set": _pairing_set,
    "pairing_dropped": _pairing_dropped,
    "bye_requested": _bye_requested,
    "bye_cancelled": _bye_cancelled,
    "result": _result,
    "corrected": _corrected,
    "voided": _voided,
    "averaged": _averaged,
    "no_show": _no_show,
    "penalised": _penalised,
    "penalty_lifted": _penalty_lifted,
    "paused": _paused,
    "resumed": _resumed,
    "cancelled": _cancelled,
    "start_failed": _start_failed,
    "round_opened": _round_opened,
    "finished": _finished,
    "invitation_made": _invitation_made,
    "invitation_dropped": _invitation_dropped,
    "organiser_added": _organiser_added,
    "organiser_removed": _organiser_removed,
    "changed": _changed,
    "round_closed": _round_closed,
    "phase_closed": _phase_closed,
    "published": _published,
    "ended": _ended,
    "seed_revealed": _seed_revealed,
}
