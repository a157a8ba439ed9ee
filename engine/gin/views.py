"""What a seat, or anybody, may know of a game of the gin family."""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

from engine.cards import HIDDEN, Card, Face
from engine.codec import encode
from engine.events import Event, Status
from engine.gin.events import Faces
from engine.gin.judge import May, may
from engine.gin.melds import hand_cards
from engine.gin.rules import Rules
from engine.gin.scoring import Pair
from engine.gin.state import DISCARD, Phase, State
from engine.knobs import as_settings
from engine.variant import JsonObject


class SeatView(NamedTuple):
    """What everybody knows of a seat."""

    id: str
    """Opaque player id."""
    cards: int
    """Number of cards in hand."""
    seen: Faces
    """Those cards of the hand that it took from the discard pile, in canonical order."""
    total: int
    """Points so far."""
    deals_won: int
    boxes: int
    """Boxes entered so far, through all columns."""
    status: Status

    def as_dict(self) -> JsonObject:
        """Return the view as a JSON object."""
        return self._asdict() | {"seen": list(self.seen)}


class Observation(NamedTuple):
    """What a seat may know; a spectator's has no ``you`` and no hand. Nothing else leaves."""

    rules: Rules
    you: int | None
    hand: tuple[Card, ...]
    """Own cards in canonical order."""
    upcard: Face | None
    """The card turned up at the start of the deal (G1.4)."""
    discards: Faces
    """The discard pile, its top last."""
    stock: int
    """Face-down cards left."""
    phase: Phase | None
    """What the seat on turn has to decide, None when nobody is on turn."""
    taken: Face | None
    """The card just taken from the discard pile, which may not be discarded (G2.4)."""
    limit: int | None
    """Most deadwood with which a player may knock in this deal (G4.1, O1)."""
    dealer: int | None
    deal: int
    """Number of the deal, from 1."""
    seats: tuple[SeatView, ...]
    columns: tuple[Pair, ...] | None
    """Hollywood Gin: points entered by column and seat (H3)."""
    may: May
    """The commands open to ``you`` now."""
    since: tuple[tuple[int, Event], ...]
    """Numbered events since your last decision, that one first."""

    def as_dict(self) -> JsonObject:
        """Return the observation as the JSON object that bots receive."""
        return {
            "variant": self.rules.KEY,
            "rules": as_settings(self.rules),
            "you": self.you,
            "hand": list(self.hand),
            "upcard": self.upcard,
            "discards": list(self.discards),
            "stock": self.stock,
            "phase": self.phase,
            "taken": self.taken,
            "limit": self.limit,
            "dealer": self.dealer,
            "deal": self.deal,
            "seats": [seat.as_dict() for seat in self.seats],
            "columns": None if self.columns is None else [list(pair) for pair in self.columns],
            "may": {field.name: getattr(self.may, field.name) for field in fields(May)},
            "since": [
                {"seq": seq, "seat": e.actor, "type": e.type, "v": e.v, "data": encode(e)}
                for seq, e in self.since
            ],
        }


def observe(state: State, seat: int | None) -> Observation:
    """Return what a seat may know, from a state folded with the seed; with None, what all may.

    The spectator's view is the same from a state folded without the seed.
    """
    deal = state.deal
    news = () if seat is None else state.news[seat]
    several = state.rules.COLUMNS > 1
    return Observation(
        rules=state.rules,
        you=seat,
        hand=() if seat is None else hand_of(state, seat),
        upcard=deal.upcard if deal else None,
        discards=deal.discards if deal else (),
        stock=deal.stock if deal else 0,
        phase=deal.phase if deal and state.turn is not None else None,
        taken=deal.drawn if deal and deal.taken and deal.phase is DISCARD else None,
        limit=state.rules.limit(deal.upcard) if deal else None,
        dealer=deal.dealer if deal else None,
        deal=state.deal_number,
        seats=tuple([_seat_view(state, i) for i in range(len(state.players))]),
        columns=tuple([c.points for c in state.sheet.columns]) if several else None,
        may=May() if seat is None else may(state, seat),
        since=tuple(enumerate(news, state.seq - len(news) + 1)),
    )


def hand_of(state: State, seat: int) -> tuple[Card, ...]:
    """Return a hand in canonical order, hidden cards last."""
    if state.deal is None:
        return ()
    return hand_cards(state.deal.hands[seat]) + (HIDDEN,) * state.deal.hidden[seat]


def _seat_view(state: State, seat: int) -> SeatView:
    deal = state.deal
    held = 0
    seen: Faces = ()
    if deal is not None:
        held = deal.hands[seat].bit_count() + deal.hidden[seat]
        seen = hand_cards(deal.seen[seat])
    return SeatView(
        id=state.players[seat],
        cards=held,
        seen=seen,
        total=state.totals[seat],
        deals_won=state.deals_won[seat],
        boxes=state.sheet.boxes[seat],
        status=Status.FORFEITED if seat in state.forfeits else Status.PLAYING,
    )
