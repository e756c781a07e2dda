"""Preconditions that leave nothing to hold for."""

from __future__ import annotations

import pytest

from staticana.closed_forms.iteration_preconditions import excludes_all, for_all_iterations
from staticana.expr import Assumptions, Expr, expr, maximum, sym

N, M, I = sym("n"), sym("m"), sym("i")


@pytest.mark.parametrize(
    ("preconditions", "excludes"),
    [
        ([N, 255 - N], False),
        ([-N - 1, N], True),  # n <= -1 and n >= 0
        ([2147483647 - 8589934592 * N, 8589934592 * N + 2147483648], True),  # zero alone
        ([N - 1, 1 - N], False),  # one value, and not zero
        ([3 * N - 1, 2 - 3 * N], True),  # nothing between a third and two thirds
        ([-N - 1, M], False),
        ([N - M, M - N - 1], True),  # opposites
        ([N - M, M - N], False),
        ([maximum(0, N) - 4, 2 - maximum(0, N)], True),
        ([expr(-1)], False),
        ([], False),
    ],
)
def test_which_preconditions_leave_no_value(preconditions: list[Expr], excludes: bool) -> None:
    assert excludes_all(preconditions) is excludes


@pytest.mark.parametrize(
    ("each", "all_of_them"),
    [
        (100 - I * I - I, 100 - (N - 1) * (N - 1) - (N - 1)),  # falls: the last one
        (I * I + I - M, -M),  # grows: the first one
        (100 - I * I * N, 100 - (N - 1) * (N - 1) * N),
        (I * I - 3 * I + M, None),  # neither
    ],
)
def test_polynomials_hold_in_all_iterations_where_they_do_in_one(
    each: Expr, all_of_them: Expr | None
) -> None:
    inside = Assumptions([I, N - 1 - I, N])
    left, broken = for_all_iterations([each], "i", N - 1, inside)
    assert left == (frozenset() if all_of_them is None else {all_of_them})
    assert broken == (each if all_of_them is None else None)
