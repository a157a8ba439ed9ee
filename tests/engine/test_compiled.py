"""The package as it is installed: pure Python, or the solver compiled from the same source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL_OF_GIN = "gin/test_deadwood.py"

ROOT = Path(__file__).parent.parent.parent
PIP = (sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "--quiet")


def installed(folder: Path, **settings: str) -> Path:
    """Install a copy of the package without a network; return the folder to import it from."""
    source = folder / "source"
    for name in ("engine", "requirements"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = (*PIP, "install", "--no-build-isolation", "--no-deps", "--no-index")
    ran = subprocess.run(
        (*command, "--target", str(folder / "site"), str(source)),
        env=os.environ | settings,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return folder / "site"


def python(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the installed package before the project's folder."""
    return subprocess.run(
        (sys.executable, "-P", *arguments),
        env=os.environ | {"PYTHONPATH": str(site)},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def unhurried(compiler: str, folder: Path) -> str:
    """Return a compiler that does not optimise, which would take longer than it gains here."""
    script = folder / "cc"
    script.write_text(f'#!/bin/sh\nexec {compiler} "$@" -O0\n')
    script.chmod(0o755)
    return str(script)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_compiled_solver_passes_the_tests_of_the_pure_one(tmp_path, request) -> None:
    long = request.config.getoption("--campaign")
    compiler = os.environ.get("CC", "cc")
    found = bool(shutil.which(compiler))
    if found and not long:
        compiler = unhurried(compiler, tmp_path)
    site = installed(tmp_path, MELDBOARD_MYPYC="1", CC=compiler)
    kind = "compiled solver" if found else "pure Python"
    assert python(site, "-m", "engine", "--version").stdout.endswith(f" ({kind})\n")
    where = python(site, "-c", "import engine.solver.search as s; print(s.__file__)").stdout
    assert where.startswith(str(site))

    tests = Path(__file__).parent
    files = [*sorted(tests.glob("test_solver*.py")), tests / KERNEL_OF_GIN]
    if not long:  # the oracle's answers and brute force judge it, as HiGHS judges the pure one
        files.remove(tests / "test_solver_highs.py")
    how = ["--campaign"] if long else []
    names = [str(path) for path in files]
    ran = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", *how, *names)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]


def test_without_a_compiler_the_same_build_stays_pure_python(tmp_path) -> None:
    site = installed(tmp_path, MELDBOARD_MYPYC="1", CC="false")
    assert python(site, "-m", "engine", "--version").stdout.endswith(" (pure Python)\n")


def test_a_setting_that_says_neither_yes_nor_no_is_refused(tmp_path) -> None:
    with pytest.raises(AssertionError, match=r"MELDBOARD_MYPYC is 1 .* not 'yes'"):
        installed(tmp_path, MELDBOARD_MYPYC="yes")
