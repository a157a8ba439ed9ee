"""Long-run strength: OpenSkill ratings by the Bradley-Terry model with partial pairing.

A rating is a belief about a player's strength, with mean μ and uncertainty σ; every game moves the
beliefs about its players. Ratings are for display, so they are floats, unlike points. The model is
that of Weng and Lin (JMLR 12, 2011). From equal ratings it never gives a joint winner less than a
player placed below, which another model of the library does (TOURNAMENTS.md 4).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from openskill.models import BradleyTerryPart

from engine.errors import BadInput

_P = TypeVar("_P", bound=Hashable)

_MODEL = BradleyTerryPart()


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of one player."""

    mu: float = _MODEL.mu
    """Mean of the strength; newcomers have 25."""
    sigma: float = _MODEL.sigma
    """Uncertainty of the strength, one standard deviation; newcomers have 25/3."""
    games: int = 0
    """Games rated."""
    wins: int = 0
    """Games in first place, alone or shared."""

    @property
    def ordinal(self) -> float:
        """Return the strength that the player very likely has at least: μ − 3σ, 0 at first."""
        return self.mu - 3 * self.sigma


def histories(games: Iterable[tuple[Sequence[_P], Sequence[int]]]) -> dict[_P, list[Rating]]:
    """Return everybody's rating after each of their games, in the order in which they were played.

    :param games: players by seat, and their places: 1 is the winner, equal places are equal.
    :raises BadInput: as :func:`rate_game`.

    >>> [[round(r.mu, 2) for r in known] for known in histories([("ab", (1, 2))]).values()]
    [[27.64], [22.36]]
    """
    found: dict[_P, list[Rating]] = {}
    current: dict[_P, Rating] = {}
    for players, ranks in games:
        changed = rate_game(current, players, ranks)
        current.update(changed)
        for player, rating in changed.items():
            found.setdefault(player, []).append(rating)
    return found


def rate_game(
    ratings: Mapping[_P, Rating], players: Sequence[_P], ranks: Sequence[int]
) -> dict[_P, Rating]:
    """Return the new ratings of the players of one game; whoever had none is a newcomer.

    Seats make no difference, and of equal ratings equal places get equal new ones.

    :raises BadInput: for fewer than two players, a player twice, or not one place for each.
    """
    if len(players) < 2 or len(set(players)) < len(players):
        raise BadInput(f"a rated game has two or more different players, not {list(players)}")
    if len(ranks) != len(players):
        raise BadInput(f"{len(ranks)} places for {len(players)} players; give one for each")
    # In a fixed order, since floats summed in another order differ in the last digit.
    order = sorted(range(len(players)), key=lambda seat: (ranks[seat], str(players[seat])))
    before = [ratings.get(players[seat], Rating()) for seat in order]
    after = _MODEL.rate(
        [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before],
        ranks=[float(ranks[seat]) for seat in order],
    )
    return {
        players[seat]: Rating(
            new.mu, new.sigma, old.games + 1, old.wins + (ranks[seat] == min(ranks))
        )
        for seat, old, (new,) in zip(order, before, after, strict=True)
    }
