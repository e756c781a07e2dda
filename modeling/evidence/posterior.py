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

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..kernel import fits as compiled
from ..settings import CoefficientSettings


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
    return Fits(*compiled.fit_rows(columns, *data, rules))
