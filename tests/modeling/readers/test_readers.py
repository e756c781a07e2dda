"""Every reader gives the series that its format states, and names the place of what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from modeling import DataError, InputError, Measurements, fit, read
from modeling.readers import read_text
from modeling.readers.run_names import parameters_of

TEXT = """# comment
PARAMETER n
PARAMETER p
POINTS (4 1) (8 1) (16 2)
METRIC time
REGION main->solve
DATA 1 1.5
DATA 2
DATA 4 4
"""
NESTED = {
    "parameters": ["n", "p"],
    "measurements": {
        "main->solve": {
            "time": [
                {"point": [4, 1], "values": [1, 1.5]},
                {"point": [8, 1], "values": [2]},
                {"point": [16, 2], "values": [4, 4]},
            ]
        }
    },
}
NUMBERED = {
    "parameters": [{"id": 1, "name": "n"}, {"id": 2, "name": "p"}],
    "callpaths": [{"id": 7, "name": "main->solve"}],
    "metrics": [{"id": 3, "name": "time"}],
    "coordinates": [
        {
            "id": k,
            "parameter_value_pairs": [
                {"parameter_id": 1, "parameter_value": str(n)},
                {"parameter_id": 2, "parameter_value": str(p)},
            ],
        }
        for k, (n, p) in enumerate(((4, 1), (8, 1), (16, 2)))
    ],
    "measurements": [
        {"callpath_id": 7, "metric_id": 3, "coordinate_id": k, "value": v}
        for k, v in ((0, 1), (0, 1.5), (1, 2), (2, 4), (2, 4))
    ],
}
LINES = "".join(
    json.dumps(
        {"params": {"n": n, "p": p}, "callpath": "main->solve", "metric": "time", "value": v}
    )
    + "\n"
    for n, p, v in ((4, 1, 1), (4, 1, 1.5), (8, 1, 2), (16, 2, 4), (16, 2, 4))
)
TALPAS = LINES.replace('"params"', '"parameters"').replace(", ", ";")
CSV = "callpath,metric,n,p,rank,value\n" + "".join(
    f"main->solve,time,{n},{p},0,{v}\n"
    for n, p, v in ((4, 1, 1), (4, 1, 1.5), (8, 1, 2), (16, 2, 4), (16, 2, 4))
)


@pytest.mark.parametrize(
    "text",
    [TEXT, json.dumps(NESTED), json.dumps(NUMBERED), LINES, TALPAS, CSV],
    ids=["text", "nested", "numbered", "lines", "talpas", "csv"],
)
def test_the_same_measurements_in_every_format(text: str) -> None:
    (series,) = read_text(text, "file").series
    assert (series.callpath, series.metric, series.parameters) == (
        "main->solve",
        "time",
        ("n", "p"),
    )
    assert series.points.tolist() == [[4, 1], [8, 1], [16, 2]]
    assert series.counts.tolist() == [2, 1, 2]
    assert series.means.tolist() == [1.25, 2, 4]
    assert series.squares.tolist() == pytest.approx([0.125, 0, 0])


@pytest.mark.parametrize(
    ("header", "metric"),
    [
        ("n,time", "time"),
        ("n;Time [s]", "Time [s]"),
        ("n\telapsed_ms", "elapsed_ms"),
        ("n,metric:flops", "flops"),
        ('n,"wall time (s)"', "wall time (s)"),
        ("time_steps,value", "time"),
    ],
)
def test_a_column_named_as_what_is_measured_holds_values(header: str, metric: str) -> None:
    separator = next(c for c in ";\t," if c in header)
    (series,) = read_text(
        "\n".join([header, *(f"{n}{separator}{2 * n}" for n in (1, 2, 4))]), "file.csv"
    ).series
    assert (series.metric, series.parameters) == (
        metric,
        ("time_steps" if "steps" in header else "n",),
    )
    assert series.means.tolist() == [2, 4, 8]


@pytest.mark.parametrize("name", ["bytes", "iterations", "flops"])
def test_a_column_that_may_be_a_parameter_is_one(name: str) -> None:
    (series,) = read_text(f"{name},time\n1,2\n2,4\n", "file.csv").series
    assert (series.metric, series.parameters) == ("time", (name,))


def test_columns_without_a_metric_are_named() -> None:
    with pytest.raises(
        DataError,
        match=r"file.csv:1: which column was measured\? Name it value .* there are n, foo",
    ):
        read_text("n,foo\n1,2\n", "file.csv", ".csv")


def google(values: dict[int, float]) -> str:
    rows = [
        {
            "name": f"BM_f/{n}",
            "run_name": f"BM_f/{n}",
            "run_type": "iteration",
            "real_time": v,
            "cpu_time": v,
            "time_unit": "ns",
        }
        for n, v in values.items()
    ]
    rows.append(
        {
            "name": "BM_f_BigO",
            "run_name": "BM_f",
            "run_type": "aggregate",
            "aggregate_name": "BigO",
            "cpu_coefficient": 1.0,
            "big_o": "N",
            "time_unit": "ns",
        }
    )
    return json.dumps({"context": {}, "benchmarks": rows})


@pytest.mark.parametrize(
    ("law", "form"), [(lambda n: 29 * n - 88, ["n"]), (lambda n: n * n + 1e4 * n, ["n", "n**2"])]
)
def test_google_benchmark_is_refitted(law: object, form: list[str]) -> None:
    assert callable(law)
    data = read_text(google({2**k: float(law(2**k)) for k in range(3, 13)}), "bench.json")
    model = fit(Measurements(tuple(s for s in data.series if s.metric == "cpu_time"))).models[0]
    assert sorted(str(t) for _, t in model.terms) == form
    assert float(model.evaluate({"n": 2.0**16})) == pytest.approx(law(2**16) * 1e-9, rel=1e-6)


def test_other_benchmark_tools() -> None:
    hyperfine = {
        "results": [
            {"command": f"./sort {n}", "parameters": {"n": str(n)}, "times": [n * 1e-3, n * 1.1e-3]}
            for n in (10, 20, 40)
        ]
    }
    (series,) = read_text(json.dumps(hyperfine), "h.json").series
    assert series.callpath == "./sort {n}"
    assert series.counts.tolist() == [2, 2, 2]
    pytest_file = {
        "benchmarks": [
            {
                "fullname": f"test_a.py::test_f[{n}]",
                "params": {"n": n},
                "stats": {"mean": n * 2.0, "data": [n * 1.0, n * 3.0]},
            }
            for n in (1, 2)
        ]
    }
    (series,) = read_text(json.dumps(pytest_file), "p.json").series
    assert series.callpath == "test_a.py::test_f"
    assert series.means.tolist() == [2, 4]
    perf = "".join(
        f'# n={n}\n{{"counter-value" : "{n * 100}.0", "unit" : "", "event" : "instructions:u"}}\n'
        '{"counter-value" : "<not supported>", "event" : "cycles"}\n'
        for n in (1, 2, 4)
    )
    (series,) = read_text(perf, "perf.txt").series
    assert series.metric == "instructions:u"
    assert series.means.tolist() == [100, 200, 400]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("DATA 2", "DATA two"), "f:8: a value is 'two'"),
        (TEXT + "DATA 5\n", "f:10: more DATA"),
        (TEXT.replace("(8 1)", "(8)"), "f:4: the point"),
        (TEXT.replace("REGION", "PLACE"), "f:6: 'PLACE'"),
        ('{"params": {"n": NaN}, "value": 1}', "f:1: parameter n is nan"),
        ('{"params": {"n": 1}, "value": "x"}', "f:1: value"),
        (
            '{"params": {"n": 1}, "value": 1}\n{"params": {"m": 1}, "value": 1}',
            "some observations have",
        ),
        ("n,value\n1,2\n2,inf\n", "f:3: time is inf"),
        ("n,value\n1,2,3\n", "f:2: 3 fields"),
        ("n,n,value\n1,2,3\n", "f:1: two"),
        (
            json.dumps(
                {
                    "parameters": ["n"],
                    "measurements": {"a": {"t": [{"point": [1, 2], "values": [1]}]}},
                }
            ),
            "2 values for 1",
        ),
        ('{"parameters": [,"measurements"', "f:1: not JSON"),
        ('{"benchmarks": [{"real_time": "x", "name": "a/1"}]}', "real_time"),
        ('{"counter-value": "1", "event": "e"}', "f:1: nothing says"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        read_text(text, "f")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "b.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    for name in ("a.bin", "b.txt", "empty", "missing"):
        with pytest.raises(InputError):
            read(tmp_path / name)


def test_names_of_runs() -> None:
    assert parameters_of("kripke.p64.n8.r1") == (("n", 8.0), ("p", 64.0))
    assert parameters_of("run.p27n1,5.r12") == (("n", 1.5), ("p", 27.0))


def test_a_call_path_may_miss_a_metric_or_points() -> None:
    lines = [
        {"params": {"n": n}, "callpath": c, "metric": m, "value": float(n)}
        for n in (1, 2, 4, 8, 16)
        for c, m in (("a", "time"), ("a", "visits"), ("b", "time"))
        if not (c == "b" and n > 4)
    ]
    data = read_text("\n".join(map(json.dumps, lines)), "f")
    models = fit(data)
    assert {(m.callpath, m.metric): m.quality.points for m in models.models} == {
        ("a", "time"): 5,
        ("a", "visits"): 5,
        ("b", "time"): 3,
    }
    assert np.isclose(float(models.models[0].evaluate({"n": 32.0})), 32)


def test_layout_of_a_line_does_not_matter() -> None:
    rows = [
        (4, "main->f", 1.5),
        (8, "main->f", 2e1),
        (4, "main->f", -0.25),
        (8, 'a "quoted" {path}', 7),
        (4, "ü\\n", 1),
    ]
    objects = [
        {"params": {"p": p, "n": 2}, "callpath": c, "metric": "time", "value": v}
        for p, c, v in rows
    ]
    usual = "\n".join(json.dumps(o) for o in objects)
    other = "\r\n".join(
        json.dumps(dict(reversed(o.items())), indent=None, separators=(" , ", " : "))
        for o in objects
    )
    found = [
        [
            (s.callpath, s.parameters, s.points.tolist(), s.means.tolist(), s.counts.tolist())
            for s in read_text(t, "x", ".jsonl").series
        ]
        for t in (usual, other + "\n\n")
    ]
    assert found[0] == found[1]
    assert found[0][0] == ("main->f", ("n", "p"), [[2, 4], [2, 8]], [0.625, 20], [2, 1])


@pytest.mark.parametrize(
    "bad",
    [
        '{"params": {"p": 1}, "callpath": "f", "metric": "m", "value": 1e999}',
        '{"params": {"p": "x"}, "callpath": "f", "metric": "m", "value": 1}',
        '{"params": {"p": 01}, "callpath": "f", "metric": "m", "value": 1}',
        '{"params": {"p": 1}, "callpath": "f", "metric": "m", "value": 01}',
        '{"params": {"p": 1}, "callpath": "f", "metric": "m", "value": 1} x',
    ],
)
def test_malformed_line_is_named(bad: str) -> None:
    good = '{"params": {"p": 1}, "callpath": "f", "metric": "m", "value": 1}'
    with pytest.raises(DataError, match="x:3"):
        read_text("\n".join([good, "", bad, good]), "x", ".jsonl")
