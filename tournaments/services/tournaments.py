"""Creating tournaments, entering players, and starting."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from engine import seeds
from engine.errors import BadInput
from games.public import Access, Conflict, NotFound, Player, User, builtin_bot, player_of
from tournaments import log, signals
from tournaments.formats import find_format
from tournaments.models import Due, Entrant, Phase, Round, Tournament
from tournaments.schedule import in_words
from tournaments.seating import unseated
from tournaments.services.standings import phase_options
from tournaments.spec import Spec

MAX_SLUG = 50
RESERVED = ("new", "preview", "mine")
"""Words that stand in addresses where a slug could."""


@transaction.atomic
def tournament_create(
    *, spec: Spec, seed: bytes | None = None, organiser: User | None = None
) -> Tournament:
    """Create a tournament and enter the bots that its spec names.

    The commitment to its secret seed stands in the first line of its log, before anybody enters.

    :param seed: a seed given beforehand makes a practice tournament, which is never rated.
    :raises BadInput: when it would start in the past.
    """
    secret = seed or secrets.token_bytes(seeds.SEED_BYTES)
    by = player_of(organiser) if organiser else None
    tournament = Tournament(
        slug=free_slug(spec.name, spec.access),
        seed=secret,
        commitment=seeds.commitment(secret),
        practice=seed is not None,
        organiser=organiser,
    )
    take_settings(tournament, spec)
    tournament.save(force_insert=True)
    phases = make_phases(tournament, spec)
    created = {
        "name": spec.name,
        "variant": spec.variant,
        "rules": dict(spec.rules),
        "phases": phases,
        "late_entry": spec.late_entry,
        **settings_of(tournament),
        "commitment": tournament.commitment,
        "practice": tournament.practice,
    }
    log.write(tournament, ("created", created), by=by)
    numbers: dict[str, int] = {}
    players = []
    for entry in spec.entrants:
        for _ in range(entry.count):
            numbers[entry.bot] = numbers.get(entry.bot, 0) + 1
            players.append(builtin_bot(policy=entry.bot, number=numbers[entry.bot]))
    enter_all(tournament, players, by=by)
    start_at(tournament)
    return tournament


def take_settings(tournament: Tournament, spec: Spec) -> None:
    """Set what a spec says of a tournament beside its phases and entrants; the caller saves it.

    :raises BadInput: when it would start in the past.
    """
    schedule, entry = spec.schedule, spec.entry
    start = schedule.start
    if start and start != tournament.starts_at and start <= timezone.now():
        raise BadInput(
            f"schedule.start: {in_words(start, schedule.zone)} has passed; a later time would work,"
            " or none: then the organiser starts it"
        )
    tournament.name, tournament.variant, tournament.rules = (
        spec.name,
        spec.variant,
        dict(spec.rules),
    )
    tournament.late_entry, tournament.access = spec.late_entry, spec.access
    tournament.entry_open = entry.open
    tournament.entry_opens_at, tournament.entry_closes_at = entry.opens, entry.closes
    tournament.least, tournament.most = entry.least, entry.most
    tournament.zone, tournament.starts_at = schedule.zone, schedule.start
    tournament.pace, tournament.minutes = str(schedule.pace), schedule.minutes
    tournament.round_times = [time.isoformat() for time in schedule.times]
    tournament.no_show = schedule.no_show


def settings_of(tournament: Tournament) -> dict[str, Any]:
    """Return who may enter and see a tournament, and when it starts, as its log says it."""
    times = {
        "opens": tournament.entry_opens_at,
        "closes": tournament.entry_closes_at,
        "start": tournament.starts_at,
    }
    written = {key: moment.isoformat() if moment else None for key, moment in times.items()}
    return {
        "access": tournament.access,
        "entry": {
            "open": tournament.entry_open,
            "opens": written["opens"],
            "closes": written["closes"],
            "least": tournament.least,
            "most": tournament.most,
        },
        "schedule": {
            "zone": tournament.zone,
            "start": written["start"],
            "rounds": tournament.pace,
            "minutes": tournament.minutes,
            "times": tournament.round_times,
            "no_show": tournament.no_show,
        },
    }


def make_phases(tournament: Tournament, spec: Spec) -> list[dict[str, Any]]:
    """Create the phases of a tournament; return them as its log says them."""
    phases = [
        {
            "format": phase.format,
            "options": dict(phase.options),
            "top": phase.top,
            "scheme": phase.scheme,
            "tie_breaks": list(phase.tie_breaks),
            "bye_points": {str(kind): str(worth) for kind, worth in phase.bye_points.items()},
            "duplicate": phase.duplicate,
            "rotate": phase.rotate,
        }
        for phase in spec.phases
    ]
    field = spec.size or spec.entry.least
    for number, (phase, size) in enumerate(zip(phases, spec.sizes_of(field), strict=True), 1):
        row = Phase(tournament=tournament, number=number, **phase)
        with suppress(BadInput):  # nobody knows yet how many will come
            look_ahead(row, size)
        row.save()
    return phases


def enter_all(
    tournament: Tournament, players: Sequence[Player], by: Player | None = None
) -> list[Entrant]:
    """Enter players before the start, in their order."""
    first = tournament.entrants.count() + 1
    entered = Entrant.objects.bulk_create(
        Entrant(tournament=tournament, player=player, number=number)
        for number, player in enumerate(players, first)
    )
    log.write(
        tournament,
        *(
            ("entered", {"player": str(player.pk), "number": number})
            for number, player in enumerate(players, first)
        ),
        by=by,
    )
    return entered


@transaction.atomic
def tournament_start(*, tournament_id: UUID, by: Player | None = None) -> None:
    """Close the entries and make the first round due.

    :raises Conflict: when the tournament has started already, or its field cannot be seated.
    """
    tournament = locked(tournament_id)
    if tournament.status != Tournament.Status.OPEN:
        raise Conflict(f"{tournament} has started already")
    problem = cannot_start(tournament)
    if problem:
        raise Conflict(f"{tournament} cannot start: {problem}")
    _start(tournament, by)


@transaction.atomic
def start_due(*, tournament_id: UUID) -> None:
    """Start a tournament whose time has come; whatever hinders it is told in the log.

    Without effect when it has started, its time was changed, or while it is paused: then it
    starts when it is resumed.
    """
    tournament = locked(tournament_id)
    tournament.due.filter(kind=Due.Kind.START).delete()
    at = tournament.starts_at
    if tournament.status != Tournament.Status.OPEN or tournament.paused or at is None:
        return
    if at > timezone.now():
        start_at(tournament)
        return
    problem = cannot_start(tournament)
    if problem:
        tournament.starts_at = None
        log.write(tournament, ("start_failed", {"reason": problem}))
        return
    _start(tournament, None)


def start_at(tournament: Tournament) -> None:
    """Make the start due at the time it is set for, if it is; forget an earlier time."""
    tournament.due.filter(kind=Due.Kind.START).delete()
    if tournament.starts_at and tournament.status == Tournament.Status.OPEN:
        make_due(tournament, Due.Kind.START, tournament.seq, at=tournament.starts_at)


def cannot_start(tournament: Tournament) -> str:
    """Return why a tournament that is open for entries cannot start now; empty if it can."""
    field = tournament.entrants.filter(status=Entrant.Status.PLAYING).count()
    if field < tournament.least:
        return f"{field} of at least {tournament.least} entrants are there"
    phases = list(tournament.phases.all())
    try:
        look_ahead(phases[0], field)
    except BadInput as error:
        return str(error)
    problem = unseated(tournament.kind, phases, field)
    return f"with {field} entrants, phase {problem[0]}: {problem[1]}" if problem else ""


def _start(tournament: Tournament, by: Player | None) -> None:
    tournament.status = Tournament.Status.RUNNING
    tournament.started_at = timezone.now()
    field = tournament.entrants.filter(status=Entrant.Status.PLAYING).count()
    tournament.due.filter(kind=Due.Kind.START).delete()
    log.write(tournament, ("started", {"entrants": field}), by=by)
    round_due(tournament)


def round_due(tournament: Tournament) -> None:
    """Make the next round due when the schedule says, unless it is due already.

    For a tournament that runs and in which no round is being played. A round that the organiser
    is to open is not due.
    """
    waiting = tournament.due.filter(kind=Due.Kind.ROUND, parked_at=None)
    if tournament.paused or waiting.exists():
        return
    begun = Round.objects.filter(phase__tournament=tournament).count()
    moment = tournament.schedule.next_at(begun, timezone.now())
    if moment is not None:
        make_due(tournament, Due.Kind.ROUND, tournament.seq, at=moment)


def look_ahead(phase: Phase, entrants: int) -> None:
    """Note on a phase what so many entrants will take; the caller saves it."""
    preview = find_format(phase.format).preview(entrants, phase_options(phase))
    phase.planned_rounds, phase.planned_tables = preview.rounds, preview.tables
    phase.basis = preview.basis


def locked(tournament_id: UUID) -> Tournament:
    """Lock a tournament's row for this transaction.

    Games of the tournament may go on ending meanwhile: their due rows only refer to the row.

    :raises NotFound: when there is none.
    """
    found = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if found is None:
        raise NotFound(f"there is no tournament {tournament_id}")
    return found


def make_due(
    tournament: Tournament, kind: Due.Kind, number: int, at: datetime | None = None
) -> None:
    """Write a due row, unless it is there, and ring on commit.

    :param at: when it is due; None: now. The sweeper rings for what is due later.
    """
    row, made = Due.objects.get_or_create(
        tournament=tournament,
        kind=kind,
        number=number,
        defaults={"due_at": at} if at else {},
    )
    if made and row.due_at <= timezone.now():
        transaction.on_commit(partial(signals.due_written.send, Due, row=row))


def free_slug(name: str, access: str) -> str:
    """Return a slug for the name that no tournament has, and nobody can guess if it is hidden."""
    base = slugify(name)[: MAX_SLUG - 12] or "tournament"
    if access != Access.PUBLIC:
        return f"{base}-{secrets.token_hex(5)}"
    slug, number = base, 1
    while slug in RESERVED or Tournament.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return slug
