"""What follows when a deal of the gin family is over: its account, the next deal, the game's end.

In the public view of a game hands are secret until a record shows them; nothing is made up.
"""

from __future__ import annotations

from dataclasses import replace

from engine import seeds
from engine.cards import HIDDEN
from engine.events import Event
from engine.gin.deadwood import arrangement, can_lay_off, deadwood, lay_off, points
from engine.gin.events import (
    DealEnded,
    DealEnding,
    DealStarted,
    Faces,
    GameEnded,
    GameEnding,
    Gin,
    HollywoodEnded,
    Melds,
)
from engine.gin.melds import BIT, MELDS, bits, hand_cards
from engine.gin.scoring import NONE, Pair, score_deal, score_game
from engine.gin.state import HAND_SIZE, Deal, State, apply, shuffled_deck


def first_deal(state: State) -> Event:
    """Return the start of deal 1: the first dealer is random (G1.3)."""
    assert state.seed is not None  # noqa: S101  (only whoever has the seed opens a game)
    return _deal_started(state, 1, seeds.first_dealer(state.seed, 2))


def _deal_started(state: State, number: int, dealer: int) -> DealStarted:
    assert state.seed is not None  # noqa: S101  (asked for with a seed only)
    upcard = shuffled_deck(state.seed, number)[2 * HAND_SIZE]
    return DealStarted(number, dealer, upcard)


def consequences(state: State, deal: Deal) -> tuple[Event, ...]:
    """Return the end of a deal that is over, and the next deal or the end of the game.

    A public state whose record does not show them cannot know how the deal ended or what the next
    upcard is: it returns nothing more.
    """
    if deal.hidden != NONE and (state.shown is None or state.shown.hands is None):
        return ()
    shown, ended = state.shown, _deal_ended(state, deal)
    if any(hand is not None and HIDDEN in hand for hand in ended.hands):
        return (ended,)  # the record shows hands that cannot be these
    state = apply(state, ended)
    if ended.ending is DealEnding.FORFEIT:
        return (ended, unscored(state, GameEnding.FORFEIT))
    counted = deal.number - state.dead
    score = score_game(state.sheet, state.rules, deals=deal.number, counted=counted)
    if score is not None:
        over = GameEnded(score.ending, score.totals, score.boxes, score.bonuses, score.winners)
        return (ended, _with_columns(state, over))
    dealer = next_dealer(state, deal.dealer, ended.winners)
    if state.seed is not None:
        return (ended, _deal_started(state, deal.number + 1, dealer))
    if shown is not None and shown.upcard is not None:
        return (ended, DealStarted(deal.number + 1, dealer, shown.upcard))
    return (ended,)


def next_dealer(state: State, dealer: int, winners: tuple[int, ...]) -> int:
    """Return who deals next; a dead deal is dealt again by the same dealer (G1.3)."""
    if not winners:
        return dealer
    choices = {"winner": winners[0], "loser": 1 - winners[0], "alternate": 1 - dealer}
    return choices[state.rules.dealer]


def unscored(state: State, ending: GameEnding) -> Event:
    """Return the end of a game without boxes and bonuses: forfeited or called off (G8.2)."""
    winners = state.live if ending is GameEnding.FORFEIT else ()
    return _with_columns(state, GameEnded(ending, state.totals, NONE, NONE, winners))


def _with_columns(state: State, over: GameEnded) -> GameEnded:
    """Add the columns to the end of a game that has several."""
    if state.rules.COLUMNS == 1:
        return over
    columns = tuple([column.points for column in state.sheet.columns])
    return HollywoodEnded(over.ending, over.totals, over.boxes, over.bonuses, over.winners, columns)


def _deal_ended(state: State, deal: Deal) -> DealEnded:
    """Lay both hands open and score the deal (G5, G6)."""
    hands = [_open_hand(state, deal, seat) for seat in (0, 1)]
    faces: list[Faces | None] = [hand_cards(hand) for hand in hands]
    melds: list[Melds | None] = [_arranged(hand) for hand in hands]
    left: list[int | None] = [deadwood(hand) for hand in hands]
    for seat in (0, 1):
        if seat in state.forfeits:
            faces[seat] = melds[seat] = left[seat] = None
        elif deal.hidden[seat] and not _possible(deal, seat, hands[seat], hands[1 - seat]):
            faces[seat] = (HIDDEN,) * HAND_SIZE
    knock = deal.knock
    if knock is None:
        ending = DealEnding.FORFEIT if state.forfeits else DealEnding.DEAD
        return DealEnded(deal.number, ending, tuple(faces), tuple(melds), (), tuple(left), NONE, ())
    knocker, defender = knock.seat, 1 - knock.seat
    laid = 0
    if knock.gin is Gin.NONE:
        laid = lay_off(hands[defender], [bits(meld) for meld in knock.melds])
    rest = hands[defender] & ~laid
    melds[knocker], melds[defender] = knock.melds, _arranged(rest)
    ours, theirs = points(bits(knock.deadwood)), deadwood(rest)
    left[knocker], left[defender] = ours, theirs
    score = score_deal(ours, theirs, knock.gin, state.rules, deal.upcard)
    winner = knocker if score.knocker_wins else defender
    return DealEnded(
        deal.number,
        score.ending,
        tuple(faces),
        tuple(melds),
        hand_cards(laid),
        tuple(left),
        _scores(winner, score.score),
        (winner,),
    )


def _scores(winner: int, score: int) -> Pair:
    return (score, 0) if winner == 0 else (0, score)


def _arranged(hand: int) -> Melds:
    return tuple([MELDS[meld] for meld in arrangement(hand)])


def _open_hand(state: State, deal: Deal, seat: int) -> int:
    """Return a hand as it lies open: from the state, or else from the record being checked."""
    hand = deal.hands[seat]
    if deal.hidden[seat] and state.shown is not None and state.shown.hands is not None:
        for card in state.shown.hands[seat] or ():
            hand |= BIT[card]
    return hand


def _possible(deal: Deal, seat: int, hand: int, other: int) -> bool:
    """Say whether a hand that a record shows can be the hidden one."""
    count = deal.hands[seat].bit_count() + deal.hidden[seat]
    return hand.bit_count() == count and not hand & (other | bits(deal.discards))


def as_good(found: Event, expected: Event) -> bool:
    """Say whether a record may hold ``found`` where the engine writes ``expected``.

    The ends of a deal may differ in what the rules leave open: the order of melds, and which of the
    arrangements and lay-offs is taken that reach the least deadwood (G5.2).
    """
    if not isinstance(found, DealEnded) or not isinstance(expected, DealEnded):
        return False
    same = replace(found, melds=expected.melds, laid_off=expected.laid_off) == expected
    if not same or len(found.melds) != len(expected.melds):
        return False
    knocker = _knocker(expected)
    for seat, (given, made) in enumerate(zip(found.melds, expected.melds, strict=True)):
        hand = expected.hands[seat]
        if given is None or made is None or hand is None:
            good = given is made
        elif seat == knocker:
            good = sorted(given) == sorted(made)
        else:
            good = _leaves(hand, given, found.laid_off) == expected.points[seat]
        if not good:
            return False
    lies = expected.melds[knocker] if knocker is not None else None
    open_ = expected.ending in (DealEnding.KNOCK, DealEnding.UNDERCUT)
    laid = _union(found.laid_off)
    return found.laid_off == hand_cards(laid) and can_lay_off(
        laid, [_union(meld) for meld in lies or () if open_]
    )


def _knocker(ended: DealEnded) -> int | None:
    if not ended.winners:
        return None
    winner = ended.winners[0]
    return 1 - winner if ended.ending is DealEnding.UNDERCUT else winner


def _leaves(hand: Faces, melds: Melds, laid_off: Faces) -> int | None:
    """Return the points that melds in canonical order and lay-offs leave of a hand, if they can."""
    rest = _union(hand)
    for meld in melds:
        cards = _union(meld)
        if MELDS.get(cards) != meld or rest & cards != cards:
            return None
        rest ^= cards
    laid = _union(laid_off)
    return points(rest ^ laid) if rest & laid == laid else None


def _union(cards: Faces) -> int:
    """Return cards as bits, also if one stands twice."""
    held = 0
    for card in cards:
        held |= BIT[card]
    return held
