"""Analyses and laws restrict what is fitted, from the command line as in a study."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.laws.priors import analysis_priors, file_priors
from modeling import Measurements, Series
from staticana import analyze, canonical, compile_sources

SOURCE = """#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  volatile double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) s += m;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*line: str) -> Result:
    return CliRunner().invoke(main, list(line))


def fitted(*line: str) -> tuple[dict[str, set[str]], str]:
    """Terms of the models by metric, and what was said."""
    done = run("fit", "m.jsonl", *line, "--json", "-")
    assert done.exit_code == 0, done.output
    return {
        m["metric"]: {str(t["exponents"]) for t in m["terms"]}
        for m in json.loads(done.stdout)["models"]
    }, done.stderr


def write(rows: list[dict[str, object]]) -> None:
    Path("m.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))


def test_an_analysis_restricts_the_models_of_its_loops(folder: Path) -> None:
    Path("f.c").write_text(SOURCE)
    assert run("analyze", "f.c", "--json", "f.json").exit_code == 0
    inner = json.loads(Path("f.json").read_text())["loops"][1]
    assert inner["nesting"] == 2
    generator = np.random.default_rng(1)
    write(
        [
            {
                "params": {"n": n, "m": m},
                "callpath": inner["at"],
                "metric": "iterations",
                "value": n * (n - 1) / 2 * (1 + 0.02 * generator.standard_normal()) * m**0.1,
            }
            for n in (8, 16, 32, 64)
            for m in (1, 2, 4, 8)
        ]
    )
    assert any("'m'" in t for t in fitted()[0]["iterations"]), "what was measured creeps up with m"
    known = fitted("--analysis", "f.json")[0]["iterations"]
    assert "{'n': ['2', '0']}" in known
    assert not any("'m'" in t for t in known), "which cannot matter"
    write(
        [
            {"params": {"n": n}, "callpath": "elsewhere", "metric": "time", "value": n}
            for n in (1, 2, 4, 8)
        ]
    )
    done = run("fit", "m.jsonl", "--analysis", "f.json")
    assert done.exit_code == 2
    assert "none of its loops and functions is a call path" in done.stderr


CALLED = """#include <stdlib.h>
volatile double s;
static void deep(int n) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++) for (int o = 0; o < n; o++) s += o;
}
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++) deep(n);
}
"""


def test_a_time_follows_the_loops_that_are_called_in_it(folder: Path) -> None:
    """n**6, which no program is taken to grow as before its loops were seen."""
    Path("f.c").write_text(CALLED)
    assert run("analyze", "f.c", "--json", "f.json").exit_code == 0
    outer = next(
        loop
        for loop in json.loads(Path("f.json").read_text())["loops"]
        if loop["function"] == "main"
    )
    assert outer["total"]["formula"] == "Max(0, n)"
    generator = np.random.default_rng(5)
    write(
        [
            {
                "params": {"n": n},
                "callpath": outer["at"],
                "metric": "time",
                "value": 1e-9 * n**6 * (1 + 0.02 * generator.standard_normal()),
            }
            for n in (8, 16, 24, 32, 48, 64)
        ]
    )
    assert "{'n': ['6', '0']}" not in fitted()[0]["time"]
    assert fitted("--analysis", "f.json")[0]["time"] == {"{'n': ['6', '0']}"}


def test_a_study_prefers_the_same_terms_as_a_file_of_its_analysis(folder: Path) -> None:
    Path("f.c").write_text(CALLED)
    assert run("analyze", "f.c", "--json", "f.json").exit_code == 0
    analysis = analyze(canonical(compile_sources([Path("f.c")])))
    studied = {
        key: prior
        for key, prior in analysis_priors(analysis, ["n"], {"n": 8}).items()
        if key[1] == "time"
    }
    series = tuple(
        Series.from_values(at, "time", ("n",), [(8,), (16,)], [[1], [2]]) for at, _ in studied
    )
    assert len(studied) == 6
    assert file_priors("f.json", Measurements(series)) == studied


def test_a_law_with_a_measured_symbol(folder: Path) -> None:
    generator = np.random.default_rng(3)
    rows = [
        (r, float(10 + 30 * generator.random())) for r in (100, 200, 400, 800) for _ in range(2)
    ]
    write(
        [
            {
                "params": {"rows": r, "nnz": z},
                "callpath": "spmv",
                "metric": "time",
                "value": 1e-9 * r * z * (1 + 0.1 * generator.standard_normal()),
            }
            for r, z in rows
        ]
    )
    for law in ("rows*nnz", "spmv:time=rows*nnz"):
        found, said = fitted("--law", law)
        assert found["time"] == {"{'nnz': ['1', '0'], 'rows': ['1', '0']}"}
        assert "far better" not in said
    assert "other laws describe the points far better than nnz**3" in fitted("--law", "nnz**3")[1]


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ("rows*", "not a formula"),
        ("rows*k", "of what was measured, nnz, rows"),
        ("f:time=rows", "no series f, time"),
        ("Max(rows, nnz)", "a sum of products"),
        ("time=rows", "write --law FORMULA, or"),
    ],
)
def test_laws_that_are_none_are_refused(folder: Path, law: str, message: str) -> None:
    write(
        [
            {"params": {"rows": r, "nnz": 3}, "callpath": "spmv", "metric": "time", "value": r}
            for r in (1, 2, 4)
        ]
    )
    done = run("fit", "m.jsonl", "--law", law)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
