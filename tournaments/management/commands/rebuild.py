"""``manage.py rebuild``: make every projection anew from the logs."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.services.rebuild import rebuild


class Command(BaseCommand):
    """Delete and remake results, analyses, standings and ratings; report any difference."""

    help = (
        "Make results, analyses, standings and ratings anew from the logs;"
        " exit 1 if any was different."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the differences and how many there were."""
        differences = rebuild()
        for difference in differences:
            self.stdout.write(difference)
        self.stdout.write(f"{len(differences)} differences")
        if differences:
            sys.exit(1)
