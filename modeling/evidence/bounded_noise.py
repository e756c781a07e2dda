"""Bounded noise: observations spread evenly within a share h of the law, v = f (1 + h u) with u
uniform in [-1, 1].

The least and the greatest observation at each point are then sufficient, and tell the law far more
sharply than means do: all coefficients c are equally probable for which no observation is farther
off than h. With

    h_min(c) = max_p max(high_p / f_p - 1, 1 - low_p / f_p),    n = sum_p n_p,

the likelihood of c, whatever h, is prod_p (2 f_p)**-n_p times the integral of h**-n over the prior
of h above h_min. It has edges, so that its integral over c (the evidence) and its mean and
covariance are taken from weighted samples. These are drawn from a heavy-tailed distribution that is
moved to where the likelihood is (adaptive importance sampling; Cappe et al., 2004), always with the
same low-discrepancy sequence: results depend neither on chance nor on other series.

Whether noise may be bounded at all is told by the repetitions (see `shape`). Where these speak
against it, none of this is done.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, gammaln, ndtri

from ..data.measurements import Floats
from .noise_shape import EDGES
from .posterior import LOG_RANGE, NEGATIVE, Observed, fit_rows, log_sum

_FIRST, _FEW, _MOST = 48, 32, 256
_MOST_ROUNDS, _DEGREES = 6, 6.0
_SPREAD_OUT, _GOOD = 0.25, 0.1
_INFLATED = 1.2
_HOPELESS = 7.0
_LEAST_VALUE, _WIDEST = 1e-150, 0.95
_POWERS, _LOWER = 12, 0.6
_LEAST_SHARE, _ROUNDING = 1e-4, 1e-10


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


def bounded_fits(trials: Trials, widths: Floats, best: Floats) -> BoundedFits:
    """Fit laws; those that are hopeless beside others of the same series, or impossible, are given
    up.

    Args:
        trials: N laws.
        widths: (cells,) log prior of h, see `shape`.
        best: (K,) log evidence of the best law of each series so far.
    """
    density, best = widths - np.log(np.diff(np.log(EDGES))), best.copy()
    centre, root = _start(trials)
    noise = np.sqrt(np.einsum("ijn,ijn->in", root, root))
    root = root * _INFLATED
    found = BoundedFits(
        np.full(len(trials.width), -np.inf), centre.copy(), root.copy(), trials.width.copy()
    )
    left = np.arange(len(trials.width))
    for step in range(_MOST_ROUNDS):
        if not len(left):
            break
        first, last = step == 0, step == _MOST_ROUNDS - 1
        z, log_density = _sample(len(centre), _FIRST if first else min(_FEW << len(centre), _MOST))
        some = trials.part(left)
        at = centre[:, None, left] + np.einsum("ijn,jm->imn", root[..., left], z)
        log_target, h = _target(at, some, noise[:, left], density)
        log_weight = (
            log_target
            - log_density[:, None]
            + np.log(np.einsum("iin->in", root[..., left])).sum(axis=0)
        )
        share, power = _tempered(log_weight)
        nowhere = share.sum(axis=0) == 0
        mean = np.where(nowhere, centre[:, left], np.einsum("mn,kmn->kn", share, at))
        apart = at - mean[:, None]
        moved = _cholesky(np.einsum("mn,imn,jmn->nij", share, apart, apart), root[..., left])
        negative = (np.einsum("kn,kfn->fn", mean, some.far) < 0).any(axis=0) & some.nonnegative
        evidence = log_sum(log_weight) - np.log(len(log_weight)) + some.prior
        np.maximum.at(best, some.owner, np.where(negative, -np.inf, evidence))
        hopeless = nowhere | (evidence < best[some.owner] - _HOPELESS)
        done = ((power >= 1) & (not first)) | hopeless | last
        rows = left[done]
        found.evidence[rows] = np.where(hopeless | negative, -np.inf, evidence)[done]
        found.coefficients[:, rows], found.root[..., rows] = mean[:, done], moved[..., done]
        found.width[rows] = np.where(nowhere, some.width, np.einsum("mn,mn->n", share, h))[done]
        centre[:, left], root[..., left] = mean, moved * _INFLATED
        left = left[~done]
    return found


def _start(trials: Trials) -> tuple[Floats, Floats]:
    """Where to draw first: coefficients (k, N) and root (k, k, N) of a fit to the middles of the
    intervals in which the value at each point is for this h."""
    least, most = (
        trials.highs / (1 + trials.width),
        trials.lows / (1 - np.minimum(trials.width, _WIDEST)),
    )
    middle = np.sqrt(least * most)
    deviation = np.maximum((most - least) / middle, trials.width / trials.counts) / np.sqrt(12)
    observed = Observed(middle, middle, deviation, np.log(deviation).sum(axis=0), ratio=True)
    fits = fit_rows(trials.columns, observed, steps=2)
    return fits.coefficients, fits.root


def _target(at: Floats, trials: Trials, noise: Floats, density: Floats) -> tuple[Floats, Floats]:
    """(M, N) log of prior and likelihood of coefficients (k, M, N), and the least half width of
    noise."""
    logs, most, least = (
        np.zeros(at.shape[1:]),
        np.zeros(at.shape[1:]),
        np.full(at.shape[1:], np.inf),
    )
    possible = np.ones(logs.shape, dtype=np.bool_)
    for terms, n, low, high in zip(
        trials.columns.swapaxes(0, 1), trials.counts, trials.lows, trials.highs, strict=True
    ):
        value = np.einsum("kmn,kn->mn", at, terms)
        possible &= value > 0
        np.maximum(value, _LEAST_VALUE, out=value)
        logs += n * np.log(value)
        np.reciprocal(value, out=value)
        np.minimum(least, low * value, out=least)
        np.maximum(most, high * value, out=most)
    h = np.maximum(most - 1, 1 - least)
    total: Floats = trials.counts.sum(axis=0)
    sign = np.log(np.where(at > 0, 1 - NEGATIVE, NEGATIVE)).sum(axis=0)
    size = 0.5 * np.log(at**2 + noise[:, None] ** 2).sum(axis=0) + len(at) * LOG_RANGE
    likelihood = _integral(h, total, density) - logs - total * np.log(2)
    return np.where(possible, likelihood + sign - size, -np.inf), h


def _integral(h: Floats, total: Floats, density: Floats) -> Floats:
    """(M, N): logarithm of the integral of h**-total, weighted with the log density (cells,) of log
    h, above h (M, N)."""
    edges = np.log(EDGES)
    kinds, which = np.unique(total, return_inverse=True)
    n = kinds[:, None]
    with np.errstate(divide="ignore"):
        cell = density - n * edges[:-1] - np.log(n) + np.log(-np.expm1(-n * np.diff(edges)))
    above = np.logaddexp.accumulate(cell[:, ::-1], axis=1)[:, ::-1]
    above = np.concatenate([above[:, 1:], np.full((len(n), 1), -np.inf)], axis=1)
    x = np.clip(np.log(np.maximum(h, EDGES[0])), edges[0], edges[-1])
    place = np.minimum(np.searchsorted(edges, x, side="right") - 1, len(density) - 1)
    with np.errstate(divide="ignore"):
        here = (
            density[place]
            - total * x
            - np.log(total)
            + np.log(-np.expm1(-total * (edges[place + 1] - x)))
        )
    return np.where(h < EDGES[-1], np.logaddexp(here, above[which[None], place]), -np.inf)


def _tempered(log_weight: Floats) -> tuple[Floats, Floats]:
    """Shares (M, N) of samples, and the power (N,) of their weights: 1 where these are as good as
    _GOOD of all samples, else so much less that they are as good as _SPREAD_OUT of them."""
    top = log_weight.max(axis=0)
    logs = log_weight - np.where(np.isfinite(top), top, 0.0)
    power = np.ones(logs.shape[1])
    for _ in range(_POWERS):
        share = np.exp(np.maximum(logs * power, -700.0)) * np.isfinite(logs)
        total = share.sum(axis=0)
        effective = total**2 / np.maximum((share**2).sum(axis=0), 1e-300)
        poor = effective < np.where(power < 1, _SPREAD_OUT, _GOOD) * len(logs)
        if not poor.any():
            break
        power[poor] *= _LOWER
    return share / np.maximum(total, 1e-300), power


def _cholesky(covariance: Floats, before: Floats) -> Floats:
    """Roots (k, k, N) of covariances (N, k, k); what they lack to be definite is a little of those
    before (k, k, N)."""
    whole = covariance + _LEAST_SHARE * np.einsum("ijn,ljn->nil", before, before)
    deviation = np.sqrt(np.einsum("nii->ni", whole))
    correlation = whole / (deviation[:, :, None] * deviation[:, None]) + _ROUNDING * np.eye(
        len(before)
    )
    return np.moveaxis(np.linalg.cholesky(correlation) * deviation[..., None], 0, -1)


@lru_cache(maxsize=16)
def _sample(k: int, size: int) -> tuple[Floats, Floats]:
    """Points (k, M) of a multivariate Student distribution and their log densities (M,), along an
    additive recurrence in k + 1 dimensions (Roberts, 2018)."""
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (k + 2))
    uniform = (0.5 + np.arange(1, size + 1) * ratio ** -np.arange(1.0, k + 2)[:, None]) % 1
    scale = np.sqrt(_DEGREES / (2 * gammaincinv(_DEGREES / 2, uniform[0])))
    z = ndtri(uniform[1:]) * scale
    constant = (
        gammaln((_DEGREES + k) / 2) - gammaln(_DEGREES / 2) - k / 2 * np.log(_DEGREES * np.pi)
    )
    return z, constant - (_DEGREES + k) / 2 * np.log1p((z**2).sum(axis=0) / _DEGREES)
