"""Tables and the games that are played at them."""

from __future__ import annotations

from collections.abc import Sequence

from engine import seeds
from engine.events import ForfeitReason
from games.public import Game, Player, game_abort, game_create, game_forfeit
from tournaments import log
from tournaments.models import Entrant, Place, Table, Tournament


def new_game(tournament: Tournament, seats: Sequence[Entrant]) -> Game:
    """Create the tournament's next game; its seed follows from ``T`` and its number."""
    tournament.games_created += 1
    return game_create(
        variant=tournament.kind,
        rules=tournament.rules,
        players=[entrant.player for entrant in seats],
        seed=seeds.game_seed(bytes(tournament.seed), tournament.games_created),
    )


def set_places(table: Table, seats: Sequence[Entrant]) -> None:
    """Seat entrants at a table, instead of whoever sat there."""
    table.places.all().delete()
    Place.objects.bulk_create(
        Place(round_id=table.round_id, table=table, seat=seat, entrant=entrant)
        for seat, entrant in enumerate(seats)
    )


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
    old = deal_anew(tournament, table, seats)
    log.write(
        tournament,
        (
            "voided",
            {
                "phase": table.round.phase.number,
                "round": table.round.number,
                "table": table.number,
                "game": str(old.pk),
                "reason": reason,
                "replaced_by": str(table.game_id),
                "number": table.game_number,
            },
        ),
        by=by,
    )
    for seat, entrant in enumerate(seats):
        if entrant.status != Entrant.Status.PLAYING:
            game_forfeit(game_id=table.game_id, seat=seat, reason=ForfeitReason.WITHDRAWN)
