"""Check a record against the engine: chain, commitment, every deal, decision and score.

Each event that answers a command is judged anew, and what the engine would have written must
stand in the record, field for field. Without the seed (an unfinished game) everything is checked
that needs no hidden card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from engine import knobs, seeds
from engine.codec import encode
from engine.errors import BadInput, RecordError, RuleViolation
from engine.events import Event, GameStarted, SeedRevealed
from engine.record import Entry, Record, dumps, read_record
from engine.variant import State, Variant, game_started


def verify(data: bytes, *, head: str | None = None, partial: bool = False) -> Record:
    """Return a record in which everything is true.

    :param head: the head as published elsewhere; the record's must be the same.
    :param partial: accept a record without ``seed_revealed`` (a game that still runs).
    :raises RecordError: with the first line whose form or link is wrong or, where all of those
        are right, with the first line that is not true; and the reason.
    """
    record = read_record(data)
    last = len(record.entries)
    if head is not None and head.lower() != record.head:
        raise RecordError(last + 1, f"head is {record.head}, not {head}")
    verify_events(record, partial=partial)
    return record


def verify_events(record: Record, *, partial: bool = False) -> None:
    """Judge a record's events anew; see :func:`verify`."""
    entries = record.entries
    body = [entry.event for entry in entries]
    sealed = next((i for i, event in enumerate(body) if isinstance(event, SeedRevealed)), None)
    try:
        opening = _expected_start(record.variant, body[0])
    except BadInput as error:
        raise RecordError(1, str(error)) from None
    if body[0] != opening:
        _refuse(1, body[0], opening)
    seed = None if sealed is None else _seed(entries[sealed], opening)
    if sealed is None and not partial:
        raise RecordError(len(entries), "the game is unfinished: no seed_revealed (see --partial)")
    state = _judge_all(record.variant, body[:sealed], seed)
    if sealed is not None:
        if state.outcome is None:
            raise RecordError(sealed + 1, "seed_revealed stands before the game has ended")
        if sealed + 1 < len(entries):
            raise RecordError(sealed + 2, "nothing may follow seed_revealed")


def _judge_all(variant: Variant, body: Sequence[Event], seed: bytes | None) -> State:
    """Judge each command anew, compare all that it causes, and return the state at the end."""
    state: State = variant.initial(seed)
    index = 0
    while index < len(body):
        try:
            expected = _expected(variant, state, body, index)
        except (RuleViolation, BadInput) as error:
            raise RecordError(index + 1, str(error)) from None
        for event in expected:
            if index == len(body):
                if seed is None:
                    break  # cut short before a consequence that no one chose
                raise RecordError(index + 1, f"{event.type} must stand here, not seed_revealed")
            found = body[index]
            if found != event and not variant.as_good(found, event):
                _refuse(index + 1, found, event)
            state = variant.apply(state, found)
            index += 1
    return state


def _expected(
    variant: Variant, state: State, body: Sequence[Event], index: int
) -> tuple[Event, ...]:
    """Return the events that the engine writes from ``index`` on for one command."""
    event = body[index]
    if index == 0:
        return (event,)
    if index == 1:
        return (
            variant.first_deal(state) if state.seed is not None else _public_deal(state, event),
        )
    command = variant.command_of(event)
    if command is None:
        raise BadInput(f"{event.type} does not follow from what stands before it")
    if state.seed is None:
        state = variant.foretell(state, body[index:])
    return variant.decide(state, event.actor, command)


def _expected_start(variant: Variant, event: Event) -> Event:
    if not isinstance(event, GameStarted):
        raise BadInput(f"a record begins with game_started, not {event.type}")
    if event.rules_version != variant.rules_version:
        raise BadInput(f"rules version {event.rules_version} of {variant.name} is unknown")
    if len(event.commitment) != 64 or set(event.commitment) - set("0123456789abcdef"):
        raise BadInput("commitment must be a SHA-256 in 64 lower-case hex digits")
    rules = knobs.parse(variant.rules, event.rules)
    return game_started(variant, rules, event.seats, event.commitment)


def _public_deal(state: State, event: Event) -> Event:
    """Return the first deal of a game whose seed is not known, if it can be one."""
    deal, dealer = getattr(event, "deal", None), getattr(event, "dealer", None)
    if event.type != "deal_started" or deal != 1 or dealer not in range(len(state.players)):
        raise BadInput("deal_started with deal 1 and a dealer among the seats must follow")
    return event


def _seed(entry: Entry, opening: Event) -> bytes:
    assert isinstance(entry.event, SeedRevealed)  # noqa: S101  (the caller asked)
    text = entry.event.seed
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != seeds.SEED_BYTES or seed.hex() != text:
        raise RecordError(entry.seq, "seed must be 64 lower-case hex digits")
    if isinstance(opening, GameStarted) and seeds.commitment(seed) != opening.commitment:
        raise RecordError(entry.seq, "the seed's SHA-256 is not the commitment of line 1")
    return seed


def _refuse(line: int, found: Event, expected: Event) -> NoReturn:
    """Say in which field an event is not what the engine writes."""
    if found.type != expected.type or found.actor != expected.actor:
        raise RecordError(line, f"{_name(expected)} must stand here, not {_name(found)}")
    have, want = encode(found), encode(expected)
    for key in want:
        if have[key] != want[key]:
            raise RecordError(
                line, f"{found.type}: {key} is {dumps(have[key])} but must be {dumps(want[key])}"
            )
    raise RecordError(line, f"{found.type} is not what the engine writes")


def _name(event: Event) -> str:
    return event.type if event.actor is None else f"{event.type} of seat {event.actor}"
