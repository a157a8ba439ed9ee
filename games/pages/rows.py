"""Games as rows of a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.models import Game, Player, Result
from games.remarks import Remark, remarks_of


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a game in a list."""

    number: int
    player: Player
    rank: int | None
    total: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list."""

    game: Game
    seats: list[SeatRow]
    """Winners first once the game is over, else in seat order."""
    remark: Remark | None
    """What became of it afterwards; None where all is as it was played."""

    @property
    def winners(self) -> list[SeatRow]:
        """The seats that won or share the win."""
        return [seat for seat in self.seats if seat.won]

    @property
    def others(self) -> list[SeatRow]:
        """The seats that did not win."""
        return [seat for seat in self.seats if not seat.won]

    def place_of(self, player: Player) -> int | None:
        """Return a player's place, 1 the best."""
        return next((seat.rank for seat in self.seats if seat.player == player), None)


def game_row(game: Game) -> GameRow:
    """Return a game, read with its result, seats and players, as a row."""
    return game_rows([game])[0]


def game_rows(games: Iterable[Game]) -> list[GameRow]:
    """Return games as rows."""
    shown = list(games)
    remarks = remarks_of(shown)
    return [_row(game, remarks.get(game.pk)) for game in shown]


def _row(game: Game, remark: Remark | None) -> GameRow:
    result: Result | None = getattr(game, "result", None)
    seats = []
    for seat in game.seats.all():
        i = seat.number
        seats.append(
            SeatRow(
                number=i,
                player=seat.player,
                rank=result.ranks[i] if result else None,
                total=result.totals[i] if result else None,
                won=result is not None and i in result.winners,
            )
        )
    if result:
        seats.sort(key=lambda seat: (seat.rank, seat.number))
    return GameRow(game, seats, remark)
