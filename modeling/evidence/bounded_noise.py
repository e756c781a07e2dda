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
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel.library import LANES, kernel
from ..kernel.mixtures import Round, Sampler
from ..kernel.normal import gamma_quantiles, normal_quantiles
from ..settings import ARITHMETIC, DEFAULT, UNIFORM, BoundedNoiseSettings, Settings
from .posterior import Observed, fit_rows, log_sum

Draw = Callable[[NDArray[np.int64], Floats, Floats, Floats, Floats], Round]
"""One round for some laws (n,), from centre (k, N), root (k, k, N), samples (k, M) and their log
densities (M,)."""


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
    draw = _rounds(trials, noise, density, settings)
    left = np.arange(len(trials.width))
    for step in range(bounded.most_rounds):
        if not len(left):
            break
        first, last = step == 0, step == bounded.most_rounds - 1
        sample = _sample(len(centre), _size(len(centre), first, bounded), bounded)
        drawn = draw(left, centre, root, *sample)
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


def _rounds(trials: Trials, noise: Floats, density: Floats, settings: Settings) -> Draw:
    """What draws samples of some of the laws: the kernel, or numpy."""
    library, bounded = kernel(), settings.bounded
    sizes = bounded.first_samples, bounded.samples, bounded.most_samples
    if library is None or any(size % LANES for size in sizes):
        return partial(_drawn, trials, noise, density, settings)
    kinds, kind = np.unique(trials.counts.sum(axis=0), return_inverse=True)
    given = trials.columns, trials.far, trials.counts, trials.lows, trials.highs, trials.prior
    above = _above(kinds, density, np.log(settings.bounded.edges))
    table = density, kinds, kind.reshape(-1), above
    return Sampler(library, *given, trials.nonnegative, noise, *table, settings).round


def _drawn(
    trials: Trials,
    noise: Floats,
    density: Floats,
    settings: Settings,
    left: NDArray[np.int64],
    centre: Floats,
    root: Floats,
    z: Floats,
    log_density: Floats,
) -> Round:
    """One round for some of the laws: samples z (k, M) with log densities (M,) around centre (k, N)
    with root (k, k, N)."""
    bounded, some = settings.bounded, trials.part(left)
    at = centre[:, None, left] + np.einsum("ijn,jm->imn", root[..., left], z)
    log_target, h = _target(at, some, noise[:, left], density, settings)
    volume = np.log(np.einsum("iin->in", root[..., left])).sum(axis=0)
    log_weight = log_target - log_density[:, None] + volume
    share, power = _tempered(log_weight, bounded)
    nowhere = share.sum(axis=0) == 0
    mean = np.where(nowhere, centre[:, left], np.einsum("mn,kmn->kn", share, at))
    apart = at - mean[:, None]
    covariance = np.einsum("mn,imn,jmn->nij", share, apart, apart)
    moved = _cholesky(covariance, root[..., left], bounded.kept_covariance)
    negative = (np.einsum("kn,kfn->fn", mean, some.far) < 0).any(axis=0) & some.nonnegative
    evidence = log_sum(log_weight) - np.log(len(log_weight)) + some.prior
    width = np.einsum("mn,mn->n", share, h)
    return Round(mean, moved, evidence, width, power, nowhere, negative)


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


def _target(
    at: Floats, trials: Trials, noise: Floats, density: Floats, settings: Settings
) -> tuple[Floats, Floats]:
    """(M, N) log of prior and likelihood of coefficients (k, M, N), and the least half width of
    noise."""
    most, least = np.zeros(at.shape[1:]), np.full(at.shape[1:], np.inf)
    product, possible = np.ones(at.shape[1:]), np.ones(at.shape[1:], dtype=np.bool_)
    equal = bool((trials.counts == trials.counts[0]).all())  # one logarithm serves all points
    logs = np.zeros(at.shape[1:])
    for terms, n, low, high in zip(
        trials.columns.swapaxes(0, 1), trials.counts, trials.lows, trials.highs, strict=True
    ):
        value = np.einsum("kmn,kn->mn", at, terms)
        possible &= value > 0
        np.maximum(value, ARITHMETIC.value, out=value)
        if equal:
            product *= value
        else:
            logs += n * np.log(value)
        np.reciprocal(value, out=value)
        np.minimum(least, low * value, out=least)
        np.maximum(most, high * value, out=most)
    h = np.maximum(most - 1, 1 - least)
    if equal:
        logs = trials.counts[0] * np.log(np.maximum(product, ARITHMETIC.tiny))
    total: Floats = trials.counts.sum(axis=0)
    negative, width = settings.coefficients.negative, settings.coefficients.log_width
    positive = (at > 0).sum(axis=0)
    sign = positive * np.log(1 - negative) + (len(at) - positive) * np.log(negative)
    sizes = np.prod(at**2 + noise[:, None] ** 2, axis=0)
    size = 0.5 * np.log(np.maximum(sizes, ARITHMETIC.tiny)) + len(at) * width
    likelihood = _integral(h, total, density, settings.bounded.edges) - logs - total * np.log(2)
    return np.where(possible, likelihood + sign - size, -np.inf), h


def _integral(h: Floats, total: Floats, density: Floats, widths: Floats) -> Floats:
    """(M, N): logarithm of the integral of h**-total, weighted with the log density (cells,) of log
    h, above h (M, N)."""
    edges = np.log(widths)
    kinds, which = np.unique(total, return_inverse=True)
    above = _above(kinds, density, edges)
    x = np.clip(np.log(np.maximum(h, widths[0])), edges[0], edges[-1])
    step = (edges[-1] - edges[0]) / len(density)
    place = np.minimum(((x - edges[0]) / step).astype(np.int64), len(density) - 1)
    place -= (place > 0) & (x < edges[place])
    with np.errstate(divide="ignore"):
        here = (
            density[place]
            - total * x
            - np.log(total)
            + np.log(-np.expm1(-total * (edges[place + 1] - x)))
        )
    return np.where(h < widths[-1], np.logaddexp(here, above[which[None], place]), -np.inf)


def _above(kinds: Floats, density: Floats, edges: Floats) -> Floats:
    """(kinds, cells): logarithm of the integral of h**-n above each cell, for each n; edges (cells
    + 1,) of log h."""
    n = kinds[:, None]
    with np.errstate(divide="ignore"):
        cell = density - n * edges[:-1] - np.log(n) + np.log(-np.expm1(-n * np.diff(edges)))
    above = np.logaddexp.accumulate(cell[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([above[:, 1:], np.full((len(n), 1), -np.inf)], axis=1)


def _tempered(log_weight: Floats, settings: BoundedNoiseSettings) -> tuple[Floats, Floats]:
    """Shares (M, N) of samples, and the power (N,) of their weights: 1 where the effective number
    of samples, (sum w)**2 / sum w**2, is a good share of all, else so much less that it is the
    tempered share."""
    top = log_weight.max(axis=0)
    logs = log_weight - np.where(np.isfinite(top), top, 0.0)
    power = np.ones(logs.shape[1])
    for _ in range(settings.tempering_rounds):
        share = np.exp(np.maximum(logs * power, -ARITHMETIC.log_weight)) * np.isfinite(logs)
        total = share.sum(axis=0)
        effective = total**2 / np.maximum((share**2).sum(axis=0), ARITHMETIC.tiny)
        wanted = np.where(power < 1, settings.tempered_share, settings.good_share)
        poor = effective < wanted * len(logs)
        if not poor.any():
            break
        power[poor] *= settings.tempering
    return share / np.maximum(total, ARITHMETIC.tiny), power


def _cholesky(covariance: Floats, before: Floats, kept: float) -> Floats:
    """Roots (k, k, N) of covariances (N, k, k); a share `kept` of those before (k, k, N)
    makes them definite."""
    whole = covariance + kept * np.einsum("ijn,ljn->nil", before, before)
    deviation = np.sqrt(np.einsum("nii->ni", whole))
    correlation = whole / (deviation[:, :, None] * deviation[:, None])
    correlation += ARITHMETIC.correlation * np.eye(len(before))
    return np.moveaxis(np.linalg.cholesky(correlation) * deviation[..., None], 0, -1)


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
