"""Static bounds as terms for the fitter."""

from __future__ import annotations

import pytest

from looplaw.laws import lower_terms, upper_terms
from staticana.expr import Expr, sym

n, m, k = sym("n"), sym("m"), sym("k")


def shown(terms: tuple[object, ...]) -> set[str]:
    return {str(t) for t in terms}


@pytest.mark.parametrize(("bound", "upper", "lower"), [
    (n * m - 2 * n, {"m*n"}, set()), (n * n - n, {"n**2"}, {"n**2"}), (n * n + m, {"n**2", "m"}, {"n**2", "m"}),
    (n * k, set(), set()), (n * n - m, {"n**2"}, set()), (n - 2, {"n"}, {"n"})])
def test_bounds_are_used_as_far_as_they_hold(bound: Expr, upper: set[str], lower: set[str]) -> None:
    assert shown(upper_terms(bound, {"n", "m"})) == upper
    assert shown(lower_terms(bound, {"n", "m"})) == lower
