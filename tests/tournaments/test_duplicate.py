"""Duplicate boards: the same deals at all tables of a round, and nothing told before their end."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine import record, seeds
from engine.errors import BadInput
from engine.verify import verify
from games import tasks as games_tasks
from games.models import Due as GameDue
from games.models import Game, Player, Seed, User
from games.public import Conflict, game_abort
from games.selectors import game_lines, game_record
from tests.tournaments.running import (
    QUICK,
    bot,
    log_of,
    refused,
    small_spec,
    started,
    until_round,
    work,
)
from tournaments import tasks
from tournaments.leaderboards import rated_games
from tournaments.models import Due, Place, Rotation, Round, Table, Tournament
from tournaments.pages.told import told
from tournaments.selectors import tournament_version
from tournaments.services.entrants import entrant_enter, entrant_withdraw, no_show
from tournaments.services.pairings import pairing_set, tournament_pause, tournament_resume
from tournaments.services.rebuild import rebuild
from tournaments.services.results import game_void, result_correct
from tournaments.services.rounds import results_take, round_start
from tournaments.services.running import tournament_cancel
from tournaments.services.tables import games_of
from tournaments.services.tournaments import tournament_create
from tournaments.spec import parse_spec

pytestmark = pytest.mark.django_db

PHASE = {"format": "swiss", "table_size": 4, "rounds": 2, "duplicate": True}
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
ROTATED = {"format": "final", "rounds": 2, "duplicate": True, "rotate": True}


def boards(count: int = 8, *phases: dict[str, Any], **changes: Any) -> Tournament:
    field = [{"bot": "greedy", "count": count - 2}, {"bot": "random", "count": 2}]
    rules = QUICK | {"deals": 2}
    return started(rules=rules, entrants=field, phases=[*phases] or [PHASE], **changes)


def tables(tournament: Tournament) -> list[Table]:
    return list(Table.objects.filter(round__phase__tournament=tournament).order_by("game_number"))


def play(game: Game) -> None:
    """Play a game of bots to its end, and leave everything else undone."""
    while rows := list(GameDue.objects.filter(game=game, kind="bot")):
        for row in rows:
            games_tasks.ring(row.kind, str(row.game_id), row.seq)


def begun(tournament: Tournament) -> list[Table]:
    """Start the first round."""
    round_start(tournament_id=tournament.pk)
    return tables(tournament)


def test_all_tables_of_a_round_play_the_same_deals_and_each_round_others() -> None:
    tournament = boards()
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED
    played = [Game.objects.get(pk=table.game_id) for table in tables(tournament)]
    assert len(played) == 4 and [table.game_number for table in tables(tournament)] == [1, 2, 3, 4]
    assert [game.seed_id for game in played[:2]] == [played[0].seed_id] * 2
    assert len({game.seed_id for game in played}) == 2
    for line, number in zip(log_of(tournament, "paired"), (1, 3), strict=True):
        assert line["board"] == number
        for table in line["tables"]:
            game = Game.objects.get(pk=table["game"])
            expected = seeds.game_seed(bytes(tournament.seed), line["board"])
            assert bytes(game.seed.value) == expected
            verify(game_record(game).encode())
    assert rebuild() == []


def test_points_compare_those_who_held_the_same_seat() -> None:
    tournament = boards()
    until_round(tournament, 2)
    results = log_of(tournament, "result")
    assert len(results) == 2
    for seat in range(4):
        shares = []
        for line in results:
            (deals,) = line["deals"]
            game = Game.objects.get(pk=line["game"])
            ended = [
                record.loads(body)["data"] for body in game_lines(game) if "deal_ended" in body
            ]
            assert deals == {"scores": [data["scores"] for data in ended], "gone": []}
            place = Place.objects.get(table__game=game, seat=seat)
            shares.append(Fraction(place.points))
        assert sum(shares) == 1, "what one has more on a seat the other has less"
    ahead = [
        [4 * scores[0] - sum(scores) for scores in line["deals"][0]["scores"]] for line in results
    ]
    right = sum(Fraction((a > b) + (a >= b), 4) for a, b in zip(*ahead, strict=True))
    assert Fraction(Place.objects.get(table__game=results[0]["game"], seat=0).points) == right


def test_nothing_is_taken_before_the_last_game_of_the_round_is_over() -> None:
    tournament = boards()
    first, second = begun(tournament)
    play(first.game)
    assert Due.objects.filter(kind="result", number=1).exists()
    results_take(tournament_id=tournament.pk)
    first.refresh_from_db()
    assert not first.played and not log_of(tournament, "result")
    game = Game.objects.get(pk=first.game_id)
    assert game.status == Game.Status.OVER and not GameDue.objects.filter(kind="reveal").exists()
    play(second.game)
    results_take(tournament_id=tournament.pk)
    assert len(log_of(tournament, "result")) == 2
    assert {table.game.status for table in tables(tournament)} == {Game.Status.SEALED}


@pytest.mark.parametrize("act", ["", "void", "cancel"])
def test_what_is_told_at_the_end_of_a_board_is_the_last_of_it(client: Client, act: str) -> None:
    """Nothing changes on a page after the last that its stream tells, not even replays."""
    tournament = boards(4, ROTATED | {"rounds": 1})
    (table,) = begun(tournament)
    if act == "void":
        game_void(tournament_id=tournament.pk, game_number=1, reason="the cards were marked")
    elif act == "cancel":
        tournament_cancel(tournament_id=tournament.pk, reason="rain")
    else:
        for game in games_of(table):
            play(game)
    while rows := list(Due.objects.filter(kind__in=("result", "round"))):
        for row in rows:
            tasks.ring(row.kind, str(row.tournament_id), row.number)
    version, over = tournament_version(tournament.pk)
    path = f"{reverse('tournament', args=[tournament.slug])}?tab=rounds"
    shown = client.get(path).content
    assert over and shown.count(b"/games/") >= 4, "its replays can be seen"
    work()
    assert tournament_version(tournament.pk) == (version, True)
    assert TOKEN.sub(b"", client.get(path).content) == TOKEN.sub(b"", shown)
    assert rebuild() == []


def test_a_table_plays_a_board_in_every_rotation() -> None:
    tournament = boards(4, ROTATED)
    work()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.ENDED and tournament.games_created == 8
    for table in tables(tournament):
        seats = [place.entrant.player_id for place in table.places.all()]
        games = [table.game, *(rotation.game for rotation in table.rotations.all())]
        assert len({game.seed_id for game in games}) == 1 and len(games) == 4
        together = [0] * 4
        for number, game in enumerate(games):
            sat = [seat.player_id for seat in game.seats.all()]
            assert [sat[(index + number) % 4] for index in range(4)] == seats
            for index in range(4):
                together[index] += game.result.totals[(index + number) % 4]
            verify(game_record(game).encode())
        assert [place.score for place in table.places.all()] == together
        assert sum(Fraction(place.points) for place in table.places.all()) == 2
    assert rebuild() == []
    counted = rated_games("manipulation")
    assert len(counted) == 2 and len({game.deals for game in counted}) == 2


def test_a_called_off_game_is_not_dealt_anew() -> None:
    for phase, count in ((PHASE, 8), (ROTATED, 4)):
        tournament = boards(count, phase)
        first = begun(tournament)[0]
        game_abort(game_id=first.game_id)
        until_round(tournament, 2)
        first.refresh_from_db()
        assert first.averaged and first.played
        assert [place.points for place in first.places.all()] == ["1/2"] * 4
        (line,) = log_of(tournament, "averaged")
        assert line["reason"] == "aborted" and line["game"] == str(first.game_id)
        others = Place.objects.filter(round=first.round).exclude(table=first)
        assert {place.points for place in others} <= {"1/2"}, "there is nobody to compare with"
        work()
        assert rebuild() == []
    words = " ".join(line.words for line in told(tournament.events.all()))
    assert "was called off; everybody there has the average on its deals." in words


def test_voiding_gives_the_average_whether_the_board_is_over_or_not() -> None:
    tournament = boards()
    first, second = begun(tournament)
    assert game_void(tournament_id=tournament.pk, game_number=2, reason="marked cards") is None
    assert Game.objects.get(pk=second.game_id).status == Game.Status.OVER
    until_round(tournament, 2)
    points = {t.pk: [p.points for p in t.places.all()] for t in (first, second)}
    assert points[second.pk] == ["1/2"] * 4 == points[first.pk]
    assert not [game for game in rated_games("manipulation") if game.game == second.game_id]
    tournament_pause(tournament_id=tournament.pk)
    work()
    third, fourth = tables(tournament)[2:]
    game_void(tournament_id=tournament.pk, game_number=third.game_number, reason="marked cards")
    assert {p.points for p in Place.objects.filter(round=third.round)} == {"1/2"}
    assert fourth.places.first().score is not None
    tournament_resume(tournament_id=tournament.pk)
    work()
    assert rebuild() == []


def test_a_corrected_result_is_compared_by_its_total() -> None:
    tournament = boards()
    until_round(tournament, 2)
    tournament_pause(tournament_id=tournament.pk)
    scores = [1000, 0, 0, 0]
    result_correct(tournament_id=tournament.pk, game_number=1, scores=scores, reason="misread")
    first, second = tables(tournament)[:2]
    assert [place.points for place in first.places.all()] == ["1", "0", "0", "0"]
    assert [place.points for place in second.places.all()] == ["0", "1", "1", "1"]
    tournament_resume(tournament_id=tournament.pk)
    work()
    assert rebuild() == []


def test_who_withdraws_forfeits_every_rotation_and_the_others_have_the_average() -> None:
    tournament = boards(4, ROTATED)
    (table,) = begun(tournament)
    player = table.places.get(seat=1).entrant.player
    entrant_withdraw(tournament_id=tournament.pk, player=player)
    games = [table.game, *(rotation.game for rotation in table.rotations.all())]
    for number, game in enumerate(games):
        (line,) = [record.loads(body) for body in game_lines(game) if '"forfeited"' in body]
        assert line["seat"] == (1 + number) % 4
    until_round(tournament, 2)
    assert [place.points for place in table.places.all()] == ["1/2", "0", "1/2", "1/2"]
    assert table.places.get(seat=1).rank == 4
    work()
    assert rebuild() == []


def test_who_does_not_come_forfeits_the_seat() -> None:
    tournament = boards()
    first = begun(tournament)[0]
    player = first.places.get(seat=2).entrant.player
    no_show(tournament_id=tournament.pk, player=player)
    until_round(tournament, 2)
    assert [place.points for place in first.places.all()] == ["1/2", "1/2", "0", "1/2"]
    assert "has a forfeit loss: did not come; the others have the average on the deals left." in (
        " ".join(line.words for line in told(tournament.events.all()))
    )
    work()
    assert rebuild() == []


def test_deals_of_gin_are_compared_while_the_dealers_are_the_same(amount) -> None:
    """A dead deal is dealt again by the same dealer, so those after it are not the same."""
    played = amount(2, 8)
    tournament = started(
        variant="gin",
        rules={"deals": played},
        entrants=[{"bot": "random", "count": amount(4, 8)}],
        phases=[{"format": "swiss", "table_size": 2, "rounds": 1, "duplicate": True}],
    )
    work()
    compared = dead = 0
    for line in log_of(tournament, "result"):
        lines = [record.loads(body) for body in game_lines(Game.objects.get(pk=line["game"]))]
        dealers = [each["data"]["dealer"] for each in lines if each["type"] == "deal_started"]
        ended = [each["data"] for each in lines if each["type"] == "deal_ended"]
        dead += sum(data["ending"] == "dead" for data in ended)
        (deals,) = line["deals"]
        assert len(deals["scores"]) == played
        for number, scores in enumerate(deals["scores"]):
            usual = (dealers[0] + number) % 2 == dealers[number]
            assert scores == (ended[number]["scores"] if usual else None)
            compared += usual
    assert compared and dead, "there was something to see"
    assert rebuild() == []


def test_tables_stay_full_whoever_leaves() -> None:
    tournament = boards(9)
    begun(tournament)
    for number in (1, 2):
        entrant_withdraw(tournament_id=tournament.pk, player=bot(number))
    until_round(tournament, 2)
    second = Round.objects.get(phase__tournament=tournament, number=2)
    assert [table.places.count() for table in second.tables.all()] == [4]
    assert second.byes.count() == 3


def test_who_may_enter() -> None:
    def created(phase: dict[str, Any]) -> Tournament:
        return tournament_create(spec=small_spec(rules=QUICK, phases=[phase]))

    owner = User.objects.create(username="ann")
    people = [
        Player.objects.create(kind="person", name=name, owner=owner) for name in ("Ann", "Anna")
    ]
    tournament = created(PHASE)
    entrant_enter(tournament_id=tournament.pk, player=people[0])
    refused(
        tournament,
        Conflict,
        "with duplicate boards an owner has one",
        entrant_enter,
        player=people[1],
    )
    tournament = created(PHASE | {"rotate": True})
    refused(
        tournament, Conflict, "Ann is no built-in bot; Small open", entrant_enter, player=people[0]
    )
    entrant_enter(tournament_id=tournament.pk, player=bot(8))


def test_pairing_by_hand_needs_full_tables() -> None:
    tournament = boards()
    tournament_pause(tournament_id=tournament.pk)
    players = [entrant.player for entrant in tournament.entrants.select_related("player")]
    refused(
        tournament,
        BadInput,
        "table 1 has 3 seats; tables have 4 here",
        pairing_set,
        tables=[players[:3], players[3:7], players[7:]],
        reason="a request",
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": {"length": "target"}}, "rules.length=target, but duplicate boards need length="),
        ({"rules": {"dealer": "winner", "deals": 1}}, "rules.dealer=winner, but duplicate boards"),
        ({"rules": {}}, "length=deals needs the number of deals"),
        ({"phases": [{"format": "swiss", "duplicate": 1}]}, "duplicate must be true or false"),
        ({"phases": [{"format": "swiss", "rotate": True}]}, "it needs duplicate=true"),
        (
            {"phases": [{"format": "swiss", "scheme": "matchpoints"}]},
            "set duplicate=true or choose one of placement, wins, game_points",
        ),
        ({"phases": [PHASE | {"short_tables": True}]}, "duplicate boards need full tables"),
        (
            {"phases": [{"format": "ladder", "table_size": 4, "duplicate": True}]},
            "duplicate boards need tables of one size, but 5 entrants of a ladder make tables",
        ),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    data = {
        "name": "Boards",
        "rules": {"deals": 2},
        "entrants": [{"bot": "greedy", "count": 5}],
        "phases": [PHASE],
    }
    with pytest.raises(BadInput, match=message):
        parse_spec(data | changes)


def test_hollywood_has_no_boards() -> None:
    with pytest.raises(BadInput, match="Hollywood Gin is not played on duplicate boards"):
        small_spec(variant="hollywood-gin", rules={"deals": 2}, phases=[PHASE])


def test_boards_set_the_rules_they_need() -> None:
    spec = small_spec(rules={"deals": 3}, phases=[PHASE])
    assert (spec.rules["length"], spec.rules["dealer"]) == ("deals", "left")
    assert spec.phases[0].scheme == "matchpoints" and not spec.phases[0].options["short_tables"]


def routes(tournament: Tournament) -> list[str]:
    """Every address at which anything of a tournament or its games could be read."""
    at = reverse("tournament", args=[tournament.slug])
    paths = ["/", "/games/", "/tournaments/", "/leaderboards/manipulation/", "/healthz"]
    paths += [at, *(f"{at}?tab={tab}" for tab in ("standings", "rounds", "games", "log"))]
    paths += [f"{at}{part}/" for part in ("progress", "standings", "side")]
    paths += [f"/search/?q={tournament.slug}", "/api/v1/games/", "/api/v1/tournaments/"]
    api = f"/api/v1/tournaments/{tournament.slug}/"
    paths += [api, f"{api}standings/", f"{api}games/", f"{api}log/"]
    numbers = [table.game_number for table in tables(tournament)]
    numbers += Rotation.objects.values_list("game_number", flat=True)
    paths += [f"{at}games/{number}/" for number in numbers]
    for game in Game.objects.all():
        page, data = reverse("game", args=[game.pk]), f"/api/v1/games/{game.pk}/"
        paths += [page, f"{page}frames/0/", f"{page}frames/1/", f"{page}deals/1/"]
        paths += [
            f"{page}record.jsonl",
            f"{page}?step=1",
            f"{page}films/1/",
            f"{page}narration.txt",
        ]
        paths += [data, f"{data}log/", f"{data}record/"]
    paths += [reverse("player", args=[entrant.player_id]) for entrant in tournament.entrants.all()]
    return paths + [f"/api/v1/players/{e.player_id}/" for e in tournament.entrants.all()]


@pytest.mark.parametrize(("phase", "count"), [(PHASE, 8), (ROTATED, 4)])
def test_until_a_board_is_over_nobody_can_tell_how_it_goes(
    client: Client, phase: dict[str, Any], count: int
) -> None:
    """Two worlds: a game of the board unplayed, or over with another seed; all pages are equal."""
    tournament = boards(count, phase)
    table, *_ = begun(tournament)
    game = Rotation.objects.first().game if phase is ROTATED else table.game
    paths = routes(tournament)

    def seen() -> list[tuple[int, bytes]]:
        answers = [client.get(path) for path in paths]
        return [(answer.status_code, TOKEN.sub(b"", answer.content)) for answer in answers]

    unplayed = seen()
    play(game)
    results_take(tournament_id=tournament.pk)
    Seed.objects.filter(pk=game.seed_id).update(value=bytes(32))
    Tournament.objects.filter(pk=tournament.pk).update(seed=bytes(32))
    for path, before, after in zip(paths, unplayed, seen(), strict=True):
        assert before == after, path
    hidden = [path for path, (status, _) in zip(paths, unplayed, strict=True) if status == 404]
    assert all(any(str(g.pk) in path for path in hidden) for g in Game.objects.all())


def test_the_admin_hides_a_board_too(admin_client: Client) -> None:
    tournament = boards()
    first, _ = begun(tournament)
    play(first.game)
    listed = admin_client.get("/admin/games/game/").content.decode()
    assert str(first.game_id) not in listed
    assert str(first.game_id) not in admin_client.get("/admin/games/result/").content.decode()
    assert admin_client.get(f"/admin/games/game/{first.game_id}/change/").status_code != 200
    work()
    assert str(first.game_id) in admin_client.get("/admin/games/game/").content.decode()
    assert admin_client.get(f"/admin/games/game/{first.game_id}/change/").status_code == 200


def test_pages_show_boards(client: Client) -> None:
    tournament = boards(8, PHASE, ROTATED | {"top": 4})
    work()
    at = reverse("tournament", args=[tournament.slug])
    text = client.get(f"{at}?tab=rounds&phase=2").content.decode()
    rotation = Rotation.objects.order_by("pk").last()
    assert reverse("game", args=[rotation.game_id]) in text
    page = client.get(reverse("game", args=[rotation.game_id])).content.decode()
    assert tournament.name in page, "its crumbs lead to the tournament"
    assert client.get(f"{at}games/{rotation.game_number}/").status_code == 302
    assert "duplicate boards, each in every rotation" in client.get(at).content.decode()
