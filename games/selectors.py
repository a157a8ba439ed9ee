"""Reading games: rows, logs, records and replays."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from threading import Lock
from typing import Any
from uuid import UUID

from django.db.models import (
    Count,
    Exists,
    F,
    Func,
    IntegerField,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast
from django.utils import timezone

from engine import record
from engine.replay import Replay
from games.errors import Conflict, NotFound
from games.models import FAULTS, Access, Event, Game, Player, Seat
from games.signals import game_asked

CACHED_REPLAYS = 32
"""Replays kept per process."""

_replays: OrderedDict[tuple[UUID, int, bool], Replay] = OrderedDict()
_lock = Lock()


def game_get(game_id: UUID, reader: Any = None) -> Game:
    """Return a game that a reader may look at, with its seats and players.

    :param reader: the request of who asks; None for anybody.
    :raises NotFound: when there is none, its deals are still played at other tables, or it is
        private and the reader is not let in.
    """
    games = Game.objects.settled().select_related("result")
    game = games.prefetch_related(_seats()).filter(pk=game_id).first()
    if game is None or not _is_let_in(game, reader):
        raise NotFound(f"there is no game {game_id} to look at")
    return game


def _seats() -> Prefetch[Any]:
    """Return that seats are to be read with their players, by one query."""
    return Prefetch("seats", Seat.objects.select_related("player"))


def _is_let_in(game: Game, reader: Any) -> bool:
    if game.access != Access.PRIVATE:
        return True
    return any(bool(answer) for _, answer in game_asked.send(Game, game=game, reader=reader))


def games_list(*, player: Player | None = None) -> QuerySet[Game]:
    """Return the games that anybody may look at, the newest first."""
    games = Game.objects.visible().select_related("result").prefetch_related(_seats())
    if player is not None:
        games = games.filter(seats__player=player)
    return games.order_by("-id")  # a UUIDv7 sorts by time


GAME_STATES = {"running": "Running", "finished": "Finished", "called_off": "Called off"}
"""What a list of games may be narrowed to, and how it is called."""


def games_wanted(
    *, variant: str = "", seats: int = 0, state: str = "", players: Iterable[Iterable[UUID]] = ()
) -> QuerySet[Game]:
    """Return the games of a list, the newest first.

    :param seats: of exactly so many; 0: of any number.
    :param state: of :data:`GAME_STATES`; empty: any.
    :param players: one of each of these sat there.
    """
    games = games_list()
    if variant:
        games = games.filter(variant=variant)
    taken = Seat.objects.filter(game=OuterRef("pk"))
    if seats:
        games = games.filter(Exists(taken.filter(number=seats - 1)))
        games = games.exclude(Exists(taken.filter(number=seats)))
    if state == "running":
        games = games.exclude(status=Game.Status.SEALED)
    elif state:
        won = "result__winners__len__gt" if state == "finished" else "result__winners__len"
        games = games.filter(status=Game.Status.SEALED, **{won: 0})
    for some in players:
        games = games.filter(Exists(taken.filter(player__in=list(some))))
    return games


def players_named(words: str) -> list[UUID]:
    """Return whom words name: the player of that id or name, else all with them in their names."""
    try:
        return list(Player.objects.filter(pk=UUID(words)).values_list("pk", flat=True))
    except ValueError:
        named = Player.objects.order_by("pk").values_list("pk", flat=True)
        exactly = list(named.filter(name__iexact=words))
        return exactly or list(named.filter(name__icontains=words))


def games_finished() -> QuerySet[Game]:
    """Return the games that were played to an end and can be replayed, the newest first."""
    return games_list().filter(status=Game.Status.SEALED, result__winners__len__gt=0)


def games_timed(
    variant: str, *, people: bool, rules: Mapping[str, Any] | None, limit: int
) -> list[tuple[datetime, datetime]]:
    """Return when the latest finished games of a kind began and were over.

    :param people: whether of those with a person at a seat, or of those of bots alone.
    :param rules: every knob, to count only games by these rules; None: by any.
    """
    seated = Seat.objects.filter(game=OuterRef("pk"), player__kind=Player.Kind.PERSON)
    by_people = Exists(seated) if people else ~Exists(seated)
    games = Game.objects.visible().filter(
        by_people, variant=variant, status=Game.Status.SEALED, result__winners__len__gt=0
    )
    if rules is not None:
        games = games.filter(rules=rules)
    spans = games.order_by("-started_at").values_list("started_at", "over_at")[:limit]
    return [(began, over) for began, over in spans if over]


def player_record(player: Player) -> dict[int, int]:
    """Return how often a player came out at each place, 1 the best; called-off games left out."""
    games = Game.objects.visible().filter(result__winners__len__gt=0)
    seats = Seat.objects.filter(player=player, game__in=games)
    seats = seats.annotate(place=_place(F("number")))
    counts = seats.order_by("place").values_list("place").annotate(Count("pk"))
    return dict(counts)


SHOW_HOURS = 24
"""How long a running game is one to be looked at; one that takes longer waits for somebody."""


def game_on_show() -> Game | None:
    """Return the game to look at now: the running one that was begun first, else the last finished.

    It stays the same until it is over, whatever else begins.
    """
    games = Game.objects.visible().filter(seq__gt=0).prefetch_related(_seats())
    since = timezone.now() - timedelta(hours=SHOW_HOURS)
    running = games.filter(status=Game.Status.RUNNING, started_at__gt=since)
    ended = games.filter(status=Game.Status.SEALED, result__winners__len__gt=0)
    return running.order_by("started_at", "pk").first() or ended.order_by("-pk").first()


def _place(seat: Any) -> Func:
    """Return the place that a seat came out at, read beside a row of a seat of its game."""
    return Func(
        F("game__result__ranks"),
        seat + 1,  # PostgreSQL counts from 1
        template="(%(expressions)s]",
        arg_joiner=")[",
        output_field=IntegerField(),
    )


@dataclass(frozen=True, slots=True)
class Opponent:
    """How a player came out in the games with another."""

    player: Player
    games: int
    ahead: int
    """Games in which the player was placed better than the other."""
    level: int

    @property
    def behind(self) -> int:
        """Games in which the other was placed better."""
        return self.games - self.ahead - self.level

    @property
    def percent(self) -> int:
        """Share of the games placed ahead, level ones by half."""
        return round(100 * (2 * self.ahead + self.level) / (2 * self.games))


def player_opponents(player: Player) -> QuerySet[Any, Any]:
    """Return whom a player has met in games that were not called off, the most often met first.

    For :func:`opponents`, some of them or all.
    """
    own = Seat.objects.filter(player=player, game=OuterRef("game"))
    ended = Game.objects.visible().filter(result__winners__len__gt=0)
    met = Seat.objects.filter(game__in=ended.filter(seats__player=player)).exclude(player=player)
    places = met.annotate(
        place=_place(F("number")), mine=_place(Subquery(own.values("number")[:1]))
    )
    return (
        places.order_by()
        .values("player")
        .annotate(
            games=Count("pk"),
            ahead=Count("pk", filter=Q(mine__lt=F("place"))),
            level=Count("pk", filter=Q(mine=F("place"))),
        )
        .order_by("-games", "player")
    )


def opponents(rows: Iterable[dict[str, Any]]) -> list[Opponent]:
    """Return rows of :func:`player_opponents` with the players themselves."""
    met = {row["player"]: row for row in rows}
    players = Player.objects.in_bulk(list(met))
    return [
        Opponent(players[pk], row["games"], row["ahead"], row["level"]) for pk, row in met.items()
    ]


def player_faults(player: Player) -> list[tuple[str, str, int]]:
    """Return how often a player faulted or forfeited: the event, its reason, and the count.

    Of games that anybody may look at, the running ones too: their logs hold no secret.
    """
    seats = Seat.objects.filter(player=player, game=OuterRef("game"), number=OuterRef("seat"))
    events = Event.objects.filter(
        Exists(seats),
        type__in=FAULTS,
        game__in=Game.objects.visible().filter(seats__player=player),
    )
    reason = KeyTextTransform("reason", KeyTransform("data", Cast("body", JSONField())))
    counted = events.annotate(reason=reason).values("type", "reason").annotate(n=Count("seq"))
    return list(counted.order_by("type", "-n", "reason").values_list("type", "reason", "n"))


@dataclass(frozen=True, slots=True)
class DealEnd:
    """How a deal of a game came out."""

    game: UUID
    deal: int
    seq: int
    """The event that says so."""
    ending: str
    moves: int
    """Events of the deal: draws, melds, passes and their like."""
    scores: tuple[int, ...]
    """Points scored by seat."""
    is_undercut: bool
    """Whether a seat knocked and another won it; the gin family has an ending of that name."""


def deals_ended(games: Iterable[UUID]) -> list[DealEnd]:
    """Return the deals of some games that are over, in order; one query, however many."""
    before = Event.objects.filter(game=OuterRef("game"), seq=OuterRef("seq") - 1)
    ends = Event.objects.filter(game__in=list(games), type="deal_ended").order_by("game", "seq")
    rows = ends.annotate(ender=Subquery(before.values("seat")))
    found: list[DealEnd] = []
    last: dict[UUID, int] = {}
    for game, seq, body, ender in rows.values_list("game_id", "seq", "body", "ender"):
        data = json.loads(body)["data"]
        ending = data["ending"]
        undercut = ending == "undercut" or (ending == "knock" and ender not in data["winners"])
        moves = seq - last.get(game, 1) - 2  # between the deal's first line and this one
        last[game] = seq
        scores = tuple(data["scores"])
        found.append(DealEnd(game, data["deal"], seq, ending, moves, scores, undercut))
    return found


def games_forfeited(games: Iterable[UUID]) -> dict[tuple[UUID, int], str]:
    """Return why seats of some games forfeited, by game and seat; one query, however many."""
    events = Event.objects.filter(game__in=list(games), type="forfeited")
    rows = events.values_list("game_id", "seat", "body")
    told = ((game, seat, json.loads(body)["data"]["reason"]) for game, seat, body in rows)
    return {(game, seat): reason for game, seat, reason in told if seat is not None}


def player_get(player_id: UUID) -> Player:
    """Return a player.

    :raises NotFound: when there is none.
    """
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise NotFound(f"there is no player {player_id}")
    return player


def game_version(game_id: UUID) -> tuple[str, bool]:
    """Return what a game's page is drawn from, its events and status, and whether it is sealed."""
    seq, status = Game.objects.values_list("seq", "status").get(pk=game_id)
    return f"{seq}.{status}", status == Game.Status.SEALED


def game_lines(game: Game) -> list[str]:
    """Return the bodies of a game's log, in order; no line of a running game holds a secret."""
    return list(game.events.order_by("seq").values_list("body", flat=True))


def game_record(game: Game) -> str:
    """Return the exported record of a sealed game, head line included.

    :raises Conflict: while the seed is secret; heads are published for sealed games only.
    """
    if not game.is_sealed:
        raise Conflict("the game is not sealed yet; its record can be had when its seed is out")
    lines = [*game_lines(game), record.head_line(game.head)]
    return "".join(f"{line}\n" for line in lines)


def games_sealed() -> QuerySet[Game]:
    """Return the games that are published with complete records, in the order of their ids."""
    return Game.objects.visible().filter(status=Game.Status.SEALED).order_by("pk")


def heads_since(since: datetime | None) -> list[tuple[UUID, str]]:
    """Return the games sealed since a time, or all, in the order of their ids, with their heads."""
    games = games_sealed()
    if since is not None:
        sealed = Event.objects.filter(type="seed_revealed", recorded_at__gt=since)
        games = games.filter(pk__in=sealed.values("game"))
    return list(games.values_list("pk", "head"))


def game_replay(game: Game, *, public: bool = False) -> Replay:
    """Return a game's replay: with all cards once it is sealed, else the public view.

    :param public: the public view of a sealed game, too: what anybody knew while it was played.
    """
    key = (game.pk, game.seq, public)
    with _lock:
        replay = _replays.get(key)
    if replay is None:
        if public:
            known = game_replay(game)
            replay = Replay(known.variant, known.events, None)
        else:
            replay = Replay.of(record.read_lines(game_lines(game)[: game.seq]))
        with _lock:
            _replays[key] = replay
            while len(_replays) > CACHED_REPLAYS:
                _replays.popitem(last=False)
    return replay


def game_verdicts(game: Game) -> list[dict[str, Any]]:
    """Return the verdicts on a game's decisions, in the order of the log, as far as there are any.

    See :func:`games.services.analysis.deal_analysis`.
    """
    deals = game.analyses.order_by("deal").values_list("verdicts", flat=True)
    return list(chain.from_iterable(deals))


def better_play(game: Game, seq: int) -> dict[str, Any]:
    """Return the command that would have been better than a decision.

    :raises NotFound: when none is known.
    """
    plays = game.analyses.filter(plays__has_key=str(seq)).values_list("plays", flat=True).first()
    if plays is None:
        raise NotFound(f"no play that is better than event {seq} is known")
    play: dict[str, Any] = plays[str(seq)]
    return play
