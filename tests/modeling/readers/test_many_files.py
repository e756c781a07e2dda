"""Many files of one run each make one set of measurements; their names, a pattern or what they say
of themselves place them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from modeling import DataError, InputError, read, read_files


def lines(n: int | None, value: float) -> str:
    return (
        json.dumps(
            {
                "params": {} if n is None else {"n": n},
                "callpath": "main->f",
                "metric": "time",
                "value": value,
            }
        )
        + "\n"
    )


def caliper(n: int, value: float) -> str:
    return json.dumps(
        {
            "data": [[1, value], [None, 9.0]],
            "columns": ["path", "time"],
            "column_metadata": [{"is_value": False}, {"is_value": True}],
            "nodes": [
                {"label": "main", "column": "path"},
                {"label": "f", "column": "path", "parent": 0},
            ],
            "problem": n,
            "ranks": 8,
            "launchdate": 1600000000 + n,
            "user": "me",
        }
    )


def google(n: int, value: float) -> str:
    return json.dumps(
        {
            "context": {"num_cpus": n + 1, "problem": str(n)},
            "benchmarks": [
                {
                    "name": "main->f",
                    "run_type": "iteration",
                    "cpu_time": value,
                    "real_time": value,
                    "time_unit": "s",
                }
            ],
        }
    )


def pytest_file(n: int, value: float) -> str:
    return json.dumps(
        {
            "benchmarks": [
                {
                    "fullname": "main->f",
                    "params": None,
                    "extra_info": {},
                    "stats": {"data": [value]},
                }
            ]
        }
    )


@pytest.mark.parametrize(
    ("name", "text", "parameter"),
    [
        ("run.n{}.r1.json", pytest_file, "n"),
        ("a_{}.json", caliper, "problem"),
        ("a_{}.json", google, "problem"),
        ("x{}.jsonl", lines, "n"),
        ("n{}/result.jsonl", lambda n, v: lines(None, v), "n"),
    ],
)
def test_where_a_run_was_made(
    name: str, text: Callable[[int, float], str], parameter: str, tmp_path: Path
) -> None:
    for n in (8, 16, 32, 64):
        file = tmp_path / "runs" / name.format(n)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text(n, 2.0 * n))
    (tmp_path / "runs" / "README.md").write_text("not measurements")
    (tmp_path / "runs" / ".cache.json").write_text("{")
    for data in (
        read(tmp_path / "runs"),
        read_files(sorted((tmp_path / "runs").glob("**/[!.]*.json*"))),
    ):
        series = next(s for s in data.series if s.metric in ("time", "cpu_time"))
        assert (series.callpath, series.parameters) == ("main->f", (parameter,))
        assert (series.points[:, 0].tolist(), series.means.tolist()) == (
            [8, 16, 32, 64],
            [16, 32, 64, 128],
        )


def test_a_pattern_says_it_and_equal_runs_are_repetitions(tmp_path: Path) -> None:
    for n in (8, 16, 32, 64):
        for p in (1, 2, 4):
            for k in range(2):
                (tmp_path / f"job{k}-size_{n}x{p}").with_suffix(".json").write_text(
                    pytest_file(n, n / p + k)
                )
    data = read_files([tmp_path], "size_{n}x{p}.")
    (series,) = data.series
    assert series.parameters == ("n", "p")
    assert len(series.points) == 12
    assert set(series.counts) == {2}
    done = CliRunner().invoke(
        main, ["fit", str(tmp_path), "--pattern", "size_{n}x{p}.", "--format", "csv"]
    )
    assert done.exit_code == 0, done.output
    assert "n*p**(-1)" in done.stdout.replace("n/p", "n*p**(-1)")
    some = [str(f) for f in sorted(tmp_path.glob("*.json"))[:6]]
    assert CliRunner().invoke(main, ["fit", *some, "--pattern", "size_{n}x{p}."]).exit_code == 0


@pytest.mark.parametrize(
    ("files", "pattern", "error", "message"),
    [
        (
            {"a.json": pytest_file(1, 1), "b.json": pytest_file(2, 2)},
            None,
            DataError,
            "nothing says where it was measured",
        ),
        (
            {"a1.json": pytest_file(1, 1), "b.json": pytest_file(2, 2)},
            "a{n}.json",
            InputError,
            "b.json: not like --pattern",
        ),
        ({"a1.json": pytest_file(1, 1)}, "a", InputError, "name each parameter once"),
        (
            {"a1.jsonl": lines(3, 1)},
            "a{n}.jsonl",
            DataError,
            "n has another value in the file than in its name",
        ),
        ({"n1.jsonl": lines(1, 1), "n2.jsonl": "{"}, None, DataError, "n2.jsonl:1: not JSON"),
        ({"n1.json": "[]", "n2.json": "[]"}, None, InputError, "n1.json: no reader knows this"),
        ({"notes.md": "x"}, None, InputError, "without profiles"),
        (
            {"n1.json": caliper(1, 1).replace('"parent": 0', '"parent": 5')},
            None,
            DataError,
            "its parent 5 is no node before",
        ),
        (
            {"n1.json": caliper(1, 1).replace("[1, 1]", "[7, 1]")},
            None,
            DataError,
            "row 1: path is no number of a node",
        ),
        (
            {"n1.json": caliper(1, 1).replace("[1, 1]", "[1]")},
            None,
            DataError,
            "row 1: 1 values for 2",
        ),
        (
            {"n1.json": caliper(1, 1).replace("[1, 1]", '[1, "x"]')},
            None,
            DataError,
            'row 1: time is "x"',
        ),
    ],
)
def test_what_is_wrong_is_named(
    files: dict[str, str], pattern: str | None, error: type[Exception], message: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(error, match=message):
        read_files([tmp_path], pattern)
