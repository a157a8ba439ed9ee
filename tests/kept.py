"""What a fixture makes by playing games is played once a process, and copied in after that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, models, transaction
from psycopg.sql import SQL, Composed, Identifier

from games import folds, selectors
from tournaments.pages import statistics

_M = TypeVar("_M", bound=models.Model)

Rows = dict[type[models.Model], dict[bytes, None]]
"""By model, the rows as COPY writes them, in their order."""

OUT = "COPY (SELECT {columns} FROM {table}) TO STDOUT"
OUT_IN_ORDER = "COPY (SELECT {columns} FROM {table} ORDER BY seq) TO STDOUT"
"""A log takes its lines in order."""

_kept: dict[tuple[str, int], tuple[Rows, type[models.Model], Any]] = {}


def kept(name: str, make: Callable[[], _M]) -> _M:
    """Return what ``make`` makes, in rows that are the same in every test of this process.

    :param name: of what is made; it may lie on top of other rows, as long as those are the same.
    """
    before = _rows()
    key = name, hash(tuple((model, *rows) for model, rows in before.items()))
    if key in _kept:
        after, model, pk = _kept[key]
        _put(before, after)
    else:
        made = make()
        model, pk = type(made), made.pk
        _kept[key] = _rows(), model, pk
    return model._default_manager.get(pk=pk)  # type: ignore[return-value]


def _statement(text: str, model: type[models.Model]) -> Composed:
    fields = model._meta.local_concrete_fields
    columns = SQL(", ").join([Identifier(field.column) for field in fields])
    return SQL(text).format(table=Identifier(model._meta.db_table), columns=columns)


def _rows() -> Rows:
    found: Rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            meta = model._meta
            if meta.app_label in ("games", "tournaments") and meta.managed and not meta.proxy:
                ordered = "seq" in [field.name for field in meta.local_concrete_fields]
                with cursor.copy(_statement(OUT_IN_ORDER if ordered else OUT, model)) as out:
                    lines = b"".join(map(bytes, out)).splitlines(keepends=True)
                found[model] = dict.fromkeys(lines)
    return found


def _put(before: Rows, after: Rows) -> None:
    """Make the rows before those after; what a process remembers of other rows it forgets."""
    with transaction.atomic(), connection.cursor() as cursor:
        for model, rows in after.items():
            new = rows.keys() - before[model].keys()
            if before[model].keys() - rows.keys():
                cursor.execute(_statement("DELETE FROM {table}", model))
                new = rows.keys()
            if new:
                into = _statement("COPY {table} ({columns}) FROM STDIN", model)
                with cursor.copy(into) as copy:
                    copy.write(b"".join(line for line in rows if line in new))
    folds._cache.clear()
    selectors._replays.clear()
    statistics._statistics.cache_clear()
