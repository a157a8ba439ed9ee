"""Settings, all of them from the environment; production starts with nothing but that.

Needed: ``SECRET_KEY``, ``DATABASE_URL``, ``BROKER_URL``; behind https also ``HTTPS=1`` and
``ALLOWED_HOSTS``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import django_stubs_ext
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvError
from whitenoise.compress import Compressor

ROOT = Path(__file__).resolve().parent.parent
env = Env()
django_stubs_ext.monkeypatch()  # so that ModelAdmin[Game] and its like can be run, not only checked


def _needed(name: str, example: str) -> str:
    """Read a variable that must be there.

    :raises ImproperlyConfigured: with an example, when it is missing or empty
    """
    value = env.str(name, "")
    if not value:
        raise ImproperlyConfigured(
            f"The variable {name} is not set; for example: {name}={example}\n"
            "Beside a running demo, take its settings: set -a; . .run/demo/env; set +a"
        )
    return value


def _secret_key() -> str:
    """Read the key that signs sessions.

    :raises ImproperlyConfigured: when it is missing, short, or one that stands in examples
    """
    make = "$(python3 -c 'import secrets; print(secrets.token_urlsafe(50))')"
    key = _needed("SECRET_KEY", make)
    known = any(word in key.lower() for word in ("insecure", "change", "secret", "example"))
    if known or len(key) < 50 or len(set(key)) < 16:
        raise ImproperlyConfigured(
            f"SECRET_KEY must be at least 50 random characters and no example: SECRET_KEY={make}"
        )
    return key


def _database() -> dict[str, Any]:
    """Read ``DATABASE_URL``; one connection a thread, or a pool where threads come and go.

    :raises ImproperlyConfigured: when it is no PostgreSQL address
    """
    url = _needed("DATABASE_URL", "postgres://user:password@host:5432/name")
    try:
        database = dict(env.dj_db_url("DATABASE_URL", url))
    except EnvError as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}") from error
    if database["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL database: postgres://…")
    options = {"connect_timeout": 5, "application_name": "meldboard"}
    database["OPTIONS"] = options | database.get("OPTIONS", {})
    database["CONN_HEALTH_CHECKS"] = True
    if env.bool("DATABASE_POOL", False):
        # Short tries: with its own patience the pool would find a database that is back up to
        # half a minute late.
        sizes = {"min_size": 1, "max_size": 16}
        database["OPTIONS"]["pool"] = sizes | {"timeout": 3, "reconnect_timeout": 1}
    else:
        database["CONN_MAX_AGE"] = 60
    return database


SECRET_KEY = _secret_key()
DEBUG = env.bool("DEBUG", False)
HTTPS = env.bool("HTTPS", False)
if DEBUG and HTTPS:
    raise ImproperlyConfigured("DEBUG=1 shows what is inside to everybody: not with HTTPS=1.")

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
BOT_HOSTS: list[str] = env.list("BOT_HOSTS", [])

INSTALLED_APPS = [
    "config.apps.ProjectConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "template_partials",
    "csp",
    "games",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.static.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.health.DatabaseDownMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Users

AUTH_USER_MODEL = "games.User"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

# Language and time

LANGUAGE_CODE = "en-gb"
USE_I18N = False  # else a reader's language is looked up for each number on a page
TIME_ZONE = "UTC"
USE_TZ = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = env.path("STATIC_ROOT", ROOT / "staticfiles")
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")

# What browsers are told

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = 366 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if env.bool("BEHIND_PROXY", False):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# REST API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["games.api.base.ReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_PAGINATION_CLASS": "games.api.base.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "games.api.errors.handle",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Meldboard",
    "DESCRIPTION": "Tournaments, games, records and leaderboards.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "EntrantStatusEnum": "tournaments.models.Entrant.Status",
        "GameStatusEnum": "games.models.Game.Status",
        "PhaseStatusEnum": "tournaments.models.Phase.Status",
        "TournamentStatusEnum": "tournaments.models.Tournament.Status",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": None,
    "REDOC_DIST": "SIDECAR",
}

# Celery: only a doorbell, so a message may be lost, doubled or late, but none may hold up the next

CELERY_BROKER_URL = _needed("BROKER_URL", "redis://host:6379/0")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_DEFAULT_QUEUE = "meldboard"
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0}
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_TIME_LIMIT = 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 30
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 6
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TIMEZONE = "UTC"
CELERY_DB_REUSE_MAX = 2**31
if CELERY_BROKER_URL.startswith("amqp"):
    CELERY_TASK_DEFAULT_QUEUE_TYPE = "quorum"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"confirm_publish": True}
    RING_FIRST, RING_LAST = 5, 0
else:
    RING_FIRST, RING_LAST = 0, 9  # the two kinds of broker count priorities in opposite directions
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 3 * CELERY_TASK_TIME_LIMIT,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
    }
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BEAT_SCHEDULE = {
    f"{app}-sweep": {"task": f"{app}.tasks.sweep", "schedule": 5.0, "options": {"expires": 10}}
    for app in ("games", "tournaments")
} | {
    "refit": {"task": "tournaments.tasks.refit_nightly", "schedule": crontab(hour=3, minute=0)},
    "snapshots": {
        "task": "tournaments.tasks.snapshots_nightly",
        "schedule": crontab(hour=4, minute=0),
    },
}

# Logs: JSON lines on standard error

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "config.logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        # Two lines for every task that went well would drown the rest.
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}
