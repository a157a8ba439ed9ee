"""Build the ``meldboard`` package: setuptools, and mypyc on the solver where it is asked for.

``pip install .`` makes pure Python and never needs a compiler. With ``MELDBOARD_MYPYC=1`` in the
environment the modules of :data:`KERNEL` are compiled from the same sources; where there is no C
compiler they stay pure Python. ``meldboard --version`` says which is in use.
"""

from __future__ import annotations

import os
from functools import partial
from unittest.mock import patch

import setuptools
from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_wheel",
]

SOLVER = [f"engine/solver/{n}.py" for n in ("arrange", "plans", "position", "search", "suits")]
KERNEL = [*SOLVER, "engine/gin/deadwood.py"]


def get_requires_for_build_wheel(config_settings=None):
    """Return what pip must install for the build: mypy where the solver is to be compiled."""
    compiler = ["mypy>=2.4"] if _is_asked_for() else []
    return build_meta.get_requires_for_build_wheel(config_settings) + compiler


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build the wheel and return its name."""
    build = partial(build_meta.build_wheel, wheel_directory, config_settings, metadata_directory)
    if not _is_asked_for():
        return build()
    setup = partial(setuptools.setup, ext_modules=_extensions())
    with patch.object(setuptools, "setup", setup):
        return build()


def _is_asked_for():
    """Whether the environment asks for the compiled solver."""
    value = os.environ.get("MELDBOARD_MYPYC", "0")
    if value not in ("0", "1"):
        raise SystemExit(f"MELDBOARD_MYPYC is 1 (compile the solver) or 0, not {value!r}")
    return value == "1"


def _extensions():
    """Write the kernel as C into ``build`` and return the extensions to be compiled."""
    from mypyc.build import mypycify

    options = ["--config-file=", "--cache-dir=build/mypy"]
    extensions = mypycify([*options, *KERNEL], opt_level="3", debug_level="0")
    for extension in extensions:
        extension.optional = True  # no compiler, or none that works: the .py files are there too
    return extensions
