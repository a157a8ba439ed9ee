"""``python -m benchmarks [subject …]``: measure, show, write; status 1 if anything is not right."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import gates, machine, report
from benchmarks.compiled import run_compiled
from benchmarks.measure import Effort
from benchmarks.registry import SUBJECTS
from engine import is_compiled

SCHEMA = 1
OUT = machine.ROOT / ".run" / "bench.json"


def main(argv: Sequence[str] | None = None) -> int:
    """Run subjects and judge their gates."""
    words = list(sys.argv[1:] if argv is None else argv)
    args = _parsed(words)
    if args.compiled:
        return run_compiled([word for word in words if word != "--compiled"])
    run = measure(args.subjects or list(SUBJECTS), Effort(args.repeats, 10 if args.short else 1))
    report.save(run, args.out)
    print(f"\n{report.render(run)}\nWritten to {args.out}.")
    status = 0 if is_good(run) else 1
    if args.publish:
        report.publish(run)
        if not is_compiled():
            status = max(status, run_compiled(words))
    return status


def measure(subjects: Sequence[str], effort: Effort) -> report.Json:
    """Return the run of some subjects, as it is written: README.md describes the form."""
    run = {"schema": SCHEMA} | machine.surroundings() | {"effort": asdict(effort)}
    results = []
    for name in subjects:
        print(f"{name}: {SUBJECTS[name].summary} …", end=" ", file=sys.stderr, flush=True)
        began = time.monotonic()
        results += [{"subject": name} | asdict(found) for found in SUBJECTS[name].run(effort)]
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    figures = {figure["key"]: figure["value"] for found in results for figure in found["figures"]}
    figures[gates.DIFFERENCES] = sum(len(found["differences"]) for found in results)
    judged = gates.judge(figures, subjects, is_compiled())
    return run | {"gates": [asdict(gate) for gate in judged], "results": results}


def is_good(run: report.Json) -> bool:
    """Say whether every gate was held and every peer was there."""
    held = all(gate["verdict"] == gates.HELD for gate in run["gates"])
    return held and not any(found["missing"] for found in run["results"])


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = _parser()
    args = parser.parse_args(words)
    for name in args.subjects:
        if name not in SUBJECTS:
            parser.error(f"subject {name!r} is unknown; known are: {', '.join(SUBJECTS)}")
    if args.repeats < 1:
        parser.error(f"--repeats is at least 1, not {args.repeats}")
    if args.publish and (args.subjects or args.short):
        parser.error("--publish takes a run of everything: leave out subjects and --short")
    return args


def _parser() -> argparse.ArgumentParser:
    lines = [f"  {name:<10} {subject.summary}" for name, subject in SUBJECTS.items()]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the engine against its peers.",
        epilog="\n".join(["subjects:", *lines]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "subjects", nargs="*", metavar="SUBJECT", help="what to measure (default: everything)"
    )
    parser.add_argument(
        "--repeats", type=int, default=3, help="how often each question is put (default: 3)"
    )
    parser.add_argument("--short", action="store_true", help="a tenth of the work")
    parser.add_argument("--out", type=Path, default=OUT, help=f"JSON file (default: {OUT})")
    parser.add_argument("--compiled", action="store_true", help="measure the compiled engine")
    parser.add_argument(
        "--publish", action="store_true", help="make runs of both engines the ones in README.md"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
