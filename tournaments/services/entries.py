"""Many entries at once, and entries that people make by themselves."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from io import StringIO
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from engine.errors import BadInput
from engine.policies import POLICIES, find_policy
from games.public import Conflict, NotFound, Player, User, builtin_bot
from tournaments.models import Entrant, Tournament
from tournaments.schedule import in_words
from tournaments.selectors import player_named
from tournaments.services.entrants import (
    check_room,
    entrant_enter,
    entrant_withdraw,
    late_phase,
)
from tournaments.services.organising import acting
from tournaments.services.tournaments import enter_all
from tournaments.spec import MAX_ENTRANTS

HEADERS = ("player", "name", "id", "entrant")
"""Words that the first line of a list may have instead of an entrant."""
TOLD = 5
"""Broken lines that are told one by one."""
_BOT = re.compile(r"([a-z]+) ([1-9]\d{0,4})", re.I | re.A)


@transaction.atomic
def bots_enter(
    *, tournament_id: UUID, bot: str, count: int = 1, by: Player | None = None
) -> list[Entrant]:
    """Enter so many built-in bots of one policy, those of the lowest numbers that are not in yet.

    :raises BadInput: for a policy that the game kind does not have, or a count that is none.
    :raises Conflict: when there is no room, or it is too late.
    """
    tournament = acting(tournament_id)
    find_policy(tournament.kind, bot)
    if not 1 <= count <= MAX_ENTRANTS:
        raise BadInput(f"count must be a whole number 1 to {MAX_ENTRANTS}, not {count}")
    check_room(tournament, count)
    known = set(tournament.entrants.values_list("player__name", flat=True))
    players: list[Player] = []
    number = 0
    while len(players) < count:
        number += 1
        if f"{bot.capitalize()} {number}" not in known:
            players.append(builtin_bot(policy=bot, number=number))
    return _enter(tournament, players, by)


@transaction.atomic
def entrants_import(*, tournament_id: UUID, text: str, by: Player | None = None) -> list[Entrant]:
    """Enter everybody whom a list in CSV names, one a line by name or id; all of them or none.

    :raises BadInput: naming the lines that are broken, and why.
    :raises Conflict: when there is no room, or it is too late.
    """
    tournament = acting(tournament_id)
    known = {str(pk) for pk in tournament.entrants.values_list("player_id", flat=True)}
    players: dict[str, tuple[int, Player]] = {}
    wrong: list[str] = []
    for line, cells in _lines(text):
        try:
            player = _one(tournament, cells)
        except (BadInput, NotFound) as error:
            wrong.append(f"line {line}: {error}")
            continue
        key = str(player.pk)
        if key in known:
            wrong.append(f"line {line}: {player} has entered already; leave the line out")
        elif key in players:
            before = players[key][0]
            wrong.append(f"line {line}: {player} stands in line {before} too; once is right")
        else:
            players[key] = (line, player)
    if wrong:
        more = f"; and {len(wrong) - TOLD} more" * (len(wrong) > TOLD)
        raise BadInput(f"{'; '.join(wrong[:TOLD])}{more}. Nobody was entered")
    if not players:
        raise BadInput("the list is empty; it must have a player's name or id in each line")
    check_room(tournament, len(players))
    return _enter(tournament, [player for _, player in players.values()], by)


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a list that are not empty, with their numbers, without a header."""
    reader = csv.reader(StringIO(text.removeprefix("\ufeff")), strict=True)
    found = []
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                found.append((reader.line_num, stripped))
    except csv.Error as error:
        raise BadInput(
            f"line {reader.line_num}: this is not CSV: {error}; a name with commas or quotes needs"
            " quotes around it. Nobody was entered"
        ) from None
    if found and found[0][1][0].lower() in HEADERS:
        del found[0]
    return found


def _one(tournament: Tournament, cells: Sequence[str]) -> Player:
    """Return the player that a line names.

    :raises BadInput: for a line of more than one cell.
    :raises NotFound: when there is no such player.
    """
    if any(cells[1:]) or not cells[0]:
        raise BadInput(f"it has {len(cells)} cells; a player's name or id alone is right")
    return player_known(tournament, cells[0])


def player_known(tournament: Tournament, text: str) -> Player:
    """Return the player with a name or an id; a built-in bot, such as ``Greedy 3``, always is.

    :raises NotFound: when there is none.
    """
    named = _BOT.fullmatch(text.strip())
    if named and int(named[2]) <= MAX_ENTRANTS:
        policy = named[1].lower()
        if any(policy == known.name for known in POLICIES[tournament.variant]):
            return builtin_bot(policy=policy, number=int(named[2]))
    return player_named(text)


def _enter(tournament: Tournament, players: Sequence[Player], by: Player | None) -> list[Entrant]:
    if tournament.status == Tournament.Status.OPEN:
        return enter_all(tournament, players, by=by)
    return [entrant_enter(tournament_id=tournament.pk, player=p, by=by) for p in players]


@transaction.atomic
def entrant_join(
    *, tournament_id: UUID, user: User, player: Player, by: Player, invited: bool = False
) -> Entrant:
    """Enter somebody, or a bot of theirs, by their own wish.

    :param invited: whether they follow an invitation that holds.
    :raises Conflict: when the tournament is not open to them now; it says when it will be.
    """
    tournament = acting(tournament_id)
    if player.owner_id != user.pk:
        raise Conflict(f"{player} is not yours to enter")
    reason = closed_to(tournament, invited=invited)
    if reason:
        raise Conflict(reason)
    return entrant_enter(tournament_id=tournament.pk, player=player, by=by)


@transaction.atomic
def entrant_leave(*, tournament_id: UUID, user: User, player: Player, by: Player) -> None:
    """Withdraw somebody, or a bot of theirs, by their own wish.

    :raises Conflict: for a player who is not theirs.
    """
    if player.owner_id != user.pk:
        raise Conflict(f"{player} is not yours to withdraw")
    entrant_withdraw(tournament_id=tournament_id, player=player, by=by)


def closed_to(tournament: Tournament, *, invited: bool) -> str:
    """Return why nobody may enter a tournament by themselves now; empty if they may."""
    now = timezone.now()
    opens, closes = tournament.entry_opens_at, tournament.entry_closes_at
    if tournament.status == Tournament.Status.ENDED:
        return f"{tournament} is over"
    if not tournament.entry_open and not invited:
        return f"only its organiser enters players into {tournament}, or who has an invitation"
    if opens and now < opens:
        return f"entries to {tournament} open at {in_words(opens, tournament.zone)}"
    if closes and now >= closes:
        return f"entries to {tournament} closed at {in_words(closes, tournament.zone)}"
    try:
        check_room(tournament, 1)
        if tournament.status == Tournament.Status.RUNNING:
            late_phase(tournament)
    except Conflict as error:
        return error.message
    return ""
