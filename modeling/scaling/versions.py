"""Two versions of one thing: which is faster where, by how much, and from where on.

Single points are compared by the rank test of Mann and Whitney (1947) and the ratio of medians, as
benchstat does. Over a parameter, both versions are fitted, and fitted again to data drawn anew with
the noise that the fit leaves (the parametric bootstrap of Efron and Tibshirani, 1993, with the
noise's own uncertainty, its variance being an inverse chi-square): the draws give the intervals of
the ratio and of the size at which the versions cross.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb
from typing import Literal

import numpy as np
from scipy import stats

from looplaw_common.errors import DataError

from ..data.measurements import Floats, Measurements, Series
from ..data.units import factor
from ..fitter.fit import fit
from ..pmnf.model import Model

Side = Literal["A", "B"]
Faster = Literal["A", "B", "cannot tell"]
DRAWS = 200
LEVEL = 0.9
"""Share of the draws in an interval."""
REACH = 4.0
"""Crossings are looked for up to this multiple of the largest common size."""
_GRID = 400
_SEEN = 0.5
"""Share of the draws that cross where a crossing is told."""
SIGNIFICANT = 0.05
_LEAST_NOISE = 1e-3
"""Relative noise below which no measured time is known."""


@dataclass(frozen=True)
class Ratio:
    """A ratio with its 90 % interval; NaN where nothing tells the ends."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Turn:
    """The size at which another version becomes the better one, its 90 % interval, and which."""

    at: float
    low: float
    high: float
    then: Side


@dataclass(frozen=True)
class Point:
    """Both versions at a point that both have: medians (or means, where only these are known),
    numbers of values, and the p-value of the rank test, NaN where there are too few."""

    at: Mapping[str, float]
    a: float
    b: float
    counts: tuple[int, int]
    p_value: float

    @property
    def is_significant(self) -> bool:
        """Do the ranks tell the two apart?"""
        return self.p_value < SIGNIFICANT


@dataclass(frozen=True)
class Versions:
    """What two series tell of each other. faster: the better one at the target `at`; ratio: how
    many times better it is there (A's value over B's where nobody can tell); over: the parameter
    along which `crossings` were looked for, in ascending order; points: those that both have;
    models: of A and of B, None where nothing was varied; reach: the largest size both were measured
    at; unit: of the values."""

    name: str
    metric: str
    faster: Faster
    ratio: Ratio
    at: Mapping[str, float]
    over: str | None
    crossings: tuple[Turn, ...]
    points: tuple[Point, ...]
    models: tuple[Model, Model] | None
    reach: float
    unit: str = ""


def compare(
    a: Series,
    b: Series,
    at: Mapping[str, float] | None = None,
    *,
    more_is_better: bool = False,
    seed: int = 0,
) -> Versions:
    """Compare two series of one metric over the same parameters.

    Args:
        at: where the ratio is wanted; by default at the largest common size of each parameter.
        more_is_better: as of rates; times are better where they are less.
        seed: of the draws.

    Raises:
        DataError: they have other parameters, units of different kinds, or no values above zero.
    """
    if a.parameters != b.parameters:
        raise DataError(
            f"{a.callpath}: A varies {', '.join(a.parameters) or 'nothing'}, B"
            f" {', '.join(b.parameters) or 'nothing'}; give both the same parameters"
        )
    b = _in_unit(b, a)
    if a.means.min() <= 0 or b.means.min() <= 0:
        raise DataError(f"{a.callpath}, {a.metric}: values of zero and below cannot be compared")
    points = _points(a, b)
    varied = [
        n for k, n in enumerate(a.parameters) if min(np.ptp(a.points[:, k]), np.ptp(b.points[:, k]))
    ]
    fewest = min(len(a.means), len(b.means))
    if not varied or fewest < 3:
        return _at_points(a, b, points, more_is_better)
    target = _largest(a, b) | dict(at or {})
    over = max(varied, key=lambda n: len(set(a.points[:, a.parameters.index(n)].tolist())))
    return _fitted(
        a, b, points, target, (over, varied), more_is_better, np.random.default_rng(seed)
    )


def _in_unit(series: Series, of: Series) -> Series:
    scale = factor(series.unit, of.unit, f"{series.callpath}, {series.metric}")
    if scale == 1:
        return series
    sample = None if series.sample is None else series.sample * scale
    means, squares = series.means * scale, series.squares * scale**2
    lows, highs = (None if e is None else e * scale for e in (series.lows, series.highs))
    return replace(
        series, means=means, squares=squares, sample=sample, lows=lows, highs=highs, unit=of.unit
    )


def _points(a: Series, b: Series) -> tuple[Point, ...]:
    places = {tuple(p): k for k, p in enumerate(b.points.tolist())}
    found = []
    for k, place in enumerate(a.points.tolist()):
        if (other := places.get(tuple(place))) is not None:
            x, y = values_at(a, k), values_at(b, other)
            found.append(
                Point(
                    dict(zip(a.parameters, place, strict=True)),
                    float(np.median(x)),
                    float(np.median(y)),
                    (int(a.counts[k]), int(b.counts[other])),
                    p_value(x, y),
                )
            )
    return tuple(found)


def values_at(series: Series, k: int) -> Floats:
    """The single values at a point, or their mean where they are not known."""
    if series.sample is None or np.isnan(series.sample[k]).all():
        return series.means[k : k + 1]
    own = series.sample[k]
    return np.asarray(own[~np.isnan(own)])


def p_value(x: Floats, y: Floats) -> float:
    """That of the rank test of two samples; NaN where they are too few to tell anything."""
    if 2 / comb(len(x) + len(y), len(x)) >= SIGNIFICANT:  # of fewer than four each, mostly
        return float("nan")
    return float(stats.mannwhitneyu(x, y, alternative="two-sided").pvalue)


def _at_points(a: Series, b: Series, points: Sequence[Point], more_is_better: bool) -> Versions:
    """The comparison where nothing can be fitted: at the last common point, by ranks."""
    if not points:
        raise DataError(
            f"{a.callpath}, {a.metric}: A and B have no common point, and fewer than three points"
            " each, so nothing can be fitted; measure both at the same sizes"
        )
    last = points[-1]
    k = [tuple(p) for p in a.points.tolist()].index(tuple(last.at.values()))
    m = [tuple(p) for p in b.points.tolist()].index(tuple(last.at.values()))
    better = last.b / last.a if more_is_better else last.a / last.b
    faster: Faster = "cannot tell"
    if last.is_significant:
        faster = "B" if better > 1 else "A"
    low, high = shift(values_at(a, k), values_at(b, m))
    ends = (1 / high, 1 / low) if more_is_better else (low, high)
    return Versions(
        a.callpath,
        a.metric,
        faster,
        _told(Ratio(better, *ends), faster),
        last.at,
        None,
        (),
        tuple(points),
        None,
        max(last.at.values(), default=float("nan")),
        a.unit,
    )


def shift(x: Floats, y: Floats) -> tuple[float, float]:
    """The 90 % interval of the ratio of two samples: that of Hodges and Lehmann (1963) of their
    logarithms, by the normal approximation of the rank test."""
    if min(len(x), len(y)) < 2:
        return float("nan"), float("nan")
    ratios = np.sort((np.log(x)[:, None] - np.log(y)[None, :]).ravel())
    n, m = len(x), len(y)
    spread = stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt(n * m * (n + m + 1) / 12)
    cut = max(0, int(np.floor(n * m / 2 - spread)))
    return float(np.exp(ratios[cut])), float(np.exp(ratios[-1 - cut]))


def _told(ratio: Ratio, faster: Faster) -> Ratio:
    """The ratio as that of the better one."""
    if faster != "A":
        return ratio
    return Ratio(1 / ratio.value, 1 / ratio.high, 1 / ratio.low)


def _largest(a: Series, b: Series) -> dict[str, float]:
    """The largest size of each parameter that both reach."""
    return {
        n: float(min(a.points[:, k].max(), b.points[:, k].max()))
        for k, n in enumerate(a.parameters)
    }


def _fitted(
    a: Series,
    b: Series,
    points: tuple[Point, ...],
    target: Mapping[str, float],
    along: tuple[str, Sequence[str]],
    more_is_better: bool,
    random: np.random.Generator,
) -> Versions:
    over, varied = along
    models, drawn = zip(*(_draws(s, random) for s in (a, b)), strict=True)
    k = a.parameters.index(over)
    least = float(max(a.points[:, k].min(), b.points[:, k].min()))
    most = max(REACH * _largest(a, b)[over], target[over])
    grid = np.geomspace(least, most, _GRID) if least > 0 else np.linspace(least, most, _GRID)
    place: dict[str, Floats | float] = {**target, over: np.append(grid, target[over])}
    best = _logs(models[:1], place) - _logs(models[1:], place)
    difference = _logs(drawn[0], place) - _logs(drawn[1], place)
    if more_is_better:
        best, difference = -best, -difference
    low, high = np.nanquantile(difference, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=0)
    faster: Faster = "B" if low[-1] > 0 else "A" if high[-1] < 0 else "cannot tell"
    ratio = Ratio(*(float(np.exp(x)) for x in (best[0, -1], low[-1], high[-1])))
    ratio = replace(ratio, low=min(ratio.low, ratio.value), high=max(ratio.high, ratio.value))
    return Versions(
        a.callpath,
        a.metric,
        faster,
        _told(ratio, faster),
        {n: x for n, x in target.items() if n in varied},
        over,
        _turns(grid, best[0, :-1], difference[:, :-1], low[:-1], high[:-1]),
        points,
        (models[0], models[1]),
        _largest(a, b)[over],
        a.unit,
    )


def _draws(series: Series, random: np.random.Generator) -> tuple[Model, tuple[Model, ...]]:
    """The model of a series, and those of its values drawn anew."""
    (model,) = fit(Measurements((series,))).models
    at = dict(zip(series.parameters, series.points.T, strict=True))
    fitted = np.asarray(model.value_at(at), dtype=float)
    fitted = np.where((fitted > 0) & np.isfinite(fitted), fitted, series.means)
    rest = np.log(series.means / fitted)
    freedom = max(1, len(rest) - len(model.terms) - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        within = np.sqrt(series.squares / np.maximum(series.counts - 1, 1) / series.counts)
    noise = max(float(np.sqrt(rest @ rest / freedom)), _LEAST_NOISE)
    own = np.maximum(noise, within / series.means)
    scale = np.sqrt(freedom / random.chisquare(freedom, DRAWS))
    scale = np.clip(scale, 0.5, 3.0)
    errors = random.standard_normal((DRAWS, len(rest))) * scale[:, None] * own
    centre = np.where(random.random((DRAWS, 1)) < 0.5, fitted, series.means)
    values = centre * np.exp(errors)
    drawn = tuple(
        replace(
            series,
            callpath=f"{k}",
            means=v,
            squares=series.squares * (v / series.means) ** 2,
            lows=None,
            highs=None,
            sample=None,
        )
        for k, v in enumerate(values)
    )
    return model, tuple(fit(Measurements(drawn)).models)


def _logs(models: Sequence[Model], place: Mapping[str, Floats | float]) -> Floats:
    """(models, sizes) logarithms of the values of models, NaN where these are not above zero."""
    size = max(np.size(v) for v in place.values())
    with np.errstate(all="ignore"):
        values = np.stack([np.broadcast_to(m.value_at(place), (size,)) for m in models])
        return np.log(np.where(values > 0, values, np.nan))


def _turns(
    grid: Floats, best: Floats, drawn: Floats, low: Floats, high: Floats
) -> tuple[Turn, ...]:
    """The crossings of the best curve that have a sure side before and after them."""
    sure = np.where(low > 0, 1, np.where(high < 0, -1, 0))
    runs = [(s, k) for k, s in enumerate(sure) if s]
    found = []
    for (before, k), (after, m) in pairwise(runs):
        if before == after:
            continue
        own = _zero(grid[k : m + 1], best[k : m + 1], after)
        places = [_zero(grid, curve, after, own) for curve in drawn]
        seen = [p for p in places if p is not None]
        if own is None or len(seen) < _SEEN * len(places):
            continue
        ends = np.quantile(seen, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
        found.append(
            Turn(own, float(min(ends[0], own)), float(max(ends[1], own)), "B" if after > 0 else "A")
        )
    return tuple(found)


def _zero(grid: Floats, curve: Floats, after: int, near: float | None = None) -> float | None:
    """Where a curve (sizes,) takes the sign `after`, the place nearest to `near`, interpolated in
    logarithms; None where it does not."""
    signs = curve * after
    places = np.flatnonzero((signs[:-1] <= 0) & (signs[1:] > 0))
    if not len(places):
        return None
    found = []
    for k in places:
        share = -signs[k] / (signs[k + 1] - signs[k])
        step = np.log(grid[k + 1] / grid[k]) if grid[k] > 0 else 0.0
        found.append(
            float(grid[k] * np.exp(share * step))
            if step
            else float(grid[k] + share * (grid[k + 1] - grid[k]))
        )
    return (
        found[0] if near is None else min(found, key=lambda x: abs(np.log(max(x, 1e-300) / near)))
    )
