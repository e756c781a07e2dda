"""Does a law describe the points at all? The least bad of all laws that were tried may still be none."""

from __future__ import annotations

import numpy as np

from .measurements import Floats, Series

_UNUSUAL_SMAPE = 40.0
_SUPPORTED = 3.0
_NOT_ZERO = 0.2
_ROUNDING = 1e-9


def misfit(series: Series, fitted: Floats) -> str | None:
    """Why the law with values `fitted` (P,) is no description of the points; None where it may be one.

    Deviations beyond any usual noise are believed where repetitions scatter alike; noise is
    multiplicative, so a point that is zero where the law is of the size of its neighbours lies outside the law.
    """
    wrong = _zeros(series, fitted)
    if wrong is not None:
        at = ", ".join(f"{n}={x:g}" for n, x in zip(series.parameters, series.points[wrong], strict=True))
        return (f"the law says {fitted[wrong]:.4g} at {at}, where 0 was measured: it holds for a part of the points only, "
                "model that part alone")
    smape = _smape(series.means, fitted)
    if smape > _UNUSUAL_SMAPE and smape > _SUPPORTED * _scatter(series):
        return (f"the law deviates by {smape:.0f} % from the points, which no repetitions explain: repeat each "
                "measurement, or look for what else changed between the points")
    return None


def _smape(y: Floats, f: Floats) -> float:
    """Symmetric mean absolute percentage error; rounding beside zero is no error."""
    apart = np.abs(y - f)
    apart[apart <= _ROUNDING * np.abs(y).max()] = 0
    total = np.abs(y) + np.abs(f)
    return float(200 * (apart / np.where(total > 0, total, 1.0)).mean())


def _zeros(series: Series, fitted: Floats) -> int | None:
    """The point measured as zero at which the law is largest, if that is no small value."""
    zero = series.means == 0
    if not zero.any() or zero.all():
        return None
    size = np.abs(series.means[~zero]).min()
    worst = int(np.where(zero, np.abs(fitted), -1.0).argmax())
    return worst if abs(fitted[worst]) > _NOT_ZERO * size else None


def _scatter(series: Series) -> float:
    """Relative standard deviation in % of repetitions at a point; 0 without repetitions."""
    freedom = float((series.counts - 1).sum())
    usable = series.means != 0
    if freedom <= 0 or not usable.any():
        return 0.0
    squares = float((series.squares[usable] / series.means[usable] ** 2).sum())
    return 100 * float(np.sqrt(squares / freedom))
