"""What a tournament will take, told before anything is started: rounds, games, time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from engine import knobs
from engine.errors import BadInput
from engine.variants import find_variant
from games.public import games_timed
from tournaments.formats import find_format
from tournaments.schedule import Pace
from tournaments.spec import Spec

MEASURED = 200
"""Latest games whose durations count."""
STATED_BOTS = timedelta(seconds=5)
"""What a game of bots is taken for where none has been played."""
STATED_PEOPLE = timedelta(minutes=15)
"""What a game with people is taken for where none has been played."""


@dataclass(frozen=True, slots=True)
class GameTime:
    """How long a game takes."""

    each: timedelta
    """With people the median. Of bots the time in which one of many games is done while workers
    play, so that games played side by side count once."""
    people: bool
    games: int
    """Games it was measured by; 0: a stated figure."""
    same_rules: bool
    """Whether those were played by the same rules."""
    kind: str
    """Name of the game."""

    @property
    def words(self) -> str:
        """Where the figure comes from."""
        who = "with people" if self.people else "of bots"
        if not self.games:
            figure = lasting(self.each)
            return f"No game {who} has been measured yet; each is taken for {figure}."
        rules = "by these rules" if self.same_rules else "by any rules"
        count = f"the last {self.games} games" if self.games > 1 else "the only game"
        return f"Measured by {count} of {self.kind} {who} {rules}: {lasting(self.each)} a game."


@dataclass(frozen=True, slots=True)
class PhaseAhead:
    """What a phase will take."""

    format: str
    entrants: int
    rounds: int = 0
    games: int = 0
    lasts: timedelta = timedelta(0)
    problem: str = ""
    """Why so many entrants cannot play it; empty if they can."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a tournament of so many entrants will take."""

    entrants: int
    phases: tuple[PhaseAhead, ...]
    pauses: timedelta
    """Time between rounds that the schedule asks for."""

    @property
    def rounds(self) -> int:
        """Rounds of all phases."""
        return sum(phase.rounds for phase in self.phases)

    @property
    def games(self) -> int:
        """Games of all phases."""
        return sum(phase.games for phase in self.phases)

    @property
    def lasts(self) -> timedelta:
        """From the start to the end."""
        return sum((phase.lasts for phase in self.phases), self.pauses)


def ahead(spec: Spec, entrants: int, each: GameTime) -> Ahead:
    """Return what a tournament of so many entrants will take, if nobody leaves or comes late.

    :param each: as from :func:`game_time`.
    """
    phases = []
    for phase, size in zip(spec.phases, spec.sizes_of(entrants), strict=True):
        chosen = find_format(phase.format)
        options = knobs.parse(chosen.options, phase.options)
        try:
            seen_ahead = chosen.preview(size, options)
            rotations = chosen.table_sizes(size, options)[0] if phase.rotate else 1
        except BadInput as error:
            phases.append(PhaseAhead(chosen.name, size, problem=str(error)))
            continue
        rounds, games = seen_ahead.rounds, seen_ahead.games * rotations
        lasts = each.each * (rounds if each.people else games)
        phases.append(PhaseAhead(chosen.name, size, rounds, games, lasts))
    rounds = sum(phase.rounds for phase in phases)
    return Ahead(entrants, tuple(phases), _pauses(spec, rounds, phases))


def _pauses(spec: Spec, rounds: int, phases: Iterable[PhaseAhead]) -> timedelta:
    """Return what the schedule adds to the time that is played."""
    schedule = spec.schedule
    if schedule.pace == Pace.INTERVAL:
        return timedelta(minutes=schedule.minutes) * max(0, rounds - 1)
    if schedule.pace == Pace.CALENDAR and rounds:
        playing = sum((phase.lasts for phase in phases), timedelta(0))
        times = schedule.times[:rounds]
        return max(timedelta(0), times[-1] - times[0] - playing / rounds * (len(times) - 1))
    return timedelta(0)


def fields_of(spec: Spec) -> list[int]:
    """Return the numbers of entrants that a tournament is sure of and has room for, if known."""
    people = spec.entry.most if spec.entry.open else 0
    return sorted({max(spec.size, spec.entry.least), people or spec.size} - {0})


def game_time(spec: Spec) -> GameTime:
    """Return how long a game of a tournament takes, as far as games played before tell.

    Games by the same rules count; where there are none, all of its kind.
    """
    kind = find_variant(spec.variant)
    people = spec.entry.open or max(fields_of(spec), default=0) > spec.size
    for rules in (dict(spec.rules), None):
        spans = games_timed(spec.variant, people=people, rules=rules, limit=MEASURED)
        if spans:
            each = _median(spans) if people else busy(spans) / len(spans)
            return GameTime(each, people, len(spans), rules is not None, kind.name)
    stated = STATED_PEOPLE if people else STATED_BOTS
    return GameTime(stated, people, 0, False, kind.name)


def _median(spans: Iterable[tuple[datetime, datetime]]) -> timedelta:
    return timedelta(seconds=median((over - began).total_seconds() for began, over in spans))


def busy(spans: Iterable[tuple[datetime, datetime]]) -> timedelta:
    """Return how long at least one of some spans of time was going on.

    >>> at = [datetime(2026, 1, 1, hour) for hour in range(9)]
    >>> str(busy([(at[4], at[5]), (at[1], at[3]), (at[0], at[2])]))
    '4:00:00'
    """
    total, until = timedelta(0), None
    for began, over in sorted(spans):
        if until is None or began > until:
            total, until = total + (over - began), over
        elif over > until:
            total, until = total + (over - until), over
    return total


def lasting(time: timedelta) -> str:
    """Return a length of time in words, as exact as somebody who waits needs it.

    >>> [lasting(timedelta(seconds=s)) for s in (0.2, 5, 100, 3_540, 7_300, 200_000)]
    ['less than a second', '5 s', '2 min', '59 min', '2 h 2 min', '2 days 8 h']
    """
    seconds = time.total_seconds()
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} days {hours} h" if hours else f"{days} days"
