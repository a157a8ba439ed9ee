"""Watches over the children: starts again what died, and stops all of them in the end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config.stack import StackError
from config.stack.children import POLL, Child, Program
from config.stack.terminal import complain, tail

RESTARTS_A_MINUTE = 5
IDLE_POLL = 0.2


class StopAsked(Exception):
    """A signal asked for the end."""


class Signals:
    """Counts Ctrl-C, SIGTERM and hang-ups; nothing else happens inside a signal handler."""

    def __init__(self) -> None:
        self.count = 0
        self.terminal: int | None = None

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Take note."""
        self.count += 1

    def came(self) -> bool:
        """Whether one of them came, or the terminal is gone.

        A terminal that hangs up tells only the first process in it, which may be a make that
        waits for us.
        """
        if self.terminal is not None and not os.isatty(self.terminal):
            self.terminal = None
            self.count += 1
        return self.count > 0

    @contextmanager
    def caught(self) -> Iterator[Signals]:
        """Take note of the three signals while the block runs."""
        wanted = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # ignored: started by nohup
            wanted.append(signal.SIGHUP)
            self.terminal = next((number for number in (0, 1, 2) if os.isatty(number)), None)
        before = {number: signal.signal(number, self.handle) for number in wanted}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class Supervisor:
    """All children of one stack, in the order in which they were started."""

    def __init__(
        self,
        folder: Path,
        signals: Signals | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = folder
        self.signals = signals or Signals()
        self.clock = clock
        self.children: list[Child] = []

    def start(self, program: Program) -> Child:
        """Start a program that shall run until :meth:`stop`."""
        child = Child(program, self.folder)
        child.log.write_bytes(b"")
        child.start()
        self.children.append(child)
        return child

    def forget(self, child: Child) -> None:
        """Stop a child and no longer watch it."""
        child.stop()
        self.children.remove(child)

    def run(self, program: Program) -> int:
        """Run a program to its end while watching the others; answer with its exit status.

        :raises StopAsked: when a signal came; the program is stopped first
        """
        step = Child(program, self.folder)
        if not program.on_terminal:
            step.log.write_bytes(b"")
        step.start()
        try:
            while step.ended() is None:
                self.pause(POLL)
        finally:
            step.stop()
        status = step.ended()
        return 1 if status is None else status if status >= 0 else 128 - status

    def run_or_fail(self, program: Program) -> None:
        """Run a program that must succeed.

        :raises StackError: with the end of its log
        """
        status = self.run(program)
        if status:
            log = Child(program, self.folder).log
            raise StackError(f"{program.name} failed with status {status}. {tail(log)}")

    def wait_until(self, ready: Callable[[], bool], child: Child, patience: float) -> None:
        """Wait until a child answers.

        :raises StackError: when it dies first or takes too long
        """
        limit = self.clock() + patience
        while not ready():
            if child.ended() is not None:
                raise StackError(f"{child.program.name} did not start. {tail(child.log)}")
            if self.clock() > limit:
                late = f"{child.program.name} did not answer within {patience:.0f} s."
                raise StackError(f"{late} {tail(child.log)}")
            self._check_signals()
            time.sleep(POLL)

    def serve(self) -> None:
        """Watch until a signal comes.

        :raises StopAsked: then
        """
        while True:
            self.pause(IDLE_POLL)

    def pause(self, seconds: float) -> None:
        """Let time pass, start again what has died.

        :raises StopAsked: when a signal came
        :raises StackError: when a child dies too often
        """
        self._check_signals()
        for child in self.children:
            status = child.ended()
            if status is not None:
                self._restart(child, status)
        time.sleep(seconds)

    def stop(self) -> None:
        """Stop all children, the last started first; a second signal ends the patience."""
        before = self.signals.count
        while self.children:
            self.children.pop().stop(hurry=lambda: self.signals.count > max(before, 1))

    def _check_signals(self) -> None:
        if self.signals.came():
            raise StopAsked

    def _restart(self, child: Child, status: int) -> None:
        now = self.clock()
        child.restarts = [at for at in child.restarts if now - at < 60]
        name = child.program.name
        if len(child.restarts) >= RESTARTS_A_MINUTE:
            raise StackError(
                f"{name} DIED {len(child.restarts) + 1} TIMES WITHIN A MINUTE, so everything stops."
                f" {tail(child.log)}"
            )
        if child.restarts and now - child.restarts[-1] < len(child.restarts):
            return  # a program that cannot start at once gets one more second each time
        child.restarts.append(now)
        complain(f"{name} ended with status {status}: starting it again (log: {child.log})")
        child.stop()
        child.start()
