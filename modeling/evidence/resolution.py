"""The resolution of numbers as they were written, and of the clock that made them.

Values written with two digits deviate from any law by their rounding, uniform within half a step:
a law that meets them more closely does so by chance, and no noise below it is believed. Numbers
come as floating-point values, so the step is found from them: the coarsest of which all values are
multiples. Steps are decimal, of all values together (0.92, 0.60: one of 0.01) or of each by its
size (1.23e-4, 4.56e-2: three digits), or a clock's power of two of a second (1/64 s). Whole numbers
are not judged: they are counts, which have no rounding, or of a unit that may be fine enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats
from ..settings import ARITHMETIC, RESOLUTION


def rounding_noise(values: Floats, is_time: NDArray[np.bool_]) -> Floats:
    """(K,): relative standard deviation of the rounding of the largest of values (K, N) of each
    series, which none of them goes below; 0 where no coarse step is found.

    Args:
        values: single observations, or whatever is known of them; NaN where one is not known.
        is_time: (K,) series of times.
    """
    size = np.abs(values)
    top = size.max(axis=1)
    found = np.zeros(len(values))
    usable = np.isfinite(top) & (top > 0)
    usable &= (size != np.floor(size)).any(axis=1)
    rows = np.flatnonzero(usable)
    if not len(rows):
        return found
    size, top = size[rows], top[rows]
    with np.errstate(divide="ignore"):
        own, of_top = np.where(size > 0, _unit(size), 1.0), _unit(top)
    together = _coarsest(size / of_top[:, None], RESOLUTION.digits - 1)
    each = _coarsest(size / own, RESOLUTION.digits - 1)
    ticks = np.where(is_time[rows], _ticks(size), 0.0)
    by_digits = np.maximum(together * of_top, (each[:, None] * own).min(axis=1)) / top
    relative = np.where(by_digits > 0, by_digits, ticks / top)
    found[rows] = RESOLUTION.uniform * np.minimum(relative, RESOLUTION.coarsest)
    return found


def _unit(size: Floats) -> Floats:
    """The power of ten whose multiples have RESOLUTION.digits digits there."""
    digits = np.floor(np.log10(size) + ARITHMETIC.rounding)
    result: Floats = RESOLUTION.step ** (digits - (RESOLUTION.digits - 1))
    return result


def _coarsest(multiples: Floats, digits: int) -> Floats:
    """(K,): the greatest power of ten up to 10**digits of which all numbers (K, N) are whole
    multiples; 0 where they are not whole."""
    whole = np.rint(multiples)
    close = np.abs(multiples - whole) <= RESOLUTION.rounding * np.maximum(whole, 1.0)
    result = np.where(close.all(axis=1), 1.0, 0.0)
    for _ in range(digits if result.any() else 0):
        step = result[:, None] * RESOLUTION.step
        with np.errstate(invalid="ignore"):
            more = (result > 0) & (np.mod(whole, np.maximum(step, 1.0)) == 0).all(axis=1)
        result = np.where(more, result * RESOLUTION.step, result)
    return result


def _ticks(size: Floats) -> Floats:
    """(K,): the greatest power of two of a second, of those that clocks have, of which all values
    (K, N) are multiples; 0 where there is none."""
    found = np.zeros(len(size))
    rows = np.arange(len(size))
    for tick in RESOLUTION.ticks:  # each one is a multiple of those before it
        rows = rows[(np.mod(size[rows], tick) == 0).all(axis=1)]
        found[rows] = tick
    return found
