"""Drafts, and what a tournament is expected to take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.errors import BadInput
from engine.knobs import definitions
from engine.variants import VARIANTS
from games.models import Game, User
from games.public import NotFound, player_of
from tests.tournaments.running import QUICK, small_spec, started, work
from tournaments.estimates import STATED_BOTS, STATED_PEOPLE, ahead, fields_of, game_time
from tournaments.formats import FORMATS
from tournaments.models import Draft, Tournament
from tournaments.services.drafts import draft_delete, draft_finish, draft_keep, said_in
from tournaments.services.tournaments import tournament_create
from tournaments.spec import Spec

SAID = {
    "name": "Cup",
    "variant": "manipulation",
    "rules": QUICK,
    "entrants": [{"bot": "greedy", "count": 4}],
    "phases": [{"format": "round_robin"}],
}


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann")


def test_a_draft_becomes_a_tournament_once(ann: User) -> None:
    draft = draft_keep(user=ann, said={"name": "Cup"})
    with pytest.raises(BadInput, match=r"at least one table \[\[phases\]\]"):
        draft_finish(user=ann, number=draft.pk)
    assert Draft.objects.exists() and not Tournament.objects.exists()
    draft_keep(user=ann, said=SAID, number=draft.pk)
    made = draft_finish(user=ann, number=draft.pk)
    assert made.organiser == ann and made.entrants.count() == 4
    with pytest.raises(NotFound, match="may have been finished or deleted"):
        draft_finish(user=ann, number=draft.pk)
    assert Tournament.objects.count() == 1


def test_a_draft_is_nobody_elses(ann: User) -> None:
    draft = draft_keep(user=ann, said=SAID)
    eve = User.objects.create_user("eve")
    for act, more in ((draft_finish, {}), (draft_delete, {}), (draft_keep, {"said": {}})):
        with pytest.raises(NotFound):
            act(user=eve, number=draft.pk, **more)
    with pytest.raises(NotFound, match="not yours to change"):
        draft_keep(user=eve, said={}, tournament=tournament_create(spec=small_spec()))
    assert Draft.objects.count() == 1


def test_changes_say_only_what_is_another(ann: User) -> None:
    tournament = tournament_create(spec=small_spec(), organiser=ann)
    draft = draft_keep(user=ann, said={"name": "Small open"}, tournament=tournament)
    assert draft.data == {}
    again = draft_keep(user=ann, said={"name": "Large"}, tournament=tournament)
    assert again.pk == draft.pk and again.data == {"name": "Large"}
    assert said_in(again)["variant"] == "manipulation"
    draft_finish(user=ann, number=draft.pk)
    tournament.refresh_from_db()
    assert tournament.name == "Large" and not Draft.objects.exists()


def spec_of(entrants: int = 9, **changes: object) -> Spec:
    said: dict[str, object] = {
        "rules": QUICK,
        "entrants": [{"bot": "greedy", "count": entrants}],
        "phases": [
            {"format": "swiss", "table_size": 3, "rounds": 3},
            {"format": "final", "top": 4},
        ],
    }
    return small_spec(**said | changes)


@pytest.mark.django_db
def test_what_it_takes_by_stated_figures() -> None:
    spec = spec_of()
    each = game_time(spec)
    assert (each.each, each.people, each.games) == (STATED_BOTS, False, 0)
    whole = ahead(spec, 9, each)
    assert [(p.entrants, p.rounds, p.games) for p in whole.phases] == [(9, 3, 9), (4, 1, 1)]
    assert whole.lasts == 10 * STATED_BOTS
    people = spec_of(entry={"open": True, "most": 12})
    each = game_time(people)
    assert (each.each, each.people) == (STATED_PEOPLE, True)
    assert fields_of(people) == [9, 12]
    assert ahead(people, 12, each).lasts == 4 * STATED_PEOPLE, "tables of a round play together"
    no_cut = spec_of(4, phases=[{"format": "swiss"}, {"format": "final"}])
    _, final = ahead(no_cut, 9, each).phases
    assert "a final is one table of 2 to 5" in final.problem and final.games == 0


@pytest.mark.django_db
def test_what_the_schedule_adds() -> None:
    each = game_time(spec_of())
    pause = spec_of(schedule={"rounds": "interval", "minutes": 10})
    assert ahead(pause, 9, each).lasts == 10 * STATED_BOTS + timedelta(minutes=30)
    times = [f"2030-01-0{day} 19:00" for day in (1, 2, 3, 4)]
    days = ahead(spec_of(schedule={"rounds": "calendar", "times": times}), 9, each).lasts
    assert days == timedelta(days=3) + 10 * STATED_BOTS / 4
    board = {"format": "swiss", "rounds": 2, "duplicate": True, "rotate": True}
    rotated = spec_of(8, phases=[board])
    assert ahead(rotated, 8, each).games == 2 * 2 * 4


def test_measured_are_games_of_the_kind_and_best_by_the_same_rules(ann: User) -> None:
    started(rules=QUICK)
    work()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    games = list(Game.objects.order_by("pk"))
    for number, game in enumerate(games):  # each begins as the one before is half over
        began = at + timedelta(seconds=30 * number)
        span = {"started_at": began, "over_at": began + timedelta(seconds=60)}
        Game.objects.filter(pk=game.pk).update(**span)
    by_same, by_any = game_time(spec_of()), game_time(small_spec())
    assert by_same.games == by_any.games == len(games)
    assert by_same.same_rules and not by_any.same_rules
    assert by_same.each == timedelta(seconds=30 * (len(games) + 1)) / len(games)
    assert "by these rules" in by_same.words and "by any rules" in by_any.words
    assert game_time(small_spec(variant="gin", entrants=[], rules={})).games == 0
    assert game_time(spec_of(entry={"open": True})).games == 0, "nobody but bots has played"
    Game.objects.update(access="private")
    assert game_time(spec_of()).games == 0, "nobody learns how long private games took"


def test_the_middle_of_games_with_people_counts(ann: User) -> None:
    started(rules=QUICK)
    work()
    games = list(Game.objects.order_by("pk"))
    began = datetime(2026, 1, 1, tzinfo=UTC)
    for game, minutes in zip(games[:3], (1, 20, 90), strict=True):
        span = {"started_at": began, "over_at": began + timedelta(minutes=minutes)}
        Game.objects.filter(pk=game.pk).update(**span)
        game.seats.filter(number=0).update(player=player_of(ann))
    each = game_time(spec_of(entry={"open": True}))
    assert (each.each, each.games) == (timedelta(minutes=20), 3)
    assert game_time(spec_of()).games == len(games) - 3


def test_every_knob_says_what_it_means() -> None:
    sets = [*(kind.rules for kind in VARIANTS), *(chosen.options for chosen in FORMATS.values())]
    for rules in sets:
        for words in definitions(rules).values():
            assert words[0].isupper() and words.endswith(".")
    assert definitions(VARIANTS[0].rules)["target"] == "Points that end the game (M9.1)."
