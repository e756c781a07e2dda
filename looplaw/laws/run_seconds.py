"""Which seconds of a run count: those of its processor, or those that pass until it ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..documents.study import RunDocument, StudyDocument

CPU_TIME: Final = "CPU time"
ELAPSED_TIME: Final = "elapsed time"
_WORKERS = ("mpi:size", "omp:threads")
_AT_ONCE, _LONG_S = 1.15, 0.05
"""Times as much CPU time as passes meanwhile, in runs of this length: more than one processor was
at work."""


def clock_of(study: StudyDocument) -> str:
    """Elapsed time where several processes or threads shared the work of runs, as parameters say or
    most of the runs show; else CPU time, which other programs change less."""
    workers = (p.values for p in study.parameters if p.origin in _WORKERS)
    if any(max(values, default=1) > 1 for values in workers):
        return ELAPSED_TIME
    timed = ((r.cpu_s, r.elapsed_s) for r in study.runs if r.cpu_s and r.elapsed_s)
    return ELAPSED_TIME if are_shared(timed) else CPU_TIME


def are_shared(timed: Iterable[tuple[float, float]]) -> bool:
    """Was more than one processor at work in most of the runs that are long enough to tell, of
    which these are the CPU seconds and the elapsed ones?"""
    told = [cpu > _AT_ONCE * elapsed for cpu, elapsed in timed if elapsed >= _LONG_S]
    return 2 * sum(told) > len(told)


def seconds_of(study: StudyDocument, run: RunDocument) -> float | None:
    """The seconds of a run; None where it failed or was not timed."""
    if run.status != "ok":
        return None
    return run.elapsed_s if clock_of(study) == ELAPSED_TIME else run.cpu_s
