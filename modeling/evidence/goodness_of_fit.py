"""Does a law describe the points at all? The least bad of all laws that were tried may still be
none."""

from __future__ import annotations

import numpy as np

from ..data.measurements import Floats, Stack
from ..pmnf.goodness import PERCENT, smape
from ..settings import ARITHMETIC, GoodnessSettings


def poor_fits(series: Stack, fitted: Floats, settings: GoodnessSettings) -> dict[int, str]:
    """Why laws with values `fitted` (K, P) do not describe the means of K series, by number; those
    that may are left out.

    Deviations beyond any usual noise are accepted where repetitions scatter as much. Noise is
    multiplicative, so no noise explains a zero where the law is as large as at its neighbours.
    """
    y = series.means
    errors = smape(y, beyond_rounding(y, fitted))
    found = {
        k: _off(errors[k])
        for k in np.flatnonzero(errors > settings.unusual_smape).tolist()
        if errors[k] > settings.supported * _scatter(series, k)
    }
    for k in np.flatnonzero((y == 0).any(axis=1) & y.any(axis=1)).tolist():
        worst = _zeros(y[k], fitted[k], settings.not_zero)
        if worst is not None:
            found[k] = _not_zero(series, worst, fitted[k])
    return found


def _off(error: float) -> str:
    return (
        f"the law misses the points by {error:.0f} %: repeat each measurement, or look for what"
        " else changed between the points"
    )


def _not_zero(series: Stack, wrong: int, fitted: Floats) -> str:
    at = ", ".join(
        f"{n}={x:g}" for n, x in zip(series.parameters, series.points[wrong], strict=True)
    )
    return (
        f"the law says {fitted[wrong]:.4g} at {at}, where 0 was measured: it holds for a part of"
        " the points; model that part alone"
    )


def beyond_rounding(y: Floats, fitted: Floats) -> Floats:
    """Fitted values (K, P), those that differ from y by rounding beside the largest one made equal:
    where zero was measured, rounding would count as an error of 200 %."""
    rounding = ARITHMETIC.zero * np.abs(y).max(axis=1, keepdims=True)
    return np.where(np.abs(y - fitted) <= rounding, y, fitted)


def _zeros(y: Floats, fitted: Floats, not_zero: float) -> int | None:
    """The point measured as zero at which the law is largest, if that is no small value."""
    zero = y == 0
    size = np.abs(y[~zero]).min()
    worst = int(np.where(zero, np.abs(fitted), -1.0).argmax())
    return worst if abs(fitted[worst]) > not_zero * size else None


def _scatter(series: Stack, k: int) -> float:
    """Relative standard deviation in % of repetitions at a point of one series; 0 without
    repetitions."""
    means, squares = series.means[k], series.squares[k]
    freedom = float((series.counts[k] - 1).sum())
    usable = means != 0
    if freedom <= 0 or not usable.any():
        return 0.0
    return PERCENT * float(np.sqrt(float((squares[usable] / means[usable] ** 2).sum()) / freedom))
