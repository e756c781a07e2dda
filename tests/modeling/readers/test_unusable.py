"""Series that cannot be used, numbers as text, and units: what is good in a file is read."""

from __future__ import annotations

import contextlib
import json
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw.cli.main import main
from looplaw_common.errors import DataError, LooplawWarning
from modeling import Measurements, Series, fit
from modeling.data.units import factor, is_unit, label_of, unit_in, unit_of
from modeling.readers import read_text

SIZES = (16, 32, 64, 128, 256)
NONSENSE = (
    "1e300",
    '"x"',
    "1e999",
    "NaN",
    "null",
    "[]",
    "true",
    '"inf"',
    '""',
    "1" * 400,
    "-1e308",
)


def line(callpath: str, n: object, value: str, more: str = "") -> str:
    return f'{{"params": {{"n": {n}}}, "callpath": "{callpath}", "value": {value}{more}}}\n'


def good(callpath: str = "good") -> str:
    return "".join(line(callpath, n, str(3.0 * n)) for n in SIZES)


def quiet(text: str, suffix: str = "") -> Measurements:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LooplawWarning)
        return read_text(text, "file", suffix)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(NONSENSE),
    st.integers(0, len(SIZES) - 1),
    st.booleans(),
    st.sampled_from(("value", "point")),
)
def test_one_bad_series_does_not_abort_the_good_ones(
    wrong: str, where: int, first: bool, what: str
) -> None:
    bad = "".join(
        line("bad", wrong, "1")
        if k == where and what == "point"
        else line("bad", n, wrong if k == where and what == "value" else str(n))
        for k, n in enumerate(SIZES)
    )
    found = quiet(bad + good() if first else good() + bad)
    assert [s.callpath for s in found.series] == ["good"]
    assert len(found.left_out) == 1
    alone = read_text(good(), "file")
    assert fit(Measurements(found.series)).find("good", "time") is not None
    assert next(s for s in found.series if s.callpath == "good").means.tolist() == (
        alone.series[0].means.tolist()
    )


def test_what_is_left_out_is_said_and_strict_refuses_it() -> None:
    text = good() + line("bad", 16, '"x"')
    with pytest.warns(LooplawWarning, match='file:6: value is "x", not a number; the series is'):
        read_text(text, "file")
    with pytest.raises(DataError, match='file:6: value is "x"'):
        read_text(text, "file", strict=True)
    with pytest.raises(DataError, match='file:1: value is "x"'):
        read_text(line("bad", 16, '"x"'), "file")


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("callpath,n,value\n" + "".join(f"good,{n},{n}\nbad,{n},what\n" for n in SIZES), ".csv"),
        (
            json.dumps(
                {
                    "parameters": ["n"],
                    "measurements": {
                        name: {"time": [{"point": [n], "values": [v]} for n, v in zip(SIZES, of)]}
                        for name, of in (("good", SIZES), ("bad", [1, 2, "x", 4, 5]))
                    },
                }
            ),
            ".json",
        ),
        (
            "PARAMETER n\nPOINTS 1 2 3\nREGION good\nDATA 1\nDATA 2\nDATA 3\n"
            "REGION bad\nDATA 1\nDATA 1e300\nDATA 3\n",
            ".txt",
        ),
        (
            json.dumps(
                {
                    "benchmarks": [
                        {"name": f"{name}/{n}", "real_time": v, "time_unit": "ns"}
                        for n in SIZES
                        for name, v in (("good", n), ("bad", "x"))
                    ]
                }
            ),
            ".json",
        ),
    ],
    ids=["csv", "extrap", "text", "google"],
)
def test_in_every_format(text: str, suffix: str) -> None:
    found = quiet(text, suffix)
    assert [s.callpath for s in found.series] == ["good"]
    assert len(found.left_out) == 1


def test_numbers_as_text_are_numbers() -> None:
    text = "".join(line("f", f'"{n}"', f'"{3.0 * n}"') for n in SIZES)
    (series,) = read_text(text, "file").series
    assert series.points.ravel().tolist() == list(SIZES)
    assert series.means.tolist() == [3.0 * n for n in SIZES]


@pytest.mark.parametrize(
    ("header", "unit", "metric"),
    [
        ("n,seconds", "s", "time"),
        ("n,milliseconds", "ms", "time"),
        ("n,ns", "ns", "time"),
        ("n,time_us", "us", "time_us"),
        ("n,elapsed (ms)", "ms", "elapsed (ms)"),
        ("n,metric:traffic [bytes]", "bytes", "traffic [bytes]"),
        ("n,time", "", "time"),
        ("n,value", "", "time"),
    ],
)
def test_headers_name_units(header: str, unit: str, metric: str) -> None:
    (series,) = read_text(
        "\n".join([header, *(f"{n},{2 * n}" for n in SIZES)]), "file.csv", ".csv"
    ).series
    assert (series.unit, series.metric) == (unit, metric)
    assert series.means.tolist() == [2.0 * n for n in SIZES]


def test_a_column_of_units() -> None:
    rows = [f"{n},{2 * n},us" if n < 100 else f"{n},{2e-3 * n},ms" for n in SIZES]
    (series,) = read_text("\n".join(["n,value,unit", *rows]), "file.csv", ".csv").series
    assert series.unit == "us"
    assert series.means.tolist() == pytest.approx([2.0 * n for n in SIZES])


_TIMES = ("ns", "us", "ms", "s", "min", "h")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(_TIMES), min_size=len(SIZES), max_size=len(SIZES)))
def test_a_metric_has_one_unit(units: list[str]) -> None:
    text = "".join(
        line("f", n, repr(n * factor("s", unit, "")), f', "unit": "{unit}"')
        for n, unit in zip(SIZES, units, strict=True)
    )
    (series,) = read_text(text, "file").series
    assert series.unit == units[0]
    assert series.means.tolist() == pytest.approx([n * factor("s", units[0], "") for n in SIZES])


def test_units_of_two_kinds_do_not_mix() -> None:
    text = good() + line("f", 16, "1", ', "unit": "ms"') + line("f", 32, "1", ', "unit": "bytes"')
    found = quiet(text)
    assert [s.callpath for s in found.series] == ["good"]
    assert "some values are in ms, others in bytes" in found.left_out[0]


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=50))
def test_any_text_may_be_a_unit(text: str) -> None:
    assert unit_of(unit_of(text)) == unit_of(text)
    assert not unit_in(text) or is_unit(unit_in(text))
    assert text in label_of(text, "ms")


def test_the_unit_reaches_the_last_label(tmp_path: Path) -> None:
    runner = CliRunner()
    with contextlib.chdir(tmp_path):
        with open("times.csv", "w") as file:
            file.write("n,milliseconds\n" + "".join(f"{n},{2 * n * n}\n" for n in SIZES))
        models = runner.invoke(main, ["fit", "times.csv", "--json", "m.json", "--html", "r.html"])
        assert "time [ms]" in models.stdout
        with open("m.json") as file:
            assert json.load(file)["models"][0]["unit"] == "ms"
        assert '"metric":"time [ms]"' in Path("r.html").read_text()
        shown = runner.invoke(main, ["predict", "m.json", "--at", "n=512"])
        assert "time [ms]" in shown.stdout


def test_fit_reports_what_it_leaves_out(tmp_path: Path) -> None:
    runner = CliRunner()
    with contextlib.chdir(tmp_path):
        with open("m.jsonl", "w") as file:
            file.write(good() + line("bad", 16, "1e300") + line("bad", 32, "1"))
        found = runner.invoke(main, ["fit", "m.jsonl"])
        assert found.exit_code == 0
        assert "bad, time: values of 1e+300 cannot be squared" in found.stderr
        assert "good" in found.stdout
        assert runner.invoke(main, ["fit", "m.jsonl", "--strict"]).exit_code == 3


def test_a_series_with_too_many_parameters_is_left_out(tmp_path: Path) -> None:
    many = "".join(
        json.dumps({"params": {f"p{j}": k + j for j in range(12)}, "callpath": "m", "value": k})
        + "\n"
        for k in range(1, 15)
    )
    runner = CliRunner()
    with contextlib.chdir(tmp_path):
        with open("m.jsonl", "w") as file:
            file.write(good() + many)
        found = runner.invoke(main, ["fit", "m.jsonl"])
        assert found.exit_code == 0
        assert "12 parameters vary" in found.stderr


def test_a_series_keeps_its_unit() -> None:
    series = Series.from_values("f", "time", ["n"], [[n] for n in SIZES], [1.0 * n for n in SIZES])
    assert series.unit == ""
    assert fit(Measurements((series,))).models[0].to_json()["unit"] is None
