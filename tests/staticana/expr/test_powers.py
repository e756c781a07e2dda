"""Logarithms of powers and conditions on them are linear where the exponents say so."""

from __future__ import annotations

from fractions import Fraction

import pytest

from staticana.expr import Assumptions, Expr, ceil_log, floor_div, simplify, step, sym
from staticana.expr.powers import power

M = sym("m")


@pytest.mark.parametrize("base", [2, 3])
@pytest.mark.parametrize("shift", [-2, -1, 0, 1])
@pytest.mark.parametrize("more", [-1, 0, 1, 2])
@pytest.mark.parametrize("factor", [1, 3])
def test_logarithm_of_a_power(base: int, shift: int, more: int, factor: int) -> None:
    formula = ceil_log(base, power(base, M) * factor * Fraction(base) ** shift + more)
    for least in (0, 1, 3):
        found = simplify(formula, Assumptions([M - least]))
        for m in range(least, 8):
            assert found.evaluate({"m": m}) == formula.evaluate({"m": m})
    if factor == 1 and shift == -1 and more == 1:
        assert simplify(formula, Assumptions([M - 1])) == M


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 9])
@pytest.mark.parametrize("factor", [1, 2, 5])
def test_condition_on_a_power(limit: int, factor: int) -> None:
    formula = step(power(2, M) * factor - limit)
    found = simplify(formula, Assumptions())
    assert "**" not in str(found)
    for m in range(8):
        assert found.evaluate({"m": m}) == int(Fraction(2) ** m * factor >= limit)


@pytest.mark.parametrize("top", [power(2, M), M, M * 0 + 1])
def test_logarithm_of_a_quotient_by_zero_is_refused_where_it_is_evaluated(top: Expr) -> None:
    formula = ceil_log(2, floor_div(top, 0) + 1)
    with pytest.raises(ZeroDivisionError):
        formula.evaluate({"m": 3})
