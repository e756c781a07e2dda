"""Whatever a file holds: an answer, or a refusal in one line that says where and what."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modeling import LooplawError, fit
from modeling.readers import READERS, read_text
from tests.modeling.readers.test_frameworks import CATCH2, ROW, googletest
from tests.modeling.readers.test_gpu_profilers import NCU, ROCPROF, ROCPROFV3

N = (1, 2, 4, 8, 16)


def lines(*rows: tuple[object, object]) -> str:
    found = (
        {
            "params": p if isinstance(p, dict) else {"n": p},
            "callpath": "f",
            "metric": "t",
            "value": v,
        }
        for p, v in rows
    )
    return "".join(json.dumps(row) + "\n" for row in found)


OLD = {
    "parameters": [{"id": 1, "name": "n"}],
    "callpaths": [{"id": 1, "name": "f"}],
    "metrics": [{"id": 1, "name": "t"}],
    "coordinates": [
        {"id": 1, "parameter_value_pairs": [{"parameter_id": 1, "parameter_value": 2}]}
    ],
    "measurements": [{"callpath_id": 1, "metric_id": 1, "coordinate_id": 1, "value": 3}],
}


@pytest.mark.parametrize(
    ("text", "law", "value"),
    [
        (lines(*((2**k, 2 ** (3 * k)) for k in (60, 64, 68, 72, 80))), "n**3", 2.0**300),
        (lines(*((n, 10**30 * n) for n in N)), "n", 1e30 * 2**100),
        (lines(*((n, -n) for n in N)), "n", -(2.0**100)),
        (lines(*((n, n) for n in N for _ in range(3))), "n", 2.0**100),
        ("\ufeff" + lines(*((n, n) for n in N)), "n", 2.0**100),
        (lines(*((n, n) for n in N)).replace("\n", "\r\n"), "n", 2.0**100),
    ],
)
def test_odd_numbers_have_their_law(text: str, law: str, value: float) -> None:
    model = fit(read_text(text, "file")).models[0]
    assert str(model.lead) == law
    assert float(model(n=2.0**100)) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "suffix", "message"),
    [
        (lines((1, 10**400)), "", "file:1: value is too large"),
        (lines((1, 1e-310), (2, 1e-309)), "", "use another unit"),
        (lines(({f"p{k}": 1 for k in range(70)}, 1)), "", 'file:1: "params" must be'),
        (
            lines(*(({f"p{k}": k + n for k in range(12)}, n) for n in N)),
            "",
            "12 parameters vary, and 10 can be told apart",
        ),
        (lines(({"": 1}, 1)), "", "a parameter is called ''"),
        (lines(({"n m": 1, "n-m": 2}, 1)), "", "'n m' and 'n-m' are both n_m"),
        (
            (
                '{"parameters": ["n", "n"], "measurements": {"f": {"t": [{"point": [1, 2],'
                ' "values": [1]}]}}}'
            ),
            "",
            "the same name",
        ),
        ('{"parameters": [{"a": 1}], "measurements": {"f": {}}}', "", "the name of a parameter"),
        (
            json.dumps(OLD | {"parameters": [{"id": [1], "name": "n"}]}),
            "",
            "an entry of parameters has no id",
        ),
        (
            json.dumps(OLD).replace('"value": 3', '"value": "x"'),
            "",
            'the value is "x", not a number',
        ),
        ('{"benchmarks": [{"name": "f/1", "real_time": 1, "time_unit": ["ns"]}]}', "", "time_unit"),
        (
            '{"benchmarks": [{"name": "f/n:1/n:2", "real_time": 1}]}',
            "",
            "two arguments of one name",
        ),
        (
            '{"benchmarks": [{"fullname": "f", "params": [1], "stats": {"mean": 1}}]}',
            "",
            '"params" is missing or not an object',
        ),
        (
            '{"benchmarks": [{"fullname": "f", "params": {"n": NaN}, "stats": {"mean": 1}}]}',
            "",
            "parameter n is nan",
        ),
        ("[" * 100_000, ".json", "not JSON"),
        ('{"a":' * 100_000, ".json", "not JSON"),
        ("n,value\n" + "1" * 200_000 + ",1\n", ".csv", "file:2"),
        (
            "PARAMETER n\nPOINTS 1 2 4\nREGION f\nDATA 1\nDATA 2\n",
            "",
            "f, time has 2 lines of DATA for 3 POINTS",
        ),
        (
            "PARAMETER n\nPOINTS 1\nREGION f\nDATA 1\nREGION g\nDATA 1\nREGION f\nDATA 2\n",
            "",
            "file:8: f, time has data twice",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(text: str, suffix: str, message: str) -> None:
    with pytest.raises(LooplawError) as error:
        fit(read_text(text, "file", suffix))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("n m", "n_m"),
        ("lambda", "lambda_"),
        ("2n", "_2n"),
        ("mpi.size", "mpi_size"),
        ("größe", "größe"),
    ],
)
def test_names_that_no_formula_can_have_are_changed(name: str, symbol: str) -> None:
    model = fit(read_text(lines(*(({name: n}, n * n) for n in N)), "file")).models[0]
    assert model.parameters == (symbol,)
    assert model.formula == f"{symbol}**2"


SEEDS = [
    lines(*((n, n) for n in N)),
    json.dumps(OLD),
    "PARAMETER n\nPOINTS 1 2\nMETRIC t\nREGION f\nDATA 1 2\nDATA 3\n",
    json.dumps(
        {"parameters": ["n"], "measurements": {"f": {"t": [{"point": [1], "values": [1, 2]}]}}}
    ),
    "callpath,metric,n,value\nf,t,1,2\nf,t,2,3\n",
    "BM_Sort/1024   12.5 us   12.4 us   5600\ntest sort_100 ... bench:  2,085 ns/iter (+/- 11)\n",
    "sort/n=10   time:   [5.1 us 5.2 us 5.3 us]\n",
    "goos: linux\nBenchmarkSort/n=1000-8   100   12345 ns/op   12 B/op\n",
    '[{"benchmark": "a.B.f", "params": {"size": "8"}, "primaryMetric": {"score": 2.0, "scoreUnit":'
    ' "us/op", "rawData": [[1.5, 2.5]]}}]',
    '{"commit_hash": "a", "result_columns": ["result", "params"], "results": {"a.time_f": [[1.5,'
    ' 2.5], [["8", "16"]]]}}',
    'window.BENCHMARK_DATA = {"entries": {"Go": [{"benches": [{"name": "f/8", "value": 2, "unit":'
    ' "ns/iter"}]}]}}',
    'name,iterations,real_time,cpu_time,time_unit,label\n"BM_f/8",10,5.5,5.25,ns,\n',
    '{"reason":"benchmark-complete","id":"f/8","typical":{"estimate":5.5,"unit":"ns"}}\n',
    "| n | time |\n|---|---|\n| 1 | 2 ms |\n| 2 | 3 ms |\n",
    '# n=1\n{"counter-value": "5", "event": "cycles"}\n',
    (
        '{"benchmarks": [{"name": "f/8", "run_type": "iteration", "real_time": 1.0, "cpu_time": 2,'
        ' "time_unit": "ns"}]}'
    ),
    (
        '{"benchmarks": [{"fullname": "f", "params": {"n": 1}, "extra_info": {}, "stats": {"data":'
        " [1.0]}}]}"
    ),
    '{"results": [{"command": "s 1", "parameters": {"n": "1"}, "times": [1.0]}]}',
    (
        '{"data": [[0, 1.5]], "columns": ["path", "t"], "column_metadata": [{"is_value": false},'
        ' {"is_value": true}], "nodes": [{"label": "m"}], "n": 4}'
    ),
    googletest(),
    CATCH2.format(rows=ROW.format(n=8, ns=5)),
    NCU,
    ROCPROF,
    ROCPROFV3,
]


def _mutated(text: str, generator: random.Random) -> str:
    """The text with a few pieces cut, doubled or replaced by what may stand there in a broken file.
    The text with a few pieces cut, doubled or replaced by what may stand there in a broken file."""
    for _ in range(generator.randint(1, 3)):
        start = generator.randrange(len(text) + 1)
        end = min(len(text), start + generator.choice((0, 1, 1, 2, 5, 20)))
        piece = generator.choice(
            (
                "",
                text[start:end] * 2,
                "null",
                "[]",
                "{}",
                '"x"',
                "-1",
                "1e999",
                "NaN",
                ",",
                "\n",
                "9" * 30,
                "true",
                "\x00",
                "é",
            )
        )
        text = text[:start] + piece + text[end:]
    return text


@settings(deadline=None, max_examples=400)
@given(st.integers(0, 2**32), st.sampled_from(range(len(SEEDS))))
def test_broken_files_are_read_or_refused(seed: int, which: int) -> None:
    text = _mutated(SEEDS[which], random.Random(seed))
    refusal = ""
    try:
        data = read_text(text, "file", ".json")
    except LooplawError as error:
        refusal = str(error)
    if refusal:
        assert "\n" not in refusal
        return
    assert all(np.isfinite(s.points).all() and np.isfinite(s.means).all() for s in data.series)


def test_every_reader_has_a_seed() -> None:
    assert {next(r.name for r in READERS if r.matches(text)) for text in SEEDS} == {
        r.name for r in READERS
    }


@pytest.mark.parametrize(
    "law", [lambda a, b, c, d, e: a * b + c * d + e, lambda a, b, c, d, e: a * b * c + 3 * d]
)
def test_five_parameters(law: Callable[..., float]) -> None:
    points = np.random.default_rng(3).integers(1, 40, (60, 5)).tolist()
    text = lines(*((dict(zip("abcde", p, strict=True)), float(law(*p))) for p in points))
    model = fit(read_text(text, "file")).models[0]
    far = (100.0, 90.0, 80.0, 70.0, 60.0)
    assert float(model(**dict(zip("abcde", far, strict=True)))) == pytest.approx(law(*far))
