"""The settings: what they refuse, and CQ-3 and WS-2, which nothing may loosen unnoticed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured

from config import settings_test
from config.settings import ROOT, _database, _secret_key
from config.stack.demo import SOFT_SHUTDOWN


def test_celery_is_set_for_hints_that_may_be_lost_or_doubled():
    """CQ-3."""
    assert settings_test.CELERY_TASK_ACKS_LATE is True
    assert settings_test.CELERY_TASK_REJECT_ON_WORKER_LOST is True
    assert settings_test.CELERY_WORKER_PREFETCH_MULTIPLIER == 1
    assert settings_test.CELERY_TASK_IGNORE_RESULT is True
    assert not hasattr(settings_test, "CELERY_RESULT_BACKEND")
    assert settings_test.CELERY_TASK_SERIALIZER == "json"
    assert settings_test.CELERY_ACCEPT_CONTENT == ["json"]
    assert settings_test.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT > 0


def test_time_limits_end_a_task_long_before_its_message_comes_again():
    """CQ-3."""
    hard = settings_test.CELERY_TASK_TIME_LIMIT
    assert hard > settings_test.CELERY_TASK_SOFT_TIME_LIMIT
    assert settings_test.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] >= 3 * hard


def test_the_stack_gives_a_worker_the_time_that_its_soft_shutdown_takes():
    assert settings_test.CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT == SOFT_SHUTDOWN


def test_celery_reads_these_settings(settings):
    from config.celery import app

    assert app.main == "meldboard"
    assert app.conf.task_acks_late is True
    assert app.conf.result_backend is None
    schedule = {entry["task"]: entry["schedule"] for entry in app.conf.beat_schedule.values()}
    assert schedule.pop("tournaments.tasks.refit_nightly") == crontab(hour=3, minute=0)
    assert schedule.pop("tournaments.tasks.snapshots_nightly") == crontab(hour=4, minute=0)
    assert schedule == {"games.tasks.sweep": 5.0, "tournaments.tasks.sweep": 5.0}


@pytest.mark.parametrize(
    "key", ["", "short", "django-insecure-" + "0123456789abcdefghij" * 3, "a" * 60, "changeme" * 8]
)
def test_no_start_without_a_real_secret_key(monkeypatch, key):
    monkeypatch.setenv("SECRET_KEY", key)
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY.*token_urlsafe"):
        _secret_key()


@pytest.mark.parametrize("url", ["", "sqlite:///db", "mysql://a@b/c", "nonsense"])
def test_no_start_without_a_postgresql_address(monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL"):
        _database()


def test_web_processes_pool_their_connections_and_workers_keep_one(monkeypatch):
    assert _database()["CONN_MAX_AGE"] == 60
    monkeypatch.setenv("DATABASE_POOL", "1")
    pooled = _database()
    assert "pool" in pooled["OPTIONS"] and not pooled.get("CONN_MAX_AGE")
    assert pooled["CONN_HEALTH_CHECKS"] is True


def test_debug_never_goes_with_https():
    env = dict(os.environ) | {"DEBUG": "1", "HTTPS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "not with HTTPS=1" in done.stderr


def test_the_content_security_policy_is_the_strict_one():
    """WS-2."""
    directives = settings_test.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert {name: " ".join(sources) for name, sources in directives.items()} == {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "form-action": "'self'",
    }


def test_each_xdist_worker_has_a_broker_database_of_its_own():
    url = "redis://:pw@127.0.0.1:6379/0"
    assert settings_test.broker_of(url, "") == url
    assert settings_test.broker_of(url, "gw0").endswith(":6379/1")
    assert settings_test.broker_of(url, "gw1").endswith(":6379/2")


def test_no_file_of_the_set_up_names_a_host_to_load_from():
    for path in _set_up_files():
        for host in re.findall(r"https?://([\w.-]+)", path.read_text(errors="replace")):
            assert host in {"127.0.0.1", "localhost"}, path


def _set_up_files() -> list[Path]:
    files = [ROOT / "Makefile", ROOT / ".ci" / "run", ROOT / "manage.py", ROOT / "pyproject.toml"]
    for folder in ("config", "docker", "requirements"):
        files += [path for path in (ROOT / folder).rglob("*") if path.suffix not in {".pyc", ""}]
    return files
