"""Real workers, a real beat and a real broker around the test database, and ways to hurt them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import redis
from django.conf import settings
from django.db import OperationalError, connection, connections

from config.stack.demo import beat_command, worker_command

ROOT = Path(__file__).parent.parent.parent


class Cluster:
    """Processes of the project that a test starts, kills and starts again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._worker: subprocess.Popen[bytes] | None = None
        self.broker = redis.Redis.from_url(settings.CELERY_BROKER_URL)

    def __enter__(self) -> Self:
        self.flush_broker()
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.broker.close()

    def start(self) -> None:
        """Start a worker and a beat."""
        self.start_worker()
        self._start(beat_command(), "beat")

    def start_worker(self) -> None:
        """Start another worker."""
        self._worker = self._start(worker_command(2), "worker")

    def kill_worker(self) -> None:
        """Kill -9 the worker and all its children, and start another."""
        assert self._worker is not None
        os.killpg(self._worker.pid, signal.SIGKILL)
        self._worker.wait()
        self.start_worker()

    def flush_broker(self) -> None:
        """Forget every message."""
        self.broker.flushall()

    def crash_database(self) -> None:
        """Kill -9 a server process: PostgreSQL drops every connection and recovers from its log."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            connections.close_all()
            try:
                connection.ensure_connection()
            except OperationalError:
                time.sleep(0.2)
            else:
                return
        raise AssertionError("the database did not come back")

    def double_messages(self) -> None:
        """Put every waiting message into the queue a second time."""
        name = settings.CELERY_TASK_DEFAULT_QUEUE
        for message in self.broker.lrange(name, 0, -1):
            self.broker.lpush(name, message)

    def wait_until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait for something; say what the worker logged if it does not come."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if holds():
                return
            time.sleep(0.2)
        logs = "\n".join(path.read_text()[-3000:] for path in self._folder.glob("*.log"))
        raise AssertionError(f"not within {seconds} s; the processes logged:\n{logs}")

    def _start(self, command: list[str], name: str) -> subprocess.Popen[bytes]:
        database = connection.settings_dict
        address = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
        environ = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings_test",
            "DATABASE_URL": address,
            "BROKER_URL": settings.CELERY_BROKER_URL,
        }
        environ.pop("PYTEST_XDIST_WORKER", None)
        log = (self._folder / f"{name}-{len(self._processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environ, stdout=log, stderr=log, start_new_session=True
            )
        self._processes.append(process)
        return process
