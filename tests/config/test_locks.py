"""The lock files: hashes everywhere, nothing of the machine that made them, one version each."""

from __future__ import annotations

import re

import pytest

from config.settings import ROOT

LOCKS = ("base", "dev", "bench", "uv")


@pytest.mark.parametrize("name", LOCKS)
def test_nothing_of_the_machine_stands_in_a_lock_file(name):
    for line in _text(name).splitlines():
        assert not re.search(r"http|--index|--extra|--find-links|file:|#|@ ", line), line


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_with_hashes(name):
    lines = _text(name).splitlines()
    pins = [number for number, line in enumerate(lines) if "==" in line]
    assert pins
    for number in pins:
        assert lines[number].endswith("\\")
        assert lines[number + 1].lstrip().startswith("--hash=sha256:")
    others = {line.split("=")[0] for line in lines if "==" not in line}
    assert others == {"    --hash"}


def test_production_development_and_benchmarks_run_the_same_versions():
    assert _pins("base") <= _pins("dev") <= _pins("bench")


@pytest.mark.parametrize("name", ["base", "dev", "bench"])
def test_every_wanted_package_is_locked(name):
    locked = {pin.split("==")[0] for pin in _pins(name)}
    assert _wanted(name) <= locked


def test_production_has_no_servers_and_no_test_tools():
    locked = {pin.split("==")[0] for pin in _pins("base")}
    assert not locked & (_wanted("embedded") | _wanted("test"))


def test_neither_production_nor_the_tests_need_a_peer():
    """But for HiGHS, against which the tests hold the solver, too."""
    peers = {"open-spiel", "rlcard", "rummikub-solver", "cvxpy-base", "scipy"}
    assert not {pin.split("==")[0] for pin in _pins("dev")} & peers
    assert "highspy" not in {pin.split("==")[0] for pin in _pins("base")}


def _text(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text()


def _pins(name: str) -> set[str]:
    return {line.split("\\")[0].strip() for line in _text(name).splitlines() if "==" in line}


def _wanted(name: str) -> set[str]:
    wanted = set()
    for line in (ROOT / "requirements" / f"{name}.in").read_text().splitlines():
        if line.startswith("-r "):
            wanted |= _wanted(line.split()[1].removesuffix(".in"))
        else:
            wanted.add(re.split(r"[\[<>=]", line)[0])
    return wanted
