"""Invitations, and entering a tournament by oneself."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.public import NotFound, Player, page, player_of
from tournaments.access import invite, is_invited, seen
from tournaments.models import Entrant, Tournament
from tournaments.services.entries import closed_to, entrant_join, entrant_leave


@dataclass(frozen=True, slots=True)
class EntryShown:
    """What a reader is told about entering a tournament."""

    closed: str
    """Why nobody may enter by themselves now; empty if they may."""
    entrant: Entrant | None
    """The reader, once entered."""

    @property
    def is_in(self) -> bool:
        """Whether the reader has entered and not left."""
        return self.entrant is not None and self.entrant.status == Entrant.Status.PLAYING


def entry_shown(request: HttpRequest, found: Tournament) -> EntryShown | None:
    """Return what a reader is told about entering; None where it is no matter any more."""
    if found.status == Tournament.Status.ENDED:
        return None
    entrant = None
    if request.user.is_authenticated:
        own = found.entrants.filter(player__owner=request.user, player__kind=Player.Kind.PERSON)
        entrant = own.first()
    closed = closed_to(found, invited=is_invited(found, request))
    if closed and entrant is None and found.status == Tournament.Status.RUNNING:
        return None
    return EntryShown(closed, entrant)


@require_safe
@page
def invitation(request: HttpRequest, slug: str, word: str) -> HttpResponse:
    """Let in who follows an invitation, and lead to the tournament."""
    found = Tournament.objects.filter(slug=slug).first()
    if found is None or not invite(found, request, word):
        raise NotFound("this invitation does not hold any more; ask for a new one")
    return HttpResponseRedirect(reverse("tournament", args=[slug]))


@require_POST
@login_required
@page
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter whoever asks."""
    found = seen(Tournament.objects.all(), slug, request)
    me = player_of(request.user)  # type: ignore[arg-type]
    entrant_join(
        tournament_id=found.pk,
        user=request.user,  # type: ignore[arg-type]
        player=me,
        by=me,
        invited=is_invited(found, request),
    )
    messages.success(request, f"You have entered {found} as {me}.")
    return HttpResponseRedirect(reverse("tournament", args=[slug]))


@require_POST
@login_required
@page
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw whoever asks, once they have said that they are sure."""
    found = seen(Tournament.objects.all(), slug, request)
    if "sure" not in request.POST:
        context = {"section": "tournaments", "tournament": found}
        return render(request, "tournaments/leave.html", context)
    me = player_of(request.user)  # type: ignore[arg-type]
    entrant_leave(tournament_id=found.pk, user=request.user, player=me, by=me)  # type: ignore[arg-type]
    messages.success(request, f"You have left {found}.")
    return HttpResponseRedirect(reverse("tournament", args=[slug]))
