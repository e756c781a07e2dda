"""`make bench-sure`: what once sounded sure and was wrong, by point: how many cases were known, how
many tests hold the family now and how many of them fail, and which generator draws more of it."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]


class Point(NamedTuple):
    """One family. known: cases that were wrong when it was looked for; tests: files or folders,
    with `::` and a word those whose names hold it."""

    what: str
    known: int
    tests: tuple[str, ...]
    generator: str


POINTS = (
    Point(
        "verdicts that forget what a formula assumes",
        5,
        (
            "tests/looplaw/gate/test_assumed_laws.py",
            "tests/modeling/expectations/test_formula_verdict.py",
            "tests/fuzz/test_checks.py",
        ),
        "make fuzz-checks",
    ),
    Point(
        "sizes of OpenMP's teams",
        16,
        ("tests/staticana/frontend/test_openmp.py", "tests/fuzz/test_families.py::parallel"),
        "make fuzz, openmp",
    ),
    Point(
        "what the library does",
        14,
        ("tests/staticana/alias/test_library.py",),
        "make fuzz, library",
    ),
    Point(
        "words and their ranges",
        5,
        ("tests/claims::word", "tests/claims::range"),
        "make fuzz, ranges",
    ),
    Point(
        "exact 0 of what others call",
        1,
        ("tests/staticana/alias/test_handed_out.py", "tests/staticana/alias/test_exceptions.py"),
        "make fuzz, callbacks and exceptions",
    ),
    Point(
        "how a study runs", 3, ("tests/looplaw/studies/test_way_of_running.py",), "table of options"
    ),
    Point("models that look sure", 8, ("tests/modeling/fitter/test_said.py",), "random series"),
    Point("data merged in silence", 4, ("tests/modeling/readers/test_keys.py",), "random tables"),
    Point("the gate", 7, ("tests/looplaw/gate/test_gate.py",), "pairs with a mutation each"),
    Point("what limits a program", 2, ("tests/looplaw/laws/test_forecast.py",), "random times"),
    Point("the plugin for pytest", 1, ("tests/looplaw/pytest_plugin/test_scaling.py",), "by hand"),
    Point("laws of studies", 2, ("tests/looplaw/laws/test_binding.py",), "random bindings"),
    Point("the faster of two versions", 2, ("tests/looplaw/report/test_answer.py",), "by hand"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make bench-sure ARGS=...", description=__doc__)
    parser.add_argument("--json", type=Path, help="Write the results to this file.")
    options = parser.parse_args(arguments)
    rows = []
    print(f"{'point':45} {'known':>5} {'tests':>5} {'fail':>4}  generator")
    for point in POINTS:
        tests, failures = _run(point)
        rows.append({**point._asdict(), "tests": tests, "failures": failures})
        print(
            f"{point.what:45} {point.known:5} {tests:5} {failures:4}  {point.generator}", flush=True
        )
    tests, failures = (sum(int(str(r[k])) for r in rows) for k in ("tests", "failures"))
    print(f"{'all':45} {sum(p.known for p in POINTS):5} {tests:5} {failures:4}")
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if failures or not all(r["tests"] for r in rows) else 0


def _run(point: Point) -> tuple[int, int]:
    """How many tests ran, and how many failed."""
    ran = failed = 0
    for target in point.tests:
        path, _, word = target.partition("::")
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder, "tests.xml")
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path]
            command += ["-k", word] * bool(word)
            subprocess.run(
                [*command, f"--junit-xml={report}"],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                check=False,
            )
            # our own file, of a run that we started
            found = ElementTree.parse(report).getroot().iter("testsuite")
            for suite in found:
                counts = {
                    k: int(suite.get(k, 0)) for k in ("tests", "skipped", "failures", "errors")
                }
                ran += counts["tests"] - counts["skipped"]
                failed += counts["failures"] + counts["errors"]
    return ran, failed


if __name__ == "__main__":
    sys.exit(main())
