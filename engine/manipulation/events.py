"""The events, commands and endings of Manipulation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from engine.cards import Card, Tableau
from engine.events import (
    Command,
    Event,
    Faulted,
    Forfeited,
    GameStarted,
    Resign,
    SeedRevealed,
)


class DealEnding(StrEnum):
    """How a deal ends."""

    KNOCK = "knock"
    """A player knocked (M7.2)."""
    OUT = "out"
    """A player's hand is empty (M7.3)."""
    EXHAUSTED = "exhausted"
    """The pile ran out and the final lap is over (M8.8)."""
    FORFEIT = "forfeit"
    """One seat is left; the deal is not scored (M10.3)."""


class GameEnding(StrEnum):
    """How a game ends."""

    TARGET = "target"
    """Somebody reached the target (M9.1)."""
    DEALS = "deals"
    """The fixed number of deals is played, or 200 (M9.1, M10.4)."""
    FORFEIT = "forfeit"
    """One seat is left (M10.3)."""
    ABORTED = "aborted"
    """The platform called the game off; nobody wins."""


@dataclass(frozen=True, slots=True)
class DealStarted(Event):
    """A deal began: the cards are dealt and the first seat has drawn its first card."""

    type: ClassVar[str] = "deal_started"
    deal: int
    """Number of the deal, from 1."""
    dealer: int
    """Seat that deals."""


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A seat took a second or third card instead of melding (M3.3, M3.4)."""

    type: ClassVar[str] = "drew"
    seat: int


@dataclass(frozen=True, slots=True)
class Melded(Event):
    """A seat melded and its turn is over (M3.6)."""

    type: ClassVar[str] = "melded"
    seat: int
    tableau: Tableau
    """The whole tableau as it then lies."""
    knock: bool
    """Whether the seat knocked (M7.2)."""


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat ended its turn without a meld."""

    type: ClassVar[str] = "passed"
    seat: int
    knock: bool
    """Whether the seat knocked (M7.2)."""


@dataclass(frozen=True, slots=True)
class DealEnded(Event):
    """A deal is over; all hands are laid open. Forfeiters have None (M10.2)."""

    type: ClassVar[str] = "deal_ended"
    deal: int
    ending: DealEnding
    hands: tuple[tuple[Card, ...] | None, ...]
    """What each seat holds, in canonical order."""
    points: tuple[int | None, ...]
    """Points in hand by seat (M7.1)."""
    scores: tuple[int, ...]
    """Points scored by seat (M8)."""
    winners: tuple[int, ...]
    """Seats that won the deal (M8.9), ascending."""


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over."""

    type: ClassVar[str] = "game_ended"
    ending: GameEnding
    totals: tuple[int, ...]
    """Final points by seat, bonuses included."""
    bonuses: tuple[int, ...]
    """Bonuses of M9.2 and M9.3 by seat."""
    winners: tuple[int, ...]
    """Seats that won the game (M9.4), ascending."""


@dataclass(frozen=True, slots=True)
class Draw(Command):
    """Take a second or third card (M3.3, M3.4)."""

    type: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Meld(Command):
    """Lay the tableau out anew with at least one card from the hand (M5)."""

    type: ClassVar[str] = "meld"
    tableau: Tableau
    """The whole tableau as it shall lie; melds and cards in any order, also as lists."""
    knock: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "tableau", tuple(map(tuple, self.tableau)))


@dataclass(frozen=True, slots=True)
class Pass(Command):
    """End the turn without a meld."""

    type: ClassVar[str] = "pass"
    knock: bool = False


EVENTS: dict[str, type[Event]] = {
    event.type: event
    for event in (
        GameStarted,
        DealStarted,
        Drew,
        Melded,
        Passed,
        Faulted,
        Forfeited,
        DealEnded,
        GameEnded,
        SeedRevealed,
    )
}

COMMANDS: dict[str, type[Command]] = {c.type: c for c in (Draw, Meld, Pass, Resign)}
