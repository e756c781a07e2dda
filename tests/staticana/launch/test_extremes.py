"""Maxima over a range against all values in it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from staticana.closed_forms.sums import summation
from staticana.expr import (
    Assumptions,
    Expr,
    TooComplex,
    ceil_div,
    expr,
    floor_div,
    maximum,
    minimum,
    step,
    sym,
)
from staticana.launch.extremes import highest

I, N, M = sym("i"), sym("n"), sym("m")
_AFFINE = st.builds(
    lambda a, b, c, d: I * a + N * b + M * c + d, *[st.integers(-3, 3)] * 3, st.integers(-9, 9)
)
_NUMBER = st.one_of(
    st.builds(lambda e: maximum(0, e), _AFFINE),
    st.builds(lambda a, b: maximum(0, minimum(a, b)), _AFFINE, _AFFINE),
    st.builds(lambda e, d: maximum(0, ceil_div(e, d)), _AFFINE, st.integers(1, 4)),
    st.builds(lambda e, d: maximum(0, floor_div(e, d)), _AFFINE, st.integers(1, 4)),
    st.builds(lambda k: expr(k), st.integers(0, 5)),
)
_GUARDED = st.builds(lambda e, *tests: _product(e, tests), _NUMBER, _AFFINE, _AFFINE)
_BODY = st.one_of(_NUMBER, _GUARDED, st.builds(lambda a, b: a + b, _GUARDED, _GUARDED))


def _product(e: Expr, tests: tuple[Expr, ...]) -> Expr:
    for test in tests:
        e = e * step(test)
    return e


@settings(max_examples=20)
@given(
    _BODY, st.integers(0, 9), st.lists(st.tuples(*[st.integers(-8, 8)] * 2), min_size=4, max_size=6)
)
def test_the_maximum_of_a_range(body: Expr, size: int, points: list[tuple[int, int]]) -> None:
    for high in (expr(size), maximum(0, N), minimum(N, M)):
        try:
            found = highest(body, "i", expr(0), high, Assumptions())
        except TooComplex:
            continue
        if found is None:
            continue
        for n, m in points:
            values = {"n": n, "m": m}
            end = int(high.evaluate(values))
            truth = max((body.evaluate({**values, "i": i}) for i in range(end)), default=0)
            assert found.evaluate(values) == truth


@settings(max_examples=40)
@given(
    st.sampled_from((1, 2, 3, 32, -1, -2)),
    st.booleans(),
    st.lists(st.tuples(st.integers(-60, 60), st.integers(1, 12)), min_size=6, max_size=8),
)
def test_quotients_over_all_residues(
    slope: int, guarded: bool, points: list[tuple[int, int]]
) -> None:
    quotient = floor_div(I * slope + N, M * abs(slope))
    body = maximum(0, -quotient) if guarded else quotient
    total = summation(body, "i", M, Assumptions([M - 1]))
    for n, m in points:
        truth = sum(body.evaluate({"n": n, "m": m, "i": i}) for i in range(m))
        assert total.evaluate({"n": n, "m": m}) == truth
