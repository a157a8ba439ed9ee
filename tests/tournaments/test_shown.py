"""What is listed of a tournament: rounds in order, and the column that decides."""

from __future__ import annotations

import pytest

from games import tasks as game_tasks
from tests.tournaments.running import started, work
from tournaments import tasks
from tournaments.management.commands.tournament import standings_table
from tournaments.models import Round
from tournaments.selectors import rounds_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nobody_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No hint goes to a broker."""
    monkeypatch.setattr(game_tasks, "ring_for", lambda row: None)
    monkeypatch.setattr(tasks, "ring_for", lambda row: None)


def test_rounds_are_listed_in_order_however_their_rows_lie() -> None:
    tournament = started()
    work()
    phase = tournament.phases.get()
    first, *others = phase.rounds.order_by("number")
    for number in range(len(others) + 2, len(others) + 9):
        Round.objects.create(phase=phase, number=number)
    Round.objects.filter(pk=first.pk).update(number=99)  # its row moves behind the others
    numbers = [round_.number for round_ in rounds_of(phase)]
    assert numbers == sorted(numbers) and numbers[-1] == 99


def test_where_the_average_decides_it_is_printed() -> None:
    tournament = started(
        entrants=[{"bot": "greedy", "count": 5}],
        phases=[{"format": "round_robin", "table_size": 4}],
    )
    work()
    phase = tournament.phases.get()
    assert phase.basis == "average"
    text = standings_table(tournament)
    assert text.splitlines()[0].split()[:4] == ["#", "player", "average", "points"]
    shown = [float(line.split()[3]) for line in text.splitlines()[1:] if line[:1].isdigit()]
    assert shown == sorted(shown, reverse=True) and len(shown) == 5
