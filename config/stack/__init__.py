"""The local stack: database, broker, web, worker and beat on a machine that has none of them.

``python -m config.stack demo|test|check|clean``; ``make`` calls nothing else.
"""

from __future__ import annotations


class StackError(Exception):
    """The stack cannot start or go on; the message says what would be right."""
