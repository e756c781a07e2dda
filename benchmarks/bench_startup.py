"""What a command costs before it works on anything: CPU seconds of small calls.

    python -m benchmarks.bench_startup [--runs 5] [--json FILE]

Each command is a process of its own; user and system time together, with those of the compiler
where one is started.
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
COMMANDS = {
    "import looplaw": ("-c", "import looplaw"),
    "looplaw --help": ("-m", "looplaw.cli.main", "--help"),
    "looplaw analyze, five lines": ("-m", "looplaw.cli.main", "analyze", "five.c"),
    "looplaw fit, one series": ("-m", "looplaw.cli.main", "fit", "series.csv"),
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
        float(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout)
        for _ in range(runs)
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
        (folder / "series.csv").write_text(_SERIES, encoding="utf-8")
        costs = {title: cost_of(words, folder, options.runs) for title, words in COMMANDS.items()}
    for title, seconds in costs.items():
        print(f"{title:30} {seconds:6.2f} CPU s")
    if options.json:
        write_whole(options.json, json.dumps({"format": FORMAT, "cpu_s": costs}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
