"""The table step by step as it is drawn: both hands in melds, the discard pile, the score sheet.

A pack has every card once, so a card has one id through a whole deal. At the end of a deal the
knocker's melds hold what the opponent laid off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.cards import Face, pretty
from engine.events import Event, Faulted, Forfeited
from engine.gin.deadwood import arrangement, deadwood, points
from engine.gin.events import (
    DealEnded,
    DealEnding,
    Discarded,
    DrewDiscard,
    Faces,
    Gin,
    Knocked,
    Melds,
    UpcardRefused,
    UpcardTaken,
)
from engine.gin.melds import BIT, MELDS, bits, hand_cards
from engine.gin.rules import POINTS
from engine.gin.scoring import Column, Pair
from engine.gin.state import DISCARD, Deal, State
from engine.variant import TurnLabel
from engine.words import counted, meld_name


class Mark(StrEnum):
    """What the last turn did to a card."""

    NONE = ""
    NEW = "new"
    """It came to the hand."""
    MOVED = "moved"
    """It was discarded or laid off."""


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A card lying open."""

    card: Face
    mark: Mark = Mark.NONE
    origin: str = ""
    """Where it came from."""

    @property
    def id(self) -> str:
        """The card's id on a page."""
        return f"k{self.card}"


@dataclass(frozen=True, slots=True)
class BoardMeld:
    """A meld of a hand, at the end of a deal with what is laid off on it."""

    name: str
    cards: tuple[BoardCard, ...]
    tag: str = ""
    """``+2`` where two cards are laid off on it."""

    @property
    def change(self) -> str:
        """``changed`` where something is laid off on it."""
        return "changed" if self.tag else ""


@dataclass(frozen=True, slots=True)
class Side:
    """A seat's cards."""

    seat: int
    melds: tuple[BoardMeld, ...] = ()
    loose: tuple[BoardCard, ...] = ()
    """The deadwood, as far as it is known."""
    points: int = 0
    """Its points."""
    hidden: int = 0
    """Cards whose faces are secret."""
    end: str = ""
    """How the seat ended the deal, such as ``knock`` or ``undercut``."""


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of the score sheet."""

    points: Pair
    closed: bool
    shut_out: int | None
    """The seat that is shut out in it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A table after a turn."""

    sides: tuple[Side, ...] = ()
    discards: tuple[BoardCard, ...] = ()
    """The discard pile, its top last."""
    drawn: Faces = ()
    """What the turn brought to the hand, where that is known."""
    origin: str = ""
    """Where it came from."""
    is_seen: bool = False
    """Whether everybody saw it."""
    discarded: Faces = ()
    """What the turn laid on the discard pile."""
    knock_card: Faces = ()
    """The upcard, where it sets the knock limit."""
    doubled: bool = False
    """Whether the score of the deal is doubled."""
    columns: tuple[SheetColumn, ...] = ()
    """The score sheet, where it has several columns."""


def boards(states: Iterable[State]) -> list[Board]:
    """Return a board for each state."""
    return [_board(state) for state in states]


def _board(state: State) -> Board:
    deal = state.deal
    if deal is None:
        return Board()
    origin = "the discard pile" if deal.taken else "the stock"
    marks = {}
    if deal.drawn is not None:
        marks[deal.drawn] = BoardCard(deal.drawn, Mark.NEW, origin)
    pile = [BoardCard(card) for card in deal.discards]
    played = deal.phase is not DISCARD and deal.drawn is not None and not state.forfeits
    discarded = played and not (deal.knock and deal.knock.gin is Gin.BIG)
    if discarded:
        pile[-1] = BoardCard(deal.discards[-1], Mark.MOVED, "the hand")
    rules = state.rules
    columns = state.sheet.columns if rules.COLUMNS > 1 else ()
    return Board(
        sides=tuple([_side(state, deal, seat, marks) for seat in (0, 1)]),
        discards=tuple(pile),
        drawn=(deal.drawn,) if played and deal.drawn in BIT and deal.drawn is not None else (),
        origin=origin,
        is_seen=deal.taken,
        discarded=deal.discards[-1:] if discarded else (),
        knock_card=(deal.upcard,) if rules.told(deal.upcard) else (),
        doubled=rules.factor(deal.upcard) > 1,
        columns=tuple([_column(column, state) for column in columns]),
    )


def _side(state: State, deal: Deal, seat: int, marks: dict[Face, BoardCard]) -> Side:
    """Return a seat's cards: as the deal's end shows them, else in the best melds."""
    if seat in state.forfeits:
        return Side(seat, end="forfeit")
    hand, hidden = deal.hands[seat], deal.hidden[seat]
    laid_off: Faces = ()
    if deal.ended is None:
        melds: Melds = tuple([MELDS[meld] for meld in arrangement(0 if hidden else hand)])
    else:
        melds = deal.ended.melds[seat] or ()
        if deal.knock is not None:
            laid_off = deal.ended.laid_off
    loose = hand & ~bits([card for meld in melds for card in meld])
    laid = {card: BoardCard(card, Mark.MOVED, "the opponent's hand") for card in laid_off}
    marks = marks | laid
    if deal.knock is not None and deal.knock.seat == seat:
        grown = _grown(tuple(map(bits, melds)), bits(laid_off)) or ()
    else:
        grown, loose = tuple(map(bits, melds)), loose & ~bits(laid_off)
    return Side(
        seat,
        melds=tuple([_meld(meld, marks) for meld in grown]),
        loose=tuple([marks.get(card, BoardCard(card)) for card in hand_cards(loose)]),
        points=points(loose),
        hidden=hidden,
        end=_end(deal, seat),
    )


def _grown(melds: tuple[int, ...], laid_off: int) -> tuple[int, ...] | None:
    """Return melds with cards laid off on them, or None where they fit nowhere."""
    if not laid_off:
        return melds
    for i, meld in enumerate(melds):
        for card in map(BIT.__getitem__, hand_cards(laid_off)):
            if meld | card in MELDS:
                more = (*melds[:i], meld | card, *melds[i + 1 :])
                found = _grown(more, laid_off ^ card)
                if found is not None:
                    return found
    return None


def _meld(meld: int, marks: dict[Face, BoardCard]) -> BoardMeld:
    cards = tuple([marks.get(card, BoardCard(card)) for card in MELDS[meld]])
    more = sum(card.mark is Mark.MOVED for card in cards)
    return BoardMeld(meld_name(MELDS[meld]), cards, f"+{more}" if more else "")


def _end(deal: Deal, seat: int) -> str:
    if deal.ended is None or deal.knock is None:
        return ""
    if deal.knock.seat == seat:
        return _KNOCKS[deal.knock.gin]
    return "undercut" if deal.ended.ending is DealEnding.UNDERCUT else ""


_KNOCKS = {Gin.NONE: "knock", Gin.GIN: "gin", Gin.BIG: "big gin"}


def _column(column: Column, state: State) -> SheetColumn:
    closed = column.closed(state.rules)
    shut_out = column.points.index(0) if closed and 0 in column.points else None
    return SheetColumn(column.points, closed, shut_out)


def sketch(state: State) -> tuple[str, ...]:
    """Return the stock, the discard pile, the spread and the score sheet as lines of text."""
    if state.deal is None:
        return ()
    deal, board = state.deal, _board(state)
    pile = " ".join(map(pretty, deal.discards)) or "(empty)"
    lines = [f"discard pile: {pile}", f"stock: {deal.stock}"]
    lines.append(f"upcard: {pretty(deal.upcard)}{state.rules.told(deal.upcard)}")
    if deal.ended is not None:
        for side in board.sides:
            melds = ["-".join(pretty(card.card) for card in meld.cards) for meld in side.melds]
            shown = " ".join([*melds, "beside", *(pretty(card.card) for card in side.loose)])
            lines.append(f"{state.players[side.seat]} shows {shown} {side.end}".rstrip())
    for number, column in enumerate(board.columns, 1):
        ours, theirs = column.points
        lines.append(f"column {number}: {ours} - {theirs}{' (closed)' * column.closed}")
    return tuple(lines)


def hand_points(state: State) -> tuple[int | None, ...]:
    """Return the deadwood of each hand, None where it is not known or out of play.

    It is the least that the hand allows; at the end of a deal what is scored.
    """
    deal = state.deal
    if deal is None:
        return ()
    if deal.ended is not None:
        return deal.ended.points
    return tuple(
        None if seat in state.forfeits or deal.hidden[seat] else deadwood(deal.hands[seat])
        for seat in (0, 1)
    )


def turn_label(before: State, events: Sequence[Event], after: State) -> TurnLabel:
    """Return a turn in a few signs: ``K♦``, ``K♦ ▲7♥``, ``knock``.

    :param before: the state in which the turn began.
    :param events: what happened until it was over.
    """
    main, aside, end = "–", "", ""
    words: list[str] = []
    for event in events:
        if isinstance(event, UpcardRefused):
            words.append("refuses the upcard")
        elif isinstance(event, Discarded):
            main = pretty(event.card)
            words.append(f"discards {main}")
        elif isinstance(event, Knocked):
            main = pretty(event.discard) if event.discard else ""
            end = _KNOCKS[event.gin]
            left = sum(map(POINTS.__getitem__, event.deadwood))
            words.append(f"knocks with {counted(left, 'point')}" if left else f"has {end}")
        elif isinstance(event, UpcardTaken | DrewDiscard) and before.deal is not None:
            aside = f"▲{pretty(before.deal.discards[-1])}"
            words.append(f"takes {aside[1:]}")
        elif isinstance(event, Faulted):
            aside = "fault"
            words.append("faults")
        elif isinstance(event, Forfeited) and event.seat == before.turn:
            main, end = "", "forfeit"
            words.append("forfeits")
        elif isinstance(event, Forfeited):
            words.append("the opponent forfeits")
        elif isinstance(event, DealEnded) and event.ending is DealEnding.DEAD:
            end = "dead"
            words.append("the deal is dead")
    told = ", ".join(words) or "is cut short"
    return TurnLabel(main, told, aside, end, quiet=main == "–")
