"""What an entrant's page tells beside its results: best and worst deals, change of rating."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.urls import reverse

from games.public import DealEnd, deals_ended, decimal
from tournaments.leaderboards import rating_change
from tournaments.models import Entrant
from tournaments.pages.cross import Result
from tournaments.pages.statistics import GAMES_COUNTED

DEALS_SHOWN = 3
"""Deals that went best, and as many that went worst."""


class DealShown(NamedTuple):
    """A deal as it came out for an entrant."""

    difference: Fraction
    """Its score less the mean of the other seats' scores."""
    score: int
    game: int
    """Number of the game in the tournament."""
    deal: int
    ending: str
    url: str
    """Where the replay shows its end."""

    @property
    def signed(self) -> str:
        """The difference with its sign."""
        return signed(self.difference)


def signed(value: Fraction, places: int = 1) -> str:
    """Return a number with its sign, whole ones without decimals.

    >>> signed(Fraction(49, 2)), signed(Fraction(-3)), signed(Fraction(0))
    ('+24.5', '−3', '0')
    """
    return "+" * (value > 0) + decimal(value, 0 if value.denominator == 1 else places)


def best_and_worst(results: Sequence[Result]) -> tuple[list[DealShown], list[DealShown]]:
    """Return the deals in which an entrant scored most above the others' mean, and most below.

    Of the latest games that anybody may look at; of a table that plays every rotation of the seats
    of the first. Deals that made no difference are neither.
    """
    held = {r.game_id: (r.game, r.seat) for r in results[-GAMES_COUNTED:] if r.game is not None}
    deals = sorted(_deal(end, *held[end.game]) for end in deals_ended(held))
    worst = [deal for deal in deals[:DEALS_SHOWN] if deal.difference < 0]
    best = [deal for deal in reversed(deals[-DEALS_SHOWN:]) if deal.difference > 0]
    return best, worst


def _deal(end: DealEnd, game: int, seat: int) -> DealShown:
    own = end.scores[seat]
    others = Fraction(sum(end.scores) - own, len(end.scores) - 1)
    ending = end.ending.replace("_", " ")
    if end.is_undercut and ending != "undercut":
        ending += ", undercut"
    url = f"{reverse('game', args=[end.game])}?seq={end.seq}"
    return DealShown(own - others, own, game, end.deal, ending, url)


class RatingShown(NamedTuple):
    """What a tournament did to an entrant's running rating."""

    change: str
    games: int
    """Games of it that counted."""


def rating_shown(entrant: Entrant, variant: str) -> RatingShown | None:
    """Return what a tournament of a game kind did to an entrant's rating, None if nothing yet."""
    found = rating_change(entrant, variant)
    return RatingShown(signed(Fraction(f"{found[0]:.1f}")), found[1]) if found else None
