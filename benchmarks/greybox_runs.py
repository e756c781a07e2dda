"""The grey-box tables on runs of real programs: our MPI sample, and LULESH's published times.

The sample's ranks share a few cores, so wall time says nothing about a parallel machine. Measured
are the CPU seconds of each rank's own work and, exactly, its messages, bytes and collectives. The
time of a run is that of its slowest rank, with the LogGP cost of its communication added
(`benchmarks.simulator.machine`).

LULESH's sizes are per rank (weak scaling). Its times are divided by the number of processes, so
that the speed-up is Gustafson's: how much more work is done in the same time; the largest number of
processes is held out.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.simulator.machine import Machine
from modeling.data.timed_runs import Runs

from .greybox_tables import evaluate, print_promise, print_table

ROOT = Path(__file__).parent.parent
_KERNELS = {1: "stencil", 2: "solver", 3: "transpose", 4: "tasks"}
_CELLS = tuple(2**k for k in (14, 16, 17, 18, 20))
_RANKS = (1, 2, 3, 4, 6, 8, 12, 16)
_STEPS = 4
_REGIONS = 10


def print_samples(seed: int) -> None:
    """Tables of the sample, strong and hybrid scaling, and of LULESH where LULESH_RANKS names its
    file."""
    outcomes = []
    if shutil.which("mpicc") and shutil.which("mpiexec"):
        runs = sample_runs()
        for hybrid in (False, True):
            outcomes += print_table(
                f"Our MPI sample, 1 to {_RANKS[-1]} ranks, {'hybrid' if hybrid else 'strong'}"
                " scaling, CPU time of the slowest rank and charged communication",
                {name: partial(evaluate, r, seed, hybrid=hybrid) for name, r in runs.items()},
            )
    else:
        print("\nno mpicc: our MPI sample is left out")
    path = os.environ.get("LULESH_RANKS")
    if path:
        outcomes += print_table(
            "LULESH, 27 to 343 processes of 25^3 to 45^3 cells each, scaled speed-ups, 343"
            " held out",
            {
                f"{k} {name[-6:]}": partial(evaluate, r, seed, hybrid=False, cut=0.75, grown=1.0)
                for k, (name, r) in enumerate(lulesh_runs(Path(path)).items())
            },
        )
    if outcomes:
        print_promise(outcomes)


def sample_runs() -> dict[str, Runs]:
    """Every kernel of samples/scaling at all sizes and numbers of ranks; the faster of two runs."""
    machine, rows = Machine(), dict[str, list[tuple[float, float, float]]]()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "scaling"
        subprocess.run(
            ["mpicc", "-O2", str(ROOT / "samples/scaling/scaling.c"), "-o", str(program), "-lm"],
            check=True,
        )
        for kernel, name in _KERNELS.items():
            for n in _CELLS:
                for p in _RANKS:
                    words = [
                        "mpiexec",
                        "-n",
                        str(p),
                        str(program),
                        str(kernel),
                        str(n),
                        str(_STEPS),
                    ]
                    times = [
                        _slowest(
                            subprocess.run(
                                words, check=True, capture_output=True, text=True
                            ).stdout,
                            p,
                            machine,
                        )
                        for _ in range(2)
                    ]
                    rows.setdefault(name, []).append((n, p, min(times)))
            print(f"{name}: {len(rows[name])} configurations run", flush=True)
    return {name: _runs(found) for name, found in rows.items()}


def _slowest(output: str, ranks: int, machine: Machine) -> float:
    """Seconds of the rank that takes longest."""
    table: dict[str, dict[int, float]] = {}
    for line in output.splitlines():
        o = json.loads(line)
        table.setdefault(o["metric"], {})[int(o["rank"])] = float(o["value"])
    one = float(machine.message(0.0, True, ranks, 1))
    return max(
        table["compute"][r]
        + table["messages"][r] * one
        + table["bytes"][r] * machine.network.byte_s
        + table["collectives"][r] * machine.all_reduce(8.0, ranks, 1)
        for r in range(ranks)
    )


def lulesh_runs(path: Path) -> dict[str, Runs]:
    """The regions that take most time: the slowest rank's, mean over the repetitions, over the
    number of processes."""
    cells: dict[tuple[str, float, float, str], float] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for r in csv.DictReader(file):
            key = r["region"], float(r["size"]) ** 3, float(r["p"]), r["rep"]
            cells[key] = max(cells.get(key, 0.0), float(r["time_s"]))
    times: dict[str, dict[tuple[float, float], list[float]]] = {}
    for (region, size, p, _), value in cells.items():
        times.setdefault(region, {}).setdefault((size, p), []).append(value)
    longest = sorted(times, key=lambda region: -max(np.mean(v) for v in times[region].values()))
    fewest = min(p for _, _, p, _ in cells)
    whole = [region for region in longest if all(min(v) > 0 for v in times[region].values())]
    return {
        region: _runs(
            [
                (size, p / fewest, float(np.mean(v)) * fewest / p)
                for (size, p), v in times[region].items()
            ]
        )
        for region in whole[:_REGIONS]
    }


def _runs(rows: list[tuple[float, float, float]]) -> Runs:
    size, nodes, time = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    return Runs(size, nodes, np.ones(len(rows)), time)
