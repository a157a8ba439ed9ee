"""What is due is a row: one abstract model and one :func:`claim` for games and tournaments.

A message through Celery is a hint that a row is due; it may be lost, doubled or late. Whoever
takes a row up claims a lease on it; when the lease runs out (the worker died) anybody may claim
it again. After :data:`MAX_ATTEMPTS` claims that came to nothing the row is parked for people.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from uuid6 import uuid7

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=12)
"""How long a claim holds. Longer than a task's usual work, shorter than anybody's patience."""

MAX_ATTEMPTS = 3
"""Claims of a row that may come to nothing."""


class DueRow(models.Model):
    """Something to be done; the concrete model adds what it is about."""

    kind = models.CharField(max_length=20)
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True)
    lease = models.UUIDField(null=True)
    """Token of the claim that holds; another claim has another."""
    attempts = models.PositiveSmallIntegerField(default=0)
    parked_at = models.DateTimeField(null=True)
    """When the row was given up for people to look at."""
    error = models.TextField(blank=True)
    """What went wrong last."""

    class Meta:
        abstract = True


_D = TypeVar("_D", bound=DueRow)


def overdue(model: type[_D]) -> models.QuerySet[_D]:
    """Return the rows that anybody may claim now, the longest overdue first."""
    now = timezone.now()
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    return model._default_manager.filter(free, due_at__lte=now, parked_at=None).order_by("due_at")


def claim(model: type[_D], **which: Any) -> _D | None:
    """Take a lease on the one row that fits and return it, or None if it is not to be had.

    A row that was claimed :data:`MAX_ATTEMPTS` times before is parked and returned with
    ``parked_at`` set: the caller then does what must be done about it.
    """
    with transaction.atomic():
        row = overdue(model).filter(**which).select_for_update(skip_locked=True).first()
        if row is None:
            return None
        if row.attempts >= MAX_ATTEMPTS:
            row.parked_at = timezone.now()
            logger.error("parked after %s attempts: %s %s", row.attempts, row, row.error)
        else:
            row.attempts += 1
            row.lease = uuid7()
            row.lease_until = timezone.now() + LEASE
        row.save()
        return row


def is_held(row: DueRow) -> bool:
    """Say whether a claim still holds; call it in the transaction that acts on it."""
    current = type(row)._default_manager.filter(pk=row.pk).select_for_update().first()
    return current is not None and current.lease == row.lease


def _note_error(row: DueRow, error: BaseException) -> None:
    """Remember why a claim came to nothing, and let the row be claimed again at once."""
    type(row)._default_manager.filter(pk=row.pk, lease=row.lease).update(
        error=f"{type(error).__name__}: {error}"[:2000], lease_until=None, lease=None
    )


@contextmanager
def attempt(row: DueRow) -> Iterator[None]:
    """Do what a claimed row asks for; an error is noted on the row and goes on up."""
    try:
        yield
    except Exception as error:
        _note_error(row, error)
        raise


def describe(row: DueRow, subject: UUID | str) -> str:
    """Return how a row is named in logs and in the admin."""
    state = " (parked)" if row.parked_at else ""
    return f"{row.kind} {subject}{state}"
