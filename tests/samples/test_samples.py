"""Each sample: the analysis obeys its contract, formulas equal independent counts, so do our
counters."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import sympy

from looplaw.settings.studyfile import read_study_file
from looplaw.studies.design import experiments
from runtime import build_program, plan_for, run
from staticana import analyze_module, canonical, compile_sources, parse_module
from tests.places import SAMPLES
from tests.printed_formulas import check_printed
from tests.twin import analysed, build_twin, check_exact, line_of, ordered_names

NAMES = sorted(p.parent.name for p in SAMPLES.glob("*/study.toml"))
# sample -> smallest and largest value of each argument, small enough to count
RANGES = {
    "fft": [(-2, 9)],
    "cg": [(-2, 12), (-2, 6)],
    "ep": [(2, 12), (1, 6), (0, 2)],
    "matmul": [(-2, 12)] * 3,
    "slides": [(-3, 70), (1, 9), (-3, 90)],
    "stencil": [(-2, 20), (-2, 6)],
    "mergesort": [(-2, 70)],
    "nbody": [(-2, 40)],
    "lu": [(-2, 20)],
    "trsv": [(-2, 30)],
}
LAWS = {
    "matmul": {"matmul.c:10": "n*m*k"},
    "trsv": {"trsv.c:9": "n*(n - 1)/2"},
    "lu": {"lu.c:10": "n*(n - 1)*(2*n - 1)/6"},
    "stencil": {"stencil.c:8": "steps*(n - 2)**2"},
    "nbody": {"nbody.c:12": "n*(n - 1)/2"},
    "fft": {"fft.c:30": "m*2**(m - 1)"},
    "cg": {"cg.c:36": "iterations*n**2", "cg.c:47": "n**2*(2*iterations + 1)"},
    "mergesort": {"mergesort.c:12": "n*ceiling(log(n, 2))"},
    "ep": {"ep.c:18": "2**b*ceiling(2**(m - b)/p)"},
    "slides": {"slides.c:14": "ceiling(log(floor(n/p) + 1, 2))"},
}
COUNT_FIELDS = {"kind", "formula", "lower", "upper", "opaque", "assumptions", "reason"}
ADDED = {"assumed"}  # fields beyond the contract


def vectors(name: str, seed: int) -> list[list[int]]:
    """Random arguments, and edge cases of the first one: 0, 1, negative, powers of two and their
    neighbours."""
    generator = random.Random(seed)
    ranges = RANGES[name]
    found = [[generator.randint(*r) for r in ranges] for _ in range(12)]
    for edge in (-1, 0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17):
        if ranges[0][0] <= edge <= ranges[0][1]:
            found.append([edge, *(max(low, 1) for low, _ in ranges[1:])])
    return found


def test_every_sample_is_covered() -> None:
    assert set(NAMES) == set(RANGES) == set(LAWS)


@pytest.mark.parametrize("name", NAMES)
def test_formulas_equal_counts(name: str, tmp_path: Path) -> None:
    source = SAMPLES / name / f"{name}.c"
    analysis = analysed([source])
    assert check_exact(analysis, build_twin([source], tmp_path), vectors(name, seed=11)) > 20
    assert check_printed(analysis) > 20


@pytest.mark.parametrize("name", NAMES)
def test_the_law_is_the_one_people_know(name: str) -> None:
    analysis = analysed([SAMPLES / name / f"{name}.c"])
    totals = {line_of(loop.at): loop.total for loop in analysis.loops}
    names = {p.name: sympy.Symbol(p.name, integer=True, positive=True) for p in analysis.parameters}
    for at, law in LAWS[name].items():
        expected = sympy.sympify(law, names)
        found = sympy.sympify(str(totals[at].formula), names)
        for scale in (8, 16, 64):
            values = {s: scale if k != "p" else 4 for k, s in names.items()}
            if name == "ep":
                values[names["m"]], values[names["b"]] = scale // 8 + 9, 4
            elif name == "fft":
                values[names["m"]] = scale // 8 + 2
            assert sympy.simplify(expected.subs(values) - found.subs(values)) == 0, (at, str(found))


@pytest.mark.parametrize("name", NAMES)
def test_counters_equal_counts(name: str, tmp_path: Path) -> None:
    source = SAMPLES / name / f"{name}.c"
    text = canonical(compile_sources([source]))
    module = parse_module(text)
    analysis = analyze_module(module)
    plan = plan_for(module, [key for loop in analysis.loops for key in loop.headers])
    program = build_program(text, plan, tmp_path / "program")
    twin = build_twin([source], tmp_path)
    for vector in vectors(name, seed=3)[::4]:
        result = run(
            [str(program.executable), *map(str, vector)], timeout_s=60, cells=tmp_path / "cells"
        )
        expected = twin.run(vector)
        assert result.counts is not None
        for counter in plan.counters:
            assert result.counts.iterations[counter.id] == expected[line_of(counter.at)], (
                counter.at,
                vector,
            )


@pytest.mark.parametrize("name", NAMES)
def test_json_obeys_the_contract(name: str) -> None:
    data = json.loads(json.dumps(analysed([SAMPLES / name / f"{name}.c"]).to_json()))
    assert data["format"] == "looplaw-analysis/1"
    places = {loop["at"] for loop in data["loops"]}
    for loop in data["loops"]:
        assert {
            "at",
            "function",
            "nesting",
            "parent",
            "parameters",
            "per_entry",
            "per_call",
            "total",
        } <= set(loop)
        assert loop["nesting"] >= 1
        assert (loop["parent"] is None) == (loop["nesting"] == 1)
        assert loop["parent"] is None or loop["parent"] in places
    counts = [loop[k] for loop in data["loops"] for k in ("per_entry", "per_call", "total")]
    counts += [f[k] for f in data["functions"] for k in ("work", "depth")]
    counts += [c for f in data["functions"] for c in f["operations"].values()]
    for count in counts:
        assert set(count) - ADDED == COUNT_FIELDS
        assert count["kind"] in ("exact", "parametric", "bounded", "unknown")
        assert (count["formula"] is None) == (count["kind"] in ("bounded", "unknown"))
        assert count["kind"] == "exact" or count["reason"]
        if count["formula"]:
            names = {p["name"] for p in data["parameters"]} | {o["symbol"] for o in count["opaque"]}
            symbols = {n: sympy.Symbol(n, integer=True) for n in names}
            formula = sympy.sympify(count["formula"], symbols)
            assert {str(s) for s in formula.free_symbols} <= names
            assert count["kind"] != "exact" or not count["opaque"]


@pytest.mark.parametrize("name", NAMES)
def test_study_file_is_runnable(name: str) -> None:
    settings = read_study_file(SAMPLES / name / "study.toml")
    assert settings.about
    analysis = analysed(settings.program)
    assert len(experiments(settings, analysis)) * settings.runs.repetitions >= 10
    assert list(settings.vary) == ordered_names(analysis)


def test_matrix_product_flops() -> None:
    analysis = analysed([SAMPLES / "matmul" / "matmul.c"])
    multiply = next(f for f in analysis.functions if f.name == "multiply")
    assert multiply.operations["flops"].evaluate({"n": 3, "m": 4, "k": 5}) == 2 * 3 * 4 * 5


def test_ep_work_depth_efficiency() -> None:
    """Slides 004, "Case studies": W = 2**m, D one block, E = W / (p N)."""
    run_ = next(f for f in analysed([SAMPLES / "ep" / "ep.c"]).functions if f.name == "run")
    assert run_.depth.formula is not None
    values = dict.fromkeys(run_.depth.formula.symbols, 3) | {"m": 12, "b": 4}
    # one block, the first: 2**b pairs and the halving that ends at once
    assert run_.depth.formula.evaluate(values) == 2**4 + 1
    assert run_.efficiency is not None
