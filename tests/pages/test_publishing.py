"""Publishing: files that spreadsheets and programs read, feeds, frames, snapshots, heads."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse
from django.utils import timezone

from games.models import Game, Player
from tests.pages.checks import check_html, check_page
from tests.tournaments.boards import VARIANT, players, stored_games
from tests.tournaments.running import small_spec, started, work
from tournaments.exports import sheet_csv
from tournaments.models import Entrant, Snapshot, Standing, Strength, Tournament
from tournaments.services.refits import leaderboard_refit
from tournaments.services.snapshots import snapshots_take
from tournaments.services.tournaments import tournament_create

BOARD = f"/leaderboards/{VARIANT}/"
ATOM = "{http://www.w3.org/2005/Atom}"

pytestmark = pytest.mark.django_db


def read_csv(response) -> list[dict[str, str]]:
    text = response.content.decode()
    assert text.startswith("\ufeff") and response["Content-Type"] == "text/csv; charset=utf-8"
    assert "\r\n" in text
    for line in text[1:].splitlines():
        assert line.startswith('"') and line.endswith('"')
    return list(csv.DictReader(StringIO(text[1:])))


def is_open(response) -> bool:
    """Whether any site may fetch an answer and nothing of the reader is in it."""
    return (
        response.status_code == 200
        and response["Access-Control-Allow-Origin"] == "*"
        and "public" in response["Cache-Control"]
        and "Cookie" not in response.get("Vary", "")
        and not response.cookies
    )


def test_a_leaderboard_as_csv_and_json(client: Client, ended: Tournament) -> None:
    as_csv, as_json = client.get(f"{BOARD}board.csv"), client.get(f"{BOARD}board.json")
    assert is_open(as_csv) and is_open(as_json)
    rows, sheet = read_csv(as_csv), as_json.json()
    assert sheet["leaderboard"] == VARIANT and sheet["games"] == Game.objects.count()
    assert [row["name"] for row in rows] == [row["name"] for row in sheet["rows"]]
    assert list(rows[0]) == list(sheet["rows"][0])
    for text, row in zip(rows, sheet["rows"], strict=True):
        assert text["rank_best"] == str(row["rank_best"]), "no range that looks like a day"
        assert text["provisional"] == "yes" and row["provisional"] is True
        assert Player.objects.get(pk=row["player"]).name == row["name"]
    assert client.get(f"{BOARD}board.json?kind=person").json()["rows"] == []
    filtered = client.get(f"{BOARD}board.json?min_games=1&kind=bot").json()
    assert filtered["filters"] == {"min_games": "1", "kind": "bot"}
    check_page(client.get(f"{BOARD}board.csv?seats=8"), 404)


def test_every_phase_can_be_published(client: Client) -> None:
    phases = [{"format": "swiss", "table_size": 3, "rounds": 1}, {"format": "final", "top": 3}]
    of = started(phases=phases)
    work()
    at = reverse("tournament", args=[of.slug])
    for query, phase, rows in (("", 2, 3), ("?phase=2", 2, 3), ("?phase=1", 1, 5)):
        sheet = client.get(f"{at}standings.json{query}").json()
        assert (sheet["phase"], sheet["closed"], len(sheet["rows"])) == (phase, True, rows)
        assert len(read_csv(client.get(f"{at}standings.csv{query}"))) == rows
        frame = client.get(f"/embed{at}{query}").content.decode()
        check_html(frame)
        assert frame.count("<tr>") == rows + 1 and f'{at}{query}"' in frame
        check_page(client.get(f"{at}publish/{query}"))
    for name in ("standings.csv", "publish/"):
        assert "phases are 1 to 2" in client.get(f"{at}{name}?phase=3").content.decode()
    tab = client.get(f"{at}?phase=1").content.decode()
    for name in ("publish/", "standings.csv", "standings.json"):
        assert f'href="{at}{name}?phase=1"' in tab
        assert f'href="{at}{name}"' in client.get(at).content.decode()


def test_standings_as_csv_and_json(client: Client, ended: Tournament) -> None:
    address = reverse("tournament", args=[ended.slug])
    as_csv, as_json = client.get(f"{address}standings.csv"), client.get(f"{address}standings.json")
    assert is_open(as_csv) and is_open(as_json)
    rows, sheet = read_csv(as_csv), as_json.json()
    assert (sheet["tournament"], sheet["closed"], sheet["phase"]) == (ended.slug, True, 1)
    stored = list(Standing.objects.order_by("order"))
    assert [row["points"] for row in sheet["rows"]] == [row.points for row in stored]
    assert all("/" not in value for row in rows for value in row.values()), "no thirds as days"
    assert {"wins", "direct", "score_share", "lot"} <= set(rows[0])
    for row, text in zip(stored, rows, strict=True):
        assert float(text["average"]) == pytest.approx(float(Fraction(row.average)), abs=1e-6)


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@x", "\tx", '"=x",y', "Zoë ♥, \"the\" 'best'"]
)
def test_no_name_is_a_formula_or_breaks_a_row(client: Client, ended: Tournament, name: str) -> None:
    player = Entrant.objects.order_by("pk")[0].player
    Player.objects.filter(pk=player.pk).update(name=name)
    for address in (f"{BOARD}board.csv", f"/tournaments/{ended.slug}/standings.csv"):
        (row,) = (row for row in read_csv(client.get(address)) if row["player"] == str(player.pk))
        assert row["name"] == (f"'{name}" if name[0] in "=+-@\t" else name)
        assert row["name"][0] not in "=+-@\t\r"


def test_feeds(client: Client, ended: Tournament) -> None:
    empty = ElementTree.fromstring(client.get(f"{BOARD}feed.atom").content)  # noqa: S314
    assert empty.findall(f"{ATOM}entry") == []
    snapshots_take()
    board, standings = (
        client.get(f"{BOARD}feed.atom"),
        client.get(f"/tournaments/{ended.slug}/feed.atom"),
    )
    for response in (board, standings):
        assert is_open(response) and response["Content-Type"].startswith("application/atom+xml")
    (entry,) = ElementTree.fromstring(board.content).findall(f"{ATOM}entry")  # noqa: S314
    label = Snapshot.objects.get(kind="leaderboard").label
    link = entry.find(f"{ATOM}link").get("href")
    assert link == f"http://testserver{BOARD}snapshots/{label}/"
    assert "Greedy" in entry.find(f"{ATOM}summary").text
    feed = ElementTree.fromstring(standings.content)  # noqa: S314
    told = [entry.find(f"{ATOM}title").text for entry in feed.findall(f"{ATOM}entry")]
    assert "ended" in told[0].lower() and any("Phase 1" in words for words in told)
    ids = [entry.find(f"{ATOM}id").text for entry in feed.findall(f"{ATOM}entry")]
    assert len(ids) == len(set(ids)) > 3


def test_a_feed_without_entries_does_not_change(client: Client) -> None:
    """Readers of feeds would take each new time for news."""
    of = tournament_create(spec=small_spec(name="Fresh"))
    home = reverse("tournament", args=[of.slug])
    for path, time in ((home, of.created_at), (BOARD, datetime(1970, 1, 1, tzinfo=UTC))):
        feed = ElementTree.fromstring(client.get(f"{path}feed.atom").content)  # noqa: S314
        assert feed.findall(f"{ATOM}entry") == []
        assert datetime.fromisoformat(feed.find(f"{ATOM}updated").text) == time


def test_only_frames_may_be_framed_and_they_set_no_cookies(
    client: Client, ended: Tournament
) -> None:
    snapshots_take()
    label = Snapshot.objects.get(kind="leaderboard").label
    frames = [f"/embed/leaderboards/{VARIANT}/", f"/embed/tournaments/{ended.slug}/"]
    frames += [f"{frames[0]}?seats=9", "/embed/leaderboards/whist/", "/embed/tournaments/none/"]
    for address in frames:
        response = client.get(address)
        assert response.status_code in (200, 404)
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert not response.has_header("X-Frame-Options")
        assert not response.cookies and "Cookie" not in response.get("Vary", "")
        assert response["Cache-Control"] == "public, max-age=60"
        page = check_html(response.content.decode())
        assert not any(link.startswith("/") for link in page.links), "all lead to the site itself"
        assert "<script" not in response.content.decode()
    others = ["/", BOARD, f"{BOARD}publish/", f"{BOARD}board.csv", f"{BOARD}snapshots/{label}/"]
    others += ["/heads/", f"/tournaments/{ended.slug}/", "/embed/", "/nowhere/"]
    for address in others:
        response = client.get(address)
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"
    embedded = [str(p.pattern) for p in get_resolver().url_patterns[-1].url_patterns]
    assert {p.partition("<")[0] for p in embedded if p.startswith("embed")} == {
        "embed/leaderboards/",
        "embed/tournaments/",
    }


def test_what_a_frame_shows(client: Client, ended: Tournament) -> None:
    frame = client.get(f"/embed/leaderboards/{VARIANT}/?rows=2&theme=dark").content.decode()
    assert 'data-theme="dark"' in frame and frame.count("<tr>") == 3
    assert f'href="http://testserver{BOARD}"' in frame
    for query in ("rows=0", "rows=9999999", "rows=x", "theme=pink"):
        usual = client.get(f"/embed/leaderboards/{VARIANT}/?{query}").content.decode()
        assert 'data-theme="auto"' in usual and usual.count("<tr>") == 5
    low, high = Strength.objects.values_list("low", "high").order_by("-strength")[0]
    assert f"±{(high - low) / 2:.0f}</td>" in frame and '<abbr title="?: provisional' in frame
    assert ">Wins</th>" not in frame
    assert (
        ">Wins</th>" in client.get(f"/embed/leaderboards/{VARIANT}/?columns=all").content.decode()
    )
    standings = client.get(f"/embed/tournaments/{ended.slug}/").content.decode()
    assert ended.name in standings and standings.count("<tr>") == 5
    fresh = started(name="Fresh")
    assert check_html(client.get(f"/embed/tournaments/{fresh.slug}/").content.decode())
    assert (
        "seats must be"
        in client.get(f"/embed/leaderboards/{VARIANT}/?seats=9").content.decode().lower()
    )


def test_the_page_that_builds_frames(client: Client, ended: Tournament) -> None:
    response = client.get(f"{BOARD}publish/?kind=bot&rows=7&theme=light&sort=won&columns=all")
    page, text = check_page(response), response.content.decode()
    query = "kind=bot&amp;sort=won&amp;theme=light&amp;columns=all&amp;rows=7"
    assert f'src="/embed/leaderboards/{VARIANT}/?{query}"' in text
    assert f"&lt;iframe src=&quot;http://testserver/embed/leaderboards/{VARIANT}/?{query}" in (
        text.replace('"http', "&quot;http")
    )
    assert f"{BOARD}board.csv?kind=bot&sort=won" in page.links
    assert "No snapshot yet" in text
    snapshots_take()
    for address in (f"{BOARD}publish/", f"/tournaments/{ended.slug}/publish/"):
        response = client.get(address)
        page = check_page(response)
        snapshots = [link for link in page.links if "/snapshots/" in link]
        assert len(snapshots) == 1
        for link in page.links:
            assert client.get(link).status_code in (200, 302), link


def test_snapshots_are_dated_linked_and_never_changed(client: Client, ended: Tournament) -> None:
    taken = snapshots_take()
    assert {snapshot.kind for snapshot in taken} == {"leaderboard", "standings", "heads"}
    today = f"{timezone.now():%Y-%m-%d}"
    for snapshot in taken:
        assert (
            snapshot.label == today
            and snapshot.sha256 == sha256(snapshot.body.encode()).hexdigest()
        )
    assert snapshots_take() == [], "nothing new, no snapshot"
    address = f"{BOARD}snapshots/{today}/"
    before = client.get(f"{address}board.json")
    assert is_open(before) and "immutable" in before["Cache-Control"]
    assert sha256(before.content).hexdigest() == Snapshot.objects.get(kind="leaderboard").sha256
    page = client.get(address)
    check_page(page)
    assert sha256(before.content).hexdigest() in page.content.decode()

    newcomers = players(2)
    stored_games([(newcomers, [2, 1])], name="Later")
    leaderboard_refit(variant=VARIANT)
    (second,) = (each for each in snapshots_take() if each.kind == "leaderboard")
    assert second.label == f"{today}-2"
    assert client.get(f"{address}board.json").content == before.content
    names = {row["name"] for row in read_csv(client.get(f"{address}board.csv"))}
    assert names.isdisjoint(player.name for player in newcomers)
    assert newcomers[0].name in client.get(f"{BOARD}snapshots/{today}-2/").content.decode()
    check_page(client.get(f"{BOARD}snapshots/2001-01-01/"), 404)
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
    for change in (
        "UPDATE tournaments_snapshot SET body = 'x'",
        "DELETE FROM tournaments_snapshot",
        "TRUNCATE tournaments_snapshot",
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            connection.cursor().execute(change)


def test_a_snapshot_holds_no_name(client: Client, ended: Tournament) -> None:
    """A name that is taken back is gone from every page and file; digests still hold."""
    snapshots_take()
    player = Entrant.objects.order_by("pk")[0].player
    kept = Snapshot.objects.get(kind="leaderboard")
    assert player.name not in kept.body and str(player.pk) in kept.body
    Player.objects.filter(pk=player.pk).update(name="Somebody 1")
    address = f"{BOARD}snapshots/{kept.label}/"
    for path in (address, f"{address}board.csv", f"{address}board.json"):
        assert player.name not in client.get(path).content.decode()
    assert "Somebody 1" in client.get(address).content.decode()


def test_heads_of_games_are_listed_night_by_night(client: Client, ended: Tournament) -> None:
    check_page(client.get("/heads/"))
    snapshots_take()
    first = Snapshot.objects.get(kind="heads")
    listed = json.loads(first.body)
    sealed = {str(game.pk): game.head for game in Game.objects.filter(status="sealed")}
    assert dict(listed["heads"]) == sealed and listed["before"] is None
    text = client.get("/heads.txt")
    assert is_open(text)
    assert text.content.decode() == "".join(f"{g} {sealed[g]}\n" for g in sorted(sealed))
    later = started(name="Later")
    running = later.phases.get()
    work()
    snapshots_take()
    second = Snapshot.objects.filter(kind="heads").first()
    listed = json.loads(second.body)
    new = {str(table.game_id) for round_ in running.rounds.all() for table in round_.tables.all()}
    assert {game for game, _ in listed["heads"]} == new
    assert listed["before"] == first.sha256 and second.label == f"{first.label}-2"
    page = check_page(client.get("/heads/"))
    assert f"/heads/{second.label}.json" in page.links
    assert client.get(f"/heads/{first.label}.json").content == first.body.encode()
    check_page(client.get("/heads/2001-01-01.json"), 404)


def test_queries_of_files_do_not_grow(client: Client, ended: Tournament) -> None:
    def counts() -> list[int]:
        found = []
        for address in (f"{BOARD}board.csv", f"/tournaments/{small}/standings.json"):
            with CaptureQueriesContext(connection) as counted:
                client.get(address)
            found.append(len(counted))
        return found

    small = ended.slug
    few = counts()
    field = players(30)
    stored_games([(field[n : n + 3], [3, 2, 1]) for n in range(28)], name="More")
    leaderboard_refit(variant=VARIANT)
    assert counts() == few and max(few) <= 5


def test_cells() -> None:
    from tournaments.exports import Sheet

    rows = [{"a": None, "b": True, "c": "2/3 1/2", "d": -3, "e": "-3", "f": 1.5}]
    sheet = Sheet({}, ("a", "b", "c", "d", "e", "f"), rows, frozenset({"c"}))
    line = sheet_csv(sheet).splitlines()[1]
    assert line == '"","yes","0.666667 0.5","-3","\'-3","1.5"'
    assert re.fullmatch(r'("[^"]*",?)+', line)
