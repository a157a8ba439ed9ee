"""Registering an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.models import User
from games.pages.web import page
from games.services.players import NAME_LENGTH, player_of


class RegisterForm(UserCreationForm[User]):
    """A name that a player can have, and a password twice."""

    class Meta:
        model = User
        fields = ("username",)

    username = forms.CharField(
        label="Name",
        max_length=NAME_LENGTH,
        help_text="Shown to everybody. Letters, digits and @ . + - _ only.",
        validators=[User.username_validator],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["password1"].help_text = " ".join(password_validators_help_texts())


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@page
def register(request: HttpRequest) -> HttpResponse:
    """Make an account, sign it in, and go where its owner wanted to."""
    after = request.POST.get("next") or request.GET.get("next") or "/"
    if not url_has_allowed_host_and_scheme(after, {request.get_host()}, request.is_secure()):
        after = "/"
    form: Any = RegisterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        player_of(user)
        login(request, user)
        return HttpResponseRedirect(after)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "next": after}
    return render(request, "registration/register.html", context, status=status)
