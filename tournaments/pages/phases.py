"""The step that says how a tournament is played: its phases, each with one format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django import forms
from django.utils.html import format_html_join

from engine import knobs
from tournaments.formats import FORMATS
from tournaments.formats.base import ByeKind
from tournaments.models import Bye
from tournaments.pages.steps import StepForm, knob_field
from tournaments.spec import MAX_PHASES, parse_spec
from tournaments.standings.metrics import TIE_BREAKS
from tournaments.standings.schemes import SCHEMES

FIRST = {"format": "swiss"}
"""The phase that a new tournament has."""
NEXT = {"format": "final", "top": 4}
"""What a further phase is at first: a top cut."""
TIE_BREAKS_SHOWN = 5
NO_TIE_BREAK = "none"
"""What is chosen first where ties are to stay ties."""
BOARDS = {
    "": "each table its own",
    "duplicate": "duplicate boards: all tables of a round the same",
    "rotate": "duplicate boards, each in every rotation of the seats",
}

USED_BY: dict[str, list[str]] = {}
"""Options of formats, and the formats that have them."""
for _chosen in FORMATS.values():
    for _knob in fields(_chosen.options):
        USED_BY.setdefault(_knob.name, []).append(_chosen.key)


@dataclass(frozen=True, slots=True)
class PhaseShown:
    """The fields of a phase."""

    number: int
    plain: list[forms.BoundField]
    options: list[tuple[forms.BoundField, str]]
    """Options, each with the formats that have it, as classes."""
    finer: list[forms.BoundField]
    """What is rarely changed."""
    is_open: bool
    """Whether something in that is changed or wrong."""


class FormatForm(StepForm):
    """All phases, one after another; fields of phase n begin with ``n-``."""

    key, title, says, blamed = "format", "Format", "phases", "format"
    lead = "One phase after another; a later one may take the best of the one before."

    late_entry = forms.IntegerField(
        required=False,
        label="Late entry until round",
        help_text="The last round of phase 1 that somebody who comes late may begin with;"
        " empty: nobody comes late",
    )

    def __init__(
        self,
        draft: Mapping[str, Any],
        given: Any = None,
        *,
        instead: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Make the fields of as many phases as the draft has, or as were filled in.

        :param instead: what the fields hold instead of what the draft says.
        """
        self.phases = list(draft.get("phases") or [FIRST])
        self.count = len(self.phases)
        count = str((given or instead or {}).get("count", ""))
        if count.isascii() and count.isdecimal():
            self.count = min(max(1, int(count[:3])), MAX_PHASES + 1)
        super().__init__(draft, given, **more)
        if instead is not None:
            self.initial = dict(instead)
        for number in range(1, self.count + 1):
            self._add_phase(number)
        late = self.fields.pop("late_entry")
        self.fields["late_entry"] = late  # it stands last
        for field in self.fields.values():
            field.disabled = self.started

    def _add_phase(self, number: int) -> None:
        own: dict[str, forms.Field] = {
            "format": forms.ChoiceField(
                label="Format", choices=[(key, of.name) for key, of in FORMATS.items()]
            )
        }
        if number > 1:
            own["top"] = forms.IntegerField(
                required=False,
                label="Take the best",
                help_text="So many of the phase before; empty: all",
            )
        for name, used_by in USED_BY.items():
            options = FORMATS[used_by[0]].options
            knob = next(knob for knob in fields(options) if knob.name == name)
            own[name] = knob_field(knob, _meanings(name), usual=True)
        own["boards"] = forms.ChoiceField(
            label="Deals", choices=list(BOARDS.items()), required=False
        )
        own["scheme"] = forms.ChoiceField(
            label="Points",
            choices=[("", "usual"), *((key, of.name) for key, of in SCHEMES.items())],
            required=False,
            help_text="Usual: placement; on duplicate boards matchpoints",
        )
        ties = [(key, of.name) for key, of in TIE_BREAKS.items()]
        for place in range(1, self._ties(number) + 1):
            first = [("", "usual of the format"), (NO_TIE_BREAK, "none: ties stay ties")]
            own[f"tie_{place}"] = forms.ChoiceField(
                label=f"Tie-break {place}",
                choices=(first if place == 1 else [("", "no further")]) + ties,
                required=False,
            )
        for kind in ByeKind:
            own[f"bye_{kind}"] = forms.CharField(
                label=f"Points for a {Bye.Kind(kind).label}"
                if kind != ByeKind.ZERO
                else "Points for an absence",
                required=False,
                help_text='Whole or a fraction such as "1/2"; empty: usual',
            )
        for name, field in own.items():
            self.fields[f"{number}-{name}"] = field

    def _ties(self, number: int) -> int:
        known = self.phases[number - 1].get("tie_breaks", []) if number <= len(self.phases) else []
        return max(TIE_BREAKS_SHOWN, len(known))

    def filled(self) -> dict[str, Any]:
        """Return the phases of the draft, field by field."""
        found: dict[str, Any] = {"late_entry": self.draft.get("late_entry") or None}
        for number, phase in enumerate(self.phases, 1):
            own = {"format": phase["format"], "scheme": phase.get("scheme", "")}
            own["top"] = phase.get("top") or None
            own |= {name: phase[name] for name in USED_BY if name in phase}
            own["boards"] = "duplicate" if phase.get("duplicate") else ""
            if phase.get("rotate"):
                own["boards"] = "rotate"
            ties = phase.get("tie_breaks")
            for place, key in enumerate(ties if ties else [NO_TIE_BREAK] * (ties == []), 1):
                own[f"tie_{place}"] = key
            own |= {f"bye_{kind}": worth for kind, worth in phase.get("byes", {}).items()}
            found |= {f"{number}-{name}": value for name, value in own.items()}
        return found

    def said(self) -> dict[str, Any]:
        """Return the phases; what their formats do not have is left out."""
        part = {
            "phases": [self._phase(number) for number in range(1, self.count + 1)],
            "late_entry": self.cleaned_data["late_entry"] or 0,
        }
        parse_spec({**self.draft, **part})
        return part

    def _phase(self, number: int) -> dict[str, Any]:
        given = {
            name.partition("-")[2]: value
            for name, value in self.cleaned_data.items()
            if name.startswith(f"{number}-")
        }
        chosen = given["format"]
        said: dict[str, Any] = {"format": chosen}
        for name, used_by in USED_BY.items():
            if chosen in used_by and given[name] is not None:
                said[name] = given[name]
        if given.get("top"):
            said["top"] = given["top"]
        if given["scheme"]:
            said["scheme"] = given["scheme"]
        if given["boards"]:
            said |= {"duplicate": True, "rotate": given["boards"] == "rotate"}
        ties = [given[f"tie_{place}"] for place in range(1, self._ties(number) + 1)]
        if ties[0]:
            said["tie_breaks"] = [key for key in ties if key and key != NO_TIE_BREAK]
        byes = {kind: given[f"bye_{kind}"].strip() for kind in map(str, ByeKind)}
        if any(byes.values()):
            said["byes"] = {kind: worth for kind, worth in byes.items() if worth}
        return said

    def named_by(self, text: str, prefix: str = "") -> str:
        """Return the field of the phase that a refusal is about."""
        if text.startswith("late_entry"):
            return "late_entry"
        if text.startswith(("rules", "duplicate")):  # boards need rules of their own
            return next(n for n in self.fields if n[-7:] == "-boards" and self.cleaned_data[n])
        numbered = re.match(r"phases\[(\d+)\]", text)
        told = text.replace("tie-break", "tie_1").replace("byes.", "bye_")
        return super().named_by(told, f"{numbered[1] if numbered else 1}-")

    def blame(self, text: str) -> None:
        """Tell a refusal at the field that it names, with its phase."""
        phase = re.sub(r"^phases\[(\d+)\][.:] ?", r"phase \1: ", text)
        self.add_error(self.named_by(text), phase)

    @property
    def shown(self) -> list[PhaseShown]:
        """The fields of each phase."""
        return [self._shown(number) for number in range(1, self.count + 1)]

    def _shown(self, number: int) -> PhaseShown:
        own = {
            name.partition("-")[2]: self[name]
            for name in self.fields
            if name.startswith(f"{number}-")
        }
        finer = [f for name, f in own.items() if name.startswith(("scheme", "tie_", "bye_"))]
        return PhaseShown(
            number,
            [own[name] for name in ("format", "top", "boards") if name in own],
            [(own[name], " ".join(map(_class_of, used_by))) for name, used_by in USED_BY.items()],
            finer,
            any(field.errors or field.value() for field in finer),
        )

    def with_more(self) -> dict[str, Any]:
        """Return what was filled in, not judged yet, with one phase more."""
        number = self.count + 1
        more = {f"{number}-{name}": value for name, value in NEXT.items()}
        return self._filled_in() | more | {"count": str(number)}

    def without(self, number: int) -> dict[str, Any]:
        """Return what was filled in, not judged yet, without a phase."""
        found: dict[str, Any] = {}
        for name, value in self._filled_in().items():
            of, dash, own = name.partition("-")
            if not dash or int(of) < number:
                found[name] = value
            elif int(of) > number:
                found[f"{int(of) - 1}-{own}"] = value
        return found | {"count": str(max(1, self.count - 1))}

    def _filled_in(self) -> dict[str, Any]:
        return {
            name: field.widget.value_from_datadict(self.data, {}, name) or ""
            for name, field in self.fields.items()
        }


def _meanings(option: str) -> str:
    """Return what an option means in each format that has it; the page shows the one chosen."""
    words: dict[str, list[str]] = {}
    for key in USED_BY[option]:
        of = FORMATS[key].options
        usual = getattr(of(), option)
        if isinstance(usual, bool):
            usual = "yes" if usual else "no"
        text = f"{knobs.definitions(of)[option].rstrip('.')}; usual: {usual}"
        words.setdefault(text, []).append(_class_of(key))
    return format_html_join(
        " ",
        '<span class="is-option {}">{}</span>',
        ((" ".join(formats), text) for text, formats in words.items()),
    )


def _class_of(format_: str) -> str:
    return f"is-{format_.replace('_', '-')}"
