"""What the pages of an organiser say and offer is true at every time of an event."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import User
from games.public import player_of
from tests.pages.checks import check_page
from tests.tournaments.running import QUICK, SWISS, small_spec, work
from tournaments.acts import ACTS
from tournaments.models import Tournament
from tournaments.pages.acts import PARTS
from tournaments.services.rounds import round_start
from tournaments.services.tournaments import tournament_create

pytestmark = pytest.mark.django_db

WHY = {"reason": "because"}


class Organiser:
    """Looks at the pages, and acts."""

    def __init__(self, client: Client, **spec: Any) -> None:
        user, _ = User.objects.get_or_create(username="ann")
        client.force_login(user)
        self.by = player_of(user)
        self.client = client
        field = [{"bot": "greedy", "count": 4}]
        self.of = tournament_create(
            spec=small_spec(rules=QUICK, entrants=field, **spec), organiser=user
        )

    def act(self, name: str, **given: Any) -> None:
        self.of.refresh_from_db()
        ACTS[name].do(self.of, self.by, **given)

    def look(self) -> tuple[dict[str, str], set[str]]:
        """What each part says, and all acts that are offered."""
        said, acts = {}, set()
        for part in PARTS:
            response = self.client.get(reverse("organise-part", args=[self.of.slug, part]))
            check_page(response)
            text = unescape(response.content.decode())
            acts |= set(re.findall(r'id="act-([\w-]+)"', text))
            said[part] = " ".join(re.sub(r"<[^>]+>", " ", text).split())
        return said, acts

    def public(self, query: str = "") -> str:
        path = reverse("tournament", args=[self.of.slug]) + query
        return unescape(self.client.get(path).content.decode())


BETWEEN = {"open", "finish", "no-show", "bye", "pairing", "correct", "void", "penalise"}
"""Acts that make sense at some times of a running event only."""


def test_two_phases_with_rounds_by_hand(client: Client) -> None:
    phases = [SWISS | {"rounds": 1}, {"format": "final", "top": 3}]
    ann = Organiser(client, phases=phases, schedule={"rounds": "hand"})
    said, acts = ann.look()
    assert "It starts when you start it." in said["rounds"]
    assert "start it, and the first round waits" in said["pairing"]
    assert "pause it" not in said["pairing"], "it waits anyway"
    assert "No game is being played." in said["corrections"] and "closed" not in said["corrections"]
    assert acts & BETWEEN == {"bye"} and "Choose" in said["entries"]

    ann.act("start")
    said, acts = ann.look()
    assert "The next round waits for you to open it." in said["rounds"]
    assert acts & BETWEEN == {"open", "bye", "pairing"}
    assert "No game is being played." in said["corrections"]

    ann.act("open")
    round_start(tournament_id=ann.of.pk)
    said, acts = ann.look()
    until = "can be changed until it closes: when you open the first round of phase 2."
    assert (
        f"Round 1 of phase 1 runs, 2 tables still to be played. Results of phase 1 {until}"
        in (said["rounds"])
    )
    assert acts & BETWEEN == {"no-show", "void", "penalise"}

    work()
    said, acts = ann.look()
    assert f"The next round waits for you to open it. Results of phase 1 {until}" in said["rounds"]
    assert f"Results of phase 1 {until}" in said["corrections"]
    assert "the first round of phase 2 is paired when it starts" in said["pairing"]
    assert acts & BETWEEN == {"open", "correct", "void", "penalise"}
    assert "not finished yet" not in ann.public()

    ann.act("open")
    work()
    said, acts = ann.look()
    assert "All games are played. It ends when you finish it" in said["rounds"]
    assert (
        "closes: when you finish the tournament. Those of phase 1 are final."
        in (said["corrections"])
    )
    assert "There is no next round: all are played." in said["pairing"]
    assert acts & BETWEEN == {"finish", "correct", "void", "penalise"}
    assert "All games played, not finished yet" in ann.public()

    ann.act("finish")
    work()
    said, acts = ann.look()
    assert "It is over; what was played can be published." in said["rounds"]
    assert "The next pairing" not in said["rounds"]
    assert "It is over: all results are final." in said["corrections"]
    assert "Choose" not in said["entries"] and "nobody any more" in said["access"]
    assert acts == {"publish"}


def test_a_phase_that_closes_by_itself_is_warned_of(client: Client) -> None:
    ann = Organiser(client, phases=[SWISS | {"rounds": 1}], entry={"open": True})
    said, _ = ann.look()
    assert "anybody signed in" in said["access"]
    ann.act("start")
    round_start(tournament_id=ann.of.pk)
    said, acts = ann.look()
    closes = "until it closes: as soon as its last round is played out"
    assert f"{closes}; pause it to have time for them." in said["rounds"]
    assert "nobody any more" in said["access"] and not acts & {"enter", "bots", "import"}
    ann.act("pause")
    said, _ = ann.look()
    assert f"{closes}, but not before you resume." in said["rounds"]
    assert said["rounds"].count("Paused") == 1
    work()
    said, acts = ann.look()
    assert (
        "All games are played. It ends when you resume; until then results can be changed."
        in (said["rounds"])
    )
    assert acts & BETWEEN == {"correct", "void", "penalise"}
    ann.act("resume")
    work()
    ann.of.refresh_from_db()
    assert ann.of.status == Tournament.Status.ENDED


def test_a_round_that_was_called_off_is_not_being_played(client: Client) -> None:
    ann = Organiser(client, phases=[SWISS, {"format": "final", "top": 3}])
    ann.act("start")
    round_start(tournament_id=ann.of.pk)
    assert "Playing" in ann.public("?tab=rounds") and "Playing now" in ann.public()
    ann.act("cancel", **WHY)
    said, acts = ann.look()
    assert "It was called off; what was played can be published." in said["rounds"]
    assert acts == {"publish"} and "Called off" in said["rounds"]
    shown = ann.public("?tab=rounds")
    for word in ("Playing", "playing", "being played", ">Running<", "Watch"):
        assert word not in shown, word
    assert shown.count("Called off") == 4, "badge, phase and tables"
