"""Duplicate boards: rounds whose tables all play the same deals.

The games of a round share one seed and begin together. How any of them came out is taken when the
last one is over, all at once: what one table has scored would tell another about its cards. A game
that was called off or voided cannot be dealt anew; its table has the average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import seeds
from games.public import DealsPlayed, Game, Seed, deals_played, game_reveal, seed_create
from tournaments import log
from tournaments.models import Entrant, Rotation, Round, Table, Tournament
from tournaments.services.tables import (
    averaged,
    games_of,
    new_game,
    seat_in,
    take_result,
    where,
)


def board_open(tournament: Tournament) -> Seed:
    """Return the seed that all games of a round will share: that of the next game's number."""
    number = tournament.games_created + 1
    return seed_create(value=seeds.game_seed(bytes(tournament.seed), number))


def rotations_open(
    tournament: Tournament, table: Table, seats: Sequence[Entrant], board: Seed
) -> list[dict[str, Any]]:
    """Create the further games of a table, one for each rotation of its seats.

    :returns: each game and its number, as they stand in the log.
    """
    opened = []
    for number in range(1, len(seats)):
        turned = [*seats[-number:], *seats[:-number]]
        game = new_game(tournament, turned, board)
        created = tournament.games_created
        Rotation.objects.create(table=table, number=number, game=game, game_number=created)
        opened.append({"game": str(game.pk), "number": created})
    return opened


def board_take(tournament: Tournament, playing: Round) -> bool:
    """Take the results of all tables of a round, unless one of its games still runs.

    :returns: whether any was taken.
    """
    tables = list(playing.tables.select_related("game__result", "round__phase"))
    games = {table: games_of(table) for table in tables}
    if any(game.status == Game.Status.RUNNING for of in games.values() for game in of):
        return False
    left = [table for table in tables if not table.played]
    for table in left:
        if any(game.result.is_aborted for game in games[table]):
            averaged(tournament, table, reason="aborted")
        else:
            _take(tournament, table, games[table])
    return bool(left)


def board_reveal(over: Round) -> None:
    """Reveal the seed of a round's board in all its games, which are over.

    With the last that a log says of a round everybody may see its games: nothing tells them later.
    """
    for table in over.tables.select_related("game"):
        for game in games_of(table):
            game_reveal(game_id=game.pk)


def _take(tournament: Tournament, table: Table, games: Sequence[Game]) -> None:
    """Take the result of a table: of its one game, or of all rotations together."""
    places = table.places.select_related("entrant")
    played = [deals_played(game) for game in games]
    result = games[0].result
    totals, ranks = list(result.totals), list(result.ranks)
    if len(games) > 1:
        totals, ranks = _together(games, played)
    take_result(table, totals, ranks)
    data = {
        **where(table),
        "seats": [str(place.entrant.player_id) for place in places],
        "ending": result.ending,
        "totals": totals,
        "ranks": ranks,
        "deals": [{"scores": of.scores, "gone": of.gone} for of in played],
    }
    log.write(tournament, ("result", data))


def _together(games: Sequence[Game], played: Sequence[DealsPlayed]) -> tuple[list[int], list[int]]:
    """Return the scores of all rotations together and the places, forfeiters behind all others."""
    seats = range(len(games))
    totals, order = [], []
    for seat in seats:
        held = [seat_in(seat, rotation, len(games)) for rotation in seats]
        totals.append(sum(game.result.totals[at] for game, at in zip(games, held, strict=True)))
        gone = sum(at in of.gone for of, at in zip(played, held, strict=True))
        order.append((-gone, totals[-1]))
    return totals, [1 + sum(other > own for other in order) for own in order]
