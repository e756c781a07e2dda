"""Disturbed repetitions: what other programs, interrupts and the page cache do to a few runs.

Repetitions at a point p have one of three shapes, and the observations decide which (Kass and
Raftery, JASA 90, 1995):

- plain: v = f_p (1 + s z) or f_p exp(s z), z standard normal;
- disturbed: a share e of the observations is something else, v = f_p exp(d) with an exponential
  distance d, mostly upwards, since disturbances slow a program down (the contaminated normal
  distribution: Tukey, "A survey of sampling from contaminated distributions", 1960);
- tailed: v = f_p (1 + h t), t exponential: no run is faster than a floor, and some are far slower.

At each point the level f_p is free, with a flat prior over its logarithm, so that no law is taken
for granted. Where a series is disturbed, its observations count with the probability that they are
not: number, mean and squared deviations are those of the others. Where it is tailed, the least of n
observations tells the floor n times as sharply as one observation does, and the mean follows from
it; that is worth n**2 observations. Plain series stay as they are, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..data.measurements import Floats, Stack
from ..settings import ARITHMETIC, DERIVED, NORMAL_MEDIAN, DisturbanceSettings

SHAPES = ("plain", "disturbed", "tailed")
_PLAIN, _DISTURBED, _TAILED = range(len(SHAPES))


@dataclass(frozen=True)
class Cleaned:
    """Series with the statistics of undisturbed observations, and what was done to them: how many
    observations (K,) were left out, and whether the least ones were believed (K,)."""

    series: Stack
    left_out: Floats
    floor: NDArray[np.bool_]

    def take(self, rows: NDArray[np.int64]) -> Cleaned:
        """Some of the series."""
        return Cleaned(self.series.take(rows.tolist()), self.left_out[rows], self.floor[rows])

    def part(self, points: NDArray[np.bool_]) -> Cleaned:
        """The series at some of their points (P,)."""
        return replace(self, series=self.series.part(points))

    def note(self, k: int) -> str | None:
        """What was done to the k-th series, for people."""
        if self.floor[k]:
            return (
                "repetitions have a floor and a long tail: the least ones tell the law, scaled to"
                " the mean"
            )
        count = round(float(self.left_out[k]))
        if not count:
            return None
        if count == 1:
            return "one observation is far from its repetitions and was left out"
        return f"{count} observations are far from their repetitions and were left out"

    def notes(self) -> dict[int, str]:
        """The notes of all series that have one, by their numbers."""
        found = {k: self.note(k) for k in np.flatnonzero(self.floor | (self.left_out > 0)).tolist()}
        return {k: note for k, note in found.items() if note is not None}


def cleaned(series: Stack, settings: DisturbanceSettings) -> Cleaned:
    """Series with their disturbances taken out, each of them on its own."""
    none = Cleaned(series, np.zeros(len(series)), np.zeros(len(series), dtype=np.bool_))
    rows = _worth_a_look(series, settings)
    if not len(rows):
        return none
    values = _observations(series, rows)
    usable = np.nan_to_num(values, nan=1.0).min(axis=(1, 2)) > 0
    rows, values = rows[usable], values[usable]
    if not len(rows):
        return none
    count = (~np.isnan(values)).sum(axis=2).astype(float)
    plain = _plain(values, count, settings)
    disturbed, share = _disturbed(values, count, settings)
    tailed, width = _tailed(values, count, settings)
    prior = np.log([1 - settings.disturbed - settings.tailed, settings.disturbed, settings.tailed])
    shape = (np.stack([plain, disturbed, tailed], axis=1) + prior).argmax(axis=1)
    statistics = [
        a.copy() for a in (series.counts, series.means, series.squares, series.lows, series.highs)
    ]
    some = shape == _DISTURBED
    for target, found in zip(statistics, _weighted(values[some], share[some]), strict=True):
        target[rows[some]] = found
    floor = shape == _TAILED
    from_floor = _from_floor(values[floor], count[floor], width[floor], settings)
    for target, found in zip(statistics, from_floor, strict=True):
        target[rows[floor]] = found
    left_out, believed = none.left_out, none.floor
    left_out[rows[some]] = np.nansum(1 - share[some], axis=(1, 2))
    believed[rows[floor]] = True
    counts, means, squares, lows, highs = statistics
    result = replace(
        series, counts=counts, means=means, squares=squares, lows=lows, highs=highs, sample=None
    )
    return Cleaned(result, left_out, believed)


def _worth_a_look(series: Stack, settings: DisturbanceSettings) -> NDArray[np.int64]:
    """Numbers of the series whose observations are known and that the mean of one observation at a
    point may mislead: its greatest or least one is far from the others for their scatter."""
    counts = series.counts
    known = ~np.isnan(series.lows).any(axis=1) & (series.lows > 0).all(axis=1)
    repeated = (counts.max(axis=1, initial=0) >= 2) & known
    unknown = counts > DERIVED
    if series.sample is not None:
        unknown &= np.isnan(series.sample).all(axis=2)
    repeated &= ~unknown.any(axis=1)
    rows = np.flatnonzero(repeated)
    if not len(rows):
        return rows
    count, mean, low, high = (a[rows] for a in (counts, series.means, series.lows, series.highs))
    most = np.maximum(high - mean, mean - low) / mean
    rest = (
        np.sqrt(
            np.maximum(
                series.squares[rows] - count * most**2 * mean**2 / np.maximum(count - 1, 1), 0
            )
            / np.maximum(count - 2, 1)
        )
        / mean
    )
    # points of two observations tell nothing of the rest: the range of all others does
    usual = np.median(np.where(count > 2, rest, most), axis=1)
    usual = np.maximum(usual, settings.least)
    skewed = (high - mean).sum(axis=1) > settings.skewed * (mean - low).sum(axis=1)
    far = most.max(axis=1, initial=0.0) > settings.far * usual
    result: NDArray[np.int64] = rows[far | skewed]
    return result


def _observations(series: Stack, rows: NDArray[np.int64]) -> Floats:
    """(K, P, R): the observations of some series, NaN where a point has fewer."""
    counts = series.counts[rows]
    size = max(int(counts.max()), 1)
    values = np.full((*counts.shape, size), np.nan)
    size = min(size, DERIVED) if series.sample is None else size
    if series.sample is not None:
        values = series.sample[rows][..., :size].copy()
    unknown = np.isnan(values).all(axis=2)
    few = unknown & (counts <= DERIVED)
    values[unknown, 0] = np.where(few, series.lows[rows], series.means[rows])[unknown]
    if size >= 2:
        several = few & (counts >= 2)
        values[several, 1] = series.highs[rows][several]
    rest = counts * series.means[rows] - series.lows[rows] - series.highs[rows]
    for number in range(2 + 1, min(size, DERIVED) + 1):
        here = few & (counts == number)
        middle = rest[here] / (number - 2)
        values[here, 2] = middle
        if number == DERIVED:
            total = series.squares[rows][here] + number * series.means[rows][here] ** 2
            left = total - series.lows[rows][here] ** 2 - series.highs[rows][here] ** 2
            apart = np.sqrt(np.maximum(left / 2 - middle**2, 0))
            values[here, 2], values[here, -1] = middle - apart, middle + apart
    return values


def _plain(values: Floats, count: Floats, settings: DisturbanceSettings) -> Floats:
    """(K,): log evidence of normal noise and of normal noise of the logarithm together."""
    mean, logs = np.nanmean(values, axis=2), np.log(values)
    middle = np.nanmean(logs, axis=2)
    squares = (np.nansum((values - mean[..., None]) ** 2, axis=2) / mean**2).sum(axis=1)
    of_logs = np.nansum((logs - middle[..., None]) ** 2, axis=(1, 2))
    freedom, s = (count - 1).sum(axis=1), settings.sigmas[:, None]
    constant = -0.5 * freedom * np.log(2 * np.pi) - 0.5 * np.log(count).sum(axis=1)
    normal = _over_levels(-freedom * np.log(s) - squares / 2 / s**2)
    lognormal = _over_levels(-freedom * np.log(s) - of_logs / 2 / s**2)
    result: Floats = constant + np.logaddexp(
        normal - (count * np.log(mean)).sum(axis=1), lognormal - (count * middle).sum(axis=1)
    )
    return result


def _disturbed(
    values: Floats, count: Floats, settings: DisturbanceSettings
) -> tuple[Floats, Floats]:
    """(K,) log evidence of contaminated normal noise, and the probability (K, P, R) of each
    observation that it is none of the disturbed ones, by expectation maximisation."""
    present = ~np.isnan(values)
    filled = np.where(present, values, 1.0)
    ordered = np.sort(values, axis=2)  # NaN last
    middle = np.maximum((count.astype(np.int64) - 1) // 2, 0)
    level = np.take_along_axis(ordered, middle[..., None], axis=2)[..., 0]
    away = np.abs(values / level[..., None] - 1)
    s = np.maximum(NORMAL_MEDIAN * _middle_of(away, count), settings.least)
    share = np.full(len(values), settings.usual)
    right = present * 1.0
    for _ in range(settings.rounds):
        right = _right(filled, present, level, s, share, settings)[0]
        weight = right.sum(axis=2)
        own = np.einsum("kpr,kpr->kp", right, filled) / np.maximum(weight, ARITHMETIC.tiny)
        level = np.where(weight > settings.lost, own, level)
        relative = right * (filled / level[..., None] - 1) ** 2
        freedom = np.maximum(weight - 1, 0).sum(axis=1)
        squares = relative.sum(axis=(1, 2))
        s = np.sqrt((squares + settings.least**2) / np.maximum(freedom, 1))
        s = np.maximum(s, settings.least)
        number = count.sum(axis=1)
        share = (number - weight.sum(axis=1) + settings.usual * settings.believed) / (
            number + settings.believed
        )
    right, density = _right(filled, present, level, s, share, settings)
    weight = np.maximum(right.sum(axis=2), settings.lost)
    evidence = density.sum(axis=(1, 2))
    evidence += (np.log(s)[:, None] + 0.5 * np.log(2 * np.pi / weight)).sum(axis=1)
    # the prior of noise and share at their best, and the width of their posterior (Laplace)
    evidence -= np.log(len(settings.sigmas)) + settings.fitted
    return evidence, np.where(present, right, np.nan)


def _middle_of(away: Floats, count: Floats) -> Floats:
    """(K,): the middle of the distances from the level at each point, without the level's own."""
    several = np.where(count[..., None] > 1, away, np.nan).reshape(len(away), -1)
    ordered = np.sort(np.where(several > 0, several, np.nan), axis=1)
    number = (~np.isnan(ordered)).sum(axis=1)
    place = np.maximum((number - 1) // 2, 0)
    found: Floats = np.nan_to_num(np.take_along_axis(ordered, place[:, None], axis=1)[:, 0])
    return found


def _right(
    values: Floats,
    present: NDArray[np.bool_],
    level: Floats,
    s: Floats,
    share: Floats,
    settings: DisturbanceSettings,
) -> tuple[Floats, Floats]:
    """(K, P, R): probability that observations are undisturbed, and their log density."""
    ratio = values / level[..., None]
    s, e = s[:, None, None], share[:, None, None]
    normal = np.log1p(-e) - 0.5 * ((ratio - 1) / s) ** 2 - np.log(s * np.sqrt(2 * np.pi))
    normal = normal - np.log(level)[..., None]
    distance = np.log(ratio)
    side = np.where(distance > 0, settings.upwards, 1 - settings.upwards)
    other = np.log(e * side / settings.distance) - np.abs(distance) / settings.distance
    other = other - np.log(values)
    total = np.logaddexp(normal, other)
    return np.where(present, np.exp(normal - total), 0.0), np.where(present, total, 0.0)


def _tailed(values: Floats, count: Floats, settings: DisturbanceSettings) -> tuple[Floats, Floats]:
    """(K,) log evidence of a floor with an exponential tail, and the mean h of the tail.

    With x the mean and m the least of n observations, the likelihood of (f, h) is (h m)**-n exp(-n
    (x / m - 1) / h) at f = m and falls off exponentially below it, at the rate a = n (x / (h m) -
    1) in log f, so that its integral over a nat of log f is (1 - exp(-a)) / a of that.
    """
    least, mean = np.nanmin(values, axis=2), np.nanmean(values, axis=2)
    h = settings.sigmas[:, None, None]
    excess = mean / least - 1
    fall = count * ((1 + excess) / h - 1)
    fall = np.where(np.abs(fall) < ARITHMETIC.column, ARITHMETIC.column, fall)
    joint = (
        np.log(-np.expm1(-fall) / fall) - count * (np.log(h) + np.log(least) + excess / h)
    ).sum(axis=2)
    possible = (count >= settings.fewest).all(axis=1)
    evidence = np.where(possible, _over_levels(joint), -np.inf)
    with np.errstate(invalid="ignore"):
        share = np.exp(joint - joint.max(axis=0))
    width = np.exp((share * np.log(settings.sigmas)[:, None]).sum(axis=0) / share.sum(axis=0))
    return evidence, width


def _over_levels(each: Floats) -> Floats:
    """(K,): log evidence (S, K) with the level integrated out, all equally probable."""
    result: Floats = np.logaddexp.reduce(each, axis=0) - np.log(len(each))
    return result


def _weighted(values: Floats, share: Floats) -> tuple[Floats, ...]:
    """Statistics (K, P) of observations that count with these shares."""
    weight = np.nan_to_num(share, nan=0.0)
    filled = np.where(weight > 0, values, 0.0)
    count = np.maximum(weight.sum(axis=2), ARITHMETIC.tiny)
    mean = np.einsum("kpr,kpr->kp", weight, filled) / count
    squares = np.einsum("kpr,kpr->kp", weight, (filled - mean[..., None]) ** 2)
    kept = weight > 0.5
    lows = np.where(kept, values, np.inf).min(axis=2, initial=np.inf)
    highs = np.where(kept, values, -np.inf).max(axis=2, initial=-np.inf)
    unknown = ~kept.any(axis=2)
    return (
        np.maximum(count, 1.0),
        mean,
        squares,
        np.where(unknown, mean, lows),
        np.where(unknown, mean, highs),
    )


def _from_floor(
    values: Floats, count: Floats, width: Floats, settings: DisturbanceSettings
) -> tuple[Floats, ...]:
    """Statistics (K, P) of means that follow from the least observations: extremes unknown."""
    if not len(values):
        return count, count, count, count, count
    least, h = np.nanmin(values, axis=2), width[:, None]
    mean = least / (1 + h / count) * (1 + h)
    worth = np.minimum(count**2, settings.most_worth * count)
    unknown = np.full(mean.shape, np.nan)
    return worth, mean, (worth - 1) * (h / (1 + h) * mean) ** 2, unknown, unknown
