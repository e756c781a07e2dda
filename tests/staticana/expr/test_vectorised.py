"""Formulas at many points equal what they are at each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from staticana.expr import (
    Expr,
    ceil_div,
    ceil_log,
    expr,
    floor_div,
    maximum,
    minimum,
    step,
    sym,
    trunc_div,
)
from staticana.expr.vectorised import NotVectorisedError, at_points, is_vectorised

LEAVES = st.one_of(st.sampled_from([sym("n"), sym("m")]), st.integers(-9, 9).map(expr))


def _grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: maximum(*p)),
        pairs.map(lambda p: minimum(*p)),
        inner.map(step),
        st.tuples(inner, st.integers(1, 7)).map(lambda p: floor_div(p[0], expr(p[1]))),
        st.tuples(inner, st.integers(1, 7)).map(lambda p: ceil_div(p[0], expr(p[1]))),
        st.tuples(inner, st.integers(1, 7)).map(lambda p: trunc_div(p[0], expr(p[1]))),
    )


@settings(max_examples=200)
@given(st.recursive(LEAVES, _grown, max_leaves=6))
def test_many_points_are_as_one(e: Expr) -> None:
    points = np.arange(-7, 20)
    others = 3 - 2 * points
    assert is_vectorised(e)
    found = np.broadcast_to(at_points(e, {"n": points, "m": others}), points.shape)
    assert found.tolist() == [
        e.evaluate({"n": int(n), "m": int(m)}) for n, m in zip(points, others, strict=True)
    ]


def test_what_has_no_vectorised_form_is_said() -> None:
    log = ceil_log(2, sym("n"))
    assert not is_vectorised(log)
    with pytest.raises(NotVectorisedError):
        at_points(log, {"n": np.arange(4)})
    with pytest.raises(KeyError):
        at_points(sym("k"), {})
