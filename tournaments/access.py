"""Who organises a tournament, and who may know of a private one."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from django.db.models import QuerySet

from games.public import NotFound
from tournaments.models import Tournament

INVITED = "invited"
"""Key of a session: the word of the invitation that its reader followed, by tournament."""


def organises(tournament: Tournament, user: Any) -> bool:
    """Say whether somebody may do what an organiser may."""
    if not user.is_authenticated or not user.is_active:
        return False
    if user.is_superuser or tournament.organiser_id == user.pk:
        return True
    return tournament.co_organisers.filter(pk=user.pk).exists()


def is_invited(tournament: Tournament, reader: Any) -> bool:
    """Say whether a reader has followed the invitation that holds now."""
    word = reader.session.get(INVITED, {}).get(str(tournament.pk), "")
    return bool(tournament.invitation) and compare_digest(word, tournament.invitation)


def invite(tournament: Tournament, reader: Any, word: str) -> bool:
    """Remember in a reader's session that an invitation was followed; False if it is none."""
    if not tournament.invitation or not compare_digest(
        word.encode(), tournament.invitation.encode()
    ):
        return False
    known = reader.session.get(INVITED, {})
    reader.session[INVITED] = {**known, str(tournament.pk): word}
    return True


def may_see(tournament: Tournament, reader: Any) -> bool:
    """Say whether a reader may know of a tournament.

    :param reader: the request of who asks; None for anybody.
    """
    if not tournament.is_private:
        return True
    if reader is None:
        return False
    if organises(tournament, reader.user) or is_invited(tournament, reader):
        return True
    user = reader.user
    if not user.is_authenticated:
        return False
    return tournament.entrants.filter(player__owner=user).exists()


def seen(found: QuerySet[Tournament], slug: str, reader: Any) -> Tournament:
    """Return the tournament with a slug if a reader may know of it.

    :raises NotFound: when there is none, in the same words when it is not for the reader.
    """
    tournament = found.filter(slug=slug).first()
    if tournament is None or not may_see(tournament, reader):
        raise NotFound(f"there is no tournament {slug!r}")
    return tournament
