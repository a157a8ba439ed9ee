"""What the code must satisfy before any test runs: ``make check`` and ``make test`` run it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from config.stack.terminal import complain, say

LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"

CHECKS: Mapping[str, Sequence[str]] = {
    "types": ("-m", "mypy"),  # takes longest, so it comes first
    "lint": ("-m", "ruff", "check", "."),
    "format": ("-m", "ruff", "format", "--check", "."),
    "imports": ("-c", LINT_IMPORTS),
    "templates": ("-m", "djlint", "--lint", "--quiet", "templates", "config/templates"),
    "migrations": ("manage.py", "makemigrations", "--check", "--dry-run"),
    "deployment": ("manage.py", "check", "--deploy", "--fail-level", "WARNING"),
}

# Nothing listens on port 1: these checks read the code, never a database.
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "x7Rk2-only-for-the-checks-0123456789-abcdefghijklmnop",
    "DATABASE_URL": "postgres://meldboard@127.0.0.1:1/meldboard",
    "BROKER_URL": "redis://127.0.0.1:1/0",
    "ALLOWED_HOSTS": "meldboard.test",
    "HTTPS": "1",
    "DEBUG": "0",
}


def run_checks(root: Path, environ: Mapping[str, str]) -> int:
    """Run all checks, two at a time, show the output of those that fail; 0 when none does."""
    with ThreadPoolExecutor(2) as pool:
        passed = [*pool.map(lambda name: _run(name, root, environ), CHECKS)]
    failed = [name for name, ok in zip(CHECKS, passed, strict=True) if not ok]
    if failed:
        complain(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _run(name: str, root: Path, environ: Mapping[str, str]) -> bool:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, *CHECKS[name]],
        cwd=root,
        env=dict(environ) | PRODUCTION,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    took = time.monotonic() - began
    say(f"{'ok    ' if done.returncode == 0 else 'FAILED'} {name:<11} {took:5.1f} s")
    if done.returncode:
        complain(done.stdout)
    return done.returncode == 0
