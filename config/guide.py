"""``/ui/``: every component in each of its states, drawn by the templates of the real pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.errors import BadInput
from engine.game import Game as Played
from engine.play import play_out
from engine.policies import POLICIES
from engine.record import read_lines
from engine.replay import Replay
from engine.variants import VARIANTS, find_variant
from games.models import Game, Player, Seat
from games.pages.moves import deal_shown
from games.pages.perspective import choices
from games.pages.stage import Stage, stage
from games.pages.verdicts import GRADES, GameVerdicts, TurnVerdict
from games.public import (
    BandChart,
    Estimate,
    Filters,
    NotFound,
    Opponent,
    Remark,
    band_chart,
    filter_form,
    page,
)
from tournaments.acts import ACTS
from tournaments.models import Tournament
from tournaments.pages.act_forms import ActForm, act_form
from tournaments.pages.remarks import WORDS

SEED = sha256(b"style guide").digest()

WHEN = datetime(2026, 1, 1, 19, 30, tzinfo=UTC)

SUITS = "shdc"


class Example(forms.Form):
    """A form whose first field was filled in wrongly."""

    name = forms.CharField(help_text="As it stands in lists.")
    seats = forms.IntegerField(label="Players a table", initial=4, min_value=2, max_value=5)


class Fields(forms.Form):
    """A field of each kind that the steps of a description have."""

    size = forms.IntegerField(label="Table size", help_text="Seats at a table")
    chosen = forms.ChoiceField(label="Format", choices=[("swiss", "Swiss")])
    open = forms.BooleanField(label="Anybody may enter", help_text="Who is signed in")
    times = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    fixed = forms.CharField(initial="as it is", disabled=True)


@dataclass(frozen=True, slots=True)
class Sample:
    """A game that bots played, kept in no database."""

    game: Game
    replay: Replay
    step: int
    """A step in which much happens."""


@require_safe
@page
def guide(request: HttpRequest, variant: str = "manipulation") -> HttpResponse:
    """Show the components, with a table of a game kind."""
    sample = _sample(_known(variant))
    shown = stage(sample.game, sample.replay, sample.step)
    names = [seat.player.name for seat in shown.seats]
    verdicts = _verdicts(sample, shown)
    context = {
        "kinds": VARIANTS,
        "game": sample.game,
        "stage": shown,
        "deal": deal_shown(sample.game, sample.replay, shown.deal, verdicts),
        "verdicts": verdicts,
        "verdict": verdicts.by_step[sample.step],
        "next": verdicts.next_mistake(0),
        "views": choices(names),
        "view_after": "public",
        "seats": range(5),
        "faces": [[f"{rank}{suit}" for rank in "AT7JQK"] for suit in SUITS],
        "jokers": ["*5c", "*Qd", "*"],
        "page": _middle_page(),
        "tournament": SimpleNamespace(status="running", slug="example", seq=1, practice=True),
        "progress": _progress(),
        "standings": _standings([seat.player for seat in shown.seats]),
        "form": _form(),
    }
    return render(request, "guide.html", context)


@require_safe
@page
def site_guide(request: HttpRequest) -> HttpResponse:
    """Show the components of the pages about players, and of lists."""
    players = [seat.player for seat in _sample(VARIANTS[0].key).game.seats.all()]
    context = {
        "kinds": VARIANTS,
        "player": players[0],
        "rated": _history(),
        "opponents": _met(players),
        "page": _middle_page(),
        "acts": _acts(),
        "stages": _stages(),
        "remarks": [Remark(word, f"It was {word}: misread.") for word in WORDS.values()],
        "error": SimpleNamespace(message="the round is being played; wait until it is closed"),
        "fields": _fields(),
        "steps": [("one", "Done", "#ui-steps"), ("two", "Here", ""), ("three", "To come", "")],
        "step": "two",
        **filter_form(Filters("", 0, "", "Greedy", ""), {"running": "Running"}),
    }
    return render(request, "guide_site.html", context)


def _stages() -> list[Tournament]:
    """Return a tournament of every state."""
    run = Tournament.Status.RUNNING
    end = Tournament.Status.ENDED
    return [
        Tournament(),
        Tournament(entry_open=True, practice=True),
        Tournament(status=run),
        Tournament(status=run, paused=True),
        Tournament(status=end),
        Tournament(status=end, cancelled=True),
    ]


def _acts() -> list[ActForm]:
    """An act without fields, one that is closed, and one that was chosen."""
    shown = [act_form(ACTS[name], Tournament()) for name in ("pause", "penalise", "withdraw")]
    shown[-1].chosen = True
    return shown


def _known(variant: str) -> str:
    try:
        return find_variant(variant).key
    except BadInput as error:
        raise NotFound(str(error)) from None


@lru_cache(maxsize=len(VARIANTS))
def _sample(variant: str) -> Sample:
    """Play the game of a kind that the guide shows; the same one for ever."""
    kind = find_variant(variant)
    policies = POLICIES[variant]
    seated = [policies[number % 2] for number in range(min(4, kind.seats[-1]))]
    names = [f"{policy.name.title()} {number}" for number, policy in enumerate(seated, 1)]
    players = [
        Player(kind=Player.Kind.BOT, name=name, policy=policy.name)
        for name, policy in zip(names, seated, strict=True)
    ]
    played = Played.start(kind, [str(player.pk) for player in players], seed=SEED)
    play_out(played, seated)
    replay = Replay.of(read_lines(played.lines))
    game = Game(
        variant=variant,
        status=Game.Status.SEALED,
        analysed=True,
        seq=len(replay.events),
        started_at=WHEN,
    )
    seats = [Seat(game=game, number=n, player=player) for n, player in enumerate(players)]
    game._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]
    first = replay.deals[0]
    most = max(first[1:-1], key=lambda step: str(replay.board(step)).count("moved"))
    return Sample(game, replay, most)


def _verdicts(sample: Sample, shown: Stage) -> GameVerdicts:
    """Return a verdict of every grade, about the step that is shown and those after it."""
    by_step = {}
    seat = shown.acting or shown.seats[0]
    for number, (badge, word) in enumerate((*reversed(GRADES), ("", ""))):
        step = sample.step + number
        missed = (29, 14, 6, 0)[number]
        by_step[step] = TurnVerdict(
            step=step,
            deal=shown.deal,
            turn=shown.turn + number,
            seq=1,
            seat=seat.number,
            player=seat.player,
            played=12,
            best=12 + missed,
            missed=missed,
            cards=2,
            most_cards=2 + number,
            badge=badge,
            word=word,
        )
    measure = sample.replay.variant.measure
    return GameVerdicts(by_step=by_step, measure=measure, deals_done=1, deals=1)


def _form() -> Example:
    """Return the form with its error."""
    form = Example({"name": "Open", "seats": 4}, auto_id="field-%s")
    form.add_error("name", "Another tournament has this name; choose one of your own.")
    return form


def _fields() -> Fields:
    """Return the fields, one with an error."""
    fields = Fields({"size": 9, "chosen": "swiss", "open": "on"}, auto_id="step-%s")
    fields.add_error("size", "A table of 9 is not possible; 2 to 5 would be.")
    return fields


def _middle_page() -> Page[int]:
    """Return the second of three pages of a list."""
    return Paginator(range(3), 1).page(2)


def _progress() -> Any:
    """Return a tournament's progress with rounds in every state."""
    states = ("done", "off", "now", "todo")
    return SimpleNamespace(
        games=24,
        played=13,
        running=4,
        phases=1,
        phase=SimpleNamespace(number=1),
        ends_near=WHEN,
        left="12 minutes",
        done=True,  # so that nothing asks for what has grown
        steps=[SimpleNamespace(number=n, state=state) for n, state in enumerate(states, 1)],
    )


def _standings(players: list[Player]) -> Any:
    """Return standings whose place sheets hold every kind of mark."""
    states = ("win", "high", "mid", "low", "live", "todo")
    sheet = [
        SimpleNamespace(round=n, state=state, place=n if n < 5 else None, game=n % 5, bye="")
        for n, state in enumerate(states, 1)
    ]
    sheet.append(SimpleNamespace(round=7, state="bye", place=None, game=None, bye="full-point bye"))
    columns = [
        SimpleNamespace(
            name="Points", abbreviation="Points", definition="Sum", main=True, places=2
        ),
        SimpleNamespace(name="Wins", abbreviation="Wins", definition="First", main=False, places=0),
    ]
    rows = [
        SimpleNamespace(
            standing=SimpleNamespace(
                rank=rank,
                played=5,
                gone="withdrawn" if rank == 3 else "",
                get_gone_display="Withdrawn",
                entrant=SimpleNamespace(player=player, player_id=player.pk),
            ),
            values=[(columns[0], f"{26 - rank}/3"), (columns[1], str(5 - rank))],
            main=f"{26 - rank}/3",
            sheet=sheet,
            bye_decided="wins" if rank == 2 else "",
            rated=_rated(rank),
        )
        for rank, player in enumerate([*players, *players][:3], 1)
    ]
    return SimpleNamespace(
        rows=rows, podium=rows, columns=columns, main=columns[0], rounds=range(1, 8)
    )


def _history() -> BandChart:
    """Return a rating that settles."""
    return band_chart([Estimate(25 + 4 * n / (n + 5), 32 / (n + 2)) for n in range(30)])


def _met(players: list[Player]) -> list[Opponent]:
    """Return how somebody came out against others: never, mostly and always ahead."""
    return [Opponent(player, 8, 4 * n, n % 2) for n, player in enumerate(players[:3])]


def _rated(rank: int) -> Any:
    """Return a rating with its interval; the second is provisional, the third has none."""
    if rank == 3:
        return None
    return SimpleNamespace(
        row=SimpleNamespace(strength=1640 - 20 * rank),
        margin=31 * rank,
        provisional=rank == 2,
        low=20,
        middle=50,
        high=80,
    )
