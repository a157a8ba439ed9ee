"""All that tournaments may know of games."""

from __future__ import annotations

from games.due import DueRow, attempt, claim, describe, overdue
from games.errors import ApplicationError, Conflict, NotFound
from games.log import CommandKey, Line, LogLine, append_only_sql, extend, guard_sql
from games.models import Access, Game, Player, Result, Seed, User
from games.pages.chart import BandChart, Estimate, band_chart
from games.pages.filters import Filters, filter_form, filtered, filters
from games.pages.live import Version, stream
from games.pages.rows import GameRow, game_row, game_rows
from games.pages.stage import last_stage
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
from games.remarks import Remark, remarks_of
from games.selectors import (
    DealEnd,
    Opponent,
    deals_ended,
    game_on_show,
    game_record,
    games_finished,
    games_forfeited,
    games_list,
    games_sealed,
    games_timed,
    heads_since,
    opponents,
    player_faults,
    player_get,
    player_opponents,
    player_record,
    players_named,
)
from games.services.analysis import analysis_refold
from games.services.bots import builtin_bot
from games.services.games import (
    game_abort,
    game_create,
    game_forfeit,
    game_reveal,
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
    "BandChart",
    "CommandKey",
    "Conflict",
    "Crumb",
    "DealEnd",
    "DealsPlayed",
    "DueRow",
    "Estimate",
    "Filters",
    "Game",
    "GameRow",
    "Line",
    "LogLine",
    "NotFound",
    "Opponent",
    "Player",
    "Remark",
    "Result",
    "Seed",
    "User",
    "Version",
    "analysis_refold",
    "append_only_sql",
    "attempt",
    "band_chart",
    "builtin_bot",
    "claim",
    "deals_ended",
    "deals_played",
    "decimal",
    "describe",
    "extend",
    "filter_form",
    "filtered",
    "filters",
    "game_abort",
    "game_create",
    "game_forfeit",
    "game_on_show",
    "game_record",
    "game_reveal",
    "game_row",
    "game_rows",
    "games_finished",
    "games_forfeited",
    "games_list",
    "games_open_to",
    "games_sealed",
    "games_timed",
    "guard_sql",
    "heads_since",
    "last_stage",
    "opponents",
    "overdue",
    "page",
    "paged",
    "player_faults",
    "player_get",
    "player_of",
    "player_opponents",
    "player_record",
    "players_named",
    "remarks_of",
    "result_refold",
    "revalidated",
    "rules_in_words",
    "seed_create",
    "stream",
    "unusual_rules",
]
