"""Reading leaderboards: the games that count, and players in the order of their strength."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import ExpressionWrapper, F, FloatField, QuerySet
from django.utils import timezone

from engine.errors import BadInput
from engine.variants import VARIANTS, find_variant
from games.public import Access, Estimate, Player
from tournaments.models import Entrant, Place, Rating, RatingHistory, Refit, Strength
from tournaments.ratings.games import PERIODS, RatedGame, Scope
from tournaments.ratings.openskill import Rating as Newcomer
from tournaments.ratings.ranges import Field, RankRange

PROVISIONAL_GAMES = 10
"""Games below which a strength may still move a lot."""

NORMAL_95 = 1.96
"""Standard deviations on either side that hold 95% of a normal distribution."""

MAX_GAMES = 99_999
"""Largest number of games that a leaderboard may ask for."""

_WON = ExpressionWrapper(1.0 * F("wins") / F("games"), output_field=FloatField())

SORTS: Mapping[str, Any] = {
    "rating": F("strength").desc(),
    "games": F("games").desc(),
    "won": _WON.desc(),
    "last": F("last_at").desc(),
    "name": F("player__name").asc(),
}
"""What a leaderboard may be sorted by."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which leaderboard somebody asks for."""

    variant: str
    seats: int = 0
    """Players at the tables that count; 0: any number."""
    days: int = 0
    """Age in days up to which games count; 0: any."""
    kind: str = ""
    """Bots or people only, else empty."""
    min_games: int = 0
    """Games that a player must have."""
    sort: str = "rating"

    @classmethod
    def read(cls, variant: str, query: Mapping[str, str]) -> Wanted:
        """Return what a query asks for.

        :raises BadInput: naming the parameter and what it may be.
        """
        kind = find_variant(variant)
        return cls(
            variant=kind.key,
            seats=_number(query, "seats", [0, *kind.seats]),
            days=_number(query, "days", PERIODS),
            kind=_word(query, "kind", ["", *Player.Kind.values]),
            min_games=_number(query, "min_games", range(MAX_GAMES + 1)),
            sort=_word(query, "sort", SORTS, "rating"),
        )

    @property
    def scope(self) -> Scope:
        """The games that count; as many seats as the game kind has at all are any number."""
        only = len(find_variant(self.variant).seats) == 1
        return Scope(0 if only else self.seats, self.days)

    @property
    def query(self) -> dict[str, str]:
        """What an address says to ask for the same again; what is usual is left out."""
        said = {
            "seats": self.seats,
            "days": self.days,
            "kind": self.kind,
            "min_games": self.min_games,
            "sort": self.sort if self.sort != "rating" else "",
        }
        return {name: str(value) for name, value in said.items() if value}


def _number(query: Mapping[str, str], name: str, allowed: Iterable[int]) -> int:
    given = query.get(name) or "0"
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 6 else -1
    if number not in allowed:
        known = f"0 to {MAX_GAMES}" if isinstance(allowed, range) else _listed(allowed)
        raise BadInput(f"{name} must be {known}, not {given!r}")
    return number


def _word(query: Mapping[str, str], name: str, allowed: Iterable[str], usual: str = "") -> str:
    given = query.get(name) or usual
    if given not in allowed:
        raise BadInput(f"{name} must be {_listed(filter(None, allowed))}, not {given!r}")
    return given


def _listed(values: Iterable[object]) -> str:
    return "one of " + ", ".join(map(str, values))


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A player on a leaderboard."""

    player: Player
    rank: RankRange
    strength: float
    low: float
    high: float
    games: int
    wins: int
    last_at: datetime
    running: Rating | None
    """The rating that follows every game."""

    @property
    def provisional(self) -> bool:
        """Whether the player has too few games for the strength to be firm."""
        return _few(self.games)

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval."""
        return (self.high - self.low) / 2

    @property
    def won(self) -> float:
        """Share of the games won or shared."""
        return self.wins / self.games


def _few(games: int) -> bool:
    return games < PROVISIONAL_GAMES


class Board:
    """A leaderboard: which, of when, and its rows; queries do not grow with the players."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.refit = Refit.objects.filter(
            variant=wanted.variant, seats=wanted.scope.seats, days=wanted.days
        ).first()
        """The fit that ranks are read from; None where no game counts yet."""

    @cached_property
    def strengths(self) -> QuerySet[Strength]:
        """The players that were asked for, in the order that was asked for."""
        found = Strength.objects.filter(refit=self.refit, games__gte=max(1, self.wanted.min_games))
        if self.wanted.kind:
            found = found.filter(player__kind=self.wanted.kind)
        order = (SORTS[self.wanted.sort], "-strength", "pk")
        return found.select_related("player").order_by(*order)

    def rows(self, strengths: Iterable[Strength]) -> list[BoardRow]:
        """Return some of the board's players as rows."""
        shown = list(strengths)
        rated = Rating.objects.filter(
            variant=self.wanted.variant, player__in=[row.player_id for row in shown]
        )
        running = {rating.player_id: rating for rating in rated}
        firm, everybody = self._fields
        return [
            BoardRow(
                player=row.player,
                rank=(everybody if _few(row.games) else firm).rank(row.low, row.high),
                strength=row.strength,
                low=row.low,
                high=row.high,
                games=row.games,
                wins=row.wins,
                last_at=row.last_at,
                running=running.get(row.player_id),
            )
            for row in shown
        ]

    def place_of(self, player: Player) -> int | None:
        """Return where a player stands in the list, from 0, or None if nowhere."""
        ids = list(self.strengths.values_list("player_id", flat=True))
        return ids.index(player.pk) if player.pk in ids else None

    @cached_property
    def _fields(self) -> tuple[Field, Field]:
        """Whom the firm are ranked among, and whom the provisional.

        Somebody with few games may be anywhere, and would leave every rank open.
        """
        known = list(self.strengths.order_by().values_list("low", "high", "games"))
        return (
            Field((low, high) for low, high, games in known if not _few(games)),
            Field((low, high) for low, high, _ in known),
        )


def latest_board() -> str:
    """Return the game kind whose leaderboard was fitted last, at first the first there is."""
    fitted = Refit.objects.filter(seats=0, days=0, games__gt=0).order_by("-as_of")
    return fitted.values_list("variant", flat=True).first() or VARIANTS[0].key


def leaders(variant: str, count: int) -> list[BoardRow]:
    """Return the first players of a game kind's leaderboard."""
    board = Board(Wanted(variant))
    return board.rows(board.strengths[:count])


def ratings_of(player: Player) -> list[tuple[Rating, BoardRow | None]]:
    """Return a player's ratings, each with its row on the leaderboard once it has one."""
    found = []
    for rating in Rating.objects.filter(player=player).order_by("variant"):
        board = Board(Wanted(rating.variant))
        rows = board.rows(board.strengths.filter(player=player))
        found.append((rating, rows[0] if rows else None))
    return found


def rating_history(rating: Rating, days: int = 0) -> list[tuple[datetime, Estimate]]:
    """Return a rating after each game that counted: when it ended, and its 95% interval then.

    :param days: how far back to go; 0: to the first game.
    """
    history = RatingHistory.objects.filter(rating=rating).first()
    if history is None:
        return []
    since = timezone.now() - timedelta(days=days) if days else None
    return [
        (at, Estimate(mu, NORMAL_95 * sigma))
        for at, mu, sigma in zip(history.at, history.mu, history.sigma, strict=True)
        if since is None or at > since
    ]


def rating_change(entrant: Entrant, variant: str) -> tuple[float, int] | None:
    """Return by how much the games of its tournament moved an entrant's running rating, and how
    many they were; None while none has counted.

    :param variant: the tournament's game kind. Games of other tournaments may lie in between.
    """
    history = RatingHistory.objects.filter(
        rating__variant=variant, rating__player=entrant.player_id
    ).first()
    places = Place.objects.filter(entrant=entrant, table__played=True, table__averaged=False)
    ended = set(places.values_list("table__game__over_at", flat=True))
    if history is None:
        return None
    moved = pairwise([Newcomer().mu, *history.mu])
    changes = [
        after - before for at, (before, after) in zip(history.at, moved, strict=True) if at in ended
    ]
    return (sum(changes), len(changes)) if changes else None


def strengths_of(variant: str, players: Iterable[UUID]) -> QuerySet[Strength]:
    """Return what the leaderboard over all games says of some players."""
    return Strength.objects.filter(
        refit__variant=variant, refit__seats=0, refit__days=0, player__in=list(players)
    )


def rated_games(variant: str) -> list[RatedGame]:
    """Return the games of a game kind that count for ratings, in the order in which they ended.

    A corrected result counts as corrected, and of a table that played again the game that counts.
    A board that was played in every rotation of the seats counts once, as its games came out
    together; one that was called off does not count. Practice counts for nothing, and what is
    private tells nothing.
    """
    places = Place.objects.filter(
        table__played=True,
        table__averaged=False,
        round__phase__tournament__variant=variant,
        round__phase__tournament__practice=False,
    ).exclude(round__phase__tournament__access=Access.PRIVATE)
    games = places.values(
        game=F("table__game_id"), over_at=F("table__game__over_at"), deals=F("table__game__seed_id")
    ).annotate(
        players=ArrayAgg("entrant__player_id", order_by="seat"),
        ranks=ArrayAgg("rank", order_by="seat"),
    )
    return [
        RatedGame(
            game=row["game"],
            players=tuple(row["players"]),
            ranks=tuple(row["ranks"]),
            deals=row["deals"],
            over_at=row["over_at"],
        )
        for row in games.order_by("over_at", "game")
    ]
