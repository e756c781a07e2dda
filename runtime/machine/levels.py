"""From curves of cost by working set to levels: capacities as they behave, and the cost of each.

Random loads over a working set of w bytes miss a cache of capacity C in a share max(0, 1 - C/w) of
the cases (Smith, "Cache memories", 1982); a stream over w bytes, again and again, misses all lines
once w passes C under LRU, over a stretch under the replacement of real last levels. Either way the
expected cost is

    t(w) = t_1 + sum_k miss_k(w) (t_{k+1} - t_k),   t_1 <= t_2 <= ...

which is linear in the costs for given capacities. The capacities are those on a grid for which
non-negative least squares explain the curves of random loads and of streams together best: each
alone is bent by something else, random loads by address translation, streams by prefetching.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .description import Curve, Level

Floats = NDArray[np.float64]

_LARGER_THAN_NOMINAL = 1.1
"""No cache behaves as larger than the system tells, but for the grid's rounding."""
_LARGER_THAN_PRIVATE = 1.2
"""A last level shared by many tenants may behave as a small part of itself, but adds something to
the cache above it."""
_PRIVATE_SHARE = 0.5
"""Caches of one core behave as at least this share of their size."""
_GRID = 4
"""Candidate capacities an octave; the measured working sets lie twice as far apart."""
_STRETCH = 0.5
"""A stream misses everything once it is longer than the cache by this share: replacement is not
strictly LRU, and the program is not alone in the cache."""
_PLATEAU = (1.3, 0.75)
"""A working set shows the cost of a level where it is larger than so many times the level above and
smaller than so many times the level itself (Kerncraft's streams take the same margins)."""


def capacities(
    dependent: Curve, streams: Sequence[Curve], nominal: Sequence[int]
) -> tuple[list[int], list[float]]:
    """Capacities of the caches as they behave and the ns of a dependent load from each level.

    Args:
        dependent: ns of a dependent random load by working set.
        streams: ns of a streamed line by working set, read, written or both.
        nominal: sizes that the system tells, ascending; there are as many levels.

    Returns: capacities (one a cache), costs (one more: memory's).
    """
    best: tuple[float, tuple[float, ...], Floats] | None = None
    for chosen in _choices(nominal):
        steps, misfit = _explained(dependent, [_missed_by_random(c, dependent) for c in chosen])
        for stream in streams:
            misfit += _explained(stream, [_missed_by_stream(c, stream) for c in chosen])[1]
        if best is None or misfit < best[0]:
            best = misfit, chosen, steps
    if best is None:
        raise ValueError("the sizes of the caches must ascend")
    return [round(c) for c in best[1]], [float(t) for t in np.cumsum(best[2])]


def _choices(nominal: Sequence[int]) -> Iterator[tuple[float, ...]]:
    """Capacities to try together."""
    private, shared = nominal[:-1], nominal[-1]
    grids = [_candidates(size * _PRIVATE_SHARE, size) for size in private]
    least = private[-1] * _LARGER_THAN_PRIVATE if private else shared * _PRIVATE_SHARE
    grids.append(_candidates(min(least, shared), shared))
    for chosen in itertools.product(*grids):
        if all(a < b for a, b in itertools.pairwise(chosen)):
            yield chosen


def _explained(curve: Curve, missed: list[Floats]) -> tuple[Floats, float]:
    """Steps of cost from level to level, and the squared relative error that is left."""
    from scipy.optimize import nnls  # takes 0.4 s, and few commands measure a machine

    costs = np.array(curve.ns)
    design = np.column_stack([np.ones_like(costs), *missed]) / costs[:, None]
    steps, misfit = nnls(design, np.ones_like(costs))
    return steps, float(misfit) ** 2


def _missed_by_random(capacity: float, curve: Curve) -> Floats:
    return np.maximum(0.0, 1 - capacity / np.array(curve.bytes, dtype=float))


def _missed_by_stream(capacity: float, curve: Curve) -> Floats:
    beyond = np.array(curve.bytes, dtype=float) / capacity - 1
    return np.clip(beyond / _STRETCH, 0.0, 1.0)


def _candidates(least: float, nominal: int) -> list[float]:
    """Capacities to try, evenly spaced in their logarithm."""
    octaves = math.log2(nominal * _LARGER_THAN_NOMINAL / least)
    number = max(2, round(octaves * _GRID))
    return [least * 2 ** (octaves * k / number) for k in range(number + 1)]


def plateau(curve: Curve, above: float, size: float | None) -> float:
    """The cost of a level: the median over working sets that live in it, else the cost at its
    middle."""
    low, high = above * _PLATEAU[0], (size or math.inf) * _PLATEAU[1]
    inside = [c for b, c in zip(curve.bytes, curve.ns, strict=True) if low <= b <= high]
    if inside:
        return float(np.median(inside))
    return curve.at(math.sqrt(above * size) if size and above else (size or curve.bytes[-1]))


def levels(
    nominal: Sequence[tuple[str, int]],
    *,
    read: Curve,
    written: Curve,
    updated: Curve,
    dependent: Curve,
    independent: Curve,
) -> tuple[Level, ...]:
    """The levels of the memory hierarchy, memory last; costs ascend from level to level.

    Args:
        nominal: (name, bytes) of each cache as the system tells, ascending.
    """
    found, latencies = capacities(
        dependent, [read, written, updated], [size for _, size in nominal]
    )
    bounds: list[float] = [0.0, *map(float, found)]
    result: list[Level] = []
    for k, latency in enumerate(latencies):
        above = bounds[k]
        size = found[k] if k < len(found) else None
        costs = [plateau(c, above, size) for c in (read, written, updated, independent)]
        if result:
            last = result[-1]
            before = (
                last.ns_per_line_read,
                last.ns_per_line_written,
                last.ns_per_line_updated,
                last.ns_per_independent_load,
            )
            costs = [max(a, b) for a, b in zip(costs, before, strict=True)]
        name, told = nominal[k] if k < len(found) else ("memory", None)
        result.append(Level(name, size, told, costs[0], costs[1], costs[2], latency, costs[3]))
    return tuple(result)
