"""Times of runs that other programs disturbed.

While others have the processor, clocks run on: a run of 2 ms that is put aside once takes 6. The
operating system knows how long a run waited for a processor, so that times are left out for that
reason and not for being long, which would make every law too fast. Counts of such runs are as good
as any.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .records import RunRecord

DISTURBED = 0.05
"""Share of a run that it waited: the noise of quiet repetitions, a few percent, hides less."""
_LEAST_S = 1e-3
"""Until the keeper that has started a program waits, too, the program may wait for it; a time slice
of Linux's scheduler is longer."""


def is_disturbed(run: RunRecord) -> bool:
    """Did others have a processor for a good part of a run's time?"""
    return run.waited_s > max(DISTURBED * run.elapsed_s, _LEAST_S)


def undisturbed(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """The runs, in their order; those that were disturbed have no times where another repetition
    with the same parameters was not."""
    quiet = {_point(r) for r in runs if r.ok and r.repetition >= 0 and not is_disturbed(r)}
    return [
        _without_times(r) if r.ok and is_disturbed(r) and _point(r) in quiet else r for r in runs
    ]


def points_disturbed(runs: Iterable[RunRecord]) -> int:
    """At how many parameter values every repetition was disturbed."""
    points: dict[tuple[tuple[str, int], ...], bool] = {}
    for r in runs:
        if r.ok:
            points[_point(r)] = points.get(_point(r), True) and is_disturbed(r)
    return sum(points.values())


def _point(run: RunRecord) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(run.params.items()))


def _without_times(run: RunRecord) -> RunRecord:
    none = (0.0,) * len(run.seconds)
    return replace(
        run,
        seconds=none,
        ranks=tuple(replace(r, seconds=none) for r in run.ranks),
        calls=tuple(replace(row, seconds=None) for row in run.calls),
    )
