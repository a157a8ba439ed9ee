"""Which PostgreSQL to run, from where and as whom: it refuses root, and root's homes are private.

The rungs for root: as ``postgres`` or ``nobody`` where everything lies; the same with a copy under
``/var/tmp``, where these users can read; in a user namespace; else one message.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from config.stack import StackError
from config.stack.folders import outside, remove_outside

OLDEST = 15
ACCOUNTS = ("postgres", "nobody")
NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534")
ADVICE = (
    "Either name a server: DATABASE_URL=postgres://user:password@host:5432/name,"
    " or install one: apt install postgresql"
)


@dataclass(frozen=True)
class Place:
    """Where PostgreSQL's programs and data lie, and as whom it runs."""

    programs: Path
    home: Path
    """The folder that holds the data folder."""
    user: int | None = None
    group: int | None = None
    wrapper: tuple[str, ...] = ()

    def command(self, program: str, *arguments: str) -> list[str]:
        """The command line of one of PostgreSQL's programs."""
        return [*self.wrapper, str(self.programs / program), *arguments]

    def run(self, argv: list[str]) -> subprocess.CompletedProcess[str]:
        """Run a short command as whom the server runs."""
        return subprocess.run(
            argv,
            cwd="/",
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
            user=self.user,
            group=self.group,
            extra_groups=None if self.user is None else [],
        )

    def can_become(self) -> bool:
        """Whether we may run anything as this user."""
        try:
            return self.run(["true"]).returncode == 0
        except (OSError, subprocess.SubprocessError):
            return False

    def own(self, path: Path) -> None:
        """Give a file or a folder with all that is in it to whom the server runs as."""
        if self.user is None:
            return
        for found in [path, *path.rglob("*")]:
            if found.lstat().st_uid != self.user:
                os.chown(found, self.user, self.group or -1, follow_symlinks=False)

    def works(self) -> bool:
        """Whether the programs run and the home can be entered, tried in earnest."""
        script = '"$1" --version && cd "$2"'
        argv = [*self.wrapper, "sh", "-c", script, "sh", str(self.programs / "postgres")]
        try:
            return self.run([*argv, str(self.home)]).returncode == 0
        except (OSError, subprocess.SubprocessError):
            return False


def find_programs(environ: Mapping[str, str], packages: Path | None = None) -> Path:
    """Find PostgreSQL's programs: PG_BINDIR, a wheel, Debian's server, PATH.

    :raises StackError: when there are none that run, saying what was looked at
    """
    refused = []
    for folder in _candidates(environ, packages or Path(sysconfig.get_path("purelib"))):
        version = program_version(folder / "postgres")
        if version >= OLDEST:
            return folder
        refused.append(f"{folder} ({f'version {version}' if version else 'does not run'})")
        if environ.get("PG_BINDIR"):
            break
    looked_at = f" Looked at: {', '.join(refused)}." if refused else ""
    raise StackError(f"No PostgreSQL of version {OLDEST} or newer was found.{looked_at} {ADVICE}")


def program_version(program: Path) -> int:
    """The major version that a program prints, or 0 when it does not run."""
    try:
        done = subprocess.run(
            [str(program), "--version"], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    found = re.search(r"\b(\d+)(\.|devel|beta|rc|\b)", done.stdout)
    return int(found[1]) if found else 0


def choose_place(programs: Path, folder: Path) -> Place:
    """Climb the ladder: the first rung whose place works.

    :raises StackError: when there is none, which can happen to root only
    """
    rungs = _root_rungs(programs, folder) if _is_root() else [Place(programs, folder)]
    for place in rungs:
        if place.works():
            return place
    raise StackError(
        f"PostgreSQL does not run as root, and {programs / 'postgres'} could be run neither as"
        f" {' nor '.join(ACCOUNTS)} nor in a user namespace. {ADVICE}, or run make as another user."
    )


def _is_root() -> bool:
    return os.geteuid() == 0


def _candidates(environ: Mapping[str, str], packages: Path) -> Iterator[Path]:
    given = environ.get("PG_BINDIR")
    if given:
        yield Path(given)
        return
    yield from (program.parent for program in sorted(packages.glob("*/pginstall/bin/postgres")))
    installed = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    yield from (p.parent for p in sorted(installed, key=program_version, reverse=True))
    on_path = shutil.which("postgres", path=environ.get("PATH"))
    if on_path:
        yield Path(on_path).resolve().parent


def _root_rungs(programs: Path, folder: Path) -> Iterator[Place]:
    for name in ACCOUNTS:
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            continue
        if not Place(Path("/"), Path("/"), account.pw_uid, account.pw_gid).can_become():
            continue
        yield from _dropped(programs, folder, account)
    if shutil.which(NAMESPACE[0]):
        yield Place(programs, folder, wrapper=NAMESPACE)


def _dropped(programs: Path, folder: Path, account: pwd.struct_passwd) -> Iterator[Place]:
    user, group = account.pw_uid, account.pw_gid
    if outside(folder) is None:
        os.chown(folder, 0, group)
        folder.chmod(0o710)  # the group may pass through to its data, nobody else may
        yield Place(programs, folder, user, group)
        folder.chmod(0o700)
    for base in dict.fromkeys(("/var/tmp", tempfile.gettempdir())):  # noqa: S108 - by mkdtemp
        if os.path.isdir(base):
            yield Place(*_copied(programs, folder, base), user, group)
            remove_outside(folder)


def _copied(programs: Path, folder: Path, base: str) -> tuple[Path, Path]:
    """Copy a wheel's programs and their libraries to where everybody can read."""
    home = outside(folder)
    if home is None:
        home = Path(tempfile.mkdtemp(prefix="meldboard-", dir=base))
        home.chmod(0o755)
        (folder / "outside").write_text(str(home))
    package = programs.parent.parent
    if programs.parent.name != "pginstall":
        return programs, home
    copy = home / package.name / "pginstall" / "bin"
    if not _is_same_program(copy / "postgres", programs / "postgres"):
        for source in (package, package.with_name(f"{package.name}.libs")):
            shutil.rmtree(home / source.name, ignore_errors=True)
            if source.is_dir():
                shutil.copytree(source, home / source.name, symlinks=True)
                _open_for_reading(home / source.name)
    return copy, home


def _is_same_program(one: Path, other: Path) -> bool:
    try:
        first, second = one.stat(), other.stat()
    except OSError:
        return False
    return (first.st_size, first.st_mtime_ns) == (second.st_size, second.st_mtime_ns)


def _open_for_reading(copy: Path) -> None:
    """A umask of 077 at installation must not close the copy as well."""
    for found in [copy, *copy.rglob("*")]:
        if not found.is_symlink():
            mode = found.stat().st_mode
            found.chmod(mode | (0o555 if mode & 0o100 else 0o444))
