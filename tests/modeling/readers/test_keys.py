"""What distinguishes observations distinguishes series in every format; what is dropped is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from looplaw_common.errors import LooplawWarning
from modeling import Measurements, read, read_files
from modeling.readers.files import read_text
from modeling.readers.keys import Keys, number_in

SIZES = (100, 200, 400, 800)


def paths(found: Measurements) -> list[str]:
    return sorted({s.callpath for s in found.series})


def pytest_benchmark(rows: list[dict[str, object]]) -> str:
    return json.dumps(
        {
            "benchmarks": [
                {"fullname": "t.py::test_f[x]", "stats": {"mean": 1e-6}, **row} for row in rows
            ]
        }
    )


def test_words_and_booleans_of_pytest_benchmark_tell_series_apart() -> None:
    rows = [
        {"params": {"impl": impl, "n": n, "check": check}}
        for impl in ("list", "set")
        for check in (True, False)
        for n in SIZES
    ]
    found = read_text(pytest_benchmark(rows), "b.json")
    assert paths(found) == [
        f"t.py::test_f[impl={impl}, check={check}]"
        for impl in ("list", "set")
        for check in (False, True)
    ]
    assert all(s.parameters == ("n",) and len(s.points) == 4 for s in found.series)


def test_cases_of_codspeed_are_sizes_and_its_medians_are_seconds() -> None:
    rows = [{"name": f"test_sort[{n}]", "stats": {"median_ns": 50 * n}} for n in (10, 20)]
    found = read_text(json.dumps({"instrument": {}, "benchmarks": rows}), "results.json")
    (series,) = found.series
    assert (series.callpath, series.metric) == ("test_sort", "time")
    assert series.points[:, 0].tolist() == [10, 20]
    assert series.means.tolist() == pytest.approx([5e-7, 1e-6])


def test_what_pytest_benchmark_cannot_write_is_named_by_the_test() -> None:
    rows = [
        {
            "params": {"sort": f"UNSERIALIZABLE[<function {f} at 0x7f{k}>]", "n": n},
            "param": f"{f}-{n}",
        }
        for k, f in enumerate(("merge", "heap"))
        for n in SIZES
    ]
    found = read_text(pytest_benchmark(rows), "b.json")
    assert paths(found) == ["t.py::test_f[sort=heap]", "t.py::test_f[sort=merge]"]


def test_what_differs_in_every_run_is_dropped_and_said() -> None:
    rows = [{"params": {"n": n}, "extra_info": {"started": f"run at {n} s"}} for n in SIZES]
    with pytest.warns(LooplawWarning, match="not used: started"):
        found = read_text(pytest_benchmark(rows), "b.json")
    assert paths(found) == ["t.py::test_f"]


def test_labels_and_counters_of_google_benchmark() -> None:
    rows = [
        {"name": f"BM_Copy/{n}", "real_time": n, "label": label, "Misses": 3 * n, "state": {"a": 1}}
        for label in ("hot", "cold")
        for n in SIZES
    ]
    with pytest.warns(LooplawWarning, match="not used: state"):
        found = read_text(json.dumps({"benchmarks": rows}), "b.json")
    assert paths(found) == ["BM_Copy[label=cold]", "BM_Copy[label=hot]"]
    assert {s.metric for s in found.series} == {"real_time", "Misses"}


def test_values_behind_a_sign_in_commands_of_hyperfine_are_parameters() -> None:
    rows = [
        {
            "command": f"cc -DN={n} -O{level} x.c",
            "parameters": {"n": str(n), "level": str(level)},
            "mean": n,
        }
        for n in SIZES
        for level in (1, 2, 3)
    ]
    found = read_text(json.dumps({"results": rows}), "h.json")
    assert paths(found) == ["cc -DN={n} -O{level} x.c"]
    named = [
        {"command": "sort", "parameters": {"n": str(n), "impl": impl}, "mean": n}
        for n in SIZES
        for impl in ("heap", "merge")
    ]
    assert paths(read_text(json.dumps({"results": named}), "h.json")) == [
        "sort[impl=heap]",
        "sort[impl=merge]",
    ]


def test_words_in_columns_tell_series_apart_and_results_are_no_parameters() -> None:
    rows = "".join(
        f"{a},{r},{t / r},{t / 10},{100 / r},{0.1 * r}\n"
        for a, t in (("radix", 90), ("std", 40))
        for r in (1, 2, 4, 8)
    )
    head = "algo,ranks,wall_time,speedup,efficiency,stddev\n"
    with pytest.warns(LooplawWarning, match="not used: stddev"):
        found = read_text(head + rows, "t.csv")
    assert paths(found) == ["main[algo=radix]", "main[algo=std]"]
    assert {s.parameters for s in found.series} == {("ranks",)}
    assert {s.metric for s in found.series} == {"wall_time", "speedup", "efficiency"}


def caliper(**about: object) -> str:
    return json.dumps(
        {
            "data": [[0, 1.5]],
            "columns": ["path", "time"],
            "column_metadata": [{"is_value": False}, {"is_value": True}],
            "nodes": [{"label": "main"}],
            **about,
        }
    )


def test_metadata_of_runs_are_numbers_as_text_and_variants(tmp_path: Path) -> None:
    for variant in ("Base", "RAJA"):
        for n in SIZES:
            about = {"size": str(n), "scale": f"{n / 1000}", "variant": variant, "user": f"u{n}"}
            (tmp_path / f"{variant}{n}x.json").write_text(caliper(**about))
    found = read_files([tmp_path])
    assert paths(found) == ["main[variant=Base]", "main[variant=RAJA]"]
    assert all(len(s.points) == 4 for s in found.series)


def test_runs_of_one_name_are_told_apart_by_their_metadata(tmp_path: Path) -> None:
    for variant in ("Base", "RAJA"):
        for n in SIZES:
            folder = tmp_path / variant
            folder.mkdir(exist_ok=True)
            (folder / f"run.n{n}.json").write_text(caliper(variant=variant))
    assert paths(read_files([tmp_path])) == ["main[variant=Base]", "main[variant=RAJA]"]


def test_fields_that_no_observation_has_are_said(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"params": {"n": 1}, "value": 1, "machine": "a"}\n')
    with pytest.warns(LooplawWarning, match="not used: machine"):
        read(path)


def test_what_keys_are() -> None:
    rows = [
        {"n": str(n), "impl": impl, "fixed": "x", "date": f"{impl}{n}"}
        for n in SIZES
        for impl in ("a", "b")
    ]
    keys = Keys.of(rows)
    assert (keys.parameters, keys.labels, keys.dropped) == (("n",), ("impl",), ("date",))
    assert keys.point(rows[0]) == {"n": 100}
    assert keys.label("f", rows[1]) == "f[impl=b]"
    assert [number_in(v) for v in ("64", 2.5, "1e3", True, "x", None, "nan")] == [
        *(64, 2.5, 1000.0),
        *(None, None, None, None),
    ]
