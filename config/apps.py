"""The project itself as a Django app, so that every Django process has its Celery app."""

from __future__ import annotations

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """Binds the tasks of all apps to our Celery app."""

    name = "config"

    def ready(self) -> None:
        """Make it the current app of this process."""
        from config import celery

        celery.app.set_default()
