"""Random C functions: no exact formula may differ from the count, no bound may be violated, at any
argument vector.

LOOPLAW_NESTS sets how many are tried (default: one of every shape); `make fuzz` tries
thousands.
"""

from __future__ import annotations

import os

import pytest
import sympy

from tests.fuzz.batch import PARAMETERS, LoopFinding
from tests.fuzz.generator import SHAPES, Case
from tests.fuzz.hunt import complaint, draw, judge, minimal

_COUNT = int(os.environ.get("LOOPLAW_NESTS", len(SHAPES)))


@pytest.fixture(scope="module")
def judged() -> list[tuple[Case, list[LoopFinding]]]:
    return list(judge(draw(range(_COUNT), seed=2014)))


def test_no_formula_is_wrong(judged: list[tuple[Case, list[LoopFinding]]]) -> None:
    for case, findings in judged:
        if complaint(findings) is not None:
            pytest.fail(minimal(case)[1], pytrace=False)


def test_formulas_were_compared(judged: list[tuple[Case, list[LoopFinding]]]) -> None:
    """The test above says nothing about loops that are refused or arguments for which programs do
    not end."""
    assert len(judged) == _COUNT
    every = [f for _, findings in judged for f in findings if f.shape != "work"]
    exact = [f for f in every if f.kind == "exact"]
    assert len(exact) > len(every) / 2
    assert sum(f.compared for f in exact) > 7 * len(exact)


def test_the_text_of_a_formula_means_the_count_to_sympy(
    judged: list[tuple[Case, list[LoopFinding]]],
) -> None:
    """Readers outside evaluate the text; a formula that only our own evaluation gets right is wrong
    for them."""
    texts = {
        str(f.formula): f
        for _, findings in judged
        for f in findings
        if f.formula is not None and f.counts and not f.wrong
    }
    symbols = {name: sympy.Symbol(name, integer=True) for name in PARAMETERS}
    for text, f in texts.items():
        if len(text) > 300:
            continue
        parsed = sympy.sympify(text, symbols)
        for values, counted in f.counts[::5]:
            if all(abs(v) < 20 for v in values.values()):
                assert (
                    _added_up(parsed.subs({symbols[k]: v for k, v in values.items()})) == counted
                ), (text, values)


def _added_up(e: sympy.Expr) -> sympy.Expr:
    """The value with sums added up from the outside in; sympy by itself stops where a limit rests
    on an outer index."""
    if isinstance(e, sympy.Sum):
        index, low, high = e.limits[-1]
        body = e.func(e.function, *e.limits[:-1]) if len(e.limits) > 1 else e.function
        return sum(
            (_added_up(body.subs(index, k)) for k in range(int(low.doit()), int(high.doit()) + 1)),
            sympy.Integer(0),
        )
    return e.func(*map(_added_up, e.args)) if e.has(sympy.Sum) else e.doit()
