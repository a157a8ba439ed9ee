"""Ways to store games that nobody had to play, for tests of leaderboards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from games.models import Game, Player, Result, Seat, Seed
from tests.tournaments.helpers import ranks_of
from tests.tournaments.running import small_spec
from tournaments.models import Entrant, Phase, Place, Round, Table, Tournament
from tournaments.services.tournaments import tournament_create

VARIANT = "manipulation"


def players(count: int, kind: str = Player.Kind.BOT) -> list[Player]:
    """New players, named Player 1 and so on."""
    first = Player.objects.count() + 1
    return Player.objects.bulk_create(
        Player(kind=kind, policy="random" if kind == "bot" else "", name=f"Player {number}")
        for number in range(first, first + count)
    )


def stored_games(
    rows: Iterable[tuple[Sequence[Player], Sequence[int]]],
    *,
    name: str = "Stored",
    practice: bool = False,
    days_ago: float = 0,
    shared: int = 0,
) -> Tournament:
    """A tournament whose games came out so: players by seat, and their scores; one a round.

    :param days_ago: when the first game ended; each next one ended a second later.
    :param shared: how many games in a row share their deals; 0: none.
    """
    spec = small_spec(name=name)
    tournament = tournament_create(spec=spec, seed=bytes(32) if practice else None)
    Tournament.objects.filter(pk=tournament.pk).update(status=Tournament.Status.ENDED)
    tournament.entrants.all().delete()
    phase = tournament.phases.get()
    Phase.objects.filter(pk=phase.pk).update(status=Phase.Status.CLOSED)
    rows = list(rows)
    field = {player.pk: player for seats, _ in rows for player in seats}
    entrants = {
        entrant.player_id: entrant
        for entrant in Entrant.objects.bulk_create(
            Entrant(tournament=tournament, player=player, number=number)
            for number, player in enumerate(field.values(), 1)
        )
    }
    seeds = Seed.objects.bulk_create(Seed(value=bytes(32)) for _ in rows)
    ended = datetime.now(UTC) - timedelta(days=days_ago, minutes=1)
    games = Game.objects.bulk_create(
        Game(
            variant=VARIANT,
            rules=dict(tournament.rules),
            seed=seeds[number // shared if shared else number],
            circle=tournament.pk,
            status=Game.Status.SEALED,
            over_at=ended + timedelta(milliseconds=number),
        )
        for number in range(len(rows))
    )
    rounds = Round.objects.bulk_create(
        Round(phase=phase, number=number, status=Round.Status.CLOSED)
        for number in range(1, len(rows) + 1)
    )
    tables = Table.objects.bulk_create(
        Table(round=round_, number=1, game=game, game_number=round_.number, played=True)
        for round_, game in zip(rounds, games, strict=True)
    )
    places, seated, results = [], [], []
    for (seats, scores), table, game in zip(rows, tables, games, strict=True):
        ranks = ranks_of(scores)
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        results.append(
            Result(game=game, ending="deals", totals=scores, ranks=ranks, winners=winners, deals=1)
        )
        for seat, player in enumerate(seats):
            seated.append(Seat(game=game, number=seat, player=player))
            places.append(
                Place(
                    round_id=table.round_id,
                    table=table,
                    seat=seat,
                    entrant=entrants[player.pk],
                    score=scores[seat],
                    rank=ranks[seat],
                )
            )
    Result.objects.bulk_create(results)
    Seat.objects.bulk_create(seated, batch_size=5_000)
    Place.objects.bulk_create(places, batch_size=5_000)
    return tournament
