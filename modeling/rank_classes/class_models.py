"""Models of programs whose ranks diverge: one for each class of ranks, how the sizes of the classes
grow, and the imbalance.

The steps are those of Calotoiu et al., "Empirical Modeling of Spatially Diverging Performance",
section III.B and Fig. 3: cluster the ranks of every experiment, match the clusters across
experiments, fit a model to each. Sizes and imbalance are added here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace

from ..data.measurements import Floats, Measurements, Series
from ..data.ranks import Experiment, RankedKernel, RankedMeasurements
from ..expectations.growth_test import Sample
from ..fitter.fit import fit
from ..pmnf.model import Model
from .class_sizes import SizeLaw, size_law
from .match_clusters import Matched, match
from .rank_rules import Rule

FORMAT = "looplaw-clusters/1"


@dataclass(frozen=True)
class RankClass:
    """One class of ranks: its number of ranks in each experiment (0: absent), how that grows, and a
    model for each metric."""

    name: str
    sizes: tuple[int, ...]
    law: SizeLaw | None
    models: Mapping[str, Model]

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "sizes": list(self.sizes),
            "size_law": (
                None
                if self.law is None
                else {
                    "formula": self.law.formula,
                    "order": str(self.law.order),
                    "exact": self.law.exact,
                }
            ),
            "models": [m.to_json() for m in self.models.values()],
        }


@dataclass(frozen=True)
class DivergingKernel:
    """The classes of one kernel. imbalance: metric -> model of the largest rank's value over the
    mean of all ranks."""

    matched: Matched
    classes: tuple[RankClass, ...]
    imbalance: Mapping[str, Model]

    @property
    def callpath(self) -> str:
        return self.matched.kernel.callpath

    @property
    def diverges(self) -> bool:
        """Whether some experiment has several clusters."""
        return max(self.matched.numbers) > 1

    @property
    def models(self) -> tuple[Model, ...]:
        """The models of all classes, called `compute (1 of 3)` and so on, and of the imbalance."""
        own = [
            _renamed(m, class_name(self.callpath, c.name) if self.diverges else self.callpath)
            for c in self.classes
            for m in c.models.values()
        ]
        return (*own, *(self.imbalance.values() if self.diverges else ()))

    def imbalance_at(self, metric: str, ranks: int, at: Mapping[str, float]) -> float | None:
        """The imbalance that the models and sizes of the classes predict: the largest class over
        the mean of all ranks; None if a model or a law of sizes is missing."""
        if any(c.law is None or metric not in c.models for c in self.classes):
            return None
        sizes = np.array([c.law.at(ranks) for c in self.classes if c.law is not None])
        values = np.array([float(c.models[metric].evaluate(at)) for c in self.classes])
        total = float(sizes @ values)
        return float(values[sizes > 0].max() * sizes.sum() / total) if total > 0 else None

    def to_json(self) -> dict[str, Any]:
        m = self.matched
        points = [
            dict(zip(m.kernel.parameters, e.point, strict=True)) for e in m.kernel.experiments
        ]
        return {
            "callpath": self.callpath,
            "by": list(m.metrics),
            "classes": [c.to_json() for c in self.classes],
            "experiments": [
                {"params": p, "ranks": len(e.ranks), "clusters": n, "matched": k not in m.left_out}
                for k, (p, e, n) in enumerate(
                    zip(points, m.kernel.experiments, m.numbers, strict=True)
                )
            ],
            "imbalance": [model.to_json() for model in self.imbalance.values()],
        }


def fit_diverging(
    measurements: RankedMeasurements,
    *,
    by: Sequence[str] = (),
    threshold: float | None = None,
    rule: Rule | None = None,
    number: int | None = None,
) -> tuple[DivergingKernel, ...]:
    """Cluster the ranks of every kernel, match the clusters across experiments and model each.

    Args:
        by: the metrics that the ranks are clustered by; by default all.
        threshold: relative distance that separates clusters; by default 10 %, and 0 for metrics
            that count.
        rule: (rank, number of ranks, parameters) -> class, used instead of clustering.
        number: model the experiments with so many clusters, for kernels that have such; by default
            the number that most experiments have.

    Raises:
        InputError: a kernel has none of the metrics in `by`, or no experiment so many clusters.
        DataError: values that cannot be clustered.
    """
    matched = match(measurements.kernels, by=by, threshold=threshold, rule=rule, number=number)
    series = [
        _series(_key(k, c), metric, sample)
        for k, m in enumerate(matched)
        for (c, metric), sample in (
            *class_samples(m).items(),
            *(((None, n), s) for n, s in imbalance_samples(m.kernel).items()),
        )
    ]
    models = {(m.callpath, m.metric): m for m in fit(Measurements(tuple(series))).models}
    return tuple(_kernel(k, m, models) for k, m in enumerate(matched))


def _kernel(
    index: int, matched: Matched, models: Mapping[tuple[str, str], Model]
) -> DivergingKernel:
    kernel = matched.kernel
    classes = []
    for c, name in enumerate(matched.names):
        sizes = tuple(int((labels == c).sum()) for labels in matched.labels)
        pairs = [(len(e.ranks), n) for e, n in zip(kernel.experiments, sizes, strict=True) if n]
        own = {
            metric: _renamed(models[key], kernel.callpath)
            for metric in kernel.metrics
            if (key := (_key(index, c), metric)) in models
        }
        classes.append(
            RankClass(name, sizes, size_law([p for p, _ in pairs], [n for _, n in pairs]), own)
        )
    return DivergingKernel(
        matched,
        tuple(classes),
        {
            metric: _renamed(
                models[_key(index, None), metric], kernel.callpath, imbalance_of(metric)
            )
            for metric in kernel.metrics
            if (_key(index, None), metric) in models
        },
    )


def _key(kernel: int, rank_class: int | None) -> str:
    """The name of a class for the fitter, which needs names that occur once."""
    return f"{kernel}/{'imbalance' if rank_class is None else rank_class}"


def class_name(callpath: str, rank_class: str) -> str:
    """The name of one class of a kernel in lists of kernels."""
    return f"{callpath} ({rank_class})"


def imbalance_of(metric: str) -> str:
    """The name of the imbalance as a metric."""
    return f"imbalance of {metric}"


def _renamed(model: Model, callpath: str, metric: str | None = None) -> Model:
    return replace(model, callpath=callpath, metric=metric or model.metric)


def class_samples(matched: Matched) -> dict[tuple[int, str], Sample]:
    """(class, metric) -> the means over the ranks of the class, one for each repetition."""
    found = {}
    experiments = matched.kernel.experiments
    for c in range(len(matched.names)):
        used = [
            (e, labels == c)
            for e, labels in zip(experiments, matched.labels, strict=True)
            if (labels == c).any()
        ]
        for metric in matched.kernel.metrics if used else ():
            means = [e.values[metric][members].mean(axis=0) for e, members in used]
            found[c, metric] = _sample(matched.kernel, [e for e, _ in used], means)
    return found


def imbalance_samples(kernel: RankedKernel) -> dict[str, Sample]:
    """metric -> the largest rank's value over the mean of all ranks; metrics with a mean that is
    not positive are left out."""
    found = {}
    for metric in kernel.metrics:
        if all(
            (e.values[metric] >= 0).all() and e.values[metric].any(axis=0).all()
            for e in kernel.experiments
        ):
            ratios = [
                e.values[metric].max(axis=0) / e.values[metric].mean(axis=0)
                for e in kernel.experiments
            ]
            found[metric] = _sample(kernel, kernel.experiments, ratios)
    return found


def _sample(
    kernel: RankedKernel, experiments: Sequence[Experiment], observations: Sequence[Floats]
) -> Sample:
    points = np.array([e.point for e in experiments], dtype=float).reshape(
        len(experiments), len(kernel.parameters)
    )
    return Sample(kernel.parameters, points, tuple(observations))


def _series(name: str, metric: str, sample: Sample) -> Series:
    means = np.array([r.mean() for r in sample.repetitions])
    squares = np.array([((r - r.mean()) ** 2).sum() for r in sample.repetitions])
    return Series(
        name,
        metric,
        sample.parameters,
        sample.points,
        np.array([float(len(r)) for r in sample.repetitions]),
        means,
        squares,
        np.array([r.min() for r in sample.repetitions]),
        np.array([r.max() for r in sample.repetitions]),
    )
