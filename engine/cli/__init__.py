"""The ``meldboard`` command line: games without a server."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from engine import __version__, is_compiled, seeds
from engine.errors import BadInput, EngineError

LINE_COMMANDS = {
    "check": (
        "manipulation",
        'judge meld phases: {"before":[[…]],"hand":[…],"after":[[…]]}',
    ),
    "solve": (
        "manipulation",
        'find the best play: {"tableau":[[…]],"hand":[…],"objective":"points"|"cards"}',
    ),
    "score": (
        "manipulation",
        'score deals or games: {"hands":[…],"knocker":0,"out":null} or {"totals":[…],…}',
    ),
    "deadwood": ("gin", 'find the least deadwood of gin hands: {"hand":[…]}'),
    "gin-score": (
        "gin",
        'score deals or games of gin: {"knocker":{"melds":[[…]],"deadwood":[…]},"defender":[…]} '
        'or {"deal_points":[…],"deals_won":[…]}',
    ),
}
"""Commands that read JSON lines, each with the module that answers and what it does."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 good, 1 something was bad, 2 usage."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # JSON is UTF-8 whatever the terminal is
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    args = _parser().parse_args(argv)
    try:
        return _run(args)
    except EngineError as error:
        print(f"meldboard: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has gone (head, less); so go we
        _forget_output()
        return 1
    except OSError as error:
        _forget_output()
        print(f"meldboard: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _forget_output() -> None:
    """Let what could not be written go, lest Python try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(args: argparse.Namespace) -> int:
    # The commands are imported when they run: the start-up of each stays short.
    if args.command in LINE_COMMANDS:
        from engine.cli import lines

        module = import_module(f"engine.cli.{LINE_COMMANDS[args.command][0]}")
        return lines.run(module.ANSWERS[args.command])
    if args.command == "deal":
        from engine.cli import deal

        return deal.run(args)
    if args.command == "play":
        from engine.cli import play

        return play.run(args)
    from engine.cli import records

    return records.verify_files(args) if args.command == "verify" else records.show(args)


class _Version(argparse.Action):
    """Say the version and whether the solver is compiled, then end."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"meldboard {__version__} ({'compiled solver' if is_compiled() else 'pure Python'})")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="meldboard", description="Play, check and replay card games offline."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which Meldboard this is")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, summary) in LINE_COMMANDS.items():
        commands.add_parser(
            name,
            help=f"{summary.partition(':')[0]} (JSON lines from standard input)",
            description=f"Read JSON lines from standard input, write one JSON line each; {summary}",
        )

    deal = commands.add_parser("deal", help="show how a seed deals")
    deal.add_argument("--seed", required=True, type=seed, help="64 hex digits")
    deal.add_argument("--deal", type=int, default=1, help="number of the deal, from 1")
    deal.add_argument("--variant", default="manipulation")
    deal.add_argument("--seats", type=int, default=2)
    deal.add_argument("--dealer", type=int, help="also show the hands that this seat deals")
    deal.add_argument("--rules", default="", metavar="KNOB=VALUE,…")

    play = commands.add_parser("play", help="let bots play offline games and keep the records")
    play.add_argument("--variant", default="manipulation")
    play.add_argument("--bots", required=True, help="one policy a seat, such as greedy,random")
    play.add_argument("--games", type=int, default=1)
    play.add_argument("--seed", type=seed, help="64 hex digits; the same seed plays the same games")
    play.add_argument("--rules", default="", metavar="KNOB=VALUE,…")
    play.add_argument("--jobs", type=int, default=1, help="processes")
    play.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for records")

    verify = commands.add_parser("verify", help="check records: chain, deals, decisions, scores")
    verify.add_argument("files", nargs="+", type=Path, metavar="FILE")
    verify.add_argument("--head", help="the head as published elsewhere")
    verify.add_argument("--partial", action="store_true", help="accept unfinished games")

    show = commands.add_parser("show", help="tell a game turn by turn")
    show.add_argument("file", type=Path, metavar="FILE")
    show.add_argument("--step", type=int, help="show only the state after this turn")
    return parser


def seed(text: str) -> bytes:
    """Return the seed that 64 hex digits write.

    :raises argparse.ArgumentTypeError: for anything else.
    """
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != seeds.SEED_BYTES or len(text) != 2 * seeds.SEED_BYTES:
        raise argparse.ArgumentTypeError(f"a seed is 64 hex digits, not {text!r}")
    return value


def read_file(path: Path) -> bytes:
    """Return a file's bytes.

    :raises BadInput: naming the file that cannot be read and why.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
