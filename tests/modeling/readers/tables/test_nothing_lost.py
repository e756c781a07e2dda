"""Tables of which a part was lost or mixed with another, and nothing said so."""

from __future__ import annotations

import json
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from modeling.readers import read

from .test_whole_tables import read_text

_SIZES = (100, 200, 400, 800)
_Expected = dict[str, list[float]]


def _lines(form: Callable[[int], str]) -> str:
    return "".join(f"{form(n)}\n" for n in _SIZES)


def _under(first: str, second: str, blank: str = "") -> str:
    rows = "100 0.1\n200 0.2\n300 0.3\n"
    return f"{first}\n{rows}{blank}{second}\n400 16\n800 64\n1600 256\n"


def _codspeed(*cases: tuple[str, float]) -> str:
    rows = [
        {"name": uri.partition("::")[2], "uri": uri, "stats": {"median_ns": 1e9 * t}}
        for uri, t in cases
    ]
    return json.dumps({"benchmarks": rows})


def _sections(*openings: str) -> str:
    return "".join(f"{line}\ntime: {k} s\n" for k, line in enumerate(openings, 1))


_MARKDOWN = (
    "With quick sort:\n\n| n | time |\n|---|---|\n| 100 | 0.1 |\n| 200 | 0.2 |\n| 300 | 0.3 |\n\n"
    "With bubble sort:\n\n| 400 | 16 |\n| 800 | 64 |\n| 1600 | 256 |\n"
)
_TWO = ([0.1, 0.2, 0.3], [16, 64, 256])
_BY_N = [n / 100 for n in _SIZES]
_CASES: dict[str, tuple[str, str, _Expected]] = {
    "titles": (
        "t.txt",
        _under("quick", "bubble", "\n"),
        dict(zip(("quick", "bubble"), _TWO, strict=True)),
    ),
    "titles of blocks": (
        "t.txt",
        _under("CPU:", "GPU:"),
        dict(zip(("CPU", "GPU"), _TWO, strict=True)),
    ),
    "titles of frames": (
        "t.md",
        _MARKDOWN,
        dict(zip(("With quick sort", "With bubble sort"), _TWO, strict=True)),
    ),
    "ranges": (
        "t.csv",
        "range,n,time\n<10,100,1\n<10,200,2\n<10,400,4\n>10,100,2\n>10,200,4\n>10,400,8\n",
        {"main[range=<10]": [1, 2, 4], "main[range=>10]": [2, 4, 8]},
    ),
    "units": (
        "t.csv",
        "n,time\n100,1.0 s\n200,2.0 s\n400,4.1\n800,8.0\n",
        {"main": [1, 2, 4.1, 8]},
    ),
    "variants of lines": (
        "t.log",
        _lines(lambda n: f"run n={n} time={n / 100}")
        + _lines(lambda n: f"run n={n} time={n / 200} gpu"),
        {"table at line 1": _BY_N, "table at line 5": [n / 200 for n in _SIZES]},
    ),
    "words behind units": (
        "t.log",
        _lines(lambda n: f"n={n} time {n / 100} s")
        + _lines(lambda n: f"n={n} time {n / 500} s cached"),
        {"table at line 1": _BY_N, "table at line 5": [n / 500 for n in _SIZES]},
    ),
    "sizes behind times": (
        "t.log",
        _lines(lambda n: f"n {n} took {n / 100} s")
        + _lines(lambda n: f"n {n} took {n / 400} s with 8 threads"),
        {"table at line 1: took": _BY_N, "table at line 5: time": [n / 400 for n in _SIZES]},
    ),
    "options": (
        "t.log",
        _sections("$ ./a -n 100", "$ ./a -n 200", "$ ./a -n 400 -t 4", "$ ./a -n 800 -t 4"),
        {"main[case=plain]": [1, 2], "main[case=-t 4]": [3, 4]},
    ),
    "assigned options": (
        "t.log",
        _sections("n = 100", "n = 200", "n = 400 threads = 2", "n = 800 threads = 2"),
        {"main[case=plain]": [1, 2], "main[case=threads = 2]": [3, 4]},
    ),
    "sections of many lines": (
        "t.log",
        "".join(
            f"$ ./a -n {n}\n" + "".join(f"{w * 2} = 18\n" for w in "abcdefghi") * 2 + f"time: {n}\n"
            for n in _SIZES
        ),
        {"main": list(map(float, _SIZES))},
    ),
    "names before objects": (
        "t.log",
        _lines(lambda n: f'INFO n={n} {{"time": {n / 100}}}'),
        {"main": _BY_N},
    ),
    "words before objects": (
        "t.log",
        _lines(lambda n: f'quick {{"n": {n}, "time": {n / 100}}}')
        + _lines(lambda n: f'heap {{"n": {n}, "time": {n}}}'),
        {"main[case=quick]": _BY_N, "main[case=heap]": list(map(float, _SIZES))},
    ),
    "durations": (
        "t.log",
        "".join(f"0:00:0{k} n={n} mem={3 * n}MB\n" for k, n in enumerate(_SIZES, 1)),
        {"main: column1": [1, 2, 3, 4], "main: mem": [3.0 * n for n in _SIZES]},
    ),
    "names with dots": (
        "t.log",
        _lines(lambda n: f"n={n} sort.ms:{n / 8}"),
        {"main": [n / 8 for n in _SIZES]},
    ),
    "two names with dots": (
        "t.log",
        _lines(lambda n: f"n={n} sort.ms:{n // 8}, total.ms:{n // 4}"),
        {"main: sort.ms": [n // 8 for n in _SIZES], "main: time": [n // 4 for n in _SIZES]},
    ),
    "consoles of criterion": (
        "t.txt",
        _lines(lambda n: f"n={n} time: [{n / 100} s {n / 100 + 1} s {n / 100 + 2} s]"),
        {"main": [n / 100 + 1 for n in _SIZES]},
    ),
    "words in cases": (
        "t.json",
        _codspeed(
            *((f"a.py::t[{n}-{a}]", n * k) for n in _SIZES for a, k in (("quick", 1), ("heap", 3)))
        ),
        {"a.py::t[case=quick]": list(_SIZES), "a.py::t[case=heap]": [3 * n for n in _SIZES]},
    ),
    "modules": (
        "t.json",
        _codspeed(*((f"{m}.py::t[{n}]", n * k) for n in _SIZES for m, k in (("a", 1), ("b", 3)))),
        {"a.py::t": list(_SIZES), "b.py::t": [3 * n for n in _SIZES]},
    ),
}


@pytest.mark.parametrize("case", _CASES)
def test_series_are_whole_and_apart(tmp_path: Path, case: str) -> None:
    name, text, expected = _CASES[case]
    found = read_text(tmp_path, text, name).series
    is_one = len({s.metric for s in found}) == 1
    told = {s.callpath if is_one else f"{s.callpath}: {s.metric}": s.means.tolist() for s in found}
    assert told == {path: pytest.approx(means) for path, means in expected.items()}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("elements", (0.5, 1, 1.5, 2)),
        ("rows_millions", (0.5, 1, 1.5)),
        ("hash_size", (16, 32, 64)),
        ("build_threads", (16, 32, 64)),
        ("release_size", (16, 32, 64)),
        ("passes", (1, 2, 3)),
        ("stages", (1, 2, 3)),
        ("hops", (1, 2, 3)),
    ],
)
def test_sizes_stay_sizes(tmp_path: Path, name: str, values: tuple[float, ...]) -> None:
    rows = "".join(f"{v},{n},{v * n / 7:g}\n" for v in values for n in _SIZES)
    [series] = read_text(tmp_path, f"{name},n,time\n{rows}").series
    assert set(series.parameters) == {name, "n"}
    assert len(series.points) == len(values) * len(_SIZES)


def test_a_size_with_a_name_comes_before_numbers_of_rows(tmp_path: Path) -> None:
    found = read_text(tmp_path, ",threads,time\n3,1,10.1\n17,2,5.2\n40,4,2.6\n77,8,1.4\n")
    assert found.parameters == ("threads",)


def test_signs_and_exponents_of_cases_are_read(tmp_path: Path) -> None:
    cases = {"1e-2": 0.01, "1e-3": 0.001, "-5": -5, "2.5e+1": 25}
    text = _codspeed(*((f"a.py::t[{c}]", k) for k, c in enumerate(cases, 1)))
    [series] = read_text(tmp_path, text, "t.json").series
    assert sorted(series.points.ravel().tolist()) == sorted(cases.values())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "t.csv",
            "n,time\n100,1.0\n200,2.1\n400,4.2\n800,>10\n1600,>10\n",
            "2 cells of time (say only more or less)",
        ),
        (
            "t.csv",
            "n,what,took\n"
            + "".join(f"{n},build,{n}.5 s\n{n},evaluations,{n}000\n" for n in (1, 2, 4)),
            "3 cells of took (are no times)",
        ),
        (
            "t.log",
            _lines(lambda n: f'{{"n": {n}, "time": {n / 7}}}') + "n=12800 time=128\n",
            "1 line without an object is left out",
        ),
        (
            "t.json",
            json.dumps([{"n": n, "shape": [64, 128], "time": n / 3} for n in _SIZES]),
            "shape not used (is a list of numbers)",
        ),
        (
            "t.md",
            "| n | time |\n|---|---|\n| 1 | 2 |\n| 2 | 5 |\n\n> swaps\n\n| 4 | 9 |\n| 8 | 19 |\n",
            "the table goes on at line 8",
        ),
        (
            "t.json",
            json.dumps(
                [
                    {
                        "n": n,
                        "a": [{"k": k, "time": k * n} for k in (1, 2, 4)],
                        "b": [{"k": k, "time": 3 * k * n} for k in (1, 2)],
                    }
                    for n in _SIZES
                ]
            ),
            "b not used (is a shorter list)",
        ),
    ],
)
def test_what_is_left_out_is_said(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        reading = read(tmp_path / name).reading
    assert said in " ".join((reading, *(str(w.message) for w in found)))


def test_lists_in_lists_take_no_memory(tmp_path: Path) -> None:
    node: dict[str, object] = {f"key{k}": k for k in range(800)}
    for _ in range(150):
        node = {"a": [node]}
    text = json.dumps([{"n": n, "time": n / 3, "of": node} for n in _SIZES])
    tracemalloc.start()
    [series] = read_text(tmp_path, text, "t.json").series
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert series.parameters == ("n",)
    assert most < 32 << 20
