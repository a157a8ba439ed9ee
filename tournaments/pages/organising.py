"""Creating a tournament from a file's text."""

from __future__ import annotations

import tomllib
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from engine import knobs
from engine.errors import BadInput
from games.public import page
from tournaments.formats import find_format
from tournaments.services.tournaments import tournament_create
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
