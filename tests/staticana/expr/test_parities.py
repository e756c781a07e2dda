"""Halves of one whole number are written over its remainder where that is shorter."""

from __future__ import annotations

from itertools import product

import pytest

from staticana.expr import Expr, ceil_div, expr, floor_div, sym
from staticana.expr.parities import of_one_parity

N, M = sym("n"), sym("m")


def _half(e: Expr) -> Expr:
    return floor_div(e, expr(2))


def _up(e: Expr) -> Expr:
    return ceil_div(e, expr(2))


@pytest.mark.parametrize(
    ("formula", "is_gone"),
    [
        (_half(N) + _up(N), True),
        (N * 2 * _half(N) - _half(N) ** 2 * 2, False),
        (_up(N) ** 2 + _half(N) ** 2 + _half(N) * _half(N + 1) * 2, True),
        (_half(N + M) + _half(-N - M + 1) + _half(N) * M, False),
        (_half(N) + _half(M), False),
    ],
)
def test_formula_keeps_its_values(formula: Expr, is_gone: bool) -> None:
    found = of_one_parity(formula)
    assert ("floor" not in str(found) and "ceil" not in str(found)) == is_gone
    assert len(str(found)) <= len(str(formula))
    for n, m in product(range(-5, 7), repeat=2):
        values = {"n": n, "m": m}
        assert found.evaluate(values) == formula.evaluate(values)
