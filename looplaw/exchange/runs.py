"""Finished runs as observations: iterations of every loop and times of every kernel for each rank,
and the events of the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from modeling import DataError
from modeling.data.observations import Observation
from runtime import CounterPlace, RunRecord, Store

from .calls import call_observations


def observations_of(record: RunRecord, counters: Sequence[CounterPlace]) -> Iterator[Observation]:
    """The observations of a run, its recorded calls last; none if the run failed or was a warm-up.
    Copies of a source loop are added up."""
    if not record.ok or record.repetition < 0 or len(record.iterations) != len(counters):
        return
    ids: dict[str, list[int]] = {}
    for k, c in enumerate(counters):
        ids.setdefault(c.at, []).append(k)
    for metric, value in record.events.items():
        yield Observation(record.params, "main", metric, value, repetition=record.repetition)
    for process in record.of_ranks():
        for at, known in ids.items():
            iterations = process.iterations_of(known)
            values: list[tuple[str, int | float]] = (
                [] if iterations is None else [("iterations", iterations)]
            )
            seconds = sum(process.seconds[k] for k in known if counters[k].timed)
            if seconds > 0:
                values.append(("time", seconds))
            for metric, value in values:
                yield Observation(
                    record.params,
                    at,
                    metric,
                    value,
                    rank=process.rank,
                    repetition=record.repetition,
                )
    yield from call_observations(record.calls, counters, record.params, record.repetition)


def study_observations(folder: Path) -> tuple[tuple[Observation, ...], int]:
    """(all observations of the program that was run last in a study's directory, number of runs of
    other programs).

    Raises:
        DataError: there are no runs, or none with the names of its counters.
    """
    store = Store(folder, make=False)
    runs = [r for r in store.load().values() if r.ok]
    named = [r for r in runs if r.program in store.programs]
    if not named:
        raise DataError(
            f"{folder}: no finished runs here"
            if not runs
            else (
                f"{folder}: its runs are of a version that did not keep the names of loops; run the"
                " study again"
            )
        )
    last = max(named, key=lambda r: r.started).program
    used = sorted(
        (r for r in named if r.program == last),
        key=lambda r: (sorted(r.params.items()), r.repetition),
    )
    counters = store.programs[last]
    found = tuple(o for r in used for o in observations_of(r, counters))
    return found, len(runs) - len(used)
