"""The steps in which a tournament is described: forms that say what a file would.

A form turns fields into keys of a tournament file and back; the parser of files alone judges them,
so that there is one set of errors. What it refuses is told at the field that it names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field as KnobField
from dataclasses import fields
from typing import Any, ClassVar

from django import forms
from django.utils.text import capfirst

from engine import knobs
from engine.errors import BadInput
from engine.policies import POLICIES
from engine.variant import Variant, seat_count
from engine.variants import VARIANTS, find_variant
from tournaments.schedule import Pace, parse_schedule
from tournaments.spec import (
    ACCESSES,
    check_room,
    parse_access,
    parse_entrants,
    parse_entry,
    parse_game,
)

ACCESS_WORDS = {
    "public": "everybody: it stands in the lists",
    "unlisted": "whoever has its address: it stands in no list",
    "private": "only who is let in; its games are not rated",
}

STARTS = {
    Pace.FLOW: "as soon as the last one is over",
    Pace.HAND: "when you open them; you also end the last",
    Pace.INTERVAL: "after a pause",
    Pace.CALENDAR: "at their own times",
}

_WHERE = re.compile(r"^(?:rules|entry|schedule|phases\[\d+\])[.:] ?")


class StepForm(forms.Form):
    """What the steps share."""

    key: ClassVar[str]
    """Its word in addresses."""
    title: ClassVar[str]
    lead: ClassVar[str]
    """A sentence about it."""
    says: ClassVar[str]
    """A key that a draft has once the step is done."""
    blamed: ClassVar[str]
    """The field at which is told what names none."""
    part: dict[str, Any]
    """What the fields say, as keys of a file; only of a form that is valid."""

    def __init__(
        self, draft: Mapping[str, Any], given: Any = None, *, started: bool = False, **more: Any
    ) -> None:
        """Make the form of a draft.

        :param given: what was filled in; None for what the draft says.
        :param started: whether the tournament to be changed has started.
        """
        self.draft, self.started = draft, started
        super().__init__(given, initial=self.filled(), **more)

    def filled(self) -> dict[str, Any]:
        """Return what the fields hold for the draft."""
        raise NotImplementedError

    def said(self) -> dict[str, Any]:
        """Return what the fields say, as keys of a file.

        :raises BadInput: as the parser of files.
        """
        raise NotImplementedError

    def clean(self) -> None:
        """Let the parser judge what stands in the fields."""
        if self.errors:
            return
        try:
            self.part = self.said()
        except BadInput as error:
            self.blame(str(error))

    def blame(self, text: str) -> None:
        """Tell a refusal at the field that it names."""
        self.add_error(self.named_by(text), _WHERE.sub("", text))

    def named_by(self, text: str, prefix: str = "") -> str:
        """Return the field that a refusal names first, those with a value before all others."""
        names = [name.removeprefix(prefix) for name in self.fields if name.startswith(prefix)]
        told = _WHERE.sub("", text)
        for mark in ("=", r"\b"):
            places = [
                (found.start(), name)
                for name in names
                if (found := re.search(rf"\b{name}{mark}", told))
            ]
            if places:
                return prefix + min(places)[1]
        return prefix + self.blamed


class GameForm(StepForm):
    """Its name and the game."""

    key, title, says, blamed = "game", "Game", "variant", "name"
    lead = "What is played, and what the event is called."

    name = forms.CharField(required=False, help_text="As it stands in lists, up to 80 characters")
    variant = forms.ChoiceField(
        label="Game",
        choices=[(kind.key, f"{kind.name}, {seat_count(kind)} players") for kind in VARIANTS],
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        """Make the form; the game is fixed once it is played."""
        super().__init__(*args, **more)
        self.fields["variant"].disabled = self.started

    def filled(self) -> dict[str, Any]:
        """Return the two."""
        return {"name": self.draft.get("name"), "variant": self.draft.get("variant")}

    def said(self) -> dict[str, Any]:
        """Return the two; another game has its own rules and bots."""
        part = {"name": self.cleaned_data["name"], "variant": self.cleaned_data["variant"]}
        parse_game(part)
        if "variant" in self.draft and part["variant"] != self.draft["variant"]:
            known = {policy.name for policy in POLICIES[part["variant"]]}
            bots = [bot for bot in self.draft.get("entrants", []) if bot["bot"] in known]
            part |= {"rules": {}, "entrants": bots}
        return part


class RulesForm(StepForm):
    """Every knob of the game."""

    key, title, says, blamed = "rules", "Rules", "rules", "length"
    lead = "Each rule stands as the game is usually played; change what you play otherwise."

    def __init__(self, draft: Mapping[str, Any], *args: Any, **more: Any) -> None:
        """Make a field of each knob."""
        self.kind: Variant = find_variant(draft["variant"])
        super().__init__(draft, *args, **more)
        words = knobs.definitions(self.kind.rules)
        for knob in fields(self.kind.rules):
            self.fields[knob.name] = knob_field(knob, words[knob.name])

    @property
    def presets(self) -> Mapping[str, Any]:
        """Sets of rules that the game has by name."""
        return self.kind.rules.PRESETS

    def filled(self) -> dict[str, Any]:
        """Return every knob as the draft has it."""
        given = self.draft.get("rules", {})
        return dict(knobs.as_settings(knobs.parse(self.kind.rules, given)))

    def said(self) -> dict[str, Any]:
        """Return the knobs that are not the usual ones, so that boards may set the others."""
        given = self.cleaned_data
        if given["length"] != "deals":
            given = given | {"deals": None}  # then no form shows it
        parsed = knobs.as_settings(knobs.parse(self.kind.rules, given))
        usual = knobs.as_settings(self.kind.rules())
        return {"rules": {name: value for name, value in parsed.items() if value != usual[name]}}


def knob_field(knob: KnobField[Any], words: str, *, usual: bool = False) -> forms.Field:
    """Return the field of a knob.

    :param usual: whether it may be left empty, for its usual value.
    """
    about: dict[str, Any] = {"label": knob.name.replace("_", " ").capitalize(), "help_text": words}
    if "choices" not in knob.metadata:
        return forms.IntegerField(**about, required=knob.default is not None and not usual)
    options = knob.metadata["choices"]
    if options == (False, True):
        return forms.TypedChoiceField(
            **about,
            choices=[("", "usual")] * usual + [("False", "no"), ("True", "yes")],
            coerce=lambda value: value == "True",
            empty_value=None,
            required=not usual,
        )
    words_of = {str(option): str(option).replace("_", " ") for option in options}
    return forms.ChoiceField(**about, choices=list(words_of.items()))


class PlayersForm(StepForm):
    """Who plays, and who may look on."""

    key, title, says, blamed = "players", "Players", "access", "least"
    lead = "Who takes part: bots enter now, people by themselves or by you, later."

    access = forms.ChoiceField(
        label="Who may see it", choices=[(key, ACCESS_WORDS[key]) for key in ACCESSES]
    )
    open = forms.BooleanField(
        label="Anybody who is signed in may enter",
        required=False,
        help_text="Else you enter people, or send them an invitation",
    )
    least = forms.IntegerField(
        label="Fewest entrants",
        required=False,
        help_text="Without so many it does not start; empty: as many as the format needs",
    )
    most = forms.IntegerField(
        label="Most entrants", required=False, help_text="Empty: as many as there is room for"
    )

    def __init__(
        self, draft: Mapping[str, Any], *args: Any, changes: bool = False, **more: Any
    ) -> None:
        """Make a field of each bot there is, but not for changes: bots enter on their own page."""
        self.kind = find_variant(draft["variant"])
        self.policies = () if changes else POLICIES[self.kind.key]
        super().__init__(draft, *args, **more)
        for policy in self.policies:
            self.fields[f"bots_{policy.name}"] = forms.IntegerField(
                label=policy.name.capitalize(), required=False, help_text=capfirst(policy.summary)
            )

    @property
    def bots(self) -> list[forms.BoundField]:
        """The fields of the bots."""
        return [self[f"bots_{policy.name}"] for policy in self.policies]

    @property
    def others(self) -> list[forms.BoundField]:
        """The other fields."""
        return [self[name] for name in ("access", "open", "least", "most")]

    def filled(self) -> dict[str, Any]:
        """Return who takes part; what is not limited is empty."""
        entry = self.draft.get("entry", {})
        counts = {f"bots_{bot['bot']}": bot.get("count", 1) for bot in _bots(self.draft)}
        return {
            "access": self.draft.get("access", ACCESSES[0]),
            "open": entry.get("open", False),
            "least": entry.get("least") or None,
            "most": entry.get("most") or None,
            **counts,
        }

    def said(self) -> dict[str, Any]:
        """Return who takes part; times of entry stay as they are."""
        given = self.cleaned_data
        before = {k: v for k, v in self.draft.get("entry", {}).items() if k in ("opens", "closes")}
        limits = {key: given[key] or 0 for key in ("least", "most")}
        counts = {policy.name: given[f"bots_{policy.name}"] for policy in self.policies}
        part: dict[str, Any] = {
            "access": given["access"],
            "entry": {"open": given["open"], **limits, **before},
        }
        if self.policies:
            part["entrants"] = [{"bot": bot, "count": n} for bot, n in counts.items() if n]
        parse_access(part)
        entrants = parse_entrants(part.get("entrants"), self.kind.key)
        entry = parse_entry(part, parse_schedule(self.draft.get("schedule", {})))
        check_room(sum(bot.count for bot in entrants), entry)
        return part

    def named_by(self, text: str, prefix: str = "") -> str:
        """Return the field of the bots that a refusal counts, or as always."""
        numbered = re.match(r"entrants\[(\d+)\]", text)
        if numbered:
            entered = [field.name for field in self.bots if self.cleaned_data.get(field.name)]
            return entered[int(numbered[1]) - 1]
        return super().named_by(text, prefix)


def _bots(draft: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the bots of a draft, each policy once."""
    counts: dict[str, int] = {}
    for bot in draft.get("entrants", []):
        counts[bot["bot"]] = counts.get(bot["bot"], 0) + bot.get("count", 1)
    return [{"bot": name, "count": count} for name, count in counts.items()]


class _Clock(forms.CharField):
    """A time as the clocks on the wall of a zone show it."""

    def __init__(self, **about: Any) -> None:
        widget = forms.TextInput(attrs={"type": "datetime-local"})
        super().__init__(required=False, widget=widget, **about)

    def prepare_value(self, value: Any) -> Any:
        """Return a time as such a field of a browser needs it."""
        return str(value)[:16].replace(" ", "T") if value else value

    def to_python(self, value: Any) -> str:
        """Return a time as a file says it."""
        return (super().to_python(value) or "").replace("T", " ")


class ScheduleForm(StepForm):
    """When it and its rounds start."""

    key, title, says, blamed = "schedule", "Schedule", "schedule", "rounds"
    lead = "When people may enter, when it starts, and what starts each round."

    zone = forms.CharField(
        required=False,
        label="Time zone",
        help_text="IANA name, such as Europe/Berlin; all times are those of its clocks",
    )
    opens = _Clock(label="Entries open", help_text="Empty: at once")
    closes = _Clock(label="Entries close", help_text="Empty: when it starts")
    rounds = forms.ChoiceField(
        label="Rounds start", choices=[(str(pace), words) for pace, words in STARTS.items()]
    )
    start = _Clock(label="It starts at", help_text="Empty: you start it")
    minutes = forms.IntegerField(required=False, label="Minutes between rounds")
    times = forms.CharField(
        required=False,
        label="Times of the rounds",
        help_text="One a line, such as 2026-12-01 19:00; the first is the start",
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    no_show = forms.IntegerField(
        required=False,
        label="No-show after minutes",
        help_text="Whoever lets a game wait so long loses it by forfeit; empty: nobody does",
    )

    def filled(self) -> dict[str, Any]:
        """Return the times of the draft."""
        schedule, entry = self.draft.get("schedule", {}), self.draft.get("entry", {})
        return {
            "zone": schedule.get("zone", "UTC"),
            "opens": entry.get("opens"),
            "closes": entry.get("closes"),
            "rounds": schedule.get("rounds", Pace.FLOW),
            "start": schedule.get("start"),
            "minutes": schedule.get("minutes") or None,
            "times": "\n".join(map(str, schedule.get("times", []))),
            "no_show": schedule.get("no_show") or None,
        }

    def said(self) -> dict[str, Any]:
        """Return the times; what the way that rounds start does not need is left out."""
        given, pace = self.cleaned_data, self.cleaned_data["rounds"]
        schedule = {
            "zone": given["zone"],
            "rounds": pace,
            "minutes": (given["minutes"] or 0) if pace == Pace.INTERVAL else 0,
            "no_show": given["no_show"] or 0,
        }
        if pace == Pace.CALENDAR:
            schedule["times"] = [
                line for line in map(str.strip, given["times"].split("\n")) if line
            ]
        elif given["start"]:
            schedule["start"] = given["start"]
        entry = {
            k: v for k, v in self.draft.get("entry", {}).items() if k not in ("opens", "closes")
        }
        entry |= {key: given[key] for key in ("opens", "closes") if given[key]}
        part = {"schedule": schedule, "entry": entry}
        parse_entry(part, parse_schedule(schedule))
        return part
