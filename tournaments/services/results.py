"""Results after they came in: correct them, void games, give and lift penalties.

Only in the phase that is played: a phase that is closed is final.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from engine.errors import BadInput
from games.public import Conflict, NotFound, Player
from tournaments import log
from tournaments.formats.base import TableResult
from tournaments.models import Due, Phase, Round, Table, Tournament
from tournaments.services.organising import acted, acting, checked_reason, playing_phase
from tournaments.services.tables import averaged, played_again, take_result, where
from tournaments.services.tournaments import make_due


@transaction.atomic
def result_correct(
    *,
    tournament_id: UUID,
    game_number: int,
    scores: Sequence[int],
    ranks: Sequence[int] | None = None,
    reason: str,
    by: Player | None = None,
) -> None:
    """Replace the result of a table that was played; the game's own record stays as it is.

    Later standings follow, but no round is paired again.

    :param game_number: the tournament's number of the game that counts at the table.
    :param scores: by seat.
    :param ranks: places by seat where they do not follow from the scores.
    :raises BadInput: for scores or places that are no result of this table.
    :raises Conflict: when the table is not played yet, or its phase is closed.
    """
    tournament = acting(tournament_id)
    table = _table(tournament, game_number)
    if not table.played:
        raise Conflict(
            f"game {game_number} is still being played; its result can be corrected then"
        )
    places = list(table.places.select_related("entrant"))
    given = list(scores)
    if not all(type(score) is int and abs(score) < 1 << 31 for score in given):
        raise BadInput(f"scores must be whole numbers, not {given}")
    order = ranks if ranks is not None else [1 + sum(o > s for o in given) for s in given]
    seats = tuple(str(place.entrant.player_id) for place in places)
    corrected = TableResult(table.round.number, table.number, seats, tuple(given), tuple(order))
    was = {"totals": [p.score for p in places], "ranks": [p.rank for p in places]}
    take_result(table, list(corrected.scores), list(corrected.ranks))
    log.write(
        tournament,
        (
            "corrected",
            {
                **where(table),
                "seats": list(seats),
                "totals": list(corrected.scores),
                "ranks": list(corrected.ranks),
                "was": was,
                "reason": checked_reason(reason),
            },
        ),
        by=by,
    )
    _rate_anew(tournament)
    acted(tournament)


@transaction.atomic
def game_void(
    *, tournament_id: UUID, game_number: int, reason: str, by: Player | None = None
) -> int | None:
    """Void a game, played or not, and let its table play again; return the new game's number.

    On a duplicate board nothing is played again, for the deals are known: everybody at the table
    has the average, and None is returned.

    :raises Conflict: when its phase is closed, or somebody of the table has left.
    """
    tournament = acting(tournament_id)
    table = _table(tournament, game_number)
    if table.round.phase.duplicate:
        averaged(tournament, table, reason=checked_reason(reason), by=by)
    else:
        _check_there(table)
        played_again(tournament, table, reason=checked_reason(reason), by=by)
        Round.objects.filter(pk=table.round_id).update(status=Round.Status.RUNNING)
    _rate_anew(tournament)
    acted(tournament)
    return None if table.round.phase.duplicate else table.game_number


def _check_there(table: Table) -> None:
    """Refuse to let a table play again when somebody of it has left."""
    for place in table.places.select_related("entrant__player"):
        if place.entrant.status != place.entrant.Status.PLAYING:
            gone = place.entrant.get_status_display().lower()
            raise Conflict(
                f"{place.entrant.player} is {gone}, so game {table.game_number} cannot be played"
                " again; its result can be corrected"
            )


@transaction.atomic
def penalty_give(
    *,
    tournament_id: UUID,
    player: Player,
    points: Fraction,
    reason: str,
    by: Player | None = None,
) -> int:
    """Take points away from an entrant in the phase that is played; return the penalty's number.

    :raises BadInput: for points that are not more than 0.
    :raises Conflict: when no phase is played, or the player is not in it.
    """
    tournament = acting(tournament_id)
    if points <= 0:
        raise BadInput(f"a penalty takes more than 0 points, not {points}")
    phase = playing_phase(tournament)
    if phase is None:
        raise Conflict("no phase is being played; a penalty is given in one")
    if str(player.pk) not in log.read(tournament).phase(phase.number).entrants:
        raise Conflict(f"{player} is not in phase {phase.number}")
    data = {
        "phase": phase.number,
        "player": str(player.pk),
        "points": str(points),
        "reason": checked_reason(reason),
    }
    log.write(tournament, ("penalised", data), by=by)
    number = tournament.seq
    acted(tournament)
    return number


@transaction.atomic
def penalty_lift(
    *, tournament_id: UUID, penalty: int, reason: str, by: Player | None = None
) -> None:
    """Take a penalty back; it can be given again.

    :param penalty: its number: the line of the log that gave it.
    :raises NotFound: when the phase that is played has no such penalty.
    """
    tournament = acting(tournament_id)
    phase = playing_phase(tournament)
    known = log.read(tournament).phase(phase.number).penalties if phase is not None else {}
    if phase is None or penalty not in known:
        there = f"; there are {', '.join(map(str, known))}" if known else ""
        raise NotFound(f"there is no penalty {penalty} in a phase that is played{there}")
    data = {
        "phase": phase.number,
        "penalty": penalty,
        "player": known[penalty].player,
        "points": str(known[penalty].points),
        "reason": checked_reason(reason),
    }
    log.write(tournament, ("penalty_lifted", data), by=by)
    acted(tournament)


def _table(tournament: Tournament, game_number: int) -> Table:
    """Return the table at which a game counts, in the phase that is played.

    :raises NotFound: when there is none.
    :raises Conflict: when its phase is closed.
    """
    number = Q(game_number=game_number) | Q(rotations__game_number=game_number)
    table = (
        Table.objects.filter(number, round__phase__tournament=tournament)
        .select_related("round__phase", "game")
        .first()
    )
    if table is None:
        raise NotFound(f"there is no game number {game_number} that counts in {tournament}")
    phase = table.round.phase
    if phase.status == Phase.Status.CLOSED:
        raise Conflict(
            f"game {game_number} belongs to phase {phase.number}, which is closed; its results are"
            " final"
        )
    return table


def _rate_anew(tournament: Tournament) -> None:
    if tournament.is_rated:
        make_due(tournament, Due.Kind.RATINGS, tournament.seq)
