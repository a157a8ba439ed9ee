"""The folder of one stack: who may use it, who uses it now, what it remembers."""

from __future__ import annotations

import fcntl
import os
import pwd
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from config.stack import StackError
from config.stack.terminal import say


@dataclass
class RunFolder:
    """``.run/demo`` or ``.run/test``, held by this process until it ends."""

    path: Path
    lock: int
    """A file whose lock goes away with us, however we end."""

    def announce(self, address: str) -> None:
        """Leave word where we can be reached, for whoever tries to start a second one."""
        os.ftruncate(self.lock, 0)
        os.pwrite(self.lock, f"process {os.getpid()} {address}".strip().encode(), 0)

    def secret(self, name: str, length: int = 50) -> str:
        """A random text that is made once and kept."""
        file = self.path / name
        if not file.exists():
            write_private(file, secrets.token_urlsafe(length))
        return file.read_text()

    def empty(self) -> None:
        """Remove everything in it, also what lies outside because of its rights."""
        remove_outside(self.path)
        for entry in self.path.iterdir():
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()


@contextmanager
def hold(root: Path, name: str) -> Iterator[RunFolder]:
    """Make or take ``.run/<name>`` under ``root`` for as long as the block runs.

    :raises StackError: when another process holds it, or the rights are wrong
    """
    base = _base(root)
    lock = _lock(base / f"{name}.lock", name)
    try:
        folder = RunFolder(_private_folder(base / name), lock)
        folder.announce("")
        yield folder
    finally:
        os.close(lock)


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    file.unlink(missing_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
        output.write(text)


def outside(folder: Path) -> Path | None:
    """The folder under ``/var/tmp`` that belongs to this one, if it has one that can be trusted."""
    note = folder / "outside"
    if not note.is_file():
        return None
    place = Path(note.read_text())
    try:
        state = place.lstat()
    except OSError:
        return None
    return place if state.st_uid == os.geteuid() and state.st_mode & 0o170022 == 0o040000 else None


def remove_outside(folder: Path) -> None:
    """Remove the folder under ``/var/tmp`` that belongs to this one."""
    place = outside(folder)
    if place is not None:
        shutil.rmtree(place)
    (folder / "outside").unlink(missing_ok=True)


def user_name(uid: int) -> str:
    """A user's name, or the number of one without a name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def _base(root: Path) -> Path:
    base = root / ".run"
    try:
        if not base.exists():
            base.mkdir(mode=0o755)
            if os.geteuid() == 0:  # so that the owner of the clone can move what root leaves here
                os.chown(base, root.stat().st_uid, root.stat().st_gid)
        if not os.access(base, os.W_OK):
            raise PermissionError(f"it belongs to {user_name(base.stat().st_uid)}")
    except OSError as error:
        raise StackError(
            f"{base} cannot be used by {user_name(os.geteuid())}: {error}."
            f" Remove it (rm -r {base}), or clone into a folder of your own."
        ) from error
    return base


def _lock(file: Path, name: str) -> int:
    """Open and lock a file; it may belong to another user, whose lock then is a dead one's."""
    while True:
        mine = not file.exists() or os.access(file, os.W_OK)
        flags = os.O_RDWR | os.O_CREAT if mine else os.O_RDONLY
        lock = os.open(file, flags, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 200, 0).decode()
            os.close(lock)
            raise StackError(
                f"make {name} already runs here: {holder}."
                " Use that one, or stop it (Ctrl-C there) and try again."
            ) from None
        if mine and _is_same(file, lock):
            return lock
        os.close(lock)
        if not mine:
            file.unlink(missing_ok=True)


def _is_same(file: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(file.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _private_folder(path: Path) -> Path:
    if os.path.lexists(path):
        owner = path.lstat().st_uid
        if owner != os.geteuid() or path.is_symlink() or not path.is_dir():
            _move_aside(path, user_name(owner))
    path.mkdir(mode=0o700, exist_ok=True)
    path.chmod(0o700)
    return path


def _move_aside(path: Path, owner: str) -> None:
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.of-{owner}-{number}")):
        number += 1
    path.rename(aside)
    say(f"{path} was made by {owner}: it is now {aside}, and a new one is made")
