"""What an act of an organiser is: where it stands, what it wants to know, and what it calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tournaments.models import Phase, Tournament


class Kind(StrEnum):
    """What somebody gives for an act; pages and the API each have their way to ask for it."""

    TEXT = "text"
    LINES = "lines"
    WHOLE = "whole"
    WHOLES = "wholes"
    """Whole numbers by seat."""
    ENTRANT = "entrant"
    """The name or the id of somebody who has entered."""
    SEATS = "seats"
    """A list of tables, each a list of players by seat."""
    BYES = "byes"
    """Kinds of byes by player."""


Choices = Sequence[tuple[str, str]]
"""What can be chosen: the value and its words."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something to be given for an act."""

    label: str
    help: str = ""
    kind: Kind = Kind.TEXT
    most: int = 200
    """The longest text, or the greatest number."""
    least: int = 1
    """The smallest number."""
    default: str | int | None = None
    """What it is where nothing is given; None: something has to be."""
    choices: Callable[[Tournament], Choices] | None = None
    """What there is to choose from now; None: anything."""


class Part(StrEnum):
    """Where an act stands among the others."""

    ROUNDS = "rounds"
    PAIRING = "pairing"
    ENTRIES = "entries"
    CORRECTIONS = "corrections"
    ACCESS = "access"
    PUBLISH = "publish"


def always(tournament: Tournament) -> bool:
    """Say yes."""
    return True


def is_open(tournament: Tournament) -> bool:
    """Say whether a tournament has not started."""
    return tournament.status == Tournament.Status.OPEN


def is_running(tournament: Tournament) -> bool:
    """Say whether a tournament is played now."""
    return tournament.status == Tournament.Status.RUNNING


def is_on(tournament: Tournament) -> bool:
    """Say whether a tournament is not over."""
    return tournament.status != Tournament.Status.ENDED


def takes_entries(tournament: Tournament) -> bool:
    """Say whether somebody may be entered: before the start, or late."""
    if not is_running(tournament):
        return is_open(tournament)
    first = tournament.phases.exclude(status=Phase.Status.CLOSED).filter(number=1).first()
    return first is not None and first.rounds.count() < tournament.late_entry


@dataclass(frozen=True, slots=True)
class Act:
    """Something that an organiser does: one service, and what it wants to know."""

    name: str
    part: Part
    title: str
    says: str
    """What it does, in a sentence or two."""
    do: Callable[..., object]
    """Called with the tournament, the player who acts, and the fields by name."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    final: bool = False
    """Whether it cannot be undone."""
    when: Callable[[Tournament], bool] = is_on
    """Whether it makes sense now; the service alone judges whether it is done."""
