"""What a seat, or anybody, may know of a game of Manipulation (RULES M3.7)."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards import Card, Tableau, in_order
from engine.codec import encode
from engine.events import Event, Status
from engine.knobs import as_settings
from engine.manipulation.judge import KEY, May, may
from engine.manipulation.rules import Rules
from engine.manipulation.state import Deal, State
from engine.variant import JsonObject


class SeatView(NamedTuple):
    """What everybody knows of a seat."""

    id: str
    """Opaque player id."""
    cards: int
    """Number of cards in hand."""
    total: int
    """Points so far."""
    deals_won: int
    status: Status

    def as_dict(self) -> JsonObject:
        """Return the view as a JSON object."""
        return {
            "id": self.id,
            "cards": self.cards,
            "total": self.total,
            "deals_won": self.deals_won,
            "status": self.status,
        }


class Observation(NamedTuple):
    """What a seat may know; a spectator's has no ``you`` and no hand. Nothing else leaves."""

    rules: Rules
    you: int | None
    hand: tuple[Card, ...]
    """Own cards in canonical order."""
    tableau: Tableau
    draws: int
    """Cards drawn in the turn being played."""
    pile: int
    """Face-down cards left."""
    final_lap: bool
    """Whether the final lap is on (M8.8)."""
    dealer: int | None
    deal: int
    """Number of the deal, from 1."""
    seats: tuple[SeatView, ...]
    may: May
    """The commands open to ``you`` now."""
    since: tuple[tuple[int, Event], ...]
    """Numbered events since your last decision."""

    def as_dict(self) -> JsonObject:
        """Return the observation as the JSON object that bots receive."""
        return {
            "variant": KEY,
            "rules": as_settings(self.rules),
            "you": self.you,
            "hand": list(self.hand),
            "tableau": [list(meld) for meld in self.tableau],
            "draws": self.draws,
            "pile": self.pile,
            "final_lap": self.final_lap,
            "dealer": self.dealer,
            "deal": self.deal,
            "seats": [seat.as_dict() for seat in self.seats],
            "may": {
                "draw": self.may.draw,
                "meld": self.may.meld,
                "pass": self.may.pass_,
                "knock_limit": self.may.knock_limit,
            },
            "since": [
                {"seq": seq, "seat": e.actor, "type": e.type, "v": e.v, "data": encode(e)}
                for seq, e in self.since
            ],
        }


_BEFORE = Deal(number=0, dealer=0, deck=None, pile=0, hands=())


def observe(state: State, seat: int | None) -> Observation:
    """Return what a seat may know, from a state folded with the seed; with None, what all may.

    The spectator's view is the same from a state folded without the seed.
    """
    deal = state.deal or _BEFORE
    sizes = map(len, deal.hands or ((),) * len(state.players))
    status = [
        Status.FORFEITED if s in state.forfeits else Status.PLAYING
        for s in range(len(state.players))
    ]
    seats = tuple(map(SeatView, state.players, sizes, state.totals, state.deals_won, status))
    return Observation(
        rules=state.rules,
        you=seat,
        hand=in_order(deal.hands[seat]) if seat is not None and deal.hands else (),
        tableau=deal.tableau,
        draws=deal.draws,
        pile=deal.pile,
        final_lap=deal.lap is not None,
        dealer=deal.dealer if state.deal else None,
        deal=deal.number,
        seats=seats,
        may=May() if seat is None else may(state, seat),
        since=() if seat is None else state.events_since(state.asked[seat]),
    )
