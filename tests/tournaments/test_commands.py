"""An organiser at the command line."""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from games.models import User
from games.public import builtin_bot
from tests.tournaments.running import QUICK, started, work
from tournaments.acts import ACTS as LISTED
from tournaments.management.acts import ACTS
from tournaments.management.commands import tournament as tournament_command
from tournaments.models import Bye, Snapshot, Table, Tournament
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import round_start

pytestmark = pytest.mark.django_db

BY_HAND = """
name = "By hand"
rules = {length = "deals", deals = 1}
schedule = {rounds = "hand"}
entrants = [{bot = "greedy", count = 4}]
phases = [{format = "swiss", table_size = 2, rounds = 2}]
"""


@pytest.fixture
def event() -> Tournament:
    """A Swiss event whose second round is due, paused."""
    phases = [{"format": "swiss", "table_size": 2, "rounds": 3}]
    field = [{"bot": "greedy", "count": 6}]
    tournament = started(name="Club", rules=QUICK, entrants=field, phases=phases, late_entry=3)
    round_start(tournament_id=tournament.pk)
    say("pause", "club")
    work()
    return tournament


def say(act: str, *words: str) -> str:
    """Run ``manage.py tournament`` and return what it prints."""
    out = StringIO()
    call_command("tournament", act, *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers do what is due whenever the command looks again."""
    monkeypatch.setattr(tournament_command.time, "sleep", lambda _: work())


def test_a_run_by_hand_says_what_it_waits_for(
    patient: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "hand.toml"
    file.write_text(BY_HAND)
    said: list[str] = []

    class Organiser(StringIO):
        """Does what it is told."""

        def write(self, text: str) -> int:
            said.append(text)
            for act in re.findall(r"manage.py tournament (\w+) by-hand", text):
                say(act, "by-hand")
            return len(text)

    monkeypatch.setattr(sys, "stderr", Organiser())
    out = StringIO()
    call_command("tournament", "run", str(file), stdout=out)
    waits = [text.strip() for text in said if text.strip()]
    opens = "By hand waits: manage.py tournament advance by-hand opens the next round."
    assert waits == [
        opens,
        opens,
        "By hand waits: manage.py tournament advance by-hand ends it; until then results can be"
        " corrected.",
    ]
    assert "Greedy 1" in out.getvalue()


def test_every_act(event: Tournament) -> None:
    builtin_bot(policy="random", number=7)
    by = ("--by", "greedy 1")
    assert "Random 7 entered Club as number 7." in say("enter", "club", "random 7", *by)
    assert "Greedy 1 has a requested bye in round 2." in say("bye", "club", "Greedy 1")
    assert "Greedy 1 will be there." in say("bye", "club", "Greedy 1", "--cancel")
    assert "Greedy 2 has a zero bye in round 2." in say("bye", "club", "Greedy 2", "--zero")
    assert "Greedy 3 is withdrawn." in say("withdraw", "club", "Greedy 3", "--reason", "a train")
    assert "Greedy 3 plays again." in say("return", "club", "Greedy 3")
    assert "Greedy 4 is disqualified." in say("disqualify", "club", "Greedy 4", "--reason", "rude")
    number = Table.objects.first().game_number
    corrected = say("correct", "club", str(number), "5", "-3", "--reason", "misread")
    assert f"The result of game {number} is corrected." in corrected
    said = say("penalise", "club", "Greedy 5", "1/2", "--reason", "was late")
    penalty = said.split()[-1].rstrip(".")
    assert f"Greedy 5 loses 1/2; this is penalty {penalty}." in said
    assert "is lifted." in say("lift", "club", penalty, "--reason", "was not")
    standing = say("standings", "club")
    assert "disqualified  Greedy 4" in standing and "opponents_average" in standing
    shown = say("pairing", "club")
    assert "Table 1: " in shown and "Round 2 of 3" in shown and "Greedy 2: zero bye" in shown
    by_hand = ("Greedy 1,Greedy 2", "greedy 3,Random 7", "Greedy 5,Greedy 6", "--reason", "a wish")
    assert "Round 2 is paired by hand" in say("pairing", "club", *by_hand)
    assert "dropped" in say("pairing", "club", "--drop")
    say("pairing", "club", *by_hand)
    assert "Club goes on." in say("resume", "club")
    round_start(tournament_id=event.pk)
    running = Table.objects.filter(played=False).order_by("number")
    assert [p.entrant.player.name for p in running[0].places.all()] == ["Greedy 1", "Greedy 2"]
    assert "Greedy 1 has a forfeit loss." in say("no-show", "club", "Greedy 1")
    assert Bye.objects.filter(round__number=2).count() == 2
    number = running.first().game_number
    voided = say("void", "club", str(number), "--reason", "marked cards")
    assert f"Game {number} is void; the table plays again as game 7." in voided
    work()
    assert rebuild() == []
    assert '"by":"' in event.events.filter(type="entered").last().body


def test_the_command_has_a_word_for_every_act() -> None:
    """Some of its words are for several acts."""
    covered = {"start": "advance", "open": "advance", "finish": "advance"}
    covered |= {"bye-cancel": "bye", "pairing-drop": "pairing"}
    assert {covered.get(name, name) for name in LISTED} == {act.name for act in ACTS}


def test_access_the_no_show_rule_and_publishing(event: Tournament) -> None:
    User.objects.create_user("olga")
    said = say("invite", "club")
    event.refresh_from_db()
    address = reverse("invitation", args=["club", event.invitation])
    assert event.invitation and f"Whoever has {address} may enter Club" in said
    assert "holds no more" in say("uninvite", "club", "--by", "Greedy 1")
    assert "olga organises Club, too." in say("organiser", "club", "olga")
    assert [user.username for user in event.co_organisers.all()] == ["olga"]
    assert "olga organises Club no more." in say("organiser-remove", "club", "olga")
    assert not event.co_organisers.exists()
    assert "after 20 minutes" in say("no-show-rule", "club", "20")
    event.refresh_from_db()
    assert (event.no_show, event.invitation) == (20, "")
    assert "Club is published as of today." in say("publish", "club")
    assert Snapshot.objects.filter(tournament=event).count() == 1
    for words, message in (
        (("publish", "club"), "nothing has changed since the snapshot"),
        (("uninvite", "club"), "Club has no invitation"),
        (("organiser", "club", "nobody"), "nobody signs in as 'nobody'"),
        (("no-show-rule", "club", "soon"), "invalid int value: 'soon'"),
        (("no-show-rule", "club", "9999999"), "no_show must be whole minutes, 0 to 20160"),
    ):
        with pytest.raises(CommandError, match=message):
            say(*words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("withdraw", "no-such", "Greedy 1"), "there is no tournament 'no-such'"),
        (("withdraw", "club", "Nobody"), "there is no player 'Nobody'; give a name or an id"),
        (("penalise", "club", "Greedy 1", "x", "--reason", "late"), "points must be a whole"),
        (("correct", "club", "99", "1", "2", "--reason", "late"), "no game number 99"),
        (("pairing", "club", "Greedy 1,Greedy 2", "--reason", "x"), "Greedy 3 is missing"),
        (("pairing", "club", "Greedy 1,Greedy 2"), "Greedy 3 is missing"),
        (("disqualify", "club", "Greedy 1"), "the following arguments are required: --reason"),
    ],
)
def test_what_is_refused(event: Tournament, words: tuple[str, ...], message: str) -> None:
    event.refresh_from_db()
    before: Any = event.head
    with pytest.raises(CommandError, match=message):
        say(*words)
    event.refresh_from_db()
    assert event.head == before
