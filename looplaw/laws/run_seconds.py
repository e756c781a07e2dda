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
_PART = 0.25


def clock_of(study: StudyDocument) -> str:
    """Elapsed time where several processes or threads shared the work of runs, as parameters or the
    runs say; else CPU time, which other programs change less."""
    workers = (p.values for p in study.parameters if p.origin in _WORKERS)
    if any(max(values, default=1) > 1 for values in workers):
        return ELAPSED_TIME
    timed = ((r.cpu_s, r.elapsed_s) for r in study.runs if r.cpu_s and r.elapsed_s)
    return ELAPSED_TIME if are_shared(timed) else CPU_TIME


def are_shared(timed: Iterable[tuple[float, float]]) -> bool:
    """Was more than one processor at work in a good part of the runs that are long enough to tell,
    as not all are on several threads where their number varies? timed: CPU seconds, elapsed ones.
    """
    told = [cpu > _AT_ONCE * elapsed for cpu, elapsed in timed if elapsed >= _LONG_S]
    return any(told) and sum(told) >= _PART * len(told)


def seconds_of(run: RunDocument, clock: str) -> float | None:
    """The seconds of a run by the clock of its study; None where it failed or was not timed."""
    if run.status != "ok":
        return None
    return run.elapsed_s if clock == ELAPSED_TIME else run.cpu_s
