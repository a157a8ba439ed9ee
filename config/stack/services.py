"""The database and the broker of a stack: the given ones, or our own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path

from config.stack.children import stop_leftovers
from config.stack.folders import RunFolder, hold
from config.stack.postgres import start_postgres
from config.stack.supervisor import Signals, Supervisor
from config.stack.terminal import say
from config.stack.valkey import start_valkey

ROOT = Path(__file__).resolve().parent.parent.parent


@contextmanager
def stack(root: Path, name: str) -> Iterator[tuple[Supervisor, RunFolder]]:
    """Hold ``.run/<name>``; whatever is started in the block is stopped after it.

    :raises StackError: when the folder is in use
    """
    with Signals().caught() as signals, hold(root, name) as folder:
        left = stop_leftovers(folder.path)
        if left:
            say(f"stopped what a dead starter left running: {', '.join(left)}")
        supervisor = Supervisor(folder.path, signals)
        try:
            yield supervisor, folder
        finally:
            supervisor.stop()


def start_services(
    supervisor: Supervisor, folder: RunFolder, environ: Mapping[str, str], *, careless: bool = False
) -> dict[str, str]:
    """Start what no address was given for; answer with the whole environment of the others.

    :raises StackError: when one cannot be started
    """
    env = dict(environ)
    if not env.get("DATABASE_URL"):
        began = time.monotonic()
        _drop_postgres_variables(env, os.environ)
        env["DATABASE_URL"] = start_postgres(supervisor, folder, environ, careless=careless)
        tell("database", "PostgreSQL, our own", began)
    if not env.get("BROKER_URL"):
        began = time.monotonic()
        env["BROKER_URL"] = start_valkey(supervisor, folder, environ)
        tell("broker", "Valkey, our own", began)
    return env


def tell(part: str, text: str, began: float) -> None:
    """One line about a part that is up."""
    say(f"  {part:<11}{text:<42}{time.monotonic() - began:6.1f} s")


def python(*words: str) -> list[str]:
    """A command line of the interpreter that runs the stack."""
    return [sys.executable, *words]


def _drop_postgres_variables(*environments: MutableMapping[str, str]) -> None:
    """Drop PGHOST, PGSSLMODE and their like, which would bend the way to our own server."""
    for environment in environments:
        for name in [name for name in environment if name.startswith("PG")]:
            del environment[name]
