"""Renew the lock files from the ``.in`` files: ``make lock``.

``base.txt`` is what production runs, ``dev.txt`` is that and all else, ``bench.txt`` is that and
the peers that benchmarks measure; all with the same versions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FORM = ("--universal", "--python-version=3.11", "--generate-hashes", "--no-header")
# No host, index or path may stand in a lock file: it would differ from machine to machine.
PLAIN = ("--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--upgrade", "--quiet")


def lock(name: str, *more: str) -> None:
    """Write ``<name>.txt`` from ``<name>.in``."""
    python = HERE.parent / ".venv" / "bin" / "python"
    uv = ("-m", "uv", "pip", "compile")
    words = (*uv, *FORM, *PLAIN, *more, f"{name}.in", "-o", f"{name}.txt")
    env = dict(os.environ) | {"UV_SYSTEM_CERTS": "1"}
    subprocess.run([str(python), *words], cwd=HERE, env=env, check=True)


def main() -> int:
    """Lock everything."""
    lock("uv")
    lock("base")
    lock("dev", "--constraint", "base.txt")
    lock("bench", "--constraint", "dev.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
