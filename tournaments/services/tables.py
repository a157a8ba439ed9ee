"""Tables and the games that are played at them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from engine import seeds
from engine.events import ForfeitReason
from games.public import Game, Player, Seed, game_abort, game_create, game_forfeit
from tournaments import log
from tournaments.models import Due, Entrant, Place, Table, Tournament
from tournaments.services.tournaments import make_due


def new_game(tournament: Tournament, seats: Sequence[Entrant], board: Seed | None = None) -> Game:
    """Create the tournament's next game; its seed follows from ``T`` and its number.

    :param board: the seed that it shares with others, instead.
    """
    tournament.games_created += 1
    seed = board or seeds.game_seed(bytes(tournament.seed), tournament.games_created)
    if tournament.no_show and not all(entrant.player.is_bot for entrant in seats):
        patience = timedelta(minutes=tournament.no_show)
        number = tournament.games_created
        make_due(tournament, Due.Kind.NO_SHOW, number, at=timezone.now() + patience)
    return game_create(
        variant=tournament.kind,
        rules=tournament.rules,
        players=[entrant.player for entrant in seats],
        seed=seed,
        access=tournament.access,
        circle=tournament.pk,
    )


def games_of(table: Table) -> list[Game]:
    """Return the games of a table: one, or on a duplicate board one for each rotation."""
    further = table.rotations.select_related("game__result")
    return [table.game, *(rotation.game for rotation in further)]


def seat_in(seat: int, rotation: int, seats: int) -> int:
    """Return the seat in a rotation of whoever has ``seat`` at a table of so many seats."""
    return (seat + rotation) % seats


def set_places(table: Table, seats: Sequence[Entrant]) -> None:
    """Seat entrants at a table, instead of whoever sat there."""
    table.places.all().delete()
    Place.objects.bulk_create(
        Place(round_id=table.round_id, table=table, seat=seat, entrant=entrant)
        for seat, entrant in enumerate(seats)
    )


def where(table: Table) -> Mapping[str, Any]:
    """Return which table a line of the log is about."""
    return {
        "phase": table.round.phase.number,
        "round": table.round.number,
        "table": table.number,
        "game": str(table.game_id),
    }


def take_result(
    table: Table, scores: Sequence[int], ranks: Sequence[int], *, averaged: bool = False
) -> None:
    """Note at the places of a table how it came out, by seat."""
    places = list(table.places.all())
    for place in places:
        place.score, place.rank = scores[place.seat], ranks[place.seat]
    Place.objects.bulk_update(places, ["score", "rank"])
    table.played, table.averaged = True, averaged
    table.save()


def forfeit(table: Table, seat: int, reason: ForfeitReason) -> None:
    """Let whoever has a seat at a table forfeit what is being played there."""
    seats = table.places.count()
    for rotation, game in enumerate(games_of(table)):
        game_forfeit(game_id=game.pk, seat=seat_in(seat, rotation, seats), reason=reason)


def deal_anew(tournament: Tournament, table: Table, seats: Sequence[Entrant]) -> Game:
    """Give a table a new game with these seats; return the old one, called off if it runs."""
    old = table.game
    table.game = new_game(tournament, seats)
    table.game_number = tournament.games_created
    table.played = False
    table.save()
    set_places(table, seats)
    game_abort(game_id=old.pk)
    return old


def played_again(
    tournament: Tournament, table: Table, *, reason: str, by: Player | None = None
) -> None:
    """Void the game of a table and let it be played again under a new game number.

    Who has left meanwhile forfeits it at once, so that nobody waits.
    """
    seats = [place.entrant for place in table.places.select_related("entrant__player")]
    voided = where(table)
    deal_anew(tournament, table, seats)
    again = {"replaced_by": str(table.game_id), "number": table.game_number}
    log.write(tournament, ("voided", {**voided, "reason": reason, **again}), by=by)
    for seat, entrant in enumerate(seats):
        if entrant.status != Entrant.Status.PLAYING:
            forfeit(table, seat, ForfeitReason.WITHDRAWN)


def averaged(
    tournament: Tournament, table: Table, *, reason: str, by: Player | None = None
) -> None:
    """Void what a table plays or played on a duplicate board; everybody there has the average."""
    seats = table.places.count()
    take_result(table, [0] * seats, [1] * seats, averaged=True)
    log.write(tournament, ("averaged", {**where(table), "reason": reason}), by=by)
    for game in games_of(table):
        game_abort(game_id=game.pk)
