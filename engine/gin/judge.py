"""The only judge of the gin family: which commands are legal and what they cause (RULES G1-G4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from engine.cards import HIDDEN, RANK_OF, SUIT_OF, Card, in_order
from engine.errors import BadInput, RuleViolation
from engine.events import (
    Abort,
    Command,
    Event,
    Fault,
    Faulted,
    Forfeit,
    Forfeited,
    ForfeitReason,
    Resign,
)
from engine.gin.deadwood import best_discard, deadwood, points
from engine.gin.endings import consequences, unscored
from engine.gin.events import (
    Discard,
    Discarded,
    DrawDiscard,
    DrawStock,
    DrewDiscard,
    DrewStock,
    GameEnding,
    Gin,
    Knock,
    Knocked,
    RefuseUpcard,
    TakeUpcard,
    UpcardRefused,
    UpcardTaken,
)
from engine.gin.melds import BIT, NO_BIT, bits, canonical_meld, faces, hand_cards
from engine.gin.rules import POINTS
from engine.gin.state import (
    DEAD_STOCK,
    DISCARD,
    DRAW,
    HAND_SIZE,
    MAX_DISCARDS,
    UPCARD,
    Deal,
    State,
    apply,
)

RULES_VERSION = 1

VIOLATIONS = (
    "game_over",
    "not_your_turn",
    "may_not_take",
    "may_not_draw",
    "may_not_discard",
    "not_held",
    "just_taken",
    "not_a_meld",
    "over_limit",
    "may_not_big_gin",
)
"""Codes of :class:`RuleViolation` in the order in which they are tested."""


@dataclass(frozen=True, slots=True)
class May:
    """Which kinds of command are open to a seat now."""

    take_upcard: bool = False
    """Take the upcard (G2.1)."""
    refuse_upcard: bool = False
    """Refuse the upcard (G2.1)."""
    draw_stock: bool = False
    """Draw from the stock (G2.3)."""
    draw_discard: bool = False
    """Take the top of the discard pile (G2.3)."""
    discard: bool = False
    """Discard and play on (G2.3)."""
    knock: bool = False
    """Knock: some discard leaves little enough deadwood (G4.1)."""
    big_gin: bool = False
    """Knock without a discard: all eleven cards are melded (G4.3)."""


_NOTHING = May()
_UPCARD = May(take_upcard=True, refuse_upcard=True)
_DRAW = May(draw_stock=True, draw_discard=True)
_DISCARD = May(discard=True)


def may(state: State, seat: int) -> May:
    """Return which kinds of command are open to a seat."""
    deal = state.deal
    if deal is None or deal.turn != seat or state.outcome:
        return _NOTHING
    if deal.phase is UPCARD:
        return _UPCARD
    if deal.phase is DRAW:
        return _DRAW
    hand, limit = deal.hands[seat], state.rules.limit(deal.upcard)
    least = deadwood(hand)
    if least - 10 > limit or deal.hidden[seat]:
        return _DISCARD
    big = least == 0 and state.rules.big_gin != "none"
    return May(discard=True, knock=best_discard(hand, deal.kept)[0] <= limit, big_gin=big)


def decide(state: State, seat: int | None, command: Command) -> tuple[Event, ...]:
    """Judge a command and return the events it causes.

    :raises RuleViolation: with the first of the codes :data:`VIOLATIONS` that applies.
    :raises BadInput: for a command of another game kind.
    """
    judge = _JUDGES.get(type(command))
    deal = state.deal
    if judge is None or deal is None or deal.turn != seat or seat is None or state.outcome:
        return _decide_out_of_turn(state, seat, command)
    return judge(state, seat, command)


def _decide_out_of_turn(state: State, seat: int | None, command: Command) -> tuple[Event, ...]:
    """Judge what needs no turn, and refuse the rest."""
    if state.outcome is not None:
        raise RuleViolation(
            "game_over", f"the game is over ({state.outcome.ending}); no command is open", "G7.1"
        )
    if state.deal is not None and state.deal.turn is None:
        raise BadInput("the deal is over; deal_ended must follow")
    if isinstance(command, Abort):
        return (unscored(state, GameEnding.ABORTED),)
    if seat is None or not 0 <= seat <= 1:
        _refuse("not_your_turn", f"there is no seat {seat} at this game", "G1.1")
    if isinstance(command, Resign):
        return _closing(state, Forfeited(seat, ForfeitReason.RESIGNED))
    if isinstance(command, Forfeit):
        return _closing(state, Forfeited(seat, command.reason))
    if seat != state.turn:
        message = f"it is the turn of seat {state.turn}, not of seat {seat}"
        _refuse("not_your_turn", message, "G2.3")
    name = command.type if isinstance(command, Command) else repr(command)
    raise BadInput(f"{name} is no command of this game; one is DrawStock()")


def is_legal(state: State, seat: int, command: Command) -> bool:
    """Say whether :func:`decide` would accept a command."""
    try:
        decide(state, seat, command)
    except RuleViolation:
        return False
    return True


def default_commands(state: State) -> tuple[Command, ...]:
    """Return the default of the seat on turn: refuse, or draw and discard; never knock (G8.1).

    A public state knows the discard only from the record being checked; else it is ``??``.
    """
    deal = _deal(state)
    if deal.phase is UPCARD:
        return (RefuseUpcard(),)
    if deal.phase is DISCARD:
        return (Discard(_default_discard(state, deal)),)
    drawn = HIDDEN if deal.deck is None else deal.deck[-deal.stock]
    return (DrawStock(), Discard(_shown_discard(state, deal) if drawn == HIDDEN else drawn))


def _default_discard(state: State, deal: Deal) -> Card:
    """Return the card just drawn or, after taking one, the dearest other card (G8.1)."""
    if not deal.taken and deal.drawn is not None and deal.drawn != HIDDEN:
        return deal.drawn
    seat = deal.turn or 0
    if deal.hidden[seat]:
        return _shown_discard(state, deal)
    others = faces(deal.hands[seat] ^ deal.kept)
    return max(others, key=lambda card: (POINTS[card], SUIT_OF[card], RANK_OF[card]))


def _shown_discard(state: State, deal: Deal) -> Card:
    """Return the next discard of the record being checked, if it can be one of a default."""
    shown = state.shown.discard if state.shown else None
    if shown is None or (not deal.taken and deal.hands[deal.turn or 0] & BIT[shown]):
        return HIDDEN
    return shown


def _take_upcard(state: State, seat: int, command: TakeUpcard) -> tuple[Event, ...]:
    _check_offered(_deal(state))
    return (UpcardTaken(seat),)


def _refuse_upcard(state: State, seat: int, command: RefuseUpcard) -> tuple[Event, ...]:
    _check_offered(_deal(state))
    return (UpcardRefused(seat),)


def _check_offered(deal: Deal) -> None:
    if deal.phase is DRAW:
        message = "the upcard is offered at the start of a deal only; draw a card"
        _refuse("may_not_take", message, "G2.1")
    if deal.phase is DISCARD:
        _refuse("may_not_take", "you have drawn a card; discard or knock", "G2.3")


def _draw_stock(state: State, seat: int, command: DrawStock) -> tuple[Event, ...]:
    if _deal(state).phase is not DRAW:
        _refuse_draw(_deal(state))
    return (DrewStock(seat),)


def _draw_discard(state: State, seat: int, command: DrawDiscard) -> tuple[Event, ...]:
    if _deal(state).phase is not DRAW:
        _refuse_draw(_deal(state))
    return (DrewDiscard(seat),)


def _refuse_draw(deal: Deal) -> NoReturn:
    if deal.phase is UPCARD:
        _refuse("may_not_draw", "the upcard is offered; take it or refuse it", "G2.1")
    _refuse("may_not_draw", "you have drawn a card; discard or knock", "G2.3")


def _discard(state: State, seat: int, command: Discard) -> tuple[Event, ...]:
    deal, card = _deal(state), command.card
    held = deal.phase is DISCARD and deal.hands[seat] & BIT.get(card, NO_BIT)
    if not held or deal.taken:
        _check_discard(deal, seat, card, [card])
    event = Discarded(seat, card)
    if deal.stock == DEAD_STOCK or deal.discarded == MAX_DISCARDS - 1:  # G4.4, G4.6
        return _closing(state, event)
    return (event,)


def _check_discard(deal: Deal, seat: int, card: Card | None, shown: Sequence[Card]) -> None:
    """Refuse a discard or knock too early, with cards that are not held, or of a card taken."""
    if deal.phase is UPCARD:
        _refuse("may_not_discard", "the upcard is offered; take it or refuse it", "G2.1")
    if deal.phase is DRAW:
        _refuse("may_not_discard", "draw a card before you discard or knock", "G2.3")
    lacking = _lacking(deal, seat, shown)
    if lacking:
        twice = [other for other in lacking if shown.count(other) > 1]
        if twice and not _lacking(deal, seat, twice[:1]):
            _refuse("not_held", f"{twice[0]} stands twice; you hold it once", "G3.2")
        _refuse("not_held", f"{' '.join(in_order(lacking))} is not in your hand", "G2.3")
    if deal.taken and card == deal.drawn:
        message = f"{card} was just taken from the discard pile; discard another card"
        _refuse("just_taken", message, "G2.4")


def _lacking(deal: Deal, seat: int, cards: Sequence[Card]) -> list[Card]:
    """Return the cards that a seat does not hold; a hidden card may be any not seen elsewhere."""
    held, hidden = deal.hands[seat], deal.hidden[seat]
    elsewhere = bits(deal.discards) | deal.hands[1 - seat] if hidden else 0
    lacking = []
    for card in cards:
        bit = BIT.get(card, NO_BIT)
        if held & bit:
            held ^= bit
        elif hidden and not (elsewhere | NO_BIT) & bit:
            elsewhere |= bit
            hidden -= 1
        else:
            lacking.append(card)
    return lacking


def _knock(state: State, seat: int, command: Knock) -> tuple[Event, ...]:
    """Judge a knock by the melds that the knocker declares (G3.2, G4.1-G4.3)."""
    deal, discard = _deal(state), command.discard
    melded = [card for meld in command.melds for card in meld]
    laid = melded if discard is None else [discard, *melded]
    _check_discard(deal, seat, discard, laid)
    melds = tuple([canonical_meld(meld) for meld in command.melds])
    if deal.hidden[seat]:
        left = _shown_deadwood(state, deal, seat, laid)
    else:
        left = deal.hands[seat] ^ bits(laid)
    limit = state.rules.limit(deal.upcard)
    if points(left) > limit:
        cards = " ".join(hand_cards(left))
        clause = state.rules.LIMIT_CLAUSE
        allowed = f"a knock takes at most {limit}" if limit else "only gin is allowed"
        message = f"{points(left)} points of deadwood would be left ({cards}); {allowed}"
        _refuse("over_limit", message, clause)
    if discard is None:
        _check_big_gin(state, left)
    gin = Gin.BIG if discard is None else Gin.NONE if left else Gin.GIN
    return _closing(state, Knocked(seat, discard, melds, hand_cards(left), gin))


def _check_big_gin(state: State, left: int) -> None:
    if state.rules.big_gin == "none":
        _refuse("may_not_big_gin", "big gin is not played here; name a card to discard", "G4.3")
    if left:
        cards = " ".join(hand_cards(left))
        message = f"big gin melds all eleven cards; {cards} is in no meld"
        _refuse("may_not_big_gin", message, "G4.3")


def _shown_deadwood(state: State, deal: Deal, seat: int, laid: Sequence[Card]) -> int:
    """Return what a record shows as the deadwood of a hidden hand."""
    shown = (state.shown and state.shown.deadwood) or ()
    lacking = _lacking(deal, seat, [*laid, *shown])
    if lacking or len(laid) + len(shown) != HAND_SIZE + 1:
        cards = " ".join(shown) or "nothing"
        raise BadInput(f"the deadwood of the knock cannot be {cards}")
    return bits(shown)


def _fault(state: State, seat: int, command: Fault) -> tuple[Event, ...]:
    """Hand the rest of the turn to the default, or forfeit at ``max_faults`` (M10.1, G8.1)."""
    fault = Faulted(seat, command.reason)
    if state.faults[seat] + 1 >= state.rules.max_faults:
        return _closing(state, fault, Forfeited(seat, ForfeitReason.FAULTS))
    events: tuple[Event, ...] = (fault,)
    state = apply(state, fault)
    for default in default_commands(state):
        if isinstance(default, Discard) and default.card == HIDDEN:
            return (*events, Discarded(seat, HIDDEN))  # the record shows no card that it can be
        caused = decide(state, seat, default)
        events += caused
        for event in caused:
            state = apply(state, event)
    return events


_JUDGES: dict[type[Command], Callable[[State, int, Any], tuple[Event, ...]]] = {
    TakeUpcard: _take_upcard,
    RefuseUpcard: _refuse_upcard,
    DrawStock: _draw_stock,
    DrawDiscard: _draw_discard,
    Discard: _discard,
    Knock: _knock,
    Fault: _fault,
}


def _closing(state: State, *events: Event) -> tuple[Event, ...]:
    """Return events that end a deal, and what follows."""
    for event in events:
        state = apply(state, event)
    return events + consequences(state, _deal(state))


def _deal(state: State) -> Deal:
    assert state.deal is not None  # noqa: S101  (a game with a seat on turn has a deal)
    return state.deal


def _refuse(code: str, message: str, clause: str) -> NoReturn:
    raise RuleViolation(code, message, clause)
