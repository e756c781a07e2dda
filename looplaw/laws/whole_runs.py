"""The runs of a study as one series: what was measured of the whole program, and what its models
say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from modeling import DataError, Measurements, Model, Series, fit
from modeling.data.parameter_roles import is_concurrency

from ..documents.study import StudyDocument, StudyLoop, TimesDocument
from .run_seconds import ELAPSED_TIME, clock_of, seconds_of
from .time_prediction import predict_time, rest_model

Floats = NDArray[np.float64]
Foretold = Callable[[Mapping[str, Floats | float]], tuple[Floats, Floats, Floats]]
"""Values of the parameters -> what is foretold there, and both ends of its interval."""
_STEPS = 24
"""Points at which a run is foretold; between them lie straight lines in logarithms."""
_ELAPSED, _CPU = "time", "CPU time [s]"


def whole_run(study: StudyDocument) -> tuple[StudyLoop, Foretold | None]:
    """The program of a study as a kernel of its own, and what is foretold of it: where workers were
    varied, a model of its time, else the sum of all kernels.

    Raises:
        DataError: no run succeeded.
    """
    parallel = any(is_concurrency(p.name) and len(set(p.values)) > 1 for p in study.parameters)
    clock = clock_of(study)
    found: dict[tuple[tuple[str, int | float], ...], list[float]] = {}
    for run in study.runs:
        seconds = seconds_of(run, clock)
        if seconds is not None:
            found.setdefault(tuple(run.params.items()), []).append(seconds)
    if not found:
        raise DataError("the study has no run that succeeded and was timed")
    times = tuple(TimesDocument(dict(at), tuple(values)) for at, values in found.items())
    name = f"{study.title or 'the program'}: whole run"
    metric = _ELAPSED if clock == ELAPSED_TIME else _CPU
    loop = StudyLoop(name, time=times, metric=metric)
    return loop, _fitted(times) if parallel else _summed(study)


def _fitted(times: tuple[TimesDocument, ...]) -> Foretold | None:
    """A model of the times themselves."""
    names = tuple(times[0].params)
    points = [[float(row.params[n]) for n in names] for row in times for _ in row.values]
    values = [v for row in times for v in row.values]
    series = Series.from_values("whole run", "time", names, points, values)
    models = fit(Measurements((series,))).models
    model: Model | None = models[0] if models else None
    return None if model is None else lambda at: (model.evaluate(at), *model.interval(at))


def _summed(study: StudyDocument) -> Foretold | None:
    """What the models of all kernels say together; None where there is no model."""
    try:
        rest = rest_model(study)
    except DataError:
        return None

    def foretold(at: Mapping[str, Floats | float]) -> tuple[Floats, Floats, Floats]:
        name, xs = next((n, np.asarray(v)) for n, v in at.items() if np.ndim(v))
        some = (
            np.geomspace(xs[0], xs[-1], _STEPS) if xs[0] > 0 else np.linspace(xs[0], xs[-1], _STEPS)
        )
        fixed = {n: float(v) for n, v in at.items() if not np.ndim(v)}
        runs = [predict_time(study, {**fixed, name: float(x)}, rest=rest) for x in some]
        middle, low, high = (
            np.interp(xs, some, [getattr(run, part) for run in runs])
            for part in ("seconds", "low", "high")
        )
        return middle, low, high

    return foretold
