"""The event log: what the database refuses, expected seq, command ids, parallel appends."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, connections, transaction
from uuid6 import uuid7

from engine.errors import BadInput
from engine.record import digest, head_line
from engine.verify import verify
from games import folds
from games.errors import CommandIdReused, IllegalCommand, NotFound, StaleSeq
from games.models import Due, Event, Game, Player
from games.selectors import game_lines
from games.services.games import game_play
from tests.games.helpers import new_game

pytestmark = pytest.mark.django_db


def execute(sql: str, *params: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE games_event SET type = 'drew'",
        "UPDATE games_event SET body = body",
        "DELETE FROM games_event",
        "TRUNCATE games_event",
        "TRUNCATE games_game CASCADE",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_events_are_append_only(sql: str, role: str) -> None:
    """Also under session_replication_role=replica: the triggers fire always."""
    game = new_game()
    before = game_lines(game)
    with pytest.raises(DatabaseError, match="games_event is append-only"), transaction.atomic():
        execute("SET CONSTRAINTS ALL IMMEDIATE")
        execute(f"SET LOCAL session_replication_role = {role}")
        execute(sql)
    assert game_lines(game) == before


def insert(game: Game, seq: int, body: str, hashed: bytes, kind: str = "drew") -> None:
    execute(
        "INSERT INTO games_event (game_id, seq, type, seat, body, hash, recorded_at)"
        " VALUES (%s, %s, %s, 1, %s, %s, now())",
        game.pk,
        seq,
        kind,
        body,
        hashed,
    )


def line(game: Game, seq: int, prev: str, kind: str = "drew", stream: object = None) -> str:
    fields = {"game": str(stream or game.pk), "prev": prev, "seq": seq, "type": kind}
    return json.dumps(fields)


def test_a_right_row_is_taken() -> None:
    """The refusals below mean something: the same row without its fault goes in."""
    game = new_game()
    body = line(game, 3, game.head)
    insert(game, 3, body, sha256(body.encode()).digest())
    assert Event.objects.filter(game=game).count() == 3


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("gap", "there is no line 4 before line 5"),
        ("prev", "prev of line 3 is not the hash of the line before it"),
        ("hash", "hash is not the SHA-256 of body"),
        ("double", "duplicate key|prev of line 2"),
        ("seq", "body names another seq, type or stream"),
        ("type", "body names another seq, type or stream"),
        ("stream", "body names another seq, type or stream"),
        ("first", "prev of line 1 is not the hash|duplicate key"),
    ],
)
def test_the_database_refuses_a_broken_chain(fault: str, message: str) -> None:
    game = new_game()
    seq = {"gap": 5, "double": 2, "first": 1}.get(fault, 3)
    body = line(
        game,
        9 if fault == "seq" else seq,
        "0" * 63 + "1" if fault == "prev" else game.head,
        "melded" if fault == "type" else "drew",
        uuid7() if fault == "stream" else None,
    )
    hashed = b"\0" * 32 if fault == "hash" else sha256(body.encode()).digest()
    with pytest.raises(DatabaseError, match=message):
        insert(game, seq, body, hashed)
    assert Event.objects.filter(game=game).count() == 2


def play(game: Game, command: dict[str, Any], seq: int | None = None, key: UUID | None = None):
    game.refresh_from_db()
    return game_play(
        game_id=game.pk,
        seat=game.turn,
        command=command,
        expected_seq=game.seq if seq is None else seq,
        command_id=key or uuid7(),
    )


def test_a_command_is_appended() -> None:
    game = new_game()
    (body,) = play(game, {"type": "draw"})
    game.refresh_from_db()
    assert game_lines(game)[-1] == body
    assert (game.seq, game.head) == (3, digest(body))
    text = "".join(f"{text}\n" for text in (*game_lines(game), head_line(game.head)))
    verify(text.encode(), partial=True)


def test_stale_seq_names_the_current_one() -> None:
    game = new_game()
    play(game, {"type": "draw"})
    with pytest.raises(StaleSeq, match="the log has 3 events, not 2") as caught:
        play(game, {"type": "draw"}, seq=2)
    assert (caught.value.status, caught.value.extra) == (409, {"seq": 3})
    with pytest.raises(StaleSeq):
        play(game, {"type": "draw"}, seq=8)
    assert len(game_lines(game)) == 3


def test_the_same_command_id_answers_again_and_adds_nothing() -> None:
    game = new_game()
    key = uuid7()
    first = play(game, {"type": "draw"}, key=key)
    later = play(game, {"type": "draw"})
    seat = json.loads(first[0])["seat"]
    again = game_play(
        game_id=game.pk, seat=seat, command={"type": "draw"}, expected_seq=2, command_id=key
    )
    assert again == first != later
    assert len(game_lines(game)) == 4
    with pytest.raises(CommandIdReused, match="was used for another command") as caught:
        game_play(
            game_id=game.pk, seat=seat, command={"type": "resign"}, expected_seq=4, command_id=key
        )
    assert caught.value.status == 409
    assert len(game_lines(game)) == 4


@pytest.mark.parametrize(
    ("command", "error", "message"),
    [
        ({"type": "pass"}, IllegalCommand, r"you drew 1 of 3 cards; meld or draw .*\(M3\.6\)"),
        ({"type": "meld", "tableau": [["Ah"]]}, IllegalCommand, "Ah"),
        ({"type": "fold"}, BadInput, "command type 'fold' is unknown in Manipulation"),
        ({"type": "fault", "reason": "timeout"}, BadInput, "command type 'fault' is unknown"),
        ({"type": "abort"}, BadInput, "command type 'abort' is unknown"),
        ({"type": "meld"}, BadInput, "field 'tableau' is missing"),
        ({"type": "draw", "card": "Ah"}, BadInput, 'unknown field "card"'),
        ({}, BadInput, "command type None is unknown"),
    ],
)
def test_a_bad_command_leaves_no_trace(command: dict, error: type, message: str) -> None:
    game = new_game()
    with pytest.raises(error, match=message):
        play(game, command)
    game.refresh_from_db()
    assert (game.seq, len(game_lines(game))) == (2, 2)


def test_unknown_game() -> None:
    with pytest.raises(NotFound, match="there is no game"):
        game_play(
            game_id=uuid7(), seat=0, command={"type": "draw"}, expected_seq=2, command_id=uuid7()
        )


def test_due_rows_stand_with_what_made_them_due() -> None:
    """A bot's turn is due in the transaction that made it so; a person's is not."""
    game = new_game(kinds=(Player.Kind.PERSON, Player.Kind.BOT))
    bot = game.seats.get(player__kind="bot").number
    for kind in ("draw", "draw", "pass", "draw"):
        due = [(row.kind, row.seq) for row in Due.objects.filter(game=game)]
        assert due == ([("bot", game.seq)] if game.turn == bot else [])
        play(game, {"type": kind})
        game.refresh_from_db()


@pytest.mark.django_db(transaction=True)
def test_parallel_appends_at_one_head(amount) -> None:
    """Of 16 appends at one head one wins and 15 get 409 with the current seq (ES-1)."""
    writers = 16
    game = new_game(kinds=(Player.Kind.PERSON, Player.Kind.PERSON))
    for _ in range(amount(10, 200)):
        game.refresh_from_db()
        if game.turn is None:
            game = new_game(kinds=(Player.Kind.PERSON, Player.Kind.PERSON))
        seq, command, barrier = game.seq, next_command(game), Barrier(writers)
        with ThreadPoolExecutor(writers) as pool:
            tries = [pool.submit(append_at_once, game, command, barrier) for _ in range(writers)]
        answers = [one.result() for one in tries]
        game.refresh_from_db()
        won = [answer for answer in answers if isinstance(answer, int)]
        assert len(won) == 1 and game.seq == seq + won[0]
        assert sorted(map(str, answers))[1:] == [f"stale {game.seq}"] * (writers - 1)


def append_at_once(game: Game, command: dict[str, Any], barrier: Barrier) -> int | str:
    """The number of lines appended, or which seq the refusal named."""
    barrier.wait()
    try:
        return len(
            game_play(
                game_id=game.pk,
                seat=game.turn,
                command=command,
                expected_seq=game.seq,
                command_id=uuid7(),
            )
        )
    except StaleSeq as error:
        assert error.status == 409
        return f"stale {error.extra['seq']}"
    finally:
        connections.close_all()


def next_command(game: Game) -> dict[str, Any]:
    """A legal command of the seat on turn that needs no cards."""
    state = folds.load(Game.objects.select_related("seed").get(pk=game.pk)).state
    return {"type": game.kind.default_commands(state)[0].type}
