"""The games themselves, in pure Python: no framework, no clock, no input or output but the CLI.

Start with :class:`engine.game.Game` to play, :func:`engine.verify.verify` to check a record,
:func:`engine.solver.solve` for the best meld, and :mod:`engine.variant` to add a game kind.
"""

from importlib.machinery import PathFinder

__version__ = "0.1.0"


def is_compiled() -> bool:
    """Say whether the solver was compiled when it was installed; nothing is loaded to find out."""
    found = PathFinder.find_spec("search", [f"{folder}/solver" for folder in __path__])
    return found is not None and not str(found.origin).endswith(".py")
