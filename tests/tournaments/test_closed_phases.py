"""A phase that is closed stays as it is, whatever an organiser does afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.public import ApplicationError, player_of
from tests.tournaments.organising import people
from tests.tournaments.running import QUICK, SWISS, small_spec, work
from tournaments.acts import ACTS
from tournaments.models import Phase, Place, Tournament
from tournaments.services.rebuild import rebuild
from tournaments.services.rounds import round_start
from tournaments.services.tournaments import tournament_create, tournament_start

pytestmark = pytest.mark.django_db

WHY = {"reason": "because"}


@pytest.fixture
def final() -> Tournament:
    """An event of six between the rounds of its second phase, a final of four."""
    ann, _, _ = people()
    spec = small_spec(
        rules=QUICK,
        entrants=[{"bot": "greedy", "count": 6}],
        phases=[SWISS | {"rounds": 1}, {"format": "final", "top": 4, "rounds": 4}],
        late_entry=1,
        schedule={"rounds": "hand"},
    )
    made = tournament_create(spec=spec, organiser=ann)
    tournament_start(tournament_id=made.pk)
    for _ in range(2):
        ACTS["open"].do(made, player_of(ann))
        work()
    made.refresh_from_db()
    assert made.phases.get(number=1).status == Phase.Status.CLOSED
    assert made.phases.get(number=2).rounds.count() == 1
    return made


def published(client: Client, of: Tournament) -> list[Any]:
    """All that is stored, published and shown of the first phase, but how it is kept fresh."""
    at = reverse("tournament", args=[of.slug])
    first = of.phases.get(number=1)
    return [
        [row | {"id": 0} for row in first.standings.values()],
        list(Place.objects.filter(round__phase=first).order_by("pk").values()),
        client.get(f"{at}standings.json?phase=1").json()["rows"],
        client.get(f"/api/v1{at}standings/?phase=1").json(),
        *(
            client.get(f"{at}parts/{tab}/?phase=1").content.partition(b">")[2]
            for tab in ("standings", "rounds", "cross")
        ),
    ]


def test_no_act_changes_a_closed_phase(client: Client, final: Tournament) -> None:
    by = player_of(final.organiser)  # type: ignore[arg-type]
    rows = final.phases.get(number=2).standings.select_related("entrant__player")
    one, two, three, four = (row.entrant.player.name for row in rows)
    before = published(client, final)
    done = set()

    def act(name: str, allowed: bool = True, **given: Any) -> None:
        final.refresh_from_db()
        try:
            ACTS[name].do(final, by, **given)
            refused = False
        except ApplicationError:
            refused = True
        assert refused is not allowed, name
        done.add(name)
        assert published(client, final) == before, name

    act("correct", False, game_number=1, scores=[1, 2], ranks=[], **WHY)
    act("void", False, game_number=1, **WHY)
    act("start", False)
    act("enter", False, player="Greedy 9")
    act("bots", False, bot="random", count=1)
    act("import", False, text="Greedy 9")
    act("pause")
    act("pairing", tables=[[two, one, three]], byes={four: "forfeit_win"}, **WHY)
    act("pairing-drop")
    act("resume")
    act("no-show-rule", minutes=3)
    act("bye", player=one, kind="requested")
    act("bye-cancel", player=one)
    act("penalise", player=two, points="1/2", **WHY)
    act("lift", penalty=final.seq + 1, **WHY)
    act("withdraw", player=one, reason="")
    act("return", player=one)
    act("disqualify", player=four, **WHY)
    assert rebuild() == [] and published(client, final) == before
    act("open")
    round_start(tournament_id=final.pk)
    act("no-show", player=three, **WHY)
    work()
    final.refresh_from_db()
    last = final.games_created
    act("correct", game_number=last, scores=[1, 2], ranks=[], **WHY)
    act("void", game_number=last, **WHY)
    for name in ("invite", "uninvite", "publish"):
        act(name)
    act("organiser", user="eve")
    act("organiser-remove", user="eve")
    act("finish", False)
    act("cancel", **WHY)
    assert rebuild() == [] and published(client, final) == before
    assert done == set(ACTS)
