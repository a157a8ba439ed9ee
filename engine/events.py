"""What every game kind shares: the common events, commands and how a game comes out.

An event is a fact in the past tense; a command is a request. Both are frozen dataclasses and hold
nothing but data. On disk an event has a stable word and a version, never a class path. **An event
holds no secret**: a hand or a card stands in one only when the rules lay it open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from engine.errors import BadInput
from engine.knobs import Setting


class Event:
    """Base of all events."""

    __slots__ = ()
    type: ClassVar[str]
    """The event's stable name on disk."""
    v: ClassVar[int] = 1
    """Version of the event's fields."""

    @property
    def actor(self) -> int | None:
        """Seat that acted, or None where nobody did."""
        seat: int | None = getattr(self, "seat", None)
        return seat


class FaultReason(StrEnum):
    """Why a seat faulted (RULES M10.1)."""

    TIMEOUT = "timeout"
    """No answer in time, or a clock ran out."""
    ILLEGAL = "illegal"
    """An answer that the rules forbid."""
    CRASHED = "crashed"
    """The bot ended or answered nonsense."""
    UNREACHABLE = "unreachable"
    """The bot could not be reached."""


class ForfeitReason(StrEnum):
    """Why a seat forfeited (RULES M10.2)."""

    FAULTS = "faults"
    """The fault that reached ``max_faults``."""
    RESIGNED = "resigned"
    """The seat gave up."""
    WITHDRAWN = "withdrawn"
    """An organiser took the entrant out."""
    NO_SHOW = "no_show"
    """Nobody came."""


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """A game began."""

    type: ClassVar[str] = "game_started"
    variant: str
    """Key of the game kind."""
    rules_version: int
    """Version of the rules that this game is played by for good."""
    rules: Mapping[str, Setting]
    """Every knob of the game."""
    seats: tuple[str, ...]
    """Opaque player ids in seat order."""
    commitment: str
    """Hex SHA-256 of the seed."""


@dataclass(frozen=True, slots=True)
class Faulted(Event):
    """A seat gave no legal answer; its turn's default follows, or ``Forfeited`` (M10.1)."""

    type: ClassVar[str] = "faulted"
    seat: int
    reason: FaultReason


@dataclass(frozen=True, slots=True)
class Forfeited(Event):
    """A seat is out of the game (M10.2)."""

    type: ClassVar[str] = "forfeited"
    seat: int
    reason: ForfeitReason


@dataclass(frozen=True, slots=True)
class SeedRevealed(Event):
    """The seed is public; nothing follows."""

    type: ClassVar[str] = "seed_revealed"
    seed: str
    """The seed in hex."""


class Command:
    """Base of all commands."""

    __slots__ = ()
    type: ClassVar[str]
    """The command's name in JSON."""


@dataclass(frozen=True, slots=True)
class Resign(Command):
    """Give the game up, at any time (M10.2)."""

    type: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True)
class Fault(Command):
    """The platform's word that a seat faulted; the engine makes the default's events (M10.1)."""

    type: ClassVar[str] = "fault"
    reason: FaultReason


@dataclass(frozen=True, slots=True)
class Forfeit(Command):
    """The platform takes a seat out of the game (M10.2).

    :raises BadInput: for ``faults`` and ``resigned``, which follow from faults and ``Resign``.
    """

    type: ClassVar[str] = "forfeit"
    reason: ForfeitReason

    def __post_init__(self) -> None:
        if self.reason in (ForfeitReason.FAULTS, ForfeitReason.RESIGNED):
            raise BadInput(f"the platform cannot make a seat forfeit as {self.reason}")


@dataclass(frozen=True, slots=True)
class Abort(Command):
    """The platform ends a game that cannot go on; nobody wins."""

    type: ClassVar[str] = "abort"


class Status(StrEnum):
    """What became of a seat."""

    PLAYING = "playing"
    FORFEITED = "forfeited"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game came out."""

    ending: str
    """Why it ended: a word of the variant's ``GameEnding``."""
    totals: tuple[int, ...]
    """Final points by seat, bonuses included."""
    winners: tuple[int, ...]
    """Seats that won or share the win, ascending; none in an aborted game."""
    ranks: tuple[int, ...]
    """Place by seat, 1 the best; equal seats share the better place."""

    @property
    def aborted(self) -> bool:
        """Whether the game was called off."""
        return not self.winners


def ranked(
    totals: tuple[int, ...], winners: tuple[int, ...], forfeits: tuple[int, ...]
) -> tuple[int, ...]:
    """Return places by seat: winners, the others by total, then forfeiters (M10.2).

    :param forfeits: seats in the order in which they forfeited; the earlier ranks lower.

    >>> ranked((10, 90, 40, 40), (1,), (0,))
    (4, 1, 2, 2)
    """
    keys = [
        (seat in winners, seat not in forfeits, forfeits.index(seat))
        if seat in forfeits
        else (seat in winners, True, total)
        for seat, total in enumerate(totals)
    ]
    return tuple(1 + sum(other > key for other in keys) for key in keys)
