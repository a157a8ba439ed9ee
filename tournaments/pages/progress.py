"""How far a tournament is: counts, and its rounds as steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from tournaments.formats import find_format
from tournaments.models import Phase, Round, Tournament
from tournaments.selectors import latest_end, rounds_of
from tournaments.spec import PhaseSpec

STEPS = 12
"""Rounds shown as steps; of more, those about the one being played."""


@dataclass(frozen=True, slots=True)
class RoundStep:
    """A round in the stepper."""

    number: int
    state: str
    """``done``, ``now``, ``todo`` or, where it was called off, ``off``."""


@dataclass(frozen=True, slots=True)
class ProgressShown:
    """How far a tournament is."""

    tournament: Tournament
    phase: Phase
    """The phase that is played now, or the last one."""
    phases: int
    games: int
    """Games of the whole tournament, as far as its formats tell beforehand."""
    played: int
    running: int
    """Tables that are being played."""
    rounds: int
    """Rounds of the phase."""
    steps: list[RoundStep]
    pace: timedelta | None
    """Time a game so far, as tables come in; None before the first result."""
    latest: datetime | None
    """When the latest game ended; None when everything has."""
    is_played_out: bool
    """Whether all rounds are played, and yet the organiser has not finished."""

    @property
    def done(self) -> bool:
        """Whether everything has been played."""
        return self.tournament.status == Tournament.Status.ENDED

    @property
    def ends_near(self) -> datetime | None:
        """When the tournament ends if games go on to come in as they did; None once that is past.

        Then a game takes longer than those before, or the next round waits.
        """
        if self.done or self.pace is None or self.latest is None:
            return None
        end = self.latest + self.pace * (self.games - self.played)
        return end if end > timezone.now() else None

    @property
    def left(self) -> str:
        """How long that is after the latest result, in words."""
        if self.pace is None:
            return ""
        minutes = round(self.pace * (self.games - self.played) / timedelta(minutes=1))
        if minutes < 2:
            return "a minute"
        hours, rest = divmod(minutes, 60)
        return f"{hours} h {rest} min" if hours else f"{minutes} min"


def games_planned(tournament: Tournament) -> int:
    """Return the games of a whole tournament, as far as its formats tell beforehand.

    :param tournament: as from :func:`tournaments.selectors.tournament_cards`.
    """
    card: Any = tournament  # its counts are annotations
    begun: int = card.played_count + card.running_count + card.rotations_left
    if tournament.status == Tournament.Status.ENDED:
        return begun
    phases = tournament.phases.all()
    return max(begun, sum(_planned(phase, card.entrants_count) for phase in phases))


def _planned(phase: Phase, entrants: int) -> int:
    """Return the games at a phase's planned tables: of a rotated one as many as it has seats."""
    seats = phase.options.get("table_size") or phase.top or entrants
    return phase.planned_tables * (seats if phase.rotate else 1)


def current_phase(phases: list[Phase]) -> Phase:
    """Return the phase that is played now, or the last one that was."""
    begun = [phase for phase in phases if phase.status != Phase.Status.WAITING]
    return begun[-1] if begun else phases[0]


def progress_shown(tournament: Tournament) -> ProgressShown:
    """Return how far a tournament is now.

    :param tournament: as from :func:`tournaments.selectors.tournament_cards`.
    """
    card: Any = tournament  # its counts are annotations
    phases = list(tournament.phases.all())
    phase = current_phase(phases)
    begun = rounds_of(phase)
    ended = tournament.status == Tournament.Status.ENDED
    began = tournament.started_at
    latest = None if ended else latest_end(tournament)
    return ProgressShown(
        tournament=tournament,
        phase=phase,
        phases=len(phases),
        games=games_planned(tournament),
        played=card.played_count,
        running=0 if ended else card.running_count,
        rounds=len(begun) if ended else max(phase.planned_rounds, len(begun)),
        steps=_steps(begun, 0 if ended else phase.planned_rounds),
        pace=(latest - began) / card.played_count if began and latest else None,
        latest=latest,
        is_played_out=not ended
        and phase == phases[-1]
        and len(begun) >= max(1, phase.planned_rounds)
        and all(round_.status == Round.Status.CLOSED for round_ in begun),
    )


def _steps(begun: list[Round], planned: int) -> list[RoundStep]:
    unfinished = "now" if planned else "off"
    steps = [
        RoundStep(r.number, "done" if r.status == Round.Status.CLOSED else unfinished)
        for r in begun
    ]
    steps += [RoundStep(number, "todo") for number in range(len(begun) + 1, planned + 1)]
    first = max(0, min(len(begun) - STEPS // 2, len(steps) - STEPS))
    return steps[first : first + STEPS]


def format_words(phase: Phase | PhaseSpec) -> str:
    """Return a phase's format and its options in words."""
    chosen = find_format(phase.format)
    usual = chosen.options()
    words = [chosen.name.lower()]
    for name, value in phase.options.items():
        if name == "table_size":
            words.append(f"tables of {value}")
        elif value != getattr(usual, name):
            option = name.replace("_", " ")
            words.append(f"no {option}" if value is False else f"{option} {value}")
    if phase.duplicate:
        words.append(
            "duplicate boards, each in every rotation" * phase.rotate or "duplicate boards"
        )
    return ", ".join(words)
