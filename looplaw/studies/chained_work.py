"""Additions that wait for one another in the loops of a kernel, as a formula.

A loop of T iterations, each of which waits for the one before, holds the processor up for all of
them if T is large; of short loops it has the next executions under way meanwhile, as many as
its scheduler holds waiting operations of. With N iterations in E executions, c operations of a
chain in each, and S places,

    X = c N T / (T + S / c),    T = N / E,

is what remains to be waited for: all c N for long loops, a part T c / S of it for short ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from modeling.pmnf.time_law import Count

SCHEDULER_PLACES = 90
"""Waiting operations that a processor holds: 97 in Golden Cove, 96 in Zen 4 (4 times 24), 60 in
Haswell, for integers too (Fog, "The microarchitecture of Intel, AMD and VIA CPUs")."""
_MATTERS = 0.1
"""Loops that run less than this share of the most frequent one are left out."""
_OFF = 0.1
"""Executions that differ by no more from a count are as many."""

Points = Sequence[tuple[Mapping[str, int], int]]


def chained_work(
    latency: Mapping[str, int],
    counts: Mapping[str, Count],
    parents: Mapping[str, str | None],
    entries: Callable[[str], Points],
    values: Callable[[Count, Sequence[Mapping[str, int]]], np.ndarray],
) -> str:
    """The formula of X, empty where no loop that matters has a chain.

    Args:
        latency: place of a loop -> c, 0 where it has no chain.
        counts: place of a loop of the kernel -> N.
        parents: place of a loop -> the loop around it.
        entries: place of a loop -> the runs' parameters and executions.
        values: what a count is at some parameters.
    """
    terms = []
    for at, count in counts.items():
        cost = latency.get(at, 0)
        seen = entries(at) if cost else ()
        if not seen or "Sum(" in count.formula:
            continue
        last = [seen[-1][0]]
        most = max(float(values(c, last)[0]) for c in counts.values())
        if float(values(count, last)[0]) < _MATTERS * most:
            continue
        parent = parents.get(at)
        around = [counts[parent]] if parent is not None and parent in counts else []
        executions = _executions(seen, [*around, *counts.values()], values)
        if executions is not None:
            n, places = count.formula, f"{SCHEDULER_PLACES / cost:.4g}"
            terms.append(f"{cost}*({n})**2/(({n}) + {places}*({executions}))")
    return " + ".join(terms)


def _executions(
    seen: Points,
    known: Iterable[Count],
    values: Callable[[Count, Sequence[Mapping[str, int]]], np.ndarray],
) -> str | None:
    """Executions of a loop in the swept parameters: a number, or as many as another loop has
    iterations; None where they are neither."""
    counted = np.array([float(n) for _, n in seen])
    if counted.min() <= 0:
        return None
    if counted.min() == counted.max():
        return f"{counted[0]:.0f}"
    points = [p for p, _ in seen]
    for count in known:
        if "Sum(" not in count.formula:
            off = np.abs(values(count, points) / counted - 1)
            if off.max() <= _OFF:
                return count.formula
    return None
