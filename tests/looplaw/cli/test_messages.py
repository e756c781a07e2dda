"""What people type by mistake: one line that says what is wrong and what to type, never a
traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main

PROGRAM = """#include <stdlib.h>
static volatile long s;
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    for (int i = 0; i < n; i++) s++;
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    Path("text.txt").write_text("hello world\n")
    Path("empty.txt").write_text("")
    Path("broken.json").write_text('{"a": 1')
    Path("bytes.json").write_bytes(b"\x00\xff")
    Path("none.json").write_text('{"format": "looplaw-models/1", "models": []}')
    Path("old/deep").mkdir(parents=True)
    Path("old/deep/study.json").write_text('{"format": "looplaw-study/1", "loops": []}')
    Path("m.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "params": {"n": n, "p": p},
                    "callpath": "solve",
                    "metric": "time",
                    "value": n * n / p,
                }
            )
            + "\n"
            for n in (4, 8, 16, 32)
            for p in (1, 2, 4, 8)
        )
    )
    CliRunner().invoke(main, ["fit", "m.jsonl", "--json", "models.json"], catch_exceptions=False)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("study", 2, "missing PROGRAM; type looplaw study matmul.c --vary n="),
        ("study p.c", 2, "add --vary NAME=VALUES"),
        ("analyze p.c --vary n=4", 2, "--vary is an option of study; type looplaw study --help"),
        ("fit text.txt", 2, "no reader knows this content. Write a table (CSV) with a header"),
        (
            "study p.c --vary n=64:8:*2",
            2,
            "holds no value: it runs from the low one to the high one, 8:64",
        ),
        ("study p.c --vary n=8:64:*1", 2, "nor 8:64:*2 for doubling"),
        ("study p.c --vary n=4 --format xml", 2, "looplaw study --help"),
        ("study p.c --vary n=4 --json nosuch/x.json", 2, "mkdir -p nosuch"),
        ("study p.c --frobnicate", 2, "Did you mean"),
        ("study p.c --vary n=4 --vary n=8", 2, "n has values already; name them all at once"),
        ("study p.c --vary n=4 --param n=argv[1] --param n=mpi:size", 2, "n is argv[1] already"),
        ("analyze p.c --param n=argv[1] --param m=argv[1]", 2, "argv[1] is named n already"),
        ("study p.c --vary n=4,8 --args 5", 2, "no value of n (argv[1]) reaches the program"),
        ("study p.c --vary n=4,8 --vary k=1,2 --param k=mpi:size --launcher env", 2, "has no {k}"),
        ("frobnicate", 2, "no such command"),
        ("verify", 2, "missing PROGRAM; type looplaw verify"),
        ("fit", 2, "missing FILE; type looplaw fit measurements.jsonl"),
        ("fit nothing.jsonl", 2, "nothing.jsonl: no such file"),
        ("fit text.txt", 2, '{"params": {"n": 64}'),
        ("fit empty.txt", 3, "is empty"),
        ("fit broken.json", 3, "broken.json:1: not JSON"),
        ("fit p.c", 2, "looplaw study p.c --vary"),
        ("fit models.json", 2, "looplaw predict models.json --at"),
        ("fit old/deep", 2, "looplaw export old/deep | looplaw fit -"),
        ("scaling old/deep", 2, "old/deep: the study varied no number of processes"),
        ("clusters old/deep", 2, "looplaw export old/deep | looplaw clusters -"),
        ("fit m.jsonl --html nosuch/x.html", 2, "mkdir -p nosuch"),
        ("predict none.json --at n=4", 3, "holds no models"),
        ("predict models.json --at n=4", 3, "add --at p=NUMBER"),
        ("predict models.json --at n", 2, "write NAME=NUMBER"),
        ("report .", 2, "looplaw study PROGRAM --vary"),
        ("report old", 2, "name one of those in it: old/deep"),
        ("report bytes.json", 2, "not text in UTF-8"),
        ("report none.json", 2, "looplaw predict none.json"),
        ("report m.jsonl --baseline .", 2, "holds no study.json"),
        ("compare .", 2, "holds no study.json"),
        ("compare none.json --at n=3", 3, "holds no models"),
        ("findings .", 2, "holds no study.json"),
        ("diff nowhere .", 2, "no such file or folder"),
        (
            "diff none.json none.json",
            3,
            "not a file of the format looplaw-analysis/1, but looplaw-models/1",
        ),
        ("plot . x", 2, "holds no study.json"),
        ("plot m.jsonl zzz", 2, "measured are solve"),
        ("clusters old", 2, "a directory"),
        ("completion powershell", 2, "'bash', 'zsh', 'fish'"),
    ],
)
def test_a_mistake_is_one_line_that_helps(words: str, code: int, said: str, folder: Path) -> None:
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == code, done.output
    assert isinstance(done.exception, SystemExit)
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert not done.stdout


def test_a_parameter_that_no_model_has_is_said(folder: Path) -> None:
    done = CliRunner().invoke(main, ["predict", "models.json", "--at", "n=4,p=2,q=7", "--json"])
    assert done.exit_code == 0
    assert "--at q: no model has this parameter; they have n, p" in done.stderr
    assert json.loads(done.stdout)[0]["value"] == pytest.approx(8)


def test_where_a_model_is_not_defined_is_no_number(folder: Path) -> None:
    done = CliRunner().invoke(main, ["predict", "models.json", "--at", "n=4,p=0", "--json"])
    assert done.exit_code == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)[0]["value"] is None


def test_table_is_another_word_for_text(folder: Path) -> None:
    found = [
        CliRunner().invoke(main, ["fit", "m.jsonl", "--format", form]).stdout
        for form in ("table", "text", "markdown")
    ]
    assert found[0] == found[1] != found[2]


def test_report_takes_measurements(folder: Path) -> None:
    done = CliRunner().invoke(main, ["report", "m.jsonl"])
    assert done.exit_code == 0, done.stderr
    assert "<title>m.jsonl" in Path("report.html").read_text()


def test_a_file_whose_name_begins_with_a_dash_is_no_option(folder: Path) -> None:
    Path("-p.c").write_text(PROGRAM)
    done = CliRunner().invoke(main, ["analyze", "--json", "-", "--", "-p.c"])
    assert (done.exit_code, done.stderr) == (0, "")
    (loop,) = json.loads(done.stdout)["loops"]
    assert loop["at"] == "./-p.c:5:5"
    planned = CliRunner().invoke(main, ["plan", "--", "-p.c"])
    assert "looplaw study ./-p.c " in planned.stdout


def test_without_the_header_of_mpi_it_is_said_what_gives_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPICC", "no-such-mpicc")
    Path("m.c").write_text('#include "nowhere/mpi.h"\n')
    Path("n.c").write_text("#include <mpi.h>\n")
    told = "no-such-mpicc cannot be run: install MPI"
    assert told not in CliRunner().invoke(main, ["analyze", "m.c"]).stderr
    assert told in CliRunner().invoke(main, ["analyze", "n.c"]).stderr
