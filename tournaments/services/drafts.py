"""Drafts: what somebody has said so far of a tournament, or of changes to one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from games.public import Conflict, NotFound, User, player_of
from tournaments.access import organises
from tournaments.models import Draft, Tournament
from tournaments.selectors import draft_get
from tournaments.services.settings import described, tournament_change
from tournaments.services.tournaments import tournament_create
from tournaments.spec import parse_spec

MAX_DRAFTS = 30
"""Drafts of one user."""


def said_in(draft: Draft) -> dict[str, Any]:
    """Return all that a draft says: of changes to a tournament, that it is as it was otherwise."""
    before = described(draft.tournament) if draft.tournament else {}
    return before | dict(draft.data)


@transaction.atomic
def draft_keep(
    *,
    user: User,
    said: Mapping[str, Any],
    number: int | None = None,
    tournament: Tournament | None = None,
) -> Draft:
    """Keep what somebody says of a tournament, beside what they have said before.

    :param said: as in a tournament file; a key replaces the same key of before.
    :param number: the draft; None for a new one.
    :param tournament: the one to be changed, which has one draft of each of its organisers.
    :raises NotFound: when the draft or the tournament is not theirs.
    :raises Conflict: when they have too many drafts.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks make one draft
    if number is not None:
        draft = draft_get(user, number)
    else:
        draft = Draft(user=user, tournament=tournament)
        if tournament is not None:
            draft = Draft.objects.filter(user=user, tournament=tournament).first() or draft
    _check_own(draft)
    if draft._state.adding and Draft.objects.filter(user=user).count() >= MAX_DRAFTS:
        raise Conflict(f"you have {MAX_DRAFTS} drafts, as many as are kept; delete one first")
    before = described(draft.tournament) if draft.tournament else {}
    whole = before | draft.data | dict(said)
    draft.data = {key: value for key, value in whole.items() if value != before.get(key)}
    draft.save()
    return draft


@transaction.atomic
def draft_delete(*, user: User, number: int) -> None:
    """Forget a draft.

    :raises NotFound: when it is not theirs.
    """
    draft_get(user, number).delete()


@transaction.atomic
def draft_finish(*, user: User, number: int) -> Tournament:
    """Create the tournament that a draft describes, or change the one that it is about.

    The draft is gone then, so that a second click finds none.

    :raises NotFound: when it is not theirs.
    :raises BadInput: as :func:`tournaments.spec.parse_spec` and ``tournament_create``.
    :raises Conflict: as :func:`tournaments.services.settings.tournament_change`.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    draft = draft_get(user, number)
    _check_own(draft)
    if draft.tournament is None:
        made = tournament_create(spec=parse_spec(draft.data), organiser=user)
    else:
        made = tournament_change(
            tournament_id=draft.tournament.pk, changes=draft.data, by=player_of(user)
        )
    draft.delete()
    return made


def _check_own(draft: Draft) -> None:
    if draft.tournament is not None and not organises(draft.tournament, draft.user):
        raise NotFound(f"{draft.tournament} is not yours to change")
