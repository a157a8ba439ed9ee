"""Signals of the tournaments app and their arguments.

``due_written``: sent on commit after a due row was written; ``row`` is the row.
``tournament_changed``: sent on commit after results or rounds; ``tournament_id``.
``refit_stale``: sent when the games of a refit are not what they were; ``variant``, ``scope``.
"""

from __future__ import annotations

from django.dispatch import Signal

due_written = Signal()
tournament_changed = Signal()
refit_stale = Signal()
