"""Counts add up: formulas to formulas, bounds to bounds, and doubts stay."""

from __future__ import annotations

from staticana import Count, Unknown
from staticana.expr import expr, floor_div, sym

N, T = sym("n"), sym("t")
TRIPS = Unknown("t", "mean iterations of the loop at a.c:3:5", "a.c:3:5")
EXACT = Count("exact", N, N, N, (), ("n >= 0",), preconditions=(N,))
MEAN = Count("parametric", T, expr(0), None, (TRIPS,), ("n >= 0", "x"), "its end depends on data")


def test_formulas_and_bounds_add_up() -> None:
    assert Count.sum([EXACT, EXACT]) == Count(
        "exact", N * 2, N * 2, N * 2, (), ("n >= 0",), preconditions=(N,)
    )
    found = Count.sum([EXACT, MEAN])
    assert (found.kind, found.formula, found.lower, found.upper) == ("parametric", N + T, N, None)
    assert (found.opaque, found.assumptions) == ((TRIPS,), ("n >= 0", "x"))
    assert found.reason == MEAN.reason


def test_a_sum_is_as_certain_as_its_least_certain_part() -> None:
    bounded = Count("bounded", None, expr(0), N, reason="no formula was found")
    found = Count.sum([EXACT, bounded])
    assert (found.kind, found.formula, found.lower, found.upper) == ("bounded", None, N, N * 2)
    assert Count.sum([EXACT, Count.unknown("why")]).reason == "why"


def test_a_sum_that_is_too_long_is_unknown() -> None:
    many = [Count("exact", sym(f"n{k}")) for k in range(300)]
    found = Count.sum(many, what="the formula of its 300 copies")
    assert (found.kind, found.reason) == (
        "unknown",
        "the formula of its 300 copies would be too long",
    )


def test_what_a_count_rests_on_does_not_hold_where_it_has_no_value() -> None:
    n = sym("n")
    count = Count("exact", n, preconditions=(floor_div(expr(4), n - 1), n - 2))
    assert count.holds({"n": 2})
    assert not count.holds({"n": 1})
