"""A game's turns against the best there was, as a replay shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from engine.replay import Replay
from games.models import Game, Player
from games.pages.perspective import OPEN, Perspective
from games.selectors import game_verdicts

GRADES = (("?!", "Inaccuracy"), ("?", "Mistake"), ("??", "Blunder"))
"""Signs and words for what a turn missed, by the thresholds of the game kind."""

BIGGEST = 3
"""Misses that are listed."""


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """A turn against the best there was."""

    step: int
    deal: int
    turn: int
    """Number of the turn within its deal."""
    seq: int
    """The decision's event."""
    seat: int
    player: Player
    played: int
    best: int
    missed: int
    cards: int | None
    most_cards: int | None
    badge: str
    """``?!``, ``?``, ``??``, or empty where the turn missed little."""
    word: str
    """The badge in words."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a player made of its turns."""

    seat: int
    player: Player
    played: int
    best: int
    missed: int
    turns: int
    less: bool
    """Whether less is better."""

    @property
    def percent(self) -> int | None:
        """Share of the best that was played, rounded down; None where less is better."""
        return 100 * self.played // self.best if self.best and not self.less else None


@dataclass(frozen=True, slots=True)
class GameVerdicts:
    """The verdicts on a game's turns."""

    by_step: Mapping[int, TurnVerdict]
    measure: str
    """What is compared, such as ``points laid``."""
    deals_done: int
    """Deals that are analysed."""
    deals: int
    """Deals of the game."""

    @property
    def complete(self) -> bool:
        """Whether every deal is analysed."""
        return self.deals_done == self.deals

    @property
    def mistakes(self) -> list[TurnVerdict]:
        """The turns that have a badge, in order."""
        return [verdict for verdict in self.by_step.values() if verdict.badge]

    @property
    def biggest(self) -> list[TurnVerdict]:
        """The turns that missed most, the worst first."""
        worst = sorted(self.mistakes, key=lambda verdict: -verdict.missed)
        return worst[:BIGGEST]

    @property
    def shares(self) -> list[Share]:
        """What each player made of its turns, by seat."""
        by_seat: dict[int, list[TurnVerdict]] = {}
        for verdict in self.by_step.values():
            by_seat.setdefault(verdict.seat, []).append(verdict)
        less = any(verdict.played > verdict.best for verdict in self.by_step.values())
        return [_share(by_seat[seat], less=less) for seat in sorted(by_seat)]

    def next_mistake(self, step: int) -> TurnVerdict | None:
        """Return the first turn with a badge after a step."""
        return next((verdict for verdict in self.mistakes if verdict.step > step), None)

    def previous_mistake(self, step: int) -> TurnVerdict | None:
        """Return the last turn with a badge before a step."""
        return next((verdict for verdict in self.mistakes[::-1] if verdict.step < step), None)


_known: WeakKeyDictionary[Replay, dict[Any, GameVerdicts]] = WeakKeyDictionary()
"""Of games whose analysis is complete, by whose eyes see them, for as long as a replay is kept."""


def verdicts_of(game: Game, replay: Replay, seen: Perspective = OPEN) -> GameVerdicts:
    """Return the verdicts on a game's turns; a turn's is that on its last decision.

    :param seen: verdicts on the turns of other seats would tell of their cards.
    """
    if not game.analysed:
        return _verdicts_of(game, replay, seen)
    known = _known.setdefault(replay, {})
    key = (seen, *(seat.player.name for seat in game.seats.all()))
    if key not in known:
        known[key] = _verdicts_of(game, replay, seen)
    return known[key]


def _verdicts_of(game: Game, replay: Replay, seen: Perspective) -> GameVerdicts:
    found = [verdict for verdict in game_verdicts(game) if seen.sees(verdict["seat"])]
    steps = {
        seq: i for i, step in enumerate(replay.steps) for seq in range(step.first, step.last + 1)
    }
    places = _places(replay)
    players = [seat.player for seat in game.seats.all()]
    by_step = {}
    for verdict in found:
        step = steps[verdict["seq"]]
        by_step[step] = _turn_verdict(replay, step, places[step], players, verdict)
    done = {places[step][0] for step in by_step}  # what a page that waits shows
    return GameVerdicts(
        by_step=by_step,
        measure=replay.variant.measure,
        deals_done=len(replay.deals) if game.analysed else len(done),
        deals=len(replay.deals),
    )


def _places(replay: Replay) -> dict[int, tuple[int, int]]:
    """Return by step the number of its deal and of its turn in the deal."""
    places: dict[int, tuple[int, int]] = {}
    for number, steps in enumerate(replay.deals, 1):
        turns = (step for step in steps if replay.turn(step))
        places |= {step: (number, turn) for turn, step in enumerate(turns, 1)}
    return places


def _turn_verdict(
    replay: Replay,
    step: int,
    place: tuple[int, int],
    players: Sequence[Player],
    verdict: Mapping[str, Any],
) -> TurnVerdict:
    badge, word = _grade(replay.variant.mistakes, verdict["missed"])
    return TurnVerdict(
        step=step,
        deal=place[0],
        turn=place[1],
        player=players[verdict["seat"]],
        badge=badge,
        word=word,
        **verdict,
    )


def _grade(thresholds: Iterable[int], missed: int) -> tuple[str, str]:
    """Return the badge of a miss and its word."""
    reached = sum(missed >= threshold for threshold in thresholds)
    return GRADES[reached - 1] if reached else ("", "")


def _share(verdicts: Sequence[TurnVerdict], *, less: bool) -> Share:
    return Share(
        seat=verdicts[0].seat,
        player=verdicts[0].player,
        played=sum(verdict.played for verdict in verdicts),
        best=sum(verdict.best for verdict in verdicts),
        missed=sum(verdict.missed for verdict in verdicts),
        turns=len(verdicts),
        less=less,
    )
