"""Parameters that only the command line names: the program reads them in a way that no analysis
sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main

PROGRAM = """
#include <stdlib.h>
#include <unistd.h>
static volatile double sink;
static void sweep(int rows, int cols) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++)
      sink += j;
}
static void fixed(void) {
  for (int i = 0; i < 64; i++)
    sink += i;
}
int main(int argc, char **argv) {
  int rows = 10, cols = 5, c;
  while ((c = getopt(argc, argv, "r:c:")) != -1)
    if (c == 'r') rows = atoi(optarg);
    else cols = atoi(optarg);
  sweep(rows, cols);
  fixed();
  return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("options.c").write_text(PROGRAM)
    return "options.c"


def test_a_word_of_the_command_line_is_a_parameter_of_models(program: str) -> None:
    words = [
        "study",
        program,
        "--args",
        "-r {n} -c {m}",
        "--vary",
        "n=10,20,30,40,50",
        "--vary",
        "m=1,2,3,4,5",
        "--design",
        "lines",
        "--repetitions",
        "1",
        "--json",
        "study.json",
    ]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    study = json.loads(Path("study.json").read_text())
    assert [(p["name"], p["origin"]) for p in study["parameters"]] == [("n", "args"), ("m", "args")]
    assert (
        len(study["runs"]) == 10
    )  # two lines through a point, and a point off them, since all may depend on both
    loops = {loop["at"]: loop for loop in study["loops"]}
    models = {at: loop["iterations_model"]["formula"] for at, loop in loops.items()}
    assert models["options.c:6:3"] == "n"
    assert models["options.c:7:5"] in ("n*m", "m*n")
    assert models["options.c:11:3"] == "64"
    assert loops["options.c:11:3"]["obeys"] == "yes"
    laws = {at: loop["law"] for at, loop in loops.items()}
    assert laws["options.c:6:3"] == {
        "formula": "n",
        "kind": "bound",
        "where": {"rows": "n"},
        "seen": 10,
        "holds_for": {},
        "values": {"n": 5, "m": 5},
    }
    assert laws["options.c:7:5"]["where"] == {"rows": "n", "cols": "m"}
    shown = CliRunner().invoke(main, ["compare", "study.json", "--all"])
    assert "cols = m" in shown.output


def test_formulas_are_verified_beside_it(program: str) -> None:
    result = CliRunner().invoke(
        main, ["verify", program, "--args", "-r {n} -c {m}", "--vary", "n=0,3", "--vary", "m=2"]
    )
    assert result.exit_code == 0, result.output
    assert "0 loops wrong at an entry, 0 loops miscounted" in result.output


def test_a_name_that_formulas_use_is_left_to_the_parameter(program: str, tmp_path: Path) -> None:
    analysis = json.loads(CliRunner().invoke(main, ["analyze", program, "--json", "-"]).stdout)
    taken = next(o["symbol"] for loop in analysis["loops"] for o in loop["total"]["opaque"])
    command = ["study", program, "--args", f"-r {{{taken}}}", "--vary", f"{taken}=1,2,3"]
    target = tmp_path / "study.json"
    result = CliRunner().invoke(
        main, [*command, "--out", str(tmp_path / "out"), "--json", str(target)]
    )
    assert result.exit_code in (0, 1), result.stderr
    loops = json.loads(target.read_text())["loops"]
    assert all(taken not in (loop["law"] or {}).get("where", {}) for loop in loops)
