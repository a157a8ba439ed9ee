"""Pages on which a tournament is described step by step, then created or changed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from engine import knobs
from engine.errors import BadInput
from engine.variants import VARIANTS, find_variant
from games.public import Conflict, NotFound, User, page
from tournaments.access import organises, seen
from tournaments.models import Draft, Tournament
from tournaments.pages.phases import FormatForm
from tournaments.pages.review import foreseen, sections
from tournaments.pages.steps import GameForm, PlayersForm, RulesForm, ScheduleForm, StepForm
from tournaments.selectors import draft_get, drafts_of
from tournaments.services.drafts import draft_delete, draft_finish, draft_keep, said_in
from tournaments.services.settings import as_template, described
from tournaments.spec import parse_spec

FORMS: Mapping[str, type[StepForm]] = {
    form.key: form for form in (GameForm, RulesForm, PlayersForm, FormatForm, ScheduleForm)
}
"""The steps in their order."""
REVIEW = "review"
FIXED_STEPS = ("rules", "format")
"""Steps in which nothing can be changed once a tournament has started."""
PARTS = {
    "rules": "rules",
    "entrants": "players",
    "entry": "players",
    "access": "players",
    "schedule": "schedule",
    "name": "game",
    "variant": "game",
}
"""The step that a refusal is about, by how it begins; all others are about the format."""

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
        help_text="TOML, as docs/TOURNAMENTS.md describes it",
        widget=forms.Textarea(attrs={"rows": 24, "spellcheck": "false"}),
    )
    said: dict[str, Any]
    """What the file says, as a draft holds it."""

    def clean_text(self) -> str:
        """Read the file; whatever is wrong in it is named."""
        text: str = self.cleaned_data["text"]
        try:
            data = tomllib.loads(text)
            spec = parse_spec(data)
        except tomllib.TOMLDecodeError as error:
            raise forms.ValidationError(f"this is not TOML: {error}") from None
        except BadInput as error:
            raise forms.ValidationError(str(error)) from None
        whole = {"access": spec.access, "entrants": [], "entry": {}, "schedule": {}} | data
        whole |= {"variant": spec.variant, "rules": _unusual(spec.variant, data.get("rules", {}))}
        self.said = json.loads(json.dumps(whole, default=str))  # TOML has times, JSON has none
        return text


def _unusual(variant: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return rules without presets, and without those that are the usual ones."""
    kind = find_variant(variant)
    usual = knobs.as_settings(kind.rules())
    parsed = knobs.as_settings(knobs.parse(kind.rules, rules))
    return {name: value for name, value in parsed.items() if value != usual[name]}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def new(request: HttpRequest) -> HttpResponse:
    """Begin a new tournament, ``?like=`` another; list one's drafts."""
    like = request.POST.get("like", request.GET.get("like", ""))
    said: dict[str, Any] = {"variant": VARIANTS[0].key}
    if like:
        said = as_template(seen(Tournament.objects.all(), like, request))
    form = GameForm(said, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            begun = said if like else {}
            draft = draft_keep(user=_user(request), said=begun | form.part)
        except Conflict as error:
            form.add_error(None, str(error))
        else:
            return HttpResponseRedirect(_address(draft, "rules"))
    context = {
        "section": "tournaments",
        "form": form,
        "like": like,
        "drafts": [(each, _address(each, _onwards(each))) for each in drafts_of(_user(request))],
        "steps": [(step.key, step.title, "") for step in FORMS.values()] + [(REVIEW, "Review", "")],
        "step": GameForm.key,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/wizard/new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def file(request: HttpRequest) -> HttpResponse:
    """Take a tournament file as a draft, to be reviewed and created like any."""
    posted = request.method == "POST"
    form = FileForm(request.POST if posted else None, initial={"text": EXAMPLE})
    if posted and form.is_valid():
        try:
            draft = draft_keep(user=_user(request), said=form.said)
        except Conflict as error:
            form.add_error(None, str(error))
        else:
            return HttpResponseRedirect(_address(draft, REVIEW))
    context = {"section": "tournaments", "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/wizard/file.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def draft(request: HttpRequest, number: int, step: str) -> HttpResponse:
    """Show or take a step of one's draft."""
    found = draft_get(_user(request), number)
    if found.tournament is not None:
        return HttpResponseRedirect(_address(found, step))
    return _step(request, found, step)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@page
def edit(request: HttpRequest, slug: str, step: str = REVIEW) -> HttpResponse:
    """Show or take a step of changes to a tournament."""
    return _step(request, _changes_to(request, slug), step)


@require_POST
@page
def draft_ahead(request: HttpRequest, number: int, step: str) -> HttpResponse:
    """Answer with what a draft will take if a step is taken as its fields stand; keep nothing."""
    return _ahead(request, draft_get(_still_there(request), number), step)


@require_POST
@page
def edit_ahead(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """Answer with what a changed tournament will take, likewise."""
    _still_there(request)
    return _ahead(request, _changes_to(request, slug), step)


@require_POST
@login_required
@page
def delete(request: HttpRequest, number: int) -> HttpResponse:
    """Forget one's draft."""
    draft_delete(user=_user(request), number=number)
    messages.success(request, "Done: the draft is deleted.")
    return HttpResponseRedirect(reverse("tournament-new"))


def _changes_to(request: HttpRequest, slug: str) -> Draft:
    """Return what its organiser has said of changes to a tournament so far.

    :raises NotFound: to everybody else.
    :raises Conflict: when it is over.
    """
    found = seen(Tournament.objects.all(), slug, request)
    user = _user(request)
    if not organises(found, user):
        raise NotFound(f"{found} is not yours to change")
    if found.status == Tournament.Status.ENDED:
        raise Conflict(f"{found} is over; nothing in it can be changed any more")
    return drafts_of(user).filter(tournament=found).first() or Draft(user=user, tournament=found)


def _ahead(request: HttpRequest, draft: Draft, step: str) -> HttpResponse:
    if step not in FORMS:
        raise NotFound(f"there is no step {step!r}; steps are {', '.join(FORMS)}")
    context = _foreseen(draft, _form(draft, step, request.POST))
    return render(request, "tournaments/wizard/foreseen.html", context)


def _foreseen(draft: Draft, form: StepForm) -> dict[str, Any]:
    """Return what all that is said will take, a form's fields as they stand among it."""
    said = said_in(draft)
    if form.is_bound and not form.is_valid():
        return {"missing": " ".join(str(e) for errors in form.errors.values() for e in errors)}
    if form.is_bound:
        said |= form.part
    if FormatForm.says not in said:
        return {"missing": "It follows from the format."}
    try:
        return foreseen(parse_spec(said), draft.tournament)
    except BadInput as error:
        return {"missing": str(error)}


def _step(request: HttpRequest, draft: Draft, step: str) -> HttpResponse:
    if step == REVIEW:
        return _review(request, draft)
    if step not in FORMS:
        raise NotFound(f"there is no step {step!r}; steps are {', '.join((*FORMS, REVIEW))}")
    form = _form(draft, step, request.POST if request.method == "POST" else None)
    if form.is_bound and isinstance(form, FormatForm) and {"more", "drop"} & {*request.POST}:
        dropped = request.POST.get("drop", "")
        gone = next((n for n in range(1, form.count + 1) if str(n) == dropped), None)
        instead = form.without(gone) if gone else form.with_more()
        form = FormatForm(said_in(draft), instead=instead, started=form.started)
    elif form.is_bound and isinstance(form, RulesForm) and "preset" in request.POST:
        return _preset(draft, form, request.POST["preset"], request)
    elif form.is_bound and form.is_valid():
        kept = draft_keep(
            user=draft.user, said=form.part, number=draft.pk, tournament=draft.tournament
        )
        order = [*_steps_of(kept), REVIEW]
        onwards = order[order.index(step) + 1]
        return HttpResponseRedirect(_address(kept, REVIEW if "review" in request.POST else onwards))
    return _shown(request, draft, form)


def _preset(draft: Draft, form: RulesForm, name: str, request: HttpRequest) -> HttpResponse:
    """Keep the rules that a game has by a name, and show them."""
    try:
        rules = _unusual(form.kind.key, {"preset": name})
    except BadInput as error:
        raise NotFound(str(error)) from None
    kept = draft_keep(
        user=draft.user, said={"rules": rules}, number=draft.pk, tournament=draft.tournament
    )
    return HttpResponseRedirect(_address(kept, RulesForm.key))


def _shown(request: HttpRequest, draft: Draft, form: StepForm) -> HttpResponse:
    order = [*_steps_of(draft), REVIEW]
    place = order.index(form.key) if form.key in order else 0
    context = _about(draft, form.key) | {
        "form": form,
        "back": _address(draft, order[place - 1]) if place else "",
        "complete": _onwards(draft) == REVIEW,
    }
    if form.key == FormatForm.key or (
        FormatForm.says in said_in(draft) and form.key != GameForm.key
    ):
        context |= {"ahead": f"{_address(draft, form.key)}ahead/"} | _foreseen(draft, form)
    status = 422 if form.errors else 200
    return render(request, f"tournaments/wizard/{form.key}.html", context, status=status)


def _review(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Show all that is said and what it will take; create or change it when that is wanted."""
    missing = _onwards(draft)
    if missing != REVIEW:
        return HttpResponseRedirect(_address(draft, missing))
    said, problem, spec = said_in(draft), "", None
    try:
        spec = parse_spec(said)
        if request.method == "POST":
            if draft._state.adding:
                raise Conflict("nothing is changed yet")
            made = draft_finish(user=draft.user, number=draft.pk)
            done = "changed" if draft.tournament else "created; nothing starts before it is to"
            messages.success(request, f"Done: {made} is {done}.")
            return HttpResponseRedirect(reverse("organise", args=[made.slug]))
    except (BadInput, Conflict) as error:
        problem = str(error)
    before = parse_spec(described(draft.tournament)) if draft.tournament else None
    context = _about(draft, REVIEW) | {
        "spec": spec,
        "problem": problem,
        "mend": _address(draft, _about_step(problem)),
        "sections": sections(spec, before, _steps_of(draft)) if spec else [],
        **(foreseen(spec, draft.tournament) if spec else {}),
    }
    status = 422 if problem else 200
    return render(request, "tournaments/wizard/review.html", context, status=status)


def _about_step(problem: str) -> str:
    """Return the step that can mend a problem."""
    start = problem.replace(":", ".").replace("[", ".").replace(" ", ".").partition(".")[0]
    return PARTS.get(start.partition("=")[0], "format")


def _about(draft: Draft, step: str) -> dict[str, Any]:
    """Return what all steps of a draft show."""
    changeable = _steps_of(draft)
    done = _onwards(draft)
    steps = []
    for key in (*FORMS, REVIEW):
        title = FORMS[key].title if key in FORMS else "Review"
        reachable = key in changeable if key != REVIEW else done == REVIEW
        if not draft.tournament and key in FORMS:
            reachable = FORMS[key].says in draft.data or key == done
        steps.append((key, title, _address(draft, key) if reachable else ""))
    return {
        "section": "tournaments",
        "draft": draft,
        "tournament": draft.tournament,
        "name": said_in(draft).get("name", ""),
        "steps": steps,
        "step": step,
    }


def _form(draft: Draft, step: str, given: Any) -> StepForm:
    said = said_in(draft)
    started = bool(draft.tournament and draft.tournament.status != Tournament.Status.OPEN)
    more = {"changes": draft.tournament is not None} if step == PlayersForm.key else {}
    if step not in _steps_of(draft):
        raise NotFound(f"{draft.tournament} has started, so its {step} cannot be changed any more")
    return FORMS[step](said, given, started=started, **more)


def _steps_of(draft: Draft) -> list[str]:
    """Return the steps in which something can be said."""
    started = draft.tournament and draft.tournament.status != Tournament.Status.OPEN
    return [key for key in FORMS if not (started and key in FIXED_STEPS)]


def _onwards(draft: Draft) -> str:
    """Return the first step that is not done."""
    if draft.tournament is not None:
        return REVIEW
    return next((key for key, form in FORMS.items() if form.says not in draft.data), REVIEW)


def _address(draft: Draft, step: str) -> str:
    if draft.tournament is not None:
        return reverse("tournament-edit-step", args=[draft.tournament.slug, step])
    return reverse("draft", args=[draft.pk, step])


def _still_there(request: HttpRequest) -> User:
    """Return who is signed in.

    :raises NotFound: for nobody: a part of a page cannot lead to the page of signing in.
    """
    if not request.user.is_authenticated:
        raise NotFound("nobody is signed in here any more; sign in again")
    return _user(request)


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)  # login_required saw to it
