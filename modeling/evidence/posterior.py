"""How probable hypotheses are, given a series: the Laplace approximation with relative noise.

For observed means y at P points and a hypothesis f = sum_k c_k t_k with relative noise of standard
deviation s, the log evidence, coefficients integrated out, is

    log p(y | h, s) = -(P - k)/2 log(2 pi s**2) - RSS / (2 s**2) - log det R - sum_k log(|c_k| L) +
    signs,

RSS = sum_p log(y_p / f_p)**2 / v_p, where R'R is the weighted Gram matrix (MacKay, Neural
Computation 4, 1992, evidence = best-fit likelihood times Occam factor; Kass and Raftery, JASA 90,
1995, section 4.1). A coefficient may have any magnitude, so its logarithm is uniform over a range
L: each term then costs the ratio of the width to which the data determine its coefficient to the
coefficient itself, which keeps models small without a penalty chosen by hand. Coefficients of costs
are mostly positive; a negative one must earn its place.

Residuals are logarithms of ratios because noise is relative: a constant does not explain a fall by
a factor of fifty, as it would with residuals (y - f) / y, which never exceed 1 where y is large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel import fits as compiled
from ..kernel.normal import normal_distribution
from ..least_squares.batched_gram_schmidt import factor, in_order, inverse_of, solve
from ..settings import ARITHMETIC, CoefficientSettings


@dataclass(frozen=True)
class Fits:
    """N fits of k coefficients: base (N,) is the log evidence but for prior and noise level, rss
    (N,), coefficients (k, N), root (k, k, N) with root @ root.T the covariance over s**2, residual
    (P, N)."""

    base: Floats
    rss: Floats
    coefficients: Floats
    root: Floats
    residual: Floats


def level_likelihood(base: Floats, rss: Floats, freedom: float | Floats, sigmas: Floats) -> Floats:
    """(S, ...): log evidence at each noise level; freedom is a number, or one for each fit."""
    squared = (sigmas**2).reshape(-1, *(1,) * rss.ndim)
    result: Floats = rss * (-0.5 / squared)
    result += base - freedom / 2 * np.log(2 * np.pi * squared)
    return result


def level_constants(
    freedom: float | Floats, sigmas: Floats, prior: Floats, repetitions: Floats
) -> Floats:
    """(K, V, S): the log evidence at each noise level (S,) but for base and rss, from the log prior
    (S, V) of the levels and the log likelihood (K, S) of the repetitions; freedom is a number, or
    one for each series (K,)."""
    own: Floats = np.reshape(freedom, (-1, 1, 1)) / 2 * np.log(2 * np.pi * sigmas**2)
    return repetitions[:, None] + (prior.T - own)


def log_sum(logs: Floats) -> Floats:
    """(...): logarithm of the sum of exponentials along the first axis of logs (S, ...), which are
    overwritten."""
    top = logs.max(axis=0)
    with np.errstate(invalid="ignore"):
        logs -= top
        total: Floats = top + np.log(np.exp(logs, out=logs).sum(axis=0))
    return np.where(np.isfinite(top), total, -np.inf)


@dataclass(frozen=True)
class Observed:
    """What N hypotheses are fitted to: y (P, N) observed means; magnitude (P, N) what noise is
    relative to, |y| but for zeros; deviation (P, N) of each mean in units of s, infinite where a
    point does not count; volume (N,) the sum of the logarithms of the others; ratio: all y are
    positive."""

    y: Floats
    magnitude: Floats
    deviation: Floats
    volume: Floats
    ratio: bool

    @cached_property
    def counts(self) -> Floats:
        """(N,): how many points count."""
        found: Floats = np.isfinite(self.deviation).sum(axis=0).astype(float)
        return found

    @staticmethod
    def of(y: Floats, magnitude: Floats, variance: Floats) -> Observed:
        """From arrays (N, P), variances in units of s**2."""
        y = np.ascontiguousarray(y.T)
        deviation = np.sqrt(np.ascontiguousarray(variance.T))
        return Observed(
            y,
            np.ascontiguousarray(magnitude.T),
            deviation,
            np.add.accumulate(
                np.log(deviation, out=np.zeros(deviation.shape), where=np.isfinite(deviation))
            )[-1],
            bool((y > 0).all()),
        )

    def take(self, series: NDArray[np.int64]) -> Observed:
        """Those of the hypotheses whose series have these numbers."""
        y, magnitude, deviation = (
            a.take(series, axis=1) for a in (self.y, self.magnitude, self.deviation)
        )
        return Observed(y, magnitude, deviation, self.volume[series], self.ratio)


def fit_rows(
    columns: Floats, observed: Observed, settings: CoefficientSettings, *, steps: int
) -> Fits:
    """Fit N hypotheses of k terms.

    Args:
        columns: (k, P, N) values of their terms.
        observed: what they are fitted to.
        settings: prior over coefficients, bounds of a step.
        steps: Gauss-Newton steps from residuals (y - f) / y to log(y / f); where a value is not
            positive residuals stay absolute.
    """
    data = observed.y, observed.magnitude, observed.deviation, observed.volume
    rules = compiled.rules(settings, steps, observed.ratio)
    *found, rounding = compiled.fit_rows(columns, *data, rules)
    fits = Fits(*found)
    moved = np.flatnonzero(rounding > ARITHMETIC.moved)
    if len(moved):
        again = fit_in_order(columns[..., moved], observed.take(moved), settings, steps=steps)
        for name, array in vars(fits).items():
            array[..., moved] = getattr(again, name)
    return fits


def rounding_of(fits: Fits, counts: Floats) -> Floats:
    """(N,): how far the rounding of single numbers moves fits at so many points (N,), in units of
    it: coefficients relative to themselves or to their noise, which moves the evidence, and what
    the condition of their columns makes of it (Wedin, BIT 13, 1973), also beside residuals.
    Dependent columns are not asked."""
    root, k = fits.root, len(fits.root)
    noise = np.sqrt(fits.rss / np.maximum(counts - k, 1))
    told = np.sqrt(np.einsum("ijn,ijn->in", root, root))
    triangle = inverse_of(root)
    condition = told * np.sqrt(np.einsum("ijn,ijn->jn", triangle, triangle))
    off = told / np.maximum(np.abs(fits.coefficients), noise * told)
    rms = np.sqrt(fits.rss / np.maximum(counts, 1))
    off += condition * (1 + condition * rms + ARITHMETIC.shown / rms)
    return np.where(np.isfinite(fits.base), off.max(axis=0), 0.0)


def fit_in_order(
    columns: Floats,
    observed: Observed,
    settings: CoefficientSettings,
    *,
    steps: int,
    linear: Floats | None = None,
) -> Fits:
    """The same in one order of operations, however the hypotheses are made: equal ones give the
    same numbers to the last bit. linear: the coefficients (k, N) that no steps give, where they are
    known."""
    k, points = len(columns), observed.counts
    y, deviation = observed.y, observed.deviation
    scale, working = observed.magnitude, y
    for step in range(steps + 1):
        if step or not steps or linear is None:
            weight = 1 / (scale * deviation)
            factored = factor(columns * weight, in_order)
            projected = [in_order(basis, working * weight) for basis in factored.basis]
            coefficients = solve(factored.upper, projected)
        else:
            coefficients = linear
        value = _summed(coefficients, columns)
        if not observed.ratio or step == steps:
            break
        # Gauss-Newton on log(y / f) is linear least squares on f + f log(y / f) with weights 1 / f;
        # values that are far off are approached in bounded steps
        logs = np.log(y / np.maximum(value, settings.closest * y))
        scale = np.clip(value, settings.bounds[0] * y, settings.bounds[1] * y)
        working = value + scale * np.clip(logs, -settings.step, settings.step)
    residual = _logarithms(value, y) if observed.ratio else (y - value) / observed.magnitude
    weighted = residual / deviation
    rss = np.maximum(in_order(weighted, weighted), points * ARITHMETIC.residual)
    told = np.stack([_summed(row, row) for row in factored.root])
    noise = np.sqrt(rss / np.maximum(points - k, 1) * told)
    base = (
        coefficient_evidence(coefficients, noise, settings) - factored.log_volume - observed.volume
    )
    return Fits(base, rss, coefficients, factored.root, residual)


def _summed(a: Sequence[Floats] | Floats, b: Sequence[Floats] | Floats) -> Floats:
    """The sum of products of a few arrays, one after the other."""
    total: Floats = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def coefficient_evidence(
    coefficients: Floats, noise: Floats, settings: CoefficientSettings
) -> Floats:
    """(...): log prior density of coefficients (k, ...) known up to this noise: log-uniform in the
    magnitude, which the noise keeps away from zero, times the probability of the sign."""
    noise = noise + ARITHMETIC.tiny
    magnitudes = 0.5 * sum(np.log(coefficients**2 + noise**2), np.zeros(()))
    signs = sum(_sign_prior(coefficients / noise, settings.negative), np.zeros(()))
    result: Floats = signs - len(coefficients) * settings.log_width - magnitudes
    return result


def _logarithms(value: Floats, y: Floats) -> Floats:
    """log(f / y), a ratio that is not positive standing for the least one."""
    result = value / y
    np.maximum(result, ARITHMETIC.ratio, out=result)
    return np.log(result, out=result)


def _sign_prior(strength: Floats, negative: float) -> Floats:
    """Log probability of the signs that coefficients of this many standard deviations may have."""
    positive = normal_distribution(np.where(np.abs(strength) < ARITHMETIC.strength, 0.0, strength))
    result: Floats = np.log((1 - negative) * positive + negative * (1 - positive))
    return result
