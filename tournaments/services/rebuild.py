"""Making every projection anew from the logs, and saying what was different."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction

from games.public import Game, analysis_refold, result_refold
from tournaments import log
from tournaments.folds import PhaseFold, TournamentFold
from tournaments.leaderboards import rated_games
from tournaments.models import (
    Bye,
    Due,
    Entrant,
    Phase,
    Place,
    Rating,
    RatingHistory,
    Table,
    Tournament,
)
from tournaments.services.ratings import rating_histories, ratings_refresh
from tournaments.services.refits import refits_rebuild
from tournaments.services.standings import refresh_standings

STANDING_FIELDS = (
    "entrant_id",
    "order",
    "rank",
    "gone",
    "merit",
    "points",
    "penalty",
    "average",
    "played",
    "byes",
    "metrics",
    "bye_decided",
)
PLACE_FIELDS = ("score", "rank", "points")
RATING_FIELDS = ("player_id", "mu", "sigma", "ordinal", "games", "wins")
HISTORY_FIELDS = ("at", "mu", "sigma")


@transaction.atomic
def rebuild() -> list[str]:
    """Make results, analyses, places, byes, standings and ratings anew; tell the differences.

    An empty list means that everything stored was equal to what the logs say.
    """
    differences = []
    for game in Game.objects.exclude(status=Game.Status.RUNNING).select_related("seed").iterator():
        differences += result_refold(game)
        differences += analysis_refold(game)
    for tournament in Tournament.objects.order_by("created_at"):
        differences += _tournament(tournament)
    for variant in Table.objects.values_list("game__variant", flat=True).distinct().order_by():
        ratings = Rating.objects.filter(variant=variant)
        stored = RatingHistory.objects.filter(rating__in=ratings).select_related("rating")
        made = rating_histories(variant, rated_games(variant))
        # Ratings follow a moment later; where that is still due, a difference is none.
        due = Due.objects.filter(kind=Due.Kind.RATINGS, tournament__variant=variant).exists()
        if (_rated(stored), ratings.count()) != (_rated(made), len(made)) and not due:
            differences.append(f"ratings of {variant} were different")
        ratings_refresh(variant=variant)
        differences += refits_rebuild(variant=variant)
    return differences


def _tournament(tournament: Tournament) -> Iterator[str]:
    story = log.read(tournament)
    yield from _entrants(tournament, story)
    for phase in tournament.phases.exclude(status=Phase.Status.WAITING):
        of = story.phase(phase.number)
        if not of.started:
            continue  # closed without a round
        yield from _tables(phase, of)
        yield from _byes(phase, of)
        stored = phase.standings.all()
        before = _rows(stored, STANDING_FIELDS)
        points = _rows(_places(phase), PLACE_FIELDS)
        refresh_standings(phase, of)
        if _rows(phase.standings.all(), STANDING_FIELDS) != before:
            yield f"{phase}: standings were different"
        if _rows(_places(phase), PLACE_FIELDS) != points:
            yield f"{phase}: points were different"


def _entrants(tournament: Tournament, story: TournamentFold) -> Iterator[str]:
    """Set who has entered and left to what the log says."""
    for entrant in tournament.entrants.all():
        said = story.gone.get(str(entrant.player_id), Entrant.Status.PLAYING)
        if entrant.status != said:
            yield f"{entrant}: was {entrant.status}, is {said}"
            entrant.status = said
            entrant.save()
    known = {str(player) for player in tournament.entrants.values_list("player_id", flat=True)}
    for player, number in story.entrants.items():
        if player not in known:
            yield f"{player} in {tournament.pk}: was missing"
            Entrant.objects.create(tournament=tournament, player_id=player, number=number)
    for name in ("paused", "cancelled"):
        if getattr(tournament, name) != getattr(story, name):
            yield f"{tournament.pk}: {name} was {getattr(tournament, name)}"
            setattr(tournament, name, getattr(story, name))
            tournament.save()


def _tables(phase: Phase, of: PhaseFold) -> Iterator[str]:
    """Set how tables came out to what the log says; tell tables that are not those of the log."""
    stored = Table.objects.filter(round__phase=phase).select_related("round")
    tables = {
        (t.round.number, t.number): t
        for t in stored.prefetch_related("places__entrant", "rotations")
    }
    said = {(r, n): table for r, of_ in of.rounds.items() for n, table in of_.tables.items()}
    for where in sorted(tables.keys() ^ said.keys()):
        round_, number = where
        yield f"{phase}: round {round_}, table {number} is {_only_in(where in tables)}"
    changed = []
    for where in tables.keys() & said.keys():
        table, fold = tables[where], said[where]
        places = list(table.places.all())
        seats = tuple(str(place.entrant.player_id) for place in places)
        further = tuple((str(r.game_id), r.game_number) for r in table.rotations.all())
        found = (str(table.game_id), table.game_number, seats, further)
        if found != (fold.game, fold.number, fold.seats, fold.rotations):
            yield f"{table}: game or seats are not those of the log"
            continue
        came_out = [(place.score, place.rank) for place in places]
        nothing: list[Any] = [None] * len(seats)
        right = list(zip(fold.scores or nothing, fold.ranks or nothing, strict=True))
        state = fold.scores is not None, fold.averaged
        if came_out != right or (table.played, table.averaged) != state:
            yield f"{table}: places were different"
            table.played, table.averaged = state
            table.save()
        for place, (score, rank) in zip(places, right, strict=True):
            place.score, place.rank = score, rank
            changed.append(place)
    Place.objects.bulk_update(changed, ["score", "rank"], batch_size=500)


def _only_in(rows: bool) -> str:
    return "not in the log" if rows else "in the log only"


def _byes(phase: Phase, of: PhaseFold) -> Iterator[str]:
    """Make the byes of a phase anew."""
    stored = Bye.objects.filter(round__phase=phase)
    before = stored.values_list("round__number", "entrant__player_id", "kind")
    said = {(r, p, str(kind)) for r, of_ in of.rounds.items() for p, kind in of_.byes.items()}
    if {(round_, str(player), kind) for round_, player, kind in before} != said:
        yield f"{phase}: byes were different"
    stored.delete()
    rounds = {round_.number: round_ for round_ in phase.rounds.all()}
    entrants = {str(e.player_id): e for e in phase.tournament.entrants.all()}
    Bye.objects.bulk_create(
        Bye(round=rounds[round_], entrant=entrants[player], kind=kind)
        for round_, player, kind in sorted(said)
        if round_ in rounds
    )


def _places(phase: Phase) -> Any:
    return Place.objects.filter(round__phase=phase).order_by("pk")


def _rated(histories: Iterable[RatingHistory]) -> list[tuple[Any, ...]]:
    """Return ratings and how they came about, in an order of their own."""
    found = sorted(histories, key=lambda history: history.rating.player_id)
    ratings = _rows((history.rating for history in found), RATING_FIELDS)
    return [*ratings, *_rows(found, HISTORY_FIELDS)]


def _rows(rows: Iterable[Any], names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [tuple(getattr(row, name) for name in names) for row in rows]
