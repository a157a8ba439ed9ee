"""What a deal and a game are worth (RULES M8, M9, M10)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.manipulation.events import GameEnding
from engine.manipulation.rules import MAX_DEALS, Rules


@dataclass(frozen=True, slots=True)
class DealScore:
    """Who scored what in a deal."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameScore:
    """Where a game stands after a deal."""

    ending: GameEnding | None
    """Why the game is over, or None while it goes on."""
    bonuses: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]


def score_deal(
    points: Sequence[int | None],
    rules: Rules,
    *,
    knocker: int | None = None,
    out: int | None = None,
) -> DealScore:
    """Return the scores of a deal that was played to its end (M8).

    :param points: points in hand by seat (M7.1), None for a seat that forfeited (M10.2).
    :param knocker: seat that knocked, if any.
    :param out: seat that went out, if any.

    >>> score_deal([5, 3], Rules(), knocker=0)
    DealScore(scores=(0, 12), winners=(1,))
    """
    held = {seat: count for seat, count in enumerate(points) if count is not None}
    lowest = min(held.values())
    winners = [seat for seat, count in held.items() if count == lowest]
    if knocker in winners and len(winners) > 1:  # a tie goes to the others (M8.5, M8.6)
        winners.remove(knocker)
    bonus = 0
    if out is not None:
        bonus = rules.out_bonus
    elif knocker is not None and knocker not in winners:
        bonus = rules.undercut_bonus
    score = sum(held.values()) - lowest * len(held) + bonus
    return DealScore(
        tuple(score if seat in winners else 0 for seat in range(len(points))), tuple(winners)
    )


def score_game(
    totals: Sequence[int],
    deals_won: Sequence[int],
    rules: Rules,
    *,
    deals: int,
    forfeited: Collection[int] = (),
) -> GameScore:
    """Return whether the game is over after ``deals`` deals, and the final account (M9).

    :param totals: points by seat before bonuses.
    :param forfeited: seats that get no bonus and cannot win (M10.2).

    >>> score_game([151, 149], [2, 5], Rules(), deals=7).totals
    (251, 274)
    """
    ending = None
    if rules.length == "deals":
        if rules.deals is not None and deals >= rules.deals:
            ending = GameEnding.DEALS
    elif max(totals) >= rules.target:
        ending = GameEnding.TARGET
    elif deals >= MAX_DEALS:
        ending = GameEnding.DEALS
    if ending is None:
        return GameScore(None, (0,) * len(totals), tuple(totals), ())

    def bonus(seat: int) -> int:
        if seat in forfeited:
            return 0
        at_target = ending is GameEnding.TARGET and totals[seat] >= rules.target
        for_deals = not at_target or rules.deal_bonus_to == "all"
        return rules.target_bonus * at_target + rules.deal_bonus * deals_won[seat] * for_deals

    bonuses = tuple(bonus(seat) for seat in range(len(totals)))
    final = tuple(total + extra for total, extra in zip(totals, bonuses, strict=True))
    standing = [seat for seat in range(len(totals)) if seat not in forfeited]
    most = max(final[seat] for seat in standing)
    return GameScore(ending, bonuses, final, tuple(s for s in standing if final[s] == most))
