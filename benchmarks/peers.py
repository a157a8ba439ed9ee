"""The other programs: imported when they are measured, reported when they cannot be."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PEERS = ("highspy", "rummikub-solver", "open-spiel", "rlcard", "cvxpy-base", "numpy", "scipy")
"""The packages whose versions a result names."""


class PeerMissing(Exception):
    """A peer cannot be measured here; the message says why."""


def import_peer(package: str, module: str) -> Any:
    """Return a module of a peer, or one of ours that needs it.

    :raises PeerMissing: when it cannot be imported, for whatever reason.
    """
    try:
        return import_module(module)
    except Exception as error:  # a foreign package may break in any way
        raise PeerMissing(f"{package} cannot be imported: {error}") from error


def import_highs() -> Any:
    """Return :mod:`benchmarks.highs`.

    :raises PeerMissing: when highspy cannot be imported.
    """
    return import_peer("highspy", "benchmarks.highs")


def versions() -> dict[str, str | None]:
    """Return the version of each package, None where it is not installed."""
    found: dict[str, str | None] = {}
    for package in PEERS:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found
