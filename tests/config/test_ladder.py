"""Which PostgreSQL is run and as whom, with programs that only pretend."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from config.stack import StackError, folders, ladder

ME = pwd.getpwuid(os.geteuid())


def fake(folder: Path, version: str = "18.6", script: str | None = None) -> Path:
    folder.mkdir(parents=True)
    program = folder / "postgres"
    program.write_text(script or f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
    program.chmod(0o755)
    return folder


@pytest.fixture
def wheel(tmp_path) -> Path:
    (tmp_path / "site" / "some_postgres.libs").mkdir(parents=True)
    return fake(tmp_path / "site" / "some_postgres" / "pginstall" / "bin")


@pytest.fixture
def home(tmp_path) -> Path:
    (tmp_path / "run").mkdir(mode=0o700)
    return tmp_path / "run"


@pytest.fixture
def as_root(monkeypatch):
    """Let the ladder think that we are root, whose only account to drop to is our own."""
    monkeypatch.setattr(ladder, "_is_root", lambda: True)
    monkeypatch.setattr(ladder.pwd, "getpwnam", lambda name: ME)
    monkeypatch.setattr(os, "chown", lambda *args, **kwargs: None)


def works_for(monkeypatch, test):
    monkeypatch.setattr(ladder.Place, "works", test)
    monkeypatch.setattr(ladder.Place, "can_become", lambda place: True)


def test_a_named_folder_comes_first_and_nothing_else_is_tried(tmp_path, wheel):
    named = fake(tmp_path / "named")
    assert ladder.find_programs({"PG_BINDIR": str(named)}, tmp_path / "site") == named
    with pytest.raises(StackError, match=r"Looked at: .*missing \(does not run\)"):
        ladder.find_programs({"PG_BINDIR": str(tmp_path / "missing")}, tmp_path / "site")


def test_a_wheel_comes_before_the_systems_server(tmp_path, wheel):
    assert ladder.find_programs({"PATH": os.environ["PATH"]}, tmp_path / "site") == wheel


def test_an_old_server_is_passed_over_and_named(tmp_path, monkeypatch):
    old = fake(tmp_path / "old", "14.9")
    monkeypatch.setattr(ladder, "_candidates", lambda *_: iter([old]))
    with pytest.raises(StackError) as caught:
        ladder.find_programs({}, tmp_path)
    assert "version 15 or newer" in str(caught.value)
    assert f"{old} (version 14)" in str(caught.value)
    assert "DATABASE_URL" in str(caught.value) and "apt install" in str(caught.value)


def test_a_normal_user_runs_it_where_it_is(wheel, home, monkeypatch):
    monkeypatch.setattr(ladder, "_is_root", lambda: False)
    assert ladder.choose_place(wheel, home) == ladder.Place(wheel, home)


def test_root_drops_to_another_user_where_everything_lies(wheel, home, as_root, monkeypatch):
    works_for(monkeypatch, lambda place: place.user is not None)
    place = ladder.choose_place(wheel, home)
    assert (place.programs, place.home, place.user) == (wheel, home, ME.pw_uid)
    assert home.stat().st_mode & 0o777 == 0o710


def test_root_copies_what_that_user_cannot_read(wheel, home, as_root, monkeypatch):
    wheel.joinpath("postgres").chmod(0o700)
    works_for(monkeypatch, lambda place: place.home != home and place.user is not None)
    place = ladder.choose_place(wheel, home)
    try:
        assert place.programs == place.home / "some_postgres" / "pginstall" / "bin"
        assert (place.home / "some_postgres.libs").is_dir()
        assert (place.programs / "postgres").stat().st_mode & 0o777 == 0o755
        assert place.home.stat().st_mode & 0o777 == 0o755
        assert home.stat().st_mode & 0o777 == 0o700
        assert ladder.choose_place(wheel, home) == place  # the second start finds it again
    finally:
        folders.remove_outside(home)
    assert not place.home.exists()


def test_root_that_cannot_drop_uses_a_user_namespace(wheel, home, as_root, monkeypatch):
    monkeypatch.setattr(ladder.shutil, "which", lambda name: f"/usr/bin/{name}")
    works_for(monkeypatch, lambda place: bool(place.wrapper))
    monkeypatch.setattr(ladder.Place, "can_become", lambda place: False)
    place = ladder.choose_place(wheel, home)
    assert place.command("postgres", "-V")[0] == "unshare"
    assert (place.home, place.user) == (home, None)


def test_root_without_any_rung_is_told_the_ways_out(wheel, home, as_root, monkeypatch):
    works_for(monkeypatch, lambda place: False)
    with pytest.raises(StackError, match=r"does not run as root.*DATABASE_URL=.*apt install"):
        ladder.choose_place(wheel, home)
    assert not (home / "outside").exists()


def test_a_place_is_probed_by_running_it(wheel, home):
    assert ladder.Place(wheel, home).works()
    assert not ladder.Place(wheel, home / "missing").works()
    assert not ladder.Place(home, home).works()
