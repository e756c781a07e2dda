"""A sweep as a process of its own, for tests that end it.

    python -m tests.runtime.sweep.sweeper PROGRAM STORE FIRST LAST

Prints a line for each run: its parameter, and whether it was made here.
"""

from __future__ import annotations

import sys
from pathlib import Path

from runtime import Experiment, Repeated, Store, run_sweep


def main(program: str, folder: str, first: str, last: str) -> None:
    """Run the program with every number from first to last."""
    points = [Experiment({"n": n}, (str(n),)) for n in range(int(first), int(last) + 1)]
    for record, fresh in run_sweep(
        Path(program), Repeated(points, 1), Store(Path(folder)), identity="a", timeout_s=60
    ):
        print(record.params["n"], record.status, int(fresh), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
