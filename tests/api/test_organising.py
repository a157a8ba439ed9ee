"""Organising by API and on the pages: every act, who may do it, and what is refused."""

from __future__ import annotations

import inspect
import json
from html import unescape
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import User
from games.public import player_of
from tests.pages.checks import check_page
from tests.tournaments.organising import SCENES, event, people
from tests.tournaments.running import QUICK, SWISS, log_of, work
from tournaments import acts, services
from tournaments.acts import ACTS
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

SPEC = {
    "name": "By program",
    "rules": QUICK,
    "entrants": [{"bot": "greedy", "count": 4}],
    "phases": [SWISS],
}
TOML = """
name = "By file"
rules = {length = "deals", deals = 1}
entrants = [{bot = "greedy", count = 4}]
phases = [{format = "swiss", table_size = 2, rounds = 1}]
entry = {opens = 2030-01-01T10:00:00}
"""


@pytest.fixture
def crew() -> tuple[User, User, User]:
    return people()


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def send(client: Client, path: str, body: Any = None, status: int = 200, method="post") -> Any:
    data = json.dumps({} if body is None else body)
    response = getattr(client, method)(f"/api/v1{path}", data, "application/json")
    assert response.status_code == status, response.content.decode()
    return response.json()


def written(given: dict[str, Any]) -> dict[str, str]:
    """What is given to the API as a form's fields."""
    found = {}
    for name, value in given.items():
        if name == "tables":
            value = "\n".join(", ".join(table) for table in value)
        elif isinstance(value, dict):
            value = "\n".join(f"{player}: {kind}" for player, kind in value.items())
        elif isinstance(value, list):
            value = " ".join(map(str, value))
        found[name] = str(value)
    return found


@pytest.mark.parametrize("name", ACTS)
def test_every_act_is_for_organisers_alone(name: str, crew: tuple[User, User, User]) -> None:
    ann, co, eve = crew
    tournament = event(ann, co)
    prepare, given, line = SCENES[name]
    given = given | prepare(tournament)
    tournament.refresh_from_db()
    path = f"/tournaments/{tournament.slug}/acts/{name}/"
    page = reverse("organise-part", args=[tournament.slug, ACTS[name].part])
    form = {"act": name, "sure": "yes", **written(given)}

    for user in (eve, None):
        told = send(client_of(user), path, given, 403)
        assert told["code"] in ("permission_denied", "not_authenticated") and told["detail"]
        refused = client_of(user).post(page, form)
        assert refused.status_code == (404 if user else 302)
    assert Tournament.objects.get(pk=tournament.pk).seq == tournament.seq

    for user in (ann, co):
        by = str(player_of(user).pk)
        with transaction.atomic():
            told = send(client_of(user), path, given)
            lines = [json.loads(body) for body in told["lines"]]
            assert line in [each["type"] for each in lines]
            assert {each["by"] for each in lines} == {by} and told["seq"] > tournament.seq
            transaction.set_rollback(True)
        with transaction.atomic():
            shown = client_of(user).get(page)
            check_page(shown)
            assert f'name="act" value="{name}"' in shown.content.decode(), "it has its place"
            response = client_of(user).post(page, form)
            assert response.status_code == 302, unescape(response.content.decode())
            assert json.loads(tournament.events.filter(type=line).last().body)["by"] == by
            transaction.set_rollback(True)


def test_every_service_of_an_organiser_is_an_act() -> None:
    """Services that note who acts are acts, but what people do themselves and the edit page."""
    elsewhere = {"entrant_join", "entrant_leave"}
    found = set()
    for module in iter_modules(services.__path__):
        of = import_module(f"tournaments.services.{module.name}")
        for name, value in inspect.getmembers(of, inspect.isfunction):
            if {"tournament_id", "by"} <= set(inspect.signature(value).parameters):
                found.add(name)
    sources = "".join(path.read_text() for path in Path(acts.__path__[0]).glob("*.py"))
    assert len(found) > 20
    assert {name for name in found if name not in sources} == elsewhere
    assert set(SCENES) == set(ACTS)


def test_what_cannot_be_undone_is_asked_once_more(crew: tuple[User, User, User]) -> None:
    ann, co, _ = crew
    tournament = event(ann, co)
    client = client_of(ann)
    for name in (name for name, act in ACTS.items() if act.final):
        given = SCENES[name][1]
        page = reverse("organise-part", args=[tournament.slug, ACTS[name].part])
        text = client.post(page, {"act": name, **written(given)}).content.decode()
        assert "Back, change nothing" in text and ACTS[name].says in unescape(text)
        for value in written(given).values():
            assert f'value="{value}"' in text
    assert Tournament.objects.get(pk=tournament.pk).seq == tournament.seq


def test_a_session_without_a_token_writes_nothing(crew: tuple[User, User, User]) -> None:
    ann, co, _ = crew
    tournament = event(ann, co)
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    path = f"/tournaments/{tournament.slug}/acts/pause/"
    assert "CSRF" in send(client, path, {}, 403)["detail"]
    assert "CSRF" in send(client, "/tournaments/", SPEC, 403)["detail"]
    assert Tournament.objects.count() == 1 and not Tournament.objects.get().paused
    client.get("/tournaments/new/")
    token = client.cookies["csrftoken"].value
    headers = {"X-CSRFToken": token}
    done = client.post(f"/api/v1{path}", "{}", "application/json", headers=headers)
    assert done.status_code == 200


def test_refusals_are_those_of_the_services(crew: tuple[User, User, User]) -> None:
    ann, co, _ = crew
    tournament = event(ann, co)
    client = client_of(ann)
    for act, given, status, code, message in (
        ("open", {}, 409, "conflict", "has not started"),
        ("withdraw", {"player": "Nobody"}, 404, "not_found", "no player 'Nobody'"),
        ("bots", {"bot": "deep", "count": 1}, 400, "bad_input", "deep"),
        ("penalise", {"player": "Greedy 1", "points": "1e99", "reason": "x"}, 400, "bad_input", ""),
        ("cancel", {"reason": " "}, 400, "invalid", "fields"),
        ("correct", {"game_number": 1, "scores": "x", "reason": "x"}, 400, "invalid", "fields"),
        ("no-show-rule", {"minutes": -1}, 400, "invalid", "fields"),
        ("start", [], 400, "invalid", "fields"),
    ):
        told = send(client, f"/tournaments/{tournament.slug}/acts/{act}/", given, status)
        assert told["code"] == code and message in json.dumps(told), told
    assert Tournament.objects.get().seq == tournament.seq


def test_a_tournament_is_created_and_changed(crew: tuple[User, User, User]) -> None:
    ann, co, eve = crew
    assert send(client_of(None), "/tournaments/", SPEC, 403)["code"] == "not_authenticated"
    client = client_of(ann)
    made = send(client, "/tournaments/", SPEC, 201)
    assert (made["name"], made["status"], made["entrants"]) == ("By program", "open", 4)
    assert Tournament.objects.get().organiser == ann
    response = client.post("/api/v1/tournaments/", TOML, "application/toml")
    assert response.status_code == 201 and response["Location"].endswith("/by-file/")
    for body, kind, code in (
        ({**SPEC, "phases": []}, "application/json", "bad_input"),
        ([], "application/json", "bad_input"),
        ("name = ", "application/toml", "parse_error"),
        ("name", "text/plain", "unsupported_media_type"),
    ):
        text = body if isinstance(body, str) else json.dumps(body)
        told = client.post("/api/v1/tournaments/", text, kind)
        assert told.status_code in (400, 415) and told.json()["code"] == code
    assert Tournament.objects.count() == 2

    path = f"/tournaments/{made['slug']}/"
    for user in (eve, None, co):
        send(client_of(user), path, {"name": "Mine"}, 403, "patch")
    changed = send(client, path, {"name": "Renamed", "late_entry": 1}, method="patch")
    assert (changed["name"], changed["late_entry"]) == ("Renamed", 1)
    assert "is unknown" in send(client, path, {"colour": "red"}, 400, "patch")["detail"]
    template = client.get(f"/api/v1{path}template/").json()
    again = send(client, "/tournaments/", template, 201)
    assert again["entrants"] == 4 and again["slug"] == "renamed"


def test_an_event_is_run_by_api_alone(crew: tuple[User, User, User]) -> None:
    """Two phases: what an organiser reads on the way is enough to act on."""
    ann, co, eve = crew
    client = client_of(ann)
    final = {"format": "final", "top": 2}
    spec = SPEC | {"phases": [SWISS | {"rounds": 1}, final], "schedule": {"rounds": "hand"}}
    slug = send(client, "/tournaments/", spec, 201)["slug"]

    def act(name: str, **given: Any) -> dict[str, Any]:
        return send(client, f"/tournaments/{slug}/acts/{name}/", given)

    def read(what: str, status: int = 200, user: User = ann) -> Any:
        response = client_of(user).get(f"/api/v1/tournaments/{slug}/{what}")
        assert response.status_code == status, response.content.decode()
        return response.json()

    act("organiser", user="co")
    act("invite")
    access = read("access/", user=co)
    assert access["co_organisers"] == ["co"] and f"/{slug}/invitation/" in access["invitation"]
    read("access/", 403, eve)
    read("pairing/", 403, eve)
    act("start")
    paired = read("pairing/")
    assert paired["round"] == 1 and len(paired["tables"]) == 2 and paired["notes"]
    assert not log_of(Tournament.objects.get(), "phase_started"), "looking changes nothing"
    act("pairing", tables=paired["tables"], reason="as it would be")
    act("open")
    work()
    game = read("games/")["results"][0]
    act("correct", game_number=game["game_number"], scores=[3, 4], reason="misread")
    assert read("standings/")["phase"]["number"] == 1
    act("open")
    work()
    assert read("")["status"] == "running"
    act("finish")
    work()
    one, two, last = (read(f"standings/{query}") for query in ("?phase=1", "?phase=2", ""))
    assert len(one["rows"]) == 4 and len(two["rows"]) == 2 and last == two
    assert "phases are 1 to 2" in read("standings/?phase=3", 404)["detail"]
    assert read("")["status"] == "ended"
    rows = read("entrants/")["results"]
    assert [row["status"] for row in rows] == ["playing"] * 4


def test_people_join_and_leave_by_api(crew: tuple[User, User, User]) -> None:
    ann, co, eve = crew
    tournament = event(ann, co)
    path = f"/tournaments/{tournament.slug}"
    assert send(client_of(None), f"{path}/join/", {}, 403)["code"] == "not_authenticated"
    client = client_of(eve)
    assert "only its organiser enters" in send(client, f"{path}/join/", {}, 409)["detail"]
    Tournament.objects.update(entry_open=True)
    assert "is not yours" in send(client, f"{path}/join/", {"player": "ann"}, 409)["detail"]
    (line,) = send(client, f"{path}/join/")["lines"]
    assert json.loads(line)["data"]["player"] == str(player_of(eve).pk)
    send(client, f"{path}/leave/")
    assert tournament.entrants.get(player__owner=eve).status == "withdrawn"


def test_the_openapi_file_tells_every_write(client: Client) -> None:
    schema = client.get("/api/v1/openapi.json").json()
    for name, act in ACTS.items():
        told = schema["paths"][f"/api/v1/tournaments/{{slug}}/acts/{name}/"]["post"]
        assert told["summary"] == act.title and {"200", "403", "409"} <= set(told["responses"])
        if not act.fields:
            assert "requestBody" not in told
            continue
        body = told["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        fields = schema["components"]["schemas"][body.rpartition("/")[2]]["properties"]
        assert set(fields) == set(act.fields)
    created = schema["paths"]["/api/v1/tournaments/"]["post"]
    assert set(created["requestBody"]["content"]) == {"application/json", "application/toml"}
    assert "patch" in schema["paths"]["/api/v1/tournaments/{slug}/"]
