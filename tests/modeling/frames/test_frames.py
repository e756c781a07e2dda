"""Tables of pandas and arrays of xarray, in and out, and predictions as what they are asked
with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from modeling import DataError, InputError, Measurements, Series, fit
from tests.lazily import Package, needs

pandas, xarray = Package("pandas"), Package("xarray")
pytestmark = needs("pandas", "xarray")

N, P = [4.0, 8.0, 16.0, 32.0, 64.0], [1.0, 2.0, 4.0, 8.0]


def grid(repetitions: int = 2) -> Measurements:
    points = [(n, p) for n in N for p in P]
    factor = np.linspace(1, 1.02, repetitions)
    return Measurements(
        tuple(
            Series.from_values(
                c, "time", ("n", "p"), points, [f * n * n / p * factor for n, p in points]
            )
            for c, f in (("main", 1.0), ("main->f", 0.5))
        )
    )


def assert_same(found: Measurements, expected: Measurements) -> None:
    by_name = {(s.callpath, s.metric): s for s in found.series}
    assert by_name.keys() == {(s.callpath, s.metric) for s in expected.series}
    for s in expected.series:
        other = by_name[s.callpath, s.metric]
        assert other.parameters == s.parameters
        for name in ("points", "counts", "means", "squares"):
            assert getattr(other, name) == pytest.approx(getattr(s, name)), name


@pytest.mark.parametrize("repetitions", [1, 3])
def test_there_and_back(repetitions: int) -> None:
    data = grid(repetitions)
    assert_same(Measurements.from_pandas(data.to_pandas()), data)
    assert_same(Measurements.from_xarray(data.to_xarray()), data)


def test_a_tidy_table_is_what_the_csv_reader_reads() -> None:
    rows = [(c, n, r, n * (r + 1.0)) for c in ("a", "b") for n in (1, 2, 4) for r in range(3)]
    frame = pandas.DataFrame(rows, columns=["kernel", "n", "repetition", "value"])
    found = Measurements.from_pandas(frame)
    assert [(s.callpath, s.metric, s.parameters) for s in found.series] == [
        ("a", "time", ("n",)),
        ("b", "time", ("n",)),
    ]
    assert found.series[0].means.tolist() == [2, 4, 8]
    assert found.series[0].squares.tolist() == pytest.approx([2, 8, 32])
    assert found.series[0].counts.tolist() == [3, 3, 3]


def test_an_array_with_repetitions() -> None:
    values = np.arange(24.0).reshape(3, 2, 4)
    values[0, 1, 2] = np.nan
    array = xarray.DataArray(
        values, dims=("n", "kernel", "repetition"), coords={"n": [1, 2, 4], "kernel": ["a", "b"]}
    )
    found = {s.callpath: s for s in Measurements.from_xarray(array).series}
    assert found["b"].counts.tolist() == [3, 4, 4]
    assert found["b"].means.tolist() == [(4 + 5 + 7) / 3, 13.5, 21.5]
    several = xarray.Dataset({"time": array, "flops": 2 * array})
    assert {(s.callpath, s.metric) for s in Measurements.from_xarray(several).series} == {
        (c, m) for c in "ab" for m in ("time", "flops")
    }


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ({"n": [1, 2]}, InputError, "no column value"),
        ({"n": ["a", "b"], "value": [1, 2]}, InputError, "the column n is not numbers"),
        ({"n": [1, 2], "value": [1, np.nan]}, DataError, "row 1: its value is nan"),
        ({"n": [1, np.inf], "value": [1, 2]}, DataError, "the column n has infinite"),
        ({"n": [1, np.nan], "value": [1, 2]}, DataError, "no value of the parameter n"),
        ({"n": [], "value": []}, DataError, "no rows"),
        ({"n": [1], "mean": [1], "count": [0]}, DataError, "count is missing"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(
    rows: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Measurements.from_pandas(pandas.DataFrame(rows))


def test_what_no_array_can_hold_is_refused() -> None:
    one, other = (Series.from_values(c, "t", (p,), [[1]], [1]) for c, p in (("a", "n"), ("b", "m")))
    with pytest.raises(DataError, match="different parameters"):
        Measurements((one, other)).to_xarray()
    random = np.random.default_rng(1).random((400, 3))
    with pytest.raises(DataError, match="use to_pandas"):
        Measurements((Series.from_values("a", "t", "abc", random, random[:, 0]),)).to_xarray()
    with pytest.raises(InputError, match="dimension n has no coordinates"):
        Measurements.from_xarray(xarray.DataArray([1.0, 2.0], dims=("n",)))


def test_predictions_are_what_they_are_asked_with() -> None:
    model = fit(grid(1)).models[0]
    assert str(model.lead) == "n**2*p**(-1)"
    array = model.predict([[100, 4], [200, 5]])
    assert isinstance(array, np.ndarray)
    assert array == pytest.approx([2500, 8000])
    assert model.predict(np.ones((3, 2, 2))).shape == (3, 2)
    frame = pandas.DataFrame({"p": [4, 5], "x": ["a", "b"], "n": [100, 200]}, index=["u", "v"])
    rows = model.predict(frame)
    assert isinstance(rows, pandas.Series)
    assert (rows.name, rows.to_dict()) == (
        "time",
        {"u": pytest.approx(2500), "v": pytest.approx(8000)},
    )
    n = xarray.DataArray([100.0, 200.0, 400.0], dims="n", coords={"n": [100, 200, 400]})
    p = xarray.DataArray([1.0, 2.0], dims="p", coords={"p": [1, 2]})
    for at in ({"n": n, "p": p}, xarray.Dataset(coords={"n": n, "p": p})):
        found = model.predict(at)
        assert isinstance(found, xarray.DataArray)
        assert found.dims == ("n", "p")
        assert found.to_numpy() == pytest.approx(np.array([[1e4, 5e3], [4e4, 2e4], [16e4, 8e4]]))
        assert float(found.sel(n=200, p=2)) == pytest.approx(2e4)
    assert model.predict({"n": [[100.0], [200.0]], "p": [1.0, 2.0]}).value == pytest.approx(
        np.array([[1e4, 5e3], [4e4, 2e4]])
    )
    assert float(model(n=100, p=4)) == pytest.approx(2500)
    for wrong in ([[1, 2, 3]], frame[["p"]], {"n": 3.0}):
        with pytest.raises(DataError):
            model.predict(wrong)


def test_constants_have_the_shape_of_the_question() -> None:
    model = fit(
        Measurements((Series.from_values("f", "visits", ("n",), [[n] for n in N], [7.0] * 5),))
    ).models[0]
    assert model.predict([1.0, 2.0, 3.0]) == pytest.approx([7, 7, 7])
    assert model.predict(pandas.DataFrame({"n": [1, 2]})).tolist() == pytest.approx([7, 7])
    assert model.predict(
        xarray.DataArray([0, 0], dims="n", coords={"n": [1, 2]})
    ).to_numpy() == pytest.approx([7, 7])


def test_models_are_a_table() -> None:
    table = fit(grid()).to_pandas()
    assert table.set_index("callpath").lead.to_dict() == {
        "main": "n**2*p**(-1)",
        "main->f": "n**2*p**(-1)",
    }
    assert set(table.columns) >= {"formula", "smape", "identifiable"}
