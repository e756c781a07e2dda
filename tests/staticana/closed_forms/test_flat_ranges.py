"""Sums over one range that stands for two, against all of its terms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from staticana.closed_forms.sums import summation
from staticana.expr import Assumptions, Expr, floor_div, step, sym

T, N, M = sym("t"), sym("n"), sym("m")
Q = floor_div(T, M)
R = T - M * Q


@pytest.mark.parametrize(
    ("condition", "holds"),
    [(Q - R, lambda q, r: r <= q), (R - Q - 1, lambda q, r: r > q), (R - 2, lambda q, r: r >= 2)],
    ids=["below the diagonal", "above it", "behind a column"],
)
def test_a_condition_on_quotient_and_rest_is_summed(
    condition: Expr, holds: Callable[[int, int], bool]
) -> None:
    found = summation(step(condition), "t", N * M, Assumptions([N - 1, M - 1]))
    assert not found.has_sum
    for n in range(1, 7):
        for m in range(1, 7):
            truth = sum(holds(t // m, t % m) for t in range(n * m))
            assert found.evaluate({"n": n, "m": m}) == truth, (n, m, str(found))
