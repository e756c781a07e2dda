"""Series modelled in batches: candidates, exact fits and the choice for as many at a time as the
memory holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.local_extrapolation import (
    NO_EXTRAPOLATION,
    along_line,
    earned_weight,
    extrapolates,
    local_line,
    needed_error,
)
from ..evidence.noise import Levels
from ..pmnf.hypotheses import Codes
from ..pmnf.prediction import LEVEL
from ..search.batch import Batch
from ..search.bounded_noise_selection import with_bounded_noise
from ..search.candidate_fits import outside
from ..search.gathered import Gathered, fit_and_gather
from ..search.model_selection import choose, misses_top
from ..settings import DESIGNS_KEPT, RESOLUTION, ExtrapolationSettings, Settings, at
from .design import Design, Group, alike, below_top
from .fitted import Fitted
from .lazy_models import LazyModels


@dataclass(frozen=True)
class PooledNoise:
    """What the series of one metric have in common: the levels of their noise, the weight of local
    extrapolation in forecasts, and how much wider intervals must be than each series alone says.
    rounded: no noise below the rounding of values is believed."""

    levels: Levels
    extrapolation_weight: float = NO_EXTRAPOLATION
    widened: float = 1.0
    rounded: bool = True


UNPOOLED = PooledNoise(Levels.every())
"""A metric with too few series to pool."""


def modelled(
    groups: Sequence[Group],
    pooled: Mapping[str, PooledNoise],
    settings: Settings,
    *,
    stacked: bool = True,
) -> LazyModels:
    """Models of all series of the groups.

    A series whose noise is none of the pooled levels is modelled again with all levels.

    Args:
        groups: series with the same points.
        pooled: what the series of each metric have in common.
        settings: the constants of the fitter.
        stacked: see how well law and local extrapolation foretell the largest point of series that
            no law fits well, and believe the better one.
    """
    found, every = LazyModels(sum(len(group.series) for group in groups)), Levels.every(settings)
    usual = settings.batch.usual_points
    for group in groups:
        design = Design(group, settings)
        chunk = at(settings.batch.chunk, len(group.free))
        step = max(1, chunk * usual // max(len(design.points), usual))
        for part in alike(group):
            noise = pooled.get(group.series.metrics[part[0]], PooledNoise(every))
            for start in range(0, len(part), step):
                some = part[start : start + step]
                unusual = _put(found, design, some, noise, stacked)
                if len(unusual):
                    other = replace(noise, levels=noise.levels.of_all())
                    _put(found, design, unusual, other, stacked)
    return found


def _put(
    found: LazyModels, design: Design, rows: Codes, noise: PooledNoise, stacked: bool
) -> Codes:
    """Model some series of a group; returns those whose noise is none of the levels."""
    unusual: list[Codes] = []
    missed: list[tuple[Codes, Gathered]] = []
    whole = design.batch(rows, noise.levels, noise.extrapolation_weight, rounded=noise.rounded)
    candidates = design.candidates(whole)
    values = len(design.points) * sum(c.codes.shape[1] for c in candidates)
    block = max(1, design.settings.batch.block // values)
    for start in range(0, len(rows), block):
        part = slice(start, start + block)
        batch = whole.part(part)
        own = [c.part(part) for c in candidates]
        gathered, variance, fits_of = fit_and_gather(batch, own)
        gathered = with_bounded_noise(batch, fits_of, design.with_known(gathered))
        gathered = design.with_regimes(batch, gathered)
        _take_best(found, design, rows[part], batch, gathered, noise)
        unresolved = batch.repetitions.max(axis=1) < -RESOLUTION.excluded / 2
        unusual.append(rows[part][outside(batch, variance) | unresolved])
        if stacked:
            places = _missing_top(design, batch, gathered, noise)
            missed.append((start + places, gathered.part(places)))
    if missed:
        _take_better(found, design, rows, whole, missed, noise)
    return np.concatenate(unusual)


def _take_best(
    found: LazyModels,
    design: Design,
    rows: Codes,
    batch: Batch,
    gathered: Gathered,
    noise: PooledNoise,
    line: Floats | None = None,
) -> None:
    """Choose among the fits of a batch of series, and put their models where they belong."""
    group, chosen = design.group, choose(batch, gathered, line)
    found.put(
        group.places[rows],
        Fitted(
            group.cleaned.take(rows),
            design.terms,
            group.free,
            batch,
            chosen,
            noise.widened,
            group.prior,
            design.curves(batch, gathered, rows),
        ),
    )


def _take_better(
    found: LazyModels,
    design: Design,
    rows: Codes,
    whole: Batch,
    missed: Sequence[tuple[Codes, Gathered]],
    noise: PooledNoise,
) -> None:
    """Choose again where local extrapolation has earned a weight: of the series with these numbers
    in a batch, whose laws miss their largest points. They are few, so they wait for each other."""
    places = np.concatenate([p for p, _ in missed])
    if not len(places):
        return
    weight = _earned(design, rows[places], whole.y[places], noise)
    better = np.flatnonzero(weight > 0)
    if len(better):
        gathered = Gathered.joined([g for _, g in missed]).part(better)
        some = places[better]
        _take_best(found, design, rows[some], whole.part(some), gathered, noise, weight[better])


def _held_out_of(design: Design) -> tuple[NDArray[np.bool_], int, Floats] | None:
    """See `_held_out`."""
    points = design.group.series.points
    free = tuple(design.group.free)
    return _held_out(points.tobytes(), points.shape, free, design.settings.extrapolation)


def _missing_top(design: Design, batch: Batch, gathered: Gathered, noise: PooledNoise) -> Codes:
    """Numbers of the series of a batch whose law misses their largest point so far, and whose line
    does not, that the line may earn a weight."""
    settings, held = design.settings.extrapolation, _held_out_of(design)
    if held is None or not batch.extrapolates or design.space.fixed or not (batch.y > 0).all():
        return np.zeros(0, dtype=np.int64)
    kept, top, matrix = held
    true = batch.y[:, top]
    line = along_line(batch.y[:, kept], matrix)
    least = needed_error(line, true, settings) / 2
    if len(design.group.free) > 1 and not noise.levels.pooled:
        least[:] = 0.0  # other laws are found without the largest points
    near = np.abs(np.log(line) - np.log(true)) < settings.farthest
    return np.flatnonzero(near & misses_top(batch, gathered, least))


def _earned(design: Design, rows: Codes, y: Floats, noise: PooledNoise) -> Floats:
    """(K,): the weight that local extrapolation has earned by foretelling the largest point of some
    series with means y (K, P), the others alone being known (leave-largest-out). A miss of the law
    that the noise explains, where all series have one, earns nothing."""
    held, series = _held_out_of(design), design.group.series
    assert held is not None
    kept, top, matrix = held
    shorter = replace(
        design.group,
        cleaned=design.group.cleaned.take(rows).part(kept),
        places=np.arange(len(rows)),
        free=tuple(k for k in design.group.free if np.ptp(series.points[kept, k]) > 0),
    )
    metric, there = series.metrics[rows[0]], series.points[top].tolist()
    models = modelled([shorter], {metric: noise}, design.settings, stacked=False)
    at = {n: np.array([x]) for n, x in zip(series.parameters, there, strict=True)}
    line = along_line(y[:, kept], matrix)
    true = y[:, top]
    weight = earned_weight(models.values(at)[:, 0], line, true, design.settings.extrapolation)
    if not noise.levels.pooled:
        return weight
    low, high = (ends[:, 0] for ends in models.interval(at, LEVEL))
    return np.where((low <= true) & (true <= high), 0.0, weight)


@lru_cache(maxsize=DESIGNS_KEPT)
def _held_out(
    points: bytes, shape: tuple[int, ...], free: tuple[int, ...], settings: ExtrapolationSettings
) -> tuple[NDArray[np.bool_], int, Floats] | None:
    """Of a design of points, given by the bytes of their values and their shape, which of them are
    known where the largest one is not, its number, and the matrix of local extrapolation to it;
    None where the others tell no line."""
    values = np.frombuffer(points).reshape(shape)
    kept, columns = below_top(values), list(free)
    if kept.sum() < settings.fewest_points or not extrapolates(values[kept][:, columns]):
        return None
    top = int(np.lexsort(values.T)[-1])
    there = values[top : top + 1, columns]
    return kept, top, local_line(values[kept][:, columns], there, settings)[0]
