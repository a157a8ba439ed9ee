"""Where and with what a run was made."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.peers import versions
from engine import is_compiled

ROOT = Path(__file__).parent.parent


def surroundings() -> dict[str, Any]:
    """Return what a result says of its machine, its packages and the commit."""
    return {
        "at": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "engine": "compiled" if is_compiled() else "pure",
        "machine": {
            "cpu": cpu(),
            "cores": os.cpu_count(),
            "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
            "kernel": f"{platform.system()} {platform.release()}",
            "load": round(os.getloadavg()[0], 1),
        },
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": versions(),
    }


def commit() -> str:
    """Return the commit, with a ``+`` if what is measured differs; ``unknown`` outside git."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD").strip()
        changed = _git("status", "--porcelain", "--", "engine", "benchmarks/*.py", "requirements")
        return f"{head}+" if changed else head
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def cpu() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
