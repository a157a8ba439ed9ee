"""``make test``: checks, then all tests against a database and a broker of their own.

Tests find ``DATABASE_URL`` and ``BROKER_URL`` and the settings module in the environment. One that
starts a worker itself passes its environment on with ``DATABASE_URL`` pointing at the *test*
database (``connection.settings_dict["NAME"]``) and uses ``config.stack.demo.worker_command``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from config.stack.browser import provide_chromium
from config.stack.checks import run_checks
from config.stack.children import Program
from config.stack.services import ROOT, python, stack, start_services
from config.stack.supervisor import StopAsked, Supervisor
from config.stack.terminal import complain, say

NOTHING_COLLECTED = 5
INTERRUPTED = 130
PROCESSES = 2


def run_tests(environ: Mapping[str, str], arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run checks and tests, or with arguments only the tests that pytest then chooses.

    :returns: the worst status
    :raises StackError: when database, broker or a required browser is missing
    """
    with stack(root, "test") as (supervisor, folder):
        try:
            checked = 0 if arguments else run_checks(ROOT, environ)
            folder.empty()
            browser = provide_chromium(supervisor, environ)
            env = start_services(supervisor, folder, dict(environ) | browser, careless=True)
            env["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
            tested = _run_pytest(supervisor, env, arguments)
        except StopAsked:
            complain("interrupted")
            return INTERRUPTED
    return max(checked, tested)


def run_load(environ: Mapping[str, str], arguments: Sequence[str], root: Path = ROOT) -> int:
    """Measure pages in a database of its own, which is filled first, and kept for the next time.

    It is filled anew when it was filled with other arguments, by another version, or not to the
    end. A database that the environment names is filled each time.

    :raises StackError: when the database is missing
    """
    with stack(root, "load") as (supervisor, folder):
        try:
            note = folder.path / "filled"
            filling = (ROOT / "benchmarks" / "filling.py").read_bytes()
            wanted = f"{sha256(filling).hexdigest()} {' '.join(arguments)}\n"
            given = "DATABASE_URL" in environ
            if given or not note.exists() or note.read_text() != wanted:
                folder.empty()
            env = start_services(supervisor, folder, environ, careless=True)
            env["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
            if not note.exists():
                status = _load(supervisor, env, "fill", arguments)
                if status:
                    return status
                note.write_text(wanted)
            return _load(supervisor, env, "measure", arguments)
        except StopAsked:
            complain("interrupted")
            return INTERRUPTED


def _load(
    supervisor: Supervisor, env: Mapping[str, str], part: str, arguments: Sequence[str]
) -> int:
    argv = python("-m", "benchmarks.load", part, *arguments)
    return supervisor.run(Program("load", argv, env, ROOT, on_terminal=True))


def _run_pytest(supervisor: Supervisor, env: Mapping[str, str], arguments: Sequence[str]) -> int:
    """Most tests two at a time, then those in a browser, then those that need the machine alone."""
    two = ("-n", str(PROCESSES), "--dist", "worksteal")
    # Playwright keeps an event loop in the very thread in which the test talks to the database.
    looping = dict(env) | {"DJANGO_ALLOW_ASYNC_UNSAFE": "true"}
    parts = (
        ("two at a time", env, two, "not serial and not browser"),
        ("in browsers, two at a time", looping, two, "browser"),
        ("that need the machine alone: broken brokers, workers", env, (), "serial"),
    )
    found = []
    for told, environ, how, which in parts:
        say(f"tests {told}")
        found.append(_pytest(supervisor, environ, (*how, "-m", which, *arguments)))
    return max(
        (status for status in found if status != NOTHING_COLLECTED), default=NOTHING_COLLECTED
    )


def _pytest(supervisor: Supervisor, env: Mapping[str, str], arguments: Sequence[str]) -> int:
    argv = python("-m", "pytest", *arguments)
    # pytest answers to SIGINT with a report and to a second one by dropping it.
    stops = ((2, 20.0), (15, 5.0))
    return supervisor.run(Program("pytest", argv, env, ROOT, stops=stops, on_terminal=True))
