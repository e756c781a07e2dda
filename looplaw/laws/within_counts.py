"""The most that kernels without a law of time can take, by what they count.

A model of times that the runs do not determine may say anything beyond them: a kernel of a
microsecond, whose times are noise, then hides what a whole run takes. Its loops are known better:
how often they run, and that an iteration does not become dearer without limit.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Mapping
from math import isfinite, prod

from ..documents.study import StudyDocument, StudyLoop
from .counts_at import iterations_at
from .loop_call_tree import gathered

_DEARER = 100.0
"""An iteration that finds its data in the first cache takes 1 ns; one that waits for memory, 100.
What it calls may have as much more to do as sizes grow."""


def most_seconds(
    study: StudyDocument, kernels: Iterable[str], at: Mapping[str, float]
) -> dict[str, float]:
    """Place of a kernel -> the seconds that it can take at most; those that are left out have loops
    whose counts are not known.

    Args:
        kernels: places of those that are asked for.
        at: values of the parameters.
    """
    loops = {loop.at: loop for loop in study.loops}
    inside = gathered({at: loop.inner for at, loop in loops.items()}, {at: (at,) for at in loops})
    found = {}
    for place in kernels:
        own = [loops[a] for a in inside.get(place, ())]
        most = _most(own, loops[place], at) if place in loops else None
        if most is not None:
            found[place] = most
    return found


def _most(
    inside: Collection[StudyLoop], kernel: StudyLoop, at: Mapping[str, float]
) -> float | None:
    """The same of one kernel, by its longest run."""
    top = max(kernel.time or (), key=lambda r: statistics.median(r.values), default=None)
    growth = None if top is None else _growth(inside, top.params, at)
    if top is None or growth is None:
        return None
    sizes = prod(max(at[n] / v, 1.0) for n, v in top.params.items() if n in at and v > 0)
    return _DEARER * max(top.values) * max(growth, 1.0) * sizes


def _growth(
    inside: Collection[StudyLoop], top: Mapping[str, int | float], at: Mapping[str, float]
) -> float | None:
    """Iterations there over those of a run: the largest such ratio of loops that run; None where
    one of these is not known."""
    found: list[float] = []
    for loop in inside:
        ran = next((float(c.iterations) for c in loop.counted if c.params == top), None)
        here = iterations_at(loop, top) if ran is None else ran
        there = iterations_at(loop, at)
        if here is None or there is None or not isfinite(there):
            return None
        if here > 0 or there > 0:
            found.append(there / max(here, 1.0))
    return max(found, default=None)
