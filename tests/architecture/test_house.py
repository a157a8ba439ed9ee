"""The house is as drawn: sizes, forbidden imports, words that do not belong, pinned rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCES = ("config", "engine", "games", "tournaments")
MODULES = [
    path
    for folder in (*SOURCES, "benchmarks", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "migrations" not in path.parts
]


RULES_SHA = "41ffad8eb15f6764e81cbebf65e97d1b079c27a168e90e78d86d089383221daf"
EXAMPLES_SHA = "27f47a65753d5952b5c1d908b70ebb868d040fdb7a91fe1f68e7e1e9168782c6"
ORACLE_SHA = "8582681892baf6f8bc6e0c49aaff2215f0ee4340c600672341c6dbd00490bb60"


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_module_is_over_500_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 500


ENGINE = [p for p in MODULES if p.is_relative_to(ROOT / "engine") and "cli" not in p.parts]


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_engine_knows_no_clock_and_no_global_random(path: Path) -> None:
    """FP-3; uuid5 of a seed in engine/play.py is no source of chance."""
    found = {name.split(".")[0] for name in imports(path)}
    forbidden = {"random", "time", "datetime", "secrets", "os", "socket", "asyncio", "threading"}
    assert not found & forbidden
    assert "uuid" not in found or path.name == "play.py"


def test_nothing_outside_the_engine_asks_which_game_kind_it_is() -> None:
    """No ``if variant == …`` outside the engine's registry."""
    pattern = re.compile(
        r"""(variant|kind|key)\s*(==|!=|in)\s*\(?["'](manipulation|gin|holly|okla)"""
    )
    for path in MODULES:
        if path.is_relative_to(ROOT / "engine") or path.is_relative_to(ROOT / "tests"):
            continue
        assert not pattern.search(path.read_text()), path


def test_celery_is_only_a_doorbell() -> None:
    """No ETA, countdown, chord, group, chain or result backend (CQ-2)."""
    words = re.compile(r"\b(countdown|eta)=|celery import .*\b(group|chord|chain|result)\b")
    for path in MODULES:
        if any(path.is_relative_to(ROOT / folder) for folder in SOURCES):
            assert not words.search(path.read_text()), path


def test_services_never_import_tasks() -> None:
    for folder in ("games/services", "tournaments/services"):
        for path in (ROOT / folder).glob("*.py"):
            assert not {name for name in imports(path) if name.endswith("tasks")}, path


def test_rules_and_data_are_the_shared_ones() -> None:
    """Copied in unchanged: whoever edits them must mean it."""
    from hashlib import sha256

    expected = {
        "docs/RULES.md": RULES_SHA,
        "tests/data/rule-examples.json": EXAMPLES_SHA,
        "tests/data/solver-oracle.jsonl": ORACLE_SHA,
    }
    for name, digest in expected.items():
        assert sha256((ROOT / name).read_bytes()).hexdigest() == digest, name
