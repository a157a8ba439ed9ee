"""A Chromium for the browser tests: found, installed where that is ours to do, or missing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from config.stack import StackError
from config.stack.children import Program
from config.stack.supervisor import Supervisor
from config.stack.terminal import say

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium", "fonts-liberation")
DOWNLOADS = "chromium-*/chrome-linux*/chrome"


def find_chromium(environ: Mapping[str, str]) -> str | None:
    """Look for one: CHROMIUM, then PATH, then Playwright's own downloads.

    :raises StackError: when CHROMIUM names no program
    """
    given = environ.get("CHROMIUM")
    if given:
        if shutil.which(given) is None:
            raise StackError(f"CHROMIUM={given} is no program that can be run.")
        return given
    for name in NAMES:
        found = shutil.which(name, path=environ.get("PATH"))
        if found:
            return found
    home = environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    downloads = sorted(Path(home).glob(DOWNLOADS))
    return str(downloads[-1]) if downloads else None


def provide_chromium(supervisor: Supervisor, environ: Mapping[str, str]) -> dict[str, str]:
    """Find a Chromium or install Debian's; answer with what the tests are told.

    The tests read ``CHROMIUM``, or skip with the reason in ``CHROMIUM_MISSING``.

    :raises StackError: when there is none and REQUIRE_BROWSER=1
    """
    found = find_chromium(environ) or _install(supervisor, environ)
    if found:
        return {"CHROMIUM": found}
    reason = "no Chromium: install one (apt install chromium) or name it as CHROMIUM"
    if environ.get("REQUIRE_BROWSER") == "1":
        raise StackError(f"REQUIRE_BROWSER=1, but there is {reason}.")
    say(f"BROWSER TESTS WILL BE SKIPPED: {reason}")
    return {"CHROMIUM_MISSING": reason}


def _install(supervisor: Supervisor, environ: Mapping[str, str]) -> str | None:
    apt = shutil.which("apt-get", path=environ.get("PATH"))
    if apt is None or os.geteuid() != 0:
        return None
    say("installing Debian's Chromium for the browser tests")
    env = dict(environ) | {"DEBIAN_FRONTEND": "noninteractive"}
    wait = ("-o", "DPkg::Lock::Timeout=120")
    steps = {
        "apt-update": ["update"],
        "apt-install": ["install", "-y", "--no-install-recommends", *PACKAGES],
    }
    for name, words in steps.items():
        program = Program(name, [apt, *wait, *words], env, Path("/"), stops=((15, 30.0),))
        supervisor.run(program)
    return find_chromium(environ)
