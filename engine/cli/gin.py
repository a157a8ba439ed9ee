"""``deadwood`` and ``gin-score``: the gin family without a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import knobs
from engine.cards import Face
from engine.cli.lines import Answer, Answerer, shaped
from engine.errors import BadInput, shown
from engine.gin import GIN, GinFamily
from engine.gin import deadwood as solver
from engine.gin.events import Faces, Gin, Melds
from engine.gin.melds import MELDS, bits, canonical_meld, hand_cards
from engine.gin.rules import Rules
from engine.gin.scoring import (
    MAX_DEALS,
    NONE,
    Column,
    GameScore,
    Pair,
    Sheet,
    score_deal,
    score_game,
)
from engine.gin.state import HAND_SIZE
from engine.variants import find_variant


@dataclass(frozen=True, slots=True)
class _Hand:
    """Input of ``deadwood``."""

    hand: Faces
    variant: str = GIN.key
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Knocker:
    """What a knocker shows."""

    melds: Melds
    deadwood: Faces


@dataclass(frozen=True, slots=True)
class _Deal:
    """Input of ``gin-score`` for a deal."""

    knocker: Mapping[str, object]
    defender: Faces
    upcard: Face | None = None
    variant: str = GIN.key
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _GameAccount:
    """Input of ``gin-score`` for a game; ``boxes`` counts them where they are not ``deals_won``."""

    deal_points: tuple[int, ...]
    deals_won: tuple[int, ...] | None = None
    boxes: tuple[int, ...] | None = None
    deals: int | None = None
    variant: str = GIN.key
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Input of ``gin-score`` for a game of several columns: the winner and score of each deal."""

    deals: tuple[tuple[int | None, ...], ...]
    variant: str
    rules: Mapping[str, object] = field(default_factory=dict)


def deadwood(given: dict[str, Any]) -> Answer:
    """Find the least deadwood of a hand."""
    position = shaped(_Hand, given)
    _rules(position.variant, position.rules)
    _check_cards(position.hand)
    count = len(position.hand)
    if count not in (HAND_SIZE, HAND_SIZE + 1):
        raise BadInput(f"hand: a hand has {HAND_SIZE} or {HAND_SIZE + 1} cards, not {count}")
    hand = bits(position.hand)
    melds = solver.arrangement(hand)
    rest = hand ^ sum(melds)
    return {
        "deadwood": solver.points(rest),
        "melds": [MELDS[meld] for meld in melds],
        "unmelded": hand_cards(rest),
    }


def score(given: dict[str, Any]) -> Answer:
    """Score a deal or a game."""
    forms = [name for name in ("knocker", "deal_points") if name in given]
    if not forms and isinstance(given.get("deals"), list):
        return _score_columns(given)
    if len(forms) != 1:
        raise BadInput(
            "give knocker (to score a deal) or deal_points (to score a game; deals in Hollywood)"
        )
    return _score_deal(given) if forms == ["knocker"] else _score_game(given)


def _score_deal(given: dict[str, Any]) -> Answer:
    deal = shaped(_Deal, given)
    rules = _rules(deal.variant, deal.rules)
    if not isinstance(deal.knocker, dict):
        raise BadInput(f"knocker must be an object, not {shown(deal.knocker)}")
    knocker = shaped(_Knocker, deal.knocker)
    melded = [card for meld in knocker.melds for card in meld]
    _check_cards([*melded, *knocker.deadwood, *deal.defender])
    melds = [bits(canonical_meld(meld)) for meld in knocker.melds]
    limit = rules.limit(deal.upcard)
    gin = _check_knock(knocker, len(melded) + len(knocker.deadwood), rules, limit)
    if len(deal.defender) != HAND_SIZE:
        raise BadInput(f"defender: a hand has {HAND_SIZE} cards, not {len(deal.defender)}")
    hand = bits(deal.defender)
    laid = solver.lay_off(hand, melds) if gin is Gin.NONE else 0
    ours, theirs = solver.points(bits(knocker.deadwood)), solver.deadwood(hand ^ laid)
    found = score_deal(ours, theirs, gin, rules, deal.upcard)
    scores = (found.score, 0) if found.knocker_wins else (0, found.score)
    return {
        "ending": found.ending,
        "laid_off": hand_cards(laid),
        "points": (ours, theirs),
        "scores": scores,
    }


def _check_knock(knocker: _Knocker, count: int, rules: Rules, limit: int) -> Gin:
    """Return what a knock is; refuse one that the rules do not allow (G4.1-G4.3)."""
    if count == HAND_SIZE + 1 and not knocker.deadwood:
        if rules.big_gin == "none":
            raise BadInput("knocker: eleven melded cards are big gin, which needs big_gin=31 or 50")
        return Gin.BIG
    if count != HAND_SIZE:
        raise BadInput(
            f"knocker: a knocker shows {HAND_SIZE} cards, or {HAND_SIZE + 1} melded, not {count}"
        )
    left = solver.points(bits(knocker.deadwood))
    if left > limit:
        raise BadInput(
            f"knocker: {left} points of deadwood; a knock takes at most {limit} "
            f"({rules.LIMIT_CLAUSE})"
        )
    return Gin.NONE if knocker.deadwood else Gin.GIN


def _score_game(given: dict[str, Any]) -> Answer:
    account = shaped(_GameAccount, given)
    rules = _rules(account.variant, account.rules)
    if rules.COLUMNS > 1:
        raise BadInput(f'{rules.NAME} is scored by its deals, such as "deals":[[0,60],[1,22]]')
    if (account.deals_won is None) == (account.boxes is None):
        raise BadInput("give deals_won or boxes, counts by seat, and not both")
    points = _pair("deal_points", account.deal_points)
    if account.deals_won is None:
        boxes = _pair("boxes", account.boxes or ())
    else:
        boxes = _pair("deals_won", account.deals_won)
    if rules.length == "target" and min(points) >= rules.target:
        raise BadInput(f"deal_points: only one seat can have reached the target of {rules.target}")
    if rules.length == "deals" and account.deals is None:
        raise BadInput('length=deals needs the number of deals played, such as "deals":8')
    deals = account.deals or 0
    won = 0 if account.deals_won is None else sum(account.deals_won)
    if account.deals is not None and not won <= deals <= MAX_DEALS:
        raise BadInput(f"deals must be {won}, the deals won, to {MAX_DEALS}, not {deals}")
    sheet = Sheet((Column(points, boxes),))
    return _account(sheet, score_game(sheet, rules, deals=deals, counted=deals))


def _score_columns(given: dict[str, Any]) -> Answer:
    columns = shaped(_Columns, given)
    rules = _rules(columns.variant, columns.rules)
    if rules.COLUMNS == 1:
        raise BadInput(f"{rules.NAME} has one column; give deal_points and deals_won")
    sheet, dead, found = Sheet.empty(rules), 0, None
    for number, deal in enumerate(columns.deals, 1):
        if found is not None:
            raise BadInput(f"deals: the game is over before deal {number}")
        winner, points = _won_deal(number, deal)
        if winner is None:
            dead += 1
        else:
            sheet = sheet.enter(winner, points, 1, rules)
        found = score_game(sheet, rules, deals=number, counted=number - dead)
    closed = [i for i, column in enumerate(sheet.columns, 1) if column.closed(rules)]
    entered = [column.points for column in sheet.columns]
    return _account(sheet, found) | {"columns": entered, "closed": closed}


def _won_deal(number: int, deal: Sequence[int | None]) -> tuple[int | None, int]:
    """Return who won a deal and what it scored; a dead deal has no winner."""
    if len(deal) != 2:
        raise BadInput(f"deals: deal {number} must be a winner and points, not {shown(deal)}")
    winner, points = deal
    if winner is not None and winner not in (0, 1):
        raise BadInput(f"deals: the winner of deal {number} must be 0, 1 or null, not {winner}")
    if points is None or points < 0 or (winner is None and points):
        raise BadInput(f"deals: deal {number} cannot have scored {shown(points)}")
    return winner, points


def _account(sheet: Sheet, found: GameScore | None) -> Answer:
    if found is None:
        return {
            "over": False,
            "boxes": NONE,
            "bonuses": NONE,
            "totals": sheet.points,
            "winners": (),
        }
    return {
        "over": True,
        "boxes": found.boxes,
        "bonuses": found.bonuses,
        "totals": found.totals,
        "winners": found.winners,
    }


def _pair(name: str, numbers: Sequence[int]) -> Pair:
    if len(numbers) != 2 or min(numbers) < 0:
        raise BadInput(f"{name} must be two numbers that are not negative, not {shown(numbers)}")
    return (numbers[0], numbers[1])


def _rules(variant: str, rules: Mapping[str, object]) -> Rules:
    kind = find_variant(variant)
    if not isinstance(kind, GinFamily):
        raise BadInput(f"this command is for the gin family, not {variant}")
    parsed = knobs.parse(kind.rules, rules)
    assert isinstance(parsed, Rules)  # noqa: S101  (the family's rules are)
    return parsed


def _check_cards(cards: Sequence[Face]) -> None:
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice:
        raise BadInput(f"{twice} stands twice; a pack has it once (G1.1)")


ANSWERS: Mapping[str, Answerer] = {"deadwood": deadwood, "gin-score": score}
"""What answers a line of each command."""
