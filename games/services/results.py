"""Results as projections: made from a game's log, and made anew to see that they are equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.events import Outcome
from engine.record import loads
from games import folds
from games.models import Game, Result

FIELDS = ("ending", "totals", "ranks", "winners", "deals")


def result_fields(state: Any) -> dict[str, Any]:
    """Return the columns of the result of a game that is over, from its state."""
    outcome: Outcome = state.outcome
    return {
        "ending": str(outcome.ending),
        "totals": list(outcome.totals),
        "ranks": list(outcome.ranks),
        "winners": list(outcome.winners),
        "deals": state.deal_number,
    }


def result_refold(game: Game) -> list[str]:
    """Make a game's result anew from its log and return what was different, in words."""
    state = folds.fold(game)
    stored = Result.objects.filter(game=game).first()
    if state.outcome is None:
        if stored is not None:
            stored.delete()
            return [f"game {game.pk}: has a result but is not over"]
        return []
    fields = result_fields(state)
    differences = []
    if stored is None:
        differences.append(f"game {game.pk}: had no result")
    else:
        differences = [
            f"game {game.pk}: {name} was {getattr(stored, name)}, is {fields[name]}"
            for name in FIELDS
            if getattr(stored, name) != fields[name]
        ]
        stored.delete()
    Result.objects.create(game=game, **fields)
    return differences


@dataclass(frozen=True, slots=True)
class DealsPlayed:
    """The deals of a game of a fixed number of deals, to be compared with those of others."""

    scores: list[list[int] | None]
    """Scores of each by seat; None where others cannot have played it likewise: somebody had
    forfeited, the deal was not reached, or its dealer was another than from left to left."""
    gone: list[int]
    """Seats that forfeited."""


def deals_played(game: Game) -> DealsPlayed:
    """Return how the deals of a game of a fixed number of deals came out."""
    scores: list[list[int] | None] = []
    gone: list[int] = []
    dealers: list[int] = []
    seats = game.seats.count()
    lines = game.events.filter(type__in=("deal_started", "deal_ended", "forfeited"))
    for kind, body in lines.order_by("seq").values_list("type", "body"):
        line = loads(body)
        if kind == "forfeited":
            gone.append(line["seat"])
        elif kind == "deal_started":
            dealers.append(line["data"]["dealer"])
        else:
            usual = (dealers[0] + len(dealers) - 1) % seats == dealers[-1]
            scores.append(line["data"]["scores"] if usual and not gone else None)
    deals = game.rules["deals"]
    return DealsPlayed((scores + [None] * deals)[:deals], gone)
