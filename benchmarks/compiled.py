"""The engine with its solver compiled, installed beside the project for one run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import ROOT

PIP = ("-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index")


def run_compiled(arguments: Sequence[str]) -> int:
    """Run ``python -m benchmarks`` with the compiled engine and return its status."""
    with tempfile.TemporaryDirectory() as folder:
        site = install(Path(folder))
        argv = [sys.executable, "-P", "-m", "benchmarks", *arguments]
        environ = os.environ | {"PYTHONPATH": f"{site}:{ROOT}"}
        return subprocess.run(argv, env=environ, check=False).returncode


def install(folder: Path) -> Path:
    """Compile and install a copy of the package; return the folder to import it from."""
    source, site = folder / "source", folder / "site"
    for name in ("engine", "requirements"):
        shutil.copytree(ROOT / name, source / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    argv = [sys.executable, "-P", *PIP, "--target", str(site), str(source)]
    subprocess.run(argv, env=os.environ | {"MELDBOARD_MYPYC": "1"}, check=True)
    if not list(site.glob("engine/solver/*.so")):
        raise SystemExit("the engine cannot be compiled here: there is no C compiler that works")
    return site
