"""Analysing sealed games: what each decision got against the best there was."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from engine.codec import encode
from engine.record import dumps, loads
from engine.replay import Replay
from games import signals
from games.due import attempt, claim, is_held
from games.models import Analysis, Due, Game
from games.selectors import game_replay

MAX_SECONDS = 5.0
"""How long one task analyses; then others have their turn."""

NUMBERS = ("played", "best", "missed", "cards", "most_cards")
"""Fields of :class:`engine.variant.Verdict` that are kept with every decision."""


def analysis_go_on(*, game_id: UUID, seq: int) -> None:
    """Analyse the deals of a sealed game that are not yet, for five seconds or to the end.

    Claims the due row, works with no transaction open, and keeps each deal as it is done. Without
    effect if somebody else holds the claim.
    """
    row = claim(Due, game_id=game_id, kind=Due.Kind.ANALYSIS, seq=seq)
    if row is None or row.parked_at is not None:
        return
    with attempt(row):
        game = Game.objects.get(pk=game_id)
        until = time.monotonic() + MAX_SECONDS
        complete = all(time.monotonic() < until for _ in _analyse(game))
        _settle(row, complete)


def _analyse(game: Game) -> Iterator[Analysis]:
    """Analyse one deal after another."""
    done = set(game.analyses.values_list("deal", flat=True))
    replay = game_replay(game)
    for deal in range(1, len(replay.deals) + 1):
        if deal not in done:
            verdicts, plays = deal_analysis(replay, deal)
            fields = {"verdicts": verdicts, "plays": plays}
            yield Analysis.objects.get_or_create(game=game, deal=deal, defaults=fields)[0]


def _settle(row: Due, complete: bool) -> None:
    """Take a claimed row away, or let it be claimed again for what is left."""
    with transaction.atomic():
        if not is_held(row):
            return
        if complete:
            Game.objects.filter(pk=row.game_id).update(analysed=True)
            row.delete()
            return
        row.attempts, row.lease, row.lease_until, row.due_at = 0, None, None, timezone.now()
        row.save()
        transaction.on_commit(partial(signals.due_written.send, Due, row=row))


def analysis_refold(game: Game) -> list[str]:
    """Make the analyses of a game's deals anew and return what was different, in words."""
    stored = {row.deal: (row.verdicts, row.plays) for row in game.analyses.all()}
    replay = game_replay(game)
    fresh = {deal: deal_analysis(replay, deal) for deal in stored}
    for deal, (verdicts, plays) in fresh.items():
        fields = {"verdicts": verdicts, "plays": plays}
        Analysis.objects.filter(game=game, deal=deal).update(**fields)
    return [
        f"game {game.pk}: the analysis of deal {deal} was different"
        for deal in sorted(stored)
        if loads(dumps(fresh[deal])) != list(stored[deal])
    ]


def deal_analysis(
    replay: Replay, deal: int
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the verdicts on a deal's decisions, and the plays that would have been better.

    A verdict has the ``seq`` of the decision's event, its ``seat``, and the numbers of
    :class:`engine.variant.Verdict`; they stand in the order of the log. A play is a command as
    bots write it, under the ``seq`` of its decision.
    """
    steps = replay.deals[deal - 1]
    verdicts: list[dict[str, Any]] = []
    plays: dict[str, dict[str, Any]] = {}
    for seq in range(replay.steps[steps[0]].first, replay.steps[steps[-1]].last + 1):
        event = replay.events[seq - 1]
        verdict = replay.variant.verdict(replay.states[seq - 1], event)
        if verdict is None:
            continue
        numbers = {name: getattr(verdict, name) for name in NUMBERS}
        verdicts.append({"seq": seq, "seat": event.actor, **numbers})
        if verdict.command is not None:
            plays[str(seq)] = {"type": verdict.command.type, **encode(verdict.command)}
    return verdicts, plays
