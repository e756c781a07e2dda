"""What weights of the grey-box methods could reach on LULESH's published times at best.

    LULESH_RANKS=lulesh_per_rank.csv python -m benchmarks.greybox_limits [--seed 2]

The largest number of processes is held out, as in `greybox_runs`; ratios are errors over that of
the best of the paper's methods in each region. Beside `auto` stand means of the methods' logarithms
with weights that are equal, those of stacking (Breiman, Machine Learning 24, 1996: not negative,
with sum 1, of least squared error in logarithms at the largest number of processes that is known,
over all regions, shrunk to equal ones), and of hindsight: the one set of weights for all regions
whose worst ratio is least, the same for every second region and judged on the others, and the best
set of each region. Last, how well the errors at the largest known number of processes rank the
methods (Spearman's correlation with their errors at the held-out one).
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.stats import spearmanr

from looplaw_common.errors import DataError
from modeling.data.timed_runs import Runs
from modeling.scaling.greybox import PEERS, fit_greybox, fitted_times, task

from .greybox_runs import lulesh_runs

warnings.filterwarnings("ignore", module="sklearn")

Floats = NDArray[np.float64]
_METHODS = ("Amdahl", "Oliveira", "RF", "NN", "costs", "PMNF")
_TRIED = ("Amdahl", "Oliveira", "PMNF")  # those that can be fitted without the largest known runs
_DRAWS, _STEPS, _STEP = 1000, 1000, 0.03  # random weights, and steps from the best of them


@dataclass(frozen=True)
class Region:
    """One region: logarithms of forecasts (M, R) and true times (R,), with serial times (R,), at
    the held-out number of processes; the same of `_TRIED` at the largest known one; and `auto`."""

    logs: Floats
    truth: Floats
    serial: Floats
    tried: Floats
    tried_truth: Floats
    tried_serial: Floats
    auto: Floats
    best: float

    def ratio(self, weights: Floats) -> float:
        """Error of the mean of logarithms over that of the best of the paper's methods."""
        return _error(weights @ self.logs, self.truth, self.serial) / self.best


def _error(logs: Floats, truth: Floats, serial: Floats) -> float:
    """Root mean square error of speed-ups."""
    return float(np.sqrt(np.mean((serial / np.exp(logs) - serial / truth) ** 2)))


def region(every: Runs, seed: int) -> Region:
    """The forecasts of one region."""
    many = np.unique(every.processes)
    largest = float(every.size.max())
    known = task(every, float(many[-2]), largest, seed=seed)
    shorter = task(every, float(many[-3]), largest, seed=seed)
    test = every.select(every.processes == many[-1])
    top = every.select(every.processes == many[-2])
    auto = np.log(fit_greybox(known).predict(test.size, test.nodes, test.cores).time)
    said = {}
    for method in dict.fromkeys((*_METHODS, *PEERS)):
        with suppress(DataError):
            said[method] = np.log(fitted_times(known, method)(test.size, test.nodes, test.cores))
    serial = every.serial(test.size)
    return Region(
        np.stack([said.get(m, auto) for m in _METHODS]),
        test.time,
        serial,
        np.log([fitted_times(shorter, m)(top.size, top.nodes, top.cores) for m in _TRIED]),
        top.time,
        every.serial(top.size),
        auto,
        min(_error(said[m], test.time, serial) for m in PEERS if m in said),
    )


def least_worst(regions: Sequence[Region], seed: int) -> Floats:
    """The weights whose worst ratio is least, by random search."""
    generator = np.random.default_rng(seed)

    def worst(weights: Floats) -> float:
        return max(r.ratio(weights) for r in regions)

    found = min(generator.dirichlet(np.full(len(_METHODS), 0.5), _DRAWS), key=worst)
    for _ in range(_STEPS):
        tried = np.maximum(found + generator.normal(0, _STEP, len(found)), 0)
        tried = tried / tried.sum()
        if worst(tried) < worst(found):
            found = tried
    return np.asarray(found)


def stacked(regions: Sequence[Region], shrinkage: float) -> Floats:
    """Weights of all methods by stacking those that were tried."""
    apart = np.concatenate([(r.tried - np.log(r.tried_truth)).T for r in regions])
    count, heavy = len(_TRIED), 1e3
    even = np.sqrt(shrinkage) * (np.eye(count) - 1 / count)
    rows = np.concatenate([apart, even, heavy * np.ones((1, count))])
    found = nnls(rows, np.append(np.zeros(len(rows) - 1), heavy))[0]
    weights = np.zeros(len(_METHODS))
    weights[[_METHODS.index(m) for m in _TRIED]] = found / found.sum()
    return weights


def _print(name: str, ratios: Sequence[float]) -> None:
    print(f"{name:<38}{max(ratios):>7.2f}   " + " ".join(f"{r:.2f}" for r in ratios), flush=True)


def limits(path: Path, seed: int) -> None:
    """Print the worst ratio, and all of them, of each way to weigh the methods."""
    regions = [region(runs, seed) for runs in lulesh_runs(path).values()]

    def ratios(weights: Floats, some: Sequence[Region] = regions) -> list[float]:
        return [r.ratio(weights) for r in some]

    print(f"LULESH, largest number of processes held out, seed {seed}: worst ratio, and all")
    _print("auto", [_error(r.auto, r.truth, r.serial) / r.best for r in regions])
    _print("equal weights", ratios(np.full(len(_METHODS), 1 / len(_METHODS))))
    for shrinkage in (0.0, 1.0, 10.0):
        _print(f"stacking, shrinkage {shrinkage:g}", ratios(stacked(regions, shrinkage)))
    _print("hindsight, one set of weights", ratios(least_worst(regions, seed)))
    for own, others in ((regions[::2], regions[1::2]), (regions[1::2], regions[::2])):
        weights = least_worst(own, seed)
        _print("hindsight on half: these regions", ratios(weights, own))
        _print("                   the others", ratios(weights, others))
    _print("hindsight, own weights", [r.ratio(least_worst([r], seed)) for r in regions])
    ranks = []
    for r in regions:
        before = [_error(logs, r.tried_truth, r.tried_serial) for logs in r.tried]
        after = [_error(r.logs[_METHODS.index(m)], r.truth, r.serial) for m in _TRIED]
        ranks.append(float(spearmanr(before, after)[0]))
    print("rank correlation of errors before and after " + " ".join(f"{x:.1f}" for x in ranks))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=2)
    limits(Path(os.environ["LULESH_RANKS"]), parser.parse_args().seed)


if __name__ == "__main__":
    main()
