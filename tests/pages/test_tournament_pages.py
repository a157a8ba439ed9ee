"""Home, tournaments, leaderboards, players, sign-in, and pages of refusal."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from statistics import mean, median
from uuid import uuid4

import pytest
from django.db import connection
from django.http import Http404
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.views import defaults

from engine.events import ForfeitReason
from games.models import Event, Game, Player
from games.public import DealEnd
from games.services.games import game_forfeit
from tests.pages.checks import check_html, check_page
from tests.pages.conftest import FIELD, PHASE
from tests.tournaments.running import QUICK, small_spec, started, work
from tournaments.models import Phase, Rating, Table, Tournament
from tournaments.pages.cross import cross_table
from tournaments.pages.progress import format_words, games_planned, progress_shown
from tournaments.pages.statistics import statistics
from tournaments.selectors import tournament_cards
from tournaments.services.tournaments import tournament_create

pytestmark = pytest.mark.django_db

PAIR = {"format": "round_robin", "table_size": 2}

TABS = ("standings", "rounds", "cross", "games", "statistics", "rules", "log")


def test_pages_of_an_empty_site(client: Client) -> None:
    for path in (
        "/",
        "/tournaments/",
        "/games/",
        "/leaderboards/manipulation/",
        "/accounts/login/",
    ):
        check_page(client.get(path))
    assert client.get("/leaderboards/")["Location"] == "/leaderboards/manipulation/"


def test_home_shows_what_is_going_on(client: Client, ended: Tournament) -> None:
    response = client.get("/")
    page = check_page(response)
    assert f"/tournaments/{ended.slug}/" in page.links
    assert any(link.startswith("/games/") and len(link) > 40 for link in page.links)
    text = response.content.decode()
    assert "Meldboard plays tournaments" in text and "±" in text


def test_tournaments_are_listed_by_state(client: Client, ended: Tournament) -> None:
    address = reverse("tournaments")
    link = reverse("tournament", args=[ended.slug])
    assert link in check_page(client.get(address)).links
    assert link in check_page(client.get(address, {"state": "ended"})).links
    for state in ("running", "open"):
        assert link not in check_page(client.get(address, {"state": state})).links
    response = client.get(address, {"state": "old"})
    check_page(response, 404)
    assert "it is one of running, open, ended" in response.content.decode()


@pytest.mark.parametrize("tab", TABS)
def test_the_tabs_of_a_tournament_that_is_over(client: Client, ended: Tournament, tab) -> None:
    response = client.get(reverse("tournament", args=[ended.slug]), {"tab": tab})
    page = check_page(response)
    text = response.content.decode()
    assert ended.commitment in text and bytes(ended.seed).hex() in text
    assert "hx-get" not in text and "Pause updates" not in text
    assert {f"?tab={each}" for each in TABS} <= set(page.links)


def test_standings_explain_their_columns(client: Client, ended: Tournament) -> None:
    text = client.get(reverse("tournament", args=[ended.slug])).content.decode()
    for words in ("Games won; a shared win counts", "Points in the games where all the tied met"):
        assert words in text
    assert text.count('<tr><td class="is-rank">') == 4
    assert 'aria-label="Podium"' in text and text.count("c-pod ") == 3
    assert 'class="is-win"' in text and "place 1" in text
    table = Table.objects.get(game_number=1)
    short = f"/tournaments/{ended.slug}/games/1/"
    assert short in text
    assert client.get(short)["Location"] == reverse("game", args=[table.game_id])
    check_page(client.get(f"/tournaments/{ended.slug}/games/99/"), 404)


def test_a_round_shows_its_tables_and_why(client: Client, ended: Tournament) -> None:
    address = reverse("tournament", args=[ended.slug])
    text = client.get(address, {"tab": "rounds", "round": 1}).content.decode()
    assert "every two of 4 entrants meet at least once" in text and "Table 1" in text
    for query, right in (
        ("round=99", "rounds are 1 to"),
        ("round=x", "it must be a number"),
        ("phase=7", "phases are 1 to 1"),
    ):
        response = client.get(f"{address}?tab=rounds&{query}")
        check_page(response, 404)
        assert right in response.content.decode()


def test_a_round_tells_deals_and_forfeits_with_their_reasons(client: Client) -> None:
    tournament = started(rules={"deals": 2, "length": "deals"}, phases=[PAIR])
    work(1)
    table = Table.objects.order_by("number")[0]
    game_forfeit(game_id=table.game_id, seat=1, reason=ForfeitReason.NO_SHOW)
    address = reverse("tournament", args=[tournament.slug]) + "?tab=rounds&round=1"
    assert "forfeited" not in client.get(address).content.decode(), "the result is not taken yet"
    work()
    text = client.get(address).content.decode()
    assert text.count('title="forfeited: no show"') == 1
    (ended,) = re.findall(r'id="table-1".*?</section>', text, re.DOTALL)
    assert "1 deal<" in ended and "2 deals<" in text.replace(ended, "")
    loser = table.places.get(seat=1).entrant.player.name
    assert ended.index(loser) < ended.index("no show") < len(ended)


def test_the_log_is_told_in_words_with_its_raw_lines(client: Client, ended: Tournament) -> None:
    address = reverse("tournament", args=[ended.slug])
    text = client.get(address, {"tab": "log"}).content.decode()
    for words in (
        "Created as a round robin; ties are broken by wins, direct encounter",
        "Greedy 1 entered as number 1.",
        "Started with 4 entrants.",
        "Round 1 of phase 1 was paired: table 1:",
        "is played: 1. ",
        "Phase 1 is closed with 1. ",
        "The seed was revealed",
    ):
        assert words in text
    assert text.count("&quot;prev&quot;") == ended.seq
    assert "somebody" not in text


def test_an_unknown_tournament_and_tab(client: Client, ended: Tournament) -> None:
    for path, right in (
        ("/tournaments/no-such/", "There is no tournament"),
        (f"/tournaments/{ended.slug}/?tab=cards", "tabs are standings, rounds, cross, games"),
        ("/leaderboards/chess/", "games are manipulation"),
        ("/players/01900000-0000-7000-8000-000000000000/", "There is no player"),
        ("/nowhere", "There is no page at this address"),
    ):
        response = client.get(path)
        check_page(response, 404)
        assert right in response.content.decode()


def test_a_running_tournament_asks_for_its_progress(client: Client, running: Tournament) -> None:
    for tab in TABS:
        response = client.get(reverse("tournament", args=[running.slug]), {"tab": tab})
        check_page(response)
        assert "Pause updates" in response.content.decode()
    text = client.get(reverse("tournament", args=[running.slug])).content.decode()
    assert f"{reverse('tournament-progress', args=[running.slug])}?seen=" in text
    assert "data-stream" in text and "Leading now" in text and "secret until the end" in text
    assert bytes(running.seed).hex() not in text


def test_progress_says_when_results_came_in_and_when_it_is_over(
    client: Client, running: Tournament
) -> None:
    before = client.get(reverse("tournament", args=[running.slug])).content.decode()
    address = reverse("tournament-progress", args=[running.slug])
    first = client.get(address, {"seen": "0"})
    assert first.status_code == 200 and first["HX-Trigger"] == "results"
    check_html(first.content.decode())
    seen = first.content.decode().partition("?seen=")[2].partition('"')[0]
    assert not client.get(address, {"seen": seen}).has_header("HX-Trigger")
    work()
    last = client.get(address, {"seen": seen})
    assert (last.status_code, last["HX-Trigger"]) == (286, "results")
    text = last.content.decode()
    assert "hx-get" not in text and "Finished" in text
    played = progress_shown(tournament_cards().get(pk=running.pk)).played
    for grown in (
        f'id="count-games" hx-swap-oob="true">{played}<',
        'id="pause" hx-swap-oob="true"',
    ):
        assert grown in text and grown.partition(" ")[0] in before


def test_parts_are_drawn_anew_only_when_something_grew(client: Client, running: Tournament) -> None:
    parts = [reverse("tournament-part", args=[running.slug, tab]) for tab in TABS]
    known = {}
    for part in (*parts, reverse("tournament-side", args=[running.slug])):
        first = client.get(part)
        check_html(first.content.decode())
        assert first["Cache-Control"] == "private, no-cache" and "Cookie" in first["Vary"]
        known[part] = first["ETag"]
        assert client.get(part, headers={"If-None-Match": first["ETag"]}).status_code == 304
    work()
    for part, tag in known.items():
        assert client.get(part, headers={"If-None-Match": tag}).status_code == 200
    for address in (f"{parts[0]}x/", parts[0].replace("standings", "cards")):
        assert client.get(address).status_code == 404


def test_a_cross_table_says_who_came_out_ahead(client: Client, ended: Tournament) -> None:
    phase = ended.phases.get()
    rows = cross_table(phase, list(phase.standings.select_related("entrant__player")), "ahead")
    games = [list(table.places.all()) for table in Table.objects.all()]
    for row in rows:
        for other, cell in zip(rows, row.cells, strict=True):
            met = [
                (ranks[row.entrant.pk], ranks[other.entrant.pk])
                for game in games
                if {row.entrant.pk, other.entrant.pk}
                <= (ranks := {place.entrant_id: place.rank for place in game}).keys()
            ]
            if other is row:
                assert cell is None
                continue
            assert cell is not None
            share = sum(1 if a < b else 0.5 if a == b else 0 for a, b in met) / len(met)
            assert cell.text == str(round(100 * share))
    address = reverse("tournament", args=[ended.slug])
    for by in ("ahead", "points", "score"):
        check_page(client.get(address, {"tab": "cross", "by": by}))
    one = client.get(address, {"tab": "cross", "entrant": 1})
    games_of_one = ended.entrants.get(number=1).places.count()
    text = one.content.decode()
    assert "Greedy 1, head to head" in text and games_of_one
    check_page(one)
    by_round = text.partition("Round by round")[2].partition("</table>")[0]
    for place in ended.entrants.get(number=1).places.select_related("round", "table"):
        (row,) = re.findall(rf"<tr>[^\n]*>Round {place.round.number}</a>[^\n]*</tr>", by_round)
        assert f">{place.rank} <" in row and f"of {place.table.places.count()}<" in row
        assert f"<td>{place.score}</td>" in row and f"games/{place.table.game_number}/" in row
    for query, right in (("by=x", "measures are ahead"), ("entrant=9", "There is no entrant 9")):
        response = client.get(f"{address}?tab=cross&{query}")
        check_page(response, 404)
        assert right in response.content.decode()


def test_an_entrant_is_told_its_best_and_worst_deals_and_its_rating(
    client: Client, ended: Tournament
) -> None:
    one = ended.entrants.select_related("player").get(number=1)
    address = reverse("tournament", args=[ended.slug])
    text = client.get(address, {"tab": "cross", "entrant": 1}).content.decode()
    seats = dict(one.places.values_list("table__game_id", "seat"))
    deals = {}
    for event in Event.objects.filter(type="deal_ended", game__in=seats):
        data = json.loads(event.body)["data"]
        own = data["scores"].pop(seats[event.game_id])
        link = f"{reverse('game', args=[event.game_id])}?seq={event.seq}"
        deals[link] = own - mean(data["scores"])
    for which, sign in (("Best", 1), ("Worst", -1)):
        part = text.partition(f"{which} deals</h2>")[2].partition("</table>")[0]
        rows = re.findall(r'href="(/games/[^"]+)".*?is-main">([^<]+)</td>', part)
        expected = sorted(
            (sign * value for value in deals.values() if sign * value > 0), reverse=True
        )
        assert [round(sign * deals[link], 6) for link, _ in rows] == expected[:3]
        for link, told in rows:
            assert float(told.replace("−", "-")) == pytest.approx(deals[link], abs=0.05)
            assert client.get(link).status_code == 200
    rating = Rating.objects.get(player=one.player)
    assert rating.games == len(seats), "all its games are of this tournament"
    change = f"{rating.mu - 25:+.1f}".replace("-", "−").replace(".0", "")
    assert f'Rating</abbr></dt><dd class="u-num">{change}</dd>' in text
    further = started(name="Further", rules=QUICK, entrants=FIELD, phases=[PHASE])
    work()
    assert further.entrants.get(number=1).player == one.player
    again = client.get(address, {"tab": "cross", "entrant": 1}).content.decode()
    assert f'<dd class="u-num">{change}</dd>' in again, "later games are another tournament's"


def test_statistics_count_every_deal(ended: Tournament) -> None:
    ends = [
        json.loads(body)["data"]
        for body in Event.objects.filter(type="deal_ended").values_list("body", flat=True)
    ]
    told = statistics(ended)
    assert dict(told.figures)["Deals"] == str(len(ends)) == str(told.deals)
    bounds = Event.objects.filter(type__in=("deal_started", "deal_ended"))
    seqs = list(bounds.order_by("game", "seq").values_list("seq", flat=True))
    moves = [end - start - 1 for start, end in zip(seqs[::2], seqs[1::2], strict=True)]
    assert dict(told.figures)["Moves a deal, median"] == f"{median(moves):g}"
    lengths, endings, seats = told.pictures
    assert sum(int(bar.value) for bar in lengths.bars) == len(ends)
    assert {bar.label.lower(): int(bar.value) for bar in endings.bars} == Counter(
        end["ending"] for end in ends
    )
    for seat, bar in enumerate(seats.bars):
        scores = [end["scores"][seat] for end in ends]
        assert bar.value == f"{round(sum(scores) / len(scores), 1):g}"


def test_a_median_of_two_lies_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = [DealEnd(uuid4(), 1, 9, "out", moves, (1, 0), is_undercut=False) for moves in (3, 6)]
    monkeypatch.setattr("tournaments.pages.statistics.deals_ended", lambda games: ends)
    figures = dict(statistics(started(name="Median")).figures)
    assert figures["Moves a deal, median"] == "4.5"


def test_every_rotation_of_a_table_is_a_game(client: Client) -> None:
    phase = {"format": "final", "rounds": 2, "duplicate": True, "rotate": True}
    field = [{"bot": "greedy", "count": 2}, {"bot": "random", "count": 1}]
    tournament = started(rules=QUICK | {"deals": 2}, entrants=field, phases=[phase])
    work(1)
    assert games_planned(tournament_cards().get()) == 6, "two tables of three seats"
    assert progress_shown(tournament_cards().get()).running == 1
    work()
    tournament.refresh_from_db()
    assert Game.objects.count() == 6
    figures = dict(statistics(tournament).figures)
    ends = Event.objects.filter(type="deal_ended").count()
    assert (figures["Games"], figures["Deals"]) == ("6", str(ends))
    assert progress_shown(tournament_cards().get()).played == 6
    text = client.get(reverse("tournament", args=[tournament.slug]) + "?tab=games").content.decode()
    assert {str(pk) for pk in Game.objects.values_list("pk", flat=True)} <= set(
        re.findall(r"/games/([0-9a-f-]{36})/", text)
    )
    assert "6 games" in client.get(reverse("tournaments")).content.decode()


def test_statistics_count_the_undercuts_of_gin() -> None:
    """They are an ending of their own there, and each of them began with a knock."""
    tournament = started(
        variant="gin",
        rules={"length": "deals", "deals": 8, "knock_limit": 50},
        entrants=[{"bot": "simple", "count": 2}],
        phases=[{"format": "round_robin", "table_size": 2}],
        seed=bytes(32),
    )
    work()
    bodies = Event.objects.filter(type="deal_ended").values_list("body", flat=True)
    ends = Counter(json.loads(body)["data"]["ending"] for body in bodies)
    assert ends["undercut"] and ends["knock"]
    figures = dict(statistics(tournament).figures)
    knocks = ends["knock"] + ends["undercut"]
    assert figures["Knocks"] == f"{100 * knocks / ends.total():.0f}%"
    assert figures["Knocks undercut"] == f"{100 * ends['undercut'] / knocks:.0f}%"


def test_options_of_a_format_are_told_in_words() -> None:
    options = {"table_size": 3, "rounds": 2, "short_tables": False}
    assert format_words(Phase(format="swiss", options=options)) == (
        "swiss, tables of 3, rounds 2, no short tables"
    )


def test_every_tab_has_a_title_of_its_own(client: Client, ended: Tournament) -> None:
    address = reverse("tournament", args=[ended.slug])
    texts = [client.get(address, {"tab": tab}).content.decode() for tab in TABS]
    titles = [re.findall("<title>(.*?)</title>", text)[0] for text in texts]
    assert titles[:2] == ["Small open · Meldboard", "Rounds · Small open · Meldboard"]
    assert len(set(titles)) == len(TABS)
    for path in (
        address,
        "/leaderboards/manipulation/",
        reverse("player", args=[ended.entrants.first().player_id]),
    ):
        assert 'property="og:title" content="' in client.get(path).content.decode(), path


def test_games_of_a_tournament_tell_phase_day_and_time(client: Client) -> None:
    two = [{"format": "swiss", "table_size": 2, "rounds": 1}, {"format": "final", "top": 2}]
    tournament = started(rules=QUICK, entrants=[{"bot": "random", "count": 2}], phases=two)
    work()
    text = client.get(reverse("tournament", args=[tournament.slug]) + "?tab=games").content.decode()
    rows = re.findall(
        r"Phase \d, round 1, table 1 · <time[^>]*>\d+ \w+ \d{4}, \d\d:\d\d UTC<", text
    )
    assert len(rows) == 2


def test_a_list_tells_when_a_tournament_starts_and_how_it_stands(client: Client) -> None:
    tournament = tournament_create(spec=small_spec())

    def row(**changes: object) -> str:
        Tournament.objects.filter(pk=tournament.pk).update(**changes)
        text = client.get("/tournaments/").content.decode()
        return text.partition('<ul class="c-rows">')[2].partition("</ul>")[0]

    assert "Next</span>" in row() and "start not set" in row()
    start = datetime(2027, 3, 1, 19, 0, tzinfo=UTC)
    assert "Open for entries" in (text := row(entry_open=True, starts_at=start))
    assert "starts <time" in text and "1 Mar 2027, 19:00 UTC" in text
    address = reverse("tournament", args=[tournament.slug])
    assert "Starts <time" in client.get(address).content.decode()
    begun = row(status="running", started_at=start + timedelta(minutes=1))
    assert "1 Mar 2027, 19:01 UTC" in begun and "Live</span>" in begun
    assert "Paused</span>" in row(paused=True)
    assert "Called off</span>" in row(status="ended", cancelled=True, ended_at=start)


def test_an_estimate_of_what_is_left_follows_the_pace_so_far(running: Tournament) -> None:
    """It is silent once it has passed: then something takes longer, or waits."""
    running.refresh_from_db()
    began = running.started_at
    assert began is not None
    shown = progress_shown(tournament_cards().get(pk=running.pk))
    assert shown.pace is not None and shown.pace < timedelta(minutes=1)
    early = began - timedelta(hours=1)
    Tournament.objects.update(started_at=early)
    played = Table.objects.filter(played=True)
    Game.objects.filter(table__in=played).update(over_at=early + timedelta(seconds=1))
    assert progress_shown(tournament_cards().get(pk=running.pk)).ends_near is None
    Tournament.objects.update(started_at=began)
    played = Table.objects.filter(played=True)
    Game.objects.filter(table__in=played).update(over_at=began + timedelta(minutes=10))
    shown = progress_shown(tournament_cards().get(pk=running.pk))
    left = (shown.games - shown.played) * timedelta(minutes=10) / shown.played
    assert shown.latest is not None and shown.ends_near == shown.latest + left
    assert shown.left == f"{round(left / timedelta(minutes=1))} min"


def test_a_game_leads_to_the_page_of_its_table(client: Client, ended: Tournament) -> None:
    table = Table.objects.get(round__phase__tournament=ended, round__number=1)
    at = f"/tournaments/{ended.slug}/?tab=rounds&phase=1&round=1"
    for number, address in ((25, f"{at}#table-25"), (26, f"{at}&page=2#table-26")):
        Table.objects.filter(pk=table.pk).update(number=number)
        page = check_page(client.get(reverse("game", args=[table.game_id])))
        assert address in page.links


def test_queries_do_not_grow_with_entrants_and_games(client: Client, ended: Tournament) -> None:
    counts = {}
    paths = [reverse("tournament", args=[ended.slug]) + f"?tab={tab}" for tab in TABS]
    paths += ["/", "/tournaments/", "/leaderboards/manipulation/", "/games/"]
    paths.append(reverse("player", args=[Player.objects.get(name="Greedy 1").pk]))
    for path in paths:
        with _counting() as counted:
            client.get(path)
        counts[path] = len(counted)
    bigger = started(
        name="Bigger", entrants=[{"bot": "greedy", "count": 4}, {"bot": "random", "count": 3}]
    )
    work()
    paths += [reverse("tournament", args=[bigger.slug]) + f"?tab={tab}" for tab in TABS]
    for path, tab in zip(paths[-len(TABS) :], TABS, strict=True):
        counts[path] = counts[paths[TABS.index(tab)]]
    for path in paths:
        with _counting() as counted:
            client.get(path)
        assert len(counted) <= counts[path], path
    assert max(counts.values()) <= 18, counts


def _counting() -> CaptureQueriesContext:
    return CaptureQueriesContext(connection)


def test_a_player(client: Client, ended: Tournament) -> None:
    player = Player.objects.get(name="Greedy 1")
    response = client.get(reverse("player", args=[player.pk]))
    page = check_page(response)
    text = response.content.decode()
    assert "A bot. Built in." in text and "Lays the most points at once" in text
    assert reverse("tournament", args=[ended.slug]) in page.links
    games = ended.entrants.get(player=player).places.count()
    assert f'<dt>Games</dt><dd class="u-num">{games}</dd>' in text
    person = Player.objects.create(kind=Player.Kind.PERSON, name="<i>Ann</i>")
    text = client.get(reverse("player", args=[person.pk])).content.decode()
    assert "A person." in text and "&lt;i&gt;Ann" in text and "has not played yet" in text


def test_pages_of_refusal(rf: RequestFactory) -> None:
    request = rf.get("/somewhere")
    for response, status, words in (
        (defaults.page_not_found(request, Http404()), 404, "There is no page at this address"),
        (defaults.permission_denied(request, Exception()), 403, "not open to you"),
        (defaults.server_error(request), 500, "Something went wrong here"),
    ):
        page = check_page(response, status)
        assert words in response.content.decode()
        assert "/tournaments/" in page.links


def test_a_page_that_failed_its_form_check(ended: Tournament) -> None:
    response = Client(enforce_csrf_checks=True).post(reverse("look"), {"theme": "dark"})
    check_page(response, 403)
    assert "too old or came from elsewhere" in response.content.decode()


def test_htmx_is_set_to_what_a_strict_policy_allows(client: Client) -> None:
    text = client.get("/").content.decode()
    config = json.loads(text.partition('name="htmx-config" content=\'')[2].partition("'")[0])
    assert config["allowEval"] is False and config["allowScriptTags"] is False
    assert config["includeIndicatorStyles"] is False and config["selfRequestsOnly"] is True
    assert config["historyCacheSize"] == 0
    swapped = {rule["code"] for rule in config["responseHandling"] if rule["swap"]}
    assert "(409|422)" in swapped
