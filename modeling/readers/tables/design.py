"""What rows say of the design of measurements, whatever names say: which columns make a difference,
and whether rows at one point are repetitions of one run.

Rows are grouped by a key, of their point and series. A column makes a difference where most of what
rows of one key differ by is gone among those that are the same in it, by far more than chance (the
F ratio of an analysis of variance of logarithms; of main effects where no row comes again).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from .column import Column

_LEAST_SHARE = 0.5
"""Of the variance in groups that a column explains."""
_LEAST_RATIO = 12.0
"""Of the variance that a column explains to what it leaves, each by its degrees of freedom."""
_NOISE = 0.03
"""Standard deviation of logarithms that is not worth an explanation."""

_OF_MEDIAN = 1.4826
"""The standard deviation of normal values, by their median distance from the middle."""

Keys = Sequence[Hashable]


def spread(value: Column, keys: Keys) -> float:
    """How far the logarithms of values at one key lie apart, as a standard deviation; 0 where no
    key comes again. It is told from the median distance to their medians, so that a slow first run
    and other outliers count for nothing."""
    logs, groups, _ = _grouped(value, keys, keys)
    freedom = len(logs) - _number(groups)
    if not freedom:
        return 0.0
    distance = float(np.median(np.abs(logs - _medians(logs, groups))))
    return _OF_MEDIAN * distance * float(np.sqrt(len(logs) / freedom))


def share_explained(value: Column, keys: Keys, levels: Keys) -> float:
    """The share of the variance of logarithms at one key that levels explain; 0 where that may be
    chance, or there is little to explain.

    Args:
        keys: the point and series of each row.
        levels: what a further column says of it.
    """
    logs, groups, cells = _grouped(value, keys, levels)
    number = _number(groups)
    total, freedom = _within(logs, groups), len(logs) - number
    if freedom < 2 or total <= _NOISE**2 * freedom:
        return 0.0
    both = _labels(list(zip(groups.tolist(), cells.tolist(), strict=True)))
    left, rest = _within(logs, both), len(logs) - _number(both)
    if 4 * rest < freedom:  # hardly a row comes again: the same effect at all keys
        centred = logs - _means(logs, groups)
        left = _within(centred, cells)
        rest = freedom - _number(cells) + 1
    used = freedom - rest
    if rest < 2 or used < 1:
        return 0.0
    share = 1 - left / total
    ratio = (total - left) / used / max(left / rest, 1e-12 * total)
    return share if share >= _LEAST_SHARE and ratio >= _LEAST_RATIO else 0.0


def is_crossed(points: Keys, levels: Keys) -> bool:
    """Does each level stand at most of the points, as in a sweep over both?"""
    pairs = set(zip(points, levels, strict=True))
    return len(set(points)) > 1 and 4 * len(pairs) >= 3 * len(set(levels)) * len(set(points))


def _grouped(value: Column, keys: Keys, levels: Keys) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The logarithms of positive values whose key comes again (N,), and numbers for their keys and
    levels (N,)."""
    rows = [k for k, n in enumerate(value.numbers) if n is not None and n > 0]
    groups = _labels([keys[k] for k in rows])
    again = np.bincount(groups)[groups] > 1 if rows else np.zeros(0, bool)
    logs = np.log(np.array([float(value.numbers[k] or 1) for k in rows]))
    return logs[again], groups[again], _labels([levels[k] for k in rows])[again]


def _labels(keys: Keys) -> np.ndarray:
    numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys], dtype=int)


def _number(groups: np.ndarray) -> int:
    return len(np.unique(groups))


def _means(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    counts = np.bincount(groups)
    means = np.bincount(groups, values) / np.maximum(counts, 1)
    return np.asarray(means[groups])


def _medians(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    order = np.lexsort((values, groups))
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    counts = np.diff(starts, append=len(order))
    ordered = values[order]
    medians = (ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2
    found = np.empty(len(values))
    found[order] = np.repeat(medians, counts)
    return found


def _within(values: np.ndarray, groups: np.ndarray) -> float:
    """The sum of squares around the means of groups."""
    return float(((values - _means(values, groups)) ** 2).sum()) if len(values) else 0.0
