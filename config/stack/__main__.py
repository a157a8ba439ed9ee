"""``python -m config.stack demo | test [pytest arguments] | load | check | clean``."""

from __future__ import annotations

import os
import sys

from config.stack import StackError
from config.stack.checks import run_checks
from config.stack.clean import clean
from config.stack.demo import run_demo
from config.stack.services import ROOT
from config.stack.terminal import complain
from config.stack.testing import run_load, run_tests


def main(arguments: list[str]) -> int:
    """Run one command; 1 and one message when it cannot be done."""
    try:
        return _run(arguments)
    except StackError as error:
        complain(f"\nmeldboard: {error}")
        return 1


def _run(arguments: list[str]) -> int:
    match arguments:
        case ["demo"]:
            return run_demo(os.environ)
        case ["test", *rest]:
            return run_tests(os.environ, rest)
        case ["load", *rest]:
            return run_load(os.environ, rest)
        case ["check"]:
            return run_checks(ROOT, os.environ)
        case ["clean"]:
            return clean(ROOT)
    complain((__doc__ or "").strip())
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
