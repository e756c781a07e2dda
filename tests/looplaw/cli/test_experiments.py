"""Sweeps as users start them: study files, live models, tight times, budgets, full disks, the
environment of runs."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from staticana import find_compiler
from tests.places import ROOT

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
static volatile long s;
static void work(int n, int m) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            s++;
        }
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    if (argc > 3) {
        fprintf(stderr, "%4000d\\n", n);
    }
    work(n, m);
    return 0;
}
"""


@dataclass(frozen=True)
class Done:
    """A command that was run."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stdout.splitlines()]


def looplaw(*words: object) -> Done:
    """Run the command here."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    return Done(done.exit_code, done.stdout, done.stderr)


def looplaw_without_room(*words: object, largest: int) -> Done:
    """Run the command in a process of its own, no file of which may become larger than `largest`
    bytes."""
    done = subprocess.run(
        [sys.executable, "-m", "looplaw", *map(str, words)],
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest)),
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


def test_a_study_file_is_run_by_run_and_study(program: Path, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'program = "program.c"\n[vary]\nn = "2:8:*2"\nm = [5, 6]\n[run]\nrepetitions = 2\n'
        'warmup = 1\nseed = 5\n[design]\nkind = "lines"\n'
    )
    done = looplaw("run", "study.toml", "--out", "out")
    assert done.returncode == 0, done.stderr
    observed = {(r["params"]["n"], r["params"]["m"], r["repetition"]) for r in done.rows}
    assert observed == {
        (n, m, k) for n, m in ((2, 5), (4, 5), (8, 5), (2, 6), (4, 6)) for k in (0, 1)
    }
    inner = [r for r in done.rows if r["metric"] == "iterations" and r["value"] not in (2, 4, 8)]
    assert all(r["value"] == r["params"]["n"] * r["params"]["m"] for r in inner)
    again = looplaw("study", "study.toml", "--out", "out")
    assert again.returncode == 0, again.stderr
    assert "15 runs were finished before and reused" in again.stderr
    study = json.loads((tmp_path / "out" / "study.json").read_text())
    assert len(study["runs"]) == 10, "runs that warm up are none of the study's"
    assert {loop["obeys"] for loop in study["loops"]} == {"yes"}

    exported = looplaw("export", "out", "--format", "jsonl")
    assert sorted(exported.stdout.splitlines()) == sorted(done.stdout.splitlines()), (
        "the same without the program"
    )
    text = looplaw("export", "out", "--out", "out.txt")
    assert text.returncode == 0, text.stderr
    back = looplaw("import", "out.txt").rows
    assert sorted(json.dumps(r, sort_keys=True) for r in back) == sorted(
        json.dumps(r, sort_keys=True) for r in done.rows
    )
    assert "n=8" in looplaw("runs", "out").stdout


def test_runs_keep_their_environment(program: Path, tmp_path: Path) -> None:
    for words in (
        ("init", "-q"),
        ("add", "program.c"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    words = (
        "run",
        program,
        "--vary",
        "n=2",
        "--vary",
        "m=3",
        "--flag=-DX",
        "--repetitions",
        1,
        "--out",
        "out",
    )
    assert looplaw(*words).returncode == 0
    program.write_text(PROGRAM + "int more(int n) { return n + 1; }\n")
    assert looplaw(*words, "--seed", 1, "--repetitions", 2).returncode == 0
    lines = [
        json.loads(line)
        for path in sorted(
            (tmp_path / "out" / "runs").iterdir(), key=lambda p: p.stat().st_mtime_ns
        )
        for line in path.read_text().splitlines()
    ]
    found = [line["environment"] for line in lines if "environment" in line]
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert [e["dirty"] for e in found] == [False, True]
    assert all(head.startswith(e["revision"]) for e in found)
    assert all(
        {"host", "cpu", "governor", "cores", "os", "compiler", "looplaw"} <= set(e) for e in found
    )
    assert "-DX" in found[0]["flags"]
    runs = [line["run"] for line in lines if "run" in line]
    assert [r["seed"] for r in runs] == [0, 1, 1], "a changed source makes another program"
    assert all(r["started"] and r["elapsed_s"] > 0 and r["exit_code"] == 0 for r in runs)


def test_live_models_are_told_line_by_line(program: Path, tmp_path: Path) -> None:
    done = looplaw(
        "run",
        program,
        "--vary",
        "n=8,16,32,64,128",
        "--vary",
        "m=9",
        "--live",
        "--models",
        "models.json",
        "--out",
        "out",
    )
    assert done.returncode == 0, done.stderr
    assert "program.c:6:9, iterations: 9*n" in done.stderr
    assert "fitting: " in done.stderr.splitlines()[-1]
    assert "s CPU" in done.stderr.splitlines()[-1]
    models = json.loads((tmp_path / "models.json").read_text())
    assert any(m["metric"] == "iterations" for m in models["models"])
    assert len({r["repetition"] for r in done.rows}) == 3


def test_adaptive_runs_stop_or_say_what_is_missing(program: Path, tmp_path: Path) -> None:
    few = looplaw(
        "run",
        program,
        "--vary",
        "n=8,16",
        "--vary",
        "m=9",
        "--adaptive",
        "--repetitions",
        1,
        "--out",
        "few",
    )
    assert few.returncode == 3, few.stderr
    assert "program.c:6:9, iterations: " in few.stderr
    assert few.stdout, "what was measured is printed all the same"


def test_times_are_repeated_until_they_are_tight(program: Path, tmp_path: Path) -> None:
    done = looplaw(
        "run",
        program,
        "--vary",
        "n=300,600",
        "--vary",
        "m=1000",
        "--until",
        "0.0001%",
        "--repetitions",
        2,
        "--max-repetitions",
        5,
        "--out",
        "out",
    )
    assert done.returncode == 0, done.stderr
    assert {r["repetition"] for r in done.rows} == set(range(5)), "never so tight"
    assert "times at n=300, m=1000 are only known to" in done.stderr.replace(
        "m=1000, n=300", "n=300, m=1000"
    )
    loose = looplaw(
        "run",
        program,
        "--vary",
        "n=300,600",
        "--vary",
        "m=1000",
        "--until",
        "99%",
        "--repetitions",
        5,
        "--max-repetitions",
        5,  # also where the load makes the times wider than that
        "--out",
        "out",
    )
    assert len(list((tmp_path / "out" / "runs").iterdir())) == 1, "nothing had to be run again"
    assert loose.rows


def test_a_budget_ends_a_sweep_that_goes_on_later(program: Path, tmp_path: Path) -> None:
    words = (
        "run",
        program,
        "--vary",
        "n=2:60",
        "--vary",
        "m=3",
        "--repetitions",
        1,
        "--out",
        "out",
    )
    done = looplaw(*words, "--budget-time", "20ms")
    made = len({json.dumps(r["params"]) for r in done.rows})
    assert made < 59, "on a busy machine not even one run begins in time"
    assert "the budget of 0.02 s is spent; the same command goes on where it stopped" in done.stderr
    assert len({json.dumps(r["params"]) for r in looplaw(*words).rows}) == 59


def test_a_full_disk_is_one_line_and_keeps_what_is_finished(program: Path, tmp_path: Path) -> None:
    words = (
        "run",
        program,
        "--vary",
        "n=1:60",
        "--vary",
        "m=3",
        "--args",
        "{n} {m} loud",
        "--repetitions",
        1,
        "--out",
        "out",
    )
    full = looplaw_without_room(*words, largest=100_000)
    assert full.returncode == 2
    if find_compiler().kind == "zig" and "linking" in full.stderr:
        pytest.skip("the program that zig links is larger than that")
    assert (
        "cannot be written: File too large; finished runs are kept, the same command goes on there"
        in full.stderr
    )
    assert len(full.stderr.strip().splitlines()) == 1
    (path,) = (tmp_path / "out" / "runs").iterdir()
    kept = [line for line in path.read_text().splitlines() if '"run":' in line]
    assert 10 < len(kept) < 60
    assert path.read_bytes().endswith(b"}\n")
    done = looplaw(*words)
    assert done.returncode == 0, done.stderr
    again = [
        line
        for p in (tmp_path / "out" / "runs").iterdir()
        if p != path
        for line in p.read_text().splitlines()
    ]
    assert sum('"run":' in line for line in again) == 60 - len(kept)
