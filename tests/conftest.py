"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--campaign", action="store_true", help="run the long forms of the tests")


@pytest.fixture(scope="session")
def amount(request: pytest.FixtureRequest):
    """Choose between the short and the long form of a test: ``amount(50, 2_000)``."""
    long_form = request.config.getoption("--campaign")
    return lambda short, long: long if long_form else short
