"""One process that we start: it dies when we die, logs to a file and is stopped within limits."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_PDEATHSIG = 1
LAST_WAIT = 2.0
POLL = 0.05

# Loaded before any fork: in the child between fork and exec nothing may be loaded any more.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Program:
    """How to start a process, as whom, and how to stop it."""

    name: str
    """What the log file is called and what messages call it."""
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    stops: Sequence[tuple[int, float]] = ((signal.SIGTERM, 5.0),)
    """Signals to try in turn, each with the seconds it is given; then comes SIGKILL."""
    death_signal: int = signal.SIGKILL
    """What the process gets when its starter dies."""
    user: int | None = None
    group: int | None = None
    pass_fds: Sequence[int] = ()
    on_terminal: bool = False
    """Whether it talks to the person instead of to a log file."""


@dataclass
class Child:
    """A program that has been started once or more."""

    program: Program
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    restarts: list[float] = field(default_factory=list)
    """When it was started again after it had died."""

    @property
    def log(self) -> Path:
        """Where its output goes."""
        return self.folder / f"{self.program.name}.log"

    @property
    def note(self) -> Path:
        """Where its process id stands for a later start."""
        return self.folder / f"{self.program.name}.pid"

    def start(self) -> None:
        """Start it in a session of its own, so that Ctrl-C reaches only the starter."""
        program = self.program
        self.process = start_process(program, None if program.on_terminal else self.log)
        stop_signal = program.stops[0][0]
        started = start_time(self.process.pid)
        self.note.write_text(f"{self.process.pid} {started} {stop_signal}\n")

    def ended(self) -> int | None:
        """The exit status, or None while it runs."""
        return self.process.poll() if self.process else None

    def stop(self, hurry: Callable[[], bool] = lambda: False) -> None:
        """End it and what it started; once ``hurry`` is true each signal gets a second."""
        if self.process is None:
            return
        for stop_signal, patience in self.program.stops:
            if self.process.poll() is None:
                self.process.send_signal(stop_signal)
                _wait(lambda: self.ended() is not None or hurry(), patience)
                _wait(lambda: self.ended() is not None, min(1.0, patience) if hurry() else 0.0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        _wait(lambda: self.ended() is not None, LAST_WAIT)
        self.note.unlink(missing_ok=True)


def start_process(program: Program, log: Path | None) -> subprocess.Popen[bytes]:
    """Start a program with its output in a log file, or on the terminal."""
    output = log.open("ab") if log else None
    try:
        return subprocess.Popen(
            list(program.argv),
            env=dict(program.env),
            cwd=program.cwd,
            stdin=None if program.on_terminal else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            pass_fds=tuple(program.pass_fds),
            preexec_fn=_die_with_parent(os.getpid(), program.death_signal),
            user=program.user,
            group=program.group,
            extra_groups=None if program.user is None else [],
        )
    finally:
        if output:
            output.close()


def start_time(pid: int) -> str:
    """When a process began, in the system's own count; empty where it is gone or unknown."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def stop_leftovers(folder: Path) -> list[str]:
    """Stop what an earlier starter, now dead, left running; answer with the names."""
    stopped = []
    for note in sorted(folder.glob("*.pid")):
        words = note.read_text().split()
        if len(words) == 3 and start_time(int(words[0])) == words[1] != "":
            _stop_stranger(int(words[0]), words[1], int(words[2]))
            stopped.append(note.stem)
        note.unlink()
    return stopped


def _stop_stranger(pid: int, started: str, stop_signal: int) -> None:
    for number, patience in ((stop_signal, 10.0), (signal.SIGKILL, LAST_WAIT)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        if _wait(lambda: start_time(pid) != started, patience):
            return


def _die_with_parent(parent: int, death_signal: int) -> Callable[[], None]:
    def prepare() -> None:
        if _libc is not None:
            _libc.prctl(PR_SET_PDEATHSIG, death_signal)
            if os.getppid() != parent:
                os._exit(1)

    return prepare


def _wait(done: Callable[[], bool], patience: float) -> bool:
    limit = time.monotonic() + patience
    while not done():
        if time.monotonic() > limit:
            return False
        time.sleep(POLL)
    return True
