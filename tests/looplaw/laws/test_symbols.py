"""Calls of kernels kept apart by the values that their formulas speak of, in runs, files, models,
and while a run lasts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from click.testing import CliRunner, Result

from looplaw.cli.main import main
from looplaw.cli.watch import Watch
from looplaw.settings.settings import Settings
from looplaw.studies.building import build
from looplaw.studies.live import Live
from looplaw.studies.prepare import prepare
from modeling import Models
from runtime import RunRecord, RunResult, Snapshot, totals

# Sizes come from a file, so that no parameter of the run tells them; n does matter, by the last
# loop.
PROGRAM = """#include <stdio.h>
#include <stdlib.h>
struct grid { int rows, columns; };
static long data[64];
static long work(const struct grid *g, int k) {
    long t = 0;
    for (int i = 0; i < g->rows; i++) {
        for (int j = 0; j < g->columns; j++) t += data[(i * j) % 64];
        for (int j = 0; j < k; j++) t ^= data[j % 64];
    }
    return t;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rows, columns;
    struct grid *g = malloc(sizeof *g);
    FILE *sizes = argc > 2 ? fopen(argv[2], "r") : stdin;
    long t = 0;
    while (fscanf(sizes, "%d %d", &rows, &columns) == 2) {
        g->rows = rows;
        g->columns = columns;
        t += work(g, n);
        puts("called");
        fflush(stdout);
    }
    return t == 12345;
}
"""
SIZES = [
    (10, 20),
    (30, 40),
    (10, 20),
    (0, 5),
    (50, 3),
    (70, 80),
    (100, 7),
    (90, 90),
    (20, 11),
    (15, 60),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(PROGRAM)
    (tmp_path / "sizes").write_text("".join(f"{a} {b}\n" for a, b in SIZES))
    return tmp_path


def looplaw(*words: str, input: str = "") -> Result:
    done = CliRunner().invoke(main, words, input=input)
    assert done.exit_code == 0, done.output
    return done


RUN = (
    "run",
    "program.c",
    "--vary",
    "n=3,8",
    "--args",
    "{n} sizes",
    "--repetitions",
    "1",
    "--out",
    "out",
    "--metric",
    "symbols",
)


def per_call(rows: list[dict[str, Any]], line: int) -> dict[tuple[int, ...], float]:
    """Sorted values of the parameters -> iterations of one call, of the loop in this line."""
    return {
        tuple(sorted(r["params"].items())): r["value"]
        for r in rows
        if r["metric"] == "iterations_per_call" and f".c:{line}:" in r["callpath"]
    }


def test_every_combination_of_values_is_an_observation(folder: Path) -> None:
    """The call without rows never reads its columns: what it stands for is not known, and it is
    left out."""
    lines = [json.loads(line) for line in looplaw(*RUN).stdout.splitlines()]
    names = {name for r in lines if r["metric"] == "iterations_per_call" for name in r["params"]}
    assert names == {"n", "rows", "columns"}
    expected = {(a, b, n) for a, b in SIZES if a for n in (3, 8)}
    for line, count in (
        (7, lambda a, b, n: a),
        (8, lambda a, b, n: a * b),
        (9, lambda a, b, n: a * n),
    ):
        assert per_call(lines, line) == {
            tuple(sorted({"rows": a, "columns": b, "n": n}.items())): count(a, b, n)
            for a, b, n in expected
        }
    totals_of = {
        (r["params"]["n"], r["callpath"]): r["value"] for r in lines if r["metric"] == "iterations"
    }
    assert {n: v for (n, at), v in totals_of.items() if ".c:8:" in at} == {
        n: sum(a * b for a, b in SIZES) for n in (3, 8)
    }


def test_values_are_parameters_of_models_and_files(folder: Path) -> None:
    printed = looplaw(*RUN, "--models", "models.json").stdout
    (folder / "measured.jsonl").write_text(printed)
    looplaw("fit", "measured.jsonl", "--json", "fitted.json")
    for name in ("models.json", "fitted.json"):
        found = {
            m["callpath"].split(":")[1]: m
            for m in json.loads((folder / name).read_text())["models"]
            if m["metric"] == "iterations_per_call"
        }
        assert {
            line: sorted(p for t in m["terms"] for p in t["exponents"]) for line, m in found.items()
        } == {"7": ["rows"], "8": ["columns", "rows"], "9": ["n", "rows"]}, (
            "products of what was recorded"
        )
        assert all(round(m["terms"][0]["coefficient"], 6) == 1 for m in found.values())
        assert "n has 2 values" in found["9"]["reason"]
    assert sorted(looplaw("export", "out", "--format", "jsonl").stdout.splitlines()) == sorted(
        printed.splitlines()
    )
    looplaw("export", "out", "--format", "csv", "--out", "out.csv")
    assert sorted(looplaw("import", "out.csv").stdout.splitlines()) == sorted(printed.splitlines())


def test_a_program_without_such_values_is_refused(folder: Path) -> None:
    (folder / "plain.c").write_text(
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n    volatile long s = 0;\n"
        "    for (int i = 0; i < atoi(argv[1]); i++) s++;\n    return 0;\n}\n"
    )
    done = CliRunner().invoke(main, ["run", "plain.c", "--vary", "argv1=3", "--metric", "symbols"])
    assert done.exit_code == 2
    assert "--metric symbols: the formulas of the kernels depend on no value" in done.stderr


def points(live: Live) -> dict[tuple[str, str], list[list[float]]]:
    return {(s.callpath, s.metric): s.points.tolist() for s in live.measurements().series}


def test_models_are_there_while_the_run_lasts(folder: Path) -> None:
    """One run that calls the kernel with many sizes: after them, with the program still waiting,
    the laws are known; when it is over they are the same, and nothing counts twice."""
    prepared = prepare(
        Settings((Path("program.c"),), {"n": (3,)}, args=("3",), metrics=("symbols",))
    )
    program, live = build(prepared, folder), Live(prepared)
    experiment = prepared.experiments[0]

    def laws(models: Models) -> dict[str, set[str]]:
        return {
            m.callpath.split(":")[1]: {p for _, t in m.terms for p in t.parameters}
            for m in models.models
            if m.metric == "iterations_per_call" and m.identifiable
        }

    with subprocess.Popen(
        [str(program.executable), "3"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"LOOPLAW_CELLS": str(folder / "cells")},
    ) as process:
        assert process.stdin
        assert process.stdout
        for k, (a, b) in enumerate(SIZES):
            process.stdin.write(f"{a} {b}\n\n")
            process.stdin.flush()
            assert process.stdout.readline() == "called\n"
            seen = totals(folder / "cells")
            assert seen is not None
            assert live.so_far(experiment, seen.calls.rows)
            if k == 0:
                assert not laws(live.models()), "one size tells nothing"
        heard = Event()
        watched: list[Snapshot] = []
        with Watch(enabled=True) as watch:
            watch.follow(folder / "cells", lambda seen: (watched.append(seen), heard.set())[0])
            assert heard.wait(60)
        assert watched[0].calls.rows == seen.calls.rows, "the watch reads the same"
        early = laws(live.models())
        assert early["7"] == {"rows"}
        assert early["8"] == {"columns", "rows"}
        process.stdin.close()
    done = totals(folder / "cells")
    live.add(
        RunRecord.of(
            "", experiment.params, experiment.argv, 0, RunResult("ok", 0, "", "", 0.0, 0.0, done)
        )
    )
    assert laws(live.models()) == early
    statistics = points(live)
    assert not live.so_far(experiment, seen.calls.rows), (
        "the run is over: its calls do not count again"
    )
    assert points(live) == statistics
