"""Models of programs whose ranks diverge: one for each class of ranks, how the classes grow, and the imbalance.

(Calotoiu et al., "Empirical Modeling of Spatially Diverging Performance".)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .class_sizes import SizeLaw, size_law
from .fitting import fit
from .measurements import Floats, Measurements, Series
from .model import Model
from .positions import Rule
from .ranks import Experiment, RankedKernel, RankedMeasurements
from .spatial import Matched, match

FORMAT = "looplaw-clusters/1"


@dataclass(frozen=True)
class RankClass:
    """One class of ranks: its size in each experiment (0: absent), how that grows, a model for each metric."""

    name: str
    sizes: tuple[int, ...]
    law: SizeLaw | None
    models: Mapping[str, Model]

    def to_json(self) -> dict[str, object]:
        return {"name": self.name, "sizes": list(self.sizes),
                "size_law": None if self.law is None else
                {"formula": self.law.formula, "order": str(self.law.order), "exact": self.law.exact},
                "models": [m.to_json() for m in self.models.values()]}


@dataclass(frozen=True)
class DivergingKernel:
    """One kernel's classes; imbalance: metric -> model of the largest rank's value over the mean of all."""

    matched: Matched
    classes: tuple[RankClass, ...]
    imbalance: Mapping[str, Model]

    @property
    def callpath(self) -> str:
        return self.matched.kernel.callpath

    @property
    def diverges(self) -> bool:
        return max(self.matched.numbers) > 1

    def imbalance_at(self, metric: str, ranks: int, at: Mapping[str, float]) -> float | None:
        """Largest class over the mean of all ranks as the classes' models and sizes predict it; None where one of
        them is not known."""
        if any(c.law is None or metric not in c.models for c in self.classes):
            return None
        sizes = np.array([c.law.at(ranks) for c in self.classes if c.law is not None])
        values = np.array([float(c.models[metric].evaluate(at)) for c in self.classes])
        total = float(sizes @ values)
        return float(values[sizes > 0].max() * sizes.sum() / total) if total > 0 else None

    def to_json(self) -> dict[str, object]:
        m = self.matched
        points = [dict(zip(m.kernel.parameters, e.point, strict=True)) for e in m.kernel.experiments]
        return {"callpath": self.callpath, "by": list(m.metrics), "classes": [c.to_json() for c in self.classes],
                "experiments": [{"params": p, "ranks": len(e.ranks), "clusters": n, "matched": k not in m.left_out}
                                for k, (p, e, n) in enumerate(zip(points, m.kernel.experiments, m.numbers, strict=True))],
                "imbalance": [model.to_json() for model in self.imbalance.values()]}


def fit_diverging(measurements: RankedMeasurements, *, by: Sequence[str] = (), threshold: float | None = None,
                  rule: Rule | None = None) -> tuple[DivergingKernel, ...]:
    """Cluster the ranks of every kernel, match the clusters across experiments and model each.

    Args:
        by: the metrics that tell ranks apart; all where none is given.
        threshold: relative distance that separates clusters; by default 10 %, and 0 for metrics that count.
        rule: (rank, number of ranks, parameters) -> class, in place of clustering.

    Raises:
        InputError: a kernel has none of the metrics in `by`.
        DataError: values that cannot be clustered.
    """
    matched = match(measurements.kernels, by=by, threshold=threshold, rule=rule)
    series = [s for k, m in enumerate(matched) for s in (*_class_series(k, m), *_imbalance_series(k, m.kernel))]
    models = {(m.callpath, m.metric): m for m in fit(Measurements(tuple(series))).models}
    return tuple(_kernel(k, m, models) for k, m in enumerate(matched))


def _kernel(index: int, matched: Matched, models: Mapping[tuple[str, str], Model]) -> DivergingKernel:
    kernel = matched.kernel
    classes = []
    for c, name in enumerate(matched.names):
        sizes = tuple(int((labels == c).sum()) for labels in matched.labels)
        pairs = [(len(e.ranks), n) for e, n in zip(kernel.experiments, sizes, strict=True) if n]
        own = {metric: _renamed(models[key], kernel.callpath) for metric in kernel.metrics
               if (key := (_key(index, c), metric)) in models}
        classes.append(RankClass(name, sizes, size_law([p for p, _ in pairs], [n for _, n in pairs]), own))
    return DivergingKernel(matched, tuple(classes), {
        metric: _renamed(models[_key(index, None), metric], kernel.callpath, f"imbalance of {metric}")
        for metric in kernel.metrics if (_key(index, None), metric) in models})


def _key(kernel: int, rank_class: int | None) -> str:
    """The name under which a class goes through the fitter: call paths may occur in several classes."""
    return f"{kernel}/{'imbalance' if rank_class is None else rank_class}"


def _renamed(model: Model, callpath: str, metric: str | None = None) -> Model:
    return Model(**{**model.__dict__, "callpath": callpath, "metric": metric or model.metric})


def _class_series(index: int, matched: Matched) -> list[Series]:
    """For each class and metric the mean over its ranks; every repetition is an observation."""
    found = []
    experiments = matched.kernel.experiments
    for c in range(len(matched.names)):
        used = [(e, labels == c) for e, labels in zip(experiments, matched.labels, strict=True) if (labels == c).any()]
        for metric in matched.kernel.metrics:
            means = [e.values[metric][members].mean(axis=0) for e, members in used]
            found.append(_series(_key(index, c), metric, matched.kernel, [e for e, _ in used], means))
    return found


def _imbalance_series(index: int, kernel: RankedKernel) -> list[Series]:
    """Largest over mean of the ranks' values; left out where a mean is not positive."""
    found = []
    for metric in kernel.metrics:
        if all((e.values[metric] >= 0).all() and e.values[metric].any(axis=0).all() for e in kernel.experiments):
            ratios = [e.values[metric].max(axis=0) / e.values[metric].mean(axis=0) for e in kernel.experiments]
            found.append(_series(_key(index, None), metric, kernel, kernel.experiments, ratios))
    return found


def _series(name: str, metric: str, kernel: RankedKernel, experiments: Sequence[Experiment],
            observations: Sequence[Floats]) -> Series:
    means = np.array([o.mean() for o in observations])
    squares = np.array([((o - o.mean()) ** 2).sum() for o in observations])
    points = np.array([e.point for e in experiments], dtype=float).reshape(len(experiments), len(kernel.parameters))
    return Series(name, metric, kernel.parameters, points, np.array([float(len(o)) for o in observations]), means, squares)
