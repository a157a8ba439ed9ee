"""Where a Chromium is looked for, and what is said when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.stack import StackError, browser


def fake(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_named_one_comes_first_then_path_then_playwrights(tmp_path):
    named = fake(tmp_path / "mine")
    on_path = fake(tmp_path / "bin" / "chromium-browser")
    own = fake(tmp_path / "own" / "chromium-1200" / "chrome-linux" / "chrome")
    environ = {
        "CHROMIUM": str(named),
        "PATH": str(tmp_path / "bin"),
        "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "own"),
    }
    for expected, gone in ((named, "CHROMIUM"), (on_path, "PATH"), (own, None)):
        assert browser.find_chromium(environ) == str(expected)
        environ[gone or ""] = ""
    assert browser.find_chromium({"PATH": "", "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}) is None


def test_a_named_one_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(StackError, match=r"CHROMIUM=/nowhere is no program"):
        browser.find_chromium({"CHROMIUM": "/nowhere"})


def test_without_one_the_tests_are_told_why_or_it_is_an_error(tmp_path, capsys):
    environ = {"PATH": "", "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    told = browser.provide_chromium(None, environ)
    assert "apt install chromium" in told["CHROMIUM_MISSING"]
    assert "BROWSER TESTS WILL BE SKIPPED" in capsys.readouterr().out
    with pytest.raises(StackError, match="REQUIRE_BROWSER=1"):
        browser.provide_chromium(None, environ | {"REQUIRE_BROWSER": "1"})
