"""PostgreSQL and Valkey in earnest: started, stopped, and gone when their starter is killed."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config.settings import ROOT
from config.stack import StackError, children
from config.stack.services import stack, start_services

pytestmark = pytest.mark.serial

STARTER = """
import os, signal, sys
from pathlib import Path
from config.stack.services import stack, start_services
from config.stack.supervisor import StopAsked
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests themselves may run under nohup
with stack(Path(sys.argv[1]), "test") as (supervisor, folder):
    start_services(supervisor, folder, os.environ, careless=True)
    print("up", flush=True)
    try:
        supervisor.serve()
    except StopAsked:
        print("asked", flush=True)
"""


@pytest.fixture
def environ(monkeypatch) -> dict[str, str]:
    """As on a machine where no address is given."""
    for name in ("DATABASE_URL", "BROKER_URL"):
        monkeypatch.delenv(name, raising=False)
    return dict(os.environ)


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder through which the user can get that PostgreSQL runs as, when we are root."""
    with tempfile.TemporaryDirectory(prefix="meldboard-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def start(root, environ) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a process that starts both and waits; it is gone after the test in any case."""
    started = []

    def start(**more) -> subprocess.Popen:
        argv = [sys.executable, "-c", STARTER, str(root)]
        more = {"stdout": subprocess.PIPE, **more}
        started.append(subprocess.Popen(argv, cwd=ROOT, env=environ, text=True, **more))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def pids(root: Path) -> dict[str, int]:
    notes = (root / ".run" / "test").glob("*.pid")
    return {note.stem: int(note.read_text().split()[0]) for note in notes}


def family(*roots: int) -> set[int]:
    """These processes and all that descend from them."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def wait_for_end(processes: set[int]) -> None:
    limit = time.monotonic() + 10
    while left := [pid for pid in processes if children.start_time(pid)]:
        assert time.monotonic() < limit, left
        time.sleep(0.05)


def wait_until_up(starter: subprocess.Popen) -> None:
    while (line := starter.stdout.readline()) != "up\n":
        assert line, "it ended before it was up"


def test_both_serve_and_leave_nothing_behind(root, environ):
    with stack(root, "test") as (supervisor, folder):
        env = start_services(supervisor, folder, environ, careless=True)
        with psycopg.connect(env["DATABASE_URL"]) as database:
            assert database.execute("SHOW server_encoding").fetchone() == ("UTF8",)
            assert database.execute("SHOW fsync").fetchone() == ("off",)
        with redis.Redis.from_url(env["BROKER_URL"]) as broker:
            assert broker.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            assert broker.config_get("appendonly") == {"appendonly": "yes"}
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(env["DATABASE_URL"], password="wrong")
        running = family(*pids(root).values())
        assert len(running) > 5
    wait_for_end(running)
    with stack(root, "test") as (supervisor, folder):  # again, with the data of before
        again = start_services(supervisor, folder, environ)
        with psycopg.connect(again["DATABASE_URL"]) as database:
            assert database.execute("SHOW fsync").fetchone() == ("on",)


def test_given_addresses_are_used_and_nothing_is_started(root, environ):
    given = environ | {"DATABASE_URL": "postgres://a@b/c", "BROKER_URL": "redis://d/0"}
    with stack(root, "test") as (supervisor, folder):
        assert start_services(supervisor, folder, given) == given
        assert supervisor.children == []


def test_a_killed_starter_takes_everything_with_it(root, environ, start):
    starter = start()
    wait_until_up(starter)
    running = family(*pids(root).values())
    with pytest.raises(StackError, match=f"already runs here: process {starter.pid}"):
        stack(root, "test").__enter__()
    starter.kill()
    starter.wait()
    wait_for_end(running)
    with stack(root, "test") as (supervisor, folder):
        start_services(supervisor, folder, environ, careless=True)


@pytest.mark.parametrize("way", ["interrupt", "terminate", "hang up"])
def test_every_way_to_end_it_is_a_clean_stop(root, start, way):
    if way == "hang up":
        ours, theirs = pty.openpty()
        starter = start(stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        heard = b""
        while b"up" not in heard:
            heard += os.read(ours, 100)
        running = family(*pids(root).values())
        os.close(ours)  # and no signal: it has to see for itself that its terminal is gone
    else:
        starter = start()
        wait_until_up(starter)
        running = family(*pids(root).values())
        starter.send_signal(signal.SIGINT if way == "interrupt" else signal.SIGTERM)
        assert starter.stdout.read() == "asked\n"
    starter.wait(timeout=20)
    wait_for_end(running)
    log = (root / ".run" / "test" / "postgres.log").read_text()
    assert "database system is shut down" in log
