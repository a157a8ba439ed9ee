"""The gin family: Gin Rummy, Hollywood Gin and Oklahoma Gin (RULES.md, part B).

One deal engine plays all three. ``rules`` and ``melds`` say what the words mean, ``deadwood`` finds
the least deadwood and the best lay-offs, ``scoring`` is the score sheet, ``state`` moves, ``judge``
decides, ``endings`` say what follows a deal, ``views``, ``captions`` and ``board`` show, and
``analysis`` compares a discard with the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from engine.cards import FACES, Card
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
from engine.gin import analysis, board, captions, endings, judge, state, views
from engine.gin.events import (
    COMMANDS,
    EVENTS,
    DealEnded,
    DealEnding,
    DealStarted,
    Discard,
    Discarded,
    DrawDiscard,
    DrawStock,
    DrewDiscard,
    DrewStock,
    GameEnded,
    GameEnding,
    HollywoodEnded,
    Knock,
    Knocked,
    RefuseUpcard,
    TakeUpcard,
    UpcardRefused,
    UpcardTaken,
)
from engine.gin.rules import GinRules, HollywoodRules, OklahomaRules, Rules
from engine.gin.state import Shown, State
from engine.knobs import KnobSet, Setting
from engine.variant import Variant


class GinFamily:
    """A game kind as a value; see :class:`engine.variant.Variant`."""

    family = "gin"
    seats = range(2, 3)
    rules_version = judge.RULES_VERSION
    commands: Mapping[str, type[Command]] = COMMANDS

    violations: tuple[str, ...] = judge.VIOLATIONS
    deal_endings: type[StrEnum] = DealEnding
    game_endings: type[StrEnum] = GameEnding
    retold: frozenset[str] = frozenset({DrewStock.type, DrewDiscard.type, UpcardTaken.type})
    hand_measure = "deadwood"
    measure = "deadwood left"
    mistakes = analysis.MISTAKES

    first_deal = staticmethod(endings.first_deal)
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
    as_good = staticmethod(endings.as_good)

    lay_out = staticmethod(state.lay_out)

    def __init__(self, rules: type[Rules], game_ended: type[GameEnded] = GameEnded) -> None:
        """Make the game kind that is played by some rules."""
        self.key = rules.KEY
        self.name = rules.NAME
        self.rules: type[KnobSet] = rules
        # In Hollywood what a deal is worth depends on those won before it.
        alternate: dict[str, Setting] = {"length": "deals", "dealer": "alternate"}
        self.board_rules: Mapping[str, Setting] | None = alternate if rules.COLUMNS == 1 else None
        self.events: Mapping[str, type[Event]] = EVENTS | {GameEnded.type: game_ended}
        self._rules = rules

    def initial(self, seed: bytes | None) -> State:
        """Return the state before the first event."""
        return state.initial(self._rules(), seed)

    @staticmethod
    def pack(seats: int) -> tuple[Card, ...]:
        """Return the one pack without a joker (G1.1)."""
        return FACES

    @staticmethod
    def command_of(event: Event) -> Command | None:
        """Return the command that an event answers, or None for a mere consequence."""
        match event:
            case UpcardTaken():
                return TakeUpcard()
            case UpcardRefused():
                return RefuseUpcard()
            case DrewStock():
                return DrawStock()
            case DrewDiscard():
                return DrawDiscard()
            case Discarded():
                return Discard(event.card)
            case Knocked():
                return Knock(event.discard, event.melds)
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
        """Return a public state that knows what the rest of this deal will lay open."""
        shown = Shown()
        for event in events:
            match event:
                case Discarded() if shown.discard is None:
                    shown = shown._replace(discard=event.card)
                case Knocked() if shown.deadwood is None:
                    shown = shown._replace(deadwood=event.deadwood)
                case DealEnded() if shown.hands is None:
                    both = len(event.hands) == 2
                    shown = shown._replace(hands=event.hands if both else (None, None))
                case DealStarted():
                    shown = shown._replace(upcard=event.upcard)
                    break
        return state._replace(shown=shown)


GIN: Variant = GinFamily(GinRules)
HOLLYWOOD: Variant = GinFamily(HollywoodRules, HollywoodEnded)
OKLAHOMA: Variant = GinFamily(OklahomaRules)
