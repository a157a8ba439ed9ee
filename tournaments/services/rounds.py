"""Running a tournament: start rounds, take results, close phases, end.

Everything here works under the lock of the tournament's row, so any number of workers may try.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from engine import seeds
from games.public import Game, game_create
from tournaments import log, signals
from tournaments.formats import find_format
from tournaments.formats.base import Basis, EntrantId, History, Pairing, TableResult
from tournaments.models import Due, Entrant, Phase, Place, Round, Standing, Table, Tournament
from tournaments.seeds import lots, pairing_words
from tournaments.services.tournaments import locked, look_ahead, make_due, phase_options
from tournaments.standings.metrics import find_tie_breaks
from tournaments.standings.schemes import find_scheme, priced
from tournaments.standings.table import standings


@transaction.atomic
def round_start(*, tournament_id: UUID) -> None:
    """Pair the next round of the running phase, or close the phase and go on with the next.

    Without effect while a round is being played or the tournament is not running.
    """
    tournament = locked(tournament_id)
    tournament.due.filter(kind=Due.Kind.ROUND).delete()
    if tournament.status != Tournament.Status.RUNNING or _current_round(tournament):
        return
    while phase := tournament.phases.exclude(status=Phase.Status.CLOSED).first():
        if phase.status == Phase.Status.WAITING:
            _start_phase(tournament, phase)
        pairing = _next_pairing(tournament, phase)
        if pairing is not None:
            _open_round(tournament, phase, pairing)
            break
        _close_phase(tournament, phase)
    else:
        _end(tournament)
    _announce(tournament)


@transaction.atomic
def results_take(*, tournament_id: UUID) -> None:
    """Take all results that have come in, refresh the standings once, and close a round that is
    played out.
    """
    tournament = locked(tournament_id)
    due = list(tournament.due.filter(kind=Due.Kind.RESULT).select_for_update(skip_locked=True))
    if not due:
        return
    tables = Table.objects.filter(
        round__phase__tournament=tournament, game_number__in=[row.number for row in due]
    ).select_related("round__phase", "game__result")
    changed: dict[int, Phase] = {}
    for table in tables.order_by("game_number"):
        if table.played:
            continue
        if table.game.result.is_aborted:
            _replay(tournament, table)
        else:
            _take(tournament, table)
            changed[table.round.phase_id] = table.round.phase
    for phase in changed.values():
        refresh_standings(phase)
    Due.objects.filter(pk__in=[row.pk for row in due]).delete()
    playing = _current_round(tournament)
    if playing is not None and not playing.tables.filter(played=False).exists():
        playing.status = Round.Status.CLOSED
        playing.save()
        log.write(
            tournament,
            ("round_closed", {"phase": playing.phase.number, "round": playing.number}),
        )
        make_due(tournament, Due.Kind.ROUND, tournament.seq)
    if changed and not tournament.practice:
        make_due(tournament, Due.Kind.RATINGS, tournament.seq)
    _announce(tournament)


def refresh_standings(phase: Phase) -> None:
    """Make a phase's points and standings anew from its results."""
    entrants = list(phase.tournament.entrants.all())
    history = phase_history(phase)
    _store_points(phase, history.results)
    rows = standings(
        [entrant.pk for entrant in entrants],
        history.results,
        find_scheme(phase.scheme),
        find_tie_breaks(phase.tie_breaks),
        {int(key): lot for key, lot in phase.lots.items()},
        basis=Basis(phase.basis),
        withdrawn=_withdrawn(entrants),
    )
    phase.standings.all().delete()
    Standing.objects.bulk_create(
        Standing(
            phase=phase,
            entrant_id=row.entrant,
            order=order,
            rank=row.rank,
            points=str(row.points),
            average=str(row.average),
            played=row.played,
            metrics={
                key: None if value is None else str(value) for key, value in row.metrics.items()
            },
        )
        for order, row in enumerate(rows, 1)
    )


def phase_history(phase: Phase) -> History:
    """Return what a phase has seen so far: its rounds as paired, and the results taken."""
    rounds = []
    results = []
    for played in phase.rounds.prefetch_related("tables__places"):
        seatings = []
        for table in played.tables.all():
            places = table.places.all()
            seats = tuple(place.entrant_id for place in places)
            seatings.append(seats)
            if table.played:
                scores = tuple(place.score or 0 for place in places)
                ranks = tuple(place.rank or 0 for place in places)
                results.append(TableResult(played.number, table.number, seats, scores, ranks))
        rounds.append(Pairing(played.number, tuple(seatings)))
    return History(
        tuple(rounds),
        tuple(priced(results, find_scheme(phase.scheme))),
        _withdrawn(phase.tournament.entrants.all()),
    )


def _store_points(phase: Phase, results: Iterable[TableResult]) -> None:
    """Store what the scheme makes of the results, for those places where it is not stored yet."""
    points = {
        (result.round, entrant): str(share)
        for result in results
        for entrant, share in zip(result.seats, result.points, strict=True)
    }
    changed = []
    for place in Place.objects.filter(round__phase=phase).select_related("round"):
        share = points.get((place.round.number, place.entrant_id), "")
        if place.points != share:
            place.points = share
            changed.append(place)
    Place.objects.bulk_update(changed, ["points"], batch_size=500)


def _withdrawn(entrants: Iterable[Entrant]) -> frozenset[int]:
    return frozenset(e.pk for e in entrants if e.status == Entrant.Status.WITHDRAWN)


def _current_round(tournament: Tournament) -> Round | None:
    return (
        Round.objects.filter(phase__tournament=tournament, status=Round.Status.RUNNING)
        .select_related("phase")
        .first()
    )


def _start_phase(tournament: Tournament, phase: Phase) -> None:
    entrants = list(tournament.entrants.all())
    drawn = lots(bytes(tournament.seed), phase.number, len(entrants))
    phase.lots = {str(e.pk): lot for e, lot in zip(entrants, drawn, strict=True)}
    look_ahead(phase, len(entrants))
    phase.status = Phase.Status.RUNNING
    phase.save()
    log.write(
        tournament,
        (
            "phase_started",
            {
                "phase": phase.number,
                "lots": {str(e.player_id): lot for e, lot in zip(entrants, drawn, strict=True)},
            },
        ),
    )
    refresh_standings(phase)


def _next_pairing(tournament: Tournament, phase: Phase) -> Pairing | None:
    return find_format(phase.format).pair(
        [entrant.pk for entrant in tournament.entrants.all()],
        phase_history(phase),
        phase_options(phase),
        pairing_words(bytes(tournament.seed), phase.number),
    )


def _open_round(tournament: Tournament, phase: Phase, pairing: Pairing) -> None:
    entrants: dict[EntrantId, Entrant] = {
        entrant.pk: entrant for entrant in tournament.entrants.select_related("player")
    }
    opened = Round.objects.create(
        phase=phase,
        number=pairing.round,
        notes=[
            {"table": note.table, "text": note.text, "entrants": list(note.entrants)}
            for note in pairing.notes
        ],
    )
    paired = []
    for table_number, seats in enumerate(pairing.tables, 1):
        game = _new_game(tournament, [entrants[pk] for pk in seats])
        table = Table.objects.create(
            round=opened, number=table_number, game=game, game_number=tournament.games_created
        )
        Place.objects.bulk_create(
            Place(round=opened, table=table, seat=seat, entrant=entrants[pk])
            for seat, pk in enumerate(seats)
        )
        paired.append(
            {
                "table": table_number,
                "game": str(game.pk),
                "number": table.game_number,
                "seats": [str(entrants[pk].player_id) for pk in seats],
            }
        )
    ids = {pk: str(entrant.player_id) for pk, entrant in entrants.items()}
    log.write(
        tournament,
        (
            "paired",
            {
                "phase": phase.number,
                "round": pairing.round,
                "tables": paired,
                "notes": [note.say(ids) for note in pairing.notes],
            },
        ),
    )


def _new_game(tournament: Tournament, seats: list[Entrant]) -> Game:
    """Create the tournament's next game; its seed follows from ``T`` and its number."""
    tournament.games_created += 1
    return game_create(
        variant=tournament.kind,
        rules=tournament.rules,
        players=[entrant.player for entrant in seats],
        seed=seeds.game_seed(bytes(tournament.seed), tournament.games_created),
    )


def _replay(tournament: Tournament, table: Table) -> None:
    """Play a table again whose game was called off, under a new game number."""
    places = list(table.places.select_related("entrant__player"))
    old = table.game
    table.game = _new_game(tournament, [place.entrant for place in places])
    table.game_number = tournament.games_created
    table.save()
    log.write(
        tournament,
        (
            "voided",
            {
                "game": str(old.pk),
                "reason": "aborted",
                "replaced_by": str(table.game_id),
                "number": table.game_number,
            },
        ),
    )


def take_result(table: Table) -> None:
    """Note at the places of a table what its game came out as."""
    result = table.game.result
    places = list(table.places.all())
    for place in places:
        place.score, place.rank = result.totals[place.seat], result.ranks[place.seat]
    Place.objects.bulk_update(places, ["score", "rank"])


def _take(tournament: Tournament, table: Table) -> None:
    take_result(table)
    result = table.game.result
    places = table.places.select_related("entrant")
    players = [str(place.entrant.player_id) for place in places]
    table.played = True
    table.save()
    log.write(
        tournament,
        (
            "result",
            {
                "phase": table.round.phase.number,
                "round": table.round.number,
                "table": table.number,
                "game": str(table.game_id),
                "seats": players,
                "ending": result.ending,
                "totals": result.totals,
                "ranks": result.ranks,
            },
        ),
    )


def _close_phase(tournament: Tournament, phase: Phase) -> None:
    phase.status = Phase.Status.CLOSED
    phase.save()
    rows = phase.standings.select_related("entrant")
    final = [{"player": str(row.entrant.player_id), "rank": row.rank} for row in rows]
    log.write(tournament, ("phase_closed", {"phase": phase.number, "standings": final}))


def _end(tournament: Tournament) -> None:
    """End the tournament; all its games are over, so its seed may be known (DESIGN 2.1)."""
    tournament.status = Tournament.Status.ENDED
    tournament.ended_at = timezone.now()
    log.write(tournament, ("ended", {}), ("seed_revealed", {"seed": bytes(tournament.seed).hex()}))


def _announce(tournament: Tournament) -> None:
    transaction.on_commit(
        partial(signals.tournament_changed.send, Tournament, tournament_id=tournament.pk)
    )
