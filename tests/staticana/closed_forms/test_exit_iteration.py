"""The first iteration in which a test fails, for each shape of test, against a search."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from staticana.closed_forms.exit_iteration import ExitIteration, earliest, first_failure
from staticana.expr import Assumptions, Expr, expr, floor_div, maximum, power, step, sym
from staticana.expr.predicates import Cond, compare, conjunction, disjunction

I, N, M = sym("i"), sym("n"), sym("m")
NONE = Assumptions([I])
LIMIT = 400

SHAPES = {
    "line": N - 1 - I * 3,
    "line of a symbolic step": N - I * M,
    "parabola": N - I * I * 2,
    "parabola with a linear term": N - I * I - I * 3,
    "parabola with a fraction": N - (I * I + I).over(2),
    "cube": N - I**3,
    "shifted cube": N - (I + 2) ** 3,
    "geometric": N - power(2, I) * 3,
    "geometric with a symbolic factor": N - power(2, I) * M,
    "quotient": floor_div(N, power(2, I)) - 1,
    "quotient of a quotient": floor_div(floor_div(N, power(2, I)), expr(3)) - 2,
    "taken off": maximum(0, N - I * M) - 1,
}


def holds(condition: Cond, values: dict[str, int]) -> bool:
    if condition.parts:
        found = [holds(p, values) for p in condition.parts]
        return all(found) if condition.kind == "and" else any(found)
    value = condition.arg.evaluate(values)
    return {"ge": value >= 0, "eq": value == 0, "ne": value != 0}[condition.kind]


def first(condition: Cond, values: dict[str, int]) -> int | None:
    return next((i for i in range(LIMIT) if not holds(condition, {**values, "i": i})), None)


def check(found: ExitIteration | None, condition: Cond, values: dict[str, int]) -> None:
    assert found is not None
    if any(n.evaluate(values) < 0 for n in found.preconditions):
        return
    expected = first(condition, values)
    if found.at is None:
        assert expected == (None if found.holds.evaluate(values) == 1 else 0)
    elif found.happens.evaluate(values) == 1:
        assert found.at.evaluate(values) == expected


@pytest.mark.parametrize("shape", SHAPES)
@given(n=st.integers(-9, 90), m=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_every_shape_has_its_solver(shape: str, n: int, m: int) -> None:
    condition = Cond("ge", SHAPES[shape])
    check(first_failure(condition, "i", NONE), condition, {"n": n, "m": m})


@given(n=st.integers(-9, 60), step=st.integers(-4, 4))
@settings(max_examples=60, deadline=None)
def test_equalities(n: int, step: int) -> None:
    for kind in ("eq", "ne"):
        condition = Cond(kind, N + I * step)
        check(first_failure(condition, "i", NONE), condition, {"n": n})


@given(n=st.integers(-9, 60), step=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_what_is_taken_off_ends(n: int, step: int) -> None:
    condition = compare("ne", maximum(0, N - I * step), expr(0))
    check(first_failure(condition, "i", NONE), condition, {"n": n})


@given(n=st.integers(-9, 60), m=st.integers(-9, 60))
@settings(max_examples=60, deadline=None)
def test_several_conditions(n: int, m: int) -> None:
    parts = Cond("ge", N - I * 2), Cond("ge", M - I * I)
    for condition in (conjunction(*parts), disjunction(*parts)):
        check(first_failure(condition, "i", NONE), condition, {"n": n, "m": m})


@given(n=st.integers(-9, 60), m=st.integers(-9, 60), slope=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_an_equality_beside_other_conditions(n: int, m: int, slope: int) -> None:
    """It may end the loop, or never hold; another one may end it before, or be an equality, too."""
    once, line = Cond("ne", N - I * slope), Cond("ge", M - I * 2)
    other = Cond("ne", M - I * (slope + 1))
    for parts in ((once, line), (line, once), (once, other), (other, once, line)):
        condition = conjunction(*parts)
        check(first_failure(condition, "i", NONE), condition, {"n": n, "m": m})


@given(n=st.integers(-5, 60), m=st.integers(-9, 60))
@settings(max_examples=40, deadline=None)
def test_the_earliest_of_those_that_happen(n: int, m: int) -> None:
    certain, perhaps = ExitIteration(N + 9), ExitIteration(M + 9, happens=step(M))
    at = {"n": n, "m": m}
    for exits in ([certain, perhaps], [perhaps, certain], [perhaps, certain, certain]):
        found = earliest(exits)
        assert found.at is not None
        assert found.at.evaluate(at) == (min(n, m) + 9 if m >= 0 else n + 9)
    both = earliest([perhaps, ExitIteration(N + 9, happens=step(N))])
    assert both.at is not None
    if n >= 0 and m >= 0:
        assert both.at.evaluate(at) == min(n, m) + 9


def test_an_unsigned_counter_that_falls_wraps_below_zero() -> None:
    found = first_failure(compare("uge", N - I, expr(0)), "i", Assumptions([I, N]))
    assert found is not None
    assert found.at == N + 1  # n - i is 0 in iteration n, and huge in the next, where C ends it


@pytest.mark.parametrize("shape", [I * I * M, N - I * I * M, power(2, I) * I - N])
def test_what_has_no_solver_is_refused(shape: Expr) -> None:
    assert first_failure(Cond("ge", shape), "i", NONE) is None


def test_the_earliest_of_several() -> None:
    assert (
        earliest([ExitIteration(N), ExitIteration(expr(3))]).at
        == earliest([ExitIteration(expr(3)), ExitIteration(N)]).at
    )
