"""Roles of parameters, recognised by the names that Benchpark gives them: the number of processes,
problem sizes, and with them strong or weak scaling.

Strong scaling keeps the size of the whole problem while processes are added; weak scaling keeps the
share of each process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from looplaw_common.errors import InputError

RESOURCES, TOTAL, EACH = "n_resources", "total_problem_size", "process_problem_size"
"""Number of processes; size of the whole problem; size of each process's share."""
_USUAL = (
    *(RESOURCES, "p", "processes", "procs", "nprocs", "num_procs", "ranks", "np"),
    *("workers", "cores", "threads", "num_threads", "nodes"),
)
Scaling = Literal["strong", "weak"]


class Measured(Protocol):
    """What the functions here look at in a series: its parameters (m) and points (P, m)."""

    @property
    def callpath(self) -> str: ...
    @property
    def parameters(self) -> tuple[str, ...]: ...
    @property
    def points(self) -> NDArray[np.float64]: ...


_CONCURRENCY = frozenset(
    (*_USUAL, "n_procs", "n_threads", "thread_count", "omp_threads", "gpus", "clients", "users")
    + ("concurrency", "connections", "workers")
)


def is_concurrency(name: str) -> bool:
    """Is a parameter a number of workers, by its name?"""
    return name.lower() in _CONCURRENCY


def processes_of(series: Measured, given: str | None = None) -> str:
    """The parameter that is the number of processes: the given one, else n_resources, else p.

    Raises:
        InputError: there is none.
    """
    found = next((n for n in ((given,) if given else _USUAL) if n in series.parameters), None)
    if found is None:
        raise InputError(
            f"{series.callpath}: no parameter {given or ' or '.join(_USUAL[:2])} that is the number"
            f" of processes; there are {', '.join(series.parameters) or 'none'}"
        )
    return found


def scaling_of(series: Measured) -> Scaling | None:
    """Which way the program was scaled, as the problem sizes tell; None where no size has a role or
    both changed alike.

    Where both sizes are parameters, the one with fewer distinct values was held constant.
    """
    return _scaling(series.parameters, series.points)


def _scaling(parameters: Sequence[str], points: NDArray[np.float64]) -> Scaling | None:
    values = {
        n: len(np.unique(points[:, parameters.index(n)])) for n in (TOTAL, EACH) if n in parameters
    }
    most = len(points) + 1  # of a size that is no parameter
    total, each = values.get(TOTAL, most), values.get(EACH, most)
    return None if total == each else "strong" if total < each else "weak"


def dependent_size(parameters: Sequence[str], points: NDArray[np.float64]) -> str | None:
    """The problem size that follows from the other size and the number of processes at every point
    (P, m), if there is one: the share of a process in strong scaling, the whole in weak scaling."""
    if not {RESOURCES, TOTAL, EACH} <= set(parameters):
        return None
    processes, total, each = (points[:, parameters.index(n)] for n in (RESOURCES, TOTAL, EACH))
    if not np.allclose(total, processes * each, rtol=1e-6):
        return None
    return TOTAL if _scaling(parameters, points) == "weak" else EACH
