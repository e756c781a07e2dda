"""Figures on scaling: classes of ranks, checks of growth, grey-box predictions, speed.

    python -m benchmarks.bench_scaling [--seed 1] [--seeds 1000] [--only PART,...]

Parts: clusters, lulesh, boundary, check, speed, greybox, beyond, sensitivity, samples.

LULESH_RANKS=FILE names lulesh_per_rank.csv for all regions and sizes; without it the excerpt among
the tests is used.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.simulator.boundaries import boundary_kernel
from looplaw_common.formula.formula import parse_formula
from modeling.data.observations import Observation
from modeling.data.ranks import Experiment, RankedKernel, RankedMeasurements, by_rank
from modeling.expectations.expectations import Evidence, judge, parse_law
from modeling.expectations.growth_test import RISK, Sample, grows_beyond
from modeling.rank_classes.class_models import fit_diverging
from modeling.rank_classes.clusters import cluster_all
from modeling.rank_classes.match_clusters import match
from modeling.rank_classes.rank_rules import balanced_sides, outer_faces
from modeling.readers import read_observations

_NOISES = (0.02, 0.05, 0.1, 0.2)
_PARTS = "clusters,lulesh,boundary,check,speed,greybox,beyond,sensitivity,samples"
ROOT = Path(__file__).parent.parent


def clusters(seed: int, seeds: int) -> None:
    """Synthetic ranks: true clusters found whole, false splits of uniform ones."""
    rng = np.random.default_rng(seed)
    print(
        f"\nSynthetic ranks, {seeds} sets each from seed {seed}: clusters found exactly, all of"
        " their ranks and no other"
    )
    print(
        f"{'sizes of the clusters':<24}{'apart':>7}{'noise':>12}{'noise-aware':>13}{'one pass':>10}"
    )
    right = total = 0
    for sizes in ((32, 32), (4, 24, 36), (22, 21, 21), (4, 4, 8), (1, 63), (4, 76, 263)):
        truth = np.repeat(np.arange(len(sizes)), sizes)
        for step in (1.2, 1.3, 2.0):
            sets = list(step**truth * rng.uniform(0.95, 1.05, (seeds, len(truth))))
            hits = [
                sum(
                    np.array_equal(found == k, truth == k)
                    for found in cluster_all(sets, steady=steady)
                    for k in range(len(sizes))
                )
                for steady in (True, False)
            ]
            of = seeds * len(sizes)
            right, total = right + hits[0], total + of
            print(
                f"{sizes!s:<24}{step - 1:>7.0%}{'+-5 %':>12}{hits[0] / of:>13.1%}"
                f"{hits[1] / of:>10.1%}"
            )
    print(f"all: {right / total:.1%}")
    for label, draw in (
        ("+-5 %", lambda n: rng.uniform(0.95, 1.05, (seeds, n))),
        ("normal 2.5 %", lambda n: 1 + rng.normal(0, 0.025, (seeds, n))),
        ("normal 5 %", lambda n: 1 + rng.normal(0, 0.05, (seeds, n))),
    ):
        counts = {
            n: sum(found.max() > 0 for found in cluster_all(list(draw(n))))
            for n in (4, 16, 64, 343)
        }
        print(
            f"false splits of uniform ranks, noise {label}: "
            + ", ".join(f"{c} of {seeds} with {n} ranks" for n, c in counts.items())
        )


def lulesh() -> None:
    """Classes of LULESH's ranks from visits alone against the levels that are there."""
    path = Path(
        os.environ.get("LULESH_RANKS", ROOT / "tests/modeling/rank_classes/lulesh_visits.csv")
    )
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    rows = [
        Observation(
            {"p": float(r["p"]), "size": float(r.get("size") or 25)},
            r["region"],
            "visits",
            float(r["visits"]),
            rank=int(r["rank"]),
            repetition=int(r.get("rep", 1)),
        )
        for r in csv.DictReader(lines)
    ]
    print(f"\nLULESH, {path.name}: classes from visits alone")
    for m in match(by_rank(rows).kernels, by=("visits",)):
        exact = sum(
            len(np.unique(e.per_rank("visits")))
            == labels.max() + 1
            == len(set(zip(labels, e.per_rank("visits"))))
            for e, labels in zip(m.kernel.experiments, m.labels, strict=True)
        )
        laws: dict[str, int] = {}
        from modeling.rank_classes.class_sizes import size_law

        for c in range(len(m.names)):
            law = size_law(
                [len(e.ranks) for e in m.kernel.experiments],
                [int((x == c).sum()) for x in m.labels],
            )
            name = (
                "none" if law is None else law.formula + ("" if law.exact else " (approximately)")
            )
            laws[name] = laws.get(name, 0) + 1
        print(
            f"{m.kernel.callpath:<30} {len(m.names):>3} classes, exactly the levels in {exact} of"
            f" {len(m.labels)} experiments; sizes:"
            f" {', '.join(f'{n} x {law}' for law, n in laws.items())}"
        )


def boundary(seed: int) -> None:
    """The 2-D boundary example: counted with MPI up to 64 ranks, simulated up to 10,000."""
    found = []
    if shutil.which("mpicc") and shutil.which("mpiexec"):
        found.append(("MPI, 9 to 64 ranks", _boundary_by_mpi(), 5))
    else:
        print("\nno mpicc: the MPI program is left out")
    sides, ranks = (50, 100, 200, 400), (16, 64, 256, 1024, 4096, 10000)
    found.append(
        (
            f"simulated, 16 to 10,000 ranks, times +-2 %, seed {seed}",
            RankedMeasurements((boundary_kernel(ranks, sides, seed=seed),)),
            1,
        )
    )
    for label, data, steps in found:
        k = fit_diverging(data)[0]
        wrong = 0
        for e, labels in zip(k.matched.kernel.experiments, k.matched.labels, strict=True):
            grid = balanced_sides(len(e.ranks), 2)
            wrong += sum(
                int(c) != outer_faces(int(r), grid) for r, c in zip(e.ranks, labels, strict=True)
            )
        print(f"\nBoundaries, {label}: {wrong} ranks in the wrong class")
        for c, name in zip(k.classes, ("inner", "edge", "corner"), strict=True):
            print(
                f"  {name:<7} {c.law.formula if c.law else '?':<18} iterations"
                f" {c.models['iterations'].formula:<24} time {c.models['time'].formula}"
            )
        at = {"n": 1000.0, "p": 1e4, "steps": 5.0}
        costs = [
            float(k.classes[c].models["iterations"].evaluate(at))
            - float(k.classes[c - 1].models["iterations"].evaluate(at))
            for c in (1, 2)
        ]
        print(
            f"  iterations of a boundary cell: {costs[0] / 1000 / steps:g} and"
            f" {costs[1] / 1000 / steps:g} (8 in the program)"
        )


def _boundary_by_mpi() -> RankedMeasurements:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "boundary"
        subprocess.run(
            ["mpicc", "-O2", str(ROOT / "samples/boundary/boundary.c"), "-o", str(program)],
            check=True,
        )
        lines = [
            subprocess.run(
                ["mpiexec", "-n", str(p), str(program), str(n), "5"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for n in (20, 40, 80, 160)
            for p in (9, 16, 25, 36, 49, 64)
        ]
    return by_rank(read_observations("".join(lines), "boundary"), "boundary")


def check(seed: int, seeds: int) -> None:
    """False alarms and planted changes."""
    rng = np.random.default_rng(seed)
    shapes = (
        lambda n: n,
        lambda n: n * (n - 1) // 2,
        lambda n: np.ceil(np.log2(n)),
        lambda n: n * np.ceil(np.log2(n)),
        lambda n: n**3 // 3,
        lambda n: np.ceil(n / 7),
        lambda n: 40 + 0 * n,
        lambda n: np.floor(np.sqrt(n)),
    )
    texts = ("n", "n*(n-1)/2", "log(n)", "n*log(n)", "n^3", "n", "1", "sqrt(n)")
    alarms = 0
    for k in range(seeds):
        n = np.sort(rng.choice(np.arange(8, 5000), 6, replace=False)).astype(float)
        counts = shapes[k % len(shapes)](n)
        sample = Sample(("n",), n[:, None], tuple(np.array([c] * 2) for c in counts))
        alarms += (
            judge(
                parse_law("k", "iterations", f"O({texts[k % len(texts)]})"), "k", Evidence(sample)
            ).status
            == "broken"
        )
    print(
        f"\nCounts of unchanged programs at random sizes, {seeds} runs from seed {seed}: {alarms}"
        " false alarms"
    )
    _changes(rng, seeds)


def _changes(rng: np.random.Generator, seeds: int) -> None:
    """Alarms at times that grow as expected, and at ones that grow faster."""
    n, p = 2.0 ** np.arange(7, 14), 2.0 ** np.arange(1, 7)
    cases = (
        ("O(n) unchanged", n, "n", lambda x: 1e-6 + 1e-8 * x),
        ("O(n) -> O(n log n)", n, "n", lambda x: 1e-6 + 1e-8 * x * np.log2(x)),
        ("O(log p) unchanged", p, "log(n)", lambda x: 1e-5 + 1e-5 * np.log2(x)),
        ("O(log p) -> O(sqrt p)", p, "log(n)", lambda x: 1e-5 + 1e-5 * np.sqrt(x)),
        ("O(n log n) -> O(n), better", n, "n*log(n)", lambda x: 1e-6 + 1e-8 * x),
    )
    print(
        "Times, 5 repetitions, log-normal noise and 2 % disturbed runs (1 to 4 times as long),"
        f" risk {RISK:g}: alarms"
    )
    print(f"{'':<28}" + "".join(f"{f'noise {n:.0%}':>12}" for n in _NOISES))
    for label, x, text, law in cases:
        print(
            f"{label:<28}"
            + "".join(f"{_alarms(rng, x, law(x), text, noise, seeds):>12.1%}" for noise in _NOISES),
            flush=True,
        )
    print(
        "O(log p) -> O(sqrt p), by repetitions and risk: alarms, and false ones in unchanged"
        " O(log p)"
    )
    for repetitions in (3, 5, 10, 20):
        for risk in (1e-3, RISK, 1e-2):
            caught = [
                [
                    _alarms(rng, p, law(p), "log(n)", noise, max(1, seeds // 4), repetitions, risk)
                    for noise in _NOISES
                ]
                for law in (cases[3][3], cases[2][3])
            ]
            print(
                f"{f'{repetitions} repetitions, {risk:g}':<28}"
                + "".join(f"{f'{c:.0%} / {f:.1%}':>12}" for c, f in zip(*caught, strict=True)),
                flush=True,
            )


def _alarms(
    rng: np.random.Generator,
    x: np.ndarray,
    clean: np.ndarray,
    expected: str,
    noise: float,
    seeds: int,
    repetitions: int = 5,
    risk: float | None = None,
) -> float:
    """Share of seeds that raise one."""
    formula = parse_formula(expected)
    return float(
        np.mean(
            [
                grows_beyond(_times(rng, x, clean, noise, repetitions), formula, risk=risk).alarm
                for _ in range(seeds)
            ]
        )
    )


def _times(
    rng: np.random.Generator, x: np.ndarray, clean: np.ndarray, noise: float, repetitions: int = 5
) -> Sample:
    values = clean[:, None] * np.exp(rng.normal(0, noise, (len(x), repetitions)))
    values *= np.where(rng.random(values.shape) < 0.02, rng.uniform(1, 4, values.shape), 1)
    return Sample(("n",), x[:, None], tuple(values))


def speed(seed: int) -> None:
    """1,000 kernels, 64 ranks, 25 experiments."""
    rng = np.random.default_rng(seed)
    faces = np.array([outer_faces(r, (8, 8)) for r in range(64)])
    points = [
        (float(n), float(s)) for n in (100, 200, 400, 800, 1600) for s in (10, 20, 40, 80, 160)
    ]
    kernels = []
    for k in range(1000):
        experiments = []
        for n, s in points:
            base = (1 + k % 7) * n * (s if k % 3 else 1) * (1 + (0.3 * faces if k % 2 else 0))
            experiments.append(
                Experiment(
                    (n, s), np.arange(64), {"time": (base * rng.uniform(0.98, 1.02, 64))[:, None]}
                )
            )
        kernels.append(RankedKernel(f"kernel{k}", ("n", "s"), tuple(experiments)))
    started, cpu = time.perf_counter(), time.process_time()
    matched = match(kernels)
    clustering = time.process_time() - cpu
    right = sum(len(m.names) == (3 if k % 2 else 1) for k, m in enumerate(matched))
    found = fit_diverging(RankedMeasurements(tuple(kernels)))
    both = time.process_time() - cpu - clustering
    models = sum(len(c.models) for f in found for c in f.classes) + sum(
        len(f.imbalance) for f in found
    )
    print(
        f"\n1,000 kernels x 64 ranks x 25 experiments, seed {seed}: clustered and modelled in"
        f" {both:.1f} s CPU, clustered alone in {clustering:.1f} s (both"
        f" {time.perf_counter() - started:.1f} s elapsed); {right} kernels with the right classes,"
        f" {models} models"
    )


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--only", default=_PARTS)
    options = parser.parse_args()
    for part in options.only.split(","):
        if part == "clusters":
            clusters(options.seed, options.seeds)
        elif part == "lulesh":
            lulesh()
        elif part == "boundary":
            boundary(options.seed)
        elif part == "check":
            check(options.seed, options.seeds)
        elif part == "speed":
            speed(options.seed)
        elif part == "greybox":
            from .greybox_tables import print_tables

            print_tables(options.seed)
        elif part == "beyond":
            from .greybox_beyond import print_beyond, print_real

            print_beyond(options.seed)
            print_real(options.seed)
        elif part == "sensitivity":
            from .greybox_tables import print_sensitivity

            print_sensitivity(options.seed)
        elif part == "samples":
            from .greybox_runs import print_samples

            print_samples(options.seed)
        else:
            parser.error(f"--only {part}: there are {_PARTS}")


if __name__ == "__main__":
    main()
