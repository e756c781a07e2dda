"""Match the clusters of ranks across experiments.

Clusters are matched in ascending order of their values if all experiments have the same number of
them; otherwise the largest subset of experiments with equal numbers is used (Calotoiu et al.,
"Empirical Modeling of Spatially Diverging Performance", section III.B). A rule that the user gives
replaces clustering and matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from looplaw_common.errors import InputError

from ..data.measurements import Floats
from ..data.ranks import Experiment, RankedKernel
from .clusters import THRESHOLD, Labels, in_ascending_order, refine_all
from .rank_rules import Rule


@dataclass(frozen=True)
class Matched:
    """The classes of one kernel's ranks.

    names (C,) in ascending order of the values; labels: (R,) class of each rank for each
    experiment, -1 if the experiment is not matched; numbers: clusters in each experiment; metrics:
    those that the ranks were clustered by.
    """

    kernel: RankedKernel
    names: tuple[str, ...]
    labels: tuple[Labels, ...]
    numbers: tuple[int, ...]
    metrics: tuple[str, ...]

    @property
    def left_out(self) -> tuple[int, ...]:
        """Experiments that have another number of clusters."""
        return tuple(k for k, labels in enumerate(self.labels) if (labels < 0).all())


def match(
    kernels: Sequence[RankedKernel],
    *,
    by: Sequence[str] = (),
    threshold: float | None = None,
    rule: Rule | None = None,
    number: int | None = None,
) -> list[Matched]:
    """Cluster and match the ranks of many kernels.

    Args:
        by: the metrics that the ranks are clustered by; by default all of a kernel.
        threshold: relative distance that separates clusters; by default 10 %, and 0 for metrics
            that count.
        rule: gives the class of each rank, instead of clustering.
        number: match the experiments with so many clusters, for kernels that have such; by default
            the number that most experiments have.

    Raises:
        InputError: a kernel has none of the metrics, or no experiment so many clusters.
    """
    if rule is not None:
        return [_by_rule(kernel, rule) for kernel in kernels]
    plans = [_metrics(kernel, by, threshold) for kernel in kernels]
    counted = _cluster([[(m, t) for m, t in plan if t == 0] for plan in plans], kernels, None)
    refined = _cluster([[(m, t) for m, t in plan if t > 0] for plan in plans], kernels, counted)
    found = [
        _matched(kernel, tuple(m for m, _ in plan), *_stable(c, r), number)
        for kernel, plan, c, r in zip(kernels, plans, counted, refined, strict=True)
    ]
    there = sorted({n for m in found for n in m.numbers})
    if number is not None and number not in there:
        raise InputError(
            f"no experiment has {number} clusters; there are {', '.join(map(str, there))}"
        )
    return found


def _metrics(
    kernel: RankedKernel, by: Sequence[str], threshold: float | None
) -> list[tuple[str, float]]:
    chosen = [m for m in kernel.metrics if not by or m in by]
    if not chosen:
        raise InputError(
            f"{kernel.callpath}: has no metric {', '.join(by)}; it has {', '.join(kernel.metrics)}"
        )
    return [
        (m, threshold if threshold is not None else 0.0 if kernel.is_count(m) else THRESHOLD)
        for m in chosen
    ]


def _cluster(
    plans: Sequence[Sequence[tuple[str, float]]],
    kernels: Sequence[RankedKernel],
    start: list[list[Labels]] | None,
) -> list[list[Labels]]:
    """Labels for each kernel and experiment; sets with the same threshold form one batch."""
    found = [
        [np.zeros(len(e.ranks), dtype=np.intp) for e in kernel.experiments]
        if start is None
        else list(start[k])
        for k, kernel in enumerate(kernels)
    ]
    for step in range(max(map(len, plans), default=0)):
        by_threshold: dict[float, list[tuple[int, int, Floats]]] = {}
        for k, (plan, kernel) in enumerate(zip(plans, kernels, strict=True)):
            if step < len(plan):
                metric, threshold = plan[step]
                by_threshold.setdefault(threshold, []).extend(
                    (k, e, experiment.per_rank(metric))
                    for e, experiment in enumerate(kernel.experiments)
                )
        for threshold, sites in by_threshold.items():
            refined = refine_all(
                [found[k][e] for k, e, _ in sites], [values for _, _, values in sites], threshold
            )
            for (k, e, _), labels in zip(sites, refined, strict=True):
                found[k][e] = labels
    return found


def _stable(counted: list[Labels], refined: list[Labels]) -> tuple[list[Labels], bool]:
    """(labels, whether only counts were used): the labels by all metrics, unless counts alone
    separate ranks and noise in the other metrics makes the number of clusters vary."""
    steady = (
        any(labels.max() > 0 for labels in counted)
        and len({labels.max() for labels in refined}) > 1
    )
    return (counted, True) if steady else (refined, False)


def _matched(
    kernel: RankedKernel,
    metrics: tuple[str, ...],
    labels: list[Labels],
    counts_only: bool,
    wanted: int | None,
) -> Matched:
    if counts_only:
        metrics = tuple(m for m in metrics if kernel.is_count(m))
    ordered = [
        in_ascending_order(found, e.per_rank(metrics[0]))
        for found, e in zip(labels, kernel.experiments, strict=True)
    ]
    numbers = tuple(int(found.max()) + 1 for found in ordered)
    number = wanted if wanted in numbers else max(set(numbers), key=lambda n: (numbers.count(n), n))
    names = ("all",) if number == 1 else tuple(f"{k + 1} of {number}" for k in range(number))
    return Matched(
        kernel,
        names,
        tuple(
            found if n == number else np.full_like(found, -1)
            for found, n in zip(ordered, numbers, strict=True)
        ),
        numbers,
        metrics,
    )


def _by_rule(kernel: RankedKernel, rule: Rule) -> Matched:
    placed = [_placed(kernel, e, rule) for e in kernel.experiments]
    metric = kernel.metrics[0]
    levels: dict[str, list[float]] = {}
    for e, names in zip(kernel.experiments, placed, strict=True):
        for name, value in zip(names, e.per_rank(metric), strict=True):
            levels.setdefault(name, []).append(float(value))
    order = sorted(levels, key=lambda name: (float(np.mean(levels[name])), name))
    index = {name: k for k, name in enumerate(order)}
    return Matched(
        kernel,
        tuple(order),
        tuple(np.array([index[n] for n in names], dtype=np.intp) for names in placed),
        tuple(len(set(names)) for names in placed),
        (),
    )


def _placed(kernel: RankedKernel, experiment: Experiment, rule: Rule) -> list[str]:
    params = dict(zip(kernel.parameters, experiment.point, strict=True))
    return [rule(int(rank), len(experiment.ranks), params) for rank in experiment.ranks]
