"""Bulk modeling: a million series in Parquet, modelled by one process, by threads and by Dask; the
merge of a hundred thousand ranks; and the extrapolation to 10^6 ranks x 10^3 kernels.

    python -m benchmarks.bench_scale [--series 10000,100000,1000000] [--parameters 1,2]
        [--most-of-two 10000] [--ranks 100000] [--kernels 1000] [--seed 1] [--folder DIR] [--json
        FILE]

Series have 25 points and 5 repetitions, with 2 % noise: one parameter at 25 values, or two at 5 x
5. Their laws are c0 + c1 n^i log2(n)^j (and times p^k for two), exponents from the usual ones. Each
size is generated into Parquet partition by partition and modelled by `looplaw fit`, a process of
its own, which writes all models as Parquet. Memory is the largest of its processes times their
number. Processes use one thread for linear algebra.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import numpy as np

from looplaw.bulk.dataset import MOST_ROWS, Block, Design, write_part
from modeling import Layout
from modeling.data.measurements import Floats
from modeling.readers.statistics import write_layout, write_process

ROOT = Path(__file__).resolve().parent.parent
REPETITIONS, NOISE = 5, 0.02
MOST_ALONE = 100_000
"""Larger sizes are modelled by the two engines that use both cores."""
POWERS, LOGARITHMS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0), (0, 0, 1)
ENGINES = {
    "one thread": ("--threads", "1"),
    "two threads": ("--threads", "2"),
    "two workers": ("--workers", "2"),
}
FIT = (sys.executable, "-m", "looplaw", "fit")
MERGE = (sys.executable, "-m", "looplaw", "merge")
EVENT_BYTES = 2 * 12
"""An enter and a leave record of a trace: time stamp and region, compressed as OTF2 does it."""
PROFILE_BYTES = 8
"""A value of a profile for each process, call path and metric, as CUBE keeps it."""
CALLS = 1000
"""Of a kernel in a run: what a trace depends on and nothing else does."""


@dataclass(frozen=True)
class Usage:
    """Cost of a process with its children: wall and CPU seconds, bytes of the largest of them."""

    wall_s: float
    cpu_s: float
    largest_bytes: int


@dataclass(frozen=True)
class Row:
    """The cost of modeling a number of series by one engine; memory of all its processes."""

    parameters: int
    series: int
    engine: str
    wall_s: float
    cpu_s: float
    memory_bytes: int

    @property
    def microseconds(self) -> float:
        return 1e6 * self.cpu_s / self.series


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--series", default="10000,100000,1000000")
    parser.add_argument("--parameters", default="1,2")
    parser.add_argument(
        "--most-of-two", type=int, default=10_000, help="series with two parameters at most"
    )
    parser.add_argument("--ranks", type=int, default=100_000)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder", type=Path, help="where the files go (default: a temporary directory)"
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--ranks-to-stdout", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ranks_to_stdout:
        send_ranks(options.ranks, options.kernels, options.seed)
        return
    sizes = [int(text) for text in options.series.split(",") if text]
    with tempfile.TemporaryDirectory(prefix="bench-scale-", dir=options.folder) as folder:
        rows = [
            row
            for parameters in map(int, options.parameters.split(","))
            for row in modeling(
                Path(folder),
                parameters,
                [n for n in sizes if parameters == 1 or n <= options.most_of_two],
                options.seed,
            )
        ]
        merging = (
            merge(Path(folder), options.ranks, options.kernels, options.seed)
            if options.ranks
            else {}
        )
    projected = project(merging, rows) if merging and rows else {}
    if options.json:
        data = {
            "rows": [asdict(r) | {"cpu_us_per_series": r.microseconds} for r in rows],
            "merge": merging,
            "projected": projected,
        }
        options.json.write_text(json.dumps(data, indent=1) + "\n")


# -- series
def design(parameters: int) -> Design:
    """25 points."""
    if parameters == 1:
        return Design(
            ("n",),
            tuple((float(x),) for x in np.unique(np.round(np.geomspace(16, 65536, 25)))),
            (REPETITIONS,) * 25,
        )
    return Design(
        ("n", "p"),
        tuple((float(n), float(p)) for n in (64, 128, 256, 512, 1024) for p in (1, 2, 4, 8, 16)),
        (REPETITIONS,) * 25,
    )


def block(of: Design, first: int, size: int, seed: int) -> Block:
    """Series `first`, `first` + 1, ...; each partition has random numbers of its own."""
    rng = np.random.default_rng((seed, len(of.parameters), first))
    n = of.table[:, 0]
    power, log = rng.choice(POWERS, (size, 1)), rng.choice(LOGARITHMS, (size, 1))
    shape = (n / n.max()) ** power * (np.log2(n) / np.log2(n.max())) ** log
    if len(of.parameters) > 1:
        shape = shape * of.table[:, 1] ** rng.choice((-1.0, -0.5, 0.0, 0.5), (size, 1))
    law = 10 ** rng.uniform(-2, 2, (size, 1)) * (rng.uniform(0.01, 0.5, (size, 1)) + shape)
    values: Floats = np.repeat(law, REPETITIONS, axis=1) * (
        1 + NOISE * rng.standard_normal((size, law.shape[1] * REPETITIONS))
    )
    return Block(
        of,
        range(first, first + size),
        [f"main->f{k % 97}->kernel{k}" for k in range(first, first + size)],
        ["time"] * size,
        values,
    )


def generate(folder: Path, parameters: int, series: int, seed: int) -> None:
    """A dataset; in memory is one partition."""
    folder.mkdir()
    of = design(parameters)
    for number, first in enumerate(range(0, series, MOST_ROWS)):
        write_part(
            folder / f"part-{number:06d}.parquet",
            [block(of, first, min(MOST_ROWS, series - first), seed)],
        )


def modeling(folder: Path, parameters: int, sizes: Sequence[int], seed: int) -> list[Row]:
    """Every size by every engine; the largest ones by the two that use both cores."""
    print(
        f"\n{parameters} parameter{'s' * (parameters > 1)}: 25 points x {REPETITIONS} repetitions",
        flush=True,
    )
    print(
        f"{'series':>9} "
        f" {'engine':<12}{'wall, s':>9}{'CPU, s':>9}{'us/series':>11}{'memory, MB':>12}  "
        " Parquet, MB"
    )
    rows = []
    for series in sizes:
        data = folder / f"data-{parameters}-{series}"
        started = time.monotonic()
        generate(data, parameters, series, seed)
        nbytes = sum(p.stat().st_size for p in data.iterdir())
        print(
            f"{series:>9} "
            f" {'generated':<12}{time.monotonic() - started:>9.1f}{'':>32}{nbytes / 1e6:>14.0f}",
            flush=True,
        )
        digests = {}
        for engine, words in ENGINES.items():
            if series > MOST_ALONE and words[-1] == "1":
                continue
            out = folder / f"models-{parameters}-{series}-{engine.replace(' ', '-')}"
            used = run([*FIT, str(data), *words, "--out", str(out), "--top", "3"], folder)
            memory = used.largest_bytes * (3 if "--workers" in words else 1)
            rows.append(Row(parameters, series, engine, used.wall_s, used.cpu_s, memory))
            digests[engine] = content(out)
            written = sum(p.stat().st_size for p in out.iterdir())
            print(
                f"{series:>9} "
                f" {engine:<12}{used.wall_s:>9.1f}{used.cpu_s:>9.1f}{rows[-1].microseconds:>11.0f}"
                f"{rows[-1].memory_bytes / 1e6:>12.0f}{written / 1e6:>14.0f}",
                flush=True,
            )
            remove(out)
        remove(data)
        if len(set(digests.values())) > 1:
            raise SystemExit(f"the models of {series} series differ between {', '.join(digests)}")
        print(f"{'':>9}  models are equal, bit by bit, between {', '.join(digests)}")
    return rows


def content(folder: Path) -> tuple[bytes, ...]:
    """A digest of the files' content that does not depend on the order of rows."""
    return tuple(
        subprocess.run(
            ["sha256sum"], input=path.read_bytes(), capture_output=True, check=True
        ).stdout
        for path in sorted(folder.iterdir())
    )


def remove(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def run(
    words: Sequence[str], folder: Path, given: IO[bytes] | int | None = subprocess.DEVNULL
) -> Usage:
    """Run a command of looplaw."""
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    started = time.monotonic()
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment,
        stdin=given,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)}: exit code {process.returncode}")
    return Usage(
        time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    )


# -- ranks
def send_ranks(ranks: int, kernels: int, seed: int) -> None:
    """Statistics of simulated ranks, one after the other, to stdout: five observations of each
    kernel."""
    rng = np.random.default_rng(seed)
    cells = Layout(
        tuple((f"main->kernel{k}", "time", ("n", "p")) for k in range(kernels)),
        (((1024.0, float(ranks)),),) * kernels,
    )
    name = write_layout(sys.stdout.buffer, cells)
    counts = np.full(kernels, 5.0)
    for _ in range(ranks):
        write_process(
            sys.stdout.buffer,
            name,
            counts,
            rng.uniform(1, 2, kernels),
            rng.uniform(0, 0.1, kernels),
        )


def merge(folder: Path, ranks: int, kernels: int, seed: int) -> dict[str, float]:
    """A stream of ranks, and a tree of merges of what other merges wrote."""
    print(f"\n{ranks} ranks x {kernels} kernels, merged as they come by one process", flush=True)
    words = [
        sys.executable,
        "-m",
        "benchmarks.bench_scale",
        "--ranks-to-stdout",
        "--kernels",
        str(kernels),
    ]
    found = {}
    for count in (ranks // 100, ranks):
        with subprocess.Popen(
            [*words, "--ranks", str(count), "--seed", str(seed)],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        ) as source:
            found[count] = run([*MERGE, "-", "--out", f"{count}.stats"], folder, source.stdout)
    small, used = found[ranks // 100], found[ranks]
    start_s = small.cpu_s - (used.cpu_s - small.cpu_s) / 99
    per_rank = (used.cpu_s - small.cpu_s) / (ranks - ranks // 100)
    merged = (folder / f"{ranks}.stats").stat().st_size
    nodes = 64
    for k in range(nodes):
        (folder / f"node{k}.stats").write_bytes((folder / f"{ranks}.stats").read_bytes())
    tree = run([*MERGE, *(f"node{k}.stats" for k in range(nodes)), "--out", "tree.stats"], folder)
    per_node = max(0.0, tree.cpu_s - start_s) / nodes
    print(
        f"{used.wall_s:.1f} s, {used.cpu_s:.1f} s CPU: {1e6 * per_rank:.0f} us a rank,"
        f" {1e9 * per_rank / kernels:.0f} ns a kernel of a rank; {used.largest_bytes / 1e6:.0f} MB"
        f" with {ranks} ranks, {small.largest_bytes / 1e6:.0f} MB with {ranks // 100}"
    )
    print(f"merged: {merged / 1e3:.0f} kB; merging one such: {1e3 * per_node:.1f} ms")
    return {
        "ranks": ranks,
        "kernels": kernels,
        "cpu_s": used.cpu_s,
        "wall_s": used.wall_s,
        "s_per_rank": per_rank,
        "s_per_merged": per_node,
        "bytes_of_rank": 24.0 * kernels,
        "bytes_merged": float(merged),
        "memory_bytes": float(used.largest_bytes),
        "memory_bytes_of_1_percent": float(small.largest_bytes),
    }


# -- on paper
def project(
    measured: dict[str, float],
    rows: Sequence[Row],
    ranks: int = 10**6,
    kernels: int = 1000,
    experiments: int = 25,
    cores: int = 128,
) -> dict[str, float]:
    """What 10^6 ranks x 10^3 kernels at 25 points of 5 runs take, from what was measured here."""
    scale = kernels / measured["kernels"]
    cost = {
        p: max((r for r in rows if r.parameters == p), key=lambda r: r.series).microseconds * 1e-6
        for p in sorted({r.parameters for r in rows})
    }
    levels = int(np.ceil(np.log(ranks / cores) / np.log(64)))
    found = {
        "trace_bytes": float(ranks * kernels * CALLS * REPETITIONS * EVENT_BYTES) * experiments,
        "profile_bytes": float(ranks * kernels * PROFILE_BYTES) * experiments * REPETITIONS,
        "rank_bytes": 24.0 * kernels * ranks * experiments,
        "node_bytes": measured["bytes_merged"] * scale * ranks / cores * experiments,
        "merged_bytes": measured["bytes_merged"] * scale * experiments,
        "one_process_s": measured["s_per_rank"] * scale * ranks * experiments,
        "tree_s": (
            (cores * measured["s_per_rank"] + levels * 64 * measured["s_per_merged"])
            * scale
            * experiments
        ),
        **{f"fit_{p}_parameters_s": kernels * s for p, s in cost.items()},
    }
    print(
        f"\nOn paper: {ranks} ranks x {kernels} kernels, {experiments} points of {REPETITIONS}"
        f" runs, nodes of {cores} ranks, merges of 64 at a time in {levels} levels above the nodes"
    )
    for name, value in found.items():
        print(f"{name:<20}{value:>12.4g} {'bytes' if name.endswith('bytes') else 's'}")
    return found


if __name__ == "__main__":
    main()
