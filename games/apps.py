"""The games app."""

from __future__ import annotations

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Users, players, games and their event logs."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the receivers."""
        from games import receivers  # noqa: F401
