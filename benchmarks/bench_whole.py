"""Laws of small whole programs: of how many loops the total is the law that a person would write,
over the program's own inputs, with every compiler found.

    python -m benchmarks.bench_whole [--only NAME,...] [--compilers clang-14,clang-19,zig] [--all]
        [--json FILE]

The programs and their laws are those of tests/whole; what is claimed is held against counted runs.
The exit code is 1 if a run contradicts a law.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from staticana import Compiler, find_compiler
from staticana.frontend.clang import usable_compilers
from tests.whole.laws import Verdict, programs, verdicts

_SORTS = ("law", "other", "none", "wrong")


def measure(compiler: Compiler, names: tuple[str, ...]) -> list[Verdict]:
    """The verdicts on all programs with one compiler."""
    found: list[Verdict] = []
    # the counters of the runs need clang's sanitizer
    truth = next((c for c in usable_compilers() if c.kind == "clang"), None)
    for whole in programs(names):
        with tempfile.TemporaryDirectory(prefix="bench-whole-") as folder:
            found += verdicts(whole, Path(folder), compiler, truth)
    return found


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="programs, by name")
    parser.add_argument("--compilers", default="", help="as in LOOPLAW_CC; default: all found")
    parser.add_argument("--all", action="store_true", help="list the laws that were found, too")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    names = tuple(filter(None, options.only.split(",")))
    rows: dict[str, list[Verdict]] = {}
    for title, compiler in _compilers(options.compilers):
        rows[title] = measure(compiler, names)
    print(f"{'compiler':<20}{'loops':>7}" + "".join(f"{s:>7}" for s in _SORTS) + f"{'share':>8}")
    for title, found in rows.items():
        number = Counter(v.sort for v in found)
        share = number["law"] / len(found) if found else 0
        counts = "".join(f"{number[s]:>7}" for s in _SORTS)
        print(f"{title:<20}{len(found):>7}{counts}{share:>8.1%}")
    for title, found in rows.items():
        for v in found:
            if options.all or v.sort != "law":
                print(f"{title}: {v}")
    if options.json:
        lines = [{"compiler": t, **vars(v)} for t, found in rows.items() for v in found]
        options.json.write_text(json.dumps(lines, indent=1) + "\n")
    return int(any(v.sort == "wrong" for found in rows.values() for v in found))


def _title(compiler: Compiler) -> str:
    return "zig" if compiler.kind == "zig" else Path(compiler.command[0]).name


def _compilers(wanted: str) -> list[tuple[str, Compiler]]:
    if not wanted:
        return [
            (Path(c.command[0]).name if c.kind == "clang" else "zig", c) for c in usable_compilers()
        ]
    found = []
    for name in wanted.split(","):
        os.environ["LOOPLAW_CC"] = name
        found.append((name, find_compiler()))
    return found


if __name__ == "__main__":
    sys.exit(main())
