"""What the page shows of ranks: classes of each kernel's ranks, how these grow, the imbalance, and
every rank's value.

(Calotoiu et al., "Empirical Modeling of Spatially Diverging Performance".)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from modeling.data.ranks import Experiment
from modeling.rank_classes.class_models import DivergingKernel, RankClass

from ..documents.study import (
    RankClassSummary,
    RankedKernel,
    RankExperiment,
    RankLaw,
    RankModel,
    RankStrip,
)

_MOST_RANKS = 256
"""Ranks of one experiment that are shown one by one."""
_MOST_OF_KERNEL, _MOST_OF_PAGE = 3000, 18_000
"""Values of single ranks kept of a kernel, and of all kernels together."""


def ranks_section(kernels: Sequence[DivergingKernel]) -> tuple[RankedKernel, ...]:
    """The kernels whose ranks wait longest for the slowest first, then those with the greatest
    imbalance; the ranks of the first ones' largest experiments are kept singly."""
    room = _MOST_OF_PAGE
    found = []
    for k in sorted(kernels, key=lambda k: (-_waiting(k), -_worst(k), k.callpath)):
        shown, used = _strips(k, min(room, _MOST_OF_KERNEL))
        room -= used
        found.append(_kernel(k, shown))
    return tuple(found)


def _kernel(k: DivergingKernel, strips: Mapping[int, RankStrip]) -> RankedKernel:
    kernel = k.matched.kernel
    experiments = tuple(
        RankExperiment(
            dict(zip(kernel.parameters, map(_whole, e.point), strict=True)),
            len(e.ranks),
            int(number),
            n not in k.matched.left_out,
            _imbalances(e),
            strips.get(n),
        )
        for n, (e, number) in enumerate(zip(kernel.experiments, k.matched.numbers, strict=True))
    )
    return RankedKernel(
        k.callpath,
        k.diverges,
        tuple(k.matched.metrics),
        tuple(kernel.metrics),
        tuple(_class(c) for c in k.classes),
        experiments,
        {metric: model.document for metric, model in k.imbalance.items()},
    )


def _class(c: RankClass) -> RankClassSummary:
    return RankClassSummary(
        c.name,
        tuple(map(int, c.sizes)),
        None if c.law is None else RankLaw(c.law.formula, c.law.exact),
        {metric: RankModel(m.formula, m.identifiable) for metric, m in c.models.items()},
    )


def _imbalances(e: Experiment) -> dict[str, float | None]:
    """Metric -> the largest rank's value over the mean of all."""
    found: dict[str, float | None] = {}
    for metric in e.values:
        values = e.per_rank(metric)
        found[metric] = (
            float(values.max() / values.mean()) if values.min() >= 0 and values.max() > 0 else None
        )
    return found


def _waiting(k: DivergingKernel) -> float:
    """Seconds that the mean rank waits for the slowest in the worst experiment; 0 where no time was
    measured."""
    times = [e.per_rank("time") for e in k.matched.kernel.experiments if "time" in e.values]
    return max((float(t.max() - t.mean()) for t in times), default=0.0)


def _worst(k: DivergingKernel) -> float:
    return max(
        (v for e in k.matched.kernel.experiments for v in _imbalances(e).values() if v is not None),
        default=1.0,
    )


def _strips(k: DivergingKernel, room: int) -> tuple[dict[int, RankStrip], int]:
    """The values rank by rank of the largest experiments for which there is room, and how much they
    take."""
    found: dict[int, RankStrip] = {}
    used = 0
    experiments = k.matched.kernel.experiments
    for n in sorted(
        range(len(experiments)),
        key=lambda n: (len(experiments[n].ranks), experiments[n].point),
        reverse=True,
    ):
        e = experiments[n]
        if len(e.ranks) < 2:
            continue
        shown = _shown(e)
        size = len(shown) * (len(e.values) + 1)
        if used + size > room:
            break
        used += size
        found[n] = RankStrip(
            tuple(int(r) for r in e.ranks[shown]),
            tuple(int(c) for c in k.matched.labels[n][shown]),
            {
                metric: tuple(float(f"{v:.5g}") for v in e.per_rank(metric)[shown])
                for metric in e.values
            },
        )
    return found, used


def _shown(e: Experiment) -> NDArray[np.int64]:
    """Places of the ranks that are shown: all, else evenly chosen ones, the extremes of every
    metric among them."""
    total = len(e.ranks)
    if total <= _MOST_RANKS:
        return np.arange(total, dtype=np.int64)
    ends = [int(f(e.per_rank(metric))) for metric in e.values for f in (np.argmin, np.argmax)]
    even = np.linspace(0, total - 1, max(_MOST_RANKS - len(ends), 2)).astype(np.int64)
    return np.unique(np.concatenate([even, np.array(ends, dtype=np.int64)]))


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value
