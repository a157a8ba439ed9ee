"""The events, commands and endings of the gin family."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from engine.cards import Face
from engine.events import (
    Command,
    Event,
    Faulted,
    Forfeited,
    GameStarted,
    Resign,
    SeedRevealed,
)

Faces = tuple[Face, ...]
Melds = tuple[Faces, ...]


class Gin(StrEnum):
    """What a knock is worth beside its deadwood."""

    NONE = "none"
    """A plain knock."""
    GIN = "gin"
    """All ten cards are melded (G4.2)."""
    BIG = "big"
    """All eleven cards are melded and none is discarded (G4.3)."""


class DealEnding(StrEnum):
    """How a deal ends."""

    KNOCK = "knock"
    """The knocker has less deadwood (G6.1)."""
    UNDERCUT = "undercut"
    """The knocker has as much deadwood as the opponent or more (G6.2)."""
    GIN = "gin"
    """The knocker has no deadwood (G6.3)."""
    BIG_GIN = "big_gin"
    """The knocker melded eleven cards (G6.4)."""
    DEAD = "dead"
    """Two cards are left in the stock, or 200 discards are made; nobody scores (G4.4, G4.6)."""
    FORFEIT = "forfeit"
    """One seat is left; the deal is not scored (G8.2)."""


class GameEnding(StrEnum):
    """How a game ends."""

    TARGET = "target"
    """Somebody reached the target (G7.1), or all three columns are closed (H7)."""
    DEALS = "deals"
    """The fixed number of deals is played, or 200 (G7.1, G8.3)."""
    FORFEIT = "forfeit"
    """One seat is left (G8.2)."""
    ABORTED = "aborted"
    """The platform called the game off; nobody wins."""


@dataclass(frozen=True, slots=True)
class DealStarted(Event):
    """A deal began: the cards are dealt and the upcard is turned (G1.4)."""

    type: ClassVar[str] = "deal_started"
    deal: int
    """Number of the deal, from 1; dead deals count here."""
    dealer: int
    """Seat that deals."""
    upcard: Face
    """The first card of the discard pile."""


@dataclass(frozen=True, slots=True)
class UpcardTaken(Event):
    """A seat took the upcard (G2.1)."""

    type: ClassVar[str] = "upcard_taken"
    seat: int


@dataclass(frozen=True, slots=True)
class UpcardRefused(Event):
    """A seat refused the upcard; after the dealer the other has drawn from the stock (G2.2)."""

    type: ClassVar[str] = "upcard_refused"
    seat: int


@dataclass(frozen=True, slots=True)
class DrewStock(Event):
    """A seat drew the top of the stock (G2.3)."""

    type: ClassVar[str] = "drew_stock"
    seat: int


@dataclass(frozen=True, slots=True)
class DrewDiscard(Event):
    """A seat took the top of the discard pile (G2.3)."""

    type: ClassVar[str] = "drew_discard"
    seat: int


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """A seat discarded and its turn is over (G2.3)."""

    type: ClassVar[str] = "discarded"
    seat: int
    card: Face


@dataclass(frozen=True, slots=True)
class Knocked(Event):
    """A seat knocked; its cards lie open (G4.1)."""

    type: ClassVar[str] = "knocked"
    seat: int
    discard: Face | None
    """The card laid face down on the discard pile, None for big gin."""
    melds: Melds
    """As the knocker declares them (G3.2)."""
    deadwood: Faces
    """The other cards, in canonical order."""
    gin: Gin


@dataclass(frozen=True, slots=True)
class DealEnded(Event):
    """A deal is over; all hands are laid open. A forfeiter has None (G8.2)."""

    type: ClassVar[str] = "deal_ended"
    deal: int
    ending: DealEnding
    hands: tuple[Faces | None, ...]
    """By seat in canonical order: the knocker's after the discard, the other before laying off."""
    melds: tuple[Melds | None, ...]
    """By seat: the knocker's as declared, else an arrangement that reaches the least deadwood."""
    laid_off: Faces
    """What the opponent laid off on the knocker's melds (G5.2)."""
    points: tuple[int | None, ...]
    """Deadwood left by seat."""
    scores: tuple[int, ...]
    """Points scored by seat (G6)."""
    winners: tuple[int, ...]
    """The seat that won the deal; nobody in one that is dead or forfeited."""


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over; totals are deal points, boxes and bonuses together."""

    type: ClassVar[str] = "game_ended"
    ending: GameEnding
    totals: tuple[int, ...]
    """Final points by seat."""
    boxes: tuple[int, ...]
    """Points for boxes by seat (G7.4)."""
    bonuses: tuple[int, ...]
    """Game bonus and shutout by seat (G7.2, G7.3)."""
    winners: tuple[int, ...]
    """Seats that won or share the win (G7.5), ascending."""


@dataclass(frozen=True, slots=True)
class HollywoodEnded(GameEnded):
    """The game is over; boxes, bonuses and totals are sums over the columns (H7)."""

    columns: tuple[tuple[int, ...], ...]
    """Points entered by column and seat."""


@dataclass(frozen=True, slots=True)
class TakeUpcard(Command):
    """Take the upcard (G2.1)."""

    type: ClassVar[str] = "take_upcard"


@dataclass(frozen=True, slots=True)
class RefuseUpcard(Command):
    """Refuse the upcard (G2.1)."""

    type: ClassVar[str] = "refuse_upcard"


@dataclass(frozen=True, slots=True)
class DrawStock(Command):
    """Draw the top of the stock (G2.3)."""

    type: ClassVar[str] = "draw_stock"


@dataclass(frozen=True, slots=True)
class DrawDiscard(Command):
    """Take the top of the discard pile (G2.3)."""

    type: ClassVar[str] = "draw_discard"


@dataclass(frozen=True, slots=True)
class Discard(Command):
    """Discard a card and end the turn (G2.3)."""

    type: ClassVar[str] = "discard"
    card: Face


@dataclass(frozen=True, slots=True)
class Knock(Command):
    """Knock: discard a card and show the other ten, or for big gin all eleven (G4.1-G4.3)."""

    type: ClassVar[str] = "knock"
    discard: Face | None
    """None for big gin."""
    melds: Melds
    """Melds and their cards in any order, also as lists."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "melds", tuple(map(tuple, self.melds)))


EVENTS: dict[str, type[Event]] = {
    event.type: event
    for event in (
        GameStarted,
        DealStarted,
        UpcardTaken,
        UpcardRefused,
        DrewStock,
        DrewDiscard,
        Discarded,
        Knocked,
        Faulted,
        Forfeited,
        DealEnded,
        GameEnded,
        SeedRevealed,
    )
}

COMMANDS: dict[str, type[Command]] = {
    command.type: command
    for command in (TakeUpcard, RefuseUpcard, DrawStock, DrawDiscard, Discard, Knock, Resign)
}
