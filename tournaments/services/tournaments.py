"""Creating tournaments, entering players, and starting."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from engine import seeds
from engine.errors import BadInput
from games.public import Conflict, NotFound, Player, builtin_bot
from tournaments import log, signals
from tournaments.formats import find_format
from tournaments.models import Due, Entrant, Phase, Tournament
from tournaments.services.standings import phase_options
from tournaments.spec import Spec

MAX_SLUG = 50


@transaction.atomic
def tournament_create(*, spec: Spec, seed: bytes | None = None) -> Tournament:
    """Create a tournament and enter the bots that its spec names.

    The commitment to its secret seed stands in the first line of its log, before anybody enters.

    :param seed: a seed given beforehand makes a practice tournament, which is never rated.
    """
    secret = seed or secrets.token_bytes(seeds.SEED_BYTES)
    tournament = Tournament.objects.create(
        slug=_free_slug(spec.name),
        name=spec.name,
        variant=spec.variant,
        rules=dict(spec.rules),
        seed=secret,
        commitment=seeds.commitment(secret),
        practice=seed is not None,
        late_entry=spec.late_entry,
    )
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
    for number, (phase, size) in enumerate(zip(phases, spec.sizes, strict=True), 1):
        row = Phase(tournament=tournament, number=number, **phase)
        look_ahead(row, size)
        row.save()
    created = {
        "name": spec.name,
        "variant": spec.variant,
        "rules": dict(spec.rules),
        "phases": phases,
        "late_entry": spec.late_entry,
        "commitment": tournament.commitment,
        "practice": tournament.practice,
    }
    log.write(tournament, ("created", created))
    numbers: dict[str, int] = {}
    players = []
    for entry in spec.entrants:
        for _ in range(entry.count):
            numbers[entry.bot] = numbers.get(entry.bot, 0) + 1
            players.append(builtin_bot(policy=entry.bot, number=numbers[entry.bot]))
    _enter(tournament, players)
    return tournament


def _enter(tournament: Tournament, players: Sequence[Player]) -> None:
    first = tournament.entrants.count() + 1
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, player=player, number=number)
        for number, player in enumerate(players, first)
    )
    log.write(
        tournament,
        *(
            ("entered", {"player": str(player.pk), "number": number})
            for number, player in enumerate(players, first)
        ),
    )


@transaction.atomic
def tournament_start(*, tournament_id: UUID) -> None:
    """Close the entries and make the first round due.

    :raises Conflict: when the tournament has started already, or its field cannot be seated.
    """
    tournament = locked(tournament_id)
    if tournament.status != Tournament.Status.OPEN:
        raise Conflict(f"{tournament} has started already")
    field = tournament.entrants.filter(status=Entrant.Status.PLAYING).count()
    try:
        look_ahead(tournament.phases.get(number=1), field)
    except BadInput as error:
        raise Conflict(f"{tournament} cannot start: {error}") from None
    tournament.status = Tournament.Status.RUNNING
    tournament.started_at = timezone.now()
    log.write(tournament, ("started", {"entrants": field}))
    if not tournament.paused:
        make_due(tournament, Due.Kind.ROUND, tournament.seq)


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


def make_due(tournament: Tournament, kind: Due.Kind, number: int) -> None:
    """Write a due row, unless it is there, and ring on commit."""
    row, made = Due.objects.get_or_create(tournament=tournament, kind=kind, number=number)
    if made:
        transaction.on_commit(partial(signals.due_written.send, Due, row=row))


def _free_slug(name: str) -> str:
    """Return a slug for the name that no tournament has."""
    base = slugify(name)[: MAX_SLUG - 6] or "tournament"
    slug, number = base, 1
    while Tournament.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{base}-{number}"
    return slug
