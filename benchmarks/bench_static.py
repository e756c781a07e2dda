"""How many loops of real programs the static analysis counts, checked against runs, and compared
with LLVM's ScalarEvolution.

    LULESH=DIR HPCG=DIR ... python -m benchmarks.bench_static [--only NAME,...] [--reasons] [--json
    FILE]
    python -m benchmarks.bench_static --large FILE.bc[:ENTRY] ...
    python -m benchmarks.bench_static --merge FILE.json ...

programs.py lists the programs and where they are published; those whose variable is not set are
skipped. PROGRAMS=DIR:DIR adds programs that a file beside their sources describes (see
static/described.py). Every step runs in a process of its own. A loop's result is the weakest of all
builds and
runs of its program. The exit code is 1 if a count is wrong or the analysis fails, 2 if a program
cannot be built or run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from .programs import BENCHMARKS
from .static.described import described_program
from .static.large import large
from .static.measuring import measure
from .static.rows import Row, restored
from .static.tables import LEGEND, head, line_of, print_row, reasons, shares


def _options() -> argparse.Namespace:
    """The command line's options; `only` are names of programs in capitals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", help="names of programs, separated by commas")
    parser.add_argument("--unit", help="units of programs, such as cg or gemm, separated by commas")
    parser.add_argument(
        "--reasons", action="store_true", help="print why executing loops are not exact"
    )
    parser.add_argument(
        "--large", nargs="+", metavar="FILE.bc[:ENTRY]", help="analyse big modules, run nothing"
    )
    parser.add_argument(
        "--keep", type=Path, help="folder for the modules with wrong counts, failures or long times"
    )
    parser.add_argument(
        "--timeout", type=float, default=600, help="seconds for one step (default 600)"
    )
    parser.add_argument(
        "--run-timeout", type=float, default=60, help="seconds for one run (default 60)"
    )
    parser.add_argument(
        "--merge", nargs="+", type=Path, metavar="FILE", help="the table of runs with --json"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    try:
        more = [described_program(Path(f)) for f in os.environ.get("PROGRAMS", "").split(":") if f]
    except ValueError as error:
        parser.error(str(error))
    folders = [(b, os.environ.get(b.variable)) for b in BENCHMARKS]
    programs = [*((b, Path(f).resolve() if f else None) for b, f in folders), *more]
    known = [b.name.upper() for b, _ in programs]
    options.only = options.only.upper().split(",") if options.only else known
    unknown = sorted(set(options.only) - set(known))
    if unknown:
        choices = ", ".join(name.lower() for name in known)
        parser.error(f"--only {', '.join(unknown)}: choose from {choices}")
    options.programs = [(b, f) for b, f in programs if b.name.upper() in options.only]
    return options


def merged(files: Sequence[Path]) -> int:
    """Print the table of programs that were measured apart; of one that is in several files, the
    last."""
    rows: dict[str, Row] = {}
    for file in files:
        for name, found in json.loads(file.read_text())["programs"].items():
            rows[name] = restored(found)
    print(head())
    for name, row in rows.items():
        print_row(name, row)
    print(line_of("all", shares(list(rows.values()))))
    print(LEGEND)
    return 1 if any(row.wrong or row.failed for row in rows.values()) else 0


def main() -> int:
    """Run and print the table; returns the exit code."""
    options = _options()
    if options.large:
        return large(options.large, options)
    if options.merge:
        return merged(options.merge)
    opt = next(
        (name for name in ("opt-22", "opt-21", "opt-20", "opt-19") if shutil.which(name)), None
    )
    if opt is None:
        print(
            "no opt of LLVM 19 or later: LLVM's ScalarEvolution is skipped (apt install llvm-19)",
            file=sys.stderr,
        )
    rows: dict[str, Row] = {}
    print(head())
    for benchmark, folder in options.programs:
        name = benchmark.name
        if folder is None:
            print(
                f"{name:<10} skipped: clone {benchmark.source}, then set"
                f" {benchmark.variable}=FOLDER"
            )
            continue
        rows[name] = measure(benchmark, folder, options, opt)
        print_row(name, rows[name])
    everything = shares(list(rows.values()))
    print(line_of("all", everything))
    print(LEGEND)
    if options.reasons:
        print(reasons(rows))
    if options.json:
        programs = {
            name: {
                **shares([row]),
                **asdict(row),
                **{k: sorted(getattr(row, k)) for k in ("asked", "modelled", "missed")},
            }
            for name, row in rows.items()
        }
        document = {"format": "looplaw-bench-static/1", "peer": opt, "all": everything}
        text = json.dumps(document | {"programs": programs}, indent=1)
        options.json.write_text(f"{text}\n")
    if any(row.wrong or row.failed for row in rows.values()):
        return 1
    return 2 if any(row.unusable for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
