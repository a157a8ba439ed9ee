"""Signing in, and registering an account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.password_validation import password_validators_help_texts
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.models import User
from games.pages.web import page
from games.services.players import NAME_LENGTH, player_of


class SignIn(LoginView):
    """Sign somebody in, and go back to the page that was left as it then stood."""

    def get_redirect_url(self) -> str:  # type: ignore[override]  # a later Django's asks for more
        """Return where to go: what was asked for, of a page one comes from its present state.

        Steps and filters change a page's address, yet not the link to here that it came with.
        """
        asked: str = super().get_redirect_url()
        path = asked.partition("?")[0]
        left, mark, query = self.request.headers.get("Referer", "").partition("?")
        if asked and left == self.request.build_absolute_uri(path):
            return f"{path}{mark}{query}"
        return asked


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

    def validate_password_for_user(self, user: User, **options: Any) -> None:
        """Tell what is wrong with a password where it was chosen, not where it was repeated."""
        super().validate_password_for_user(user, password_field_name="password1")  # type: ignore[misc]  # noqa: S106


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
