"""Signals of the tournaments app and their arguments.

``due_written``: sent on commit after a due row was written; ``row`` is the row.
``refit_stale``: sent when the games of a refit are not what they were; ``variant``, ``scope``.
"""

from __future__ import annotations

from django.dispatch import Signal

due_written = Signal()
refit_stale = Signal()
