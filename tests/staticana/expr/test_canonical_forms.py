"""Equal values have one form, and what is written is what is meant where ranges are empty."""

from __future__ import annotations

import pytest
import sympy

from staticana.closed_forms.sums import summation
from staticana.expr import (
    Assumptions,
    Expr,
    Sum,
    ceil_div,
    expr,
    floor_div,
    format_expr,
    from_atom,
    is_nonnegative,
    maximum,
    minimum,
    power,
    root,
    sym,
)

N, M, I = sym("n"), sym("m"), sym("i")


@pytest.mark.parametrize("inner", [2, 3, 8])
@pytest.mark.parametrize("outer", [2, 5])
@pytest.mark.parametrize("added", [0, 1, 7, -3])
def test_quotients_of_quotients_are_one(inner: int, outer: int, added: int) -> None:
    nested = floor_div(floor_div(N, inner) + added, outer)
    assert nested == floor_div(N + added * inner, inner * outer)
    assert nested.evaluate({"n": 101}) == (101 // inner + added) // outer


def test_quotients_of_two_quotients_keep_their_value() -> None:
    both = floor_div(floor_div(N, 2) + floor_div(M, 2), 3)
    squared = floor_div(floor_div(N, 2) * floor_div(N, 2), 3)
    for n in range(-9, 9):
        assert both.evaluate({"n": n, "m": 5}) == (n // 2 + 2) // 3
        assert squared.evaluate({"n": n}) == (n // 2) ** 2 // 3


@pytest.mark.parametrize("last", [N - 5, N])
def test_a_sum_over_no_range_is_written_as_zero(last: Expr) -> None:
    """sympy goes backwards through a range that ends before it begins."""
    text = str(from_atom(Sum(root(2, I) + 1, "i", last)))
    for n in range(8):
        found = sympy.sympify(text, {"n": sympy.Integer(n), "i": sympy.Symbol("i")}).doit()
        expected = sum(int(k**0.5) + 1 for k in range(int(last.evaluate({"n": n}))))
        assert found == expected, (text, n)


@pytest.mark.parametrize("tile", [expr(4), M])
@pytest.mark.parametrize("is_guarded", [False, True])
def test_tiles_cover_their_range_once(tile: Expr, is_guarded: bool) -> None:
    in_tile = minimum(tile, N - tile * I)
    body = maximum(0, in_tile) if is_guarded else in_tile
    facts = Assumptions([N, M - 1])
    assert summation(body, "i", ceil_div(N, tile), facts) == N
    # one more inside each tile
    more = summation(body * 3 + 1, "i", ceil_div(N, tile), facts)
    assert more == N * 3 + ceil_div(N, tile)


@pytest.mark.parametrize(
    ("e", "facts"),
    [
        (N, [N]),
        (N * M, [N, M]),
        (N * M - M, [N - 1, M]),
        (N - floor_div(N, 3), [N]),
        (floor_div(N, 3), [N]),
        (N - 1, [N - 4]),
        (N * 2 - 8, [N - 4]),
        (minimum(N, M), [N, M]),
        (maximum(N, M) - M, []),
        (N - minimum(N, M), []),
        (expr(0), []),
        (power(2, N) - 1, [N]),
    ],
    ids=str,
)
def test_what_follows_is_proved(e: Expr, facts: list[Expr]) -> None:
    assert is_nonnegative(e, Assumptions(facts))
    assert not is_nonnegative(e - 1000, Assumptions(facts))


@pytest.mark.parametrize(
    ("e", "facts", "at"),
    [
        (N - 1, [N], {"n": 0}),
        (N * M, [N], {"n": 1, "m": -1}),
        (N * M, [-N, M], {"n": -1, "m": 1}),
        (N * N - 1, [N], {"n": 0}),
        (N * 2 - 9, [N - 4], {"n": 4}),
        (minimum(N, M), [N], {"n": 0, "m": -1}),
        (floor_div(N, 3) - 1, [N - 2], {"n": 2}),
        (power(2, N) - 1, [], {"n": -1}),
        (expr(-1), [], {}),
    ],
    ids=str,
)
def test_what_does_not_follow_is_not(e: Expr, facts: list[Expr], at: dict[str, int]) -> None:
    assert all(fact.evaluate(at) >= 0 for fact in facts)
    assert e.evaluate(at) < 0
    assert not is_nonnegative(e, Assumptions(facts))


def test_large_values_stay_whole_numbers_where_they_fit() -> None:
    law = (N * N).lambdify("n")
    assert law(2**31) == 2**62
    assert law([1, 2**31]).tolist() == [1, 2**62]
    assert law([1, 3 * 10**9]).tolist() == [1, 9 * 10**18]
    # beyond 64 bits there are no integers in columns
    assert law([1, 2**32]).tolist() == [1.0, 2.0**64]
    assert law([0, 3_100_000_000]).tolist() == [0, 3_100_000_000**2 * 1.0]


@pytest.mark.parametrize("e", [minimum(0, N), maximum(0, N), maximum(1, N - M), minimum(N, M)])
def test_readable_extrema_mean_the_same(e: Expr) -> None:
    text = format_expr(e)
    for n in range(-4, 5):
        for m in range(-4, 5):
            at = {"n": n, "m": m}
            assert sympy.sympify(text, {k: sympy.Integer(v) for k, v in at.items()}) == e.evaluate(
                at
            )
