"""Reading games: rows, logs, records and replays."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from threading import Lock
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Func, IntegerField, OuterRef, QuerySet, Subquery

from engine import record
from engine.replay import Replay
from games.errors import Conflict, NotFound
from games.models import Access, Event, Game, Player, Seat
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
    games = Game.objects.settled().select_related("seed", "result")
    game = games.prefetch_related("seats__player").filter(pk=game_id).first()
    if game is None or not _is_let_in(game, reader):
        raise NotFound(f"there is no game {game_id} to look at")
    return game


def _is_let_in(game: Game, reader: Any) -> bool:
    if game.access != Access.PRIVATE:
        return True
    return any(bool(answer) for _, answer in game_asked.send(Game, game=game, reader=reader))


def games_list(*, player: Player | None = None) -> QuerySet[Game]:
    """Return the games that anybody may look at, the newest first."""
    games = Game.objects.visible().select_related("result").prefetch_related("seats__player")
    if player is not None:
        games = games.filter(seats__player=player)
    return games.order_by("-id")  # a UUIDv7 sorts by time


def games_finished() -> QuerySet[Game]:
    """Return the games that were played to an end and can be replayed, the newest first."""
    return games_list().filter(status=Game.Status.SEALED, result__winners__len__gt=0)


def player_record(player: Player) -> dict[int, int]:
    """Return how often a player came out at each place, 1 the best; called-off games left out."""
    place = Func(
        F("game__result__ranks"),
        F("number") + 1,  # PostgreSQL counts from 1
        template="(%(expressions)s]",
        arg_joiner=")[",
        output_field=IntegerField(),
    )
    games = Game.objects.visible().filter(result__winners__len__gt=0)
    seats = Seat.objects.filter(player=player, game__in=games).annotate(place=place)
    counts = seats.order_by("place").values_list("place").annotate(Count("pk"))
    return dict(counts)


@dataclass(frozen=True, slots=True)
class DealEnd:
    """How a deal of a game came out."""

    game: UUID
    ending: str
    moves: int
    """Events of the deal: draws, melds, passes and their like."""
    scores: tuple[int, ...]
    """Points scored by seat."""
    is_undercut: bool
    """Whether a seat ended it by a knock and another won it."""


def deals_ended(games: Iterable[UUID]) -> list[DealEnd]:
    """Return the deals of some games that are over, in order; one query, however many."""
    before = Event.objects.filter(game=OuterRef("game"), seq=OuterRef("seq") - 1)
    ends = Event.objects.filter(game__in=list(games), type="deal_ended").order_by("game", "seq")
    rows = ends.annotate(ender=Subquery(before.values("seat")))
    found: list[DealEnd] = []
    last: dict[UUID, int] = {}
    for game, seq, body, ender in rows.values_list("game_id", "seq", "body", "ender"):
        data = json.loads(body)["data"]
        undercut = data["ending"] == "knock" and ender not in data["winners"]
        moves = seq - last.get(game, 1) - 2  # between the deal's first line and this one
        last[game] = seq
        found.append(DealEnd(game, data["ending"], moves, tuple(data["scores"]), undercut))
    return found


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
