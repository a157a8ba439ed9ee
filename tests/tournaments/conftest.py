"""What the tests of tournaments share."""

from __future__ import annotations

import pytest

from games import tasks as games_tasks
from tournaments import tasks


@pytest.fixture(autouse=True)
def nobody_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hint goes to a broker; tests do what is due themselves."""
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(games_tasks, "ring_for", lambda row: None)
