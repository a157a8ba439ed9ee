"""``/healthz``, ``/readyz`` and pages while the database or the broker is away."""

from __future__ import annotations

import psycopg
import pytest
from django.db import InterfaceError, OperationalError
from django.http import HttpResponse
from django.test import RequestFactory

from config import health

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(rf: RequestFactory):
    return lambda view: view(rf.get("/"))


def test_all_is_well(client):
    response = client.get("/healthz")
    assert (response.status_code, response.json()["database"]) == (200, "ok")
    assert "no-store" in response["Cache-Control"]


def test_a_lost_broker_is_said_but_pages_are_served(monkeypatch, answer):
    monkeypatch.setattr(health, "_broker_works", lambda: False)
    response = answer(health.healthz)
    assert response.status_code == 200
    assert b'"degraded"' in response.content


def test_a_lost_database_is_503_with_retry_after(monkeypatch, answer):
    monkeypatch.setattr(health, "_database_works", lambda: False)
    for view in (health.healthz, health.readyz):
        response = answer(view)
        assert (response.status_code, response["Retry-After"]) == (503, "5")
        assert b'"down"' in response.content


def test_missing_migrations_are_named(monkeypatch, answer):
    assert answer(health.readyz).status_code == 200
    monkeypatch.setattr(health, "_missing_migrations", lambda: ["games.0001_initial"])
    response = answer(health.readyz)
    assert response.status_code == 503
    assert b"games.0001_initial" in response.content


@pytest.mark.parametrize(
    ("error", "cause", "status"),
    [
        (OperationalError, psycopg.OperationalError("server closed the connection"), 503),
        (OperationalError, psycopg.errors.AdminShutdown(), 503),
        (InterfaceError, psycopg.InterfaceError("the connection is closed"), 503),
        (OperationalError, psycopg.errors.DeadlockDetected(), None),
        (OperationalError, psycopg.errors.QueryCanceled(), None),
        (ValueError, None, None),
    ],
)
def test_a_page_says_503_while_the_database_is_away(rf, error, cause, status):
    """CQ-7."""
    exception = error("no answer")
    exception.__cause__ = cause
    middleware = health.DatabaseDownMiddleware(lambda request: HttpResponse())
    response = middleware.process_exception(rf.get("/"), exception)
    if status is None:
        assert response is None
    else:
        assert (response.status_code, response["Retry-After"]) == (status, "5")


def test_a_broker_that_is_not_there_is_found_out_at_once(monkeypatch):
    from celery import Celery

    monkeypatch.setattr(health, "current_app", Celery(broker="redis://127.0.0.1:1/0"))
    assert health._broker_works() is False
