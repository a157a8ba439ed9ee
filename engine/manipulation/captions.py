"""Manipulation told in words: one plain sentence for every event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.cards import (
    HIDDEN,
    Card,
    Meld,
    Tableau,
    is_joker,
    named,
)
from engine.events import (
    Event,
    Faulted,
    Forfeited,
    GameStarted,
    SeedRevealed,
)
from engine.manipulation.events import (
    DealEnded,
    DealEnding,
    DealStarted,
    Drew,
    GameEnded,
    GameEnding,
    Melded,
    Passed,
)
from engine.manipulation.phase import change
from engine.manipulation.rules import hand_points
from engine.manipulation.state import Deal, State
from engine.variant import Caption, CardNames, SeatName
from engine.words import FAULTS, FORFEITS, SEED_REVEALED, Parts, counted, joined, listed, meld_name

MAX_CLAUSES = 3
"""Clauses about single melds in one sentence; the rest is counted."""

_COUNT = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINAL = ("", "first", "second", "third")
_GAME_ENDINGS = {
    GameEnding.TARGET: "the target is reached",
    GameEnding.DEALS: "the last deal is played",
    GameEnding.FORFEIT: "one seat is left",
}


def caption(before: State, event: Event, after: State) -> Caption:
    """Return one plain sentence that tells an event; points stand in it where hands are known."""
    return joined(_TELLERS[type(event)](before, event, after))


def _game_started(before: State, event: GameStarted, after: State) -> Parts:
    seats = listed([[SeatName(s)] for s in range(len(event.seats))])
    return ["A game of Manipulation begins with ", *seats, "."]


def _deal_started(before: State, event: DealStarted, after: State) -> Parts:
    parts: Parts = [f"Deal {event.deal}: ", SeatName(event.dealer), " deals"]
    if after.turn is not None:
        parts += [", ", SeatName(after.turn), " draws a card"]
    return [*parts, "."]


def _drew(before: State, event: Drew, after: State) -> Parts:
    draws = after.deal.draws if after.deal else 0
    return [SeatName(event.seat), f" draws a {_ORDINAL[draws]} card."]


def _melded(before: State, event: Melded, after: State) -> Parts:
    deal = _deal(before)
    clauses = _meld_clauses(deal.tableau, event.tableau)
    jokers = _joker_clause(deal.tableau, event.tableau)
    if jokers:
        clauses.append(jokers)
    parts: Parts = [SeatName(event.seat), " "]
    if deal.draws:
        parts += [f"draws {_COUNT[deal.draws]}, "]
    parts += listed(clauses)
    hand, left = deal.hands[event.seat], _deal(after).hands[event.seat]
    count = len(hand) - len(left)
    cards = f"{_COUNT[count] if count < len(_COUNT) else count} card{'s' * (count != 1)}"
    parts += [f". {cards.capitalize()} leave{'s' * (count == 1)} the hand"]
    known = HIDDEN not in hand
    if known:
        parts += [f": {hand_points(hand)} → {hand_points(left)} points"]
    if not left:
        parts += ["; ", SeatName(event.seat), " goes out"]
    elif event.knock:
        parts += ["; ", SeatName(event.seat), " knocks"]
    return [*parts, "."]


def _passed(before: State, event: Passed, after: State) -> Parts:
    deal = _deal(before)
    drawn = f"draws {_COUNT[deal.draws]} and " if deal.draws else ""
    parts: Parts = [SeatName(event.seat), f" {drawn}lays nothing"]
    if event.knock:
        hand = deal.hands[event.seat]
        points = "" if HIDDEN in hand else f" with {counted(hand_points(hand), 'point')}"
        return [*parts, f"; knocks{points}."]
    left = f"; {deal.pile} left in the pile" if deal.lap is None else ""
    return [*parts, f"{left}."]


def _faulted(before: State, event: Faulted, after: State) -> Parts:
    limit = before.rules.max_faults
    faults = f" (fault {after.faults[event.seat]} of {limit})"
    return [SeatName(event.seat), f" {FAULTS[event.reason]}{faults}."]


def _forfeited(before: State, event: Forfeited, after: State) -> Parts:
    return [SeatName(event.seat), f" {FORFEITS[event.reason]} and is out of the game."]


def _deal_ended(before: State, event: DealEnded, after: State) -> Parts:
    if event.ending is DealEnding.FORFEIT:
        return [f"Deal {event.deal} ends unscored: one seat is left."]
    how = {
        DealEnding.KNOCK: "after the knock",
        DealEnding.OUT: "by going out",
        DealEnding.EXHAUSTED: "as the pile ran out",
    }[event.ending]
    names = listed([[SeatName(seat)] for seat in event.winners])
    points = event.points[event.winners[0]]
    score = event.scores[event.winners[0]]
    verb = "wins" if len(event.winners) == 1 else "share"
    deal = f" deal {event.deal} {how} with {counted(points or 0, 'point')} in hand"
    return [*names, f" {verb}{deal} and score{'s' * (verb == 'wins')} {score}."]


def _game_ended(before: State, event: GameEnded, after: State) -> Parts:
    if event.ending is GameEnding.ABORTED:
        return ["The game is called off; nobody wins."]
    names = listed([[SeatName(seat)] for seat in event.winners])
    verb = "wins" if len(event.winners) == 1 else "share"
    total = event.totals[event.winners[0]]
    return [*names, f" {verb} the game with {total} points: {_GAME_ENDINGS[event.ending]}."]


def _seed_revealed(before: State, event: SeedRevealed, after: State) -> Parts:
    return [SEED_REVEALED]


def _meld_clauses(before: Tableau, after: Tableau) -> list[Parts]:
    """Tell the melds that are new or grew; the rest is counted."""
    old, changed, _, _ = change(before, after)
    pool = [card for meld in old for card in meld]
    laid: list[Parts] = []
    made: list[Parts] = []
    for meld in changed:
        base = max(old, key=lambda m: (_overlap(m, meld), -len(m)), default=())
        fresh = _from_hand(meld, pool)
        if len(fresh) == len(meld):
            laid.append(["lays ", CardNames(meld), f" ({meld_name(meld)})"])
        elif fresh and _overlap(base, meld) == len(base) == len(meld) - len(fresh):
            laid.append(["adds ", CardNames(tuple(fresh)), f" to {meld_name(base)}"])
        elif fresh:
            name = meld_name(meld)
            laid.append(["lays ", CardNames(tuple(fresh)), f" with cards of the tableau as {name}"])
        elif _overlap(base, meld) < len(meld):  # else it is what is left of a meld
            made.append(["makes ", CardNames(meld), " of cards of the tableau"])
    clauses = [*laid, *made][:MAX_CLAUSES]
    for verb, untold in (
        ("lays", len(laid) - MAX_CLAUSES),
        ("makes", min(len(made), len(laid) + len(made) - MAX_CLAUSES)),
    ):
        if untold > 0:
            clauses.append([f"{verb} {counted(untold, 'more meld')}"])
    return clauses


def _from_hand(meld: Meld, pool: list[Card]) -> list[Card]:
    """Return the meld's cards that did not lie in ``pool``, and take the others out of it."""
    fresh = []
    for card in meld:
        taken = card if card in pool else None
        if taken is None and is_joker(card):
            taken = next((other for other in pool if is_joker(other)), None)
        if taken is None:
            fresh.append(card)
        else:
            pool.remove(taken)
    return fresh


def _overlap(one: Meld, other: Meld) -> int:
    return sum(card in other for card in one)


def _joker_clause(before: Tableau, after: Tableau) -> Parts | None:
    """Tell a joker that lost its name to the real card (M6.2)."""
    old = [card for meld in before for card in meld if is_joker(card)]
    new = [card for meld in after for card in meld if is_joker(card)]
    for card in old:
        if card in new:
            new.remove(card)
        else:
            return ["frees the joker named ", CardNames((named(card),))]
    return None


def _deal(state: State) -> Deal:
    assert state.deal is not None  # noqa: S101  (told events lie in a deal)
    return state.deal


_TELLERS: dict[type[Event], Callable[[State, Any, State], Parts]] = {
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
