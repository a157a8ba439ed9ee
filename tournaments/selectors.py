"""Reading tournaments: progress, standings, rounds, leaderboards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from engine import knobs
from engine.errors import BadInput
from games.public import NotFound
from tournaments.formats import find_format
from tournaments.formats.base import EntrantId, Note
from tournaments.models import Phase, Rating, Round, Standing, Table, Tournament


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    tables: int
    """Tables of the whole tournament, as far as its formats tell beforehand."""
    played: int
    """Tables whose result is taken."""
    running: int
    """Tables being played now."""
    events: int
    """Events of the games on the tables being played: grows while anything happens."""
    ended: bool


def tournament_get(slug: str) -> Tournament:
    """Return a tournament.

    :raises NotFound: when there is none with this slug.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise NotFound(f"there is no tournament {slug!r}")
    return tournament


def tournaments_list(*, status: str | None = None) -> QuerySet[Tournament]:
    """Return tournaments, the newest first, with counts of entrants and tables."""
    found = Tournament.objects.annotate(
        entrants_count=Count("entrants", distinct=True),
        tables_count=Count("phases__rounds__tables", distinct=True),
        played_count=Count(
            "phases__rounds__tables", filter=Q(phases__rounds__tables__played=True), distinct=True
        ),
    )
    if status is not None:
        found = found.filter(status=status)
    return found.order_by("-created_at")


def progress_of(tournament: Tournament) -> Progress:
    """Return how far a tournament is now."""
    tournament.refresh_from_db()
    tables = Table.objects.filter(round__phase__tournament=tournament)
    played = tables.filter(played=True).count()
    running = list(tables.filter(played=False).values_list("game__seq", flat=True))
    expected = 0
    entrants = tournament.entrants.count()
    for phase in tournament.phases.all():
        chosen = find_format(phase.format)
        try:
            options = knobs.parse(chosen.options, phase.options)
            expected += chosen.preview(entrants, options).tables
        except BadInput:
            continue
    return Progress(
        tables=max(expected, played + len(running)),
        played=played,
        running=len(running),
        events=sum(running),
        ended=tournament.status == Tournament.Status.ENDED,
    )


def standings_of(tournament: Tournament) -> tuple[Phase, list[Standing]]:
    """Return the phase that is played now, or the last one, and its standings."""
    begun = tournament.phases.exclude(status=Phase.Status.WAITING)
    phase = begun.last() or tournament.phases.get(number=1)
    rows = phase.standings.select_related("entrant__player")
    return phase, list(rows)


def tables_of(tournament: Tournament) -> QuerySet[Table]:
    """Return a tournament's tables in order of phase, round and number."""
    return (
        Table.objects.filter(round__phase__tournament=tournament)
        .select_related("round__phase", "game")
        .prefetch_related("places__entrant__player")
        .order_by("round__phase__number", "round__number", "number")
    )


def round_notes(played: Round, names: Mapping[EntrantId, str]) -> list[tuple[int | None, str]]:
    """Return what a round's pairing says of itself: the table it is about, or None, and the text.

    :param names: names of the tournament's entrants by id.
    """
    return [
        (note["table"], Note(note["text"], tuple(note["entrants"])).say(names))
        for note in played.notes
    ]


def leaderboard(variant: str) -> QuerySet[Rating]:
    """Return the players of a game kind, the strongest first."""
    ratings = Rating.objects.filter(variant=variant).select_related("player")
    return ratings.order_by("-ordinal", "player__name")
