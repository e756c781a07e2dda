"""Laws in a study's own parameters: unknowns bound by what runs show."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from looplaw.cli.main import main
from looplaw.laws.binding import Counts, bound_laws, given_formulas, given_values
from looplaw.laws.formula_reading import NotWritten, exact_formula
from staticana import Analysis, Count, LoopResult, ProgramParameter, Unknown
from staticana.expr import ZERO, Expr, Number, Sum, from_atom, maximum, minimum, power, sym

NX, T, S = sym("nx"), sym("t1"), sym("s")


def a_loop(at: str, total: Count) -> LoopResult:
    return LoopResult(at, "main", 1, None, (), total, total, total, ())


def parametric(formula: Expr, *names: str, guards: Sequence[str] = ()) -> Count:
    """`guards`: unknowns that tell whether a run comes to a place."""
    told = {g: f"whether the run passes {g} (1) or not (0)" for g in guards}
    opaque = tuple(Unknown(n, told.get(n, f"value {n}"), "p.c:1:1") for n in (*names, *guards))
    return Count("parametric", formula, opaque=opaque, reason="data")


def analysis(*loops: LoopResult) -> Analysis:
    return Analysis("main", (), loops, (), (), ())


def counts(law: dict[str, list[int]], values: list[int]) -> list[Counts]:
    return [
        Counts({"s": s}, {"s": s}, {at: n[k] for at, n in law.items()})
        for k, s in enumerate(values)
    ]


VALUES = [4, 5, 6, 7, 9, 12]


def test_an_unknown_is_bound_where_one_count_tells_it() -> None:
    loops = (
        a_loop("a", parametric(maximum(ZERO, NX + 1), "nx")),
        a_loop("b", parametric(maximum(ZERO, NX + 1) ** 3 * T, "nx", "t1")),
    )
    points = counts({"a": [s + 1 for s in VALUES], "b": [7 * (s + 1) ** 3 for s in VALUES]}, VALUES)
    found = bound_laws(analysis(*loops), points, ["s"], {}, {"s": 4})
    assert found["b"].kind == "bound"
    assert found["b"].where == {"nx": "s", "t1": "7"}
    assert found["b"].formula.evaluate({"s": 100}) == 7 * 101**3
    assert found["b"].seen == len(VALUES)


def test_a_count_without_formula_keeps_its_name() -> None:
    steps = [3, 11, 4, 8, 10, 6]
    loops = (a_loop("t", parametric(T, "t1")), a_loop("b", parametric(T * NX**2, "t1", "nx")))
    points = counts({"t": steps, "b": [t * s * s for t, s in zip(steps, VALUES)]}, VALUES)
    found = bound_laws(analysis(*loops), points, ["s"], {}, {"s": 4})
    assert "t" not in found
    assert (str(found["b"].formula), found["b"].open) == ("s**2*t1", ("t1",))


@pytest.mark.parametrize("taken", [0, 1])
def test_a_run_tells_which_way_it_went(taken: int) -> None:
    """Two modes of a program, each with a loop of its own around what both do: the counts of the
    outer loops say which one ran, and the rest follows."""
    guards, names = ("way", "other"), ("steps", "turns", "size")
    way, other, steps, turns, size = map(sym, (*guards, *names))
    inner = (way * steps + other * turns) * size
    loops = (
        a_loop("first", parametric(way * steps, "steps", guards=["way"])),
        a_loop("second", parametric(other * turns, "turns", guards=["other"])),
        a_loop("inner", parametric(inner, *names, guards=guards)),
    )
    outer = [3 * s for s in VALUES]
    law = {
        "first": outer if taken else [0] * len(VALUES),
        "second": [0] * len(VALUES) if taken else outer,
        "inner": [3 * s * (s + 1) for s in VALUES],
    }
    found = bound_laws(analysis(*loops), counts(law, VALUES), ["s"], {}, {"s": 4})
    assert found["inner"].kind == "bound"
    assert found["inner"].where["way"] == str(taken)
    assert found["inner"].where["size"] == "s + 1"
    assert found["inner"].formula.evaluate({"s": 100}) == 300 * 101


def test_a_formula_that_is_too_large_where_a_way_is_taken_binds_nothing() -> None:
    way, size = sym("way"), sym("size")
    loops = (
        a_loop("first", parametric(way * S, guards=["way"])),
        a_loop("second", parametric(size * power(2, 5000 * way), "size", guards=["way"])),
    )
    law = {"first": VALUES, "second": [2 * s for s in VALUES]}
    found = bound_laws(analysis(*loops), counts(law, VALUES), ["s"], {}, {"s": 4})
    assert found["second"].kind == "counted"
    assert str(found["second"].formula) == "2*s"


def _stepped(inside: dict[int, int], at: list[tuple[int, int]]) -> tuple[Analysis, list[Counts]]:
    """A loop of `steps` and one within it that runs inside[s] times in each."""
    steps, mean = sym("iterations"), sym("u1")
    loops = (
        a_loop("p.c:1:1", parametric(steps, "iterations")),
        a_loop("p.c:20:3", parametric(11 * steps * mean, "iterations", "u1")),
    )
    points = [
        Counts({"s": s, "t": t}, {}, {"p.c:1:1": t, "p.c:20:3": t * inside[s]}) for s, t in at
    ]
    return analysis(*loops), points


def test_data_inside_counted_steps_is_a_named_count() -> None:
    inside = {4: 57, 5: 101, 6: 93, 7: 190}
    at = [(s, t) for s in inside for t in (3, 5, 8)]
    program, points = _stepped(inside, at)
    law = bound_laws(program, points, ["s", "t"], {}, {"s": 4, "t": 3})["p.c:20:3"]
    assert (law.kind, law.open) == ("bound", ("iterations_20",))
    assert law.written == "iterations_20*t"
    assert law.where == {"iterations": "t"}


def test_loops_that_run_alike_share_the_name_of_their_count() -> None:
    inside = {4: 57, 5: 101, 6: 93, 7: 190}
    found, points = _stepped(inside, [(s, t) for s in inside for t in (3, 5, 8)])
    others = {"p.c:30:3": lambda n: 3 * n, "p.c:40:3": lambda n: n + 1}
    for at, change in others.items():
        mean = parametric(11 * sym("iterations") * sym(f"u{at}"), "iterations", f"u{at}")
        found = replace(found, loops=(*found.loops, a_loop(at, mean)))
        for p in points:
            p.iterations[at] = p.params["t"] * change(inside[p.params["s"]])
    laws = bound_laws(found, points, ["s", "t"], {}, {"s": 4, "t": 3})
    texts = {at: str(law.formula) for at, law in laws.items()}
    assert texts["p.c:20:3"] == "iterations_20*t"
    assert texts["p.c:30:3"] == "3*iterations_20*t"
    assert texts["p.c:40:3"] == "iterations_40*t"


def test_data_that_changes_from_step_to_step_has_no_law() -> None:
    inside = {4: 57, 5: 101, 6: 93, 7: 190}
    program, points = _stepped(inside, [(s, t) for s in inside for t in (3, 5, 8)])
    points[4] = Counts(points[4].params, {}, {"p.c:1:1": 5, "p.c:20:3": 5 * 101 + 5})
    assert "p.c:20:3" not in bound_laws(program, points, ["s", "t"], {}, {"s": 4, "t": 3})
    program, points = _stepped(inside, [(4, 3), (5, 5), (6, 8), (7, 9)])
    assert "p.c:20:3" not in bound_laws(program, points, ["s", "t"], {}, {"s": 4, "t": 3})


def test_a_run_that_disagrees_revokes_the_binding() -> None:
    loops = (a_loop("a", parametric(maximum(ZERO, NX), "nx")),)
    points = counts({"a": [*VALUES[:-1], 77]}, VALUES)
    assert bound_laws(analysis(*loops), points, ["s"], {}, {"s": 4}) == {}


def test_two_points_bind_nothing() -> None:
    loops = (a_loop("a", parametric(maximum(ZERO, NX), "nx")),)
    assert bound_laws(analysis(*loops), counts({"a": [4, 5]}, [4, 5]), ["s"], {}, {"s": 4}) == {}


def test_texts_of_laws_with_long_sums_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Sum(maximum(ZERO, sym("i") - 1), "i", power(2, S))
    total = Count("exact", from_atom(law))
    values = [3, 4, 5, 6, 7, 8]
    points = counts({"a": [int(law.evaluate({"s": s})) for s in values]}, values)
    longest = [0]
    evaluate = Sum.evaluate

    def recorded(self: Sum, at: Mapping[str, Number]) -> Number:
        longest[0] = max(longest[0], int(self.count.evaluate(at)))
        return evaluate(self, at)

    monkeypatch.setattr(Sum, "evaluate", recorded)
    found = bound_laws(analysis(a_loop("a", total)), points, ["s"], {}, {"s": 3})
    assert found["a"].formula.evaluate({"s": 3}) == points[0].iterations["a"]
    assert longest[0] <= 1 << 14


def test_words_of_the_command_line() -> None:
    parameters = [ProgramParameter(n, f"argv[{k}]") for k, n in enumerate(("nx", "ny", "nz"), 1)]
    words = ("{nx}", "{nx}", "10")
    assert given_formulas(parameters, words, ["nx"]) == {"ny": NX, "nz": sym("x") * 0 + 10}
    assert given_values(parameters, {"nx": 4}, ("4", "4", "010")) == {"nx": 4, "ny": 4}


@pytest.mark.parametrize(
    "text",
    ["s*(s - 1)/2", "floor(s/7)", "ceiling(log(s, 2))", "Max(1, s - 3)", "2**s", "Mod(s, 5)"],
)
def test_formulas_are_read_as_they_are_meant(text: str) -> None:
    from looplaw_common.formula.formula import parse_formula

    e = exact_formula(text)
    for s in (1, 2, 3, 7, 8, 9, 31):
        assert e.evaluate({"s": s}) == pytest.approx(parse_formula(text).evaluate({"s": s}))


def test_what_is_not_exact_is_refused() -> None:
    with pytest.raises(NotWritten):
        exact_formula("log(s, 2)")


INNER = "      for (int j = 0; j <= o.nx; j++)"
PROGRAM = """
#include <stdlib.h>
#include <string.h>
struct Options { int nx; int steps; };
static double field[4096];
static void parse(int argc, char **argv, struct Options *o) {
  for (int k = 1; k + 1 < argc; k++) {
    if (!strcmp(argv[k], "-s")) o->nx = atoi(argv[++k]);
    else if (!strcmp(argv[k], "-i")) o->steps = atoi(argv[++k]);
  }
}
int main(int argc, char **argv) {
  struct Options o = {8, 3};
  parse(argc, argv, &o);
  double change = 1000;
  while (change > o.steps) {
    for (int i = 0; i <= o.nx; i++)
      for (int j = 0; j <= o.nx; j++)
        field[(i * o.nx + j) % 4096] += 1;
    change *= 0.5;
  }
  return field[3] < 0;
}
"""


def test_a_study_binds_options_to_swept_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    done = CliRunner().invoke(
        main,
        [
            *("study", "p.c", "--args", "-s {s} -i 3", "--vary", "s=4:10:1"),
            *("--repetitions", "1", "--out", "out"),
        ],
    )
    assert done.exit_code in (0, 1), done.output
    loops = {
        loop["at"].split("/")[-1]: loop["law"]
        for loop in json.loads(Path("out/study.json").read_text())["loops"]
    }
    line = PROGRAM.split("\n").index(INNER) + 1
    inner = next(law for at, law in loops.items() if at.startswith(f"p.c:{line}:"))
    assert inner["kind"] == "bound"
    assert inner["formula"] in ("9*(s + 1)**2", "9*s**2 + 18*s + 9")
    assert inner["seen"] == 7


def test_a_law_keeps_branches_that_no_run_took() -> None:
    """All runs had n > m: the shortest text of their counts, m, is not that of the loop."""
    n, m = sym("n"), sym("m")
    loop = a_loop("a", Count("exact", minimum(maximum(ZERO, n), maximum(ZERO, m))))
    grid = [{"n": a, "m": b} for a in (16, 32, 64, 128) for b in (4, 8, 12, 15)]
    points = [Counts(at, at, {"a": min(at.values())}) for at in grid]
    (law,) = bound_laws(analysis(loop), points, ["n", "m"], {}, {"n": 16, "m": 4}).values()
    assert law.kind == "exact"
    text = exact_formula(law.written)
    assert [text.evaluate({"n": a, "m": b}) for a, b in ((2, 7), (7, 2), (0, 3))] == [2, 2, 0]
    assert law.values == {"n": 4, "m": 4}


def test_few_values_of_a_parameter_bind_nothing() -> None:
    """p - 1 fits the neighbours of 1, 2 and 4 ranks, at any number of sizes."""
    neighbours = {1: 0, 2: 1, 4: 3}
    loop = a_loop("a", parametric(maximum(ZERO, sym("count")), "count"))
    grid = [{"n": a, "p": b} for a in (64, 128, 256, 512) for b in neighbours]
    points = [Counts(at, at, {"a": neighbours[at["p"]]}) for at in grid]
    assert not bound_laws(analysis(loop), points, ["n", "p"], {}, {"n": 64, "p": 1})


GRID = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)]
PARTS = {"a": "floor(s/px)", "b": "floor(s/px)*floor(s/py)", "c": "px*floor(s/py)"}


def of_grid(sizes: Sequence[int], parts: Mapping[str, str]) -> Mapping[str, str]:
    """The laws of loops over the parts of a grid with sides that no loop has as its count."""
    laws = {at: exact_formula(text) for at, text in parts.items()}
    loops = [a_loop(at, parametric(e, *sorted(e.symbols - {"s"}))) for at, e in laws.items()]
    points = [
        Counts(
            {"s": s},
            {"s": s},
            {at: int(e.evaluate({"s": s, "px": px, "py": py})) for at, e in laws.items()},
        )
        for s, (px, py) in zip(sizes, GRID, strict=True)
    ]
    found = bound_laws(analysis(*loops), points, ["s"], {}, {"s": min(sizes)})
    assert all(set(law.open) <= {"px", "py"} for law in found.values())
    return {at: law.written for at, law in found.items()}


def test_the_sides_of_a_grid_are_told_by_several_loops_together() -> None:
    assert of_grid([60, 61, 63, 66, 71, 77], PARTS) == PARTS


def test_sides_that_many_grids_have_are_not_told() -> None:
    assert not of_grid([60, 61, 63, 66, 71, 77], {"a": PARTS["a"], "b": PARTS["b"]})
    few = {"a": "floor(s/(px + py))", "b": "floor(2*s/(px + py))", "c": "px + py + floor(s/9)"}
    assert not of_grid([60, 61, 63, 66, 71, 77], few)


def test_numbers_that_a_limit_hides_are_not_told() -> None:
    """px is some number beyond the limit: 64 gives the counts as well, and no loop ran so often."""
    parts = {"a": "s*Min(px, 64)", "b": "2*Min(px, 64)", "c": "3*s*Min(px, 64)"}
    laws = {at: exact_formula(text) for at, text in parts.items()}
    loops = [a_loop(at, parametric(e, "px")) for at, e in laws.items()]
    points = [
        Counts(
            {"s": s},
            {"s": s},
            {at: int(e.evaluate({"s": s, "px": s + 100})) for at, e in laws.items()},
        )
        for s in (8, 10, 12, 16, 20, 24)
    ]
    found = bound_laws(analysis(*loops), points, ["s"], {}, {"s": 8})
    assert not any("px" in law.open or "px" in law.where for law in found.values())
