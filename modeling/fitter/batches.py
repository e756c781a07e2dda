"""Series modelled in batches: candidates, exact fits and the choice for as many at a time as the
memory holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..evidence.local_extrapolation import NO_EXTRAPOLATION
from ..evidence.noise import Levels
from ..pmnf.hypotheses import Codes
from ..search.bounded_noise_selection import with_bounded_noise
from ..search.model_selection import choose, fit_candidates, gather, outside
from ..settings import Settings, at
from .design import Design, Group, alike
from .fitted import Fitted, LazyModels


@dataclass(frozen=True)
class PooledNoise:
    """What the series of one metric have in common: the levels of their noise, and the weight of
    local extrapolation in forecasts."""

    levels: Levels
    extrapolation_weight: float = NO_EXTRAPOLATION


UNPOOLED = PooledNoise(Levels.every())
"""A metric with too few series to pool."""


def modelled(
    groups: Sequence[Group], pooled: Mapping[str, PooledNoise], settings: Settings
) -> LazyModels:
    """Models of all series of the groups.

    A series whose noise is none of the pooled levels is modelled again with all levels.
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
                unusual = _put(found, design, some, noise)
                if len(unusual):
                    levels = replace(every, bounded=noise.levels.bounded)
                    _put(found, design, unusual, replace(noise, levels=levels))
    return found


def _put(found: LazyModels, design: Design, rows: Codes, noise: PooledNoise) -> Codes:
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
        gathered = gather(batch, candidate_fits)
        gathered = with_bounded_noise(batch, candidate_fits, gathered)
        chosen = choose(batch, design.with_regimes(batch, gathered))
        found.put(
            group.places[some],
            Fitted(group.cleaned.take(some), design.terms, group.free, batch, chosen),
        )
        unusual.append(some[outside(batch, candidate_fits)])
    return np.concatenate(unusual)
