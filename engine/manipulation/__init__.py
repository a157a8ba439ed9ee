"""Manipulation: a rummy in which the whole tableau may be rearranged (RULES.md, part A).

``rules`` and ``melds`` say what the words mean, ``phase`` and ``scoring`` judge a meld phase, a
deal and a game, ``state`` moves, ``judge`` decides, ``views`` and ``captions`` show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from engine.cards import Card, unshuffled
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
from engine.knobs import KnobSet, Setting
from engine.manipulation import analysis, board, captions, judge, state, views
from engine.manipulation.events import (
    COMMANDS,
    EVENTS,
    DealEnded,
    DealEnding,
    Draw,
    Drew,
    GameEnded,
    GameEnding,
    Meld,
    Melded,
    Pass,
    Passed,
)
from engine.manipulation.rules import SEATS, Rules, packs
from engine.manipulation.state import State
from engine.variant import Variant


class Manipulation:
    """The game kind as a value; see :class:`engine.variant.Variant`."""

    key = judge.KEY
    name = "Manipulation"
    family = judge.KEY
    hand_measure = "points"
    seats = SEATS
    rules: type[KnobSet] = Rules
    rules_version = judge.RULES_VERSION
    board_rules: Mapping[str, Setting] | None = {"length": "deals", "dealer": "left"}
    events: Mapping[str, type[Event]] = EVENTS
    commands: Mapping[str, type[Command]] = COMMANDS

    violations: tuple[str, ...] = judge.VIOLATIONS
    deal_endings: type[StrEnum] = DealEnding
    game_endings: type[StrEnum] = GameEnding
    retold: frozenset[str] = frozenset({Drew.type})
    measure = "points laid"
    mistakes: tuple[int, int, int] = analysis.MISTAKES

    initial = staticmethod(State)
    first_deal = staticmethod(judge.first_deal)
    decide = staticmethod(judge.decide)
    apply = staticmethod(state.apply)
    is_legal = staticmethod(judge.is_legal)
    may = staticmethod(judge.may)
    default_commands = staticmethod(judge.default_commands)
    observe = staticmethod(views.observe)
    caption = staticmethod(captions.caption)
    boards = staticmethod(board.boards)
    sketch = staticmethod(board.sketch)
    turn_label = staticmethod(board.turn_label)
    hand_points = staticmethod(board.hand_points)
    verdict = staticmethod(analysis.verdict)

    lay_out = staticmethod(state.lay_out)

    @staticmethod
    def pack(seats: int) -> tuple[Card, ...]:
        """Return one pack or two with their jokers (M1.2, M1.3)."""
        return unshuffled(packs(seats), jokers=True)

    @staticmethod
    def command_of(event: Event) -> Command | None:
        """Return the command that an event answers, or None for a mere consequence."""
        match event:
            case Drew():
                return Draw()
            case Melded():
                return Meld(event.tableau, event.knock)
            case Passed():
                return Pass(event.knock)
            case Faulted():
                return Fault(event.reason)
            case Forfeited(reason=ForfeitReason.RESIGNED):
                return Resign()
            case Forfeited(reason=ForfeitReason.WITHDRAWN | ForfeitReason.NO_SHOW):
                return Forfeit(event.reason)
            case GameEnded(ending=GameEnding.ABORTED):
                return Abort()
        return None

    @staticmethod
    def foretell(state: State, events: Iterable[Event]) -> State:
        """Return a public state that knows the hands that the end of this deal will lay open."""
        ended = next((event for event in events if isinstance(event, DealEnded)), None)
        return state._replace(shown=ended.hands if ended else None)

    @staticmethod
    def as_good(found: Event, expected: Event) -> bool:
        """Say no: every event is written in one way only."""
        return False


MANIPULATION: Variant = Manipulation()
