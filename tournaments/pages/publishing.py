"""Publishing: standings and leaderboards as CSV, JSON, Atom feed and dated snapshots; heads.

Nothing here depends on the reader, so any cache may keep it and any page may fetch it; what is
private is handed out to those let in alone, and to no cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from engine.variants import find_variant
from games.public import PRIVATE, NotFound, heads_since, page, paged
from tournaments.access import seen
from tournaments.exports import Sheet, board_sheet, sheet_csv, sheet_json, standings_sheet
from tournaments.leaderboards import Board
from tournaments.models import Event, Snapshot, Tournament
from tournaments.pages import embeds
from tournaments.pages.leaderboards import wanted
from tournaments.pages.sheets import snapshot_sheet, snapshot_sheets, table_shown
from tournaments.pages.told import told
from tournaments.selectors import phase_of, standings_of

FRESH = "public, max-age=60"
"""What caches are told of a table that changes."""
KEPT = "public, max-age=86400"
"""What caches are told of a snapshot as people read it: names in it may change."""
FOR_GOOD = "public, max-age=31536000, immutable"

NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""When a leaderboard changed that was never published; leaderboards are not created."""

FEED_ENTRIES = 30
FEED_TELLS = (
    "started",
    "phase_started",
    "round_closed",
    "phase_closed",
    "corrected",
    "withdrawn",
    "disqualified",
    "ended",
)
"""Lines of a tournament's log that its feed tells."""
FIRST_ROWS = 5
"""Rows of a snapshot that a feed tells."""

SNAPSHOTS = 12
"""Snapshots listed on one page."""

_Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Published:
    """A table that is published, and where."""

    section: str
    title: str
    home: str
    """Its page; all its other addresses begin with it."""
    embed: str
    """Its frame for other sites."""
    file: str
    """Name of its files, without the ending."""
    query: dict[str, str]
    """Filters that its addresses carry."""
    sheet: Callable[[], Sheet]
    snapshots: QuerySet[Snapshot]
    entries: Callable[[], list[_Entry]]
    """Entries of its feed, the newest first."""
    began: datetime
    """When its feed was last changed while there is no entry in it."""
    is_private: bool = False
    """Whether only those let in may have it."""


_Of = Callable[..., Published]
_Answer = Callable[..., HttpResponse]


def _leaderboard(request: HttpRequest, variant: str) -> Published:
    asked = wanted(request, variant)
    home = reverse("leaderboard", args=[asked.variant])
    title = f"Leaderboard: {find_variant(asked.variant).name}"
    taken = Snapshot.objects.filter(kind=Snapshot.Kind.LEADERBOARD, variant=asked.variant)
    return Published(
        section="leaderboards",
        title=title,
        home=home,
        embed=reverse("embed-leaderboard", args=[asked.variant]),
        file="board",
        query=asked.query,
        sheet=lambda: board_sheet(Board(asked)),
        snapshots=taken,
        entries=lambda: _snapshot_entries(title, home, list(taken[:FEED_ENTRIES])),
        began=NEVER,
    )


def _standings(request: HttpRequest, slug: str) -> Published:
    found = seen(Tournament.objects.all(), slug, request)
    number = request.GET.get("phase", "")
    phase = f", phase {phase_of(found, number).number}" if number else ""
    return Published(
        section="tournaments",
        title=f"Standings: {found.name}{phase}",
        home=reverse("tournament", args=[slug]),
        embed=reverse("embed-standings", args=[slug]),
        file="standings",
        query={"phase": number} if number else {},
        sheet=lambda: standings_sheet(found, *standings_of(found, number)),
        snapshots=Snapshot.objects.filter(kind=Snapshot.Kind.STANDINGS, tournament=found),
        entries=lambda: _log_entries(found),
        began=found.created_at,
        is_private=found.is_private,
    )


def _csv(request: HttpRequest, of: Published) -> HttpResponse:
    return _file(sheet_csv(of.sheet()), f"{of.file}.csv", FRESH)


def _json(request: HttpRequest, of: Published) -> HttpResponse:
    return _file(sheet_json(of.sheet()), f"{of.file}.json", FRESH)


class _Feed(Atom1Feed):
    """A feed that tells a time of its own, not that of the request, while it is empty."""

    def latest_post_date(self) -> datetime:
        latest: datetime = super().latest_post_date() if self.items else self.feed["began"]
        return latest


def _atom(request: HttpRequest, of: Published) -> HttpResponse:
    feed = _Feed(
        title=of.title,
        link=request.build_absolute_uri(of.home),
        description="",
        feed_url=request.build_absolute_uri(f"{of.home}feed.atom"),
        author_name="Meldboard",
        language="en",
        began=of.began,
    )
    for entry in of.entries():
        link = request.build_absolute_uri(entry.pop("path"))
        feed.add_item(link=link, unique_id=f"{link}#{entry.pop('key')}", **entry)
    return _file(feed.writeString("utf-8"), "feed.atom", FRESH)


def _publish(request: HttpRequest, of: Published) -> HttpResponse:
    """Show every way to take a table elsewhere, with a frame to be tried out."""
    look = embeds.Look.read(request.GET)
    query = urlencode(of.query)
    frame = f"{of.embed}?{urlencode(of.query | look.query)}"
    shown = paged(request, of.snapshots.defer("body"), SNAPSHOTS)
    return render(
        request,
        "tournaments/publish.html",
        {
            "of": of,
            "section": of.section,
            "suffix": f"?{query}" if query else "",
            "look": look,
            "themes": embeds.THEMES,
            "columns": embeds.COLUMNS,
            "most": embeds.MAX_ROWS,
            "frame": frame.rstrip("?"),
            "address": request.build_absolute_uri(frame.rstrip("?")),
            "page": shown,
        },
    )


def _snapshot(request: HttpRequest, of: Published, label: str) -> HttpResponse:
    snapshot = _labelled(of.snapshots, label)
    sheet = snapshot_sheet(snapshot)
    context = {
        "of": of,
        "section": of.section,
        "snapshot": snapshot,
        "facts": sheet.facts,
        "table": table_shown(sheet),
    }
    return render(request, "tournaments/snapshot.html", context)


def _snapshot_csv(request: HttpRequest, of: Published, label: str) -> HttpResponse:
    sheet = snapshot_sheet(_labelled(of.snapshots, label))
    return _file(sheet_csv(sheet), f"{of.file}-{label}.csv", KEPT)


def _snapshot_json(request: HttpRequest, of: Published, label: str) -> HttpResponse:
    return _file(_labelled(of.snapshots, label).body, f"{of.file}-{label}.json", FOR_GOOD)


@require_safe
@page
def heads(request: HttpRequest) -> HttpResponse:
    """Show the nightly lists of heads."""
    shown = paged(request, _head_lists().defer("body"))
    return render(request, "tournaments/heads.html", {"page": shown})


@require_safe
@page
def heads_text(request: HttpRequest) -> HttpResponse:
    """Answer with a line for each sealed game: its id and its head."""
    return _file(heads_lines(), "heads.txt", FRESH)


@require_safe
@page
def heads_list(request: HttpRequest, label: str) -> HttpResponse:
    """Answer with one list of heads, byte for byte as its digest has it."""
    return _file(_labelled(_head_lists(), label).body, f"heads-{label}.json", FOR_GOOD)


def heads_lines() -> str:
    """Return a line for each sealed game: its id and its head."""
    return "".join(f"{game} {head}\n" for game, head in heads_since(None))


def _head_lists() -> QuerySet[Snapshot]:
    return Snapshot.objects.filter(kind=Snapshot.Kind.HEADS)


def _labelled(snapshots: QuerySet[Snapshot], label: str) -> Snapshot:
    snapshot = snapshots.filter(label=label).first()
    if snapshot is None:
        raise NotFound(f"there is no snapshot {label!r} of this")
    return snapshot


def _snapshot_entries(title: str, home: str, snapshots: Sequence[Snapshot]) -> list[_Entry]:
    sheets = snapshot_sheets(snapshots)
    tables = (table_shown(sheet, narrow=True, rows=FIRST_ROWS) for sheet in sheets)
    return [
        {
            "key": snapshot.sha256,
            "path": f"{home}snapshots/{snapshot.label}/",
            "title": f"{title}, {snapshot.label}",
            "description": "; ".join(", ".join(cells) for _, cells in table.rows),
            "pubdate": snapshot.taken_at,
            "updateddate": snapshot.taken_at,
        }
        for snapshot, table in zip(snapshots, tables, strict=True)
    ]


def _log_entries(tournament: Tournament) -> list[_Entry]:
    lines = Event.objects.filter(tournament=tournament, type__in=FEED_TELLS).order_by("-seq")
    home = reverse("tournament", args=[tournament.slug])
    return [
        {
            "key": line.seq,
            "path": home,
            "title": line.words,
            "description": "",
            "pubdate": line.at,
            "updateddate": line.at,
        }
        for line in told(lines[:FEED_ENTRIES])
    ]


TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "atom": "application/atom+xml; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


def _file(text: str, name: str, cache: str) -> HttpResponse:
    """Return a file that any site may fetch."""
    response = HttpResponse(text, content_type=TYPES[name.rpartition(".")[2]])
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = cache
    if name.endswith("csv"):
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _view(answer: _Answer, of: _Of) -> Callable[..., HttpResponseBase]:
    @require_safe
    @page
    def view(request: HttpRequest, /, label: str = "", **which: Any) -> HttpResponse:
        published = of(request, **which)
        response = answer(request, published, label) if label else answer(request, published)
        if published.is_private:
            response["Cache-Control"] = PRIVATE
            del response["Access-Control-Allow-Origin"]
        return response

    return view


def _paths(base: str, name: str, file: str, of: _Of) -> list[URLPattern]:
    answers: dict[str, tuple[str, _Answer]] = {
        f"{file}.csv": ("csv", _csv),
        f"{file}.json": ("json", _json),
        "feed.atom": ("atom", _atom),
        "publish/": ("publish", _publish),
        "snapshots/<str:label>/": ("snapshot", _snapshot),
        f"snapshots/<str:label>/{file}.csv": ("snapshot-csv", _snapshot_csv),
        f"snapshots/<str:label>/{file}.json": ("snapshot-json", _snapshot_json),
    }
    return [
        path(f"{base}{rest}", _view(answer, of), name=f"{name}-{kind}")
        for rest, (kind, answer) in answers.items()
    ]


urlpatterns = [
    *_paths("leaderboards/<slug:variant>/", "leaderboard", "board", _leaderboard),
    *_paths("tournaments/<slug:slug>/", "standings", "standings", _standings),
    path("heads/", heads, name="heads"),
    path("heads.txt", heads_text, name="heads-text"),
    path("heads/<str:label>.json", heads_list, name="heads-list"),
]
