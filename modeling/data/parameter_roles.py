"""What parameters are, told by the names that Benchpark gives them, and which way a program was
scaled.

In strong scaling the whole problem stays what it is while resources are added, in weak scaling each
resource's share does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from looplaw_common.errors import InputError

from .measurements import Measurements, Series

RESOURCES, TOTAL, EACH = "n_resources", "total_problem_size", "process_problem_size"
"""Number of processes; size of the whole problem; size of each process's share."""
_USUAL = (RESOURCES, "p")
Scaling = Literal["strong", "weak"]


def processes_of(series: Series, given: str | None = None) -> str:
    """The parameter that is the number of processes: the one given, else n_resources, else p.

    Raises:
        InputError: there is none.
    """
    found = next((n for n in ((given,) if given else _USUAL) if n in series.parameters), None)
    if found is None:
        raise InputError(
            f"{series.callpath}: no parameter {given or ' or '.join(_USUAL)} that is the number of"
            f" processes; there are {', '.join(series.parameters) or 'none'}"
        )
    return found


def scaling_of(series: Series) -> Scaling | None:
    """Which way the program was scaled, told by the sizes that have a role; where both have one, by
    which was kept at fewer values. None where no size has a role or both changed alike."""
    values = {
        n: len(np.unique(series.points[:, series.parameters.index(n)]))
        for n in (TOTAL, EACH)
        if n in series.parameters
    }
    total, each = (
        values.get(TOTAL, len(series.points) + 1),
        values.get(EACH, len(series.points) + 1),
    )
    return None if total == each else "strong" if total < each else "weak"


def dependent_size(series: Series) -> str | None:
    """The size that follows from the other one and the number of processes at every point, if there
    is one: the share in strong, the whole in weak scaling."""
    if not {RESOURCES, TOTAL, EACH} <= set(series.parameters):
        return None
    processes, total, each = (
        series.points[:, series.parameters.index(n)] for n in (RESOURCES, TOTAL, EACH)
    )
    if not np.allclose(total, processes * each, rtol=1e-6):
        return None
    return TOTAL if scaling_of(series) == "weak" else EACH


def independent(measurements: Measurements) -> Measurements:
    """Without sizes that follow from the other parameters: they would never be told apart from
    these."""
    return Measurements(tuple(map(_independent, measurements.series)))


def _independent(series: Series) -> Series:
    dropped = dependent_size(series)
    if dropped is None:
        return series
    kept = [k for k, n in enumerate(series.parameters) if n != dropped]
    order = np.lexsort(series.points[:, kept[::-1]].T)
    ordered = series.part(order)
    return replace(
        ordered,
        parameters=tuple(series.parameters[k] for k in kept),
        points=ordered.points[:, kept],
    )
