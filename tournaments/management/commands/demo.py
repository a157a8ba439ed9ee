"""``manage.py demo``: the example tournament behind ``make demo``."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tournaments.management.commands.tournament import standings_table, watch
from tournaments.models import Tournament
from tournaments.selectors import tables_of
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import read_specs

LINKS = 2
"""Replays that are pointed to."""


class Command(BaseCommand):
    """Play the example tournament, or find it played, and point to its pages."""

    help = "Play the example tournament through the workers; print standings and replay links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--address", default="http://127.0.0.1:8000", help="of the web server")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the tournament on the first call, watch it to its end, print what to look at."""
        (spec,) = read_specs(settings.ROOT / "examples" / "demo.toml")
        tournament = Tournament.objects.filter(name=spec.name).first()
        if tournament is None:
            tournament = tournament_create(spec=spec)
            tournament_start(tournament_id=tournament.pk)
        watch(tournament, self.stderr)
        address = options["address"].rstrip("/")
        self.stdout.write(f"\n{tournament}\n\n{standings_table(tournament)}\n")
        for played in tables_of(tournament)[:LINKS]:
            self.stdout.write(f"Replay  {address}/games/{played.game_id}/")
        self.stdout.write(f"Event   {address}/tournaments/{tournament.slug}/")
        self.stdout.write(f"Ranks   {address}/leaderboards/{tournament.variant}/")
