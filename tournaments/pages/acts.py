"""The organiser's pages: every act, in the part where one looks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from engine.errors import BadInput
from games.public import ApplicationError, NotFound, Player, page, paged, player_of
from tournaments.access import organises, seen
from tournaments.acts import ACTS
from tournaments.acts.base import Act, Part, takes_entries
from tournaments.formats.base import EntrantId
from tournaments.models import Entrant, Phase, Tournament
from tournaments.pages.act_forms import ENTRANTS, ActForm, act_form
from tournaments.pages.progress import progress_shown
from tournaments.pages.tables import tables_as_shown
from tournaments.pages.tabs import log_shown
from tournaments.pages.told import told
from tournaments.pages.waiting import final_words, next_words
from tournaments.selectors import cards_of, names_of, tables_of, tables_played
from tournaments.services.pairings import pairing_preview
from tournaments.services.rounds import current_phase, later_phase

PARTS: Mapping[str, str] = {
    Part.ROUNDS: "Rounds",
    Part.PAIRING: "Next pairing",
    Part.ENTRIES: "Entries",
    Part.CORRECTIONS: "Corrections",
    Part.ACCESS: "Access",
    Part.PUBLISH: "Publish",
    "log": "Log",
}
CHOSEN = ("player", "game_number")
"""What can be chosen from a list beside the acts: fields of forms, and of the address."""
NAMES_OFFERED = 200
"""Names offered while somebody types."""
TABLES = 10
"""Tables to choose from on one page."""
SNAPSHOTS = 12
"""Snapshots listed, the latest."""
NOTES = 40
"""Reasons shown for a pairing."""
SAID = 3
"""Sentences that tell what was done."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def organise(request: HttpRequest, slug: str, part: str = Part.ROUNDS) -> HttpResponse:
    """Show what an organiser can do, and do it; what cannot be undone is asked about once more."""
    found = _organised(request, slug)
    if part not in PARTS:
        raise NotFound(f"there is no part {part!r}; parts are {', '.join(PARTS)}")
    failed: ActForm | None = None
    if request.method == "POST":
        answer = _asked(request, found)
        if isinstance(answer, HttpResponse):
            return answer
        failed, part = answer, answer.act.part
    context = {"section": "tournaments", "parts": PARTS, **_context(request, found, part, failed)}
    status = 422 if failed is not None else 200
    return render(request, "tournaments/organise/page.html", context, status=status)


@require_safe
@page
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the rounds part as it is now, once the log has grown.

    ``?seen=`` is the line of the log that the page knows of.
    """
    found = _organised(request, slug)
    if request.GET.get("seen") == str(found.seq):
        return HttpResponse(status=204)
    context = _context(request, found, Part.ROUNDS) | {"fragment": True}
    return render(request, "tournaments/organise/part.html", context)


def _organised(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament to its organiser.

    :raises NotFound: to everybody else.
    """
    found = seen(cards_of(Tournament.objects.all()), slug, request)
    if not organises(found, request.user):
        raise NotFound(f"{found} is not yours to organise")
    return found


def _context(
    request: HttpRequest, found: Tournament, part: str, failed: ActForm | None = None
) -> dict[str, Any]:
    """Return what the templates of a part need.

    :param failed: the form of an act that could not be done.
    """
    shown = _CONTEXTS[part](request, found)
    return {
        "tournament": found,
        "part": part,
        "title": PARTS[part],
        "forms": _forms(
            request, found, part, failed, shown.get("prepared", {}), shown.get("refused", "")
        ),
        "failed": failed,
        "offered": ENTRANTS,
        "live": part == Part.ROUNDS and found.status != Tournament.Status.ENDED,
        **shown,
    }


def _asked(request: HttpRequest, found: Tournament) -> HttpResponse | ActForm:
    """Do the act that was asked for, or ask once more; return its form if it cannot be done."""
    name = request.POST.get("act", "")
    if name not in ACTS:
        raise NotFound(f"there is no act {name!r}; acts are {', '.join(ACTS)}")
    act = ACTS[name]
    form = act_form(act, found, request.POST)
    if not form.is_valid():
        return form
    if act.final and "sure" not in request.POST:
        context = {"section": "tournaments", "tournament": found, "form": form}
        context["given"] = [(field, form.cleaned_data[field.name]) for field in form]
        return render(request, "tournaments/organise/sure.html", context)
    by = player_of(request.user)  # type: ignore[arg-type]
    before = found.seq
    try:
        act.do(found, by, **form.given())
    except (ApplicationError, BadInput) as error:
        form.add_error(None, str(error))
        found.refresh_from_db()
        return form
    messages.success(request, _said(found, act, by, before))
    return HttpResponseRedirect(reverse("organise-part", args=[found.slug, act.part]))


def _said(found: Tournament, act: Act, by: Player, before: int) -> str:
    """Return what an act wrote to the log, in words."""
    written = told(found.events.filter(seq__gt=before).order_by("seq"))
    own = [line.words for line in written if line.by == str(by.pk)]
    more = f" And {len(own) - SAID} more lines of the log." if len(own) > SAID else ""
    return f"Done. {' '.join(own[:SAID])}{more}" if own else f"Done: {act.title}."


def _forms(
    request: HttpRequest,
    found: Tournament,
    part: str,
    failed: ActForm | None,
    prepared: Mapping[str, Any],
    refused: str,
) -> list[ActForm]:
    """Return the forms of a part's acts that make sense now, with what was chosen in them.

    :param refused: why none does; empty where they say so themselves.
    """
    chosen = {name: request.GET[name] for name in CHOSEN if request.GET.get(name)}
    initial = {"minutes": found.no_show, **prepared, **chosen}
    forms: list[ActForm] = []
    for act in ACTS.values():
        if failed is not None and act == failed.act:
            forms.append(failed)
        elif act.part == part and not refused and act.when(found):
            form = act_form(act, found, initial=initial)
            form.chosen = part == Part.PAIRING or not chosen.keys().isdisjoint(act.fields)
            forms.append(form)
    return forms


def _rounds(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    return {"progress": progress_shown(found), "next": next_words(found), **_named(found)}


def _pairing(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    """Return the next round as it would be paired now, and why, or why there is none."""
    if found.status == Tournament.Status.ENDED:
        return {"refused": "There is no next round: it is over."}
    try:
        pairing = pairing_preview(tournament_id=found.pk)
    except ApplicationError as error:
        return {"refused": f"{error.message[:1].upper()}{error.message[1:]}."}
    if pairing is None:
        return {"refused": _complete_words(found)}
    ids = {entrant for table in pairing.tables for entrant in table}
    ids.update(bye.entrant for bye in pairing.byes)
    ids.update(entrant for note in pairing.notes for entrant in note.entrants)
    names: dict[EntrantId, str] = dict(names_of(map(str, ids)).items())
    return {
        "round": pairing.round,
        "notes": [
            f"Table {note.table}: {note.say(names)}" if note.table else note.say(names)
            for note in pairing.notes
        ][:NOTES],
        "prepared": {
            "tables": [[names[entrant] for entrant in table] for table in pairing.tables],
            "byes": {names[bye.entrant]: str(bye.kind) for bye in pairing.byes},
        },
    }


def _complete_words(found: Tournament) -> str:
    """Return why a phase has no next round."""
    phase = current_phase(found)
    if phase is None or not later_phase(phase):
        return "There is no next round: all are played."
    first = f"the first round of phase {phase.number + 1}"
    return f"Phase {phase.number} is complete; {first} is paired when it starts."


def _entries(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    return {"page": paged(request, found.entrants.select_related("player")), **_named(found)}


def _named(found: Tournament) -> dict[str, Any]:
    """Return the names offered where an entrant is to be named."""
    there = found.entrants.filter(status=Entrant.Status.PLAYING)
    return {"names": list(there.values_list("player__name", flat=True)[:NAMES_OFFERED])}


def _corrections(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    """Return the tables whose results are not final, and of the one chosen its scores by seat."""
    given = request.GET.get("game_number", "")
    chosen = None
    if given.isascii() and given.isdecimal() and len(given) < 7:
        chosen = tables_of(found).filter(game_number=int(given), played=True).first()
    places = list(chosen.places.all()) if chosen else []
    still = tables_played(found).filter(round__phase__status=Phase.Status.RUNNING)
    shown = paged(request, still, TABLES)
    return {
        "page": shown,
        "tables": tables_as_shown(shown),
        "final": final_words(found),
        "seats": ", ".join(place.entrant.player.name for place in places),
        "prepared": {"scores": [place.score for place in places]} if places else {},
        **_named(found),
    }


def _access(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    link = reverse("invitation", args=[found.slug, found.invitation]) if found.invitation else ""
    return {
        "invitation": request.build_absolute_uri(link) if link else "",
        "entering": takes_entries(found),
        "organisers": found.co_organisers.order_by("username"),
    }


def _publish(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    return {"snapshots": found.snapshots.defer("body")[:SNAPSHOTS]}


def _log(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    return log_shown(request, found)


_CONTEXTS: Mapping[str, Callable[[HttpRequest, Tournament], dict[str, Any]]] = {
    Part.ROUNDS: _rounds,
    Part.PAIRING: _pairing,
    Part.ENTRIES: _entries,
    Part.CORRECTIONS: _corrections,
    Part.ACCESS: _access,
    Part.PUBLISH: _publish,
    "log": _log,
}
