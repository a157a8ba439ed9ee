"""The games themselves, in pure Python: no framework, no clock, no input or output but the CLI.

Start with :class:`engine.game.Game` to play, :func:`engine.verify.verify` to check a record,
:func:`engine.solver.solve` for the best meld, and :mod:`engine.variant` to add a game kind.
"""

__version__ = "0.1.0"
