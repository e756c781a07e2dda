"""The command line as users meet it: the main job, halves of it, and what happens when something is
wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sympy import sympify

from looplaw.cli.main import VERBS
from tests.command_line import looplaw
from tests.places import ROOT

PROGRAM = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long s;
static void work(int n, int m) {
    for (int i = 0; i < n; i++) {
        for (int j = i; j < m; j++) {
            s++;
        }
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 8;
    int m = argc > 2 ? atoi(argv[2]) : 8;
    if (n == 13) {
        fprintf(stderr, "n is unlucky\\n");
        return 5;
    }
    while (n == 99) {
        pause();
    }
    work(n, m);
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


def test_study_to_report_and_back(program: Path, tmp_path: Path) -> None:
    words = (
        "study",
        program.name,  # a whole path may be wider than a terminal
        "--vary",
        "n=4,8,16,32",
        "--vary",
        "m=10,20,30",
        "--repetitions",
        1,
        "--out",
        "out",
    )
    done = looplaw(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0 miscounted" in " ".join(done.stdout.split())
    assert "12\n  runs, none failed" in done.stdout or "12 runs, none failed" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    study = json.loads((tmp_path / "out" / "study.json").read_text())
    inner = next(loop for loop in study["loops"] if loop["nesting"] == 2)
    assert inner["obeys"] == "yes"
    assert len(inner["counted"]) == 12
    assert inner["iterations_model"]["terms"]
    page = (tmp_path / "out" / "report.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "program.c" in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page

    again = looplaw(*words, cwd=tmp_path)
    assert "12 runs were finished before and reused" in again.stderr
    assert looplaw("check", "out", cwd=tmp_path).returncode == 0
    table = looplaw("compare", "out", "--format", "csv", cwd=tmp_path)
    assert len(list(csv.reader(io.StringIO(table.stdout)))) == 1 + len(study["loops"])
    predicted = looplaw(
        "predict", "out/models.json", "--at", "n=100", "--at", "m=200", "--json", cwd=tmp_path
    )
    rows = {(r["callpath"], r["metric"]): r for r in json.loads(predicted.stdout)}
    assert len(rows) >= 2
    assert looplaw("report", "out", "--out", "again.html", cwd=tmp_path).returncode == 0


def test_failed_and_hanging_runs_do_not_end_the_study(program: Path, tmp_path: Path) -> None:
    done = looplaw(
        "study",
        program,
        "--vary",
        "n=4,13,99,8,16",
        "--vary",
        "m=10",
        "--repetitions",
        1,
        "--timeout",
        3,
        "--out",
        "out",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "run n=13, m=10 failed: exit code 5: n is unlucky" in done.stderr
    assert "run n=99, m=10 failed: ended after 3 s" in done.stderr
    study = json.loads((tmp_path / "out" / "study.json").read_text())
    assert study["summary"]["failed_runs"] == 2
    assert sum(r["status"] == "ok" for r in study["runs"]) == 3


def test_nothing_succeeds(program: Path, tmp_path: Path) -> None:
    done = looplaw("study", program, "--vary", "n=13", "--out", "out", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    said = done.stderr.splitlines()
    assert said[0] == "3 runs: n from argv[1]"
    assert said[-1].startswith("looplaw: no run succeeded: exit code 5; the program also reads m")
    assert not any(line.startswith(("report", "inconclusive")) for line in said)


def test_interrupt_keeps_what_was_measured(program: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "looplaw",
            "study",
            str(program),
            "--vary",
            "n=4,8,99",
            "--timeout",
            "60",
            "--repetitions",
            "1",
            "--out",
            "out",
        ],
        cwd=tmp_path,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    def finished() -> list[str]:
        return [
            line
            for path in tmp_path.glob("out/runs/*.jsonl")
            for line in path.read_text().splitlines()
            if '"run"' in line
        ]

    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not finished():
        time.sleep(0.05)  # until the first run is on disk
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert finished()
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (("analyze", "missing.c"), 2, "missing.c: no such file"),
        (("analyze", "wrong.c"), 2, "does not compile: "),
        (("analyze", "notes.txt"), 2, "unknown kind of file"),
        (("analyze", "broken.ll"), 2, "not LLVM IR"),
        (
            ("analyze", "program.c", "--entry", "nothing"),
            2,
            "no such function; the program defines main, work",
        ),
        (("study", "program.c"), 2, "nothing is varied: add --vary"),
        (("study", "program.c", "--vary", "n=1,x"), 2, "'x' is not an integer"),
        (
            ("study", "program.c", "--vary", "q=1,2"),
            2,
            "has no parameter q; it has n (argv[1]), m (argv[2])",
        ),
        (
            ("study", "program.c", "--vary", "m=1,2"),
            2,
            "parameter n (argv[1]) has no value: add --vary n=",
        ),
        (("study", "program.c", "--vary", "n=1", "--param", "n=argv"), 2, "write argv[1]"),
        (("study", "missing.toml"), 2, "missing.toml"),
        (("study", "program.c", "--vary", "n=1", "--args", "{k}"), 2, "k has no values"),
        (("fit", "missing.jsonl"), 2, "no such file"),
        (("fit", "bad.jsonl"), 3, 'bad.jsonl:2: value is "x", not a number'),
        (("predict", "bad.jsonl", "--at", "n=1"), 3, 'bad.jsonl:2: value is "x", not a number'),
        (("predict", "bad.jsonl", "--at", "n"), 2, "write NAME=NUMBER"),
        (("check", "nowhere"), 2, "no such file"),
    ],
)
def test_errors_are_one_clear_line(
    words: tuple[str, ...], code: int, part: str, program: Path, tmp_path: Path
) -> None:
    (tmp_path / "wrong.c").write_text("int main(void) { return x; }\n")
    (tmp_path / "notes.txt").write_text("notes\n")
    (tmp_path / "broken.ll").write_text("define nonsense\n")
    (tmp_path / "bad.jsonl").write_text(
        '{"params": {"n": 1}, "value": 1}\n{"params": {"n": 2}, "value": "x"}\n'
    )
    done = looplaw(*words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert part in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_analysis_formats_and_ir_inputs(program: Path, tmp_path: Path) -> None:
    text = looplaw("analyze", program, "--json", "-", cwd=tmp_path)
    data = json.loads(text.stdout)
    assert data["format"] == "looplaw-analysis/1"
    assert [p["name"] for p in data["parameters"]] == ["n", "m"]
    matrices = looplaw("analyze", program, "--matrix", cwd=tmp_path)
    assert "while (" in matrices.stdout
    for form in ("markdown", "latex", "csv", "json"):
        assert looplaw("analyze", program, "--format", form, cwd=tmp_path).returncode == 0
    from staticana import compile_sources

    (tmp_path / "program.ll").write_text(compile_sources([program]))
    again = json.loads(looplaw("analyze", "program.ll", "--json", "-", cwd=tmp_path).stdout)
    assert [loop["total"]["formula"] for loop in again["loops"]] == [
        loop["total"]["formula"] for loop in data["loops"]
    ]


def test_fit_without_any_program(tmp_path: Path) -> None:
    lines = [
        json.dumps(
            {
                "params": {"n": n, "p": p},
                "callpath": "main->solve",
                "metric": "time",
                "value": 3 * n * p + 2,
            }
        )
        for n in (10, 20, 40, 80)
        for p in (1, 2, 4, 8)
    ]
    done = looplaw("fit", "-", "--json", "models.json", cwd=tmp_path, stdin="\n".join(lines))
    assert done.returncode == 0
    model = json.loads((tmp_path / "models.json").read_text())["models"][0]
    assert model["constant"] == pytest.approx(2)
    assert model["terms"] == [
        {"coefficient": pytest.approx(3), "exponents": {"n": ["1", "0"], "p": ["1", "0"]}}
    ]
    assert set(model["quality"]) == {"smape", "adjusted_r2", "loo_smape", "points"}


def test_verify_finds_edge_cases_right(program: Path, tmp_path: Path) -> None:
    done = looplaw("verify", program, "--vary", "n=-3,0,1,7", "--vary", "m=-1,0,5", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 loops miscounted in total" in done.stdout


def test_run_feeds_fit(program: Path, tmp_path: Path) -> None:
    rows = looplaw(
        "run", program, "--vary", "n=4,8,16,32", "--vary", "m=50", "--repetitions", 1, cwd=tmp_path
    )
    assert rows.returncode == 0, rows.stderr
    assert looplaw("fit", "-", cwd=tmp_path, stdin=rows.stdout).returncode == 0


def test_doctor_and_help(tmp_path: Path) -> None:
    assert "compiler" in looplaw("doctor", cwd=tmp_path).stdout
    told = looplaw("--help", cwd=tmp_path).stdout + looplaw("help", "more", cwd=tmp_path).stdout
    assert all(f"\n  {verb} " in told for verb in VERBS)
    assert looplaw("study", "--help", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_help_of_every_verb_has_an_example(verb: str) -> None:
    from click.testing import CliRunner

    from looplaw.cli.main import main

    done = CliRunner().invoke(main, [verb, "--help"])
    assert done.exit_code == 0
    assert f"\n  looplaw {verb}" in done.output.replace("| looplaw", "looplaw")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_the_verbs(shell: str, tmp_path: Path) -> None:
    done = looplaw("completion", shell, cwd=tmp_path)
    assert done.returncode == 0
    assert "_LOOPLAW_COMPLETE" in done.stdout


def test_bash_completes_verbs(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "_LOOPLAW_COMPLETE": "bash_complete",
        "COMP_WORDS": "looplaw st",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", "from looplaw.cli.main import main; main(prog_name='looplaw')"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "plain,study" in done.stdout.splitlines()


def test_a_report_of_a_file_of_measurements(tmp_path: Path) -> None:
    lines = [
        {"params": {"n": n}, "callpath": "main->solve", "metric": "time", "value": 1e-6 * n * n}
        for n in (8, 16, 32, 64, 128)
    ]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    done = looplaw("fit", "m.jsonl", "--html", "report.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "report.html" in done.stderr
    assert "main-\\u003esolve" in (tmp_path / "report.html").read_text()


LIBRARY = """
static int part(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int whole(int n) { return part(n) + part(2 * n); }
void fill(double *a, int m) { for (int k = 0; k < m; k++) a[k] = 0; }
"""


def test_sources_without_a_main_function_are_a_library(tmp_path: Path) -> None:
    (tmp_path / "l.c").write_text(LIBRARY)
    done = looplaw("analyze", "l.c", "--json", "-", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "every exported function is analysed" in done.stderr
    data = json.loads(done.stdout)
    assert data["format"] == "looplaw-project/1"
    totals = {a["entry"]: [x["total"]["formula"] for x in a["loops"]] for a in data["analyses"]}
    assert totals.keys() == {"fill", "whole"}
    assert sympify(totals["fill"][0]).subs("m", 5) == 5
    assert sympify(totals["whole"][0]).subs("n", 5) == 15
    again = looplaw("analyze", "l.c", "--no-cache", "--json", "-", cwd=tmp_path)
    assert json.loads(again.stdout) == data
    one = looplaw("analyze", "l.c", "--entry", "fill", "--json", "-", cwd=tmp_path)
    assert json.loads(one.stdout)["entry"] == "fill"


@pytest.mark.parametrize(
    ("source", "words", "said"),
    [
        (LIBRARY, ("--param", "n=arg:whole:0"), "add --entry"),
        (LIBRARY, ("--entry", "main"), "no main: the program defines"),
        ("static int f(int n) { return n; }", (), "no function is exported"),
    ],
)
def test_what_a_library_is_not_asked_for(
    source: str, words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    (tmp_path / "l.c").write_text(source)
    done = looplaw("analyze", "l.c", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
