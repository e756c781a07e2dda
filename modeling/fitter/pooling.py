"""What the series of one metric have in common: their noise levels, the shape of their noise, and
how much local extrapolation is worth for them.

They were measured on the same machine, so a sample of them says what to expect of each (empirical
Bayes for the noise, stacking for the extrapolation; see `evidence`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..data.measurements import Floats, Measurements, Series
from ..data.units import is_time, unit_in
from ..evidence.local_extrapolation import (
    NO_EXTRAPOLATION,
    extrapolates,
    local_line,
    stacked_weight,
)
from ..evidence.noise import Evidence, Levels, pooled_levels
from ..evidence.noise_shape import pooled_bounded_prior
from ..least_squares.threads import one_blas_thread
from ..pmnf.hypotheses import Codes
from ..pmnf.prediction import LEVEL
from ..pmnf.terms import Prior
from ..settings import DEFAULT, BatchSettings, ExtrapolationSettings, Settings, at
from .batches import PooledNoise, modelled
from .design import Design, Group, alike, below_top, groups_of
from .fitted import Fitted

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
    right from wrong laws, local extrapolation is not needed, and intervals hold.

    What all series deviate by may also be a law that the dictionary does not have. Then the largest
    points are missed when the others are taken to have that noise, and the series share none.
    """
    levels = _levels_of(parts, settings)
    if levels.pooled and levels.usual_sigma < settings.noise.believed:
        return PooledNoise(levels)
    found = _held_out(parts, levels, settings)
    if found.widened < settings.noise.refuted:
        return PooledNoise(levels) if levels.pooled else found
    every = Levels.every(settings)
    prior = every.prior if levels.pooled else levels.prior
    return replace(found, levels=replace(every, bounded=levels.bounded, prior=prior))


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
    found = []
    for group, rows in parts:
        design = Design(group, settings)
        batch = design.batch(rows, every, NO_EXTRAPOLATION, rounded=False)
        found.append(design.level_evidence(batch))
    repetitions = [group.repetitions(rows) for group, rows in parts]
    bounded = pooled_bounded_prior(repetitions, settings.bounded)
    series = parts[0][0].series
    counted = not is_time(
        series.unit(int(parts[0][1][0])) or unit_in(series.metrics[parts[0][1][0]])
    )
    levels = pooled_levels(Evidence.joined(found), settings, counted=counted)
    return replace(levels, bounded=bounded)


def _held_out(parts: Parts, levels: Levels, settings: Settings) -> PooledNoise:
    """What the largest points of series of one metric say, had they not been measured: how much the
    line through the last points would have been worth for them, and how much wider intervals must
    be; nothing where the series are too few."""
    chosen: list[tuple[Series, Prior, Series]] = []
    for group, rows in parts:
        kept = below_top(group.series.points)
        if group.free and kept.sum() >= settings.extrapolation.fewest_points:
            chosen += [
                (s, group.prior, s.part(kept)) for s in map(group.series.series, rows.tolist())
            ]
    if len(chosen) < settings.extrapolation.fewest_series:
        return PooledNoise(levels)
    priors = {(s.callpath, s.metric): prior for s, prior, _ in chosen}
    data = Measurements(tuple(short for *_, short in chosen))
    shorter = list(groups_of(data, priors, settings))
    own = {
        metric: PooledNoise(
            # a common noise is put to the test, whatever the shortened series say of theirs
            levels if levels.pooled else _levels_of(_few(found, settings.batch), settings),
            rounded=False,  # laws that pretend to meet a few points show what is not noise
        )
        for metric, found in _usable(shorter).items()
    }
    models = modelled(shorter, own, settings, stacked=False)
    laws, lows, highs, lines, true = np.array(
        [row for part in models.parts() for row in _forecasts(part, chosen, settings)]
    ).T
    told = np.isfinite(lines)
    weight = NO_EXTRAPOLATION
    if told.sum() >= settings.extrapolation.fewest_series:
        weight = stacked_weight(laws[told], lines[told], true[told], settings.extrapolation)
    return PooledNoise(levels, weight, _widened(laws, lows, highs, true, settings.extrapolation))


def _forecasts(
    part: tuple[Fitted, Codes, Codes],
    chosen: Sequence[tuple[Series, Prior, Series]],
    settings: Settings,
) -> Iterator[tuple[float, ...]]:
    """Of each series of a part at its largest point: forecast of the law, ends of its interval, the
    line through the last points (NaN where the design has none), and what is true."""
    fitted, places, rows = part
    # series without some of the largest points are left with the same ones as those that have them
    together: dict[bytes, list[int]] = {}
    for row, k in enumerate(places.tolist()):
        together.setdefault(chosen[k][0].points.tobytes(), []).append(row)
    for own in together.values():
        yield from _forecasts_at_one((fitted, places[own], rows[own]), chosen, settings)


def _forecasts_at_one(
    part: tuple[Fitted, Codes, Codes],
    chosen: Sequence[tuple[Series, Prior, Series]],
    settings: Settings,
) -> Iterator[tuple[float, ...]]:
    """The same of series that have all their points in common."""
    fitted, places, rows = part
    first, _, shortened = chosen[places[0]]
    top = int(np.lexsort(first.points.T)[-1])
    there = first.points[top : top + 1]
    at = dict(zip(first.parameters, there.T, strict=True))
    ends = fitted.interval(at, LEVEL, unseen=False)  # what the points themselves tell
    value, low, high = (a[rows, 0].tolist() for a in (fitted.values(at), *ends))
    matrix = local_line(shortened.points, there, settings.extrapolation)[0]
    if not extrapolates(shortened.points[:, np.ptp(first.points, axis=0) > 0]):
        matrix = np.full(len(matrix), np.nan)
    for k, *forecast in zip(places.tolist(), value, low, high, strict=True):
        whole, _, short = chosen[k]
        yield *forecast, float(np.exp(matrix @ np.log(short.means))), float(whole.means[top])


def _widened(
    laws: Floats, lows: Floats, highs: Floats, true: Floats, settings: ExtrapolationSettings
) -> float:
    """How much wider intervals must be to hold the largest points of most series (split conformal
    prediction). Laws know less without those points than with them, so that half of it, in
    logarithms, is believed."""
    usable = (laws > 0) & (lows > 0) & (highs > laws) & (laws > lows)
    laws, lows, highs, true = (a[usable] for a in (laws, lows, highs, true))
    if len(true) < settings.fewest_scores:
        return 1.0
    missed = np.log(true / laws)
    score = np.abs(missed) / np.where(missed > 0, np.log(highs / laws), np.log(laws / lows))
    rank = min(LEVEL * (1 + 1 / len(score)), 1.0)
    needed = np.clip(np.quantile(score, rank), 1.0, settings.most_needed)
    return float(needed**settings.believed)
