"""Closed forms are what the recurrence gives step by step."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from staticana.closed_forms.recurrences import closed_forms, taken_off
from staticana.expr import Expr, expr, maximum, minimum, sym

X, C = sym("x"), sym("c")


@pytest.mark.parametrize("update", [X - minimum(X, C), maximum(0, X - C)])
@given(start=st.integers(0, 90), taken=st.integers(0, 9), i=st.integers(0, 40))
@settings(max_examples=60, deadline=None)
def test_what_goes_down_stays_at_0(update: Expr, start: int, taken: int, i: int) -> None:
    form = closed_forms({"x": update}, {"x": sym("s")}, "i")["x"]
    x = start
    for _ in range(i):
        x = max(0, x - taken)
    assert form.evaluate({"s": start, "c": taken, "i": i}) == x
    assert taken_off("x", update) == C


def test_other_steps_are_not_taken_for_it() -> None:
    assert taken_off("x", X - minimum(X + 1, C)) is None
    assert taken_off("x", maximum(1, X - C)) is None
    assert taken_off("x", maximum(0, X * 2 - C)) is None
    assert taken_off("x", X - expr(2)) is None
