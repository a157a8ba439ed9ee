"""``make clean``: forget what the stacks have made."""

from __future__ import annotations

import shutil
from pathlib import Path

from config.stack import StackError
from config.stack.children import stop_leftovers
from config.stack.folders import hold, remove_outside


def clean(root: Path) -> int:
    """Remove ``.run`` and what belongs to it elsewhere.

    :raises StackError: when a stack runs, or something there is another user's
    """
    base = root / ".run"
    with hold(root, "demo") as demo, hold(root, "test") as test:
        for folder in (demo, test):
            stop_leftovers(folder.path)
        foreign = [entry for entry in sorted(base.iterdir()) if not _is_removed(entry)]
        if foreign:
            names = " ".join(str(entry) for entry in foreign)
            raise StackError(f"all is removed but what belongs to other users: sudo rm -r {names}")
        base.rmdir()
    return 0


def _is_removed(entry: Path) -> bool:
    try:
        if not entry.is_dir() or entry.is_symlink():
            entry.unlink()
        else:
            remove_outside(entry)
            shutil.rmtree(entry)
    except PermissionError:
        return False
    return True
