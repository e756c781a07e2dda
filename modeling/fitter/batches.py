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
    earned_weight,
    extrapolates,
    local_line,
    needed_error,
)
from ..evidence.noise import Levels
from ..pmnf.hypotheses import Codes
from ..search.batch import Batch
from ..search.bounded_noise_selection import with_bounded_noise
from ..search.candidate_fits import fit_candidates, outside
from ..search.gathered import Gathered, gather
from ..search.model_selection import choose, misses_top
from ..settings import DESIGNS_KEPT, ExtrapolationSettings, Settings, at
from .design import Design, Group, alike, below_top
from .fitted import Fitted, LazyModels


@dataclass(frozen=True)
class PooledNoise:
    """What the series of one metric have in common: the levels of their noise, the weight of local
    extrapolation in forecasts, and how much wider intervals must be than each series alone says."""

    levels: Levels
    extrapolation_weight: float = NO_EXTRAPOLATION
    widened: float = 1.0


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
    group = design.group
    unusual: list[Codes] = []
    whole = design.batch(rows, noise.levels, noise.extrapolation_weight)
    candidates = design.candidates(whole)
    values = len(design.points) * sum(c.codes.shape[1] for c in candidates)
    block = max(1, design.settings.batch.block // values)
    for start in range(0, len(rows), block):
        part = slice(start, start + block)
        some, batch = rows[part], whole.part(part)
        candidate_fits = fit_candidates(batch, [c.part(part) for c in candidates])
        gathered = design.with_known(gather(batch, candidate_fits))
        gathered = with_bounded_noise(batch, candidate_fits, gathered)
        gathered = design.with_regimes(batch, gathered)
        line = _earned(design, some, batch, gathered, noise) if stacked else None
        chosen = choose(batch, gathered, line)
        found.put(
            group.places[some],
            Fitted(
                group.cleaned.take(some), design.terms, group.free, batch, chosen, noise.widened
            ),
        )
        unusual.append(some[outside(batch, candidate_fits)])
    return np.concatenate(unusual)


def _earned(
    design: Design, rows: Codes, batch: Batch, gathered: Gathered, noise: PooledNoise
) -> Floats:
    """(K,): the weight that local extrapolation has earned by foretelling the largest point of each
    series of a batch, the others alone being known (leave-largest-out)."""
    weight = np.zeros(len(rows))
    settings, series = design.settings.extrapolation, design.group.series
    free = list(design.group.free)
    held = _held_out(series.points.tobytes(), series.points.shape, tuple(free), settings)
    if held is None or not batch.extrapolates or design.space.fixed or not (batch.y > 0).all():
        return weight
    kept, top, matrix = held
    there = series.points[top : top + 1]
    true = batch.y[:, top]
    line = np.exp(np.log(batch.y[:, kept]) @ matrix)
    least = needed_error(line, true, settings) / 2
    if len(free) > 1 and not noise.levels.pooled:
        least[:] = 0.0  # other laws are found without the largest points
    near = np.abs(np.log(line / true)) < settings.farthest
    candidates = np.flatnonzero(near & misses_top(batch, gathered, least))
    if not len(candidates):
        return weight
    line, true = line[candidates], true[candidates]
    shorter = replace(
        design.group,
        cleaned=design.group.cleaned.take(rows[candidates]).part(kept),
        places=np.arange(len(candidates)),
        free=tuple(k for k in free if np.ptp(series.points[kept, k]) > 0),
    )
    metric = series.metrics[rows[0]]
    models = modelled([shorter], {metric: noise}, design.settings, stacked=False)
    at = {n: np.array([x]) for n, x in zip(series.parameters, there[0].tolist(), strict=True)}
    law = models.values(at)[:, 0]
    weight[candidates] = earned_weight(law, line, true, settings)
    return weight


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
