"""All that tournaments may know of games."""

from __future__ import annotations

from games.due import DueRow, attempt, claim, describe, overdue
from games.errors import ApplicationError, Conflict, NotFound
from games.log import CommandKey, Line, LogLine, extend, guard_sql
from games.models import Game, Player, Result
from games.services.bots import builtin_bot
from games.services.games import game_create
from games.services.results import result_refold

__all__ = [
    "ApplicationError",
    "CommandKey",
    "Conflict",
    "DueRow",
    "Game",
    "Line",
    "LogLine",
    "NotFound",
    "Player",
    "Result",
    "attempt",
    "builtin_bot",
    "claim",
    "describe",
    "extend",
    "game_create",
    "guard_sql",
    "overdue",
    "result_refold",
]
