"""A run as JSON and as tables, the same in the terminal and in README.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
README = FOLDER / "README.md"
BEGIN, END = "<!-- written by the command, from here -->\n", "<!-- to here -->\n"
ENGINES = ("pure", "compiled")

Json = dict[str, Any]
Row = Sequence[str]


def render(run: Json) -> str:
    """Return a run as Markdown that reads well as plain text."""
    parts = [_about(run), _gates(run), *map(_result, run["results"])]
    return "\n".join(parts)


def _about(run: Json) -> str:
    machine = run["machine"]
    packages = [f"{name} {version or 'missing'}" for name, version in run["packages"].items()]
    share = run["effort"]["share"]
    lines = [
        f"{run['engine'].capitalize()} engine, commit {run['commit']}, {run['at']};"
        f" {run['effort']['repeats']} repeats, {f'1/{share}' if share > 1 else 'all'} of the work.",
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB,"
        f" {machine['kernel']}, load {machine['load']}.",
        f"{run['python']}, {', '.join(packages)}.",
    ]
    return "\n".join(lines) + "\n"


def _gates(run: Json) -> str:
    rows = [
        (gate["id"], gate["words"], gate["must"], number(gate["measured"]), gate["verdict"])
        for gate in run["gates"]
    ]
    return table(("gate", "what", "must be", "measured", ""), rows)


def _result(result: Json) -> str:
    parts = [f"### {result['title']}\n"]
    if result["spreads"]:
        columns = ("n", "mean", "median", "p95", "p99", "max")
        rows = [
            (spread["engine"], *[number(spread[name]) for name in columns])
            for spread in result["spreads"]
        ]
        parts.append(table(("ms of the processor", *columns), rows))
    if result["figures"]:
        rows = [(number(figure["value"]), figure["words"]) for figure in result["figures"]]
        parts.append(table(("measured", ""), rows))
    parts += [f"**Not measured**: {text}\n" for text in result["missing"]]
    parts += [f"**Unequal**: {text}\n" for text in result["differences"]]
    return "\n".join(parts)


def table(head: Row, rows: Sequence[Row]) -> str:
    """Return a Markdown table with aligned columns, numbers to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    right = [all(_is_number(row[i]) for row in rows) for i in range(len(head))]

    def line(row: Row) -> str:
        cells = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ]
        return f"| {' | '.join(cells)} |\n"

    rule = [
        f"{'-' * (width + 1)}:" if to_right else "-" * (width + 2)
        for width, to_right in zip(widths, right, strict=True)
    ]
    return "".join([line(head), f"|{'|'.join(rule)}|\n", *map(line, rows)])


def _is_number(cell: str) -> bool:
    return cell == "-" or cell[:1].isdigit()


def number(value: float | None) -> str:
    """Return a number to three places or so; a dash where there is none.

    >>> [number(value) for value in (12345.6, 300, 16.04, 4.0, 0.1234, None)]
    ['12,346', '300', '16.0', '4.00', '0.123', '-']
    """
    if value is None:
        return "-"
    if isinstance(value, int) or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"


def save(run: Json, path: Path) -> None:
    """Write a run as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(run, indent=1, ensure_ascii=False) + "\n")


def publish(run: Json) -> None:
    """Make a run the reference of its engine, and the tables in README.md those of all."""
    save(run, RESULTS / f"{run['engine']}.json")
    README.write_text(with_results(README.read_text()))


def with_results(text: str) -> str:
    """Return README.md with the tables of the reference runs."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    runs = [RESULTS / f"{engine}.json" for engine in ENGINES]
    tables = [
        f"## The {path.stem} engine\n\n{render(json.loads(path.read_text()))}"
        for path in runs
        if path.exists()
    ]
    return before + BEGIN + "\n" + "\n".join(tables) + "\n" + END + after
