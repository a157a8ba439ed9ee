"""The organiser's pages: create a tournament from a file's text, and every act in its course."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from engine import knobs
from engine.errors import BadInput
from games.public import ApplicationError, NotFound, page, player_of
from tournaments.access import organises, seen
from tournaments.formats import find_format
from tournaments.models import Tournament
from tournaments.selectors import player_named, user_named
from tournaments.services import access, entrants, entries, pairings, results, running
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import Spec, parse_spec

EXAMPLE = """name = "My cup"
variant = "manipulation"

[rules]
length = "deals"
deals = 2

[[entrants]]
bot = "greedy"
count = 8

[[phases]]
format = "swiss"
table_size = 4
rounds = 3

[[phases]]
format = "final"
top = 4
"""


class FileForm(forms.Form):
    """The text of a tournament file."""

    text = forms.CharField(
        label="Tournament file",
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false"}),
    )
    spec: Spec

    def clean_text(self) -> str:
        """Read the file; whatever is wrong in it is named."""
        text: str = self.cleaned_data["text"]
        try:
            self.spec = parse_spec(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise forms.ValidationError(f"this is not TOML: {error}") from None
        except BadInput as error:
            raise forms.ValidationError(str(error)) from None
        return text


def totals(spec: Spec) -> list[tuple[str, int, int]]:
    """Return what each phase will take, as far as is known: its format, rounds and games."""
    found = []
    sizes = spec.sizes_of(spec.size or spec.entry.least)
    for phase, size in zip(spec.phases, sizes, strict=True):
        chosen = find_format(phase.format)
        try:
            seen_ahead = chosen.preview(size, knobs.parse(chosen.options, phase.options))
        except BadInput:  # nobody knows yet how many will come
            found.append((chosen.name, 0, 0))
        else:
            found.append((chosen.name, seen_ahead.rounds, seen_ahead.games))
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def create(request: HttpRequest) -> HttpResponse:
    """Check a tournament file and tell what it will take; create it when that is wanted."""
    posted = request.method == "POST"
    form = FileForm(request.POST if posted else None, initial={"text": EXAMPLE})
    context: dict[str, Any] = {"form": form, "section": "tournaments"}
    if posted and form.is_valid():
        if "create" in request.POST:
            try:
                made = tournament_create(spec=form.spec, organiser=request.user)  # type: ignore[arg-type]
            except BadInput as error:
                form.add_error("text", str(error))
            else:
                return HttpResponseRedirect(reverse("organise", args=[made.slug]))
        else:
            found = totals(form.spec)
            context |= {"spec": form.spec, "totals": found, "games": sum(row[2] for row in found)}
    status = 422 if form.errors else 200
    return render(request, "tournaments/create.html", context, status=status)


def _player() -> forms.CharField:
    return forms.CharField(label="Player", max_length=40, help_text="Name or id")


def _reason() -> forms.CharField:
    return forms.CharField(label="Reason", max_length=200, help_text="Shown in the log")


def _act(title: str, do: Callable[..., object], **fields: forms.Field) -> type[forms.Form]:
    return type("Act", (forms.Form,), {**fields, "title": title, "do": staticmethod(do)})


def _on_player(service: Callable[..., object]) -> Callable[..., object]:
    def do(player: str, **given: Any) -> object:
        return service(player=player_named(player), **given)

    return do


def _enter(tournament_id: Any, player: str, by: Any) -> object:
    tournament = Tournament.objects.get(pk=tournament_id)
    known = entries.player_known(tournament, player)
    return entrants.entrant_enter(tournament_id=tournament_id, player=known, by=by)


def _correct(scores: str, **given: Any) -> object:
    try:
        numbers = [int(score) for score in scores.split()]
    except ValueError:
        raise BadInput(
            f"scores must be whole numbers by seat, such as 12 -5 30, not {scores!r}"
        ) from None
    return results.result_correct(scores=numbers, **given)


def _organiser(user: str, **given: Any) -> object:
    return access.organiser_add(user=user_named(user), **given)


ACTS: Mapping[str, type[forms.Form]] = {
    "start": _act("Start now", tournament_start),
    "open": _act("Open the next round", running.round_open),
    "pause": _act("Pause", pairings.tournament_pause),
    "resume": _act("Resume", pairings.tournament_resume),
    "bots": _act(
        "Enter bots",
        entries.bots_enter,
        bot=forms.CharField(label="Bot", max_length=40, help_text="A policy, such as greedy"),
        count=forms.IntegerField(label="How many", min_value=1, max_value=10_000, initial=1),
    ),
    "enter": _act("Enter a player", _enter, player=_player()),
    "list": _act(
        "Enter a list",
        entries.entrants_import,
        text=forms.CharField(
            label="CSV", widget=forms.Textarea(attrs={"rows": 4}), help_text="A name or id a line"
        ),
    ),
    "withdraw": _act("Withdraw", _on_player(entrants.entrant_withdraw), player=_player()),
    "return": _act("Let return", _on_player(entrants.entrant_return), player=_player()),
    "disqualify": _act(
        "Disqualify", _on_player(entrants.entrant_disqualify), player=_player(), reason=_reason()
    ),
    "correct": _act(
        "Correct a result",
        _correct,
        game_number=forms.IntegerField(label="Game number", min_value=1, max_value=99_999),
        scores=forms.CharField(label="Scores", max_length=80, help_text="By seat: 12 -5 30"),
        reason=_reason(),
    ),
    "void": _act(
        "Void a game",
        results.game_void,
        game_number=forms.IntegerField(label="Game number", min_value=1, max_value=99_999),
        reason=_reason(),
    ),
    "invite": _act("Make a new invitation link", access.invitation_make),
    "organiser": _act(
        "Add a co-organiser",
        _organiser,
        user=forms.CharField(label="User", max_length=150, help_text="Name as they sign in"),
    ),
    "cancel": _act("Cancel for good", running.tournament_cancel, reason=_reason()),
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what an organiser can do, and do it."""
    found = seen(Tournament.objects.all(), slug, request)
    if not organises(found, request.user):
        raise NotFound(f"{found} is not yours to organise")
    asked = request.POST.get("act", "")
    if request.method == "POST" and asked not in ACTS:
        raise NotFound(f"there is no act {asked!r}; acts are {', '.join(ACTS)}")
    shown = {}
    for name, form in ACTS.items():
        given = request.POST if name == asked else None
        shown[name] = form(given, auto_id=f"{name}_%s")
    if asked and (failed := _done(request, found, shown[asked])) is None:
        return HttpResponseRedirect(reverse("organise", args=[slug]))
    found.refresh_from_db()
    link = reverse("invitation", args=[slug, found.invitation]) if found.invitation else ""
    context = {
        "section": "tournaments",
        "tournament": found,
        "acts": shown,
        "failed": failed if asked else None,
        "invitation": request.build_absolute_uri(link) if link else "",
    }
    return render(request, "tournaments/organise.html", context, status=422 if asked else 200)


def _done(request: HttpRequest, found: Tournament, form: Any) -> Any:
    """Do an act; return its form if it cannot be done, saying why, else None."""
    if form.is_valid():
        by = player_of(request.user)  # type: ignore[arg-type]
        try:
            form.do(tournament_id=found.pk, by=by, **form.cleaned_data)
        except (ApplicationError, BadInput) as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Done: {form.title}.")
            return None
    return form
