"""``check``, ``solve`` and ``score``: Manipulation without a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import knobs
from engine.cards import Card, Tableau, in_order, physical
from engine.cli.lines import Answer, Answerer, shaped
from engine.codec import decode
from engine.errors import BadInput, RuleViolation, shown
from engine.manipulation import MANIPULATION
from engine.manipulation.melds import canonical_meld
from engine.manipulation.phase import check_phase
from engine.manipulation.rules import SEATS, Rules, hand_points, packs
from engine.manipulation.scoring import score_deal, score_game
from engine.variants import find_variant


@dataclass(frozen=True, slots=True)
class _Phase:
    """Input of ``check``."""

    before: Tableau
    hand: tuple[Card, ...]
    after: Tableau
    variant: str = MANIPULATION.key
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Position:
    """Input of ``solve``."""

    tableau: Tableau
    hand: tuple[Card, ...]
    objective: str = "points"
    variant: str = MANIPULATION.key
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Deal:
    """Input of ``score`` for a deal; a hand is cards, points or null."""

    points: tuple[int | None, ...]
    knocker: int | None = None
    out: int | None = None
    variant: str = MANIPULATION.key
    rules: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _GameAccount:
    """Input of ``score`` for a game."""

    totals: tuple[int, ...]
    deals_won: tuple[int, ...]
    deals: int | None = None
    forfeited: tuple[int, ...] = ()
    variant: str = MANIPULATION.key
    rules: Mapping[str, object] = field(default_factory=dict)


def check(given: dict[str, Any]) -> Answer:
    """Judge a meld phase."""
    phase = shaped(_Phase, given)
    _manipulation_rules(phase.variant, phase.rules)
    _check_position(phase.before, phase.hand, "before")
    try:
        played, _ = check_phase(phase.before, phase.hand, phase.after)
    except RuleViolation as error:
        return {
            "legal": False,
            "code": error.code,
            "message": error.message,
            "clause": error.clause,
        }
    return {"legal": True, "played": played}


def solve(given: dict[str, Any]) -> Answer:
    """Find the best play."""
    from engine.manipulation.rules import MOST_CARDS, MOST_POINTS
    from engine.solver import solve as best_play

    position = shaped(_Position, given)
    _manipulation_rules(position.variant, position.rules)
    objectives = {"points": MOST_POINTS, "cards": MOST_CARDS}
    if position.objective not in objectives:
        raise BadInput(f"objective must be points or cards, not {shown(position.objective)}")
    tableau = _check_position(position.tableau, position.hand, "tableau")
    found = best_play(tableau, position.hand, objectives[position.objective])
    return {
        "points": hand_points(found.played),
        "cards": len(found.played),
        "played": found.played,
        "tableau": found.tableau if found.played else position.tableau,
    }


def score(given: dict[str, Any]) -> Answer:
    """Score a deal or a game."""
    if "hands" in given and "totals" in given:
        raise BadInput("give hands (to score a deal) or totals (to score a game), not both")
    if "hands" not in given and "totals" not in given:
        raise BadInput("give hands (to score a deal) or totals (to score a game)")
    return _score_deal(given) if "hands" in given else _score_game(given)


def _score_deal(given: dict[str, Any]) -> Answer:
    hands = given.pop("hands")
    if not isinstance(hands, list):
        raise BadInput(f"hands must be a list, not {shown(hands)}")
    given["points"] = [_points(hand, seat) for seat, hand in enumerate(hands)]
    deal = shaped(_Deal, given)
    rules = _manipulation_rules(deal.variant, deal.rules)
    _check_seats(len(deal.points))
    _check_copies(
        [card for hand in hands if isinstance(hand, list) for card in hand], packs(len(hands))
    )
    _check_end(deal, rules)
    live = [seat for seat, count in enumerate(deal.points) if count is not None]
    if len(live) == 1:  # the deal ends unscored (M10.3)
        return {"points": deal.points, "scores": [0] * len(hands), "winners": []}
    score = score_deal(deal.points, rules, knocker=deal.knocker, out=deal.out)
    return {"points": deal.points, "scores": score.scores, "winners": score.winners}


def _points(hand: object, seat: int) -> int | None:
    """Return the points of a hand given as cards, points or null."""
    if hand is None or (type(hand) is int and hand >= 0):
        return hand
    if not isinstance(hand, list):
        raise BadInput(f"the hand of seat {seat} must be cards, points or null, not {shown(hand)}")
    return hand_points(_undeclared(decode(_Hand, {"hand": hand}).hand))


@dataclass(frozen=True, slots=True)
class _Hand:
    hand: tuple[Card, ...]


def _check_end(deal: _Deal, rules: Rules) -> None:
    """Refuse an end of a deal that the rules cannot bring about (M7.2, M7.3)."""
    points = deal.points
    for name, seat in (("knocker", deal.knocker), ("out", deal.out)):
        if seat is not None and (seat not in range(len(points)) or points[seat] is None):
            raise BadInput(f"{name} must be a seat that has a hand or null, not {seat}")
    if deal.knocker is not None and deal.out is not None:
        raise BadInput("nobody knocks in a deal in which somebody goes out (M7.3)")
    for seat, count in enumerate(points):
        if count == 0 and seat != deal.out:
            raise BadInput(f"the hand of seat {seat} is empty, so out must be {seat} (M7.3)")
    if deal.out is not None and points[deal.out]:
        raise BadInput(f"seat {deal.out} is out but still has cards in hand (M7.3)")
    if deal.knocker is not None and (points[deal.knocker] or 0) > rules.knock_limit:
        raise BadInput(
            f"seat {deal.knocker} cannot knock with {points[deal.knocker]} points; "
            f"the limit is {rules.knock_limit} (M7.2)"
        )
    if all(count is None for count in points):
        raise BadInput("at least one seat must have a hand")


def _score_game(given: dict[str, Any]) -> Answer:
    account = shaped(_GameAccount, given)
    rules = _manipulation_rules(account.variant, account.rules)
    seats = len(account.totals)
    _check_seats(seats)
    if len(account.deals_won) != seats:
        raise BadInput(f"deals_won has {len(account.deals_won)} entries for {seats} totals")
    if min(*account.totals, *account.deals_won, account.deals or 0) < 0:
        raise BadInput("totals, deals_won and deals are never negative")
    if rules.length == "deals" and account.deals is None:
        raise BadInput('length=deals needs the number of deals played, such as "deals":8')
    live = [seat for seat in range(seats) if seat not in account.forfeited]
    if not live or not set(account.forfeited) <= set(range(seats)):
        raise BadInput("forfeited must name seats of the game, and leave one")
    if len(live) == 1:  # the game is over, nobody gets a bonus (M10.3)
        return _account(True, (0,) * seats, account.totals, tuple(live))
    score = score_game(
        account.totals,
        account.deals_won,
        rules,
        deals=account.deals or 0,
        forfeited=account.forfeited,
    )
    return _account(score.ending is not None, score.bonuses, score.totals, score.winners)


def _account(
    over: bool, bonuses: Sequence[int], totals: Sequence[int], winners: Sequence[int]
) -> Answer:
    return {"over": over, "bonuses": bonuses, "totals": totals, "winners": winners}


def _manipulation_rules(variant: str, rules: Mapping[str, object]) -> Rules:
    if find_variant(variant) is not MANIPULATION:
        raise BadInput(f"this command is for {MANIPULATION.key}, not {variant}")
    return knobs.parse(Rules, rules)


def _check_seats(count: int) -> None:
    if count not in SEATS:
        raise BadInput(f"Manipulation has {SEATS[0]} to {SEATS[-1]} seats, not {count} (M1.1)")


def _check_position(tableau: Tableau, hand: Sequence[Card], name: str) -> Tableau:
    """Return the canonical tableau of a position that can occur."""
    try:
        canonical = tuple(canonical_meld(meld) for meld in tableau)
    except RuleViolation as error:
        raise BadInput(f"{name}: {error}") from None
    _check_copies([*_undeclared(hand), *(physical(card) for meld in tableau for card in meld)])
    return canonical


def _undeclared(hand: Sequence[Card]) -> Sequence[Card]:
    declared = [card for card in hand if physical(card) != card]
    if declared:
        raise BadInput(f"hand: a joker in hand has no name; write '*', not {shown(declared[0])}")
    return hand


def _check_copies(cards: Iterable[Card], most: int = 2) -> None:
    many = in_order(card for card, count in Counter(cards).items() if count > most)
    if many:
        often = (
            "once; one pack holds it once (M1.2)"
            if most == 1
            else ("twice; two packs hold it twice (M1.3)")
        )
        raise BadInput(f"{many[0]} stands more than {often}")


ANSWERS: Mapping[str, Answerer] = {"check": check, "solve": solve, "score": score}
"""What answers a line of each command."""
