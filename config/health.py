"""Is it up, is it ready, and what is said while the database is down."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError as BrokerError

logger = logging.getLogger(__name__)

RETRY_AFTER = 5
BROKER_PATIENCE = 1


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 while pages can be served, 503 while the database is down.

    Without a broker nothing is lost and games only wait, so that is ``degraded``, not down.
    """
    database, broker = _database_works(), _broker_works()
    status = "down" if not database else "ok" if broker else "degraded"
    parts = {"database": _word(database), "broker": _word(broker)}
    return _answer({"status": status, **parts}, works=database)


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 once the database is there and has every migration."""
    if not _database_works():
        return _answer({"status": "down", "database": "down"}, works=False)
    missing = _missing_migrations()
    if missing:
        return _answer({"status": "migrating", "missing": missing}, works=False)
    return _answer({"status": "ok"}, works=True)


class DatabaseDownMiddleware(MiddlewareMixin):
    """Answer 503 with Retry-After, not 500, when a view cannot reach the database."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Take over for a lost or refused connection, and for nothing else."""
        if not _is_lost_connection(exception):
            return None
        logger.error("the database is down", extra={"path": request.path})
        return HttpResponse(
            "The database cannot be reached just now; try again in a few seconds.\n",
            content_type="text/plain; charset=utf-8",
            status=503,
            headers={"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"},
        )


def _is_lost_connection(exception: Exception) -> bool:
    """Whether the server is gone: it then told no state, or one of classes 08 and 57P.

    Deadlocks and time-outs of a statement have the same Django class, but come from a server.
    """
    if not isinstance(exception, InterfaceError | OperationalError):
        return False
    state = getattr(exception.__cause__, "sqlstate", None)
    return state is None or state.startswith(("08", "57P"))


def _answer(body: dict[str, object], *, works: bool) -> JsonResponse:
    if works:
        return JsonResponse(body)
    return JsonResponse(body, status=503, headers={"Retry-After": str(RETRY_AFTER)})


def _word(works: bool) -> str:
    return "ok" if works else "down"


def _database_works() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker_works() -> bool:
    try:
        with current_app.connection_for_write(connect_timeout=BROKER_PATIENCE) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_PATIENCE)
    except (BrokerError, OSError):
        return False
    return True


def _missing_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]
