"""The gin family told in words: one plain sentence or two for every event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.cards import HIDDEN
from engine.events import Event, Faulted, Forfeited, GameStarted, SeedRevealed
from engine.gin.deadwood import deadwood
from engine.gin.events import (
    DealEnded,
    DealEnding,
    DealStarted,
    Discarded,
    DrewDiscard,
    DrewStock,
    GameEnded,
    GameEnding,
    Gin,
    HollywoodEnded,
    Knocked,
    UpcardRefused,
    UpcardTaken,
)
from engine.gin.melds import BIT
from engine.gin.rules import POINTS
from engine.gin.state import DEAD_STOCK, Deal, State
from engine.variant import Caption, CardNames, SeatName
from engine.words import FAULTS, FORFEITS, SEED_REVEALED, Parts, counted, joined, listed, meld_name

_GAME_ENDINGS = {
    GameEnding.TARGET: "the target is reached",
    GameEnding.DEALS: "the last deal is played",
    GameEnding.FORFEIT: "one seat is left",
}
_ORDINAL = ("first", "second", "third")


def caption(before: State, event: Event, after: State) -> Caption:
    """Return an event in words; deadwood and drawn cards stand in them where hands are known."""
    return joined(_TELLERS[type(event)](before, event, after))


def _game_started(before: State, event: GameStarted, after: State) -> Parts:
    seats = listed([[SeatName(s)] for s in range(len(event.seats))])
    return [f"A game of {after.rules.NAME} begins with ", *seats, "."]


def _deal_started(before: State, event: DealStarted, after: State) -> Parts:
    parts: Parts = [f"Deal {event.deal}: ", SeatName(event.dealer), " deals and turns up "]
    return [*parts, CardNames((event.upcard,)), f"{after.rules.told(event.upcard)}."]


def _upcard_taken(before: State, event: UpcardTaken, after: State) -> Parts:
    upcard = CardNames((_deal(before).upcard,))
    return [SeatName(event.seat), " takes the upcard ", upcard, "."]


def _upcard_refused(before: State, event: UpcardRefused, after: State) -> Parts:
    deal = _deal(before)
    upcard = CardNames((deal.upcard,))
    if event.seat != deal.dealer:
        return [SeatName(event.seat), " refuses the upcard ", upcard, "."]
    other = SeatName(1 - event.seat)
    return [SeatName(event.seat), " refuses ", upcard, " too; ", other, " draws from the stock."]


def _drew_stock(before: State, event: DrewStock, after: State) -> Parts:
    return [SeatName(event.seat), *_draw(_deal(after)), "."]


def _drew_discard(before: State, event: DrewDiscard, after: State) -> Parts:
    return [SeatName(event.seat), *_draw(_deal(after)), "."]


def _draw(deal: Deal) -> Parts:
    """Tell what the seat on turn drew."""
    if deal.drawn is None or deal.drawn == HIDDEN:
        return [" draws from the stock"]
    card = CardNames((deal.drawn,))
    if not deal.taken:
        return [" draws ", card, " from the stock"]
    if not deal.discarded:
        return [" takes the upcard ", card]
    return [" takes ", card, " from the discard pile"]


def _discarded(before: State, event: Discarded, after: State) -> Parts:
    deal = _deal(before)
    parts: Parts = [SeatName(event.seat), *_draw(deal)]
    parts += [" and discards ", CardNames((event.card,))]
    hidden = deal.hidden[event.seat]
    if not hidden and deal.drawn is not None:
        had = deadwood(deal.hands[event.seat] & ~BIT[deal.drawn])
        has = deadwood(_deal(after).hands[event.seat])
        counts = f"{had} → {has} points" if had != has else f"still {counted(has, 'point')}"
        parts += [f": {counts} of deadwood"]
    return [*parts, f"; {deal.stock} left in the stock."]


def _knocked(before: State, event: Knocked, after: State) -> Parts:
    parts: Parts = [SeatName(event.seat), *_draw(_deal(before))]
    if event.discard is not None:
        parts += [", discards ", CardNames((event.discard,))]
    if event.gin is Gin.NONE:
        left = deadwood_of(event)
        parts += [f" and knocks with {counted(left, 'point')} of deadwood"]
    else:
        parts += [" and has gin" if event.gin is Gin.GIN else " and has big gin"]
    melds = listed([[CardNames(meld), f" ({meld_name(meld)})"] for meld in event.melds])
    parts += [": ", *melds] if event.melds else []
    if event.deadwood:
        parts += [" beside " if event.melds else ": ", CardNames(event.deadwood)]
    return [*parts, "."]


def deadwood_of(knock: Knocked) -> int:
    """Return the points that a knocker shows outside melds."""
    return sum(map(POINTS.__getitem__, knock.deadwood))


def _faulted(before: State, event: Faulted, after: State) -> Parts:
    limit = before.rules.max_faults
    faults = f" (fault {after.faults[event.seat]} of {limit})"
    return [SeatName(event.seat), f" {FAULTS[event.reason]}{faults}."]


def _forfeited(before: State, event: Forfeited, after: State) -> Parts:
    return [SeatName(event.seat), f" {FORFEITS[event.reason]} and is out of the game."]


def _deal_ended(before: State, event: DealEnded, after: State) -> Parts:
    if event.ending is DealEnding.FORFEIT:
        return [f"Deal {event.deal} ends unscored: one seat is left."]
    deal = _deal(before)
    if event.ending is DealEnding.DEAD or deal.knock is None:
        stock = deal.stock == DEAD_STOCK
        why = "two cards are left in the stock" if stock else "200 cards are discarded"
        return [f"Deal {event.deal} is dead: {why}; nobody scores."]
    knocker, winner = deal.knock.seat, event.winners[0]
    defender = 1 - knocker
    parts: Parts = [SeatName(defender)]
    if event.laid_off:
        parts += [" lays off ", CardNames(event.laid_off), " and"]
    parts += [f" is left with {counted(event.points[defender] or 0, 'point')}"]
    parts += [", no more than the knocker: an undercut"] * (winner == defender)
    parts += [". ", SeatName(winner), f" wins deal {event.deal}{_HOW[event.ending]} and scores "]
    doubled = ", doubled" if after.rules.factor(deal.upcard) > 1 else ""
    return [*parts, f"{event.scores[winner]}{doubled}{_entered(before, after)}."]


_HOW = {
    DealEnding.KNOCK: "",
    DealEnding.UNDERCUT: "",
    DealEnding.GIN: " by gin",
    DealEnding.BIG_GIN: " by big gin",
}


def _entered(before: State, after: State) -> str:
    """Tell into which of several columns a deal was entered, and which it closed."""
    columns = list(zip(before.sheet.columns, after.sheet.columns, strict=True))
    if len(columns) == 1:
        return ""
    entered = [name for name, (was, now) in zip(_ORDINAL, columns, strict=True) if was != now]
    closed = [
        name
        for name, (was, now) in zip(_ORDINAL, columns, strict=True)
        if now.closed(after.rules) and not was.closed(after.rules)
    ]
    told = f" in the {_and(entered)} column{'s' * (len(entered) > 1)}"
    return f"{told}, which closes the {_and(closed)}" if closed else told


def _and(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _game_ended(before: State, event: GameEnded, after: State) -> Parts:
    if event.ending is GameEnding.ABORTED:
        return ["The game is called off; nobody wins."]
    names = listed([[SeatName(seat)] for seat in event.winners])
    verb = "wins" if len(event.winners) == 1 else "share"
    total = event.totals[event.winners[0]]
    how = _GAME_ENDINGS[event.ending]
    if event.ending is GameEnding.TARGET and isinstance(event, HollywoodEnded):
        how = "all three columns are closed"
    return [*names, f" {verb} the game with {total} points: {how}."]


def _seed_revealed(before: State, event: SeedRevealed, after: State) -> Parts:
    return [SEED_REVEALED]


def _deal(state: State) -> Deal:
    assert state.deal is not None  # noqa: S101  (told events lie in a deal)
    return state.deal


_TELLERS: dict[type[Event], Callable[[State, Any, State], Parts]] = {
    GameStarted: _game_started,
    DealStarted: _deal_started,
    UpcardTaken: _upcard_taken,
    UpcardRefused: _upcard_refused,
    DrewStock: _drew_stock,
    DrewDiscard: _drew_discard,
    Discarded: _discarded,
    Knocked: _knocked,
    Faulted: _faulted,
    Forfeited: _forfeited,
    DealEnded: _deal_ended,
    GameEnded: _game_ended,
    HollywoodEnded: _game_ended,
    SeedRevealed: _seed_revealed,
}
