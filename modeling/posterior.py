"""How probable hypotheses are, given a series: Laplace approximation with relative noise.

For observed means y at P points and a hypothesis f = sum_k c_k t_k with relative noise of standard deviation s,

    log p(y | h, s) = -(P - k)/2 log(2 pi s**2) - RSS / (2 s**2) - log det R - sum_k log(|c_k| L) + signs,

RSS = sum_p log(y_p / f_p)**2 / v_p, where R'R is the weighted Gram matrix. A coefficient may have any magnitude, so its
logarithm is uniform over a range L: each term then costs the ratio of the width to which the data determine its
coefficient to the coefficient itself, which is what keeps models small without a penalty chosen by hand. Coefficients of
costs are mostly positive; a negative one must earn its place.

Residuals are ratios because noise is: a constant does not explain a fall by a factor of fifty, as it would with
residuals (y - f) / y, which never exceed 1 where y is large.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr

from .measurements import Floats
from .noise import KAPPAS, SIGMAS, profiles
from .orthogonal import factor, solve

_LOG_RANGE = np.log(12.0)
_NEGATIVE = 0.02
_ROUNDING = 1e-20
_STEPS = 2


@dataclass(frozen=True)
class Fits:
    """K series, n hypotheses each, k coefficients, one fit per kappa.

    base (K, n, kappas) is the log evidence but for the noise level, rss (K, n, kappas), freedom (n,) = P - k,
    coefficients (K, n, kappas, k), root (K, n, kappas, k, k) with root @ root.T the covariance / s**2.
    """

    base: Floats
    rss: Floats
    freedom: Floats
    coefficients: Floats
    root: Floats

    def evidence(self) -> Floats:
        """(K, n, S, kappas): log evidence at every noise level."""
        squared = SIGMAS[:, None] ** 2
        result: Floats = (self.base[:, :, None] - self.freedom[None, :, None, None] / 2 * np.log(2 * np.pi * squared)
                          - self.rss[:, :, None] / 2 / squared)
        return result


def fit_hypotheses(columns: Floats, y: Floats, magnitude: Floats, distance: Floats, spread: Floats,
                   prior: Floats) -> Fits:
    """Fit and weigh hypotheses.

    Args:
        columns: (K, n, k, P) values of their terms.
        y: (K, P) observed means.
        magnitude: (K, P) what noise is relative to; |y| but for zeros.
        distance: (P,) steps below the largest point.
        spread: (K, P) variance of each mean relative to the average one (more repetitions, less).
        prior: (K, n) log prior of the hypotheses.
    """
    series, n, k, points = columns.shape
    flat = columns.reshape(series * n, k, points)
    ratio = bool((y > 0).all())
    target, size, extra = (np.repeat(a, n, axis=0) for a in (y, magnitude, spread))
    found = [_fit(flat, target, size, extra * profile, ratio) for profile in profiles(distance)]
    base, rss, coefficients, root = (np.stack(part, axis=1).reshape(series, n, len(KAPPAS), *part[0].shape[1:])
                                     for part in zip(*found, strict=True))
    return Fits(base + prior[:, :, None], rss, np.full(n, float(points - k)), coefficients, root)


def _fit(columns: Floats, y: Floats, magnitude: Floats, variance: Floats,
         ratio: bool) -> tuple[Floats, Floats, Floats, Floats]:
    """(base, RSS, coefficients, root) for one kappa."""
    points, k = columns.shape[2], columns.shape[1]
    deviation = np.sqrt(variance)
    scale, working = magnitude, y
    for step in range(_STEPS + 1):
        weight = 1 / (scale * deviation)
        factored = factor(columns * weight[:, None, :])
        coefficients = solve(factored, working * weight)
        value = np.einsum("nk,nkp->np", coefficients, columns)
        if not ratio or step == _STEPS:
            break
        # Gauss-Newton on log f; far-off values are approached in bounded steps
        logs = np.log(y / np.maximum(value, 1e-3 * y))
        if np.abs(logs).max(initial=0.0) < 1e-6:
            break
        scale = np.clip(value, 0.3 * y, 3 * y)
        working = value + scale * np.clip(logs, -1, 1)
    # log(y / f), digits of small differences kept; f <= 0 counts as wrong by a factor of 1e9
    residual = np.log1p(np.maximum((value - y) / y, -1 + 1e-9)) if ratio else (y - value) / magnitude
    rss = np.maximum((residual**2 / variance).sum(axis=1), points * _ROUNDING)
    deviations = np.sqrt(np.einsum("nij,nij->ni", factored.root, factored.root))
    noise = np.sqrt(rss / max(points - k, 1))[:, None] * deviations + 1e-300
    strength = coefficients / noise
    signs = np.logaddexp(np.log(1 - _NEGATIVE) + log_ndtr(strength), np.log(_NEGATIVE) + log_ndtr(-strength)).sum(axis=1)
    base = (signs - factored.log_volume - 0.5 * np.log(variance).sum(axis=1) - k * _LOG_RANGE
            - 0.5 * np.log(coefficients**2 + noise**2).sum(axis=1))
    return base, rss, coefficients, factored.root
