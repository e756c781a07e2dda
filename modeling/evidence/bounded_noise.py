"""Evidence under bounded noise: observations v = f (1 + h u), u uniform on [-1, 1].

The least and the greatest observation at each point are then sufficient, and determine the law far
more sharply than means do: all coefficients c are equally probable for which no observation is
farther off than h. With

    h_min(c) = max_p max(high_p / f_p - 1, 1 - low_p / f_p),    n = sum_p n_p,

the likelihood of c, h integrated out, is prod_p (2 f_p)**-n_p times the integral of h**-n over the
prior of h above h_min. It has edges, where the Laplace approximation fails, so its integral over c
(the evidence) and the mean and covariance are taken from weighted samples. These are drawn from a
heavy-tailed distribution that is moved to where the likelihood is (adaptive importance sampling:
Cappe et al., Journal of Computational and Graphical Statistics 13, 2004), always along the same
low-discrepancy sequence: results depend neither on chance nor on other series.

The repetitions decide whether noise may be bounded at all (see `noise_shape`). Where they exclude
it, none of this is done.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel.mixtures import Sampler
from ..kernel.normal import gamma_quantiles, normal_quantiles
from ..settings import DEFAULT, UNIFORM, BoundedNoiseSettings, Settings
from .posterior import Observed, fit_rows


@dataclass(frozen=True)
class BoundedFits:
    """N laws of k coefficients under bounded noise: log evidence (N,), their prior included, mean
    (k, N) and root (k, k, N) of the covariance of the coefficients, and half width h (N,) of the
    noise."""

    evidence: Floats
    coefficients: Floats
    root: Floats
    width: Floats


@dataclass(frozen=True)
class Trials:
    """N laws of k terms to be fitted to repetitions at P points.

    columns (k, P, N) are the values of their terms, far (k, F, N) those beyond the data; counts,
    lows, highs (P, N) tell the number of observations, the least, positive, and the greatest; width
    (N,) first guesses of h; prior (N,) the log prior of the laws; owner (N,) which series they are
    of; nonnegative (N,) whether values beyond the data cannot be negative.
    """

    columns: Floats
    far: Floats
    counts: Floats
    lows: Floats
    highs: Floats
    width: Floats
    prior: Floats
    owner: NDArray[np.int64]
    nonnegative: NDArray[np.bool_]

    def part(self, rows: NDArray[np.int64]) -> Trials:
        """Some of the laws."""
        return Trials(*(getattr(self, f.name)[..., rows] for f in fields(self)))


def bounded_fits(
    trials: Trials, widths: Floats, best: Floats, settings: Settings = DEFAULT
) -> BoundedFits:
    """Fit laws by adaptive importance sampling; those that are impossible, or hopeless beside
    others of the same series, are given up.

    Args:
        trials: N laws.
        widths: (cells,) log prior of h, see `noise_shape`.
        best: (K,) log evidence of the best law of each series so far.
        settings: numbers of rounds and samples.
    """
    bounded = settings.bounded
    density, best = widths - np.log(np.diff(np.log(bounded.edges))), best.copy()
    centre, root = _start(trials, settings)
    noise = np.sqrt(np.einsum("ijn,ijn->in", root, root))
    root = root * bounded.inflation
    found = BoundedFits(
        np.full(len(trials.width), -np.inf), centre.copy(), root.copy(), trials.width.copy()
    )
    sampler = _sampler(trials, noise, density, settings)
    left = np.arange(len(trials.width))
    for step in range(bounded.most_rounds):
        if not len(left):
            break
        first, last = step == 0, step == bounded.most_rounds - 1
        sample = _sample(len(centre), _size(len(centre), first, bounded), bounded)
        drawn = sampler.round(left, centre, root, *sample)
        owner = trials.owner[left]
        np.maximum.at(best, owner, np.where(drawn.negative, -np.inf, drawn.evidence))
        hopeless = drawn.nowhere | (drawn.evidence < best[owner] - bounded.hopeless)
        # the first round only finds the place: its weights are never good by chance alone
        done = ((drawn.power >= 1) & (not first)) | hopeless | last
        rows = left[done]
        found.evidence[rows] = np.where(hopeless | drawn.negative, -np.inf, drawn.evidence)[done]
        found.coefficients[:, rows] = drawn.mean[:, done]
        found.root[..., rows] = drawn.root[..., done]
        found.width[rows] = np.where(drawn.nowhere, trials.width[left], drawn.width)[done]
        centre[:, left], root[..., left] = drawn.mean, drawn.root * bounded.inflation
        left = left[~done]
    return found


def _sampler(trials: Trials, noise: Floats, density: Floats, settings: Settings) -> Sampler:
    """What draws samples of some of the laws."""
    kinds, kind = np.unique(trials.counts.sum(axis=0), return_inverse=True)
    given = trials.columns, trials.far, trials.counts, trials.lows, trials.highs, trials.prior
    above = _above(kinds, density, np.log(settings.bounded.edges))
    table = density, kinds, kind.reshape(-1), above
    return Sampler(*given, trials.nonnegative, noise, *table, settings)


def _size(k: int, first: bool, settings: BoundedNoiseSettings) -> int:
    """How many samples a round draws for k coefficients."""
    if first:
        return settings.first_samples
    return min(settings.samples << k, settings.most_samples)


def _start(trials: Trials, settings: Settings) -> tuple[Floats, Floats]:
    """Where to draw first: coefficients (k, N) and root (k, k, N) of a fit to the middles of the
    intervals in which the value at each point is for this h."""
    least, most = (
        trials.highs / (1 + trials.width),
        trials.lows / (1 - np.minimum(trials.width, settings.bounded.widest)),
    )
    middle = np.sqrt(least * most)
    deviation = np.maximum((most - least) / middle, trials.width / trials.counts) / np.sqrt(
        2 * 2 * UNIFORM
    )
    unused = np.zeros(deviation.shape[1])  # the evidence of these fits is not
    observed = Observed(middle, middle, deviation, volume=unused, ratio=True)
    fits = fit_rows(trials.columns, observed, settings.coefficients, steps=settings.selection.steps)
    return fits.coefficients, fits.root


def _above(kinds: Floats, density: Floats, edges: Floats) -> Floats:
    """(kinds, cells): logarithm of the integral of h**-n above each cell, for each n; edges (cells
    + 1,) of log h."""
    n = kinds[:, None]
    with np.errstate(divide="ignore"):
        cell = density - n * edges[:-1] - np.log(n) + np.log(-np.expm1(-n * np.diff(edges)))
    above = np.logaddexp.accumulate(cell[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([above[:, 1:], np.full((len(n), 1), -np.inf)], axis=1)


@lru_cache
def _sample(k: int, size: int, settings: BoundedNoiseSettings) -> tuple[Floats, Floats]:
    """Points (k, M) of a multivariate Student distribution and their log densities (M,), along an
    additive recurrence in k + 1 dimensions: multiples of powers of the root of x**(k + 2) = x + 1,
    modulo 1 (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018)."""
    ratio, degrees = 2.0, settings.degrees
    for _ in range(settings.recurrence_rounds):
        ratio = (1 + ratio) ** (1 / (k + 2))
    uniform = (0.5 + np.arange(1, size + 1) * ratio ** -np.arange(1.0, k + 2)[:, None]) % 1
    scale = np.sqrt(degrees / (2 * gamma_quantiles(degrees / 2, uniform[0])))
    z = normal_quantiles(uniform[1:].ravel()).reshape(k, size) * scale
    constant = math.lgamma((degrees + k) / 2) - math.lgamma(degrees / 2)
    constant -= k / 2 * math.log(degrees * math.pi)
    return z, constant - (degrees + k) / 2 * np.log1p((z**2).sum(axis=0) / degrees)
