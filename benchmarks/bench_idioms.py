"""Everyday C++, idiom by idiom: how many loops have the law that is expected of them.

Each program of tests/idioms/programs is compiled by each compiler, and the formula of every loop is
held against the law beside it and the counts of a twin: make bench-idioms ARGS='--compiler zig'
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from staticana import Compiler
from staticana.frontend.clang import usable_compilers
from tests.idioms.laws import Verdict, all_idioms, verdicts


def _compilers(names: Sequence[str]) -> list[Compiler]:
    found = usable_compilers()
    if not names:
        return list(found)
    return [c for c in found if c.kind in names or f"clang-{c.version[0]}" in names]


def measure(compilers: Sequence[Compiler], programs: Sequence[str]) -> dict[str, list[Verdict]]:
    """The verdicts by compiler; the twins are built by the first clang there is."""
    for_twin = next((c for c in usable_compilers() if c.kind == "clang"), compilers[0])
    found: dict[str, list[Verdict]] = {str(c): [] for c in compilers}
    for idiom in all_idioms(programs):
        with tempfile.TemporaryDirectory() as folder:
            runs = idiom.runs(Path(folder), for_twin)
        for c in compilers:
            found[str(c)] += verdicts(idiom, runs, c)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="names of programs; all by default")
    parser.add_argument("--compiler", action="append", default=[], help="clang-14, clang-19, zig")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--failures", action="store_true", help="list loops without their law")
    options = parser.parse_args()
    found = measure(_compilers(options.compiler), options.programs)
    console = Console(soft_wrap=True)
    table = Table("compiler", "loops", "as expected", "%", "wrong")
    for name, loops in found.items():
        right, wrong = sum(v.as_expected for v in loops), sum(v.wrong for v in loops)
        share = f"{100 * right / max(1, len(loops)):.1f}"
        table.add_row(name, str(len(loops)), str(right), share, str(wrong))
        for v in loops:
            if v.wrong or (options.failures and not v.as_expected):
                mark = "WRONG" if v.wrong else "-"
                line = f"{mark} {v.program}:{v.line} [{v.law}] {v.found}"
                console.print(line, markup=False, highlight=False)
    console.print(table)
    if options.json:
        rows = {name: [v.__dict__ for v in loops] for name, loops in found.items()}
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
