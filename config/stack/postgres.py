"""A PostgreSQL of our own in the run folder, reachable from this machine with a password only."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import psycopg

from config.stack import StackError
from config.stack.children import Child, Program
from config.stack.folders import RunFolder, write_private
from config.stack.ladder import Place, choose_place, find_programs, program_version
from config.stack.ports import LOOPBACK, free_port
from config.stack.supervisor import Supervisor
from config.stack.terminal import say, tail

NAME = "meldboard"
PATIENCE = 60.0
PORT_TRIES = 3
# Tests lose nothing that they cannot make again.
# A vacuum after tests were rolled back counts no rows where the next ones have thousands, and plans
# made for an empty table take minutes.
CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


def start_postgres(
    supervisor: Supervisor, folder: RunFolder, environ: Mapping[str, str], *, careless: bool = False
) -> str:
    """Start PostgreSQL, the first time with a fresh data folder, and answer with its address.

    :raises StackError: when it cannot be found, made or started
    """
    place = choose_place(find_programs(environ), folder.path)
    password = folder.secret("postgres.password", 24)
    data = _data_folder(place, password, careless=careless)
    for _ in range(PORT_TRIES):
        address = f"postgres://{NAME}:{password}@{LOOPBACK}:{free_port()}"
        child = supervisor.start(_program(place, data, address, careless=careless))
        try:
            supervisor.wait_until(partial(_answers, address), child, PATIENCE)
        except StackError:
            if not _lost_its_port(child):
                raise
            supervisor.forget(child)
        else:
            _make_database(address)
            return f"{address}/{NAME}"
    raise StackError(f"PostgreSQL found no free port {PORT_TRIES} times. {tail(child.log)}")


def _program(place: Place, data: Path, address: str, *, careless: bool) -> Program:
    options = [f"port={address.rpartition(':')[2]}", f"listen_addresses={LOOPBACK}"]
    options += ["unix_socket_directories=", *(CARELESS if careless else ())]
    flags = [word for option in options for word in ("-c", option)]
    return Program(
        name="postgres",
        argv=place.command("postgres", "-D", str(data), *flags),
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
        cwd=Path("/"),
        # SIGINT: its fast and clean stop; SIGQUIT: at once, mended at the next start.
        stops=((signal.SIGINT, 15.0), (signal.SIGQUIT, 5.0)),
        death_signal=signal.SIGINT,
        user=place.user,
        group=place.group,
    )


def _data_folder(place: Place, password: str, *, careless: bool) -> Path:
    """Take the data folder, or make it; one that was left half made never gets its name.

    :raises StackError: when it is another version's, or cannot be made
    """
    data = place.home / "data"
    if data.exists() and place.user is None and data.stat().st_uid != os.geteuid():
        say(f"{data} has the wrong owner: making it anew")
        shutil.rmtree(data)
    if data.exists():
        _check_version(place, data)
        place.own(data)
        (data / "postmaster.pid").unlink(missing_ok=True)  # whoever wrote it was stopped before
        return data
    part = place.home / "data.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    secret = place.home / "password.part"
    write_private(secret, password)
    place.own(part)
    place.own(secret)
    try:
        _initdb(place, part, f"--pwfile={secret}", *(["--no-sync"] if careless else []))
    finally:
        secret.unlink()
    part.rename(data)
    return data


def _initdb(place: Place, part: Path, *options: str) -> None:
    form = ("--username", NAME, "--encoding=UTF8", "--locale=C", "--no-instructions")
    access = "--auth=scram-sha-256"
    argv = place.command("initdb", "-D", str(part), *form, access, *options)
    done = place.run(argv)
    if done.returncode:
        raise StackError(f"PostgreSQL's initdb failed in {part}:\n{done.stdout.strip()}")


def _check_version(place: Place, data: Path) -> None:
    made_by = (data / "PG_VERSION").read_text().strip()
    ours = program_version(place.programs / "postgres")
    if made_by != str(ours):
        raise StackError(
            f"{data} was made by PostgreSQL {made_by}, and {place.programs} is version {ours}."
            " Name the programs of the old version as PG_BINDIR, or forget the data: make clean"
        )


def _answers(address: str) -> bool:
    try:
        psycopg.connect(f"{address}/postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _lost_its_port(child: Child) -> bool:
    return child.ended() is not None and b"could not bind" in child.log.read_bytes()


def _make_database(address: str) -> None:
    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        found = server.execute("SELECT FROM pg_database WHERE datname = %s", [NAME]).fetchone()
        if found is None:
            server.execute(f"CREATE DATABASE {NAME}")
