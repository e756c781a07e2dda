"""Recorded calls of kernels, grouped by the values of their arguments, as observations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from modeling.data.observations import Observation
from runtime import CHANGED, UNSET, CallRow, CounterPlace

PER_CALL = ("iterations_per_call", "time_per_call")
"""The metrics of calls: means over the calls of a group."""


def call_observations(
    rows: Sequence[CallRow],
    counters: Sequence[CounterPlace],
    params: Mapping[str, int],
    repetition: int | None = None,
) -> Iterator[Observation]:
    """The means over the calls of every kernel and combination of values.

    Calls in which a value was never set, or changed, are left out, since no formula is evaluated
    at such values. Copies of a source loop are observed separately.

    Args:
        params: the parameters of the run; a kernel takes those that can influence it.
    """
    for row in rows:
        if any(v in (UNSET, CHANGED) for v in row.values.values()):
            continue
        kept = counters[row.kernel].parameters
        own = {n: v for n, v in params.items() if kept is None or n in kept} | dict(row.values)
        for k, n in row.iterations.items():
            whole = n // row.calls if n % row.calls == 0 else n / row.calls
            yield Observation(own, counters[k].at, PER_CALL[0], whole, repetition=repetition)
        if row.seconds is not None:
            yield Observation(
                own, counters[row.kernel].at, PER_CALL[1], row.seconds, repetition=repetition
            )
