"""The standard normal and the gamma distribution without scipy.special, whose import takes a fifth
of a second of each command: by the kernel, and by the standard library for a few quantiles."""

from __future__ import annotations

import math
from ctypes import c_int64
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from .library import doubles, kernel, pointer

Floats = NDArray[np.float64]
_STANDARD = NormalDist()
_ROUNDS = 8
"""Steps of Newton's method: from four or five on nothing but rounding is left."""
_LEFT = 1e-17
"""Terms of a series of positive numbers below this share of their sum are rounding."""


def normal_distribution(x: Floats) -> Floats:
    """The probability of a smaller value than each of x, of any shape, within 2e-15."""
    given, found = doubles(x), np.empty(x.shape)
    kernel().normal_distribution(c_int64(given.size), pointer(given), pointer(found))
    return found


def normal_quantiles(levels: Floats) -> Floats:
    """(Q,): what a value falls below with each of the probabilities (Q,), between 0 and 1, of which
    there are few (Wichura, "Algorithm AS 241", Applied Statistics 37, 1988)."""
    return np.array([_STANDARD.inv_cdf(q) for q in levels.tolist()])


def gamma_quantiles(shape: float, shares: Floats) -> Floats:
    """(M,): what a gamma distribution of this shape, at least 1, falls below with each of the
    probabilities (M,), between 0.0001 and 0.9999, within 1e-12: Newton's method from the
    approximation of Wilson and Hilferty (Proceedings of the National Academy of Sciences 17,
    1931)."""
    spread = 1 / (9 * shape)
    start = 1 - spread + normal_quantiles(shares) * math.sqrt(spread)
    x: Floats = shape * np.maximum(start, 0.1) ** 3
    for _ in range(_ROUNDS):
        density = np.exp((shape - 1) * np.log(x) - x - math.lgamma(shape))
        term, n = density * x / shape, 0
        below = term.copy()  # x**a exp(-x) / Gamma(a + 1) (1 + x / (a + 1) + ...)
        while (term > _LEFT * below).any():
            n += 1
            term = term * x / (shape + n)
            below += term
        x = np.maximum(x - (below - shares) / density, x / 2)
    return x
