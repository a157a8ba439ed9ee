"""The container files, read as far as that is possible without an engine that runs them."""

from __future__ import annotations

import re
import shlex

import yaml

from config.settings import ROOT

COMPOSE = (ROOT / "docker" / "compose.yaml").read_text()
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
SETTINGS = (ROOT / "config" / "settings.py").read_text()
# What is no setting of ours: the database image's password, and the host's side of the web port.
OTHERS = {"POSTGRES_PASSWORD", "PORT"}


def test_compose_has_every_part():
    services = yaml.safe_load(COMPOSE)["services"]
    assert {"web", "worker", "beat", "database", "broker", "migrate"} == set(services)
    for name, service in services.items():
        assert "healthcheck" in service or name == "migrate", name


def test_every_variable_of_compose_is_known_to_the_settings():
    used = set(re.findall(r"(?<!\$)\$\{(\w+)", COMPOSE))
    given = set(yaml.safe_load(COMPOSE)["services"]["web"]["environment"])
    known = set(re.findall(r'(?:env\.\w+|_needed)\(\s*"(\w+)"', SETTINGS))
    assert {"SECRET_KEY", "DATABASE_URL", "BROKER_URL", "ALLOWED_HOSTS", "HTTPS"} <= known
    assert used - OTHERS <= known
    assert given <= known


def test_the_broker_never_evicts():
    """CQ-3."""
    command = yaml.safe_load(COMPOSE)["services"]["broker"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    assert command[command.index("--appendonly") + 1] == "yes"


def test_the_image_runs_locked_packages_as_nobody_in_particular():
    assert "--require-hashes" in DOCKERFILE
    assert "base.txt" in DOCKERFILE and "dev.txt" not in DOCKERFILE
    user = re.findall(r"^USER (\w+)", DOCKERFILE, re.M)
    assert user and user[-1] != "root"
    assert DOCKERFILE.rindex("collectstatic") < DOCKERFILE.rindex("USER ")


def test_the_image_copies_only_what_is_there_and_not_ignored():
    ignore = (ROOT / "docker" / "Dockerfile.dockerignore").read_text().splitlines()
    for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.M):
        for source in shlex.split(line)[:-1]:
            path = source.removeprefix("./")
            assert (ROOT / path).exists(), path
            assert f"!{path}" in ignore, path
