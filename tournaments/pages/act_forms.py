"""Forms for what an organiser does, made of the fields of each act."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms

from tournaments.acts.base import Act, Field, Kind
from tournaments.models import Tournament

ENTRANTS = "entrants"
"""Id of the list of names that a page offers where an entrant is to be named."""


class WholesField(forms.CharField):
    """Whole numbers with spaces or commas between."""

    def clean(self, value: Any) -> list[int]:
        """Return the numbers."""
        text = super().clean(value)
        try:
            return [int(part) for part in text.replace(",", " ").split()]
        except ValueError:
            raise forms.ValidationError(
                f"whole numbers by seat are needed, such as 12 -5 30, not {text!r}"
            ) from None

    def prepare_value(self, value: Any) -> Any:
        """Return numbers as they are written."""
        return " ".join(map(str, value)) if isinstance(value, list) else value


class SeatsField(forms.CharField):
    """A table a line: players with commas between."""

    def clean(self, value: Any) -> list[list[str]]:
        """Return the players of each table."""
        lines = [line for line in super().clean(value).splitlines() if line.strip()]
        return [[name.strip() for name in line.split(",") if name.strip()] for line in lines]

    def prepare_value(self, value: Any) -> Any:
        """Return tables as they are written."""
        return "\n".join(map(", ".join, value)) if isinstance(value, list) else value


class ByesField(forms.CharField):
    """A player and the kind of a bye in each line."""

    def clean(self, value: Any) -> dict[str, str]:
        """Return the kinds of byes by player."""
        found: dict[str, str] = {}
        for line in super().clean(value).splitlines():
            if not line.strip():
                continue
            name, colon, kind = line.rpartition(":")
            if not colon:
                raise forms.ValidationError(
                    f"{line!r} names no kind; Ann: requested would be right"
                )
            if name.strip() in found:
                raise forms.ValidationError(f"{name.strip()} has two byes; one is right")
            found[name.strip()] = kind.strip().replace(" ", "_")
        return found

    def prepare_value(self, value: Any) -> Any:
        """Return byes as they are written."""
        if isinstance(value, Mapping):
            return "\n".join(f"{name}: {kind}" for name, kind in value.items())
        return value


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "spellcheck": "false"})


def _entrant() -> forms.TextInput:
    return forms.TextInput(attrs={"list": ENTRANTS, "autocomplete": "off"})


_MAKERS: Mapping[Kind, Callable[..., forms.Field]] = {
    Kind.TEXT: forms.CharField,
    Kind.LINES: lambda **of: forms.CharField(widget=_area(4), **of),
    Kind.WHOLES: WholesField,
    Kind.ENTRANT: lambda **of: forms.CharField(widget=_entrant(), **of),
    Kind.SEATS: lambda **of: SeatsField(widget=_area(8), **of | {"max_length": None}),
    Kind.BYES: lambda **of: ByesField(widget=_area(3), **of | {"max_length": None}),
}


def _field(field: Field, of: Tournament) -> forms.Field:
    given: dict[str, Any] = {
        "label": field.label,
        "help_text": field.help,
        "initial": field.default,
        "required": field.default is None,
    }
    if field.choices:
        coerce = int if field.kind == Kind.WHOLE else str
        return forms.TypedChoiceField(choices=field.choices(of), coerce=coerce, **given)
    if field.kind == Kind.WHOLE:
        return forms.IntegerField(min_value=field.least, max_value=field.most, **given)
    return _MAKERS[field.kind](max_length=field.most, **given)


class ActForm(forms.Form):
    """The form of an act; :func:`act_form` makes one."""

    act: Act
    chosen = False
    """Whether the reader has chosen what it is about, so that it is shown at once."""

    @property
    def is_typed(self) -> bool:
        """Whether something is typed in it, so that it must not be drawn anew under one's hands."""
        return any(field.choices is None for field in self.act.fields.values())

    def given(self) -> dict[str, Any]:
        """Return what the act is called with, once the form is valid."""
        fields = self.act.fields.items()
        return {
            name: field.default
            if field.default is not None and self.cleaned_data[name] in ("", None)
            else self.cleaned_data[name]
            for name, field in fields
        }


def act_form(
    act: Act,
    of: Tournament,
    data: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
) -> ActForm:
    """Return the form of an act on a tournament."""
    fields: dict[str, Any] = {name: _field(field, of) for name, field in act.fields.items()}
    form: ActForm = type("Form", (ActForm,), fields | {"act": act})(
        data, auto_id=f"{act.name}_%s", initial=initial
    )
    return form
