"""The steps in which a tournament is described, its drafts, templates and changes."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.models import User
from tests.pages.checks import Page, check_page
from tests.tournaments.running import log_of, small_spec, started, work
from tournaments.formats import FORMATS
from tournaments.models import Draft, Tournament
from tournaments.pages.wizard import EXAMPLE
from tournaments.services.settings import described, tournament_change
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db

NEW = "/tournaments/new/"

GAME = {"name": "Spring cup", "variant": "manipulation"}
PLAYERS = {"access": "public", "bots_greedy": "6", "bots_random": "3"}
SCHEDULE = {"zone": "UTC", "rounds": "flow"}
TWO_PHASES = {
    "count": "2",
    "1-format": "swiss",
    "1-table_size": "3",
    "1-rounds": "3",
    "2-format": "final",
    "2-top": "4",
}


@pytest.fixture
def ann(client: Client) -> User:
    user = User.objects.create_user("ann", password="a long word indeed")
    client.force_login(user)
    return user


def rules_of(client: Client, address: str, **changes: str) -> dict[str, str]:
    """What the form of rules holds, with changes."""
    form = client.get(address).context["form"]
    held = {field.name: field.value() for field in form}
    return {name: str(v) for name, v in held.items() if v is not None} | changes


def begun(client: Client, **changes: str) -> str:
    """Begin a draft; return the address of its steps."""
    response = client.post(NEW, GAME | changes)
    assert response.status_code == 302
    return response["Location"].removesuffix("rules/")


def said(client: Client, **changes: dict[str, str]) -> str:
    """Fill in all steps; return the address of them."""
    steps = begun(client)
    given: dict[str, dict[str, str]] = {
        "rules": rules_of(client, f"{steps}rules/", length="deals", deals="1"),
        "players": PLAYERS,
        "format": TWO_PHASES,
        "schedule": SCHEDULE,
    } | changes
    for step, fields in given.items():
        response = client.post(f"{steps}{step}/", fields)
        assert response.status_code == 302, response.content.decode()
    assert response["Location"] == f"{steps}review/"
    return steps


def refused(client: Client, address: str, given: dict[str, str], field: str, message: str) -> Page:
    """A step is refused at a field, and nothing that was filled in is lost."""
    before = list(Draft.objects.values_list("data", flat=True))
    response = client.post(address, given)
    page = check_page(response, 422)
    form = response.context["form"]
    assert message in " ".join(form.errors.get(field, [])), form.errors
    text = response.content.decode()
    assert 'role="alert" tabindex="-1" autofocus' in text
    bound = form[field]
    assert f'<a href="#{bound.auto_id}">' in text
    assert 'aria-invalid="true"' in str(bound) and f"{bound.auto_id}_error" in str(bound)
    assert {bound.auto_id, f"{bound.auto_id}_error"} <= {*page.ids}
    for name, value in given.items():
        if name in form.fields and name != field:
            assert str(form[name].value()) == value, name
    assert list(Draft.objects.values_list("data", flat=True)) == before
    return page


def test_a_two_phase_event_is_made_with_fields_alone(client: Client, ann: User) -> None:
    page = check_page(client.get(NEW))
    assert reverse("tournament-file") in page.links
    steps = said(client)
    review = client.get(f"{steps}review/")
    check_page(review)
    assert not Tournament.objects.exists()
    text = review.content.decode()
    for words in ("With 9 entrants", "Swiss, tables of 3, rounds 3", "Final, for the best 4"):
        assert words in text, words
    (whole, lasts, _), *more = review.context["foreseen"]
    assert (whole.rounds, whole.games, lasts, more) == (4, 10, "50 s", [])
    assert "No game of bots has been measured yet; each is taken for 5 s." in text
    made = client.post(f"{steps}review/")
    tournament = Tournament.objects.get()
    assert made["Location"] == reverse("organise", args=[tournament.slug])
    assert not Draft.objects.exists()
    assert client.post(f"{steps}review/").status_code == 404, "a second click makes no second one"
    assert [phase.format for phase in tournament.phases.all()] == ["swiss", "final"]
    assert tournament.organiser == ann and tournament.entrants.count() == 9
    assert tournament.rules["deals"] == 1
    client.post(made["Location"], {"act": "start", "sure": "yes"})
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    again = client.get(f"{said(client)}review/")
    assert "Measured by the last 10 games of Manipulation of bots by these rules" in (
        again.content.decode()
    )


def test_a_step_that_is_wrong_says_what_and_where(client: Client, ann: User) -> None:
    refused(client, NEW, GAME | {"name": " "}, "name", "at least one character")
    refused(client, NEW, GAME | {"name": "x" * 81}, "name", "at most 80 are shown")
    steps = said(client)
    rules = rules_of(client, f"{steps}rules/", knock_limit="99")
    refused(client, f"{steps}rules/", rules, "knock_limit", "whole number 0 to 50")
    rules = rules_of(client, f"{steps}rules/", length="deals", deals="")
    refused(client, f"{steps}rules/", rules, "length", "needs the number of deals")
    for change, field, message in (
        ({"least": "9", "most": "3"}, "least", "must be at most"),
        ({"most": "8"}, "most", "9 bots for at most 8 entrants"),
        ({"bots_random": "0", "bots_greedy": "-1"}, "bots_greedy", "whole number 1 to 10000"),
    ):
        refused(client, f"{steps}players/", PLAYERS | change, field, message)
    for change, field, message in (
        ({"2-top": "9"}, "2-top", "phase 2: a final is one table of 2 to 5"),
        ({"1-rounds": "51"}, "1-rounds", "must be a whole number 0 to 50"),
        ({"1-tie_1": "lot", "1-tie_2": "wins"}, "1-tie_1", "would decide nothing"),
        ({"1-bye_allocated": "x"}, "1-bye_allocated", "exact fraction"),
        ({"1-scheme": "game_points"}, "1-scheme", "byes must say it"),
        ({"1-scheme": "matchpoints"}, "1-scheme", "set duplicate=true"),
        ({"1-format": "ladder", "1-boards": "duplicate"}, "1-boards", "tables of one size"),
        ({"1-format": "round_robin", "late_entry": "2"}, "late_entry", "it must be 0"),
    ):
        refused(client, f"{steps}format/", TWO_PHASES | change, field, message)
    for change, field, message in (
        ({"zone": "Europe/Berlyn"}, "zone", "perhaps Europe/Berlin"),
        ({"rounds": "interval"}, "minutes", "must be whole minutes"),
        ({"rounds": "calendar", "times": "soon"}, "times", "must be a time"),
        ({"zone": "Europe/Berlin", "start": "2027-03-28T02:30"}, "start", "never show"),
        ({"opens": "2027-01-02T10:00", "closes": "2027-01-01T10:00"}, "closes", "later than"),
        ({"no_show": "-5"}, "no_show", "must be whole minutes"),
        ({"zone": "Asia/Tokyo", "start": "0001-01-01T00:00"}, "start", "2000 to 2999 would work"),
    ):
        refused(client, f"{steps}schedule/", SCHEDULE | change, field, message)


def test_boards_that_need_other_rules_say_so_at_once(client: Client, ann: User) -> None:
    steps = begun(client)
    client.post(f"{steps}rules/", rules_of(client, f"{steps}rules/"))
    client.post(f"{steps}players/", PLAYERS)
    given = TWO_PHASES | {"2-boards": "rotate"}
    refused(client, f"{steps}format/", given, "2-boards", "needs the number of deals")
    refused(
        client, f"{steps}format/", given | {"2-scheme": "xyz"}, "2-scheme", "Select a valid choice"
    )


def test_phases_come_and_go_without_being_judged(client: Client, ann: User) -> None:
    steps = said(client)
    address = f"{steps}format/"
    given = TWO_PHASES | {"2-top": "77", "1-bye_zero": "-1/2", "more": "1"}
    response = client.post(address, given)
    check_page(response)
    form = response.context["form"]
    held = {field.name: field.value() for field in form}
    assert form.count == 3 and held["2-top"] == "77" and held["1-bye_zero"] == "-1/2"
    assert held["3-format"] == "final" and not form.errors
    held = {name: str(value) for name, value in held.items() if value is not None}
    response = client.post(address, held | {"count": "3", "drop": "2"})
    form = response.context["form"]
    assert form.count == 2 and form["2-format"].value() == "final"
    assert form["1-bye_zero"].value() == "-1/2" and str(form["2-top"].value()) == "4"
    (draft,) = Draft.objects.all()
    assert len(draft.data["phases"]) == 2 and draft.data["phases"][1]["top"] == 4
    for nonsense in ({"drop": "9" * 5000, "count": "²"}, {"drop": "0", "count": "x"}):
        assert client.post(address, TWO_PHASES | nonsense).status_code == 200
    many = TWO_PHASES | {f"{number}-format": "ladder" for number in range(3, 30)}
    response = client.post(address, many | {"count": "29"})
    assert response.status_code == 422
    assert "21 are too many; there may be 1 to 20" in response.content.decode()


def test_each_format_hides_the_options_of_others() -> None:
    styles = (settings.ROOT / "static/organise.css").read_text()
    for key in FORMATS:
        here = f".c-phase:has([value={key}]:checked) .is-option:not(.is-{key.replace('_', '-')})"
        assert here in styles, key


def test_what_a_format_does_not_have_is_left_out(client: Client, ann: User) -> None:
    one = {"count": "1", "1-format": "round_robin", "1-table_size": "3", "1-rounds": "7"}
    said(client, format=one | {"1-tie_1": "none"})
    (draft,) = Draft.objects.all()
    assert draft.data["phases"] == [{"format": "round_robin", "table_size": 3, "tie_breaks": []}]


def test_another_game_brings_its_own_rules_and_bots(client: Client, ann: User) -> None:
    steps = said(client)
    client.post(f"{steps}game/", GAME | {"variant": "gin"})
    (draft,) = Draft.objects.all()
    assert draft.data["rules"] == {}
    assert draft.data["entrants"] == [{"bot": "random", "count": 3}]
    review = client.get(f"{steps}review/")
    page = check_page(review, 422)
    assert "Gin Rummy" in review.content.decode() or "gin is played by 2" in review.content.decode()
    assert f"{steps}format/" in page.links
    response = client.post(f"{steps}rules/", {"preset": "modern"})
    assert response["Location"] == f"{steps}rules/"
    assert rules_of(client, f"{steps}rules/")["gin_bonus"] == "25"
    assert client.post(f"{steps}rules/", {"preset": "x"}).status_code == 404


def test_a_draft_is_kept_for_its_owner_alone(client: Client, ann: User) -> None:
    steps = begun(client)
    assert client.get(f"{steps}review/")["Location"] == f"{steps}rules/", "that is where it stands"
    page = check_page(client.get(NEW))
    assert f"{steps}rules/" in page.links
    check_page(client.get(f"{steps}nonsense/"), 404)
    other = Client()
    other.force_login(User.objects.create_user("eve"))
    assert "Spring cup" not in other.get(NEW).content.decode()
    for path in (f"{steps}game/", f"{steps}review/"):
        assert other.get(path).status_code == 404
        assert other.post(path, GAME).status_code == 404
    assert other.post(f"{steps}delete/").status_code == 404
    assert Client().get(f"{steps}game/")["Location"].startswith("/accounts/login/")
    assert client.get(f"{steps}delete/").status_code == 405
    assert client.post(f"{steps}delete/")["Location"] == NEW
    assert not Draft.objects.exists()
    check_page(client.get(f"{steps}game/"), 404)


def test_there_is_an_end_to_drafts(client: Client, ann: User, monkeypatch) -> None:
    monkeypatch.setattr("tournaments.services.drafts.MAX_DRAFTS", 2)
    begun(client)
    begun(client)
    response = client.post(NEW, GAME)
    check_page(response, 422)
    assert "delete one first" in response.content.decode()
    assert Draft.objects.count() == 2


def test_a_file_becomes_a_draft_that_fields_can_change(client: Client, ann: User) -> None:
    address = reverse("tournament-file")
    check_page(client.get(address))
    for text, message in (
        (EXAMPLE.replace("top = 4", "top = 9"), "a final is one table of 2 to 5"),
        ("x", "this is not TOML"),
    ):
        response = client.post(address, {"text": text})
        check_page(response, 422)
        assert message in response.content.decode() and not Draft.objects.exists()
    text = EXAMPLE.replace('"manipulation"', '"gin"').replace('"greedy"', '"strong"')
    text = text.replace("deals = 2", 'deals = 2\npreset = "modern"').replace("= 4", "= 2")
    text += '[schedule]\nzone = "Europe/Berlin"\nstart = 2030-01-02 19:00:00\n'
    response = client.post(address, {"text": text})
    steps = response["Location"].removesuffix("review/")
    check_page(client.get(f"{steps}review/"))
    rules = rules_of(client, f"{steps}rules/")
    assert rules["gin_bonus"] == "25" and rules["deals"] == "2"
    schedule = client.get(f"{steps}schedule/").context["form"]
    assert schedule["start"].value() == "2030-01-02T19:00"
    client.post(f"{steps}schedule/", SCHEDULE | {"zone": "Europe/Berlin"})
    client.post(f"{steps}review/")
    tournament = Tournament.objects.get()
    assert tournament.zone == "Europe/Berlin" and tournament.starts_at is None
    assert tournament.rules["gin_bonus"] == 25 and tournament.entrants.count() == 8


def test_a_start_that_has_passed_is_told_on_review(client: Client, ann: User) -> None:
    steps = said(client, schedule=SCHEDULE | {"start": "2020-01-01T10:00"})
    response = client.post(f"{steps}review/")
    page = check_page(response, 422)
    assert "has passed; a later time would work" in response.content.decode()
    assert f"{steps}schedule/" in page.links
    assert Draft.objects.exists() and not Tournament.objects.exists()


def test_any_tournament_that_one_sees_is_a_template(client: Client, ann: User) -> None:
    field = [{"bot": "greedy", "count": 4}]
    phases = [{"format": "swiss", "rounds": 2, "duplicate": True}]
    spec = small_spec(name="Model", entrants=field, phases=phases, late_entry=1)
    model = tournament_create(spec=spec)
    shown = check_page(client.get(reverse("tournament", args=[model.slug])))
    (link,) = [link for link in shown.links if "?like=" in link]
    page = client.get(link)
    check_page(page)
    assert page.context["form"]["name"].value() == "Model"
    response = client.post(NEW, {"like": model.slug, "name": "Copy", "variant": "manipulation"})
    steps = response["Location"].removesuffix("rules/")
    check_page(client.get(f"{steps}review/"))
    client.post(f"{steps}review/")
    copy = Tournament.objects.get(name="Copy")
    assert described(copy) == described(model) | {"name": "Copy"}
    assert copy.entrants.count() == 4 and copy.organiser == ann
    Tournament.objects.filter(pk=model.pk).update(access="private")
    check_page(client.get(link), 404)


@pytest.fixture
def own(ann: User) -> Tournament:
    """A tournament of Ann's that is open for entries."""
    entry = {"open": True, "most": 9, "closes": "2030-01-01 10:00"}
    schedule = {"zone": "Europe/Berlin", "start": "2030-01-02 10:00"}
    spec = small_spec(entry=entry, schedule=schedule, late_entry=0)
    return tournament_create(spec=spec, organiser=ann)


def test_what_it_is_can_be_changed_before_the_start(client: Client, own: Tournament) -> None:
    assert reverse("tournament-edit", args=[own.slug]) in (
        client.get(reverse("organise", args=[own.slug])).content.decode()
    )
    steps = reverse("tournament-edit", args=[own.slug])
    check_page(client.get(steps))
    assert not Draft.objects.exists(), "who only looks leaves nothing behind"
    assert client.post(f"{steps}review/").status_code == 422
    before = described(own)
    for step in ("game", "rules", "players", "format", "schedule"):
        page = client.get(f"{steps}{step}/")
        check_page(page)
        held = {f.name: f.value() for f in page.context["form"]} | {"count": "1"}
        held = {name: str(v) for name, v in held.items() if v is not None}
        response = client.post(f"{steps}{step}/", held)
        assert response.status_code == 302, response.content.decode()
    review = client.get(f"{steps}review/")
    assert not [s.key for s in review.context["sections"] if s.changed], "all is as it was"
    client.post(f"{steps}format/", TWO_PHASES | {"review": "1"})
    client.post(f"{steps}schedule/", SCHEDULE | {"start": "2030-01-03T10:00"})
    review = client.get(f"{steps}review/")
    check_page(review)
    assert [s.key for s in review.context["sections"] if s.changed] == ["format", "schedule"]
    assert described(own) == before and reverse(
        "tournament-edit-step", args=[own.slug, "review"]
    ) in (client.get(NEW).content.decode())
    client.post(f"{steps}review/")
    own.refresh_from_db()
    assert own.phases.count() == 2 and own.zone == "UTC" and own.entry_closes_at is None
    (line,) = log_of(own, "changed")
    assert {"phases", "schedule", "entry"} <= {*line}
    assert not Draft.objects.exists()


def test_changes_of_somebody_else_meanwhile_stay(client: Client, own: Tournament) -> None:
    steps = reverse("tournament-edit", args=[own.slug])
    client.post(f"{steps}game/", {"name": "Mine", "variant": "manipulation"})
    tournament_change(tournament_id=own.pk, changes={"access": "unlisted"})
    client.post(f"{steps}review/")
    own.refresh_from_db()
    assert (own.name, own.access) == ("Mine", "unlisted")


def test_after_the_start_the_game_and_the_format_are_fixed(client: Client, ann: User) -> None:
    tournament = started()
    Tournament.objects.update(organiser=ann)
    steps = reverse("tournament-edit", args=[tournament.slug])
    page = check_page(client.get(steps))
    assert f"{steps}rules/" not in page.links and f"{steps}schedule/" in page.links
    for step in ("rules", "format"):
        check_page(client.get(f"{steps}{step}/"), 404)
        assert client.post(f"{steps}{step}/", TWO_PHASES).status_code == 404
    client.post(f"{steps}game/", {"name": "Renamed", "variant": "gin"})
    client.post(f"{steps}schedule/", SCHEDULE | {"rounds": "hand"})
    assert client.post(f"{steps}review/").status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.variant) == ("Renamed", "manipulation")
    assert tournament.pace == "hand"


def test_a_draft_of_changes_that_came_too_late(client: Client, own: Tournament) -> None:
    steps = reverse("tournament-edit", args=[own.slug])
    client.post(f"{steps}format/", TWO_PHASES)
    tournament_start(tournament_id=own.pk)
    response = client.post(f"{steps}review/")
    check_page(response, 422)
    assert "has started, so its phases cannot be changed" in response.content.decode()
    Tournament.objects.update(status=Tournament.Status.ENDED)
    check_page(client.get(steps), 409)


def test_only_organisers_change(client: Client, own: Tournament) -> None:
    eve = User.objects.create_user("eve")
    client.force_login(eve)
    steps = reverse("tournament-edit", args=[own.slug])
    check_page(client.get(steps), 404)
    assert client.post(f"{steps}game/", {"name": "x", "variant": "gin"}).status_code == 404
    own.co_organisers.add(eve)
    client.post(f"{steps}game/", {"name": "x", "variant": "manipulation"})
    own.co_organisers.remove(eve)
    assert client.post(f"{steps}review/").status_code == 404
    own.refresh_from_db()
    assert own.name == "Small open"


def test_what_a_step_would_take_is_told_to_its_author_alone(client: Client, ann: User) -> None:
    steps = said(client)
    fields = PLAYERS | {"bots_greedy": "9"}
    kept = Draft.objects.get().data
    told = client.post(f"{steps}players/ahead/", fields)
    assert told.status_code == 200 and "With 12 entrants" in told.content.decode()
    assert "<html" not in told.content.decode() and Draft.objects.get().data == kept
    wrong = client.post(f"{steps}format/ahead/", TWO_PHASES | {"1-rounds": "99999"})
    assert "rounds" in wrong.content.decode() and "With" not in wrong.content.decode()
    assert client.get(f"{steps}players/ahead/").status_code == 405
    assert client.post(f"{steps}review/ahead/").status_code == 404
    for other in (Client(), Client()):
        assert other.post(f"{steps}players/ahead/", fields).status_code == 404
        other.force_login(User.objects.get_or_create(username="eve")[0])
        assert other.post(f"{steps}players/ahead/", fields).status_code == 404
    mine = tournament_create(spec=small_spec(), organiser=ann)
    edit = reverse("tournament-edit-step", args=[mine.slug, "format"])
    page = client.get(edit).content.decode()
    assert f'hx-post="{edit}ahead/"' in page and "With 5 entrants" in page
    assert Client().post(f"{edit}ahead/", {}).status_code == 404
    fields = {"count": "1", "1-format": "swiss", "1-table_size": "3", "1-rounds": "1"}
    assert "<td>1</td>" in client.post(f"{edit}ahead/", fields).content.decode()
