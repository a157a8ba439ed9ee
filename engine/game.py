"""A game in memory: ask it, push commands, take its record.

>>> from engine.seeds import SEED_BYTES
>>> game = Game.start("manipulation", ["ann", "bob"], seed=bytes(SEED_BYTES))
>>> game.turn, game.is_over, game.may().draw
(1, False, True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine import knobs, record, seeds
from engine.errors import BadInput, RuleViolation, shown
from engine.events import Command, Event, Outcome, SeedRevealed
from engine.variant import Observation, Variant, opening
from engine.variants import find_variant

EPOCH = "1970-01-01T00:00:00.000000Z"

Clock = Callable[[], str]
"""Gives the time of a line; the engine itself never reads a clock."""


class Game:
    """A game in memory with its seed, its state and the lines of its record."""

    def __init__(
        self, variant: Variant, seed: bytes, *, game_id: str, clock: Clock = lambda: EPOCH
    ) -> None:
        """Make a game before its first event; most callers want :meth:`start`.

        :raises BadInput: for a seed that is not 32 bytes or an id that is no uuid.
        """
        if not isinstance(seed, bytes) or len(seed) != seeds.SEED_BYTES:
            raise BadInput(f"a seed is {seeds.SEED_BYTES} bytes, not {shown(seed)}")
        if not record.is_game_id(game_id):
            raise BadInput(f"a game id is a lower-case uuid, not {shown(game_id)}")
        self.variant = variant
        self.seed = seed
        self.id = game_id
        self.state: Any = variant.initial(seed)
        self._clock = clock
        self._head = record.NO_PREV
        self._entries: list[record.Entry] = []
        self._unwritten: list[tuple[int, str, Event]] = []  # hashing takes as long as playing

    @classmethod
    def start(
        cls,
        variant: str | Variant,
        players: Sequence[str],
        *,
        seed: bytes,
        rules: Mapping[str, object] | None = None,
        game_id: str = "00000000-0000-0000-0000-000000000000",
        clock: Clock = lambda: EPOCH,
    ) -> Game:
        """Seat players and deal.

        :raises BadInput: for an unknown variant or knob, or players it does not seat.
        """
        kind = find_variant(variant) if isinstance(variant, str) else variant
        parsed = knobs.parse(kind.rules, rules or {})
        game = cls(kind, seed, game_id=game_id, clock=clock)
        game.append(opening(kind, parsed, players, seed))
        return game

    @classmethod
    def resume(
        cls,
        variant: Variant,
        state: Any,
        *,
        game_id: str,
        head: str,
        clock: Clock = lambda: EPOCH,
    ) -> Game:
        """Go on with a game from a state folded with its seed and the head of its log there."""
        game = cls(variant, state.seed, game_id=game_id, clock=clock)
        game.state, game._head = state, head
        return game

    @property
    def entries(self) -> Sequence[record.Entry]:
        """The lines of what happened through this object, written when somebody asks for them."""
        self._write()
        return self._entries

    @property
    def head(self) -> str:
        """The SHA-256 of the last line."""
        self._write()
        return self._head

    @property
    def lines(self) -> list[str]:
        """The texts of :attr:`entries`."""
        return [entry.text for entry in self.entries]

    @property
    def turn(self) -> int | None:
        """The seat to act, or None when the game is over."""
        turn: int | None = self.state.turn
        return turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game came out, or None while it runs."""
        outcome: Outcome | None = self.state.outcome
        return outcome

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def may(self) -> Any:
        """Return which kinds of command are open to the seat on turn."""
        turn = self.turn
        return self.variant.may(self.state, -1 if turn is None else turn)

    def observe(self, seat: int | None) -> Observation:
        """Return what a seat may know; with None what anybody may.

        :raises BadInput: when there is no such seat.
        """
        if seat is not None and seat not in range(len(self.state.players)):
            raise BadInput(f"there is no seat {shown(seat)}; seats count from 0")
        return self.variant.observe(self.state, seat)

    def is_legal(self, command: Command) -> bool:
        """Say whether the seat on turn may give a command."""
        return self.turn is not None and self.variant.is_legal(self.state, self.turn, command)

    def push(self, command: Command, seat: int | None = None) -> tuple[Event, ...]:
        """Play a command for a seat (default: the seat on turn) and return its events.

        :raises RuleViolation: when the rules forbid it; the game is unchanged.
        :raises BadInput: when it is no command of the game kind.
        """
        if not isinstance(command, Command):
            raise BadInput(f"push takes a command such as Resign(), not {shown(command)}")
        events = self.variant.decide(self.state, self.turn if seat is None else seat, command)
        self.append(events)
        return events

    def bot_words(self) -> seeds.Words:
        """Return the random words of a built-in bot's decision now."""
        assert self.turn is not None  # noqa: S101  (a bot decides on its turn only)
        return seeds.Words(seeds.bot_key(self.seed, self.turn, self.state.seq))

    def reveal(self) -> None:
        """Add ``seed_revealed``, the last line, unless it is there.

        :raises RuleViolation: while the game runs.
        """
        if self.state.sealed:
            return
        if not self.is_over:
            raise RuleViolation("game_running", "the seed stays secret while a game runs", "M9.1")
        self.append((SeedRevealed(self.seed.hex()),))

    def record(self) -> str:
        """Return the exported record as text."""
        return "".join(f"{line}\n" for line in (*self.lines, record.head_line(self.head)))

    def append(self, events: Sequence[Event]) -> None:
        """Add judged events to the state and the lines."""
        for event in events:
            self.state = self.variant.apply(self.state, event)
            self._unwritten.append((self.state.seq, self._clock(), event))

    def _write(self) -> None:
        for seq, at, event in self._unwritten:
            text = record.write_line(event, game=self.id, seq=seq, prev=self._head, at=at)
            self._entries.append(record.Entry(text, seq, at, event))
            self._head = record.digest(text)
        self._unwritten.clear()
