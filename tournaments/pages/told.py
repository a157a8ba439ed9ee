"""A tournament's log in plain words, each with its raw line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.record import loads
from tournaments.formats import find_format
from tournaments.models import Event
from tournaments.selectors import names_of
from tournaments.standings.metrics import find_tie_break

SHOWN_TABLES = 4
"""Tables of a round that are told one by one."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the log."""

    seq: int
    at: datetime
    words: str
    game: str | None
    """The game that the line is about, where there is one."""
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
            raw=event.body,
        )
        for event, line in lines
    ]


def _players(line: Mapping[str, Any]) -> list[str]:
    """Return the ids of the players that the words of a line name."""
    data = line["data"]
    named = [data.get("player"), line.get("by"), *data.get("seats", [])]
    for table in data.get("tables", [])[:SHOWN_TABLES]:
        named += table["seats"]
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
    return (
        f"Created as a {formats}; ties are broken by {ties}. The secret seed is committed to."
        f"{practice}"
    )


def _entered(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} entered as number {data['number']}."


def _withdrawn(data: Mapping[str, Any], names: _Names) -> str:
    return f"{_name(data['player'], names)} withdrew."


def _started(data: Mapping[str, Any], names: _Names) -> str:
    return f"Started with {data['entrants']} entrants."


def _phase_started(data: Mapping[str, Any], names: _Names) -> str:
    return f"Phase {data['phase']} began; lots were drawn from the seed."


def _paired(data: Mapping[str, Any], names: _Names) -> str:
    tables = data["tables"]
    words = "; ".join(
        f"table {t['table']}: " + ", ".join(_name(player, names) for player in t["seats"])
        for t in tables[:SHOWN_TABLES]
    )
    more = len(tables) - SHOWN_TABLES
    rest = f"; and {more} more table{'s' * (more > 1)}" if more > 0 else ""
    return f"Round {data['round']} of phase {data['phase']} was paired: {words}{rest}."


def _result(data: Mapping[str, Any], names: _Names) -> str:
    seats = sorted(zip(data["ranks"], data["totals"], data["seats"], strict=True))
    places = [f"{rank}. {_name(player, names)} with {total}" for rank, total, player in seats]
    return f"Round {data['round']}, table {data['table']} is played: {', '.join(places)}."


def _voided(data: Mapping[str, Any], names: _Names) -> str:
    return f"A game was called off and is played again as game number {data['number']}."


def _round_closed(data: Mapping[str, Any], names: _Names) -> str:
    return f"Round {data['round']} of phase {data['phase']} is played out."


def _phase_closed(data: Mapping[str, Any], names: _Names) -> str:
    rows = sorted(data["standings"], key=lambda row: row["rank"] or len(data["standings"]) + 1)
    first = ", ".join(f"{row['rank']}. {_name(row['player'], names)}" for row in rows[:3])
    return f"Phase {data['phase']} is closed with {first}."


def _ended(data: Mapping[str, Any], names: _Names) -> str:
    return "The tournament ended."


def _seed_revealed(data: Mapping[str, Any], names: _Names) -> str:
    return "The seed was revealed; every deal of the tournament can be checked."


_TELLERS: dict[str, Callable[[Mapping[str, Any], _Names], str]] = {
    "created": _created,
    "entered": _entered,
    "withdrawn": _withdrawn,
    "started": _started,
    "phase_started": _phase_started,
    "paired": _paired,
    "result": _result,
    "voided": _voided,
    "round_closed": _round_closed,
    "phase_closed": _phase_closed,
    "ended": _ended,
    "seed_revealed": _seed_revealed,
}
