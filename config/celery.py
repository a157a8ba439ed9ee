"""The Celery app: a doorbell for work that stands as rows in PostgreSQL."""

from __future__ import annotations

import logging.config
import os
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("meldboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.setup_logging.connect
def set_up_logging(**_: Any) -> None:
    """Log like the rest of the project, not in Celery's own way."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)


@signals.task_prerun.connect
def renew_connections(**_: Any) -> None:
    """Drop a database connection that is broken or too old before the task uses it.

    Celery would rather connect anew for every task (see ``CELERY_DB_REUSE_MAX``); this is what
    Django does before every request.
    """
    from django.db import close_old_connections

    close_old_connections()
