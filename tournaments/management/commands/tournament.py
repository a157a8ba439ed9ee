"""``manage.py tournament``: play a tournament from a file, and organise one that runs."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.cli import seed
from engine.cli.progress import draw, table
from engine.errors import BadInput
from games.public import ApplicationError
from tournaments.formats import find_format
from tournaments.management.acts import add_acts, do
from tournaments.models import Tournament
from tournaments.schedule import in_words
from tournaments.selectors import progress_of, tournament_get, user_named
from tournaments.services.rounds import is_complete
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import read_specs

POLL_S = 0.3
PATIENCE_S = 60
"""How long nothing may happen before the command says what to look at."""


class Command(BaseCommand):
    """Run tournaments from the command line."""

    help = "Run a tournament from a TOML file through the workers, or act as its organiser."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the sub-commands."""
        commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        run = commands.add_parser("run", help="create and start what a TOML file says")
        run.add_argument("file", type=Path, metavar="FILE.toml")
        run.add_argument(
            "--seed", type=seed, help="64 hex digits: a practice tournament, never rated"
        )
        made = commands.add_parser(
            "create",
            help="create what a TOML file says; it starts at its time or by advance",
        )
        made.add_argument("file", type=Path, metavar="FILE.toml")
        made.add_argument("--organiser", metavar="USER", help="who may act on its pages")
        shown = commands.add_parser("standings", help="print the standings of every phase")
        shown.add_argument("tournament", help="slug of the tournament, as in its address")
        add_acts(commands)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what the sub-command says."""
        if options["action"] == "run":
            self._run(options)
            return
        try:
            if options["action"] == "create":
                self._create(options)
                return
            tournament = tournament_get(options["tournament"])
            if options["action"] == "standings":
                self.stdout.write(standings_table(tournament))
            else:
                self.stdout.write(do(tournament, Namespace(**options)))
        except (ApplicationError, BadInput) as error:
            raise CommandError(str(error)) from None

    def _create(self, options: Mapping[str, Any]) -> None:
        organiser = user_named(options["organiser"]) if options["organiser"] else None
        for spec in read_specs(options["file"]):
            tournament = tournament_create(spec=spec, organiser=organiser)
            at = tournament.starts_at
            starts = f"starts at {in_words(at, tournament.zone)}" if at else "waits to be started"
            self.stdout.write(f"{tournament} {starts}: page /tournaments/{tournament.slug}/")

    def _run(self, options: Mapping[str, Any]) -> None:
        """Create, start and watch; the tournament goes on if the command is stopped."""
        try:
            specs = read_specs(options["file"])
            if not all(spec.size for spec in specs):
                raise BadInput(
                    f"{options['file']}: there must be at least one table [[entrants]] to run it;"
                    " create waits for entries"
                )
            tournaments = [tournament_create(spec=spec, seed=options["seed"]) for spec in specs]
        except BadInput as error:
            raise CommandError(str(error)) from None
        for tournament, spec in zip(tournaments, specs, strict=True):
            tournament_start(tournament_id=tournament.pk)
            self.stdout.write(
                f"{tournament}: {spec.size} entrants, commitment {tournament.commitment}, "
                f"page /tournaments/{tournament.slug}/"
            )
        try:
            for tournament in tournaments:
                watch(tournament, sys.stderr)
                self.stdout.write(f"\n{tournament}\n{standings_table(tournament)}")
        except KeyboardInterrupt:
            self.stderr.write("\nStopped watching; the rest goes on in the workers.")
            sys.exit(130)


def watch(tournament: Tournament, out: Any) -> None:
    """Draw how far a tournament is until it has ended, and say what it waits for."""
    shown = out.isatty()
    last, since = None, time.monotonic()
    told = 0  # up to which line of the log it has been said
    while True:
        done = progress_of(tournament)
        if shown:
            draw(done.played, done.tables, "Playing", out)
        if done.ended:
            break
        if done.waits and told != tournament.seq:
            told = tournament.seq
            out.write(f"\n{waits_for(tournament)}\n")
        if (done.played, done.events) != last or done.waits:
            last, since = (done.played, done.events), time.monotonic()
        elif time.monotonic() - since > PATIENCE_S:
            out.write(
                f"\nNothing has happened for {PATIENCE_S} s. Does a worker run? "
                "(celery -A config worker; celery -A config beat)\n"
            )
            since = time.monotonic()
        time.sleep(POLL_S)
    if shown:
        out.write("\n")


def waits_for(tournament: Tournament) -> str:
    """Return what the organiser of a tournament that waits is to do."""
    act, does = "advance", "opens the next round"
    if tournament.paused:
        act, does = "resume", "lets it go on"
    elif is_complete(tournament):
        does = "ends it; until then results can be corrected"
    return f"{tournament} waits: manage.py tournament {act} {tournament.slug} {does}."


def standings_table(tournament: Tournament) -> str:
    """Return the standings of every phase as text; exact fractions stand there as decimals."""
    phases = list(tournament.phases.all())
    parts = []
    for phase in phases:
        rows = list(phase.standings.select_related("entrant__player"))
        if not rows:
            continue
        decides = {"reached": "round", "rung": "rung", "average": "average"}
        merit = [decides[phase.basis]] if rows[0].merit or phase.basis == "average" else []
        heads = ["#", "player", *merit, "points", "played", *phase.tie_breaks]
        body = [
            [
                row.rank or row.gone,
                row.entrant.player.name,
                *([_decimal(row.merit or row.average)] if merit else []),
                _decimal(row.points),
                row.played,
                *(_decimal(row.metrics.get(key)) for key in phase.tie_breaks),
            ]
            for row in rows
        ]
        name = (
            f"Phase {phase.number}, {find_format(phase.format).name}\n" if len(phases) > 1 else ""
        )
        parts.append(name + table(heads, body))
    return "\n\n".join(parts)


def _decimal(value: str | None) -> str:
    parts = (
        f"{float(Fraction(part)):.3f}".rstrip("0").rstrip(".") for part in (value or "").split()
    )
    return " ".join(parts)
