"""Invitations, and entering a tournament by oneself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.public import NotFound, page
from tournaments.access import invite
from tournaments.models import Tournament


@require_safe
@page
def invitation(request: HttpRequest, slug: str, word: str) -> HttpResponse:
    """Let in who follows an invitation, and lead to the tournament."""
    found = Tournament.objects.filter(slug=slug).first()
    if found is None or not invite(found, request, word):
        raise NotFound("this invitation does not hold any more; ask for a new one")
    return HttpResponseRedirect(reverse("tournament", args=[slug]))
