"""How far `looplaw scaling` sees: strong scaling from runs of at most 16 processes to 64 and 4,096.

Every size of every simulated application is run with 1 to 16 processes, as a user would; what
`scaling` foretells of the same sizes on more is held to the simulator. The best single method in
hindsight is the one of the paper's whose speed-ups turn out nearest, chosen for each application
after the fact. Then public series of real programs over workers: half of their points foretell the
others.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from looplaw_common.errors import DataError
from modeling.data.timed_runs import Runs
from modeling.scaling.greybox import PEERS, fit_greybox, fitted_times, task

from .greybox_applications import APPLICATIONS, SETTINGS, simulated

warnings.filterwarnings("ignore", module="sklearn")

CUT = 16.0
BEYOND = (64.0, 4096.0)
_PUBLIC = [
    Path(__file__).parent / "data" / f"scaling_{part}.jsonl" for part in ("development", "once")
]
_WORKERS = ("cores", "nodes", "procs", "ranks", "threads")
_FEWEST, _FEWEST_KNOWN = 6, 4
"""Points of a series, and of its first half."""
_MOST_OF_A_SET = 6
"""Series of one set, so that none outweighs the others."""


@dataclass(frozen=True)
class Foretold:
    """One application at one number of processes. error: median relative error of times, covered:
    share of times in the 90 % interval, ratio: root mean square error of speed-ups over that of the
    best single method in hindsight (`best`)."""

    error: float
    covered: float
    ratio: float
    best: str


def foretell(every: Runs, seed: int) -> Mapping[float, Foretold]:
    """What runs of at most `CUT` processes say of more, held to the runs with more.

    Raises:
        DataError: the runs do not suffice.
    """
    known = task(every.select(every.processes <= CUT), CUT, float(every.size.max()), seed=seed)
    box = fit_greybox(known)
    single = {}
    for method in PEERS:
        with suppress(DataError):
            single[method] = fitted_times(known, method)
    found = {}
    for processes in BEYOND:
        test = every.select(every.processes == processes)
        places, alone = (test.size, test.nodes, test.cores), every.serial(test.size)

        def error(times: np.ndarray, test: Runs = test, alone: np.ndarray = alone) -> float:
            return float(np.sqrt(np.mean((alone / times - alone / test.time) ** 2)))

        said = box.predict(*places)
        errors = {method: error(times(*places)) for method, times in single.items()}
        best = min(errors, key=lambda m: errors[m])
        found[processes] = Foretold(
            float(np.median(np.abs(said.time / test.time - 1))),
            float(np.mean((said.lower <= test.time) & (test.time <= said.upper))),
            error(said.time) / errors[best],
            best,
        )
    return found


def print_beyond(seed: int) -> None:
    """A row for each application, on both simulated machines."""
    rows: dict[float, list[Foretold]] = {p: [] for p in BEYOND}
    for setting in (s for s in SETTINGS if not s.hybrid and not s.cores):
        print(
            f"\nMachine {setting.machine}, strong scaling from p <= {CUT:.0f}, seed {seed}: median"
            " error of times, share in the 90 % interval, error of speed-ups over the best single"
            " method's in hindsight"
        )
        print(f"{'':<10}" + "".join(f"{f'p = {p:,.0f}':>34}" for p in BEYOND))
        for k, app in enumerate(APPLICATIONS):
            found = foretell(simulated(setting, app, seed * 1000 + k), seed * 1000 + k)
            print(f"{app.name:<10}" + "".join(_cell(found[p]) for p in BEYOND), flush=True)
            for p in BEYOND:
                rows[p].append(found[p])
    for p in BEYOND:
        print(f"p = {p:,.0f}: {_summary(rows[p])}", flush=True)


def real_runs() -> Iterator[tuple[str, Runs]]:
    """Public series over a number of workers, from one on: their sets, and their runs."""
    taken: Counter[str] = Counter()
    for line in (line for path in _PUBLIC for line in path.read_text().splitlines()):
        case = json.loads(line)
        points = [p[0] for p in (*case["points"], *case["query"])]
        times = [*(float(np.median(v)) for v in case["values"]), float(np.median(case["held_out"]))]
        at = dict(zip(points, times, strict=True))
        is_of_workers = len(case["params"]) == 1 and case["params"][0] in _WORKERS
        if (
            not is_of_workers
            or len(at) < _FEWEST
            or min(at) != 1
            or taken[case["set"]] >= _MOST_OF_A_SET
        ):
            continue
        taken[case["set"]] += 1
        workers = np.array(sorted(at), dtype=float)
        one = np.ones(len(workers))
        yield case["set"], Runs(one, workers, one, np.array([at[w] for w in sorted(at)]))


def print_real(seed: int) -> None:
    """How far the first half of public series sees: one line."""
    covered: dict[str, list[float]] = {}
    errors: list[float] = []
    for name, runs in real_runs():
        cut = float(np.sort(runs.processes)[max(_FEWEST_KNOWN, len(runs.time) // 2) - 1])
        test = runs.select(runs.processes > cut)
        with suppress(DataError):
            box = fit_greybox(task(runs.select(runs.processes <= cut), cut, 1.0, seed=seed))
            said = box.predict(test.size, test.nodes, test.cores)
            inside = (said.lower <= test.time) & (test.time <= said.upper)
            covered.setdefault(name, []).append(float(inside.mean()))
            errors.append(float(np.median(np.abs(said.time / test.time - 1))))
    every = [share for shares in covered.values() for share in shares]
    of_sets = [float(np.mean(shares)) for shares in covered.values()]
    print(
        f"\nreal series, the first half known: {len(every)} of {len(covered)} sets,"
        f" {np.mean(every):.0%} in the interval ({np.mean(of_sets):.0%} as a mean over sets);"
        f" median error {np.median(errors):.0%}",
        flush=True,
    )


def _cell(f: Foretold) -> str:
    return f"{f.error:>12.0%}{f.covered:>6.0%}{f.ratio:>7.2f} {f.best:<8}"


def _summary(found: Sequence[Foretold]) -> str:
    covered = np.array([f.covered for f in found])
    ratios = np.array([f.ratio for f in found])
    return (
        f"{covered.mean():.0%} in the interval (applications {covered.min():.0%} to"
        f" {covered.max():.0%}); better than the best single method in hindsight in"
        f" {(ratios < 1).sum()} of {len(ratios)} (median ratio {np.median(ratios):.2f}, worst"
        f" {ratios.max():.2f}); median error {np.median([f.error for f in found]):.0%}"
    )
