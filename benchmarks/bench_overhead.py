"""Cost of counting: instrumented programs against the same programs without counters, both built here at -O3.

    python benchmarks/bench_overhead.py [--runs 7] [--json FILE]

CPU time is the median of several runs, alternating; instructions come from valgrind's callgrind where it is installed.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from runtime import build_program, plan_all, run
from staticana import canonical, compile_sources, parse_module

SAMPLES = Path(__file__).parent.parent / "samples"
ARGUMENTS = {"matmul": ["300", "300", "300"], "lu": ["500"], "stencil": ["500", "100"], "cg": ["150", "60"],
             "mergesort": ["600000"], "nbody": ["5000"], "fft": ["17"], "ep": ["23", "1", "10"], "trsv": ["3000"],
             "slides": ["4096", "1", "6000000"]}
SMALL = {"matmul": ["60", "60", "60"], "lu": ["90"], "stencil": ["90", "10"], "cg": ["30", "5"], "mergesort": ["5000"],
         "nbody": ["400"], "fft": ["10"], "ep": ["15", "1", "10"], "trsv": ["300"], "slides": ["256", "1", "50000"]}


def instructions(command: list[str]) -> int | None:
    """Instructions executed, by callgrind."""
    if shutil.which("valgrind") is None:
        return None
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if found else None


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: dict[str, dict[str, float | int | None]] = {}
    print(f"{'program':<12}{'loops':>6}{'plain s':>10}{'counted s':>11}{'time ratio':>12}{'instruction ratio':>19}")
    with tempfile.TemporaryDirectory() as folder:
        for name, argv in ARGUMENTS.items():
            text = canonical(compile_sources([SAMPLES / name / f"{name}.c"]))
            plan = plan_all(parse_module(text))
            plain = build_program(text, None, Path(folder) / f"{name}-plain").executable
            counted = build_program(text, plan, Path(folder) / f"{name}-counted").executable
            times: dict[Path, list[float]] = {plain: [], counted: []}
            for _ in range(options.runs):
                for program in (plain, counted):
                    cells = Path(folder) / "cells" if program is counted else None
                    times[program].append(run([str(program), *argv], cells=cells).cpu_s)
            before, after = (statistics.median(times[p]) for p in (plain, counted))
            n0, n1 = (instructions([str(p), *SMALL[name]]) for p in (plain, counted))
            ratio = n1 / n0 if n0 and n1 else None
            rows[name] = {"loops": len(plan.counters), "plain_s": before, "counted_s": after,
                          "time_ratio": after / before, "instructions_ratio": ratio}
            print(f"{name:<12}{len(plan.counters):>6}{before:>10.3f}{after:>11.3f}{after / before:>12.3f}"
                  f"{f'{ratio:.3f}' if ratio else '-':>19}")
    middle = statistics.median(float(r["time_ratio"] or 1) for r in rows.values())
    print(f"median time ratio {middle:.3f}. Instructions at small sizes, start-up included.")
    if options.json:
        options.json.write_text(json.dumps({"programs": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
