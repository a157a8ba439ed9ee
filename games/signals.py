"""Signals of the games app and their arguments.

``due_written``: sent on commit after a due row was written; ``row`` is the row.
``game_asked``: sent when somebody asks for a private game; ``game`` and ``reader``, the request. A
receiver that lets the reader in returns True.
``game_over``: sent in the transaction of the event that ended a game; ``game`` and ``result``.
``game_crumbs``: sent when a page shows a game; ``game``. A receiver returns a list of
:class:`games.pages.web.Crumb` that lead to it, or None.
``game_remarks``: sent when pages or the API show games; ``games``, a list of them. A receiver
returns the :class:`games.remarks.Remark` of each of which there is one, by its id.
"""

from __future__ import annotations

from django.dispatch import Signal

due_written = Signal()
game_asked = Signal()
game_crumbs = Signal()
game_over = Signal()
game_remarks = Signal()
