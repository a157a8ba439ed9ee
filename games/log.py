"""The one writer of event logs: games' and, with its own table, tournaments'.

A log is a stream of record lines, each naming the SHA-256 of the line before it
(:mod:`engine.record`). The database itself refuses a gap, a wrong link, a wrong hash, and any
change or removal of what is written (triggers made by :func:`guard_sql`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models

from games.errors import CommandIdReused, StaleSeq

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCK_TIMEOUT_MS = 2000
"""How long a writer waits for the row of a stream."""


class LogLine(models.Model):
    """One event of a stream; the concrete model adds the stream's key and the primary key."""

    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=40)
    command_id = models.UUIDField(null=True)
    command_sha = models.BinaryField(null=True)
    body = models.TextField()
    """The very line of the record, without its newline."""
    hash = models.BinaryField()
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


@dataclass(frozen=True, slots=True)
class Line:
    """A line about to be written."""

    seq: int
    type: str
    body: str
    columns: Mapping[str, Any]
    """Further columns of the concrete model."""


@dataclass(frozen=True, slots=True)
class CommandKey:
    """A client's name for a command, so that a repeated request is recognised."""

    id: UUID
    sha: bytes
    """SHA-256 of the canonical command."""

    @classmethod
    def of(cls, command_id: UUID, canonical: str) -> CommandKey:
        """Return the key of a command in canonical JSON."""
        return cls(command_id, sha256(canonical.encode()).digest())


def answered(lines: models.QuerySet[Any], key: CommandKey | None) -> list[str] | None:
    """Return the bodies that a repeated command caused, or None if it is new.

    :param lines: the stream's lines, of any order.
    :raises CommandIdReused: when the id came with another command.
    """
    if key is None:
        return None
    first = lines.filter(command_id=key.id).first()
    if first is None:
        return None
    if bytes(first.command_sha) != key.sha:
        raise CommandIdReused(key.id)
    after = lines.filter(seq__gt=first.seq).order_by("seq")
    bodies = [first.body]
    for line in after:
        if line.command_id is not None:
            break
        bodies.append(line.body)
    return bodies


def extend(
    stream: Any,
    model: type[LogLine],
    column: str,
    expected_seq: int,
    lines: Sequence[Line],
    key: CommandKey | None = None,
) -> None:
    """Write lines to a stream and move its ``seq`` and ``head``; the caller saves the stream.

    :param stream: the stream's row, locked by the caller, with ``seq`` and ``head``.
    :param column: the model's field that names the stream.
    :raises StaleSeq: when the stream does not end at ``expected_seq``.
    """
    if stream.seq != expected_seq:
        raise StaleSeq(expected_seq, stream.seq)
    rows = []
    head = stream.head
    for line in lines:
        hashed = sha256(line.body.encode()).digest()
        first = key if line is lines[0] else None
        rows.append(
            model(
                **{column: stream},
                seq=line.seq,
                type=line.type,
                body=line.body,
                hash=hashed,
                command_id=first.id if first else None,
                command_sha=first.sha if first else None,
                **line.columns,
            )
        )
        head = hashed.hex()
    model._default_manager.bulk_create(rows)
    stream.seq += len(rows)
    stream.head = head


GUARD_FUNCTIONS_SQL = """
CREATE FUNCTION meldboard_check_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stream text := TG_ARGV[0];
    line jsonb := NEW.body::jsonb;
    key uuid := (to_jsonb(NEW) ->> (stream || '_id'))::uuid;
    before bytea;
BEGIN
    IF NEW.hash IS DISTINCT FROM sha256(convert_to(NEW.body, 'UTF8')) THEN
        RAISE EXCEPTION '% %: hash is not the SHA-256 of body', stream, key
            USING ERRCODE = 'check_violation';
    END IF;
    IF (line ->> 'seq')::int IS DISTINCT FROM NEW.seq OR line ->> 'type' IS DISTINCT FROM NEW.type
       OR (line ->> stream)::uuid IS DISTINCT FROM key THEN
        RAISE EXCEPTION '% %: body names another seq, type or stream', stream, key
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.seq = 1 THEN
        before := decode(repeat('00', 32), 'hex');
    ELSE
        EXECUTE format('SELECT hash FROM %I WHERE %I = $1 AND seq = $2', TG_TABLE_NAME,
                       stream || '_id') INTO before USING key, NEW.seq - 1;
        IF before IS NULL THEN
            RAISE EXCEPTION '% %: there is no line % before line %', stream, key, NEW.seq - 1,
                NEW.seq USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    IF line ->> 'prev' IS DISTINCT FROM encode(before, 'hex') THEN
        RAISE EXCEPTION '% %: prev of line % is not the hash of the line before it', stream, key,
            NEW.seq USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION meldboard_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'insufficient_privilege';
END $$;
"""

DROP_GUARD_FUNCTIONS_SQL = """
DROP FUNCTION meldboard_check_line() CASCADE;
DROP FUNCTION meldboard_refuse_change() CASCADE;
"""


def append_only_sql(table: str) -> str:
    """Return the SQL that lets nobody change or remove a row of a table."""
    return f"""
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION meldboard_refuse_change();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION meldboard_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER refuse_change;
ALTER TABLE {table} ENABLE ALWAYS TRIGGER refuse_truncate;
"""


def guard_sql(table: str, stream: str) -> str:
    """Return the SQL that makes a table an append-only chain.

    :param table: the table of lines.
    :param stream: the lines' JSON key for their stream; its column is ``<stream>_id``.
    """
    return f"""
CREATE TRIGGER check_line BEFORE INSERT ON {table}
    FOR EACH ROW EXECUTE FUNCTION meldboard_check_line('{stream}');
ALTER TABLE {table} ENABLE ALWAYS TRIGGER check_line;
{append_only_sql(table)}"""
