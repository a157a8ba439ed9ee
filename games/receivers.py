"""What the games app does when a signal is sent: it rings Celery."""

from __future__ import annotations

import logging
from typing import Any

from django.dispatch import receiver
from kombu.exceptions import OperationalError

from games import tasks
from games.models import Due
from games.signals import due_written

logger = logging.getLogger(__name__)


@receiver(due_written, sender=Due)
def ring_when_due(sender: type[Due], row: Due, **kwargs: Any) -> None:
    """Ring for a row just written; with the broker away the sweeper rings later."""
    try:
        tasks.ring_for(row)
    except OperationalError as error:
        logger.warning("no broker to ring for %s: %s", row, error)
