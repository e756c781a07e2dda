"""What series have in common, by expectation maximisation in the kernel: see `evidence.noise`."""

from __future__ import annotations

from ctypes import c_double, c_int64

import numpy as np
from numpy.typing import NDArray

from ..settings import ARITHMETIC
from .library import doubles, kernel, pointer

Floats = NDArray[np.float64]


def pooled_levels(
    likelihood: Floats,
    count: int,
    prior: Floats,
    first: Floats,
    usual: Floats,
    pseudo: float,
    rounds: int,
) -> tuple[Floats, Floats]:
    """The distribution over levels (L,), and numbers (T,) of series with each kind of law.

    Args:
        likelihood: (T count, L) of the levels under laws of T kinds.
        count: how many series there are.
        prior: (L,) where the distribution begins.
        first: (L,) what each round adds to it, pseudo in all.
        usual: (T,) what each round adds to the numbers.
        pseudo: see first.
        rounds: how many.

    Raises:
        MemoryError: there is no room for the likelihoods.
    """
    distribution, found = doubles(prior).copy(), np.empty(len(usual))
    data = [doubles(a) for a in (likelihood, first, usual)]
    sizes = (len(usual), count, len(prior), rounds)
    limits = (c_double(pseudo), c_double(ARITHMETIC.tiny))
    results = (pointer(distribution), pointer(found))
    kernel().pool_levels(*map(c_int64, sizes), *map(pointer, data), *limits, *results)
    return distribution, found


def pooled_kinds(
    likelihood: Floats, counts: Floats, usual: Floats, pseudo: float, rounds: int
) -> Floats:
    """The distribution over kinds of laws (T,) from likelihoods (T, K) and how far each series
    counts (K,); the usual one (T,) counts as so many series."""
    found = np.empty(len(usual))
    data = [doubles(a) for a in (likelihood, counts, usual)]
    kernel().pool_kinds(
        *map(c_int64, (*likelihood.shape, rounds)),
        *map(pointer, data),
        c_double(pseudo),
        c_double(ARITHMETIC.tiny),
        pointer(found),
    )
    return found
