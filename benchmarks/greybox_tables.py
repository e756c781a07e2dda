"""Tables in the form of Tables 1 to 6 of the grey-box paper, and how sensitive the methods are to
the cut-offs.

Root mean squared errors of speed-ups (Alasandagutti, Bridges and Estrada, HiPC 2024) of simulated
applications, of our MPI samples and of public data. Two simulated machines take the place of the
paper's: one with many nodes, one with few accelerated ones. c_f and w_f are the medians of what was
run, as in the paper.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.simulator.simulate import Application
from looplaw_common.errors import DataError
from modeling.data.timed_runs import Runs
from modeling.scaling.amdahl import amdahl, share_per_size, speedups
from modeling.scaling.greybox import PEERS, Prediction, fit_greybox, fitted_times, task

from .greybox_applications import APPLICATIONS, SETTINGS, Setting, simulated

warnings.filterwarnings("ignore", module="sklearn")

_OTHERS = ("PMNF", "costs", "costs+GBT")


@dataclass(frozen=True)
class Outcome:
    """Errors of one application: method -> RMSE of speed-ups; the method of the greatest weight in
    auto; share of held-out times inside the 90 % interval."""

    errors: Mapping[str, float]
    chosen: str
    coverage: float

    @property
    def ratio(self) -> float:
        """Error of auto over that of the best of the paper's methods."""
        return self.errors["auto"] / min(self.errors[m] for m in PEERS if m in self.errors)


def evaluate(
    every: Runs,
    seed: int,
    *,
    hybrid: bool,
    cut: float = 0.5,
    grown: float = 0.5,
    optimal: bool = True,
) -> Outcome:
    """Learn from the runs below the cut-offs (quantiles of what was run), predict those above.

    Strong scaling is judged at every size; hybrid scaling at sizes above w_f, whose serial time
    nobody knows, against the smallest. Oliveira's model knows strong scaling only.

    Raises:
        DataError: nothing is left to learn from or to predict.
    """
    cutoff = float(np.quantile(np.unique(every.processes), cut, method="lower"))
    largest = float(np.quantile(np.unique(every.size), grown, method="lower"))
    used = every.select((every.size <= largest) | (every.processes > 1)) if hybrid else every
    test = every.select(
        (every.processes > cutoff) & ((every.size > largest) if hybrid else (every.size > 0))
    )
    original = np.full(len(test.size), every.size.min()) if hybrid else test.size
    truth = every.serial(original) / test.time
    t = task(used, cutoff, largest, seed=seed)
    box = fit_greybox(t)
    places = test.size, test.nodes, test.cores
    p: Prediction = box.predict(*places)
    said = {m: times(*places) for m, times in box.parts.items()} | {"auto": p.time}
    for method in set((*PEERS, *_OTHERS) if optimal else PEERS) - set(said):
        with suppress(DataError):
            said[method] = fitted_times(t, method)(*places)
    order = [
        m for m in (*PEERS, *_OTHERS, "auto") if m in said and not (m == "Oliveira" and hybrid)
    ]
    errors = {
        m: float(np.sqrt(np.mean((every.serial(original) / said[m] - truth) ** 2))) for m in order
    }
    if optimal:
        errors |= _optimal(every, test, truth, original, cutoff)
    return Outcome(
        errors, box.method, float(np.mean((p.lower <= test.time) & (test.time <= p.upper)))
    )


def _optimal(
    every: Runs, test: Runs, truth: np.ndarray, original: np.ndarray, cutoff: float
) -> Iterator[tuple[str, float]]:
    """Amdahl's law with the parallel share of each size, from runs up to c_f and from all (no
    prediction: hindsight)."""
    w = original / test.size
    for name, runs in (
        ("Amdahl optimal p", every.select(every.processes <= cutoff)),
        ("Amdahl optimal p FD", every),
    ):
        shares = share_per_size(runs.select(np.isfinite(speedups(runs))))
        if all(float(m) in shares for m in test.size):
            p = np.array([shares[float(m)] for m in test.size])
            yield name, float(np.sqrt(np.mean((amdahl(test.processes, p, w) - truth) ** 2)))


def print_tables(seed: int) -> None:
    """Tables 1 to 6 of simulated applications, and the test of the automatic choice."""
    outcomes = []
    for setting in SETTINGS:
        outcomes += print_table(
            f"{setting.title}, seed {seed}",
            {
                app.name: partial(_simulated_outcome, setting, app, seed * 1000 + k)
                for k, app in enumerate(APPLICATIONS)
            },
        )
    print_promise(outcomes)


def _simulated_outcome(setting: Setting, app: Application, seed: int) -> Outcome:
    return evaluate(simulated(setting, app, seed), seed, hybrid=setting.hybrid)


def print_table(title: str, applications: Mapping[str, Callable[[], Outcome]]) -> list[Outcome]:
    """One table: a column for each application, a row for each method."""
    started = time.process_time()
    found: dict[str, Outcome] = {}
    for name, judge in applications.items():
        try:
            found[name] = judge()
        except DataError as error:
            print(f"{name}: left out, {error}")
    print(f"\n{title}: RMSE of speed-ups ({time.process_time() - started:.0f} s CPU)")
    print(f"{'':<20}" + "".join(f"{name:>9}" for name in found))
    for method in dict.fromkeys(m for f in found.values() for m in f.errors):
        print(
            f"{method:<20}"
            + "".join(f"{f.errors.get(method, float('nan')):>9.3g}" for f in found.values())
        )
    print(f"{'most weight in auto':<20}" + "".join(f"{f.chosen:>9}" for f in found.values()))
    print(
        f"{'in 90 % interval':<20}" + "".join(f"{f.coverage:>9.0%}" for f in found.values()),
        flush=True,
    )
    return list(found.values())


def print_promise(outcomes: Sequence[Outcome]) -> None:
    """How often auto is as good as the best of the paper's methods, how bad it gets, how honest its
    intervals are."""
    ratios, covered = (
        np.array([o.ratio for o in outcomes]),
        np.array([o.coverage for o in outcomes]),
    )
    print(
        f"\nauto at least as good as the best of {', '.join(PEERS)}: {(ratios <= 1).sum()} of"
        f" {len(ratios)} ({(ratios <= 1).mean():.0%}); worst ratio {ratios.max():.2f}, geometric"
        f" mean {np.exp(np.log(ratios).mean()):.2f}; {covered.mean():.0%} of held-out times in the"
        f" 90 % interval (applications {covered.min():.0%} to {covered.max():.0%}, one in ten below"
        f" {np.quantile(covered, 0.1):.0%})",
        flush=True,
    )


def print_sensitivity(seed: int, setting: Setting = SETTINGS[0]) -> None:
    """RMSE relative to that at the medians, geometric mean over applications, as c_f and w_f move
    (Figures 4 to 6)."""
    runs = [simulated(setting, app, seed * 1000 + k) for k, app in enumerate(APPLICATIONS)]
    moves: tuple[tuple[str, dict[str, float]], ...] = (
        ("at the medians", {}),
        *((f"c_f at quantile {q:.2f}", {"cut": q}) for q in (0.3, 0.4, 0.6, 0.7)),
        *((f"w_f at quantile {q:.2f}", {"grown": q}) for q in (0.2, 0.35, 0.65, 0.8)),
    )
    methods = (*PEERS, "auto")
    print(
        f"\nSensitivity, {setting.title}: RMSE over that at the medians, geometric mean over"
        f" applications, seed {seed}"
    )
    print(f"{'':<22}" + "".join(f"{m:>10}" for m in methods) + f"{'CPU, s':>9}", flush=True)
    base: list[Outcome] = []
    for label, move in moves:
        started = time.process_time()
        found = [
            evaluate(r, seed * 1000 + k, hybrid=setting.hybrid, optimal=False, **move)
            for k, r in enumerate(runs)
        ]
        base = base or found
        ratios = [
            np.exp(
                np.mean(
                    [np.log(f.errors[m] / b.errors[m]) for f, b in zip(found, base, strict=True)]
                )
            )
            for m in methods
        ]
        print(
            f"{label:<22}"
            + "".join(f"{r:>10.2f}" for r in ratios)
            + f"{time.process_time() - started:>9.1f}",
            flush=True,
        )
