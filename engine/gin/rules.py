"""The knobs of Gin Rummy, Hollywood Gin and Oklahoma Gin (RULES part B).

All three are one deal engine: it asks a rules value for the knock limit of a deal, for what the
deal is worth beside its points, and for the columns of the score sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from engine.cards import FACES, RANK_OF, Face
from engine.errors import BadInput
from engine.gin.deadwood import CARD_POINTS
from engine.gin.events import DealEnding
from engine.knobs import KnobSet, Setting, choice, flag, number
from engine.words import counted

POINTS: Mapping[Face, int] = {face: CARD_POINTS[RANK_OF[face]] for face in FACES}
"""What a card counts: ace 1, 2-10 their number, J Q K 10 (G1.2)."""

MODERN: Mapping[str, Setting] = {
    "gin_bonus": 25,
    "undercut_bonus": 25,
    "box_bonus": 25,
    "big_gin": 31,
    "shutout": "double_hands",
}
"""What ``preset=modern`` sets; ``pagat`` is the defaults."""


@dataclass(frozen=True, slots=True)
class Rules(KnobSet):
    """The knobs that the three games share."""

    KEY: ClassVar[str]
    """Key of the game kind."""
    NAME: ClassVar[str]
    """Name for people."""
    LIMIT_CLAUSE: ClassVar[str] = "G4.1"
    """The clause that limits a knock."""
    COLUMNS: ClassVar[int] = 1
    """Columns of the score sheet (H2)."""
    PRESETS: ClassVar[Mapping[str, Mapping[str, Setting]]] = {"pagat": {}, "modern": MODERN}

    dealer: str = choice("winner", "alternate", "loser")
    """Who deals next (G1.3); a dead deal is dealt again by the same dealer."""
    gin_bonus: int = number(20, 0, 500)
    """Added to the opponent's deadwood for gin (G6.3)."""
    undercut_bonus: int = number(10, 0, 500)
    """Added to the difference for an undercut (G6.2)."""
    box_bonus: int = number(20, 0, 500)
    """Added at the end of the game for each box (G7.4)."""
    big_gin: str | int = choice("none", 31, 50)
    """What big gin is worth in place of the gin bonus, or none: it is not played (G4.3)."""
    shutout: str = choice("plus100", "double_hands", "double_total")
    """What is added when the loser scored nothing: 100, the deal points, or everything (G7.3)."""
    target: int = number(100, 10, 1000)
    """Deal points that end the game (G7.1)."""
    game_bonus: int = number(100, 0, 500)
    """Added by the player who reaches the target (G7.2)."""
    length: str = choice("target", "deals")
    """Whether the game goes to a target or for a fixed number of deals (G7.1)."""
    deals: int | None = number(None, 1, 100)
    """Number of deals under ``length=deals``, dead ones not counted, else none (G7.1)."""
    max_faults: int = number(3, 1, 20)
    """The fault that is followed by a forfeit (G8.3)."""

    def limit(self, upcard: Face | None) -> int:
        """Return the most deadwood with which a player may knock in a deal (G4.1, O1-O3).

        :raises BadInput: where the upcard sets the limit and there is none.
        """
        raise NotImplementedError

    def factor(self, upcard: Face | None) -> int:
        """Return by what the score of a deal is multiplied (O4)."""
        return 1

    def told(self, upcard: Face) -> str:
        """Return what an upcard means beyond being a card, to be told after its name."""
        return ""

    def boxes(self, ending: DealEnding) -> int:
        """Return the boxes that the winner of a deal enters (G7.4, O7)."""
        return 1

    def by_total(self) -> bool:
        """Say whether the larger total wins a game, whoever reached the target (G7.5, H7)."""
        return getattr(self, "game_winner", "total") == "total"


@dataclass(frozen=True, slots=True)
class GinRules(Rules):
    """Gin Rummy."""

    KEY = "gin"
    NAME = "Gin Rummy"

    knock_limit: int = number(10, 0, 50)
    """Most deadwood with which a player may knock (G4.1)."""
    game_winner: str = choice("target", "total")
    """Whether the game is won by whoever reached the target or by the larger total (G7.5)."""

    def limit(self, upcard: Face | None) -> int:
        """Return the fixed limit (G4.1)."""
        return self.knock_limit


@dataclass(frozen=True, slots=True)
class HollywoodRules(Rules):
    """Hollywood Gin: Gin Rummy with three score columns."""

    KEY = "hollywood-gin"
    NAME = "Hollywood Gin"
    COLUMNS = 3

    knock_limit: int = number(10, 0, 50)
    """Most deadwood with which a player may knock (G4.1)."""

    def limit(self, upcard: Face | None) -> int:
        """Return the fixed limit (G4.1)."""
        return self.knock_limit


@dataclass(frozen=True, slots=True)
class OklahomaRules(Rules):
    """Oklahoma Gin: Gin Rummy in which the upcard sets the knock limit."""

    KEY = "oklahoma-gin"
    NAME = "Oklahoma Gin"
    LIMIT_CLAUSE = "O1"

    target: int = number(150, 10, 1000)
    """Deal points that end the game (O6)."""
    game_winner: str = choice("target", "total")
    """Whether the game is won by whoever reached the target or by the larger total (G7.5)."""
    ace: str = choice("one", "gin")
    """Whether an ace as upcard allows a knock with one point or gin only (O3)."""
    spade_doubles: bool = flag(True)
    """Whether a spade as upcard doubles the whole score of the deal (O4)."""
    extra_boxes: bool = flag(False)
    """Whether an undercut enters one more box and gin two more (O7)."""

    def limit(self, upcard: Face | None) -> int:
        """Return the upcard's value, or for an ace what ``ace`` says (O1-O3)."""
        if upcard is None:
            raise BadInput(f"upcard is missing; in {self.NAME} it sets the knock limit (O1)")
        value = POINTS[upcard]
        return 0 if value == 1 and self.ace == "gin" else value

    def factor(self, upcard: Face | None) -> int:
        """Return 2 for a spade, unless ``spade_doubles`` is no (O4)."""
        return 2 if self.spade_doubles and upcard is not None and upcard[1] == "s" else 1

    def told(self, upcard: Face) -> str:
        """Tell the limit, and the doubling (O1, O4)."""
        limit = self.limit(upcard)
        allowed = f"a knock takes at most {counted(limit, 'point')}" if limit else "only gin counts"
        return f": {allowed}{', and the score is doubled' * (self.factor(upcard) > 1)}"

    def boxes(self, ending: DealEnding) -> int:
        """Return the box for the deal and under ``extra_boxes`` the extra ones (O7)."""
        return 1 + (_EXTRA_BOXES.get(ending, 0) if self.extra_boxes else 0)


_EXTRA_BOXES = {DealEnding.UNDERCUT: 1, DealEnding.GIN: 2, DealEnding.BIG_GIN: 2}
