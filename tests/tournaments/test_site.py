"""The static site: whole, without a server, true, and careful with folders of others."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from django.core.management import CommandError, call_command

from games import tasks as game_tasks
from games.models import Game
from tests.pages.checks import check_html
from tests.tournaments.boards import VARIANT
from tests.tournaments.running import started, work
from tournaments import tasks
from tournaments.models import Snapshot, Tournament
from tournaments.services.snapshots import snapshots_take

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)


@pytest.fixture
def ended() -> Tournament:
    phases = [{"format": "round_robin", "table_size": 3}, {"format": "final", "top": 2}]
    tournament = started(name="Spring <open>", phases=phases)
    work()
    snapshots_take()
    tournament.refresh_from_db()
    return tournament


def publish(out: Path) -> str:
    said = StringIO()
    call_command("publish", out=out, stdout=said)
    return said.getvalue()


class Links(HTMLParser):
    """Everything that a page refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in ("href", "src") and value}


def test_every_link_leads_to_a_file_of_the_site(tmp_path: Path, ended: Tournament) -> None:
    out = tmp_path / "site"
    assert f"begin with {out / 'index.html'}" in publish(out)
    reached, todo = set(), [out / "index.html"]
    while todo:
        page = todo.pop()
        if page in reached:
            continue
        reached.add(page)
        if page.suffix != ".html":
            continue
        text = page.read_text()
        check_html(text)
        for link in Links(text).found:
            parts = urlparse(urldefrag(link).url)
            assert not parts.scheme and not parts.netloc and not link.startswith("/"), link
            target = (page.parent / unquote(parts.path)).resolve()
            assert target.is_file() and target.is_relative_to(out.resolve()), (page, link)
            todo.append(target)
    first = out / "tournaments" / f"{ended.slug}.phase-1.json"
    assert first in reached and json.loads(first.read_text())["phase"] == 1
    files = {path for path in out.rglob("*") if path.is_file()}
    unseen = {str(path.relative_to(out)) for path in files - {p.resolve() for p in reached}}
    assert unseen == {"site.txt", f"heads/{Snapshot.objects.get(kind='heads').label}.json"}
    index = (out / "index.html").read_text()
    assert "Spring &lt;open&gt;" in index and "Manipulation" in index


def test_what_lies_there_is_what_the_server_has(tmp_path: Path, ended: Tournament) -> None:
    publish(tmp_path)
    board = json.loads((tmp_path / f"leaderboards/{VARIANT}.json").read_text())
    assert len(board["rows"]) == 5
    assert (tmp_path / f"leaderboards/{VARIANT}.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    log = (tmp_path / f"tournaments/{ended.slug}.log.jsonl").read_text().splitlines()
    assert sha256(log[-1].encode()).hexdigest() == ended.head
    for snapshot in Snapshot.objects.all():
        of = {
            "leaderboard": f"leaderboards/{VARIANT}",
            "standings": f"tournaments/{ended.slug}",
            "heads": "heads",
        }[snapshot.kind]
        body = (tmp_path / of / f"{snapshot.label}.json").read_bytes()
        assert sha256(body).hexdigest() == snapshot.sha256
    page = (tmp_path / f"tournaments/{ended.slug}.html").read_text()
    assert page.count("/records/") == Game.objects.count()


def test_the_site_is_verified_by_what_lies_in_it(tmp_path: Path, ended: Tournament) -> None:
    """As its page says, with the standard library alone; and a record that is another is found."""
    publish(tmp_path)
    command = [sys.executable, "-S", "-E", "-B", "verify_record.py", "records"]
    command += ["--heads", "heads.txt"]
    assert " ".join(command[4:]) in (tmp_path / "verify.html").read_text()

    def verified() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = verified()
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(": ok, ") == Game.objects.count() > 3
    one, other = sorted((tmp_path / "records").iterdir())[:2]
    text = other.read_text()
    other.write_text(text.replace('"knock":false', '"knock":true', 1))
    done = verified()
    assert done.returncode == 1 and f"{other.relative_to(tmp_path)}: line " in done.stdout
    # A whole other game in its place is well formed; only the list of heads tells.
    other.write_text(text)
    heads = (tmp_path / "heads.txt").read_text()
    (tmp_path / "heads.txt").write_text(
        heads.replace(json.loads(text.splitlines()[-1])["head"], "0" * 64)
    )
    assert "this is not the head in the list" in verified().stdout
    assert one.name in verified().stdout


def test_again_it_is_brought_up_to_date(tmp_path: Path, ended: Tournament) -> None:
    publish(tmp_path)
    record = next((tmp_path / "records").iterdir())
    before = record.stat().st_mtime_ns
    started(name="Later")
    work()
    publish(tmp_path)
    assert record.stat().st_mtime_ns == before
    assert len(list((tmp_path / "records").iterdir())) == Game.objects.count()
    assert "Later" in (tmp_path / "index.html").read_text()
    assert not list(tmp_path.rglob("*.part"))


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(CommandError, match="no site of ours; name a new folder"):
        publish(tmp_path)
    with pytest.raises(CommandError, match="no site of ours"):
        publish(tmp_path / "thesis.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_empty_house(tmp_path: Path) -> None:
    publish(tmp_path)
    index = (tmp_path / "index.html").read_text()
    assert "Nobody is ranked yet" in index and "There was no tournament yet" in index
    assert (tmp_path / "heads.txt").read_text() == ""


def test_nothing_of_a_running_game_is_published(tmp_path: Path) -> None:
    tournament = started(name="Running")
    work(1)
    running = Game.objects.filter(status=Game.Status.RUNNING)
    assert running.exists()
    publish(tmp_path)
    texts = "".join(path.read_text() for path in tmp_path.rglob("*.html"))
    for game in running:
        assert f"{game.pk}.jsonl" not in texts
        assert not (tmp_path / "records" / f"{game.pk}.jsonl").exists()
    seed = bytes(tournament.seed).hex()
    assert all(seed not in path.read_text() for path in tmp_path.rglob("*") if path.is_file())
