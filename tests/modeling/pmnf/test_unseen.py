"""Laws of time may end beyond the data with no point that tells of it; those of counts do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from modeling import Measurements, Model, Models, Series, fit
from modeling.settings import INTERVAL

X = 2.0 ** np.arange(4, 10)


def _series(metric: str, unit: str) -> Series:
    noise = 1 + 0.01 * np.random.default_rng(3).standard_normal((len(X), 5))
    values = (5 + 2 * X)[:, None] * noise
    return replace(Series.from_values("f", metric, ["n"], X[:, None], values), unit=unit)


def _model(metric: str, unit: str) -> Model:
    return fit(Measurements((_series(metric, unit),))).models[0]


def _spread(model: Model, n: float) -> float:
    low, high = model.interval({"n": n})
    return float(np.log(high / low))


def test_sure_fades_with_the_distance_for_times() -> None:
    time, count = _model("time", "ms"), _model("visits", "")
    top = float(X[-1])
    assert _spread(time, top) == pytest.approx(_spread(count, top))
    assert _spread(time, top) < _spread(time, 4 * top) < _spread(time, 16 * top)
    said = [str(time.certainty_at({"n": top * f})) for f in (1.0, 4.0, 16.0)]
    assert said == ["sure", "rough", "open"]
    assert str(count.certainty_at({"n": 4 * top})) == "sure"
    assert (time.certainty, count.certainty) == ("rough", "sure")


def test_the_points_determine_the_law_of_a_time_as_before() -> None:
    time, count = _model("time", "s"), _model("visits", "")
    assert time.identifiable
    assert time.reason is None
    assert (time.constant, time.terms) == (count.constant, count.terms)


def test_the_interval_holds_the_end_of_a_law_as_often_as_it_comes() -> None:
    """Against a simulation of what the settings say."""
    model, factor = _model("time", "s"), 8.0
    at = {"n": factor * float(X[-1])}
    low, high = (float(end) for end in model.interval(at))
    generator = np.random.default_rng(1)
    logs = np.log(float(model.evaluate(at))) + 0.01 * generator.standard_normal(100_000)
    ended = generator.random(len(logs)) < 1 - np.exp(-INTERVAL.unseen_rate * np.log2(factor))
    shift = INTERVAL.unseen_shift + INTERVAL.unseen_spread * generator.standard_normal(len(logs))
    logs = logs + ended * shift
    assert np.mean((logs >= np.log(low)) & (logs <= np.log(high))) == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize("metric", ["time", "wall_time", "total runtime", "time_per_call"])
def test_a_time_without_a_unit_is_one_by_its_name(metric: str) -> None:
    plain, known = _model(metric, ""), _model("time", "s")
    at = {"n": 8.0 * float(X[-1])}
    assert plain.interval(at) == pytest.approx(known.interval(at))
    assert plain.certainty == known.certainty == "rough"
    assert _model("times_called", "").certainty == "sure"


def test_models_in_bulk_and_from_files_say_the_same() -> None:
    models = fit(Measurements((_series("time", "s"), _series("visits", ""))))
    at = {"n": 8.0 * float(X[-1])}
    each = [m.interval(at) for m in models.models]
    low, high = models.interval(at)
    assert np.allclose(low, [e[0] for e in each])
    assert np.allclose(high, [e[1] for e in each])
    again = Models.from_json(models.to_json())
    assert np.allclose([m.interval(at) for m in again.models], each)
