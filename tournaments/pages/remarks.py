"""What organisers made of games after they were played, told wherever a game is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.dispatch import receiver

from engine.record import loads
from games.public import Game, Remark
from games.signals import game_remarks
from tournaments.models import ON_GAMES, Rotation
from tournaments.pages.told import Told, told
from tournaments.selectors import acts_on

WORDS = {kind: kind.replace("_", "-") for kind in ON_GAMES}
"""By the type of a line of a log, what it makes of a game."""


@receiver(game_remarks, sender=Game)
def tournament_remarks(sender: type[Game], games: Sequence[Game], **kw: Any) -> dict[UUID, Remark]:
    """Return what organisers of tournaments made of games.

    All rotations of a table follow what was made of it; the scores are those of all together.
    """
    first = {game.pk: game.pk for game in games if game.circle}
    turned = dict[UUID, UUID]()
    if boards := [game.pk for game in games if game.shared_seed]:
        rows = Rotation.objects.filter(Q(game__in=boards) | Q(table__game__in=boards))
        turned = dict(rows.values_list("game", "table__game"))
        first |= {game: table for game, table in turned.items() if game in first}
    found = remarks(first.values()) if first else {}
    for table in found.keys() & set(turned.values()):
        found[table] = replace(found[table], totals=None, ranks=None)
    return {game: found[table] for game, table in first.items() if table in found}


def remarks(games: Iterable[UUID]) -> dict[UUID, Remark]:
    """Return what organisers made of the games that tables count by; the latest of each."""
    return {UUID(line.game): _remark(line) for line in told(acts_on(games)) if line.game}


def _remark(line: Told) -> Remark:
    said = loads(line.raw)
    if said["type"] != "corrected":
        return Remark(WORDS[said["type"]], line.words)
    totals, ranks = (tuple(said["data"][name]) for name in ("totals", "ranks"))
    return Remark(WORDS[said["type"]], line.words, totals, ranks)
