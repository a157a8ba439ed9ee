"""Writing games: create, append, play a command, abort, reveal."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone
from uuid6 import uuid7

from engine import seeds
from engine.codec import decode, encode
from engine.errors import BadInput, RuleViolation
from engine.events import Abort, Command, Forfeit, ForfeitReason
from engine.game import Game as EngineGame
from engine.record import dumps
from engine.variant import Variant
from games import folds, log, signals
from games.due import attempt, claim, is_held
from games.errors import Conflict, IllegalCommand, NotFound, StaleSeq
from games.models import Access, Due, Event, Game, Player, Result, Seat, Seed
from games.services.results import result_fields


def seed_create(*, value: bytes) -> Seed:
    """Keep a secret that several games are to share.

    :param value: 32 bytes.
    """
    return Seed.objects.create(value=value)


@transaction.atomic
def game_create(
    *,
    variant: Variant,
    rules: Mapping[str, object],
    players: Sequence[Player],
    seed: bytes | Seed | None = None,
    access: str = Access.PUBLIC,
    circle: UUID | None = None,
) -> Game:
    """Seat players at a new game, deal, and make the first turn due.

    :param seed: the game's 32 secret bytes; by default random ones. A game of a :class:`Seed`
        that others share is hidden until all of them are over.
    :param circle: what the game is played for, if it is for something.
    :raises BadInput: for rules or a number of players that the variant does not know.
    """
    shared = isinstance(seed, Seed)
    secret = (
        seed
        if isinstance(seed, Seed)
        else seed_create(value=seed or secrets.token_bytes(seeds.SEED_BYTES))
    )
    game = Game(
        id=uuid7(),
        variant=variant.key,
        seed=secret,
        shared_seed=shared,
        access=access,
        circle=circle,
    )
    played = EngineGame.start(
        variant,
        [str(player.pk) for player in players],
        seed=bytes(secret.value),
        rules=rules,
        game_id=str(game.pk),
        clock=folds.now,
    )
    game.rules = encode(played.entries[0].event)["rules"]
    game.save(force_insert=True)
    Seat.objects.bulk_create(
        Seat(game=game, number=number, player=player) for number, player in enumerate(players)
    )
    _write(game, 0, played, None)
    return game


def game_append(
    *,
    game_id: UUID,
    expected_seq: int,
    played: EngineGame,
    key: log.CommandKey | None = None,
    lease: Due | None = None,
) -> list[str]:
    """Add the lines that ``played`` has gained since ``expected_seq``; all of them or none.

    :param lease: claim under which the lines were made; without effect if it no longer holds.
    :returns: the bodies of the lines, or what the same command caused before.
    :raises StaleSeq: when the log does not end at ``expected_seq``.
    :raises CommandIdReused: when the key's id came with another command.
    """
    with transaction.atomic():
        game = _locked(game_id)
        before = log.answered(game.events.all(), key)
        if before is not None:
            return before
        if lease is not None and not is_held(lease):
            raise StaleSeq(expected_seq, game.seq)
        _write(game, expected_seq, played, key)
    return played.lines


def game_play(
    *,
    game_id: UUID,
    seat: int,
    command: Mapping[str, Any],
    expected_seq: int,
    command_id: UUID,
) -> list[str]:
    """Play a seat's command, given as JSON, and return the bodies of the lines it caused.

    :raises StaleSeq: when the log does not end at ``expected_seq``.
    :raises CommandIdReused: when the id came with another command.
    :raises IllegalCommand: when the rules forbid it; nothing is written.
    :raises BadInput: when it is no command at all.
    """
    key = log.CommandKey.of(command_id, dumps({"seat": seat, "command": dict(command)}))
    game = Game.objects.select_related("seed").filter(pk=game_id).first()
    if game is None:
        raise NotFound(f"there is no game {game_id}")
    before = log.answered(game.events.all(), key)
    if before is not None:
        return before
    if game.seq != expected_seq:
        raise StaleSeq(expected_seq, game.seq)
    played = folds.load(game)
    try:
        played.push(read_command(game.kind, command), seat)
    except RuleViolation as error:
        raise IllegalCommand(str(error), violation=error.code, clause=error.clause) from None
    return game_append(game_id=game_id, expected_seq=expected_seq, played=played, key=key)


def read_command(variant: Variant, command: Mapping[str, Any]) -> Command:
    """Return the command that a JSON object writes.

    :raises BadInput: naming the field that is wrong and what would be right.
    """
    fields = dict(command)
    kind = fields.pop("type", None)
    cls = variant.commands.get(kind) if isinstance(kind, str) else None
    if cls is None:
        known = ", ".join(variant.commands)
        raise BadInput(f"command type {kind!r} is unknown in {variant.name}; known are: {known}")
    return decode(cls, fields)


def game_abort(*, game_id: UUID) -> None:
    """Call a running game off; nobody wins. Without effect on a game that is over."""
    _platform_command(game_id, None, Abort())


def game_forfeit(*, game_id: UUID, seat: int, reason: ForfeitReason) -> None:
    """Take a seat out of a running game. Without effect if it is out or the game is over."""
    _platform_command(game_id, seat, Forfeit(reason))


def _platform_command(game_id: UUID, seat: int | None, command: Command) -> None:
    with transaction.atomic():
        game = _locked(game_id)
        played = folds.load(game)
        try:
            played.push(command, seat)
        except RuleViolation:
            return
        _write(game, game.seq, played, None)


def games_open_to(*, circle: UUID, access: str) -> None:
    """Set who may find and look at all games that are played for something."""
    Game.objects.filter(circle=circle).update(access=access)


def game_reveal(*, game_id: UUID) -> None:
    """Reveal the seed of a game that is over, once every game of that seed is.

    :raises Conflict: while one of them runs.
    """
    with transaction.atomic():
        game = _locked(game_id)
        if game.status == Game.Status.SEALED:
            return
        if _seed_is_in_play(game.seed):
            raise Conflict("a game of this seed still runs; its seed stays secret")
        played = folds.load(game)
        played.reveal()
        game.status = Game.Status.SEALED
        _write(game, game.seq, played, None)
        _make_due(game, Due.Kind.ANALYSIS)


def game_reveal_due(*, game_id: UUID, seq: int) -> None:
    """Take up the due row that asks for a game's seed to be revealed."""
    row = claim(Due, game_id=game_id, kind=Due.Kind.REVEAL, seq=seq)
    if row is None or row.parked_at is not None:
        return
    with attempt(row):
        game_reveal(game_id=game_id)


def _locked(game_id: UUID) -> Game:
    """Lock a game's row for this transaction; a writer waits two seconds at most."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = {log.LOCK_TIMEOUT_MS}")
    game = (
        Game.objects.select_for_update(of=("self",), no_key=True)
        .select_related("seed")
        .filter(pk=game_id)
    )
    found = game.first()
    if found is None:
        raise NotFound(f"there is no game {game_id}")
    return found


def _write(game: Game, expected_seq: int, played: EngineGame, key: log.CommandKey | None) -> None:
    """Write lines and, in the same transaction, all that depends on them."""
    lines = [
        log.Line(entry.seq, entry.event.type, entry.text, {"seat": entry.event.actor})
        for entry in played.entries
    ]
    log.extend(game, Event, "game", expected_seq, lines, key)
    state = played.state
    was_running = game.status == Game.Status.RUNNING
    game.deal, game.turn = state.deal_number, state.turn
    if was_running and state.outcome is not None:
        game.status, game.over_at = Game.Status.OVER, timezone.now()
    game.save()
    game.due.filter(seq__lt=game.seq, parked_at=None).delete()
    if was_running and state.outcome is not None:
        _end(game, played)
    elif state.turn is not None:
        _turn_due(game, state.turn)
    transaction.on_commit(partial(folds.remember, game.pk, state))


def _turn_due(game: Game, seat: int) -> None:
    if game.seats.filter(number=seat, player__kind=Player.Kind.BOT).exists():
        _make_due(game, Due.Kind.BOT)


def _end(game: Game, played: EngineGame) -> None:
    result = Result.objects.create(game=game, **result_fields(played.state))
    Seed.objects.select_for_update(no_key=True).get(pk=game.seed_id)
    if not _seed_is_in_play(game.seed):
        for other in game.seed.games.filter(status=Game.Status.OVER):
            _make_due(other, Due.Kind.REVEAL)
    signals.game_over.send(Game, game=game, result=result)


def _seed_is_in_play(seed: Seed) -> bool:
    return seed.games.filter(status=Game.Status.RUNNING).exists()


def _make_due(game: Game, kind: Due.Kind) -> None:
    row, made = Due.objects.get_or_create(game=game, kind=kind, seq=game.seq)
    if made:
        transaction.on_commit(partial(signals.due_written.send, Due, row=row))
