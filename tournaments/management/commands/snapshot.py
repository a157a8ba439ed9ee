"""``manage.py snapshot``: keep what is published now."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.services.snapshots import snapshots_take


class Command(BaseCommand):
    """Take the snapshots of leaderboards, standings and heads."""

    help = "Take a snapshot of what has changed since the last one; otherwise done at night."

    def handle(self, *args: Any, **options: Any) -> None:
        """Say which were taken."""
        taken = snapshots_take()
        for snapshot in taken:
            self.stdout.write(f"{snapshot}: {snapshot.sha256}")
        if not taken:
            self.stdout.write("nothing has changed since the last snapshots")
