"""Make or mend ``.venv`` from the lock files; runs on any Python 3, with nothing installed.

``python3 requirements/install.py`` is what every target of the Makefile does first. A second run
finds that nothing has changed and ends at once. With the word ``bench`` it installs the peers that
benchmarks measure as well; all else runs the same where they are there.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".meldboard"
UV = ROOT / "requirements" / "uv.txt"
# Each holds all packages of those before it, in the same versions.
SETS = {name: ROOT / "requirements" / f"{name}.txt" for name in ("dev", "bench")}
OLDEST = (3, 11)

# The project is imported from its folder, never built: a path file and a two-line script do what
# an editable install does, and need no build tool.
COMMAND = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/python" -P -m engine "$@"
"""


class InstallError(Exception):
    """The environment cannot be made; the message says what would be right."""


def check_python(version, has_ensurepip):
    """Refuse a Python that is too old or that cannot make environments.

    :raises InstallError: with the name of what is missing
    """
    if version < OLDEST:
        raise InstallError(
            f"Meldboard needs Python 3.11 or newer, and {sys.executable} is"
            f" {version[0]}.{version[1]}. Name a newer one: make PYTHON=python3.11 ..."
        )
    if not has_ensurepip:
        raise InstallError(
            f"{sys.executable} has no venv module with pip (Debian and Ubuntu keep it apart):"
            f" apt install python{version[0]}.{version[1]}-venv"
        )


def can_make_environments():
    """Whether this Python has what ``python -m venv`` needs."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return False
    return True


def fingerprint(version, packages):
    """A text that changes when a set's lock file or the Python version change."""
    digest = hashlib.sha256(repr(version).encode())
    for lock in (UV, SETS[packages]):
        digest.update(lock.read_bytes())
    return digest.hexdigest()


def is_ready(packages):
    """Whether ``.venv`` runs and holds what the lock file of a set says, or a larger set."""
    version = venv_version()
    names = list(SETS)
    enough = names[names.index(packages) :]
    return (
        version is not None
        and STAMP.is_file()
        and STAMP.read_text() in [fingerprint(version, name) for name in enough]
        and path_file(version).is_file()
        and path_file(version).read_text() == f"{ROOT}\n"
    )


def venv_version():
    """The Python version in ``.venv``, or None where there is none that runs."""
    try:
        answer = subprocess.run(
            [str(PYTHON), "-I", "-S", "-c", "import sys; print(*sys.version_info[:2])"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    major, minor = answer.split()
    return int(major), int(minor)


def path_file(version):
    """The file that makes the project importable in the environment."""
    return VENV / "lib" / f"python{version[0]}.{version[1]}" / "site-packages" / "meldboard.pth"


def check_owner():
    """Refuse to change an environment that another user made.

    :raises InstallError: naming the user and the two ways out
    """
    if not VENV.exists() and not VENV.is_symlink():
        if not os.access(ROOT, os.W_OK):
            raise InstallError(
                f"{user_name(os.geteuid())} may not write in {ROOT}, so no .venv can be made"
                " there: clone into a folder of your own."
            )
        return
    owner = VENV.lstat().st_uid
    if owner != os.geteuid():
        raise InstallError(
            f"{VENV} was made by {user_name(owner)} and you are {user_name(os.geteuid())}:"
            f" remove it (rm -r .venv) or run make as {user_name(owner)}."
        )


def user_name(uid):
    """The name of a user, or the number where there is no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def run(*command, **settings):
    """Run one step; its output is shown only when it fails.

    :raises InstallError: with the last lines of the output
    """
    done = subprocess.run(
        [str(word) for word in command],
        cwd=str(ROOT),
        env=dict(os.environ, **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        tail = "\n".join(done.stdout.decode(errors="replace").splitlines()[-15:])
        raise InstallError(f"{' '.join(str(word) for word in command)} failed:\n{tail}")


def make_venv():
    """Make an empty environment, in place of one that does not run or is too old."""
    version = venv_version()
    if version is not None and version >= OLDEST:
        return
    if VENV.exists() or VENV.is_symlink():
        reason = "does not run" if version is None else f"has Python {version[0]}.{version[1]}"
        say(f"{VENV} {reason}: making it anew")
        if VENV.is_symlink():
            VENV.unlink()
        else:
            shutil.rmtree(str(VENV))
    run(sys.executable, "-m", "venv", VENV)


def install_packages(packages):
    """Install exactly the locked packages of a set: by uv, or by pip where uv cannot."""
    lock = SETS[packages]
    pip = (PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--require-hashes")
    try:
        run(*pip, "-r", UV)
        run(
            *(PYTHON, "-m", "uv", "pip", "sync", "--python", PYTHON, "--require-hashes", lock),
            UV_SYSTEM_CERTS="1",
        )
    except InstallError as error:
        say(f"{error}\nfalling back to pip, which takes about a minute")
        run(*pip, "--no-compile", "-r", lock)


def install(packages):
    """Bring ``.venv`` up to the lock file of a set.

    :raises InstallError: when that is impossible
    """
    check_owner()
    check_python(sys.version_info[:2], can_make_environments())
    say("installing the locked packages into .venv")
    STAMP.unlink() if STAMP.exists() else None
    make_venv()
    install_packages(packages)
    version = venv_version()
    if version is None:
        raise InstallError(f"{PYTHON} does not run: remove {VENV} (rm -r .venv) and try again.")
    path_file(version).write_text(f"{ROOT}\n")
    script = VENV / "bin" / "meldboard"
    script.write_text(COMMAND)
    script.chmod(0o755)
    STAMP.write_text(fingerprint(version, packages))


def say(text):
    """Tell the person at the terminal."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - the only output there is


def main(packages="dev"):
    """Install a set unless all is there; one run at a time."""
    if is_ready(packages):
        return 0
    with open(__file__) as turn:  # the lock is on this very file: it is always there
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("waiting for another make, which installs packages")
            fcntl.flock(turn, fcntl.LOCK_EX)
        if is_ready(packages):
            return 0
        try:
            install(packages)
        except InstallError as error:
            say(f"meldboard: {error}")
            return 1
        except OSError as error:
            say(f"meldboard: cannot make {VENV}: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
