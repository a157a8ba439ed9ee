"""The organiser's pages: create, run, correct, and find each step in the log."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import User
from tests.pages.checks import check_page
from tests.tournaments.running import QUICK, SWISS, small_spec, work
from tournaments.models import Tournament
from tournaments.pages.acts import PARTS
from tournaments.pages.wizard import EXAMPLE
from tournaments.services.rounds import round_start
from tournaments.services.running import tournament_cancel
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db


def created(client: Client, text: str) -> str:
    """Create a tournament from a file's text; return its organiser's page."""
    review = client.post(reverse("tournament-file"), {"text": text})["Location"]
    made: str = client.post(review)["Location"]
    return made


def test_an_organiser_runs_a_two_phase_event_on_the_pages(client: Client) -> None:
    word = "a long word indeed"
    said = {"username": "ann", "password1": word, "password2": word}
    assert client.get(reverse("tournament-new")).status_code == 302
    client.post(reverse("register"), said)
    text = EXAMPLE.replace(
        '[[phases]]\nformat = "swiss"',
        '[schedule]\nrounds = "hand"\n\n[[phases]]\nformat = "swiss"',
    )
    page = created(client, text)
    check_page(client.get(page))

    def act(name: str, status: int = 302, **given: object) -> str:
        response = client.post(page, {"act": name, "sure": "yes", **given})
        assert response.status_code == status, response.content.decode()
        return response.content.decode()

    act("start")
    assert "has started already" in act("start", 422)
    act("open")
    work()
    refused = act("correct", 422, game_number=1, scores="a b", reason="misread")
    assert "whole numbers by seat are needed" in refused
    act("correct", game_number=1, scores="9 8 7 6", reason="misread")
    assert "rounds are left to be played" in act("finish", 422)
    for _ in range(3):
        act("open")
        work()
    assert "no round is left; finish it" in act("open", 422)
    act("finish")
    work()
    tournament = Tournament.objects.get()
    assert tournament.status == Tournament.Status.ENDED
    public = reverse("tournament", args=[tournament.slug])
    words = "".join(
        client.get(public, {"tab": "log", "page": n}).content.decode() for n in range(1, 4)
    )
    for step in (
        "Created as a swiss, then final",
        "(by ann)",
        "was corrected to",
        ": misread",
        "opened by hand",
        "The tournament ended",
    ):
        assert step in words, step


def test_every_part_at_every_time(client: Client) -> None:
    """All parts of a large field's pages are light, and a log can be told by acts alone."""
    ann = User.objects.create_user("ann", password="x")
    entrants = [{"bot": "greedy", "count": 120}]
    spec = small_spec(rules=QUICK, entrants=entrants, late_entry=1, phases=[SWISS])
    of = tournament_create(spec=spec, organiser=ann)
    client.force_login(ann)

    def look() -> None:
        for part in PARTS:
            with CaptureQueriesContext(connection) as counted:
                response = client.get(reverse("organise-part", args=[of.slug, part]))
            check_page(response)
            assert len(counted) <= 35, part

    look()
    tournament_start(tournament_id=of.pk)
    round_start(tournament_id=of.pk)
    look()
    shown = client.get(reverse("organise-part", args=[of.slug, "log"])).content.decode()
    acts = client.get(reverse("organise-part", args=[of.slug, "log"]) + "?acts=1").content.decode()
    assert "was paired" in shown and "was paired" not in acts and "Started with" in acts
    tournament_cancel(tournament_id=of.pk, reason="rain")
    look()
    check_page(client.get(reverse("organise-part", args=[of.slug, "nonsense"])), 404)


def test_only_organisers_organise(client: Client) -> None:
    ann, eve = (User.objects.create_user(name, password="x") for name in ("ann", "eve"))
    client.force_login(ann)
    page = created(client, EXAMPLE)
    client.force_login(eve)
    check_page(client.get(page), 404)
    assert client.post(page, {"act": "start"}).status_code == 404
    assert Tournament.objects.get().status == Tournament.Status.OPEN
