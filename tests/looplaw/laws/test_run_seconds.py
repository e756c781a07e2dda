"""Runs that several shared are told by what passes until they end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from looplaw.documents.study import RunDocument, StudyDocument, SweptParameter
from looplaw.laws.forecast import forecast
from looplaw.laws.run_seconds import CPU_TIME, ELAPSED_TIME, clock_of, seconds_of
from tests.looplaw.laws.test_forecast import study


def _with(parameter: SweptParameter) -> StudyDocument:
    plain = study()
    return replace(plain, parameters=(*plain.parameters, parameter))


@pytest.mark.parametrize(
    ("name", "origin", "values", "clock"),
    [
        ("threads", "omp:threads", (2,), ELAPSED_TIME),
        ("p", "mpi:size", (1, 4), ELAPSED_TIME),
        ("threads", "omp:threads", (1,), CPU_TIME),
        ("nodes", "argv[2]", (100, 200), CPU_TIME),
        ("p", "argv[2]", (300,), CPU_TIME),
    ],
)
def test_the_clock_follows_from_who_shares_the_work(
    name: str, origin: str, values: tuple[int, ...], clock: str
) -> None:
    assert clock_of(_with(SweptParameter(name, origin, values))) == clock


def test_seconds_and_forecasts_are_of_one_clock() -> None:
    found = _with(SweptParameter("threads", "omp:threads", (2,)))
    run = RunDocument({"n": 1, "threads": 2}, 0, "ok", 0, elapsed_s=1.0, cpu_s=1.9)
    assert seconds_of(run, clock_of(found)) == 1.0
    assert seconds_of(run, clock_of(study())) == 1.9
    assert forecast(found, {"n": 512.0}).to_json()["clock"] == "elapsed time"
    assert forecast(study(), {"n": 512.0}).to_json()["clock"] == "CPU time"


def test_runs_on_several_processors_show_it() -> None:
    plain = study()
    shared = replace(plain, runs=tuple(replace(r, cpu_s=1.9, elapsed_s=1.0) for r in plain.runs))
    assert clock_of(shared) == ELAPSED_TIME
    half = [replace(r, cpu_s=1.0 + 0.9 * (k % 2), elapsed_s=1.0) for k, r in enumerate(plain.runs)]
    assert clock_of(replace(plain, runs=tuple(half))) == ELAPSED_TIME  # one thread, two threads
    alone = replace(plain, runs=tuple(replace(r, cpu_s=1.0, elapsed_s=1.0) for r in plain.runs))
    assert clock_of(alone) == CPU_TIME
