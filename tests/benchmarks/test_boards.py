"""What the measurement of duplicate boards counts, and that it counts the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks import boards


def test_placement_points_share_equal_places() -> None:
    assert boards.placement_points([30, 0]) == [1, 0]
    assert boards.placement_points([0, 0]) == [0.5, 0.5]
    assert boards.placement_points([5, 20, 0, 5]) == [0.5, 1, 0, 0.5]


@pytest.mark.parametrize("seats", boards.SEATS)
def test_rotation_gives_either_bot_every_seat_as_often(seats: int) -> None:
    for number in range(1, 20):
        job = boards.Job(("greedy", "random"), seats, "rotation", number)
        tables = np.array(boards.seated(job))
        assert tables.shape == (job.games, seats)
        assert set(tables.sum(axis=0)) == set(tables.sum(axis=1)) == {seats // 2}


def test_a_ratio_is_that_of_the_widths() -> None:
    """Observations four times as far apart make an interval four times as wide."""
    random = np.random.default_rng(1)
    plain = np.column_stack([random.normal(0, 1, 200), np.ones(200)])
    found, low, high = boards.ratio(plain * [4, 1], plain, random)
    assert found == pytest.approx(4)
    assert 2.5 < low < 4 < high < 6


def test_the_table_is_the_same_whatever_the_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, amount
) -> None:
    for name in ("PAIRS", "SEATS"):
        monkeypatch.setattr(boards, name, getattr(boards, name)[: amount(1, 2)])
    pages = []
    for jobs in ("1", "2"):
        page = tmp_path / f"{jobs}.md"
        page.write_text(f"before\n{boards.BEGIN}\nold\n<!-- end of table -->\nafter\n")
        boards.main(["--games", "32", "--jobs", jobs, "--page", str(page)])
        pages.append(page.read_text())
    assert pages[0] == pages[1] and "old" not in pages[0]
    rows = [line for line in pages[0].splitlines() if " − " in line]
    assert len(rows) == len(boards.SEATS) * len(boards.PAIRS) * len(boards.WAYS)
