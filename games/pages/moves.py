"""A deal at a glance: the move grid and the chart of points."""

from __future__ import annotations

from dataclasses import dataclass

from engine.replay import Replay
from engine.variant import TurnLabel
from games.models import Game
from games.pages.chart import Chart, chart
from games.pages.verdicts import GameVerdicts


@dataclass(frozen=True, slots=True)
class Cell:
    """A turn in the move grid."""

    step: int
    label: TurnLabel
    words: str
    """``Turn 12, Greedy 1: plays 3 from hand; inaccuracy``."""
    badge: str
    """``?!``, ``?``, ``??`` or empty."""


@dataclass(frozen=True, slots=True)
class DealShown:
    """A deal."""

    number: int
    first: int
    """Its first step."""
    laps: list[list[Cell | None]]
    """Rows of the grid: a row is one lap, a column one seat."""
    chart: Chart
    turns: int
    starts: list[int]
    """First step of every deal of the game."""


def deal_shown(
    game: Game, replay: Replay, number: int, verdicts: GameVerdicts, *, is_open: bool = True
) -> DealShown:
    """Return a deal, from 1.

    :param is_open: whether points that are known are shown; else how many cards are left.
    """
    steps = replay.deals[number - 1]
    turns = [step for step in steps if replay.turn(step)]
    names = [seat.player.name for seat in game.seats.all()]
    return DealShown(
        number=number,
        first=steps[0],
        laps=_laps(replay, turns, names, verdicts),
        chart=_chart(replay, turns, names, is_open),
        turns=len(turns),
        starts=[deal[0] for deal in replay.deals],
    )


def _laps(
    replay: Replay, steps: list[int], names: list[str], verdicts: GameVerdicts
) -> list[list[Cell | None]]:
    """Return the turns by lap and seat; a lap is over when the seats begin anew."""
    laps: list[list[Cell | None]] = []
    last = len(names)
    for number, step in enumerate(steps, 1):
        turn, label = replay.turn(step), replay.label(step)
        if turn is None or label is None:
            continue
        if turn.seat <= last or not laps:
            laps.append([None] * len(names))
        last = turn.seat
        verdict = verdicts.by_step.get(step)
        words = f"Turn {number}, {names[turn.seat]}: {label.words}"
        if verdict and verdict.badge:
            words += f"; {verdict.word.lower()}"
        laps[-1][turn.seat] = Cell(step, label, words, verdict.badge if verdict else "")
    return laps


def _chart(replay: Replay, steps: list[int], names: list[str], is_open: bool) -> Chart:
    """Return the points left in the hands, or how many cards where points are secret."""
    variant = replay.variant
    first = replay.turn(steps[0]) if steps else None
    states = [first.before] if first else [replay.state(0)]
    states += [replay.state(step) for step in steps]
    points = [variant.hand_points(state) for state in states]
    secret = not is_open or any(
        value is None and seat not in state.forfeits
        for row, state in zip(points, states, strict=True)
        for seat, value in enumerate(row)
    )
    if not secret:
        series = [[row[seat] for row in points] for seat in range(len(names))]
        return chart(f"{variant.hand_measure.capitalize()} left in hand", names, series)
    views = [variant.observe(state, None).as_dict()["seats"] for state in states]
    counts = [[view[seat]["cards"] for view in views] for seat in range(len(names))]
    return chart("Cards left in hand", names, counts)
