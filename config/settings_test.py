"""Settings of the tests, and of the processes that tests start.

``make test`` gives ``DATABASE_URL`` and ``BROKER_URL``; without them, what needs no database still
runs. Each pytest-xdist worker has its own database (by pytest-django) and its own broker database.
"""

from __future__ import annotations

import os

os.environ.setdefault("SECRET_KEY", "for tests, never served: 0123456789abcdefghijklmnopqrstuvw")
os.environ.setdefault("DATABASE_URL", "postgres://meldboard@127.0.0.1:5432/meldboard")
os.environ.setdefault("BROKER_URL", "redis://127.0.0.1:6379/0")
os.environ["HTTPS"] = os.environ["DEBUG"] = "0"

from config.settings import *  # noqa: F403
from config.settings import CELERY_BROKER_URL

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True


def broker_of(url: str, worker: str) -> str:
    """Give a pytest-xdist worker (``gw0``, ``gw1``, …) its own database on the Redis broker.

    >>> broker_of("redis://:pw@127.0.0.1:6379/0", "gw1")
    'redis://:pw@127.0.0.1:6379/2'
    """
    if not worker or not url.startswith("redis"):
        return url
    address, _, _ = url.rpartition("/")
    return f"{address}/{int(worker.removeprefix('gw')) + 1}"


CELERY_BROKER_URL = broker_of(CELERY_BROKER_URL, os.environ.get("PYTEST_XDIST_WORKER", ""))
