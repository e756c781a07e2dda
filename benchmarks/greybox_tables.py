"""Tables 1 to 6 of the grey-box paper on simulated applications, and how sensitive the methods are to the cut-offs.

Root mean squared errors of speed-ups (Alasandagutti, Bridges and Estrada, HiPC 2024). Two machines take the place of the
paper's: one with many slow nodes, one with few fast ones. c_f and w_f are the medians of what was run, as in the paper.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from modeling.amdahl import amdahl, share_per_size, speedups
from modeling.errors import DataError
from modeling.greybox import PEERS, fit_greybox, task
from modeling.runs import Runs
from modeling.simulate import Application, Machine, simulate

warnings.filterwarnings("ignore", module="sklearn")

APPLICATIONS = (
    Application("halo3d", halos=1, reductions=1), Application("cg", halos=1, reductions=4, memory_bound=.5),
    Application("fft", transposes=1, dimensions=2, halos=1), Application("sweep", sweeps=1, reductions=1),
    Application("master", requests=.3, fixed_s=1e-5), Application("serial", serial_s=1e-11, halos=1),
    Application("io", fixed_s=2e-4, halos=.5, reductions=1), Application("imbal", imbalance=.15, reductions=2, halos=1),
    Application("md", work_s=5e-8, halos=2, reductions=1, imbalance=.05),
    Application("short", work_s=2e-9, halos=1, reductions=6, transposes=.2),
    Application("halo2d", dimensions=2, halos=4, cell_bytes=40), Application("memory", memory_bound=1.5, halos=1, reductions=1))
MACHINES = {"A": Machine(), "B": Machine(latency_s=5e-6, byte_s=2e-10, memory_cores=4, noise=.03, disturbed=.02)}


@dataclass(frozen=True)
class Setting:
    """One table: title, machine, several cores a node, problems that grow (hybrid scaling)."""

    title: str
    machine: str
    cores: bool
    hybrid: bool


SETTINGS = (Setting("Table 1: A, strong scaling", "A", False, False), Setting("Table 2: B, strong scaling", "B", False, False),
            Setting("Table 3: A, hybrid scaling", "A", False, True), Setting("Table 4: B, hybrid scaling", "B", False, True),
            Setting("Table 5: A, several cores, strong scaling", "A", True, False),
            Setting("Table 6: A, several cores, hybrid scaling", "A", True, True))


@dataclass(frozen=True)
class Outcome:
    """Errors of one application: method -> RMSE; what auto chose; share of held-out times inside the 90 % interval."""

    errors: Mapping[str, float]
    chosen: str
    coverage: float


def configurations(setting: Setting) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes, nodes and cores of a full factorial design; up to 8192 ranks."""
    sizes = 2.0 ** np.arange(16, 26, 1.5 if setting.cores else 1)
    nodes = 2.0 ** np.arange(0, 8) if setting.cores else np.unique(np.round(2.0 ** np.arange(0, 10.1, .5)))
    cores = 2.0 ** np.arange(0, 6) if setting.cores else np.ones(1)
    table = np.meshgrid(sizes, nodes, cores, indexing="ij")
    return table[0].ravel(), table[1].ravel(), table[2].ravel()


def evaluate(setting: Setting, app: Application, seed: int, *, cut: float = 0.5, grown: float = 0.5) -> Outcome:
    """Learn from the runs below the cut-offs (quantiles of what was run), predict those above.

    Strong scaling is judged at every size; hybrid scaling at sizes at least twice the smallest that are above w_f, whose
    serial time nobody knows.
    """
    every = simulate(app, MACHINES[setting.machine], *configurations(setting), seed=seed)
    cutoff = float(np.quantile(np.unique(every.processes), cut, method="lower"))
    largest = float(np.quantile(np.unique(every.size), grown, method="lower"))
    used = every
    if setting.hybrid:
        used = every.select((every.size <= largest) | (every.processes > 1))
    test = every.select((every.processes > cutoff) & ((every.size > largest) if setting.hybrid else (every.size > 0)))
    original = np.full(len(test.size), every.size.min()) if setting.hybrid else test.size
    serial = every.serial(original)
    truth = serial / test.time
    t = task(used, cutoff, largest, seed=seed)
    errors: dict[str, float] = {}
    for method in (*PEERS, "PMNF", "costs", "costs+GBT", "auto"):
        if method == "Oliveira" and setting.hybrid:
            continue
        try:
            box = fit_greybox(t, method)
        except DataError:
            continue
        p = box.predict(test.size, test.nodes, test.cores)
        errors[method] = float(np.sqrt(np.mean((serial / p.time - truth) ** 2)))
    errors |= _optimal(every, test, truth, original, cutoff)
    return Outcome(errors, box.method, float(np.mean((p.lower <= test.time) & (test.time <= p.upper))))


def _optimal(every: Runs, test: Runs, truth: np.ndarray, original: np.ndarray, cutoff: float) -> Iterator[tuple[str, float]]:
    """Amdahl's law with the parallel share of each size, from runs up to c_f and from all (no prediction: hindsight)."""
    w = original / test.size
    for name, runs in (("Amdahl optimal p", every.select(every.processes <= cutoff)), ("Amdahl optimal p FD", every)):
        shares = share_per_size(runs.select(np.isfinite(speedups(runs))))
        p = np.array([shares[float(m)] for m in test.size])
        yield name, float(np.sqrt(np.mean((amdahl(test.processes, p, w) - truth) ** 2)))


def print_tables(seed: int) -> None:
    """All tables, and whether the automatic choice keeps its promise."""
    kept = total = 0
    worst, coverages = 0.0, []
    for setting in SETTINGS:
        found = [evaluate(setting, app, seed * 1000 + k) for k, app in enumerate(APPLICATIONS)]
        print(f"\n{setting.title}: RMSE of speed-ups, seed {seed}")
        print(f"{'':<20}" + "".join(f"{a.name:>9}" for a in APPLICATIONS))
        for method in dict.fromkeys(m for f in found for m in f.errors):
            print(f"{method:<20}" + "".join(f"{f.errors.get(method, float('nan')):>9.3g}" for f in found))
        print(f"{'chosen':<20}" + "".join(f"{f.chosen:>9}" for f in found))
        print(f"{'in 90 % interval':<20}" + "".join(f"{f.coverage:>9.0%}" for f in found))
        for f in found:
            ratio = f.errors["auto"] / min(f.errors[m] for m in PEERS if m in f.errors)
            kept, total, worst = kept + (ratio <= 1), total + 1, max(worst, ratio)
            coverages.append(f.coverage)
    print(f"\nauto at least as good as the best of {', '.join(PEERS)}: {kept} of {total}; worst ratio {worst:.2f}; "
          f"{np.mean(coverages):.0%} of held-out times in the 90 % interval")


def print_sensitivity(seed: int) -> None:
    """RMSE relative to that at the medians, geometric mean over applications, as c_f and w_f move (Figures 4 to 6)."""
    setting = SETTINGS[0]
    base = [evaluate(setting, app, seed * 1000 + k) for k, app in enumerate(APPLICATIONS)]
    print(f"\nSensitivity, {setting.title}: RMSE over that at the medians, seed {seed}")
    methods = (*PEERS, "auto")
    print(f"{'':<22}" + "".join(f"{m:>10}" for m in methods))
    for label, moves in (("c_f at quantile", [{"cut": q} for q in (.3, .4, .6, .7)]),
                         ("w_f at quantile", [{"grown": q} for q in (.2, .35, .65, .8)])):
        for move in moves:
            found = [evaluate(setting, app, seed * 1000 + k, **move) for k, app in enumerate(APPLICATIONS)]
            ratios = [np.exp(np.mean([np.log(f.errors[m] / b.errors[m]) for f, b in zip(found, base, strict=True)
                                      if m in f.errors])) for m in methods]
            print(f"{label} {next(iter(move.values())):<6.2f}" + "".join(f"{r:>10.2f}" for r in ratios))
