"""The only judge of Manipulation: which commands are legal and what they cause (RULES M2-M10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn

from engine import seeds
from engine.cards import HIDDEN, JOKER, Card, Tableau, in_order, is_joker, physical
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
from engine.manipulation.events import (
    DealEnded,
    DealEnding,
    DealStarted,
    Draw,
    Drew,
    GameEnded,
    GameEnding,
    Meld,
    Melded,
    Pass,
    Passed,
)
from engine.manipulation.phase import check_phase
from engine.manipulation.rules import MAX_DRAWS, hand_points, packs
from engine.manipulation.scoring import score_deal, score_game
from engine.manipulation.state import Deal, State, apply

KEY = "manipulation"
RULES_VERSION = 1

Hands = tuple[tuple[Card, ...] | None, ...]
"""Hands by seat; None for a forfeiter."""

VIOLATIONS = (
    "game_over",
    "not_your_turn",
    "may_not_draw",
    "may_not_meld",
    "may_not_pass",
    "not_held",
    "card_left",
    "nothing_played",
    "undeclared_joker",
    "not_a_meld",
    "joker_renamed",
    "may_not_knock",
)
"""Codes of :class:`RuleViolation` in the order in which they are tested."""


class May(NamedTuple):
    """Which kinds of command are open to a seat now."""

    draw: bool = False
    """A second or third card (M3.3, M3.4)."""
    meld: bool = False
    """A meld phase, if the cards allow one (M3.2-M3.5)."""
    pass_: bool = False
    """The end of the turn without a meld (M3.6)."""
    knock_limit: int | None = None
    """Most points in hand with which this turn may end in a knock, or None (M7.2, M8.8)."""


def first_deal(state: State) -> Event:
    """Return the start of deal 1: the first dealer is random (M2.1)."""
    assert state.seed is not None  # noqa: S101  (only whoever has the seed opens a game)
    return DealStarted(1, seeds.first_dealer(state.seed, len(state.players)))


def may(state: State, seat: int) -> May:
    """Return which kinds of command are open to a seat."""
    deal = state.deal
    if deal is None or state.turn != seat:
        return May()
    drawing = deal.lap is None and deal.pile > 0 and deal.draws < MAX_DRAWS
    return May(
        draw=drawing,
        meld=deal.draws < MAX_DRAWS,
        pass_=not drawing,
        knock_limit=state.rules.knock_limit
        if deal.lap is None or state.rules.final_lap_knock
        else None,
    )


def decide(state: State, seat: int | None, command: Command) -> tuple[Event, ...]:
    """Judge a command and return the events it causes.

    :raises RuleViolation: with the first of the codes :data:`VIOLATIONS` that applies.
    :raises BadInput: for a command of another game kind.
    """
    if state.outcome is not None:
        raise RuleViolation(
            "game_over", f"the game is over ({state.outcome.ending}); no command is open", "M9.1"
        )
    if state.deal is not None and state.deal.turn is None:
        raise BadInput("the deal is over; deal_ended must follow")
    if isinstance(command, Abort):
        none = (0,) * len(state.players)
        return (GameEnded(GameEnding.ABORTED, state.totals, none, ()),)
    if seat is None or not 0 <= seat < len(state.players):
        raise RuleViolation("not_your_turn", f"there is no seat {seat} at this game", "M3.1")
    if seat in state.forfeits:
        raise RuleViolation(
            "not_your_turn", f"seat {seat} has forfeited and takes no more turns", "M10.2"
        )
    if isinstance(command, Resign):
        return _with_consequences(state, (Forfeited(seat, ForfeitReason.RESIGNED),))
    if isinstance(command, Forfeit):
        return _with_consequences(state, (Forfeited(seat, command.reason),))
    if seat != state.turn:
        raise RuleViolation(
            "not_your_turn", f"it is the turn of seat {state.turn}, not of seat {seat}", "M3.1"
        )
    judge = _JUDGES.get(type(command))
    if judge is None:
        name = command.type if isinstance(command, Command) else repr(command)
        raise BadInput(f"{name} is no command of Manipulation; one is Draw()")
    return judge(state, seat, command)


def is_legal(state: State, seat: int, command: Command) -> bool:
    """Say whether :func:`decide` would accept a command."""
    try:
        decide(state, seat, command)
    except RuleViolation:
        return False
    return True


def default_commands(state: State) -> tuple[Command, ...]:
    """Return the default of the seat on turn: draw what it may, pass, never knock (M10.1)."""
    deal = _deal(state)
    draws = min(MAX_DRAWS - deal.draws, deal.pile) if deal.lap is None else 0
    return (Draw(),) * draws + (Pass(knock=False),)


def _draw(state: State, seat: int, command: Draw) -> tuple[Event, ...]:
    deal = _deal(state)
    if not may(state, seat).draw:
        if deal.lap is not None:
            _refuse("may_not_draw", "the final lap is played without drawing", "M8.8")
        if deal.pile == 0:
            _refuse("may_not_draw", "the pile is empty; meld or pass", "M8.8")
        _refuse("may_not_draw", "you drew your third card; pass", "M3.4")
    return (Drew(seat),)


def _meld(state: State, seat: int, command: Meld) -> tuple[Event, ...]:
    deal = _deal(state)
    if not may(state, seat).meld:
        _refuse("may_not_meld", "a player who drew a third card may not meld; pass", "M3.5")
    hand = deal.hands[seat]
    played, tableau = check_phase(deal.tableau, hand, command.tableau)
    if HIDDEN in hand:
        many = beyond_packs(tableau, (), len(state.players))
        if many:
            raise BadInput(f"{many[0]} lies on the tableau more often than the packs hold it")
    if command.knock:
        left = list(hand)
        for card in played:
            if card in left:
                left.remove(card)
        if len(hand) == len(played):
            _refuse("may_not_knock", "you go out with no card left; knock must be false", "M7.3")
        _check_knock(state, seat, left)
    knock = bool(command.knock)
    over = knock or len(played) == len(hand) or _is_last_turn(deal)
    return _closing(state, Melded(seat, tableau, knock), over)


def _pass(state: State, seat: int, command: Pass) -> tuple[Event, ...]:
    if not may(state, seat).pass_:
        drawn = _deal(state).draws
        _refuse(
            "may_not_pass",
            f"you drew {drawn} of {MAX_DRAWS} cards; meld or draw before you pass",
            "M3.6",
        )
    if command.knock:
        _check_knock(state, seat, _deal(state).hands[seat])
    knock = bool(command.knock)
    return _closing(state, Passed(seat, knock), knock or _is_last_turn(_deal(state)))


def _fault(state: State, seat: int, command: Fault) -> tuple[Event, ...]:
    """Hand the rest of the turn to the default, or forfeit at ``max_faults`` (M10.1, M10.2)."""
    fault = Faulted(seat, command.reason)
    if state.faults[seat] + 1 >= state.rules.max_faults:
        return _with_consequences(state, (fault, Forfeited(seat, ForfeitReason.FAULTS)))
    events: tuple[Event, ...] = (fault,)
    state = apply(state, fault)
    for default in default_commands(state):
        caused = decide(state, seat, default)
        events += caused
        for event in caused:
            state = apply(state, event)
    return events


_JUDGES: dict[type[Command], Callable[[State, int, Any], tuple[Event, ...]]] = {
    Draw: _draw,
    Meld: _meld,
    Pass: _pass,
    Fault: _fault,
}


def _check_knock(state: State, seat: int, left: Sequence[Card]) -> None:
    """Refuse a knock in the final lap (M8.8) or with too many points left (M7.2)."""
    if _deal(state).lap is not None and not state.rules.final_lap_knock:
        _refuse("may_not_knock", "nobody may knock in the final lap", "M8.8")
    if HIDDEN in left:  # a public state knows at most what its record lays open at the end
        left = (state.shown and state.shown[seat]) or ()
    points, limit = hand_points(left), state.rules.knock_limit
    if points > limit:
        cards = " ".join(in_order(left))
        _refuse(
            "may_not_knock",
            f"{points} points would be left in hand ({cards}); a knock takes at most {limit}",
            "M7.2",
        )


def _is_last_turn(deal: Deal) -> bool:
    """Say whether the deal ends with this turn in any case (M8.8)."""
    return deal.lap is not None and len(deal.lap) == 1


def _closing(state: State, event: Event, over: bool) -> tuple[Event, ...]:
    return _with_consequences(state, (event,)) if over else (event,)


def _with_consequences(state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Add the end of the deal, and the next deal or the end of the game, where they follow.

    A public state whose record does not show the hands yet cannot know how the deal ended.
    """
    for event in events:
        state = apply(state, event)
    deal = _deal(state)
    if deal.turn is not None or (state.shown is None and HIDDEN in chain(*deal.hands)):
        return events
    ended = _deal_ended(state, deal, events[-1])
    state = apply(state, ended)
    return (*events, ended, _after_deal(state, deal, ended))


def _deal_ended(state: State, deal: Deal, last: Event) -> DealEnded:
    """Lay all hands open and score the deal; ``last`` is the event that ended it."""
    ending, knocker, out = _how_ended(state, deal, last)
    none = (0,) * len(deal.hands)
    hands: Hands = tuple(
        None if seat in state.forfeits else in_order(hand) for seat, hand in enumerate(deal.hands)
    )
    if state.shown is not None:
        laid_open = shown_hands(state, hands)
        if laid_open is None:  # the hands of the record cannot be these
            return DealEnded(deal.number, ending, hands, (None,) * len(hands), none, ())
        hands = laid_open
    points = tuple(None if hand is None else hand_points(hand) for hand in hands)
    if ending is DealEnding.FORFEIT:
        return DealEnded(deal.number, ending, hands, points, none, ())
    score = score_deal(points, state.rules, knocker=knocker, out=out)
    return DealEnded(deal.number, ending, hands, points, score.scores, score.winners)


def _how_ended(state: State, deal: Deal, last: Event) -> tuple[DealEnding, int | None, int | None]:
    """Return how a deal ended, who knocked and who went out (M7, M8.8, M10.3)."""
    if len(state.live) == 1:
        return DealEnding.FORFEIT, None, None
    if isinstance(last, Melded | Passed):
        if last.knock:
            return DealEnding.KNOCK, last.seat, None
        if not deal.hands[last.seat]:
            return DealEnding.OUT, None, last.seat
    return DealEnding.EXHAUSTED, None, None


def shown_hands(state: State, hidden: Hands) -> Hands | None:
    """Return the hands that a record lays open, in order, or None if they cannot be these.

    They must have the right sizes, and with the tableau they must not hold more than the packs do.
    """
    shown = state.shown or ()
    sizes = [None if hand is None else len(hand) for hand in hidden]
    if sizes != [None if hand is None else len(hand) for hand in shown]:
        return None
    deal = _deal(state)
    cards = [card for hand in shown if hand is not None for card in hand]
    if any(is_joker(card) and card != JOKER for card in cards):
        return None
    if beyond_packs(deal.tableau, cards, len(state.players)):
        return None
    return tuple(None if hand is None else in_order(hand) for hand in shown)


def beyond_packs(tableau: Tableau, cards: Iterable[Card], seats: int) -> tuple[Card, ...]:
    """Return the faces that a tableau and cards hold more often than the packs do (M1.2, M1.3)."""
    held = Counter(cards)
    held.update(physical(card) for meld in tableau for card in meld)
    return in_order(card for card, count in held.items() if count > packs(seats))


def _after_deal(state: State, deal: Deal, ended: DealEnded) -> Event:
    if ended.ending is DealEnding.FORFEIT:
        none = (0,) * len(state.players)
        return GameEnded(GameEnding.FORFEIT, state.totals, none, state.live)
    score = score_game(
        state.totals, state.deals_won, state.rules, deals=deal.number, forfeited=state.forfeits
    )
    if score.ending is not None:
        return GameEnded(score.ending, score.totals, score.bonuses, score.winners)
    return DealStarted(deal.number + 1, next_dealer(state, deal.dealer, ended.winners))


def next_dealer(state: State, dealer: int, winners: Sequence[int]) -> int:
    """Return who deals next: the next seat, or the winner nearest to the dealer's left (M2.1)."""
    order = state.live_after(dealer)
    if state.rules.dealer == "winner":
        return next(seat for seat in order if seat in winners)
    return next(order)


def _deal(state: State) -> Deal:
    assert state.deal is not None  # noqa: S101  (a game with a seat on turn has a deal)
    return state.deal


def _refuse(code: str, message: str, clause: str) -> NoReturn:
    raise RuleViolation(code, message, clause)
