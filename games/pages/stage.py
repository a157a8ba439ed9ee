"""What a step of a replay shows: narration, table, hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString

from engine.cards import HIDDEN, Card
from engine.events import Status
from engine.replay import Replay, Turn
from engine.variant import Caption, Variant
from games.errors import NotFound
from games.models import Game, Player
from games.pages.perspective import OPEN, Perspective
from games.pages.web import drawing_version
from games.pages.words import caption_html, caption_text
from games.selectors import game_replay
from games.services.games import read_command


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat as a step shows it."""

    number: int
    player: Player
    cards: int
    hand: tuple[Card, ...] | None
    """None while its cards are secret."""
    points: int | None
    """Points in hand, where they are known."""
    delta: int | None
    """What the turn did to them."""
    total: int
    """Points scored so far."""
    acted: bool
    """Whether the step is this seat's turn."""
    forfeited: bool

    @property
    def drop(self) -> int:
        """By how much the turn made the hand lighter."""
        return -(self.delta or 0)


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of a game."""

    game: Game
    step: int
    last: int
    """The last step."""
    deal: int
    deals: int
    """Deals begun so far."""
    turn: int
    """Number of the turn within its deal, 0 before the first."""
    turns: int
    """Turns of that deal."""
    view: dict[str, Any]
    """What anybody may know, as the game kind's observation tells it."""
    board: Any
    """What the game kind's own template draws; of hands only those that ``seats`` show."""
    narration: list[SafeString]
    text: str
    """The narration as plain text."""
    seats: list[SeatShown]
    seen: Perspective
    """Whose cards are shown."""
    is_better: bool
    """Whether this is not what was played but what would have been better."""
    lap: int
    """Steps of a lap: seats that still play."""
    ends: bool
    """Whether it is the last step of its deal."""
    to_deal_back: int
    """The first step of this deal, or of the one before if this is it."""
    to_deal_forward: int
    """The first step of the next deal, or the last of all."""

    @property
    def acting(self) -> SeatShown | None:
        """The seat whose turn the step is."""
        return next((seat for seat in self.seats if seat.acted), None)

    @property
    def place(self) -> str:
        """Where the step is, in words."""
        if self.turn == 0:
            return f"Deal {self.deal}, before the first turn"
        return f"Deal {self.deal}, turn {self.turn} of {self.turns}"

    @property
    def to_back(self) -> int:
        """The step before."""
        return max(0, self.step - 1)

    @property
    def to_forward(self) -> int:
        """The step after."""
        return min(self.last, self.step + 1)

    @property
    def to_come(self) -> int:
        """Steps that follow."""
        return self.last - self.step

    @property
    def to_lap_back(self) -> int:
        """The step a lap before."""
        return max(0, self.step - self.lap)

    @property
    def to_lap_forward(self) -> int:
        """The step a lap after."""
        return min(self.last, self.step + self.lap)

    @property
    def folder(self) -> str:
        """Templates of the game kind."""
        return f"games/{self.game.kind.family}"

    @property
    def board_template(self) -> str:
        """Template of the table."""
        return f"{self.folder}/board.html"

    @property
    def table_template(self) -> str:
        """Template of the table as a picture."""
        return f"{self.folder}/table.svg"

    @property
    def hand_template(self) -> str:
        """Template of the hand below the table."""
        return f"{self.folder}/hand.html"

    @property
    def legend_template(self) -> str:
        """Template of what the signs of the move grid mean."""
        return f"{self.folder}/legend.html"

    @property
    def hand_measure(self) -> str:
        """What the points of a hand are called."""
        return self.game.kind.hand_measure


class Better(NamedTuple):
    """A command that would have been better than what was played."""

    seq: int
    """Event of the decision in whose place it stands."""
    command: Mapping[str, Any]


def stage(
    game: Game,
    replay: Replay,
    step: int,
    seen: Perspective = OPEN,
    better: Better | None = None,
) -> Stage:
    """Return what a step shows; never more than anybody may know of the game now.

    :param seen: whose cards are shown, of those that are known.
    :param better: what to show as if it had been played at this step.
    """
    turn = replay.turn(step)
    public = replay if seen.is_open else game_replay(game, public=True)
    teller = replay if turn is not None and seen.sees(turn.seat) else public
    shown = _played(replay, teller, step) if better is None else _imagined(replay, step, better)
    state = shown.state
    number = next(i for i, steps in enumerate(replay.deals, 1) if step in steps)
    steps = replay.deals[number - 1]
    turns = [s for s in steps if replay.turn(s)]
    names = [seat.player.name for seat in game.seats.all()]
    view = replay.variant.observe(state, None).as_dict()
    return Stage(
        game=game,
        step=step,
        last=len(replay.steps) - 1,
        deal=number,
        deals=len(replay.deals),
        turn=turns.index(step) + 1 if step in turns else 0,
        turns=len(turns),
        view=view,
        board=shown.board,
        narration=[caption_html(caption, names) for caption in shown.told],
        text=" ".join(caption_text(caption, names) for caption in shown.told),
        seats=_seats(game, replay.variant, turn, (state, public.state(step)), view["seats"], seen),
        seen=seen,
        is_better=better is not None,
        lap=max(1, len(names) - len(state.forfeits)),
        ends=step == steps[-1],
        to_deal_back=next(d[0] for d in replay.deals if max(0, step - 1) in d),
        to_deal_forward=min(steps[-1] + 1, len(replay.steps) - 1),
    )


def last_stage(game: Game) -> Stage:
    """Return where a game stands, or how it ended."""
    replay = game_replay(game)
    return stage(game, replay, len(replay.steps) - 1)


class _Shown(NamedTuple):
    """The state that a step shows, how it came about and what it looks like."""

    state: Any
    told: Sequence[Caption]
    board: Any


def _played(replay: Replay, teller: Replay, step: int) -> _Shown:
    """Return what was played, told by a replay that knows no more than may be told."""
    return _Shown(replay.state(step), teller.narration(step), replay.board(step))


def _imagined(replay: Replay, step: int, better: Better) -> _Shown:
    """Return what would be if a decision of a step had been another."""
    variant, before = replay.variant, replay.states[better.seq - 1]
    event = variant.decide(before, before.turn, read_command(variant, better.command))[0]
    after = variant.apply(before, event)
    first = next(steps[0] for steps in replay.deals if step in steps)
    states = [replay.state(other) for other in range(first, step)]
    board = variant.boards([*states, after])[-1]
    return _Shown(after, [variant.caption(before, event, after)], board)


def _seats(
    game: Game,
    variant: Variant,
    turn: Turn | None,
    states: tuple[Any, Any],
    views: list[dict[str, Any]],
    eyes: Perspective,
) -> list[SeatShown]:
    """Return the seats; ``states`` is what is known and, for the seats not seen, what all know."""
    seats = []
    for seat, view in zip(game.seats.all(), views, strict=True):
        number = seat.number
        state = states[0] if eyes.sees(number) else states[1]
        hand = tuple(variant.observe(state, number).as_dict()["hand"])
        acted = turn is not None and turn.seat == number
        had = variant.hand_points(turn.before)[number] if turn and eyes.sees(number) else None
        has = variant.hand_points(state)[number]
        seats.append(
            SeatShown(
                number=number,
                player=seat.player,
                cards=view["cards"],
                hand=None if HIDDEN in hand else hand,
                points=has,
                delta=None if not acted or had is None or has is None else has - had,
                total=view["total"],
                acted=acted,
                forfeited=view["status"] == Status.FORFEITED,
            )
        )
    return seats


def frames_at(game: Game) -> str:
    """Return the address below which a game's frames are.

    That of an analysed game has a version in it, so that a frame may be kept for ever.
    """
    page = reverse("game", args=[game.pk])
    return f"{page}{drawing_version()}/" if game.analysed else page


def step_asked(query: Mapping[str, str], replay: Replay) -> int:
    """Return the step that an address names by ``step`` or ``seq``; else the last.

    :raises NotFound: naming the steps, or the events, that there are.
    """
    asked = query.get("step")
    if asked is not None:
        if asked.isdecimal() and asked.isascii() and int(asked[:9]) < len(replay.steps):
            return int(asked[:9])
        raise no_step(asked, replay)
    seq = query.get("seq")
    if seq is None:
        return len(replay.steps) - 1
    if seq.isdecimal() and seq.isascii() and 1 <= int(seq[:9]) <= len(replay.events):
        return replay.step_of(int(seq[:9]))
    raise NotFound(f"there is no event {seq}; events are 1 to {len(replay.events)}")


def no_step(asked: object, replay: Replay) -> NotFound:
    """Return the error about a step that there is not."""
    return NotFound(f"there is no step {asked}; steps are 0 to {len(replay.steps) - 1}")
