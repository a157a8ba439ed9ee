"""Filling a scratch database: many games under ids and chains of their own, copied from a few that
bots played, and the tournaments that they belong to.

Everything else is made by the site's own services: entering, standings, ratings, leaderboards. Only
who meets whom is drawn at random instead of paired, and results are noted a round at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count, cycle, islice
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone
from uuid6 import uuid7

from engine.game import Game as Played
from engine.play import play_out
from engine.policies import find_policy
from engine.record import digest, loads, read_lines
from engine.replay import Replay
from engine.variant import Variant
from engine.variants import find_variant
from games.models import Analysis, Game, Player, Result, Seat, Seed
from games.services.analysis import deal_analysis
from games.services.results import result_fields
from tournaments import log
from tournaments.models import Entrant, Phase, Place, Round, Table, Tournament
from tournaments.services.ratings import ratings_refresh
from tournaments.services.refits import leaderboard_refit
from tournaments.services.rounds import start_phase
from tournaments.services.standings import refresh_standings
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import parse_spec

ONE_DEAL = {"length": "deals", "deals": 1}
ORIGINALS = 6
"""Games that bots play of each kind; the others are copies of them."""
RUNNING = 8
"""Games of the last round of the largest tournament that stand half way."""
SMALL = 40
"""Small tournaments beside the large one."""
PACE = timedelta(minutes=3)
"""Between the ends of two games."""


class Line(NamedTuple):
    """A line of a log."""

    type: str
    seat: int | None
    body: str


@dataclass(frozen=True, slots=True)
class Original:
    """A game that bots played, to be copied."""

    played: Played
    seed: bytes
    lines: list[Line]
    analyses: list[tuple[list[Any], dict[str, Any]]]
    result: dict[str, Any]

    @classmethod
    def play(
        cls, variant: Variant, policies: Sequence[str], seed: bytes, rules: dict[str, Any]
    ) -> Original:
        """Let bots play a game and analyse it."""
        seats = [f"player {number}" for number in range(len(policies))]
        played = Played.start(variant, seats, seed=seed, rules=rules)
        play_out(played, [find_policy(variant, name) for name in policies])
        bodies = played.lines
        read = [(line, loads(line)) for line in bodies]
        replay = Replay.of(read_lines(bodies))
        return cls(
            played,
            seed,
            [Line(line["type"], line["seat"], body) for body, line in read],
            [deal_analysis(replay, deal) for deal in range(1, len(replay.deals) + 1)],
            result_fields(played.state),
        )


@dataclass
class Copies:
    """Copies of games that wait to be stored."""

    seeds: list[Seed] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    analyses: list[Analysis] = field(default_factory=list)
    events: list[tuple[Any, ...]] = field(default_factory=list)

    def add(
        self,
        original: Original,
        players: Sequence[Player],
        at: datetime,
        *,
        circle: UUID | None = None,
        half: bool = False,
    ) -> Game:
        """Copy a game for other players, ended at a time, or the first half of it, running."""
        game = Game(
            id=uuid7(),
            variant=original.played.variant.key,
            rules=loads(original.lines[0].body)["data"]["rules"],
            seed=Seed(value=original.seed),
            circle=circle,
            status=Game.Status.RUNNING if half else Game.Status.SEALED,
            deal=1 if half else original.result["deals"],
            over_at=None if half else at,
            analysed=not half,
        )
        lines = original.lines[: len(original.lines) // 2] if half else original.lines
        ids = {f"player {number}": str(player.pk) for number, player in enumerate(players)}
        before = old = "0" * 64
        for seq, line in enumerate(lines, 1):
            body = line.body.replace(original.played.id, str(game.pk)).replace(old, before)
            if seq == 1:
                for seat, player in ids.items():
                    body = body.replace(seat, player)
            old, hashed = digest(line.body), sha256(body.encode()).digest()
            before = hashed.hex()
            self.events.append((game.pk, seq, line.type, line.seat, body, hashed, at))
        game.seq, game.head = len(lines), before
        self.seeds.append(game.seed)
        self.games.append(game)
        self.seats += [Seat(game=game, number=n, player=player) for n, player in enumerate(players)]
        if not half:
            self.results.append(Result(game=game, **original.result))
            self.analyses += [
                Analysis(game=game, deal=deal, verdicts=verdicts, plays=plays)
                for deal, (verdicts, plays) in enumerate(original.analyses, 1)
            ]
        return game

    def store(self) -> None:
        """Write all of them; the triggers check every line."""
        Seed.objects.bulk_create(self.seeds)
        Game.objects.bulk_create(self.games)
        Seat.objects.bulk_create(self.seats)
        Result.objects.bulk_create(self.results)
        Analysis.objects.bulk_create(self.analyses)
        columns = "game_id, seq, type, seat, body, hash, recorded_at"
        with (
            connection.cursor() as cursor,
            cursor.copy(f"COPY games_event ({columns}) FROM STDIN") as copy,
        ):
            for row in self.events:
                copy.write_row(row)


class Filled(NamedTuple):
    """What is in the database to be looked at."""

    large: Tournament
    """The tournament of the whole field, in its last round."""
    longest: Game
    """A game of very many events."""

    @classmethod
    def found(cls) -> Filled:
        """Return what there is in a database that was filled."""
        large = Tournament.objects.alias(n=Count("entrants")).order_by("-n")[0]
        return cls(large, Game.objects.order_by("-seq")[0])


def fill(*, games: int, entrants: int, longest: int, key: bytes = b"load") -> Filled:
    """Fill the database.

    :param games: in all; seven in ten of them belong to one tournament.
    :param entrants: of that tournament.
    :param longest: events, at least, of one more game.
    """
    rng = Random(key)
    few = originals("manipulation", [("greedy", "random", "greedy", "careful")], key)
    duels = originals("gin", [("simple", "strong")], key)
    large = parse_spec(
        {
            "name": "Load open",
            "variant": "manipulation",
            "rules": ONE_DEAL,
            "entrants": [{"bot": "greedy", "count": entrants}],
            "phases": [{"format": "swiss", "table_size": 4, "rounds": 50}],
        }
    )
    begin = timezone.now() - PACE * games
    ends = (begin + PACE * n for n in count())
    rounds = max(2, games * 7 // 10 // (entrants // 4))
    found = _tournament(large, few, rounds, ends, rng, running=RUNNING)
    left = games - rounds * (entrants // 4)
    for number in range(SMALL):
        small = parse_spec(
            {
                "name": f"Duels {number + 1}",
                "variant": "gin",
                "rules": ONE_DEAL,
                "entrants": [{"bot": "simple", "count": 6}, {"bot": "strong", "count": 4}],
                "phases": [{"format": "swiss", "table_size": 2, "rounds": 50}],
            }
        )
        _tournament(small, duels, max(1, left // SMALL // 5), ends, rng)
    for original in (few[0], duels[0]):
        ratings_refresh(variant=original.played.variant.key)
        leaderboard_refit(variant=original.played.variant.key)
    return Filled(found, _longest(longest, key))


def originals(variant: str, tables: Sequence[Sequence[str]], key: bytes) -> list[Original]:
    """Let bots play the games of a kind that all others are copies of."""
    seats = list(islice(cycle(tables), ORIGINALS))
    kind = find_variant(variant)
    return [
        Original.play(kind, policies, sha256(key + b"%d" % number).digest(), dict(ONE_DEAL))
        for number, policies in enumerate(seats)
    ]


def _longest(events: int, key: bytes) -> Game:
    """Store a game of so many events; more deals until there are enough."""
    kind, bots, deals = find_variant("manipulation"), ("random", "greedy", "random", "random"), 8
    while True:
        rules = {"length": "deals", "deals": deals}
        original = Original.play(kind, bots, sha256(key).digest(), rules)
        if len(original.lines) >= events:
            break
        deals = 1 + deals * events // len(original.lines)
    copies = Copies()
    players = list(Player.objects.order_by("pk")[:4])
    game = copies.add(original, players, timezone.now())
    copies.store()
    return game


@transaction.atomic
def _tournament(
    spec: Any,
    few: Sequence[Original],
    rounds: int,
    ends: Iterator[datetime],
    rng: Random,
    *,
    running: int = 0,
) -> Tournament:
    """Store a tournament of some rounds; of the last one some games may be running."""
    tournament = tournament_create(spec=spec)
    tournament_start(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    tournament.due.all().delete()
    phase = tournament.phases.get()
    start_phase(tournament, phase)
    field = list(tournament.entrants.select_related("player"))
    for number in range(1, rounds + 1):
        last = number == rounds
        rng.shuffle(field)
        _round(tournament, phase, number, field, few, ends, rng, running if last else 0)
    refresh_standings(phase, log.read(tournament).phase(phase.number))
    if not running:
        tournament.status, tournament.ended_at = Tournament.Status.ENDED, next(ends)
        tournament.save()
        Phase.objects.filter(pk=phase.pk).update(status=Phase.Status.CLOSED)
    return tournament


def _round(
    tournament: Tournament,
    phase: Phase,
    number: int,
    field: Sequence[Entrant],
    few: Sequence[Original],
    ends: Iterator[datetime],
    rng: Random,
    running: int,
) -> None:
    status = Round.Status.RUNNING if running else Round.Status.CLOSED
    round_ = Round.objects.create(phase=phase, number=number, status=status)
    copies, tables, places, paired, results = Copies(), [], [], [], []
    size = len(few[0].result["ranks"])
    for at, first in enumerate(range(0, len(field) - size + 1, size), 1):
        sitting, original = field[first : first + size], rng.choice(few)
        half = at <= running
        players = [entrant.player for entrant in sitting]
        game = copies.add(original, players, next(ends), circle=tournament.pk, half=half)
        tournament.games_created += 1
        played = original.result
        table = Table(
            round=round_,
            number=at,
            game=game,
            game_number=tournament.games_created,
            played=not half,
        )
        tables.append(table)
        seats = [str(entrant.player_id) for entrant in sitting]
        said = {"table": at, "game": str(game.pk), "seats": seats}
        paired.append(said | {"number": table.game_number})
        where = {"phase": phase.number, "round": number}
        outcome = {name: played[name] for name in ("ending", "totals", "ranks")}
        if not half:
            results.append(("result", where | said | outcome))
        for seat, entrant in enumerate(sitting):
            place = Place(round=round_, table=table, seat=seat, entrant=entrant)
            if not half:
                place.score, place.rank = played["totals"][seat], played["ranks"][seat]
            places.append(place)
    copies.store()
    Table.objects.bulk_create(tables)
    Place.objects.bulk_create(places)
    told = {"phase": phase.number, "round": number, "tables": paired, "byes": [], "notes": []}
    log.write(tournament, ("paired", told), *results)
    if not running:
        log.write(tournament, ("round_closed", {"phase": phase.number, "round": number}))
