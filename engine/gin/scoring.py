"""What a deal and a game are worth (RULES G6, G7, H, O).

Deals are entered on a sheet of columns. Gin Rummy and Oklahoma Gin have one column, Hollywood Gin
three, each of which is settled as a game of its own; a sheet is a value and is never changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import Face
from engine.gin.events import DealEnding, GameEnding, Gin
from engine.gin.rules import Rules

MAX_DEALS = 200
"""Deals after which a game ends in any case, dead ones counted (G8.3)."""

Pair = tuple[int, int]
"""A number for each seat."""

NONE: Pair = (0, 0)


@dataclass(frozen=True, slots=True)
class DealScore:
    """How a deal with a knock came out."""

    ending: DealEnding
    score: int
    """What the winner scores; the other scores nothing."""
    knocker_wins: bool


def score_deal(
    knocker: int, defender: int, gin: Gin, rules: Rules, upcard: Face | None = None
) -> DealScore:
    """Return the score of a deal that ended by a knock (G6, O4).

    :param knocker: deadwood of the knocker.
    :param defender: deadwood that the opponent has left after laying off.
    :param upcard: of the deal; only Oklahoma Gin asks for it.

    >>> from engine.gin.rules import GinRules
    >>> score_deal(8, 8, Gin.NONE, GinRules())
    DealScore(ending=<DealEnding.UNDERCUT: 'undercut'>, score=10, knocker_wins=False)
    """
    if gin is Gin.BIG:
        ending, score = DealEnding.BIG_GIN, defender + int(rules.big_gin)
    elif gin is Gin.GIN:
        ending, score = DealEnding.GIN, defender + rules.gin_bonus
    elif knocker < defender:
        ending, score = DealEnding.KNOCK, defender - knocker
    else:
        ending, score = DealEnding.UNDERCUT, knocker - defender + rules.undercut_bonus
    return DealScore(ending, score * rules.factor(upcard), ending is not DealEnding.UNDERCUT)


class Column(NamedTuple):
    """A column of a score sheet."""

    points: Pair = NONE
    """Points entered by seat."""
    boxes: Pair = NONE
    """Boxes entered by seat: at least one for each deal won."""

    def closed(self, rules: Rules) -> bool:
        """Say whether a player has reached the target in it (G7.1, H4, H9)."""
        return rules.length == "target" and max(self.points) >= rules.target

    def enter(self, seat: int, score: int, boxes: int) -> Column:
        """Return the column with a deal entered."""
        return Column(_plus(self.points, seat, score), _plus(self.boxes, seat, boxes))

    def bonuses(self, rules: Rules) -> Pair:
        """Return game bonus and shutout by seat; an open column has none (G7.2, G7.3, H6)."""
        if not self.closed(rules):
            return NONE
        winner = 0 if self.points[0] >= rules.target else 1
        bonus = rules.game_bonus
        if self.points[1 - winner] == 0:
            won, boxes = self.points[winner], self.boxes[winner] * rules.box_bonus
            bonus += {
                "plus100": 100,
                "double_hands": won,
                "double_total": won + boxes + rules.game_bonus,
            }[rules.shutout]
        return _plus(NONE, winner, bonus)


class Sheet(NamedTuple):
    """The columns of a game."""

    columns: tuple[Column, ...]

    @classmethod
    def empty(cls, rules: Rules) -> Sheet:
        """Return the sheet before the first deal."""
        return cls((Column(),) * rules.COLUMNS)

    @property
    def points(self) -> Pair:
        """Points entered by seat, through all columns."""
        return _sum([column.points for column in self.columns])

    @property
    def boxes(self) -> Pair:
        """Boxes entered by seat, through all columns."""
        return _sum([column.boxes for column in self.columns])

    def enter(self, seat: int, score: int, boxes: int, rules: Rules) -> Sheet:
        """Return the sheet with a won deal entered (H3).

        It goes into every open column where the winner has an entry and into the first open one
        where it has none.
        """
        columns, first = [], True
        for column in self.columns:
            begun = column.boxes[seat] > 0
            if not column.closed(rules) and (begun or first):
                first = first and begun
                column = column.enter(seat, score, boxes)
            columns.append(column)
        return Sheet(tuple(columns))


@dataclass(frozen=True, slots=True)
class GameScore:
    """How a game came out."""

    ending: GameEnding
    boxes: Pair
    """Points for boxes by seat."""
    bonuses: Pair
    totals: Pair
    winners: tuple[int, ...]


def score_game(sheet: Sheet, rules: Rules, *, deals: int, counted: int) -> GameScore | None:
    """Return the final account, or None while the game goes on (G7, G8.3, H6-H9).

    :param deals: deals played, dead ones too.
    :param counted: deals played that count towards ``length=deals`` (G7.1).

    >>> from engine.gin.rules import GinRules
    >>> sheet = Sheet((Column((104, 71), (5, 3)),))
    >>> score_game(sheet, GinRules(), deals=8, counted=8).totals
    (304, 131)
    """
    if rules.length == "target" and all(column.closed(rules) for column in sheet.columns):
        ending = GameEnding.TARGET
    elif deals >= MAX_DEALS or (rules.deals is not None and counted >= rules.deals):
        ending = GameEnding.DEALS
    else:
        return None
    ours, theirs = sheet.boxes
    boxes = (ours * rules.box_bonus, theirs * rules.box_bonus)
    bonuses = _sum([column.bonuses(rules) for column in sheet.columns])
    totals = _sum([sheet.points, boxes, bonuses])
    reached = ending is GameEnding.TARGET and not rules.by_total()
    judged = sheet.points if reached else totals  # one of them has reached the target (G7.5)
    winners = tuple([seat for seat in (0, 1) if judged[seat] == max(judged)])
    return GameScore(ending, boxes, bonuses, totals, winners)


def _plus(pair: Pair, seat: int, amount: int) -> Pair:
    return (pair[0] + amount, pair[1]) if seat == 0 else (pair[0], pair[1] + amount)


def _sum(pairs: list[Pair]) -> Pair:
    return (sum([pair[0] for pair in pairs]), sum([pair[1] for pair in pairs]))
