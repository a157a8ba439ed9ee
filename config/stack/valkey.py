"""A Valkey of our own in the run folder, reachable from this machine with a password only."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sysconfig
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from config.stack import StackError
from config.stack.children import Program
from config.stack.folders import RunFolder, write_private
from config.stack.ports import LOOPBACK, free_port
from config.stack.supervisor import Supervisor
from config.stack.terminal import say, tail

PATIENCE = 30.0
TRIES = 3
PONG = b"+OK\r\n+PONG\r\n"
SERVERS = ("valkey-server", "redis-server")


def start_valkey(supervisor: Supervisor, folder: RunFolder, environ: Mapping[str, str]) -> str:
    """Start Valkey and answer with its address.

    Messages are only hints, so a folder that it cannot read any more is made anew.

    :raises StackError: when it cannot be found or started
    """
    server = find_server(environ)
    password = folder.secret("valkey.password", 24)
    for _ in range(TRIES):
        port = free_port()
        child = supervisor.start(_program(server, folder.path, password, port))
        try:
            supervisor.wait_until(partial(_answers, password, port), child, PATIENCE)
        except StackError:
            if child.ended() is None:
                raise
            supervisor.forget(child)
            if b"already in use" not in child.log.read_bytes():
                say("Valkey cannot read its old messages: starting without them")
                shutil.rmtree(folder.path / "valkey")
        else:
            return f"redis://:{password}@{LOOPBACK}:{port}/0"
    raise StackError(f"Valkey did not start. {tail(_log(folder.path))}")


def find_server(environ: Mapping[str, str], packages: Path | None = None) -> Path:
    """Find a Valkey or Redis server: in a wheel, then on PATH.

    :raises StackError: when there is none that runs
    """
    packages = packages or Path(sysconfig.get_path("purelib"))
    found = sorted(packages.glob("*/_binaries/*/valkey-server"))
    on_path = [shutil.which(name, path=environ.get("PATH")) for name in SERVERS]
    for server in [*found, *(Path(name) for name in on_path if name)]:
        if _runs(server):
            return server
    raise StackError(
        "No Valkey or Redis server was found that runs here. Either name one:"
        " BROKER_URL=redis://host:6379/0, or install one: apt install redis-server"
    )


def _program(server: Path, folder: Path, password: str, port: int) -> Program:
    home = folder / "valkey"
    home.mkdir(mode=0o700, exist_ok=True)
    settings = [
        f"bind {LOOPBACK}",
        f"port {port}",
        f'dir "{home}"',
        f"requirepass {password}",
        "appendonly yes",
        'save ""',
        "maxmemory-policy noeviction",
    ]
    write_private(folder / "valkey.conf", "\n".join([*settings, ""]))
    return Program(
        name="valkey",
        argv=[str(server), str(folder / "valkey.conf")],
        env={"PATH": os.environ.get("PATH", os.defpath)},
        cwd=home,
    )


def _log(folder: Path) -> Path:
    return folder / "valkey.log"


def _runs(server: Path) -> bool:
    try:
        subprocess.run([str(server), "--version"], capture_output=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _answers(password: str, port: int) -> bool:
    try:
        with socket.create_connection((LOOPBACK, port), timeout=2) as door:
            door.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            return door.makefile("rb").read(len(PONG)) == PONG
    except OSError:
        return False
