"""``make demo``: everything started, a tournament played, pages served until Ctrl-C."""

from __future__ import annotations

import http.client
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path

from config.stack.children import Child, Program
from config.stack.folders import RunFolder, write_private
from config.stack.ports import FIRST, LOOPBACK, listen
from config.stack.services import ROOT, python, stack, start_services, tell
from config.stack.supervisor import StopAsked, Supervisor
from config.stack.terminal import complain, say

WEB_PATIENCE = 60.0
SOFT_SHUTDOWN = 6.0


def run_demo(environ: Mapping[str, str], root: Path = ROOT) -> int:
    """Run the demo; 0 after a Ctrl-C, or after the standings with ``ONCE=1``.

    :raises StackError: when a part cannot start or dies too often
    """
    began = time.monotonic()
    with stack(root, "demo") as (supervisor, folder):
        try:
            with listen(environ.get("PORT")) as door:
                return _demo(supervisor, folder, environ, door, began)
        except StopAsked:
            say("\nstopping")
            return 0


def worker_command(processes: int) -> list[str]:
    """The command line of a Celery worker."""
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return python("-m", "celery", "-A", "config", "worker", "-c", str(processes), *quiet)


def beat_command() -> list[str]:
    """The command line of the clock that rings the sweepers."""
    return python("-m", "celery", "-A", "config", "beat", "--pidfile=")


def cores() -> int:
    """How many processors we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _demo(
    supervisor: Supervisor,
    folder: RunFolder,
    environ: Mapping[str, str],
    door: socket.socket,
    began: float,
) -> int:
    port: int = door.getsockname()[1]
    address = f"http://{LOOPBACK}:{port}"
    folder.announce(address)
    if not environ.get("PORT") and port != FIRST:
        say(f"port {FIRST} is taken by another program: using {port}")
    say(f"Meldboard demo in {folder.path}, its logs beside it")
    env = start_services(supervisor, folder, _settings(folder, environ))
    write_private(folder.path / "env", _exports(env))
    _prepare(supervisor, folder, env)
    web = _start_site(supervisor, env, door)
    play = python("manage.py", "demo", "--address", address)
    status = supervisor.run(Program("demo", play, env, ROOT, on_terminal=True))
    if status:
        complain(f"the example tournament failed with status {status}; logs: {folder.path}/*.log")
        return 1
    supervisor.wait_until(lambda: _is_healthy(port), web, WEB_PATIENCE)
    say(f"ready after {time.monotonic() - began:.1f} s")
    if environ.get("ONCE") == "1":
        return 0
    say(f"\n  {address}/    until Ctrl-C\n")
    supervisor.serve()
    return 0


def _settings(folder: RunFolder, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of the demo: only this machine may call, and bots may live on it."""
    defaults = {
        "SECRET_KEY": folder.secret("secret-key"),
        "ALLOWED_HOSTS": "127.0.0.1,localhost",
        "BOT_HOSTS": "127.0.0.1,localhost",
        "STATIC_ROOT": str(folder.path / "static"),
    }
    forced = {"DJANGO_SETTINGS_MODULE": "config.settings", "HTTPS": "0", "PYTHONUNBUFFERED": "1"}
    return defaults | dict(environ) | forced


def _exports(env: Mapping[str, str]) -> str:
    """Shell lines with which manage.py reaches the running demo: ``set -a; . .run/demo/env``."""
    names = ("DATABASE_URL", "BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS", "STATIC_ROOT")
    return "".join(f"{name}='{env[name]}'\n" for name in names)


def _prepare(supervisor: Supervisor, folder: RunFolder, env: Mapping[str, str]) -> None:
    began = time.monotonic()
    migrate = python("manage.py", "migrate", "--no-input")
    supervisor.run_or_fail(Program("migrate", migrate, env, ROOT))
    tell("tables", "migrated", began)
    began = time.monotonic()
    if _static_is_old(Path(env["STATIC_ROOT"])):
        collect = python("manage.py", "collectstatic", "--no-input")
        supervisor.run_or_fail(Program("collectstatic", collect, env, ROOT))
        tell("files", "static files collected", began)


def _static_is_old(target: Path) -> bool:
    """Whether a static file of ours, or the locked packages, changed after the last collection."""
    manifest = target / "staticfiles.json"
    if not manifest.exists():
        return True
    collected = manifest.stat().st_mtime
    sources = [ROOT / "requirements" / "dev.txt", *(ROOT / "static").rglob("*")]
    for app in ("games", "tournaments"):
        sources += (ROOT / app).glob("static/**/*")
    return any(path.stat().st_mtime > collected for path in sources)


def _start_site(supervisor: Supervisor, env: Mapping[str, str], door: socket.socket) -> Child:
    """Start web, worker and beat; nobody waits for them, they are ready when they are needed."""
    serve = python("-m", "config.stack.web", str(door.fileno()))
    web = supervisor.start(
        Program("web", serve, env, ROOT, stops=((15, 4.0),), pass_fds=(door.fileno(),))
    )
    processes = max(2, cores())
    # SIGQUIT is the stop that puts unfinished tasks back; the checks were run by migrate.
    remap = dict(env) | {"REMAP_SIGTERM": "SIGQUIT", "CELERY_SKIP_CHECKS": "1"}
    stops = ((15, SOFT_SHUTDOWN + 4.0),)
    supervisor.start(Program("worker", worker_command(processes), remap, ROOT, stops=stops))
    supervisor.start(Program("beat", beat_command(), remap, ROOT))
    say(f"  web, a worker of {processes} processes and beat are starting")
    return web


def _is_healthy(port: int) -> bool:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
