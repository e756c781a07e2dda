"""Cluster ranks that behave alike by the relative distance of their values.

The relative distance of two values is their difference over the smaller of their distances from the
origin. In ascending order, a value starts a new cluster if its distance from the previous value
reaches a threshold (Shah, Müller and Wolf, Euro-Par 2018; Calotoiu et al., "Empirical Modeling of
Spatially Diverging Performance", section III.B). The number of clusters need not be known, and
clusters may lie orders of magnitude apart.

Noise misleads the single pass in two ways: if the tails of two clusters nearly meet, their values
form one chain, and the last value of a tail can become a cluster of its own. Where either is
possible, `mdl_cuts` decides; elsewhere the result of the pass stands.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from looplaw_common.errors import DataError

from ..data.measurements import Floats
from .mdl_cuts import LEAST_FREEDOM, mdl_cuts

Labels = NDArray[np.intp]
THRESHOLD = 0.1
"""Relative distance of neighbours from which they belong to different clusters (section III.B)."""

_CLEAR = 2.0  # gaps this many times as wide as the widest cluster are beyond doubt


def relative_distance(a: ArrayLike, b: ArrayLike) -> Floats:
    """|a - b| over the smaller of |a| and |b|; 0 for equal values, infinite if only one of them is
    0."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    difference, smaller = np.abs(a - b), np.minimum(np.abs(a), np.abs(b))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(difference == 0, 0.0, difference / smaller)


def cluster(values: ArrayLike, threshold: float = THRESHOLD, *, steady: bool = True) -> Labels:
    """Labels 0, 1, ... of the clusters of one value a rank, in ascending order of the values.

    Args:
        values: (R,) one finite number for each rank.
        threshold: relative distance that separates clusters; 0 separates all different values, for
            counts.
        steady: revise the result of the single pass by the noise within clusters; False is the
            algorithm of the paper.

    Raises:
        DataError: no values, a value that is not finite, or a negative threshold.
    """
    return cluster_all([np.asarray(values, dtype=float)], threshold, steady=steady)[0]


def cluster_all(
    sets: Sequence[Floats], threshold: float = THRESHOLD, *, steady: bool = True
) -> list[Labels]:
    """`cluster` for many sets of values; sets of the same size are clustered in one batch."""
    if not threshold >= 0:
        raise DataError(
            f"a threshold of {threshold} is not a relative distance; 0.1 is usual, 0 separates"
            " counts"
        )
    by_size: dict[int, list[int]] = {}
    for k, values in enumerate(sets):
        if values.ndim != 1 or not values.size or not np.isfinite(values).all():
            raise DataError("clustering needs one finite number for each rank")
        by_size.setdefault(values.size, []).append(k)
    found: list[Labels] = [np.zeros(0, dtype=np.intp)] * len(sets)
    for members in by_size.values():
        for k, labels in zip(
            members,
            _cluster_rows(np.stack([sets[k] for k in members]), threshold, steady),
            strict=True,
        ):
            found[k] = labels
    return found


def _cluster_rows(values: Floats, threshold: float, steady: bool) -> Labels:
    """Labels (B, R) of B sets of R values."""
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    starts = one_pass(ascending, threshold)
    if steady and threshold > 0:
        open_rows = np.flatnonzero(_undecided(ascending, starts, threshold))
        if len(open_rows):
            starts[open_rows] = mdl_cuts(
                np.log(ascending[open_rows]), starts[open_rows], np.log1p(threshold)
            )
    labels = np.empty_like(order)
    np.put_along_axis(labels, order, np.cumsum(starts, axis=1), axis=1)
    return labels


def one_pass(ascending: Floats, threshold: float) -> NDArray[np.bool_]:
    """Where a cluster starts in ascending values (..., R); the first is not marked."""
    distance = relative_distance(ascending[..., 1:], ascending[..., :-1])
    starts = np.zeros(ascending.shape, dtype=bool)
    starts[..., 1:] = (distance >= threshold) & (distance > 0)
    return starts


def _undecided(ascending: Floats, starts: NDArray[np.bool_], threshold: float) -> NDArray[np.bool_]:
    """Sets whose noise may have misled the pass: a cluster is wider than the threshold, or a gap
    not much wider than the clusters. Sets with values that are not positive, whose noise is not
    relative, and sets with too few values to estimate it are decided."""
    size = ascending.shape[1]
    judged = (ascending[:, 0] > 0) & (size - 1 - starts.sum(axis=1) >= LEAST_FREEDOM)
    logs = np.log(np.where(ascending > 0, ascending, 1.0))
    steps = np.diff(logs, axis=1)
    first, last = np.maximum.accumulate(np.where(starts, logs, logs[:, :1]), axis=1), logs
    widest = (last - first).max(axis=1)
    gaps = np.where(starts[:, 1:], steps, np.inf).min(axis=1, initial=np.inf)
    result: NDArray[np.bool_] = judged & (
        (widest >= np.log1p(threshold)) | (gaps < _CLEAR * widest)
    )
    return result


def cluster_jointly(metrics: Sequence[Floats], thresholds: Sequence[float]) -> Labels:
    """Cluster ranks by several metrics: ranks of one class are alike in each of them.

    Metrics with threshold 0 (counts) come first, and the others are clustered within the classes
    that these form, so that noise in times cannot mix ranks with different counts. Classes are
    numbered by ascending mean of the first metric.

    Args:
        metrics: one array (R,) for each metric.
        thresholds: relative distance for each metric.
    """
    labels = np.zeros(len(metrics[0]), dtype=np.intp)
    for values, threshold in sorted(
        zip(metrics, thresholds, strict=True), key=lambda pair: pair[1] > 0
    ):
        labels = refine_all([labels], [values], threshold)[0]
    return in_ascending_order(labels, metrics[0])


def refine_all(
    classes: Sequence[Labels], values: Sequence[Floats], threshold: float
) -> list[Labels]:
    """Cluster the values within each class of each set; the new classes are numbered by old class,
    then by value."""
    groups = [[np.flatnonzero(labels == k) for k in range(labels.max() + 1)] for labels in classes]
    inner = iter(
        cluster_all(
            [v[g] for found, v in zip(groups, values, strict=True) for g in found], threshold
        )
    )
    refined = []
    for labels, found in zip(classes, groups, strict=True):
        new, offset = np.empty_like(labels), 0
        for group in found:
            part = next(inner)
            new[group] = part + offset
            offset += int(part.max()) + 1
        refined.append(new)
    return refined


def in_ascending_order(labels: Labels, values: Floats) -> Labels:
    """The same clusters, numbered by ascending mean of their values."""
    size = np.bincount(labels)
    mean = np.bincount(labels, weights=values) / np.where(size > 0, size, 1)
    rank = np.empty(len(mean), dtype=np.intp)
    rank[np.argsort(mean, kind="stable")] = np.arange(len(mean))
    result: Labels = rank[labels]
    return result
