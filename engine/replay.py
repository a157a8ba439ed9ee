"""A game step by step: step n is the state after the n-th turn of the game, through all deals.

Step 0 is the state before the first turn. The end of a deal belongs to the step of the turn that
ended it; the start of the next deal to the step that follows, so that the cards of a finished
deal can be seen. A turn that a game's end cut short is the last step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.cards import Card
from engine.events import Event, SeedRevealed
from engine.record import Record
from engine.variant import Caption, TurnLabel, Variant


@dataclass(frozen=True, slots=True)
class Step:
    """A turn and what it caused, as numbers of events."""

    first: int
    """``seq`` of the first event."""
    last: int
    """``seq`` of the last event."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a step."""

    seat: int
    before: Any
    """The state in which the turn began."""
    events: Sequence[Event]
    """What happened from there to the end of the step."""
    after: Any


class Replay:
    """The steps of a game and the states between them."""

    def __init__(self, variant: Variant, events: Iterable[Event], seed: bytes | None) -> None:
        """Fold the events, with the seed or without it (hidden cards are then ``??``)."""
        self.variant = variant
        self.events: Sequence[Event] = tuple(events)
        state = variant.initial(seed)
        self.states: list[Any] = [state]
        """State after each number of events; the first is the state before any."""
        for event in self.events:
            state = variant.apply(state, event)
            self.states.append(state)
        self.steps = _steps(self.events, self.states)
        """The steps in order, step 0 first."""
        self._boards: dict[range, Sequence[Any]] = {}

    @classmethod
    def of(cls, record: Record) -> Replay:
        """Return the replay of a record, with all cards if its seed is revealed."""
        last = record.entries[-1].event
        seed = bytes.fromhex(last.seed) if isinstance(last, SeedRevealed) else None
        return cls(record.variant, record.events, seed)

    def state(self, step: int) -> Any:
        """Return the state after a step."""
        return self.states[self.steps[step].last]

    def step_of(self, seq: int) -> int:
        """Return the step to which event ``seq`` belongs."""
        return next(i for i, step in enumerate(self.steps) if seq <= step.last)

    def captions(self, step: int) -> list[Caption]:
        """Return a step's sentences, one an event."""
        first, last = self.steps[step].first, self.steps[step].last
        return [
            self.variant.caption(self.states[seq - 1], self.events[seq - 1], self.states[seq])
            for seq in range(first, last + 1)
        ]

    def narration(self, step: int) -> list[Caption]:
        """Return a step's sentences without those that a later one tells again."""
        retold = self.variant.retold
        told = []
        actors: set[int | None] = set()
        for seq in range(self.steps[step].last, self.steps[step].first - 1, -1):
            event = self.events[seq - 1]
            if event.type not in retold:
                actors.add(event.actor)
            elif event.actor in actors:
                continue
            told.append(self.variant.caption(self.states[seq - 1], event, self.states[seq]))
        return told[::-1]

    def turn(self, step: int) -> Turn | None:
        """Return the turn that a step is, or None for step 0."""
        first, last = self.steps[step].first, self.steps[step].last
        for seq in range(first, last + 1):
            seat = self.states[seq - 1].turn
            if seat is not None:
                events = self.events[seq - 1 : last]
                return Turn(seat, self.states[seq - 1], events, self.states[last])
        return None

    def label(self, step: int) -> TurnLabel | None:
        """Return a turn in a few signs, or None for step 0."""
        turn = self.turn(step)
        if turn is None:
            return None
        return self.variant.turn_label(turn.before, turn.events, turn.after)

    def board(self, step: int) -> Any:
        """Return what a step looks like; only templates of the game kind look inside.

        Each follows from those before it in its deal: the first look makes these, the next one all.
        """
        deal = next(steps for steps in self.deals if step in steps)
        made = self._boards.get(deal, ())
        at = step - deal.start
        if at >= len(made):
            made = self.variant.boards(map(self.state, deal if made else deal[: at + 1]))
            self._boards[deal] = made
        return made[at]

    @cached_property
    def deals(self) -> tuple[range, ...]:
        """The steps of each deal, deal 1 with step 0."""
        starts: list[int] = []
        for step in range(len(self.steps)):
            if self.state(step).deal_number > len(starts):
                starts.append(step)
        stops = [*starts[1:], len(self.steps)]
        return tuple(range(first, stop) for first, stop in zip(starts, stops, strict=True))

    def hand(self, step: int, seat: int) -> tuple[Card, ...]:
        """Return a seat's hand after a step, as far as the replay knows it."""
        hand: list[Card] = self.variant.observe(self.state(step), seat).as_dict()["hand"]
        return tuple(hand)


def _steps(events: Sequence[Event], states: Sequence[Any]) -> tuple[Step, ...]:
    steps: list[Step] = []
    first = 1
    for seq, event in enumerate(events, 1):
        begins = event.type == "deal_started"
        if len(steps) == 0:
            if begins:
                steps.append(Step(1, seq))
                first = seq + 1
            continue
        ended = states[seq].turns > states[seq - 1].turns
        if ended:
            steps.append(Step(first, seq))
            first = seq + 1
        elif seq == first and states[seq].turn is None and not begins and len(steps) > 1:
            steps[-1] = Step(steps[-1].first, seq)  # what the turn caused
            first = seq + 1
    if first <= len(events) or not steps:
        steps.append(Step(first, len(events)))
    return tuple(steps)
