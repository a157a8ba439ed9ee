"""``python -m benchmarks``: what it says, what it compares, and when it is not content."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks import deals, report
from benchmarks.command import solve_memory, variations
from benchmarks.gates import DIFFERENCES, GATES, HELD, MISSED, NOT_MEASURED, judge
from benchmarks.measure import Effort, percentile, race, spread, times_faster
from benchmarks.registry import SUBJECTS

LEAST = Effort(repeats=1, share=60)


def verdicts(figures: dict[str, float], subject: str, *, compiled: bool) -> list[str]:
    return [gate.verdict for gate in judge(figures, [subject], compiled)]


def test_engines_take_turns_in_going_first() -> None:
    calls: list[str] = []
    engines = {name: lambda number, name=name: calls.append(name) or number for name in "abc"}
    run = race(engines, [7, 8], repeats=2)
    assert calls == list("abcbcabcacab")
    assert run.answers == {name: [7, 8] for name in "abc"}
    assert [len(taken) for taken in run.seconds["a"]] == [2, 2]


def test_a_spread_tells_the_tail() -> None:
    found = spread("a", [number / 1000 for number in range(200, 0, -1)])
    assert (found.n, found.mean, found.median) == (200, 100.5, 100.5)
    assert (found.p95, found.p99, found.max) == (190, 198, 200)
    assert percentile([5.0], 99) == 5
    assert times_faster([1, 1, 2], [2, 9, 6]) == 3


def test_gates_are_bounds_that_may_be_met_exactly() -> None:
    figures = {"worst.seconds": 0.2, DIFFERENCES: 0}
    assert verdicts(figures, "worst", compiled=False) == [HELD, HELD]
    assert verdicts(figures, "worst", compiled=True) == [HELD, HELD]
    assert verdicts({"worst.seconds": 0.21, DIFFERENCES: 1}, "worst", compiled=True) == [MISSED] * 2
    figures = {"rummikub.faster": 11.9, DIFFERENCES: 0}
    assert verdicts(figures, "rummikub", compiled=False) == [MISSED, HELD]
    assert verdicts({DIFFERENCES: 0}, "rummikub", compiled=False) == [NOT_MEASURED, HELD]


def test_every_gate_belongs_to_a_subject() -> None:
    assert {gate.subject for gate in GATES} - {""} <= set(SUBJECTS)


@pytest.mark.parametrize("subject", ["solver", "worst", "kept", "deals", "records"])
def test_all_engines_agree(subject: str) -> None:
    """The least of each subject that needs no peer but HiGHS: all is measured, nothing differs."""
    run = command.measure([subject], LEAST)
    measured = {figure["key"] for found in run["results"] for figure in found["figures"]}
    assert {gate.key for gate in GATES if gate.subject == subject} <= measured
    for found in run["results"]:
        assert not found["differences"] and not found["missing"]
    assert found["title"] in report.render(run)
    assert json.loads(json.dumps(run)) == run


def test_an_unequal_answer_is_an_error(monkeypatch) -> None:
    highs = pytest.importorskip("benchmarks.highs")
    monkeypatch.setattr(highs.Highs, "optimum", lambda _: 1_000_000)
    run = command.measure(["solver"], LEAST)
    asked = sum(found["spreads"][0]["n"] for found in run["results"])
    assert [len(found["differences"]) for found in run["results"]] == [5, 4] and asked == 9
    assert not command.is_good(run)
    assert {"id": "P7", "verdict": MISSED}.items() <= run["gates"][-1].items()
    assert "**Unequal**: play-000: " in report.render(run)


def test_a_peer_that_is_not_there_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "rummikub_solver", None)
    run = command.measure(["rummikub"], LEAST)
    assert "**Not measured**: rummikub-solver cannot be imported" in report.render(run)
    assert [gate["verdict"] for gate in run["gates"]] == [NOT_MEASURED, HELD]
    assert not command.is_good(run)


def test_the_command_writes_what_it_measured(tmp_path: Path, capsys) -> None:
    out = tmp_path / "new" / "run.json"
    status = command.main(["worst", "--short", "--repeats", "1", "--out", str(out)])
    run = json.loads(out.read_text())
    assert status == (0 if command.is_good(run) else 1)
    assert [found["subject"] for found in run["results"]] == ["worst"]
    assert run["effort"] == {"repeats": 1, "share": 10}
    assert {"at", "commit", "engine", "machine", "packages", "python", "schema"} <= set(run)
    assert report.render(run) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["speed"], "subject 'speed' is unknown; known are: solver, "),
        (["--repeats", "0"], "--repeats is at least 1, not 0"),
        (["--publish", "--short"], "--publish takes a run of everything"),
    ],
)
def test_a_wrong_word_is_refused(words: list[str], message: str, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_deal_is_the_same_whoever_finds_its_values() -> None:
    own = deals.play("a deal", deals.solve)
    asked: list[Any] = []

    def best_value(*position: Any) -> int:
        asked.append(position)
        return deals.solve(*position).value + (len(asked) == 1)

    result = deals.Result("")
    other = deals.play("a deal", deals._script(own, best_value, result))
    assert (other.turns, other.events, other.found) == (own.turns, own.events, own.found)
    assert len(asked) == len(own.found) and len(result.differences) == 1


def test_the_readme_shows_the_reference_runs() -> None:
    text = report.README.read_text()
    assert report.with_results(text) == text
    for engine in report.ENGINES:
        run = json.loads((report.RESULTS / f"{engine}.json").read_text())
        assert run["engine"] == engine and set(SUBJECTS) == {r["subject"] for r in run["results"]}
        assert not run["commit"].endswith("+")


def test_solve_needs_no_more_memory_for_lines_it_has_seen(amount) -> None:
    lines = list(variations(100))
    count = len(lines) * amount(20, 100)
    peaks = solve_memory(iter(lines * amount(20, 100)), (len(lines), count))
    assert peaks[count] < peaks[len(lines)] + 3
