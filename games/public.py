"""All that tournaments may know of games."""

from __future__ import annotations

from games.due import DueRow, attempt, claim, describe, overdue
from games.errors import ApplicationError, Conflict, NotFound
from games.log import CommandKey, Line, LogLine, append_only_sql, extend, guard_sql
from games.models import Access, Game, Player, Result, Seed, User
from games.pages.live import Version, stream
from games.pages.rows import GameRow, game_row, game_rows
from games.pages.web import (
    PAGE_SIZE,
    PRIVATE,
    STOP_POLLING,
    Crumb,
    page,
    paged,
    revalidated,
    rules_in_words,
    unusual_rules,
)
from games.selectors import (
    DealEnd,
    deals_ended,
    game_record,
    games_finished,
    games_list,
    games_sealed,
    heads_since,
    player_get,
    player_record,
)
from games.services.analysis import analysis_refold
from games.services.bots import builtin_bot
from games.services.games import (
    game_abort,
    game_create,
    game_forfeit,
    games_open_to,
    seed_create,
)
from games.services.players import player_of
from games.services.results import DealsPlayed, deals_played, result_refold
from games.templatetags.meldboard import decimal

__all__ = [
    "PAGE_SIZE",
    "PRIVATE",
    "STOP_POLLING",
    "Access",
    "ApplicationError",
    "CommandKey",
    "Conflict",
    "Crumb",
    "DealEnd",
    "DealsPlayed",
    "DueRow",
    "Game",
    "GameRow",
    "Line",
    "LogLine",
    "NotFound",
    "Player",
    "Result",
    "Seed",
    "User",
    "Version",
    "analysis_refold",
    "append_only_sql",
    "attempt",
    "builtin_bot",
    "claim",
    "deals_ended",
    "deals_played",
    "decimal",
    "describe",
    "extend",
    "game_abort",
    "game_create",
    "game_forfeit",
    "game_record",
    "game_row",
    "game_rows",
    "games_finished",
    "games_list",
    "games_open_to",
    "games_sealed",
    "guard_sql",
    "heads_since",
    "overdue",
    "page",
    "paged",
    "player_get",
    "player_of",
    "player_record",
    "result_refold",
    "revalidated",
    "rules_in_words",
    "seed_create",
    "stream",
    "unusual_rules",
]
