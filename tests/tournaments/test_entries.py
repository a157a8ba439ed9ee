"""Entries: limits, windows, bots, lists, by people themselves; co-organisers and invitations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.errors import BadInput
from games.models import Player, User
from games.public import Conflict, NotFound, player_of
from tests.tournaments.running import QUICK, bot, log_of, refused, small_spec, work
from tournaments.models import Tournament
from tournaments.pages.told import told
from tournaments.selectors import log_of as lines_of
from tournaments.services.access import (
    invitation_drop,
    invitation_make,
    organiser_add,
    organiser_remove,
)
from tournaments.services.entrants import entrant_enter, entrant_withdraw
from tournaments.services.entries import (
    bots_enter,
    entrant_join,
    entrant_leave,
    entrants_import,
)
from tournaments.services.settings import as_template, described, tournament_change
from tournaments.services.tournaments import tournament_create, tournament_start
from tournaments.spec import parse_spec

pytestmark = pytest.mark.django_db

SWISS = {"format": "swiss", "table_size": 2, "rounds": 2}


def event(**changes: Any) -> Tournament:
    data = {"rules": QUICK, "entrants": [], "phases": [SWISS]}
    return tournament_create(spec=small_spec(**data | changes))


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann", password="a long word indeed")


def names(tournament: Tournament) -> list[str]:
    return [entrant.player.name for entrant in tournament.entrants.select_related("player")]


def test_bots_enter_with_the_next_free_numbers() -> None:
    tournament = event(entrants=[{"bot": "greedy", "count": 1}], entry={"least": 2})
    bots_enter(tournament_id=tournament.pk, bot="greedy", count=2)
    bots_enter(tournament_id=tournament.pk, bot="random")
    assert names(tournament) == ["Greedy 1", "Greedy 2", "Greedy 3", "Random 1"]
    refused(tournament, BadInput, "bot 'gredy' is unknown", bots_enter, bot="gredy")
    message = "whole number 1 to 10000, not 0"
    refused(tournament, BadInput, message, bots_enter, bot="random", count=0)


def test_there_is_room_for_so_many() -> None:
    tournament = event(entry={"most": 3})
    bots_enter(tournament_id=tournament.pk, bot="greedy", count=2)
    message = "takes at most 3 entrants and has 2: there is room for 1 more"
    refused(tournament, Conflict, message, bots_enter, bot="greedy", count=2)
    bots_enter(tournament_id=tournament.pk, bot="greedy")
    refused(tournament, Conflict, "nobody more can enter", entrant_enter, player=bot(9))
    entrant_withdraw(tournament_id=tournament.pk, player=bot(1))
    entrant_enter(tournament_id=tournament.pk, player=bot(9))


def test_a_list_enters_everybody_in_its_order() -> None:
    tournament = event()
    zoe = Player.objects.create(kind=Player.Kind.PERSON, name="Zoë, of York")
    text = f'\ufeffPlayer\r\n"Zoë, of York"\r\n\r\ngreedy 3\r\n  {bot(1).pk} ,\r\n'
    entrants_import(tournament_id=tournament.pk, text=text)
    assert names(tournament) == [zoe.name, "Greedy 3", "Greedy 1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Greedy 1\nNobody\n", "line 2: there is no player 'Nobody'; give a name or an id. Nobody"),
        ("Greedy 1\n\nGreedy 2,\nGreedy 1\n", "line 4: Greedy 1 stands in line 1 too; once is"),
        ("Greedy 5\nGreedy 1", "line 1: Greedy 5 has entered already; leave the line out"),
        ("Greedy 1\nGreedy 2,Greedy 3\n", "line 2: it has 2 cells; a player's name or id alone"),
        ('Greedy 1\n"Greedy 2\n', "line 2: this is not CSV: unexpected end of data"),
        ("player\n\n", "the list is empty; it must have a player's name or id in each line"),
        ("Greedy 0\nGreedy 99999", "line 1: .*; line 2: .*Nobody was entered"),
        ("\n".join(f"x{n}" for n in range(9)), "line 5: .*; and 4 more. Nobody was entered"),
    ],
)
def test_a_broken_line_is_told_and_nobody_enters(text: str, message: str) -> None:
    tournament = event()
    entrant_enter(tournament_id=tournament.pk, player=bot(5))
    refused(tournament, BadInput, message, entrants_import, text=text)
    assert names(tournament) == ["Greedy 5"]


def test_people_enter_by_themselves_while_it_is_open(ann: User) -> None:
    tournament = event()
    me = player_of(ann)
    assert me == player_of(ann) and me.name == "ann"
    join = {"user": ann, "player": me, "by": me}
    refused(tournament, Conflict, "only its organiser enters players", entrant_join, **join)
    now = timezone.now()
    for opens, closes, message in (
        (now + timedelta(hours=1), None, "entries to Small open open at .* UTC"),
        (None, now - timedelta(hours=1), "entries to Small open closed at .* UTC"),
    ):
        Tournament.objects.update(entry_open=True, entry_opens_at=opens, entry_closes_at=closes)
        refused(tournament, Conflict, message, entrant_join, **join)
        refused(tournament, Conflict, message, entrant_join, **join, invited=True)
    Tournament.objects.update(entry_open=False, entry_closes_at=None)
    entrant_join(tournament_id=tournament.pk, **join, invited=True)
    (entered,) = log_of(tournament, "entered")
    assert entered["player"] == str(me.pk)
    other = Player.objects.create(kind=Player.Kind.PERSON, name="Bob")
    for act in (entrant_join, entrant_leave):
        refused(tournament, Conflict, "Bob is not yours", act, user=ann, player=other, by=me)
    entrant_leave(tournament_id=tournament.pk, **join)
    assert tournament.entrants.get().status == "withdrawn"


def test_a_user_whose_name_a_player_has_gets_a_number(ann: User) -> None:
    Player.objects.create(kind=Player.Kind.PERSON, name="Ann")
    assert player_of(ann).name == "ann 2"


def test_co_organisers_come_and_go(ann: User) -> None:
    bob = User.objects.create_user("bob", password="a long word indeed")
    tournament = tournament_create(spec=small_spec(), organiser=ann)
    assert '"by":"' + str(player_of(ann).pk) in tournament.events.get(seq=1).body
    what = {"user": bob, "by": player_of(ann)}
    refused(tournament, NotFound, "bob is no co-organiser", organiser_remove, **what)
    organiser_add(tournament_id=tournament.pk, **what)
    refused(tournament, Conflict, "bob organises Small open already", organiser_add, **what)
    organiser_remove(tournament_id=tournament.pk, **what)
    own = {"user": ann, "by": player_of(bob)}
    refused(tournament, Conflict, "is ann's own", organiser_remove, **own)
    words = [line.words for line in told(lines_of(tournament))][:2]
    assert words == [
        "bob is no co-organiser any more. (by ann)",
        "bob became a co-organiser. (by ann)",
    ]


def test_an_invitation_stands_in_no_log() -> None:
    tournament = event()
    refused(tournament, Conflict, "has no invitation", invitation_drop)
    first = invitation_make(tournament_id=tournament.pk)
    second = invitation_make(tournament_id=tournament.pk)
    assert first != second and len(second) > 20
    invitation_drop(tournament_id=tournament.pk)
    log = "\n".join(tournament.events.values_list("body", flat=True))
    assert first not in log and second not in log


def test_a_tournament_can_be_told_again_and_be_a_template() -> None:
    final = {"format": "final", "top": 2, "scheme": "wins", "byes": {"zero": "-1/2"}}
    entry = {"open": True, "least": 2, "most": 9, "opens": "2030-01-01 10:00"}
    schedule = {"zone": "Europe/Berlin", "start": "2030-01-02 10:00", "no_show": 5}
    tournament = event(
        entrants=[{"bot": "greedy", "count": 3}],
        phases=[SWISS, final],
        entry=entry,
        schedule=schedule,
        late_entry=1,
    )
    said = described(tournament)
    assert said["entry"] == entry
    assert said["schedule"] | schedule == said["schedule"]
    again = tournament_create(spec=parse_spec(said))
    assert described(again) == said
    template = parse_spec(as_template(tournament))
    assert template.size == 3 and template.schedule.start is None and not template.entry.opens


def test_boards_are_told_again() -> None:
    phases = [SWISS | {"duplicate": True}, {"format": "final", "top": 2, "duplicate": True}]
    phases[1] |= {"rotate": True, "rounds": 2}
    tournament = event(phases=phases)
    again = tournament_create(spec=parse_spec(described(tournament)))
    kept = again.phases.values_list("duplicate", "rotate")
    assert list(kept) == [(True, False), (True, True)]
    tournament_change(tournament_id=tournament.pk, changes={"late_entry": 1})
    assert list(tournament.phases.values_list("duplicate", "rotate")) == list(kept)


def test_nothing_is_changed_into_what_entrants_cannot_play(ann: User) -> None:
    tournament = event(entrants=[{"bot": "greedy", "count": 1}], entry={"least": 2})
    gin = {"variant": "gin", "rules": {}}
    message = "Greedy 1 has entered and does not play Gin Rummy; withdraw Greedy 1 first"
    refused(tournament, Conflict, message, tournament_change, changes=gin)
    entrant_withdraw(tournament_id=tournament.pk, player=bot(1))
    bots_enter(tournament_id=tournament.pk, bot="random")
    entrant_enter(tournament_id=tournament.pk, player=player_of(ann))
    friend = Player.objects.create(kind=Player.Kind.PERSON, name="Friend", owner=ann)
    entrant_enter(tournament_id=tournament.pk, player=friend)
    boards = {"phases": [SWISS | {"duplicate": True}]}
    message = "Friend has entered and has the same owner as ann"
    refused(tournament, Conflict, message, tournament_change, changes=boards)
    entrant_withdraw(tournament_id=tournament.pk, player=friend)
    rotated = {"phases": [SWISS | {"duplicate": True, "rotate": True}]}
    message = "ann has entered and is no built-in bot"
    refused(tournament, Conflict, message, tournament_change, changes=rotated)
    tournament_change(tournament_id=tournament.pk, changes=boards)
    entrant_withdraw(tournament_id=tournament.pk, player=player_of(ann))
    tournament_change(tournament_id=tournament.pk, changes=gin | {"phases": [SWISS]})
    tournament.refresh_from_db()
    assert tournament.variant == "gin"


def test_what_a_tournament_is_can_be_changed_before_the_start() -> None:
    tournament = event(entrants=[{"bot": "greedy", "count": 4}])
    changes = {"name": "Another", "phases": [SWISS, {"format": "final", "top": 2}]}
    tournament_change(tournament_id=tournament.pk, changes=changes)
    tournament.refresh_from_db()
    assert tournament.name == "Another" and tournament.phases.count() == 2
    seq = tournament.seq
    tournament_change(tournament_id=tournament.pk, changes=changes)
    tournament.refresh_from_db()
    assert tournament.seq == seq, "what changes nothing stands in no log"
    wrong = {"phases": [{"format": "x"}]}
    refused(tournament, BadInput, "format 'x' is", tournament_change, changes=wrong)
    tournament_start(tournament_id=tournament.pk)
    message = "has started, so its phases cannot be changed"
    refused(tournament, Conflict, message, tournament_change, changes={"phases": [SWISS]})
    tournament_change(tournament_id=tournament.pk, changes={"access": "unlisted"})
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    words = [line.words for line in told(lines_of(tournament))]
    assert "Changed: it is unlisted." in words
    assert any("the game or the format is another (swiss, then final)" in line for line in words)
