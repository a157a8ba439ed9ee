"""What a tournament waits for, and until when its results can be changed, in words."""

from __future__ import annotations

from django.utils import timezone

from tournaments.models import Due, Phase, Tournament
from tournaments.schedule import Pace, in_words
from tournaments.selectors import rounds_playing
from tournaments.services.rounds import current_phase, is_complete, later_phase
from tournaments.services.tournaments import cannot_start


def next_words(found: Tournament) -> str:
    """Return what a tournament waits for."""
    if found.status == Tournament.Status.ENDED:
        how = "was called off" if found.cancelled else "is over"
        return f"It {how}; what was played can be published."
    if found.status == Tournament.Status.OPEN:
        return _start_words(found)
    playing = rounds_playing(found).select_related("phase").first()
    if playing is not None:
        left = playing.tables.filter(played=False).count()
        tables = f"{left} table{'s' * (left != 1)} still to be played"
        after = "; no further one starts before you resume" if found.paused else ""
        runs = f"Round {playing.number} of phase {playing.phase.number} runs, {tables}{after}."
        return f"{runs} {_last_words(found, playing.phase)}".strip()
    if is_complete(found):
        until = "until then results can be changed."
        if found.pace != Pace.HAND:
            return f"All games are played. It ends when you resume; {until}"
        first = "Resume it first. " * found.paused
        return f"All games are played. It ends when you finish it; {until} {first}".strip()
    last = _last_words(found)
    if found.paused:
        return f"Paused: the next round waits until you resume. {last}".strip()
    due = found.due.filter(kind=Due.Kind.ROUND, parked_at=None).first()
    if due is None:
        return f"The next round waits for you to open it. {last}".strip()
    if due.due_at > timezone.now():
        at = in_words(due.due_at, found.zone)
        return f"The next round starts at {at}. {last}".strip()
    return "The next round is being paired."


def _start_words(found: Tournament) -> str:
    hindered = cannot_start(found)
    if hindered:
        return f"It cannot start yet: {hindered}."
    if found.starts_at:
        at = in_words(found.starts_at, found.zone)
        return f"It starts at {at}{', but not before you resume' * found.paused}."
    return (
        f"It starts when you start it{'; its first round waits until you resume' * found.paused}."
    )


def _last_words(found: Tournament, phase: Phase | None = None) -> str:
    """Return, where the last round of a phase is played or was, when its results are final."""
    phase = phase or current_phase(found)
    if phase is None or phase.rounds.count() < max(1, phase.planned_rounds):
        return ""
    until = f"Results of phase {phase.number} can be changed until it closes"
    held = ""
    if closes_by_itself(found, phase):
        held = ", but not before you resume" if found.paused else "; pause it to have time for them"
    return f"{until}: {closing(found, phase)}{held}."


def closes_by_itself(found: Tournament, phase: Phase) -> bool:
    """Say whether a phase closes as soon as its last round is played out."""
    if found.pace == Pace.HAND:
        return False
    return found.pace == Pace.FLOW or not later_phase(phase)


def closing(found: Tournament, phase: Phase) -> str:
    """Return when a phase that is played closes, so that its results are final."""
    if closes_by_itself(found, phase):
        return "as soon as its last round is played out"
    if not later_phase(phase):
        return "when you finish the tournament"
    opens = "you open the first round" if found.pace == Pace.HAND else "the first round starts"
    return f"when {opens} of phase {phase.number + 1}"


def final_words(found: Tournament) -> str:
    """Return which results can be changed, and until when."""
    if found.status == Tournament.Status.ENDED:
        return "It is over: all results are final."
    phases = list(found.phases.all())
    closed = [str(phase.number) for phase in phases if phase.status == Phase.Status.CLOSED]
    final = f" Those of phase {' and '.join(closed)} are final." if closed else ""
    played = next((phase for phase in phases if phase.status == Phase.Status.RUNNING), None)
    if played is None:
        return f"No game is being played.{final}"
    until = closing(found, played)
    return f"Results of phase {played.number} can be changed until it closes: {until}.{final}"
