"""What became of games afterwards: told beside what was played, which never changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.models import Game
from games.signals import game_remarks


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody made of a game that was played, such as a correction of its result."""

    word: str
    """What it is, in a word: ``corrected``, ``voided``, ``averaged`` or ``no-show``."""
    text: str
    """The whole of it in a sentence: what counts now, and why."""
    totals: tuple[int, ...] | None = None
    """The scores by seat that count instead of those played; None where that is not so."""
    ranks: tuple[int, ...] | None = None
    """The places by seat that go with them."""


def remarks_of(games: Iterable[Game]) -> dict[UUID, Remark]:
    """Return what is to be told of some games by their ids; those as they were played are left out.

    As many queries for many games as for one.
    """
    asked = list(games)
    answers: list[tuple[Any, Any]] = game_remarks.send(Game, games=asked) if asked else []
    return {pk: remark for _, found in answers for pk, remark in found.items()}
