"""looplaw plan: which loops need a counter, what to vary, how many points."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from looplaw.settings.settings import parse_vary

Json = dict[str, Any]
PROGRAM = """#include <stdlib.h>
static volatile long s, t, sink;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), seed = atoi(argv[2]), m = atoi(argv[3]), a = atoi(argv[4]);
    for (int i = 0; i < 100; i++) sink = seed;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s++;
    for (int i = 0; i < 1 << a; i++)
        while (t % 3) t++;
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("nest.c").write_text(PROGRAM)
    return "nest.c"


def run(*words: str) -> str:
    done = CliRunner().invoke(main, ["plan", *words])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def plan(*words: str) -> Json:
    found: Json = json.loads(run(*words, "--json", "-"))
    assert found["format"] == "looplaw-plan/1"
    return found


def test_only_loops_without_a_formula_need_a_counter(program: str) -> None:
    loops = {loop["at"].split(":")[1]: loop for loop in plan(program)["loops"]}
    assert {line: loop["counter"] for line, loop in loops.items()} == {
        "5": False,
        "6": False,
        "7": False,
        "8": False,
        "9": True,
    }
    assert loops["9"]["why"].startswith("its end depends on data")
    assert (loops["5"]["display"], loops["5"]["why"], loops["5"]["parameters"]) == (
        "100",
        "constant",
        [],
    )
    assert loops["7"]["display"] == "m*n"


def test_what_to_vary(program: str) -> None:
    found = plan(program)
    parameters = {p["name"]: p for p in found["parameters"]}
    assert list(parameters) == ["n", "seed", "m", "a"]  # in the order of the command line
    assert not parameters["seed"]["vary"]
    assert all(len(p["values"]) == (5 if p["vary"] else 1) for p in parameters.values())
    assert found["unaffected"] == ["nest.c:5:5"]
    assert ["m", "n"] in found["groups"]
    assert ["a"] in found["groups"]


def test_points_are_lines_through_one_base_and_one_off_them(program: str) -> None:
    found = plan(program)
    points, values = found["points"], {p["name"]: p["values"] for p in found["parameters"]}
    assert found["grid"] == 125
    assert len(points) == 5 + 4 + 4 + 1
    base = {name: v[0] for name, v in values.items()}
    for name, line in values.items():
        assert all(base | {name: v} in points for v in line)
    off = [p for p in points if sum(p[name] != base[name] for name in p) > 1]
    assert [[name for name in p if p[name] != base[name]] for p in off] == [["n", "m"]]


def test_the_longest_run_is_affordable(program: str) -> None:
    values = {p["name"]: p["values"] for p in plan(program)["parameters"]}
    assert values["n"][-1] * values["m"][-1] + 2 ** values["a"][-1] <= 200_000_000
    assert values["n"] == [values["n"][0] * 2**k for k in range(5)]
    assert values["a"] == [values["a"][0] + 2 * k for k in range(5)]  # an exponent: equal steps


def test_the_command_is_a_study(program: str) -> None:
    found = plan(program, "--flag=-DX='a b'")
    words = shlex.split(found["command"])
    assert words[:3] == ["looplaw", "study", "nest.c"]
    assert words[-1] == "--flag=-DX='a b'"
    varied = parse_vary([words[k + 1] for k, w in enumerate(words) if w == "--vary"])
    assert {p["name"]: tuple(p["values"]) for p in found["parameters"]} == varied
    text = run(program)
    shown = text[text.index("looplaw study nest.c") :].replace("\\\n", " ")
    assert shlex.split(shown)[:3] == ["looplaw", "study", "nest.c"]
    assert shlex.split(shown)[3:] == [w for w in words[3:] if not w.startswith("--flag")]


def test_nothing_to_vary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fixed.c").write_text(
        "volatile int s; int main(void) { for (int i = 0; i < 9; i++) s++; return 0; }\n"
    )
    found = plan("fixed.c")
    assert (found["points"], found["grid"], found["command"]) == ([], 0, None)
    assert "there is nothing to vary" in run("fixed.c")
    Path("part.c").write_text(
        "volatile int s; void part(int n) { for (int i = 0; i < n; i++) s++; }\n"
    )
    assert plan("part.c", "--entry", "part")["command"] is None  # no program to run
    assert plan("part.c", "--entry", "part")["parameters"][0]["values"]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "json"])
def test_formats(form: str, program: str) -> None:
    text = run(program, "--format", form)
    assert "nest.c" in text
    if form == "text":
        assert "..." not in text, "what is piped is not cut"
        assert "1 of 5 loops needs a counter" in text
        assert "14 points are enough, instead of 125" in " ".join(text.split())
        assert "(m and n)" in text
    if form == "json":
        assert [row["counter"] for row in json.loads(text)].count(True) == 1


def test_a_value_is_followed_through_hundreds_of_branches(program: str) -> None:
    branches = "\n".join(f"    if (s > {k}) s++;" for k in range(500))
    Path(program).write_text(f"""#include <stdlib.h>
static volatile int s;
static int k, a[100];
int main(int argc, char **argv) {{
    k = atoi(argv[1]);
    if (argc > 2) k = 7;
{branches}
    for (int i = 0; i < k; i++) a[i] += a[k];
    return 0;
}}
""")
    (k,) = plan(program)["parameters"]
    assert k["name"] == "k"
    assert k["loops"] == 1
