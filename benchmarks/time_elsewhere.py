"""Times on one machine foretold from the runs on another, where the program never ran.

A study of all sizes run here is moved by what `looplaw machine` measured there, as
`looplaw predict STUDY --machine THERE.json` does. The rival takes the time of the largest size here
times the ratio of the counts, of the core's most frequent loop, and of the clocks, as dependent
additions show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from looplaw.laws.time_prediction import model_elsewhere
from modeling import Model
from modeling.pmnf.machine_costs import Costs
from modeling.timelaw.elsewhere import ADDITION

_LEVEL = 0.9


@dataclass(frozen=True)
class Elsewhere:
    """A kernel at a size there, seconds: truth is the least of its runs. largest: is it the largest
    size run there? rival: by counts and clocks alone."""

    program: str
    kernel: str
    size: int
    truth: float
    runs: tuple[float, ...]
    largest: bool
    foretold: float
    low: float
    high: float
    rival: float
    has_law: bool


def clock_ratio(here: Costs, there: Costs) -> float:
    """How many times as long the core takes there for an addition that others wait for."""
    a, b = here.operations.get(ADDITION), there.operations.get(ADDITION)
    return b / a if a and b else 1.0


def foretold(
    title: str,
    model: Model,
    name: str,
    costs: tuple[Costs, Costs],
    known: Mapping[int, float],
    truth: Mapping[int, Sequence[float]],
    counts: Mapping[int, float],
) -> Iterable[Elsewhere]:
    """A kernel at all sizes run there.

    Args:
        model: of its time here.
        costs: of the machine here, and of that there.
        known: size -> seconds here; truth: size -> seconds of all runs there.
        counts: size -> iterations of its most frequent loop, of the sizes of both.
    """
    here, there = costs
    last = max(known)
    for size, runs in truth.items():
        value, low, high = model_elsewhere(model, here, there, {name: float(size)}, _LEVEL)
        rival = known[last] * counts[size] / max(counts[last], 1.0) * clock_ratio(here, there)
        yield Elsewhere(
            title,
            model.callpath,
            size,
            min(runs),
            tuple(runs),
            size == max(truth),
            value,
            low,
            high,
            rival,
            model.law is not None,
        )


def table(found: Sequence[Elsewhere]) -> str:
    """Errors of both, and how often intervals hold the least run, and each run."""
    head = "median   mean  <=25%   >2x  holds least  holds runs  better than counts and clocks"
    rows = [f"{'sizes, predictor':26} {head}"]
    for words, chosen in (("largest", [e for e in found if e.largest]), ("every", list(found))):
        if not chosen:
            continue
        truth = np.array([e.truth for e in chosen])
        ours = np.array([e.foretold for e in chosen]) / truth
        rival = np.array([e.rival for e in chosen]) / truth
        least = 100 * np.mean([e.low <= e.truth <= e.high for e in chosen])
        runs = 100 * np.mean([np.mean([e.low <= s <= e.high for s in e.runs]) for e in chosen])
        better = 100 * np.mean(np.abs(ours - 1) <= np.abs(rival - 1))
        more = f"{least:11.0f} {runs:11.0f} {better:9.0f}"
        for name, ratio, tail in (("looplaw", ours, more), ("counts and clocks", rival, "")):
            errors = np.abs(ratio - 1)
            beyond = np.mean((ratio > 2) | (ratio < 0.5))
            rows.append(
                f"{words:8}{name:18} {100 * np.median(errors):6.1f} {100 * errors.mean():6.1f}"
                f" {100 * np.mean(errors <= 0.25):6.0f} {100 * beyond:5.0f} {tail}".rstrip()
            )
        rows.append(f"   {len(chosen)} kernels and sizes, {sum(e.has_law for e in chosen)} by laws")
    return "\n".join(rows)


def row(e: Elsewhere) -> str:
    """A line of one kernel and size."""
    low, high = e.low / e.truth, e.high / e.truth
    return (
        f"{e.program:24} {e.kernel.rsplit('/', 1)[-1]:24} {e.size:10} {e.truth:9.3g} s"
        f" looplaw {100 * (e.foretold / e.truth - 1):+6.0f}"
        f" counts and clocks {100 * (e.rival / e.truth - 1):+6.0f}"
        f" {low:.2f}-{high:.2f} {'in' if low <= 1 <= high else 'OUT'}"
    )
