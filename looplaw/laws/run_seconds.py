"""Which seconds of a run count: those of its processor, or those that pass until it ends."""

from __future__ import annotations

from typing import Final

from modeling.data.parameter_roles import is_concurrency

from ..documents.study import RunDocument, StudyDocument

CPU_TIME: Final = "CPU time"
ELAPSED_TIME: Final = "elapsed time"
_WORKERS = ("mpi:size", "omp:threads")


def clock_of(study: StudyDocument) -> str:
    """Elapsed time where several processes or threads shared the work of a run, else CPU time,
    which other programs change less."""
    is_shared = any(
        max(p.values, default=1) > 1
        and (p.origin in _WORKERS or (is_concurrency(p.name) and len(set(p.values)) > 1))
        for p in study.parameters
    )
    return ELAPSED_TIME if is_shared else CPU_TIME


def seconds_of(study: StudyDocument, run: RunDocument) -> float | None:
    """The seconds of a run; None where it failed or was not timed."""
    if run.status != "ok":
        return None
    return run.elapsed_s if clock_of(study) == ELAPSED_TIME else run.cpu_s
