"""``manage.py publish --out DIR``: everything as a static site."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.cli.progress import progress
from engine.errors import BadInput
from games.public import games_sealed
from tournaments.pages.site import site_write


class Command(BaseCommand):
    """Write standings, leaderboards, records, heads and the verifier to a folder."""

    help = "Write a static site that opens from the file system; again, it is brought up to date."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--out", type=Path, required=True, metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the site and say where to begin."""
        out: Path = options["out"]
        try:
            total = games_sealed().count()
            files = sum(1 for _ in progress(site_write(out), total, "Writing", sys.stderr))
        except (BadInput, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{files} files; begin with {out / 'index.html'}")
