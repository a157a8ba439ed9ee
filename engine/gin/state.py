"""The state of a game of the gin family and the only mover, :func:`apply` (RULES G1-G4, G8).

A state is folded with the game's seed or without it. Without it the deck is unknown, and of a hand
only the cards are known that everybody saw: the fold is the public view of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from engine import knobs, seeds
from engine.cards import FACES, HIDDEN, Card, Face
from engine.events import Event, Faulted, Forfeited, GameStarted, Outcome, SeedRevealed, ranked
from engine.gin.events import (
    DealEnded,
    DealStarted,
    Discarded,
    DrewDiscard,
    DrewStock,
    Faces,
    GameEnded,
    HollywoodEnded,
    Knocked,
    UpcardRefused,
    UpcardTaken,
)
from engine.gin.melds import BIT, bits
from engine.gin.rules import Rules
from engine.gin.scoring import NONE, Pair, Sheet
from engine.variant import Layout

HAND_SIZE = 10
"""Cards dealt to each seat (G1.4)."""

DEAD_STOCK = 2
"""Cards left in the stock at which a discard makes the deal dead (G4.4)."""

MAX_DISCARDS = 200
"""The discard that makes a deal dead (G4.6)."""


class Phase(StrEnum):
    """What the seat on turn has to decide."""

    UPCARD = "upcard"
    """Take the upcard or refuse it (G2.1)."""
    DRAW = "draw"
    """Draw from the stock or take the top of the discard pile (G2.3)."""
    DISCARD = "discard"
    """Discard or knock (G2.3, G4.1)."""


UPCARD, DRAW, DISCARD = Phase


class Deal(NamedTuple):
    """The deal being played, or the last one until the next begins.

    The first four fields are the same through the whole deal.
    """

    number: int
    """From 1; dead deals count."""
    dealer: int
    upcard: Face
    """The card turned up at the start (G1.4)."""
    deck: tuple[Face, ...] | None
    """The shuffled cards, or None in the public view."""
    stock: int
    """Face-down cards left."""
    hands: Pair
    """By seat the cards held, as bits (:mod:`engine.gin.deadwood`); those that are known."""
    hidden: Pair
    """By seat how many more cards are held: in the public view those whose faces are secret."""
    seen: Pair
    """By seat those cards of the hand that everybody saw it take from the discard pile."""
    discards: Faces
    """The discard pile, its top last."""
    turn: int | None
    """Seat to act, or None when the deal is over."""
    phase: Phase | None
    drawn: Card | None = None
    """The card drawn or taken last, ``??`` where it is secret."""
    taken: bool = False
    """Whether it came from the discard pile (G2.4)."""
    discarded: int = 0
    """Discards made in the deal (G4.6)."""
    knock: Knocked | None = None
    """The knock that ended the deal."""
    ended: DealEnded | None = None
    """How the deal came out."""
    defaulting: bool = False
    """Whether the rest of the turn is the default after a fault (G8.1)."""

    @property
    def kept(self) -> int:
        """The bit of the card just taken, which may not be discarded (G2.4), or 0."""
        return BIT[self.drawn] if self.taken and self.drawn is not None else 0


class Shown(NamedTuple):
    """What the rest of a record lays open, in a public state that is being checked."""

    discard: Face | None = None
    """The next card discarded."""
    deadwood: Faces | None = None
    """What the knocker shows outside melds."""
    hands: tuple[Faces | None, ...] | None = None
    """The hands at the end of this deal."""
    upcard: Face | None = None
    """The upcard of the next deal."""


class State(NamedTuple):
    """A game after ``seq`` events. The first four fields change with every turn."""

    seq: int
    deal: Deal | None
    turns: int
    """Turns completed through all deals; a refusal of the upcard is one (G8.1)."""
    news: tuple[tuple[Event, ...], tuple[Event, ...]]
    """By seat, its last decision and what happened since."""
    seed: bytes | None
    rules: Rules
    players: tuple[str, ...] = ()
    sheet: Sheet = Sheet(())
    """Points and boxes entered so far."""
    totals: Pair = NONE
    """Points entered so far by seat; with boxes and bonuses once the game is over."""
    deals_won: Pair = NONE
    dead: int = 0
    """Dead deals so far (G7.1)."""
    faults: Pair = NONE
    forfeits: tuple[int, ...] = ()
    """The seat that forfeited (G8.2)."""
    outcome: Outcome | None = None
    sealed: bool = False
    """Whether the seed is revealed; nothing follows."""
    shown: Shown | None = None
    """In a public state being checked: what the rest of the record lays open."""

    @property
    def turn(self) -> int | None:
        """Seat to act, or None."""
        return self.deal.turn if self.deal and self.outcome is None else None

    @property
    def deal_number(self) -> int:
        """The deal being played or just ended; 0 before the first."""
        return self.deal.number if self.deal else 0

    @property
    def live(self) -> tuple[int, ...]:
        """Seats that have not forfeited, ascending."""
        return tuple(seat for seat in (0, 1) if seat not in self.forfeits)


def initial(rules: Rules, seed: bytes | None = None) -> State:
    """Return the state before the first event; without the seed the public view of a game."""
    return State(0, None, 0, ((), ()), seed, rules)


def apply(state: State, event: Event) -> State:
    """Return the state after an event; it never judges and never fails on a stored event."""
    return _MOVERS[type(event)](state, event)


@lru_cache(maxsize=64)
def shuffled_deck(seed: bytes, deal: int) -> tuple[Face, ...]:
    """Return the deck of a deal: asked for by its start and, for the upcard, just before."""
    return seeds.shuffled(seed, deal, FACES)


def lay_out(rules: object, order: Sequence[int], seats: int, deck: tuple[Face, ...]) -> Layout:
    """Deal ten cards each, one at a time, then turn the upcard; the rest is the stock (G1.4)."""
    dealt = HAND_SIZE * len(order)
    hands: list[tuple[Face, ...]] = [()] * seats
    for place, seat in enumerate(order):
        hands[seat] = deck[place : dealt : len(order)]
    return Layout(tuple(hands), deck[dealt + 1 :], deck[dealt])


def _game_started(state: State, event: GameStarted) -> State:
    rules = knobs.parse(type(state.rules), event.rules)
    return _told(state, event, rules=rules, players=event.seats, sheet=Sheet.empty(rules))


def _deal_started(state: State, event: DealStarted) -> State:
    opponent = 1 - event.dealer
    deck, hands, hidden = None, NONE, (HAND_SIZE, HAND_SIZE)
    if state.seed is not None:
        deck = shuffled_deck(state.seed, event.deal)
        laid = lay_out(state.rules, (opponent, event.dealer), 2, deck)
        hands, hidden = (bits(laid.hands[0]), bits(laid.hands[1])), NONE
    deal = Deal(
        number=event.deal,
        dealer=event.dealer,
        upcard=event.upcard,
        deck=deck,
        stock=len(FACES) - 2 * HAND_SIZE - 1,
        hands=hands,
        hidden=hidden,
        seen=NONE,
        discards=(event.upcard,),
        turn=opponent,
        phase=UPCARD,
    )
    return _told(state, event, deal=deal)


def _upcard_refused(state: State, event: UpcardRefused) -> State:
    """Offer it to the dealer; after the dealer the opponent draws from the stock (G2.2)."""
    before = _deal(state)
    deal = before._replace(turn=1 - event.seat, defaulting=False)
    if event.seat == deal.dealer:
        deal = _with_stock_card(deal, 1 - event.seat)
    return _decided(state, event, before, deal, 1)


def _drew_stock(state: State, event: DrewStock) -> State:
    deal = _deal(state)
    return _decided(state, event, deal, _with_stock_card(deal, event.seat))


def _with_stock_card(deal: Deal, seat: int) -> Deal:
    """Return the deal when a seat has drawn the top of the stock."""
    hands, hidden, drawn = deal.hands, deal.hidden, HIDDEN
    if deal.deck is None:
        hidden = _with(hidden, seat, hidden[seat] + 1)
    else:
        drawn = deal.deck[-deal.stock]
        hands = _with(hands, seat, hands[seat] | BIT[drawn])
    return Deal(
        *deal[:4],
        deal.stock - 1,
        hands,
        hidden,
        deal.seen,
        deal.discards,
        seat,
        DISCARD,
        drawn,
        False,
        deal.discarded,
        defaulting=deal.defaulting,
    )


def _took(state: State, event: UpcardTaken | DrewDiscard) -> State:
    """Move the top of the discard pile to the hand (G2.1, G2.3)."""
    before, seat = _deal(state), event.seat
    card = before.discards[-1]
    bit = BIT[card]
    deal = Deal(
        *before[:4],
        before.stock,
        _with(before.hands, seat, before.hands[seat] | bit),
        before.hidden,
        _with(before.seen, seat, before.seen[seat] | bit),
        before.discards[:-1],
        seat,
        DISCARD,
        card,
        True,
        before.discarded,
        defaulting=before.defaulting,
    )
    return _decided(state, event, before, deal)


def _discarded(state: State, event: Discarded) -> State:
    before, seat = _deal(state), event.seat
    made = before.discarded + 1
    over = before.stock == DEAD_STOCK or made == MAX_DISCARDS
    deal = Deal(
        *before[:4],
        before.stock,
        *_without(before, seat, event.card),
        (*before.discards, event.card),
        None if over else 1 - seat,
        None if over else DRAW,
        before.drawn,
        before.taken,
        made,
    )
    return _decided(state, event, before, deal, 1)


def _knocked(state: State, event: Knocked) -> State:
    """Show the knocker's cards; its discard lies on the pile (G4.1)."""
    before, seat = _deal(state), event.seat
    deal = before
    if event.discard is not None:
        hands, hidden, seen = _without(deal, seat, event.discard)
        pile = (*deal.discards, event.discard)
        deal = deal._replace(hands=hands, hidden=hidden, seen=seen, discards=pile)
    shown = sum(map(bits, event.melds)) + bits(event.deadwood)
    deal = deal._replace(
        hands=_with(deal.hands, seat, shown),
        hidden=_with(deal.hidden, seat, 0),
        seen=_with(deal.seen, seat, shown),
        turn=None,
        phase=None,
        knock=event,
    )
    return _decided(state, event, before, deal, 1)


def _without(deal: Deal, seat: int, card: Face) -> tuple[Pair, Pair, Pair]:
    """Return hands, hidden and seen cards when a seat has laid a card down."""
    bit = BIT[card]
    hands, hidden, seen = deal.hands, deal.hidden, deal.seen
    if hands[seat] & bit:
        hands = _with(hands, seat, hands[seat] ^ bit)
    else:
        hidden = _with(hidden, seat, hidden[seat] - 1)
    if seen[seat] & bit:
        seen = _with(seen, seat, seen[seat] ^ bit)
    return hands, hidden, seen


def _faulted(state: State, event: Faulted) -> State:
    faults = _with(state.faults, event.seat, state.faults[event.seat] + 1)
    deal = _deal(state)
    state = _decided(state, event, deal, deal)._replace(faults=faults)
    return state._replace(deal=deal._replace(defaulting=True))


def _forfeited(state: State, event: Forfeited) -> State:
    """Take the hand out of play and end the deal (G8.2)."""
    deal = _deal(state)
    deal = deal._replace(
        hands=_with(deal.hands, event.seat, 0),
        hidden=_with(deal.hidden, event.seat, 0),
        seen=_with(deal.seen, event.seat, 0),
        turn=None,
        phase=None,
        defaulting=False,
    )
    forfeits = (*state.forfeits, event.seat)
    return _told(state, event, forfeits=forfeits, deal=deal, turns=state.turns + 1)


def _deal_ended(state: State, event: DealEnded) -> State:
    sheet, won = state.sheet, state.deals_won
    for seat in event.winners:
        boxes = state.rules.boxes(event.ending)
        sheet = sheet.enter(seat, event.scores[seat], boxes, state.rules)
        won = _with(won, seat, won[seat] + 1)
    ours, theirs = [bits(hand or ()) for hand in event.hands]
    deal = _deal(state)._replace(
        hands=(ours, theirs), hidden=NONE, seen=(ours, theirs), ended=event
    )
    return _told(
        state,
        event,
        sheet=sheet,
        totals=sheet.points,
        deals_won=won,
        dead=state.dead + (not event.winners),
        deal=deal,
        shown=None,
    )


def _game_ended(state: State, event: GameEnded) -> State:
    ranks = ranked(event.totals, event.winners, state.forfeits)
    outcome = Outcome(event.ending, event.totals, event.winners, ranks)
    return _told(state, event, totals=event.totals, outcome=outcome)


def _seed_revealed(state: State, event: SeedRevealed) -> State:
    return _told(state, event, sealed=True)


def _told(state: State, event: Event, **changes: Any) -> State:
    """Return the state after an event that is no decision: both seats have yet to hear of it."""
    ours, theirs = state.news
    news = ((*ours, event), (*theirs, event))
    return state._replace(seq=state.seq + 1, news=news, **changes)


def _decided(state: State, event: Any, before: Deal, deal: Deal, turns: int = 0) -> State:
    """Return the state after a seat's decision; the default's events are none of its own."""
    ours, theirs = state.news
    if before.defaulting:
        news = ((*ours, event), (*theirs, event))
    elif event.seat == 0:
        news = ((event,), (*theirs, event))
    else:
        news = ((*ours, event), (event,))
    return State._make((state.seq + 1, deal, state.turns + turns, news, *state[4:]))


def _deal(state: State) -> Deal:
    assert state.deal is not None  # noqa: S101  (stored events follow a deal_started)
    return state.deal


def _with(pair: Pair, seat: int, value: int) -> Pair:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


_MOVERS: dict[type[Event], Callable[[State, Any], State]] = {
    GameStarted: _game_started,
    DealStarted: _deal_started,
    UpcardTaken: _took,
    UpcardRefused: _upcard_refused,
    DrewStock: _drew_stock,
    DrewDiscard: _took,
    Discarded: _discarded,
    Knocked: _knocked,
    Faulted: _faulted,
    Forfeited: _forfeited,
    DealEnded: _deal_ended,
    GameEnded: _game_ended,
    HollywoodEnded: _game_ended,
    SeedRevealed: _seed_revealed,
}
