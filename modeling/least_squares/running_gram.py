"""Gram matrix and moments of weighted least squares, kept while observations stream in.

For rows t of terms with weight w and value y they are sum w t t', sum w t y and sum w y**2: all a
linear model needs of its data, whatever their number. A row whose weight changes (the mean at its
point has moved) is taken out and put in again. Plain sums would lose digits whenever something
large is taken out, so every entry carries the rounding error of its sum (TwoSum: Knuth, The Art of
Computer Programming 2, 4.2.2; Ogita, Rump and Oishi, SIAM Journal on Scientific Computing 26,
2005): what goes in and out again leaves nothing behind.
"""

from __future__ import annotations

import numpy as np

from ..data.measurements import Floats


class RunningGram:
    """Sums over rows z = (t, y) of T terms and a value: Z = sum w z z', (T + 1, T + 1). An update
    costs O(T**2), whatever came before."""

    def __init__(self, terms: int) -> None:
        self._sum = np.zeros((terms + 1, terms + 1))
        self._lost = np.zeros_like(self._sum)

    def add(self, terms: Floats, value: float, weight: float, squares: float = 0.0) -> None:
        """One row (T,), or `weight` of them; a negative weight takes out what was put in with the
        same numbers.

        Args:
            terms: (T,) values of the terms.
            value: the mean of the observations.
            weight: sum of their weights.
            squares: weighted sum of their squared deviations from that mean.
        """
        row = np.append(terms, value)
        part = weight * np.outer(row, row)
        part[-1, -1] += squares
        total = self._sum + part
        back = total - self._sum
        self._lost += (self._sum - (total - back)) + (part - back)
        self._sum = total

    @property
    def gram(self) -> Floats:
        """(T, T): sum w t t'."""
        return (self._sum + self._lost)[:-1, :-1]

    @property
    def moments(self) -> Floats:
        """(T,): sum w t y."""
        return (self._sum + self._lost)[:-1, -1]

    @property
    def squares(self) -> float:
        """sum w y**2."""
        return float(self._sum[-1, -1] + self._lost[-1, -1])
