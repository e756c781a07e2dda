"""Bounds of sums without closed form: never on the wrong side of the sum, also as sympy reads them,
and not far from it."""

from __future__ import annotations

from itertools import product

import pytest
import sympy

from staticana.closed_forms.sum_bounds import lower_bound, upper_bound
from staticana.closed_forms.sums import summation
from staticana.expr import (
    Assumptions,
    Expr,
    ceil_div,
    ceil_log,
    floor_div,
    maximum,
    minimum,
    power,
    root,
    step,
    sym,
)

n, m, i = sym("n"), sym("m"), sym("i")
COUNT = maximum(0, n)
PARTS = maximum(0, ceil_div(n, i + 1) - 1)

# summand, number of terms, the largest quotient of upper and lower bound at n = 1000, m = 700
SUMS: list[tuple[Expr, Expr, float]] = [
    (maximum(0, ceil_div(n, i + 1)), maximum(0, n - 1), 1.3),
    (floor_div(n, i + 1), COUNT, 1.35),
    (maximum(0, floor_div(m, i + 1)), COUNT, float("inf")),
    (maximum(0, ceil_div(n, i + 2)), COUNT, 1.3),
    (floor_div(n, i * 2 + 2), COUNT, 1.7),
    (maximum(0, ceil_div(m, i * 2 + 5)), COUNT, float("inf")),
    (maximum(0, ceil_div(m, (n - i) * 2 + 3)), COUNT, float("inf")),
    (maximum(0, ceil_div(n, power(2, i) * 2)), ceil_log(2, n), 1.02),
    (maximum(0, ceil_div(m, power(2, i)) - 1), ceil_log(2, n), 1.02),
    (ceil_log(2, ceil_div(n, i + 1)), maximum(0, n - 1), 2.1),
    (ceil_log(3, floor_div(n, i + 1)), COUNT, float("inf")),
    (PARTS * (i * PARTS + i + 1), maximum(0, n - 1), float("inf")),
    (i * floor_div(n, i + 1), COUNT, 2.1),
    (maximum(0, n - i) * floor_div(n, i + 1), COUNT, 1.8),
    (floor_div(n * n, i + 3), COUNT, 1.1),
    (floor_div(n - i, i + 2), COUNT, float("inf")),
    (ceil_log(2, i * 3 + 1), COUNT, float("inf")),
    (power(2, ceil_log(2, i)), COUNT, float("inf")),
    (minimum(i * 2, root(2, i * 3)), COUNT, float("inf")),
    (root(2, n - i * i), COUNT, float("inf")),
]


@pytest.mark.parametrize(("body", "count", "apart"), SUMS, ids=lambda v: str(v)[:40])
def test_bounds_hold_and_are_closed(body: Expr, count: Expr, apart: float) -> None:
    total = summation(body, "i", count)
    assert total.has_sum
    low, high = lower_bound(total, Assumptions()), upper_bound(total, Assumptions())
    assert low is not None
    assert high is not None
    assert not low.has_sum
    assert not high.has_sum
    for a, b in product((*range(-4, 35), 63, 64, 65, 255, 256, 257), (-5, -1, 0, 1, 2, 9, 40, 700)):
        at = {"n": a, "m": b}
        true = sum(body.evaluate({**at, "i": k}) for k in range(int(count.evaluate(at))))
        assert low.evaluate(at) <= true <= high.evaluate(at), at
    far = {"n": 1000, "m": 700}
    assert float(high.evaluate(far)) <= apart * max(float(low.evaluate(far)), 1e-9)


@pytest.mark.parametrize("first", [1, 2, 50, 400])
def test_quotients_by_the_index_are_bounded_closely(first: int) -> None:
    """The sum of m / (i + s) is m times an integral, but for its first term at most."""
    total = summation(floor_div(m, i + first), "i", COUNT)
    low, high = lower_bound(total, Assumptions([m])), upper_bound(total, Assumptions([m]))
    assert low is not None
    assert high is not None
    for a in (0, 1, 2, 20, 300):
        at = {"n": a, "m": 10**12}
        one, other = float(low.evaluate(at)), float(high.evaluate(at))
        assert one <= sum(10**12 // (k + first) for k in range(a)) <= other
        assert other - one <= (1 / first + 0.3) * 10**12


def test_a_guard_around_a_sum_may_be_the_only_one_it_has() -> None:
    """Under n < 0 a range of 3 - n needs no guard; what is left of its sum elsewhere must bound an
    empty range."""
    whole = summation(maximum(0, -floor_div(i + n, 2)), "i", 3 - n)
    assert whole.has_sum
    for total in (whole * step(-1 - n), whole * (1 - step(n))):
        low, high = lower_bound(total, Assumptions()), upper_bound(total, Assumptions())
        assert low is not None
        assert high is not None
        for a in range(-30, 30):
            true = sum(max(0, -((k + a) // 2)) for k in range(3 - a)) if a < 0 else 0
            assert low.evaluate({"n": a}) <= true <= high.evaluate({"n": a}), a


@pytest.mark.parametrize(("body", "count", "apart"), SUMS[:8], ids=lambda v: str(v)[:40])
def test_sympy_reads_the_same_bounds(body: Expr, count: Expr, apart: float) -> None:
    total = summation(body, "i", count)
    names = {name: sympy.Symbol(name, integer=True) for name in ("n", "m")}
    for bound in (lower_bound(total, Assumptions()), upper_bound(total, Assumptions())):
        assert bound is not None
        parsed = sympy.sympify(str(bound), names)
        for a, b in ((-2, 3), (0, 0), (1, 5), (2, -1), (17, 8), (64, 100)):
            value = parsed.subs({names["n"]: a, names["m"]: b})
            assert float(value) == pytest.approx(float(bound.evaluate({"n": a, "m": b})), abs=1e-9)


def test_a_summand_of_unknown_sign_is_refused() -> None:
    total = summation(floor_div(n, i + m), "i", COUNT)  # i + m may be 0 or less
    assert lower_bound(total, Assumptions()) is None
    assert upper_bound(total, Assumptions()) is None
    known = Assumptions([m - 1, n])
    low, high = lower_bound(total, known), upper_bound(total, known)
    assert low is not None
    assert high is not None
    for a, b in product(range(30), range(1, 20)):
        true = sum(a // (k + b) for k in range(a))
        assert low.evaluate({"n": a, "m": b}) <= true <= high.evaluate({"n": a, "m": b})


@pytest.mark.parametrize(
    "body",
    [
        ceil_log(2, i + 1),
        ceil_log(3, i + m),
        ceil_log(2, m - i),
        root(2, i + m),
        root(2, n - i),
        root(3, i + 2),
        i * ceil_log(2, i),
        i * i * root(2, i + m),
        i * ceil_log(3, m - i),
        ceil_log(2, i + m) ** 2,
        i * root(2, i) ** 2,
    ],
    ids=str,
)
def test_logarithms_and_roots_are_summed_exactly(body: Expr) -> None:
    total = summation(body, "i", COUNT)
    assert not total.has_sum
    for a, b in product((*range(-3, 20), 31, 32, 33, 81, 82), (-5, -1, 0, 1, 2, 7, 8, 9, 28)):
        expected = sum(body.evaluate({"n": a, "m": b, "i": k}) for k in range(max(0, a)))
        assert total.evaluate({"n": a, "m": b}) == expected


def test_quotients_by_a_parameter_are_summed_exactly() -> None:
    total = summation(floor_div(i + 3, m), "i", COUNT, Assumptions([m - 1]))
    assert not total.has_sum
    for a, b in product(range(-3, 25), range(1, 9)):
        assert total.evaluate({"n": a, "m": b}) == sum((k + 3) // b for k in range(max(0, a)))


def test_no_bound_takes_the_less_of_two_ends_for_one_of_them() -> None:
    e = summation(maximum(0, ceil_div(1000 * i - n, 300)) * (2 - i), "i", minimum(2, maximum(0, n)))
    low, high = (bound(e, Assumptions()) or e for bound in (lower_bound, upper_bound))
    for value in range(-2, 5):
        given = {"n": value}
        assert low.evaluate(given) <= e.evaluate(given) <= high.evaluate(given)
