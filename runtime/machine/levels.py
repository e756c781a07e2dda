"""From curves of cost by working set to levels: capacities as they behave, and the cost of each.

Random loads over a working set of w bytes hit a cache of capacity C in a share min(1, C/w) of the
cases (random replacement; for LRU on uniformly random loads the same, Smith 1982). The expected
cost is then

    t(w) = t_1 + sum_k max(0, 1 - C_k/w) (t_{k+1} - t_k),   t_1 <= t_2 <= ...

which is linear in the t for given C. The capacities are found by search on a grid, the costs by
non-negative least squares of relative errors: a plateau hidden by a shared last level does not have
to be seen to be found.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

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
_PLATEAU = (1.3, 0.75)
"""A working set shows the cost of a level where it is larger than so many times the level above and
smaller than so many times the level itself (Kerncraft's streams take the same margins)."""


def capacities(dependent: Curve, nominal: Sequence[int]) -> tuple[list[int], list[float]]:
    """Capacities of the caches as they behave and the ns of a dependent load from each level.

    Args:
        dependent: ns of a dependent random load by working set.
        nominal: sizes that the system tells, ascending; levels are as many.

    Returns: capacities (one a cache), costs (one more: memory's).
    """
    sizes = np.array(dependent.bytes, dtype=float)
    costs = np.array(dependent.ns)
    best: tuple[float, tuple[float, ...], Floats] | None = None
    private, shared = nominal[:-1], nominal[-1]
    grids = [_candidates(size * _PRIVATE_SHARE, size) for size in private]
    grids.append(
        _candidates(
            private[-1] * _LARGER_THAN_PRIVATE if private else shared * _PRIVATE_SHARE, shared
        )
    )
    for chosen in itertools.product(*grids):
        if any(b <= a for a, b in itertools.pairwise(chosen)):
            continue
        design = np.column_stack(
            [np.ones_like(sizes), *(np.maximum(0.0, 1 - c / sizes) for c in chosen)]
        )
        steps, misfit = nnls(design / costs[:, None], np.ones_like(costs))
        if best is None or misfit < best[0]:
            best = misfit, chosen, steps
    assert best is not None, "there is a combination that ascends: the nominal sizes"
    levels = np.cumsum(best[2])
    return [round(c) for c in best[1]], [float(t) for t in levels]


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
    found, latencies = capacities(dependent, [size for _, size in nominal])
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
