"""Exact fits of the candidates, and their evidence: that of `posterior`, summed over noise levels,
by the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.posterior import level_likelihood
from ..kernel import choice
from ..kernel import fits as compiled
from ..pmnf.hypotheses import Candidates, Codes
from .batch import Batch


@dataclass(frozen=True)
class CandidateFits(choice.Fitted):
    """Candidates of one size, fitted."""

    def part(self, rows: slice | Codes) -> CandidateFits:
        """Those of some of the series."""
        return CandidateFits(*(getattr(self, f.name)[rows] for f in fields(self)))


def fit_candidates(batch: Batch, candidates: Sequence[Candidates]) -> list[CandidateFits]:
    """Fit all candidates; one that turns negative beyond the data gets no probability where values
    cannot be negative.

    A linear fit comes first; only the promising ones get the steps to logarithmic residuals.
    """
    shared = _shared(batch)
    first = [_fit(batch, shared, group) for group in candidates]
    best = np.max([w.log_weight.max(axis=(1, 2)) for w in first], axis=0)
    return [
        _refined(batch, shared, group, w, best) for group, w in zip(candidates, first, strict=True)
    ]


def _shared(batch: Batch) -> compiled.Shared:
    """What the kernel is told of the series of a batch."""
    top = int(batch.distance.argmin())
    outlier = np.flatnonzero(batch.levels.profiles == batch.settings.noise.outlier)
    return compiled.Shared(
        batch.tables,
        batch.far,
        batch.y,
        batch.magnitude,
        batch.spread,
        batch.levels.variances(batch.distance),
        top,
        int(outlier[0]) if len(outlier) else -1,
        _least_residual(batch, top),
        float(np.log(batch.settings.selection.largest_outlier)),
        -0.5 / batch.levels.sigmas**2,
        batch.nonnegative,
    )


def compiled_fits(
    batch: Batch, candidates: Sequence[Candidates], most: int
) -> tuple[choice.MostProbable, Floats]:
    """So many of the most probable fits of each series, and the least variance (K,) that any
    possible fit leaves."""
    settings, levels = batch.settings.selection, batch.levels
    positive = bool((batch.y > 0).all())
    rules = partial(compiled.rules, batch.settings.coefficients, positive=positive)
    sizes = [c.codes.shape[1:-1] for c in candidates]
    return compiled.fit_and_gather(
        _shared(batch),
        [compiled.Sized(c.codes, c.prior, batch.constants(c.size)) for c in candidates],
        rules(0),
        rules(settings.steps) if positive else None,
        (settings.hopeless, settings.straight),
        choice.Gathering(sizes, batch.far, levels.sigmas, levels.profiles, most),
    )


def _fit_all(
    batch: Batch,
    shared: compiled.Shared,
    found: CandidateFits,
    group: Candidates,
    worth: tuple[Floats, Floats] | None = None,
    *,
    steps: int,
) -> None:
    """Fit hypotheses that have a probability with so many steps, and write what is found; with
    `worth` those that were fitted before with a greater log weight (K,) and rss (K,) than that."""
    compiled.fit_candidates(
        shared,
        batch.constants(group.size),
        group.codes,
        group.prior,
        worth,
        compiled.rules(batch.settings.coefficients, steps, bool((batch.y > 0).all())),
        (found.base, found.rss, found.log_weight, found.coefficients, found.root, found.beyond),
    )


def _fit(batch: Batch, shared: compiled.Shared, group: Candidates) -> CandidateFits:
    total, n, k, _ = group.codes.shape
    count = len(batch.levels.profiles)
    found = CandidateFits(
        group.codes,
        group.prior,
        np.full((total, n, count), -np.inf),
        np.ones((total, n, count)),
        np.zeros((total, n, count, k)),
        np.zeros((total, n, count, k, k)),
        np.zeros((total, n, count, batch.far[0].shape[1])),
        np.full((total, n, count), -np.inf),
    )
    _fit_all(batch, shared, found, group, steps=0)
    return found


def _least_residual(batch: Batch, place: int) -> Floats:
    """(K,): the logarithm of the least repetition at a point over their mean, where there are
    enough of them."""
    settings = batch.settings.selection
    lows, y = batch.observed.lows[:, place], batch.y[:, place]
    repeated = (batch.observed.counts[:, place] >= settings.repeated) & (lows > 0) & (y > 0)
    ratio = np.divide(lows, y, out=np.ones(len(y)), where=repeated)
    return np.where(repeated, np.log(ratio), -np.inf)


def _refined(
    batch: Batch, shared: compiled.Shared, group: Candidates, first: CandidateFits, best: Floats
) -> CandidateFits:
    """The promising ones fitted again with residuals log(y / f)."""
    if not (batch.y > 0).all():
        return first
    settings = batch.settings.selection
    curved = batch.points * settings.straight**2
    worth = best - settings.hopeless, curved
    _fit_all(batch, shared, first, group, worth, steps=settings.steps)
    return first


def at_levels(batch: Batch, series: Codes, base: Floats, rss: Floats, k: int) -> Floats:
    """(S, ...): log evidence of fits at each noise level, repetitions included."""
    likelihood = level_likelihood(base, rss, batch.points[series] - k, batch.levels.sigmas)
    return likelihood + batch.repetitions.T[:, series]


def level_evidence(batch: Batch, candidate_fits: Sequence[CandidateFits]) -> Floats:
    """(K, S, V): log evidence of each noise level, summed over hypotheses."""
    one = [np.zeros(w.prior.shape, dtype=np.int64) for w in candidate_fits]
    result: Floats = evidence_by_kind(batch, candidate_fits, one, 1)[0]
    return result


def evidence_by_kind(
    batch: Batch, candidate_fits: Sequence[CandidateFits], kinds: Sequence[Codes], count: int
) -> Floats:
    """(count, K, S, V): the same of hypotheses of each kind, numbers (K, n) for those of each
    size."""
    sigmas = batch.levels.sigmas
    shape = count, len(batch.y), len(sigmas), len(batch.levels.profiles)
    found = np.full(shape, -np.inf)
    for w, kind in zip(candidate_fits, kinds, strict=True):
        freedom = batch.points - w.codes.shape[2]
        constants = -freedom[:, None] / 2 * np.log(2 * np.pi * sigmas**2)
        compiled.sum_levels(kind, w.base, w.rss, constants, -0.5 / sigmas**2, found)
    result: Floats = found + batch.repetitions[..., None]
    return result


def outside(batch: Batch, variance: Floats) -> NDArray[np.bool_]:
    """(K,): series whose noise is outside of the levels: the best fit leaves a variance (K,) that
    is far less than that of the least one, or greater than the greatest one allows."""
    least = np.sqrt(variance)
    sigmas, every, settings = (
        batch.levels.sigmas,
        batch.settings.noise.sigmas,
        batch.settings.selection,
    )
    too_close: NDArray[np.bool_] = (sigmas[0] > every[0]) & (
        least < settings.far_closer * sigmas[0]
    )
    too_far: NDArray[np.bool_] = (sigmas[-1] < every[-1]) & (least > sigmas[-1] / settings.far_off)
    return np.logical_or(too_close, too_far)
