"""Harnesses of other languages: arguments in names are parameters, words tell series apart."""

from __future__ import annotations

import json

import pytest

from modeling.readers import read_text

GO = """goos: linux
pkg: example.com/sort
BenchmarkSort/n=1000-8         100     12345 ns/op     16 B/op     1 allocs/op
BenchmarkSort/n=2000-8          50     26000 ns/op     32 B/op     1 allocs/op
BenchmarkFib10-8           5000000       325 ns/op
BenchmarkFib20-8             40000     40537 ns/op
BenchmarkFib30-8               300   4982430 ns/op
PASS
"""
JMH = json.dumps(
    [
        {
            "benchmark": "a.B.sort",
            "params": {"size": str(n), "impl": "quick"},
            "primaryMetric": {"score": n / 2, "scoreUnit": "us/op", "rawData": [[n / 2, n / 2]]},
        }
        for n in (8, 16)
    ]
)
ASV = json.dumps(
    {
        "commit_hash": "abc",
        "result_columns": ["result", "params"],
        "results": {"m.time_f": [[0.5, 1.0], [["100", "200"]]]},
    }
)
DATA_JS = "window.BENCHMARK_DATA = " + json.dumps(
    {
        "entries": {
            "Rust": [
                {"benches": [{"name": f"sort/{n}", "value": n, "unit": "ns/iter"} for n in (8, 16)]}
            ]
        }
    }
)
GOOGLE_CSV = """2026-01-01T00:00:00+00:00
Run on (2 X 2596 MHz CPU s)
name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label
"BM_f/8",100,10,9,ns,,,
"BM_f/16",100,20,18,ns,,,
"BM_f_BigO",,1.25,1.1,N,,,
"""


@pytest.mark.parametrize(
    ("text", "callpath", "metric", "points", "means", "unit"),
    [
        (GO, "Sort", "time", [[1000], [2000]], [12345, 26000], "ns"),
        (GO, "Fib", "time", [[10], [20], [30]], [325, 40537, 4982430], "ns"),
        (JMH, "a.B.sort[impl=quick]", "time", [[8], [16]], [4, 8], "us"),
        (ASV, "m.time_f", "time", [[100], [200]], [0.5, 1.0], "s"),
        (DATA_JS, "sort", "time", [[8], [16]], [8, 16], "ns"),
        (GOOGLE_CSV, "BM_f", "cpu_time", [[8], [16]], [9, 18], "ns"),
    ],
)
def test_results_are_read(
    text: str, callpath: str, metric: str, points: object, means: object, unit: str
) -> None:
    found = read_text(text, "file")
    (series,) = (s for s in found.series if (s.callpath, s.metric) == (callpath, metric))
    assert (series.points.tolist(), series.means.tolist(), series.unit) == (points, means, unit)
