"""Watching over children: restarts and their limit, stops and their limits, no one left behind."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from config.stack import StackError, children
from config.stack.children import Program
from config.stack.supervisor import RESTARTS_A_MINUTE, Signals, StopAsked, Supervisor

SLEEP = "import time; time.sleep(60)"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def supervisor(tmp_path, clock):
    supervisor = Supervisor(tmp_path, Signals(), clock)
    yield supervisor
    supervisor.stop()


def program(tmp_path, code, name="child", **more) -> Program:
    return Program(name, [sys.executable, "-c", code], dict(os.environ), tmp_path, **more)


def until(test) -> None:
    limit = time.monotonic() + 10
    while not test():
        assert time.monotonic() < limit
        time.sleep(0.02)


def test_what_dies_is_started_again_and_said(tmp_path, supervisor, capsys):
    child = supervisor.start(program(tmp_path, SLEEP))
    first = child.process.pid
    os.kill(first, signal.SIGKILL)
    until(lambda: child.ended() is not None)
    supervisor.pause(0)
    assert child.ended() is None
    assert child.process.pid != first
    assert "child ended with status -9: starting it again" in capsys.readouterr().err


def test_what_dies_too_often_within_a_minute_ends_everything(tmp_path, supervisor, clock):
    child = supervisor.start(program(tmp_path, "print('no database'); raise SystemExit(3)"))
    with pytest.raises(StackError, match=r"CHILD DIED|child DIED 6 TIMES.*") as caught:
        for _ in range(100):
            until(lambda: child.ended() is not None)
            supervisor.pause(0)
            clock.now += 1
    assert "no database" in str(caught.value)
    assert len(child.restarts) == RESTARTS_A_MINUTE
    assert clock.now < 60


def test_rare_deaths_are_forgiven(tmp_path, supervisor, clock):
    child = supervisor.start(program(tmp_path, "pass"))
    for _ in range(RESTARTS_A_MINUTE + 3):
        until(lambda: child.ended() is not None)
        supervisor.pause(0)
        clock.now += 20
    assert len(child.restarts) <= 3


def test_a_stop_takes_what_the_child_has_started_with_it(tmp_path, supervisor):
    code = (
        "import subprocess, sys, time;"
        f"p = subprocess.Popen([sys.executable, '-c', {SLEEP!r}]);"
        "print(p.pid, flush=True); time.sleep(60)"
    )
    child = supervisor.start(program(tmp_path, code))
    until(lambda: child.log.read_text().strip())
    grandchild = int(child.log.read_text())
    supervisor.stop()
    until(lambda: not children.start_time(grandchild))
    assert not child.note.exists()


def test_a_child_that_will_not_stop_is_killed_at_its_limit(tmp_path, supervisor):
    code = f"import signal; signal.signal(15, signal.SIG_IGN); print('up', flush=True); {SLEEP}"
    child = supervisor.start(program(tmp_path, code, stops=((15, 0.3),)))
    until(lambda: child.log.read_text())
    began = time.monotonic()
    supervisor.stop()
    assert 0.3 <= time.monotonic() - began < 2
    assert child.ended() == -9


def test_children_stop_in_reverse_order(tmp_path, supervisor):
    for name in ("database", "web"):
        code = (
            "import signal, sys, time\n"
            f"def stop(*_): open('order', 'a').write('{name} '); sys.exit()\n"
            f"signal.signal(15, stop); print('up', flush=True); time.sleep(60)"
        )
        child = supervisor.start(program(tmp_path, code, name))
        until(lambda child=child: child.log.read_text())
    supervisor.stop()
    assert (tmp_path / "order").read_text() == "web database "


def test_a_step_gives_its_status_and_a_failed_one_shows_its_log(tmp_path, supervisor):
    assert supervisor.run(program(tmp_path, "raise SystemExit(4)")) == 4
    with pytest.raises(StackError, match=r"(?s)migrate failed with status 1.*no such table"):
        supervisor.run_or_fail(program(tmp_path, "raise SystemExit('no such table')", "migrate"))


def test_a_signal_ends_a_step_and_the_wait(tmp_path, supervisor):
    with supervisor.signals.caught():
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(StopAsked):
            supervisor.run(program(tmp_path, SLEEP))
        with pytest.raises(StopAsked):
            supervisor.serve()


def test_waiting_for_a_child_that_dies_shows_its_log(tmp_path, supervisor):
    child = supervisor.start(program(tmp_path, "raise SystemExit('bad option')"))
    with pytest.raises(StackError, match=r"(?s)child did not start.*bad option"):
        supervisor.wait_until(lambda: False, child, 10)


def test_a_leftover_is_stopped_and_a_stranger_with_its_number_is_not(tmp_path, supervisor):
    child = supervisor.start(program(tmp_path, SLEEP))
    note = child.note.read_text()
    pid, _, number = note.split()
    child.note.write_text(f"{pid} 12345 {number}\n")
    assert children.stop_leftovers(tmp_path) == []
    assert child.ended() is None
    child.note.write_text(note)
    assert children.stop_leftovers(tmp_path) == ["child"]
    assert child.ended() == -15
