"""``meldboard verify`` and ``meldboard show``."""

from __future__ import annotations

import argparse
import sys

from engine.cards import pretty
from engine.cli import read_file
from engine.cli.progress import progress
from engine.errors import BadInput, RecordError
from engine.events import GameStarted, SeedRevealed
from engine.record import Record
from engine.replay import Replay
from engine.variant import Caption, CardNames, SeatName
from engine.verify import verify


def verify_files(args: argparse.Namespace) -> int:
    """Print one line a file; return 1 if any record is bad."""
    if args.head is not None and len(args.files) > 1:
        raise BadInput("--head is the head of one game; give one FILE with it")
    status = 0
    for path in progress(args.files, len(args.files), "Verifying"):
        try:
            record = verify(read_file(path), head=args.head, partial=args.partial)
        except BadInput as error:
            print(error)
            status = 1
        except RecordError as error:
            print(f"{path}: {error}")
            status = 1
        else:
            unfinished = not isinstance(record.entries[-1].event, SeedRevealed)
            print(f"{path}: ok, {len(record.entries)} events{', unfinished' * unfinished}")
    return status


def show(args: argparse.Namespace) -> int:
    """Tell a record turn by turn, or print the state after one turn."""
    try:
        record = verify(read_file(args.file), partial=True)
    except RecordError as error:
        print(f"{args.file}: {error}", file=sys.stderr)
        return 1
    replay = Replay.of(record)
    if args.step is not None:
        if args.step not in range(len(replay.steps)):
            last = len(replay.steps) - 1
            raise BadInput(f"there is no step {args.step}; steps are 0 to {last}")
        print(_position(record, replay, args.step))
        return 0
    width = len(str(len(replay.steps) - 1))
    for number in range(len(replay.steps)):
        for i, caption in enumerate(replay.captions(number)):
            print(f"{number if i == 0 else '':>{width}}  {_text(caption, record)}")
    return 0


def _position(record: Record, replay: Replay, step: int) -> str:
    state = replay.state(step)
    view = record.variant.observe(state, None).as_dict()
    lines = [_text(caption, record) for caption in replay.captions(step)]
    lines.append("")
    lines += record.variant.sketch(state)
    lines.append("")
    for seat, seen in enumerate(view["seats"]):
        hand = " ".join(map(pretty, replay.hand(step, seat)))
        turn = "*" if state.turn == seat else " "
        lines.append(f"{turn} {seen['id']}: {hand or '(no cards)'}  total {seen['total']}")
    lines.append(f"  deal {view['deal']}")
    return "\n".join(lines)


def _text(caption: Caption, record: Record) -> str:
    opening = record.entries[0].event
    names = opening.seats if isinstance(opening, GameStarted) else ()
    words = []
    for part in caption:
        if isinstance(part, SeatName):
            words.append(names[part.seat])
        elif isinstance(part, CardNames):
            words.append(" ".join(map(pretty, part.cards)))
        else:
            words.append(part)
    return "".join(words)
