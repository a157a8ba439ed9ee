"""Whom an organiser lets in: invitations and co-organisers."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.db import transaction

from games.public import Conflict, NotFound, Player, User, player_of
from tournaments import log
from tournaments.services.organising import acting
from tournaments.services.tournaments import locked

WORD_BYTES = 16


@transaction.atomic
def invitation_make(*, tournament_id: UUID, by: Player | None = None) -> str:
    """Make a link that lets people in and lets them enter; an earlier one holds no more.

    :returns: its secret word, which stands in no log.
    """
    tournament = acting(tournament_id)
    tournament.invitation = secrets.token_urlsafe(WORD_BYTES)
    log.write(tournament, ("invitation_made", {}), by=by)
    return tournament.invitation


@transaction.atomic
def invitation_drop(*, tournament_id: UUID, by: Player | None = None) -> None:
    """Let the invitation hold no more; who has entered stays.

    :raises Conflict: when there is none.
    """
    tournament = locked(tournament_id)
    if not tournament.invitation:
        raise Conflict(f"{tournament} has no invitation")
    tournament.invitation = ""
    log.write(tournament, ("invitation_dropped", {}), by=by)


@transaction.atomic
def organiser_add(*, tournament_id: UUID, user: User, by: Player | None = None) -> None:
    """Let somebody do what the organiser may.

    :raises Conflict: for somebody who may already.
    """
    tournament = acting(tournament_id)
    if user.pk == tournament.organiser_id or tournament.co_organisers.filter(pk=user.pk).exists():
        raise Conflict(f"{user} organises {tournament} already")
    tournament.co_organisers.add(user)
    log.write(tournament, ("organiser_added", {"player": str(player_of(user).pk)}), by=by)


@transaction.atomic
def organiser_remove(*, tournament_id: UUID, user: User, by: Player | None = None) -> None:
    """Take a co-organiser's rights back.

    :raises Conflict: for the organiser, whose tournament it is.
    :raises NotFound: for somebody who is no co-organiser.
    """
    tournament = locked(tournament_id)
    if user.pk == tournament.organiser_id:
        raise Conflict(f"{tournament} is {user}'s own; only co-organisers can be removed")
    if not tournament.co_organisers.filter(pk=user.pk).exists():
        raise NotFound(f"{user} is no co-organiser of {tournament}")
    tournament.co_organisers.remove(user)
    log.write(tournament, ("organiser_removed", {"player": str(player_of(user).pk)}), by=by)
