"""What all tests share."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("meldboard", deadline=None)  # machines are busy; time says nothing
settings.load_profile("meldboard")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--campaign", action="store_true", help="run the long forms of the tests")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def amount(request: pytest.FixtureRequest):
    """Choose between the short and the long form of a test: ``amount(50, 2_000)``."""
    long_form = request.config.getoption("--campaign")
    return lambda short, long: long if long_form else short


@pytest.fixture(autouse=True, scope="session")
def flush_past_the_guards():
    """Let the flush after a test with real transactions empty the logs.

    The triggers that refuse TRUNCATE are put aside for that one statement, here and nowhere else.
    """
    from django.db.backends.postgresql.operations import DatabaseOperations

    flush = DatabaseOperations.execute_sql_flush

    def put_aside(operations: Any, sql_list: list[str]) -> None:
        logs = ("games_event", "tournaments_event", "tournaments_snapshot")
        with operations.connection.cursor() as cursor:
            for table in logs:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER refuse_truncate")
            flush(operations, sql_list)
            for table in logs:
                cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER refuse_truncate")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "execute_sql_flush", put_aside)
        yield
