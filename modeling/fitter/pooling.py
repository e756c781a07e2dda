"""What the series of one metric have in common: their noise levels, the shape of their noise, and
how much local extrapolation is worth for them.

They were measured on the same machine, so a sample of them says what to expect of each (empirical
Bayes for the noise, stacking for the extrapolation; see `evidence`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..data.measurements import Measurements, Series
from ..evidence.local_extrapolation import NO_EXTRAPOLATION, local_line, stacked_weight
from ..evidence.noise import Levels, pooled_levels
from ..evidence.noise_shape import pooled_bounded_prior
from ..least_squares.threads import one_blas_thread
from ..pmnf.hypotheses import Codes
from ..pmnf.terms import Prior
from ..settings import DEFAULT, BatchSettings, Settings, at
from .batches import PooledNoise, modelled
from .design import Design, Group, alike, below_top, groups_of

Parts = Sequence[tuple[Group, Codes]]
"""Some rows of groups."""


def sampled(
    parts: Sequence[tuple[int, int]], settings: BatchSettings = DEFAULT.batch
) -> list[slice]:
    """Which of the series of a metric are sampled to pool its noise: a slice of each part (free
    parameters, number of series with the same points and positive values), whose series are sorted
    by call path."""
    total = sum(size for _, size in parts)
    sample = min((at(settings.sample, free) for free, _ in parts), default=0)
    result = []
    for _, size in parts:
        share = max(1, round(sample * size / max(total, sample)))
        step = max(1, size // share)
        result.append(slice(0, step * share, step))
    return result


def pool_noise(sample: Measurements, settings: Settings = DEFAULT) -> dict[str, PooledNoise]:
    """What the series of each metric have in common, from such a sample of them as `sampled`
    chooses."""
    groups = list(groups_of(sample, {}, settings))
    with one_blas_thread(len(sample.series)):
        return {metric: _pooled(parts, settings) for metric, parts in _usable(groups).items()}


def pooled_by_metric(groups: Sequence[Group], settings: Settings) -> dict[str, PooledNoise]:
    """What the series of each metric have in common, from a sample of them."""
    return {
        metric: _pooled(_few(parts, settings.batch), settings)
        for metric, parts in _usable(groups).items()
    }


def _few(parts: Parts, settings: BatchSettings) -> list[tuple[Group, Codes]]:
    """A sample of some rows of groups."""
    slices = sampled([(len(group.free), len(rows)) for group, rows in parts], settings)
    return [(group, rows[some]) for (group, rows), some in zip(parts, slices, strict=True)]


def _pooled(parts: Parts, settings: Settings) -> PooledNoise:
    """What some series of one metric have in common. Where they share one noise, residuals tell
    right from wrong laws, and local extrapolation is not needed."""
    levels = _levels_of(parts, settings)
    return PooledNoise(
        levels, NO_EXTRAPOLATION if levels.pooled else _extrapolation_weight_of(parts, settings)
    )


def _usable(groups: Sequence[Group]) -> dict[str, list[tuple[Group, Codes]]]:
    """The rows of series of each metric that say something of its noise, by call path: positive
    values at more than two points."""
    usable: dict[str, list[tuple[Group, Codes]]] = {}
    for group in groups:
        for part in alike(group):
            found = usable.setdefault(group.series.metrics[part[0]], [])
            if len(group.series.points) > 2 and (group.series.means[part[0]] > 0).all():
                found.append(
                    (group, np.array(sorted(part.tolist(), key=group.series.callpaths.__getitem__)))
                )
    return usable


def _levels_of(parts: Parts, settings: Settings) -> Levels:
    """Noise levels of some series of one metric."""
    every = Levels.every(settings)
    if sum(len(rows) for _, rows in parts) < 2:
        return every
    evidence = []
    for group, rows in parts:
        design = Design(group, settings)
        batch = design.batch(rows, every, NO_EXTRAPOLATION)
        evidence.append(design.level_evidence(batch))
    repetitions = [group.repetitions(rows) for group, rows in parts]
    bounded = pooled_bounded_prior(repetitions, settings.bounded)
    return replace(pooled_levels(np.concatenate(evidence), settings), bounded=bounded)


def _extrapolation_weight_of(parts: Parts, settings: Settings) -> float:
    """How much the line through the last points would have been worth for the largest points of
    series of one metric, had they not been measured; nothing where the series are too few."""
    chosen: list[tuple[Series, Prior, Series]] = []
    for group, rows in parts:
        kept = below_top(group.series.points)
        if group.free and kept.sum() >= settings.extrapolation.fewest_points:
            chosen += [
                (s, group.prior, s.part(kept)) for s in map(group.series.series, rows.tolist())
            ]
    if len(chosen) < settings.extrapolation.fewest_series:
        return NO_EXTRAPOLATION
    priors = {(s.callpath, s.metric): prior for s, prior, _ in chosen}
    data = Measurements(tuple(short for *_, short in chosen))
    shorter = list(groups_of(data, priors, settings))
    levels = {
        metric: PooledNoise(_levels_of(_few(found, settings.batch), settings))
        for metric, found in _usable(shorter).items()
    }
    forecasts = []
    for (whole, _, short), model in zip(
        chosen, modelled(shorter, levels, settings, stacked=False), strict=True
    ):
        top = int(np.lexsort(whole.points.T)[-1])
        matrix = local_line(short.points, whole.points[top : top + 1], settings.extrapolation)
        line = matrix[0] @ np.log(short.means)
        law = float(
            model.evaluate(dict(zip(whole.parameters, whole.points[top].tolist(), strict=True)))
        )
        forecasts.append((law, float(np.exp(line)), float(whole.means[top])))
    laws, lines, true = np.array(forecasts).T
    return stacked_weight(laws, lines, true, settings.extrapolation)
