"""``manage.py refit``: make the leaderboards anew now."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.errors import BadInput
from engine.variants import VARIANTS, find_variant
from tournaments.models import Refit
from tournaments.ratings.games import scopes
from tournaments.services.refits import leaderboard_refit


class Command(BaseCommand):
    """Refit the leaderboards of one game kind, or of all."""

    help = "Fit the strengths on the leaderboards anew, which is otherwise done at night."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        known = [variant.key for variant in VARIANTS]
        parser.add_argument("variant", nargs="*", metavar="VARIANT", help=", ".join(known))

    def handle(self, *args: Any, **options: Any) -> None:
        """Refit every scope and say how many games and players each has."""
        try:
            wanted = [find_variant(key) for key in options["variant"]] or VARIANTS
        except BadInput as error:
            raise CommandError(str(error)) from None
        for variant in wanted:
            leaderboard_refit(variant=variant.key, scopes=scopes(variant.seats))
            for row in Refit.objects.filter(variant=variant.key).order_by("seats", "days"):
                self.stdout.write(f"{row}: {row.games} games, {row.strengths.count()} players")
