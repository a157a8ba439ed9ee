"""The state of a game of Manipulation and the only mover, :func:`apply` (RULES M2, M3, M10).

A state is folded with the game's seed or without it. Without it the deck is unknown, every hidden
card is ``??`` and the fold is the public view of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from engine import knobs, seeds
from engine.cards import HIDDEN, Card, Tableau, unshuffled
from engine.events import Event, Faulted, Forfeited, GameStarted, Outcome, SeedRevealed, ranked
from engine.manipulation.events import DealEnded, DealStarted, Drew, GameEnded, Melded, Passed
from engine.manipulation.phase import change
from engine.manipulation.rules import Rules, packs
from engine.variant import Layout

_T = TypeVar("_T")


class Deal(NamedTuple):
    """The deal being played, or the last one until the next begins."""

    number: int
    """From 1."""
    dealer: int
    deck: tuple[Card, ...] | None
    """The shuffled cards, or None in the public view."""
    pile: int
    """Face-down cards left (M2.3)."""
    hands: tuple[tuple[Card, ...], ...]
    """By seat, in the order the cards came; ``??`` in the public view; empty after a forfeit."""
    tableau: Tableau = ()
    turn: int | None = None
    """Seat to act, or None when the deal is over."""
    draws: int = 0
    """Cards drawn in this turn (M3.2-M3.4); none in the final lap."""
    lap: tuple[int, ...] | None = None
    """Seats whose turn in the final lap is to come, or None before it (M8.8)."""
    defaulting: bool = False
    """Whether the rest of the turn is the default after a fault (M10.1)."""


class State(NamedTuple):
    """A game after ``seq`` events."""

    seed: bytes | None
    seq: int = 0
    rules: Rules = Rules()
    players: tuple[str, ...] = ()
    totals: tuple[int, ...] = ()
    """Points scored so far by seat; with the bonuses once the game is over."""
    deals_won: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    """Seats that forfeited, in that order (M10.2)."""
    deal: Deal | None = None
    turns: int = 0
    """Turns completed through all deals."""
    outcome: Outcome | None = None
    asked: tuple[int, ...] = ()
    """By seat, the ``seq`` at which it decided last."""
    recent: tuple[Event, ...] = ()
    """The newest events, back to the oldest decision of a seat that still plays."""
    sealed: bool = False
    """Whether the seed is revealed; nothing follows."""
    shown: tuple[tuple[Card, ...] | None, ...] | None = None
    """In a public state being checked: the hands that the end of this deal lays open."""

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
        return tuple(s for s in range(len(self.players)) if s not in self.forfeits)

    def live_after(self, seat: int) -> Iterator[int]:
        """Yield the live seats from the left of ``seat`` round to itself."""
        count = len(self.players)
        for step in range(1, count + 1):
            other = (seat + step) % count
            if other not in self.forfeits:
                yield other

    def events_since(self, seq: int) -> tuple[tuple[int, Event], ...]:
        """Return the events after ``seq`` with their numbers, oldest first."""
        first = self.seq - len(self.recent) + 1
        return tuple((n, event) for n, event in enumerate(self.recent, first) if n > seq)


def apply(state: State, event: Event) -> State:
    """Return the state after an event; it never judges and never fails on a stored event."""
    changes = _MOVERS[type(event)](state, event)
    seq = state.seq + 1
    recent = (*state.recent, event)
    asked = changes.get("asked")
    if asked is not None:
        oldest = min([asked[seat] for seat in state.live] if state.forfeits else asked)
        recent = recent[oldest - seq :]
    return state._replace(seq=seq, recent=recent, **changes)


def _game_started(state: State, event: GameStarted) -> dict[str, Any]:
    none = (0,) * len(event.seats)
    return {
        "rules": knobs.parse(Rules, event.rules),
        "players": event.seats,
        "totals": none,
        "deals_won": none,
        "faults": none,
        "asked": none,
    }


def _deal_started(state: State, event: DealStarted) -> dict[str, Any]:
    """Deal, and let the seat on the dealer's left draw (M3.1, M3.2)."""
    count = len(state.players)
    cards = unshuffled(packs(count), jokers=True)
    order = list(state.live_after(event.dealer))
    if state.seed is None:
        deck, laid = None, lay_out(state.rules, order, count, (HIDDEN,) * len(cards))
    else:
        deck = seeds.shuffled(state.seed, event.deal, cards)
        laid = lay_out(state.rules, order, count, deck)
    deal = Deal(event.deal, event.dealer, deck, len(laid.pile), laid.hands)
    return {"deal": _draw(deal, order[0], turn=order[0], draws=1)}


def lay_out(rules: Rules, order: Sequence[int], seats: int, deck: tuple[Card, ...]) -> Layout:
    """Deal one card at a time to the seats in ``order``; the rest is the pile (M2.2, M2.3)."""
    dealt = rules.hand_size * len(order)
    hands: list[tuple[Card, ...]] = [()] * seats
    for place, seat in enumerate(order):
        hands[seat] = deck[place : dealt : len(order)]
    return Layout(tuple(hands), deck[dealt:])


def _draw(deal: Deal, seat: int, **changes: Any) -> Deal:
    """Give a seat the next card of the pile, and change what else changes."""
    card = HIDDEN if deal.deck is None else deal.deck[len(deal.deck) - deal.pile]
    hands = _with(deal.hands, seat, (*deal.hands[seat], card))
    return deal._replace(hands=hands, pile=deal.pile - 1, **changes)


def _drew(state: State, event: Drew) -> dict[str, Any]:
    deal = _deal(state)
    return _acted(state, event.seat) | {"deal": _draw(deal, event.seat, draws=deal.draws + 1)}


def _melded(state: State, event: Melded) -> dict[str, Any]:
    deal = _deal(state)
    hand = list(deal.hands[event.seat])
    for card in change(deal.tableau, event.tableau).played:
        hand.remove(card if card in hand else HIDDEN)
    hands = _with(deal.hands, event.seat, tuple(hand))
    deal = deal._replace(tableau=event.tableau, hands=hands)
    over = event.knock or not hand
    return _acted(state, event.seat) | _turn_over(state, deal, over)


def _passed(state: State, event: Passed) -> dict[str, Any]:
    return _acted(state, event.seat) | _turn_over(state, _deal(state), event.knock)


def _faulted(state: State, event: Faulted) -> dict[str, Any]:
    faults = _with(state.faults, event.seat, state.faults[event.seat] + 1)
    return _acted(state, event.seat) | {
        "faults": faults,
        "deal": _deal(state)._replace(defaulting=True),
    }


def _forfeited(state: State, event: Forfeited) -> dict[str, Any]:
    """Take the hand out of play; skip the seat in turns and in the lap (M10.2, M10.3)."""
    deal = _deal(state)
    deal = deal._replace(hands=_with(deal.hands, event.seat, ()))
    gone = state._replace(forfeits=(*state.forfeits, event.seat))
    changes: dict[str, Any] = {"forfeits": gone.forfeits}
    last_left = len(gone.live) == 1
    if deal.turn == event.seat or last_left:
        return changes | _turn_over(gone, deal, over=last_left)
    if deal.lap is not None:
        deal = deal._replace(lap=tuple(s for s in deal.lap if s != event.seat))
    return changes | {"deal": deal}


def _deal_ended(state: State, event: DealEnded) -> dict[str, Any]:
    won = [count + (s in event.winners) for s, count in enumerate(state.deals_won)]
    totals = [total + score for total, score in zip(state.totals, event.scores, strict=True)]
    hands = tuple([hand or () for hand in event.hands])
    return {
        "totals": tuple(totals),
        "deals_won": tuple(won),
        "shown": None,
        "deal": _deal(state)._replace(hands=hands, turn=None),
    }


def _game_ended(state: State, event: GameEnded) -> dict[str, Any]:
    ranks = ranked(event.totals, event.winners, state.forfeits)
    return {
        "totals": event.totals,
        "outcome": Outcome(event.ending, event.totals, event.winners, ranks),
    }


def _seed_revealed(state: State, event: SeedRevealed) -> dict[str, Any]:
    return {"sealed": True}


def _turn_over(state: State, deal: Deal, over: bool) -> dict[str, Any]:
    """Pass the turn on, begin or go on with the final lap, or end the deal (M3.6, M8.8)."""
    seat, lap, turn = deal.turn, deal.lap, None
    if over or seat is None:
        pass
    elif lap is not None:
        lap = tuple(s for s in lap[1:] if s not in state.forfeits)
        turn = lap[0] if lap else None
    elif deal.pile == 0:
        lap = tuple(state.live_after(seat))
        turn = lap[0]
    else:
        turn = next(state.live_after(seat))
        deal = _draw(deal, turn, turn=turn, draws=1, defaulting=False)
        return {"deal": deal, "turns": state.turns + 1}
    deal = deal._replace(turn=turn, draws=0, lap=lap, defaulting=False)
    return {"deal": deal, "turns": state.turns + 1}


def _acted(state: State, seat: int) -> dict[str, Any]:
    """Note at which ``seq`` a seat decided; the default's events are no decision of its own."""
    if _deal(state).defaulting:
        return {}
    return {"asked": _with(state.asked, seat, state.seq)}


def _deal(state: State) -> Deal:
    assert state.deal is not None  # noqa: S101  (stored events follow a deal_started)
    return state.deal


def _with(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return (*values[:index], value, *values[index + 1 :])


_MOVERS: dict[type[Event], Callable[[State, Any], dict[str, Any]]] = {
    GameStarted: _game_started,
    DealStarted: _deal_started,
    Drew: _drew,
    Melded: _melded,
    Passed: _passed,
    Faulted: _faulted,
    Forfeited: _forfeited,
    DealEnded: _deal_ended,
    GameEnded: _game_ended,
    SeedRevealed: _seed_revealed,
}
