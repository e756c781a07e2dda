"""The picture in a terminal: points, axes, and nothing where there is nothing to draw."""

from __future__ import annotations

from looplaw.report.braille import picture
from modeling import Measurements, fit
from modeling.data.measurements import Series


def test_points_and_the_ends_of_the_axes_are_drawn() -> None:
    series = Series.from_values(
        "f", "time_ms", ("n",), [[2.0**k] for k in range(3, 9)], [4.0**k for k in range(3, 9)]
    )
    (model,) = fit(Measurements((series,))).models
    lines = picture(series, model, width=40, height=8).split("\n")
    assert lines[0] == "f, time_ms: quadratic"
    assert lines[-1].split("\u2514")[1].startswith("8 ")
    assert lines[-1].endswith("1024")
    assert sum(line.count("\u25cf") for line in lines) == 6
    assert {len(line) for line in lines[1:-1]} == {len(lines[1])}


def test_one_point_is_no_picture() -> None:
    series = Series.from_values("f", "time", ("n",), [[8.0]], [1.0])
    (model,) = fit(Measurements((series,))).models
    assert picture(series, model) == ""
