"""The protocol that every game kind fulfils, and what the rest of the system asks of it.

Nothing outside a game kind's own package knows its rules: pages, workers, tournaments and the
command line ask a :class:`Variant`. The registry is :mod:`engine.variants`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from engine import seeds
from engine.cards import Card
from engine.errors import BadInput, shown
from engine.events import Command, Event, GameStarted, Outcome
from engine.knobs import KnobSet, Setting, as_settings

JsonObject = dict[str, Any]

MAX_ID = 100
"""Most characters of a player id."""


class State(Protocol):
    """The fold of a game's events; frozen. Only a variant looks further inside."""

    @property
    def seed(self) -> bytes | None:
        """The game's seed, or None for the public view: then hidden cards are ``??``."""

    @property
    def seq(self) -> int:
        """Number of events folded so far."""

    @property
    def players(self) -> tuple[str, ...]:
        """Opaque player ids in seat order."""

    @property
    def turn(self) -> int | None:
        """The seat to act, or None when the game is over or has not begun."""

    @property
    def turns(self) -> int:
        """Number of turns completed through all deals."""

    @property
    def deal_number(self) -> int:
        """The deal being played or just ended, from 1; 0 before the first."""

    @property
    def forfeits(self) -> tuple[int, ...]:
        """Seats that forfeited, in that order."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game came out, or None while it runs."""

    @property
    def sealed(self) -> bool:
        """Whether the seed is revealed."""


class Observation(Protocol):
    """What a seat (or, with ``you`` None, a spectator) may know."""

    @property
    def you(self) -> int | None:
        """The observing seat."""

    def as_dict(self) -> JsonObject:
        """Return the observation as the JSON object that bots receive."""


@dataclass(frozen=True, slots=True)
class SeatName:
    """A seat standing in a caption."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardNames:
    """Cards standing in a caption."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a shuffled deck is dealt."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat, in the order the cards came."""
    pile: tuple[Card, ...]
    """The face-down cards, the next one first."""
    upcard: Card | None = None
    """The card turned up, where a game has one."""


@dataclass(frozen=True, slots=True)
class TurnLabel:
    """A turn in a few signs, for a cell of the move grid."""

    main: str
    """What was done, such as ``▲3`` or ``draw 3``; empty where ``end`` says it all."""
    words: str
    """The same for somebody who hears it: ``draws 2, plays 3 from hand, rearranges 2``."""
    aside: str = ""
    """What else happened, such as ``⟳2``."""
    end: str = ""
    """How the turn ended the deal, such as ``knock``."""
    quiet: bool = False
    """Whether nothing came of it, so that the eye may pass over it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision against the best that the mover could have done at once, by what it saw."""

    played: int
    """What it got, in the game kind's measure (:attr:`Variant.measure`)."""
    best: int
    """The best there was, in the same measure."""
    missed: int
    """How much better that is, from 0."""
    command: Command | None
    """The best play, or None where it was as good as that."""
    cards: int | None = None
    """Cards that it laid, where cards are laid."""
    most_cards: int | None = None
    """Most cards that could have been laid."""


Caption = tuple[str | SeatName | CardNames, ...]
"""One plain sentence whose seats and cards are left for the reader's medium to render."""


class Variant(Protocol):
    """A game kind as a value: rules, judge, mover and views."""

    key: str
    """Stable key, such as ``"manipulation"``."""
    name: str
    """Name for people."""
    family: str
    """Name of the folder of templates that draw it, ``templates/games/<family>/``."""
    hand_measure: str
    """What :meth:`hand_points` counts, in a word for people, such as ``points``."""
    seats: range
    """How many may play."""
    rules: type[KnobSet]
    """The knobs."""
    rules_version: int
    """Version of the rules that new games are played by."""
    board_rules: Mapping[str, Setting] | None
    """Knobs by which all tables of a duplicate round have the same deals; None: there is no way."""
    events: Mapping[str, type[Event]]
    """Every event a game of this kind may hold, by name."""
    commands: Mapping[str, type[Command]]
    """The commands that a seat may send, by JSON name."""

    violations: tuple[str, ...]
    """Codes of :class:`RuleViolation` in the order in which they are tested."""
    deal_endings: type[StrEnum]
    """Every way a deal can end."""
    game_endings: type[StrEnum]
    """Every way a game can end."""
    retold: frozenset[str]
    """Events whose caption the caption of the turn's last event tells again."""

    measure: str
    """What verdicts count, such as ``points laid``."""
    mistakes: tuple[int, int, int]
    """What a turn must miss to be an inaccuracy, a mistake, a blunder."""

    def initial(self, seed: bytes | None) -> Any:
        """Return the state before the first event; with None the public view of a game."""

    def pack(self, seats: int) -> tuple[Card, ...]:
        """Return the unshuffled cards that so many seats play with."""

    def lay_out(
        self, rules: Any, order: Sequence[int], seats: int, deck: tuple[Card, ...]
    ) -> Layout:
        """Return how a deck is dealt to the seats in ``order``, of ``seats`` at the game."""

    def first_deal(self, state: Any) -> Event:
        """Return the start of deal 1, from a state with the seed after ``game_started``."""

    def decide(self, state: Any, seat: int | None, command: Command) -> tuple[Event, ...]:
        """Judge a command and return the events it causes: the only judge.

        :raises RuleViolation: when the rules forbid it.
        """

    def apply(self, state: Any, event: Event) -> Any:
        """Return the state after an event: the only mover; it never judges."""

    def is_legal(self, state: Any, seat: int, command: Command) -> bool:
        """Say whether :meth:`decide` would accept a command."""

    def may(self, state: Any, seat: int) -> Any:
        """Return which kinds of command are open to a seat."""

    def default_commands(self, state: Any) -> tuple[Command, ...]:
        """Return what is played for the seat on turn after a fault (M10.1, G8.1)."""

    def observe(self, state: Any, seat: int | None) -> Observation:
        """Return what a seat may know; with None what anybody may."""

    def caption(self, before: Any, event: Event, after: Any) -> Caption:
        """Return one plain sentence that tells an event."""

    def boards(self, states: Iterable[Any]) -> Sequence[Any]:
        """Return for states that follow one another by a turn what each looks like on the table.

        The values are for the templates of this game kind alone.
        """

    def turn_label(self, before: Any, events: Sequence[Event], after: Any) -> TurnLabel:
        """Return a turn in a few signs."""

    def sketch(self, state: Any) -> tuple[str, ...]:
        """Return lines of text that tell what anybody sees on the table, hands apart."""

    def hand_points(self, state: Any) -> tuple[int | None, ...]:
        """Return the points of each hand, None where it is not known or out of play."""

    def verdict(self, before: Any, event: Event) -> Verdict | None:
        """Return what a decision got against the best there was, from a state with the seed.

        None where there is nothing to compare.
        """

    def command_of(self, event: Event) -> Command | None:
        """Return the command that an event answers, or None for a mere consequence."""

    def foretell(self, state: Any, events: Iterable[Event]) -> Any:
        """Return a public state that knows what the rest of its record will lay open.

        So that the end of a deal can be judged without the seed: ``events`` are those after the
        start of the deal being played.
        """

    def as_good(self, found: Event, expected: Event) -> bool:
        """Say whether a record may hold ``found`` where the engine writes ``expected``.

        Asked only where they differ. What the rules leave open is as good, such as which of equal
        arrangements of a hand a record shows.
        """


def opening(
    variant: Variant, rules: KnobSet, players: Sequence[str], seed: bytes
) -> tuple[GameStarted, Event]:
    """Return the two events that open a game.

    :raises BadInput: for a number of players that the game kind does not seat, or a player twice.
    """
    started = game_started(variant, rules, players, seeds.commitment(seed))
    state = variant.apply(variant.initial(seed), started)
    return started, variant.first_deal(state)


def seat_count(variant: Variant) -> str:
    """Return in words how many may play: ``2`` or ``2 to 5``."""
    low, high = variant.seats[0], variant.seats[-1]
    return f"{low}" if low == high else f"{low} to {high}"


def game_started(
    variant: Variant, rules: KnobSet, players: Sequence[str], commitment: str
) -> GameStarted:
    """Return the first event of a game by the current rules.

    :raises BadInput: as :func:`opening`.
    """
    if isinstance(players, str) or not all(isinstance(player, str) for player in players):
        raise BadInput("players is a list of player ids, each a text")
    if len(players) not in variant.seats:
        wanted = seat_count(variant)
        raise BadInput(f"{variant.name} is played by {wanted} players, not {len(players)}")
    if len(set(players)) < len(players):
        raise BadInput("a player cannot sit at two seats of one game")
    for player in players:
        if not player or len(player) > MAX_ID or not player.isprintable():
            raise BadInput(
                f"a player id is 1 to {MAX_ID} printable characters, not {shown(player)}"
            )
    return GameStarted(
        variant.key, variant.rules_version, as_settings(rules), tuple(players), commitment
    )
