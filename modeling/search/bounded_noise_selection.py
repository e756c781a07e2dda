"""Model selection under bounded noise, for series whose repetitions allow it.

Candidates come from the search under normal noise. Some twenty of each series are fitted again
under bounded noise and join the alternatives: enough that a right law can win that is not the most
probable one under normal noise. A series whose law normal noise already determines is left as it
is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..evidence.bounded_noise import Trials, bounded_fits
from ..evidence.noise_shape import plausible
from ..pmnf.hypotheses import columns_of, values_at
from ..settings import UNIFORM
from .batch import Batch
from .candidate_fits import CandidateFits
from .gathered import FitsOf, Gathered, by_evidence, gather, leading

_THROUGHOUT = 0
"""The number of the profile of one law throughout."""


def with_bounded_noise(batch: Batch, fits_of: FitsOf, gathered: Gathered) -> Gathered:
    """The most probable fits, those under bounded noise among them."""
    if not np.isfinite(batch.levels.bounded).any() or _THROUGHOUT not in batch.levels.profiles:
        return gathered
    settings = batch.settings.bounded
    informative = batch.observed.informative(settings)
    if not len(informative):
        return gathered
    rows = informative[_open(batch.part(informative), gathered.part(informative))]
    likely, width = plausible(batch.observed.part(rows), batch.levels.bounded, settings)
    rows = rows[likely]
    if not len(rows):
        return gathered
    result = gathered.part(np.arange(len(gathered.evidence)))
    together = settings.together
    for start in range(0, len(rows), together):
        some = rows[start : start + together]
        joined = _joined(
            batch.part(some), fits_of(some), gathered.part(some), width[start : start + together]
        )
        for f in fields(result):
            getattr(result, f.name)[some] = getattr(joined, f.name)
    return result


def _open(batch: Batch, gathered: Gathered) -> NDArray[np.bool_]:
    """(K,): series whose leading term or value at the last point beyond is still open under normal
    noise."""
    share = np.exp(gathered.evidence - gathered.evidence[:, :1])
    share /= share.sum(axis=1, keepdims=True)
    last = values_at(gathered.codes, [f[:, -1:] for f in batch.far])[..., 0]
    variance = gathered.sigma**2 * (np.einsum("kaij,kai->kaj", gathered.root, last) ** 2).sum(
        axis=2
    )
    value = gathered.beyond[..., -1]
    centre = (share * value).sum(axis=1)
    variance = (share * ((value - centre[:, None]) ** 2 + variance)).sum(axis=1)
    same = ((gathered.lead == gathered.lead[:, :1]).all(axis=-1) * share).sum(axis=1)
    settings = batch.settings.bounded
    settled = variance < (settings.settled * centre) ** 2
    result: NDArray[np.bool_] = ~(settled & (same > settings.settled_lead))
    return result


def _joined(
    batch: Batch, candidate_fits: Sequence[CandidateFits], gathered: Gathered, width: Floats
) -> Gathered:
    """As many fits as before, those under bounded noise among them."""
    throughout = batch.levels.profiles == _THROUGHOUT
    own = [
        replace(w, log_weight=np.where(throughout, w.log_weight, -np.inf)) for w in candidate_fits
    ]
    found = _bounded(batch, gather(batch, own, batch.settings.bounded.candidates), width)
    normal = replace(
        gathered,
        evidence=gathered.evidence + np.log1p(-np.exp(np.logaddexp.reduce(batch.levels.bounded))),
    )
    every = np.concatenate([normal.evidence, found.evidence], axis=1)
    order = by_evidence(every)[:, : normal.evidence.shape[1]]
    place = np.arange(len(order))[:, None]
    return Gathered(
        *(
            np.concatenate([getattr(normal, f.name), getattr(found, f.name)], axis=1)[place, order]
            for f in fields(gathered)
        )
    )


def _bounded(batch: Batch, gathered: Gathered, width: Floats) -> Gathered:
    """The same laws under bounded noise of about these half widths (K,), with evidence in the units
    of that of normal noise; laws that are far less probable than the best have none."""
    counts, lows, highs = (
        batch.observed.counts,
        batch.observed.lows / batch.y,
        batch.observed.highs / batch.y,
    )
    size = gathered.codes.shape[2] - (gathered.coefficients[..., ::-1] != 0).argmax(axis=2)
    worth = gathered.evidence > gathered.evidence[:, :1] - batch.settings.bounded.unlikely
    usual = _usual(batch, counts)
    scale = np.sqrt(UNIFORM * counts.mean(axis=1))
    found = Gathered(*(getattr(gathered, f.name).copy() for f in fields(gathered)))
    found.evidence[:], found.explained[:] = -np.inf, True
    for k in np.unique(size[worth]).tolist():
        series, at = np.nonzero(worth & (size == k))
        codes = gathered.codes[series, at, :k]
        far = columns_of(codes, batch.far)
        trials = Trials(
            columns_of(codes, batch.tables) / batch.y[series].T,
            far,
            counts[series].T,
            lows[series].T,
            highs[series].T,
            width[series],
            gathered.prior[series, at] + usual[series],
            series,
            batch.nonnegative[series],
        )
        fits = bounded_fits(
            trials, batch.levels.bounded, found.evidence.max(axis=1), batch.settings
        )
        sigma = fits.width / scale[series]
        found.evidence[series, at], found.sigma[series, at] = fits.evidence, sigma
        found.beyond[series, at] = np.einsum("kn,kfn->nf", fits.coefficients, far)
        found.coefficients[series, at, :k] = fits.coefficients.T
        found.root[series, at, :k, :k] = np.moveaxis(fits.root / sigma, -1, 0)
        found.lead[series, at] = leading(batch, codes, fits.coefficients.T)
    return found


def _usual(batch: Batch, counts: Floats) -> Floats:
    """(K,): constants that bring the evidence to the units of that of normal noise.

    Under normal noise observations are relative to the means of their points, and powers of 2 pi
    are counted for the means alone (see `posterior`, `noise`); here all observations count. The
    prior probability of laws that hold throughout is included.
    """
    throughout = batch.levels.prior[:, batch.levels.profiles == _THROUGHOUT]
    constants: Floats = 0.5 * (counts - 1).sum(axis=1) * np.log(2 * np.pi) + 0.5 * np.log(
        counts
    ).sum(axis=1)
    return constants + float(np.logaddexp.reduce(throughout, axis=None))
