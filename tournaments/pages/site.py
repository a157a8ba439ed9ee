"""A static site of all that can be published: it opens from the file system and asks no server.

Standings, leaderboards and their snapshots, every sealed game's record, the heads' list, the
tournaments' logs, and the verifier that checks them with nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from engine.errors import BadInput
from engine.variants import VARIANTS
from games.public import game_record, games_sealed
from tournaments.exports import Sheet, board_sheet, sheet_csv, sheet_json, standings_sheet
from tournaments.leaderboards import Board, Wanted
from tournaments.models import Snapshot, Tournament
from tournaments.pages.publishing import heads_lines
from tournaments.pages.sheets import table_shown
from tournaments.pages.tables import tables_as_shown
from tournaments.selectors import standings_of, tables_played, tournament_cards

MARK = "site.txt"
"""File by which a folder is known to be a site of ours."""

COPIED = ("static/app.css", "docs/RULES.md", "examples/verify_record.py")
"""Files of ours that a site holds as they are."""


def site_write(out: Path) -> Iterator[Path]:
    """Write the site to a folder, or bring the site there up to date; yield each file once written.

    Each file is written whole or not at all, the index last; a record that is there is kept, since
    it never changes.

    :raises BadInput: for a folder that holds something else.
    """
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MARK).exists())):
        raise BadInput(f"{out} holds something that is no site of ours; name a new folder")
    yield _write(out / MARK, "A site made by manage.py publish, which may write here again.\n")
    yield from _copies(out)
    yield from _records(out)
    yield from _heads(out)
    boards = [board for variant in VARIANTS if (board := Board(Wanted(variant.key))).refit]
    for board in boards:
        yield from _leaderboard(out, board)
    tournaments = list(tournament_cards())
    for tournament in tournaments:
        yield from _tournament(out, tournament)
    yield _page(out, "verify.html", "site/verify.html", {})
    context = {"boards": [board.refit for board in boards], "tournaments": tournaments}
    yield _page(out, "index.html", "site/index.html", context | {"made": timezone.now()})


def _copies(out: Path) -> Iterator[Path]:
    for pattern in COPIED:
        for source in sorted(settings.ROOT.glob(pattern)):
            yield _write(out / source.name, source.read_text())


def _records(out: Path) -> Iterator[Path]:
    for game in games_sealed().iterator(chunk_size=200):
        path = out / "records" / f"{game.pk}.jsonl"
        yield path if path.exists() else _write(path, game_record(game))


def _heads(out: Path) -> Iterator[Path]:
    yield _write(out / "heads.txt", heads_lines())
    yield from _snapshots(out / "heads", Snapshot.objects.filter(kind=Snapshot.Kind.HEADS))


def _leaderboard(out: Path, board: Board) -> Iterator[Path]:
    name = f"leaderboards/{board.wanted.variant}"
    sheet = board_sheet(board)
    yield from _sheet(out, name, sheet)
    kept = Snapshot.objects.filter(kind=Snapshot.Kind.LEADERBOARD, variant=board.wanted.variant)
    yield from _snapshots(out / name, kept)
    yield _page(
        out,
        f"{name}.html",
        "site/leaderboard.html",
        {"refit": board.refit, "table": table_shown(sheet), "snapshots": kept.defer("body")},
    )


def _tournament(out: Path, tournament: Tournament) -> Iterator[Path]:
    name = f"tournaments/{tournament.slug}"
    phase, rows = standings_of(tournament)
    sheet = standings_sheet(tournament, phase, rows)
    yield from _sheet(out, name, sheet)
    earlier = []
    for before in tournament.phases.filter(number__lt=phase.number):
        of = standings_sheet(tournament, *standings_of(tournament, str(before.number)))
        yield from _sheet(out, f"{name}.phase-{before.number}", of)
        earlier.append((str(before.number), table_shown(of)))
    lines = tournament.events.order_by("seq").values_list("body", flat=True)
    yield _write(out / f"{name}.log.jsonl", "".join(f"{line}\n" for line in lines))
    kept = tournament.snapshots.all()
    yield from _snapshots(out / name, kept)
    yield _page(
        out,
        f"{name}.html",
        "site/tournament.html",
        {
            "tournament": tournament,
            "table": table_shown(sheet),
            "earlier": earlier,
            "games": tables_as_shown(tables_played(tournament)),
            "snapshots": kept.defer("body"),
        },
    )


def _sheet(out: Path, name: str, sheet: Sheet) -> Iterator[Path]:
    yield _write(out / f"{name}.csv", sheet_csv(sheet))
    yield _write(out / f"{name}.json", sheet_json(sheet))


def _snapshots(folder: Path, snapshots: Any) -> Iterator[Path]:
    for snapshot in snapshots.iterator():
        path = folder / f"{snapshot.label}.json"
        yield path if path.exists() else _write(path, snapshot.body)


def _page(out: Path, name: str, template: str, context: dict[str, Any]) -> Path:
    root = "../" * name.count("/")
    return _write(out / name, render_to_string(template, {"root": root, **context}))


def _write(path: Path, text: str) -> Path:
    """Write a file whole: somebody who reads it meanwhile sees the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="")
    os.replace(part, path)
    return path
