"""Sums of floating-point numbers without rounding, so that the order of summation does not matter.

A sum is an integer in units of 2**-1074, stored as limbs of 32 bits in 64-bit words (a
superaccumulator; Kulisch, "Computer Arithmetic and Validity", 2013; Neal, "Fast exact summation
using small and large superaccumulators", 2015). Adding a number changes three limbs; carries are
propagated only when a limb could overflow.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .measurements import Floats

Integers = NDArray[np.int64]
LIMBS = 68
"""Number of limbs of 32 bits: for 2**-1074 to 2**1024, and for carries."""
_BITS, _MASK = 32, (1 << 32) - 1
_UNIT = Fraction(1, 1 << 1074)
_LEAST_CARRIES = 1 << 28  # additions after which a limb could overflow
_SPLITTER = 134217729.0  # 2**27 + 1


class ExactSums:
    """Sums of C cells. After `normalize`, all limbs (C, LIMBS), lowest first, but the highest are
    from 0 to 2**32 - 1."""

    def __init__(self, cells: int) -> None:
        self._limbs: Integers = np.zeros((cells, LIMBS), dtype=np.int64)
        self._pending = 0

    def __len__(self) -> int:
        return len(self._limbs)

    def grow(self, cells: int) -> None:
        """Make room for this number of cells in all; new sums are 0."""
        more = max(0, cells - len(self._limbs))
        self._limbs = np.concatenate([self._limbs, np.zeros((more, LIMBS), dtype=np.int64)])

    def add(self, cells: Integers, values: Floats) -> None:
        """Add finite values (..., n) to cells (n,)."""
        rows = values.size // max(len(cells), 1)
        if self._pending + 4 * rows >= _LEAST_CARRIES:
            self.normalize()
        self._pending += 4 * rows
        bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
        exponent = (bits >> 52) & 0x7FF
        mantissa = (bits & ((1 << 52) - 1)) | np.where(exponent > 0, np.int64(1 << 52), np.int64(0))
        place = np.maximum(exponent, 1) - 1
        shift = place & (_BITS - 1)
        low, high = (mantissa & _MASK) << shift, (mantissa >> _BITS) << shift
        sign = np.where(bits < 0, np.int64(-1), np.int64(1))
        flat = self._limbs.reshape(-1)
        at = cells * LIMBS + (place >> 5)
        for k, part in enumerate((low & _MASK, (low >> _BITS) + (high & _MASK), high >> _BITS)):
            np.add.at(flat, at + k, sign * part)

    def plus(self, cells: Integers, limbs: Integers, lowest: int = 0) -> None:
        """Add sums, given as normalized limbs (n, w) from limb `lowest` on, to distinct cells
        (n,)."""
        if self._pending + 1 >= _LEAST_CARRIES:
            self.normalize()
        self._pending += 1
        self._limbs[cells, lowest : lowest + limbs.shape[1]] += limbs

    def normalize(self) -> None:
        """Propagate carries, so that equal sums have equal limbs."""
        for k in range(LIMBS - 1):
            carry = self._limbs[:, k] >> _BITS
            self._limbs[:, k] &= _MASK
            self._limbs[:, k + 1] += carry
        self._pending = 0

    def limbs(self) -> tuple[Integers, int]:
        """(normalized limbs (C, w) without leading and trailing ones that are 0 in all cells,
        number of the first)."""
        self.normalize()
        used = np.flatnonzero(self._limbs.any(axis=0))
        low, high = (int(used[0]), int(used[-1]) + 1) if len(used) else (0, 0)
        return self._limbs[:, low:high], low

    def value(self, cell: int) -> Fraction:
        """The exact sum of a cell."""
        total = 0
        for limb in reversed(self._limbs[cell].tolist()):
            total = (total << _BITS) + limb
        return total * _UNIT


def two_product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """(x, y) with x = fl(a b) and x + y = a b exactly, barring over- and underflow (Dekker,
    1971)."""
    x = a * b
    (a1, a2), (b1, b2) = _split(a), _split(b)
    return x, ((a1 * b1 - x) + a1 * b2 + a2 * b1) + a2 * b2


def _split(a: Floats) -> tuple[Floats, Floats]:
    c = _SPLITTER * a
    high = c - (c - a)
    return high, a - high
