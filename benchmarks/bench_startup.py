"""What a command costs before it works on anything: CPU seconds of small calls.

    python -m benchmarks.bench_startup [--runs 5] [--json FILE]

Each command is a process of its own; user and system time together, with those of the compiler
and of the programs that it starts. The studies that some of them read are made before.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from looplaw_common.files import write_whole

FORMAT = "looplaw-bench-startup/1"
_FIVE_LINES = """#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += i ^ j;
    return s == 3; }
"""
_SERIES = "n,value\n10,10\n20,20.1\n40,40.2\n80,80.3\n160,161\n"
_STEPS = """#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);
    double *u = calloc((size_t)n * m, sizeof *u), s = 0;
    if (!u) return 1;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                u[i * m + j] = 1 + 0.5 * u[(i - 1) * m + j - 1] - 0.1 * u[i * m + j];
    for (int i = 0; i < n * m; i++) s += u[i];
    printf("%g\\n", s);
    return 0; }
"""
_MODELS = "five/models.json"
_OF_FIVE_LINES = ("study", "five.c", "--vary", "n=5,10,20,40,80", "--out")
_OF_STEPS = ("study", "steps.c", "--vary", "n=50,100,200", "--vary", "m=60,120", "--vary")
MADE_BEFORE = ((*_OF_FIVE_LINES, "five"), (*_OF_STEPS, "steps=5,10", "--out", "steps"))
COMMANDS = {
    "import looplaw": ("-c", "import looplaw"),
    "looplaw --help": ("-m", "looplaw", "--help"),
    "looplaw analyze, five lines": ("-m", "looplaw", "analyze", "five.c"),
    "looplaw fit, one series": ("-m", "looplaw", "fit", "series.csv"),
    "looplaw study, five lines": ("-m", "looplaw", *_OF_FIVE_LINES, "new{run}"),
    "looplaw check, its study": ("-m", "looplaw", "check", "five"),
    "looplaw predict, its models": ("-m", "looplaw", "predict", _MODELS, "--at", "n=1000"),
    "looplaw next, three parameters": ("-m", "looplaw", "next", "steps"),
}


_COST = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)"""


def cost_of(words: tuple[str, ...], folder: Path, runs: int) -> float:
    """CPU seconds of a command and of what it starts: the median of some runs.

    Raises:
        CalledProcessError: it failed.
    """
    command = [sys.executable, "-c", _COST, sys.executable, *words]
    return statistics.median(
        float(
            subprocess.run(
                [word.format(run=run) for word in command],
                cwd=folder,
                check=True,
                capture_output=True,
            ).stdout
        )
        for run in range(runs)
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench_startup")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path, help="Write the results to this file.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="looplaw-bench-") as name:
        folder = Path(name)
        (folder / "five.c").write_text(_FIVE_LINES, encoding="utf-8")
        (folder / "steps.c").write_text(_STEPS, encoding="utf-8")
        (folder / "series.csv").write_text(_SERIES, encoding="utf-8")
        for words in MADE_BEFORE:
            subprocess.run(
                [sys.executable, "-m", "looplaw", *words],
                cwd=folder,
                check=True,
                capture_output=True,
            )
        costs = {title: cost_of(words, folder, options.runs) for title, words in COMMANDS.items()}
    for title, seconds in costs.items():
        print(f"{title:30} {seconds:6.2f} CPU s")
    if options.json:
        write_whole(options.json, json.dumps({"format": FORMAT, "cpu_s": costs}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
