"""What is shortened has the same value."""

from __future__ import annotations

import itertools

from staticana.expr import (
    Assumptions,
    ceil_div,
    floor_div,
    maximum,
    step,
    sym,
    with_quotients_rounded_up,
    without_idle_guards,
)

N, D = sym("n"), sym("d")


def test_conditions_that_tell_nothing_are_left_out() -> None:
    for e, short in (
        (N * (step(N - 1) - step(N) + 1), N),
        (maximum(0, N - 1) + step(N - 1), maximum(0, N)),
        (D * maximum(0, N) + D * step(N), D * maximum(0, N + 1)),
        (floor_div(N * (step(N - 1) - step(N) + 1), D), floor_div(N, D)),
    ):
        found = without_idle_guards(e)
        assert found == short
        for n, d in itertools.product(range(-4, 5), range(1, 4)):
            assert found.evaluate({"n": n, "d": d}) == e.evaluate({"n": n, "d": d})


def test_a_quotient_and_its_rest_are_rounded_up() -> None:
    quotient = floor_div(N, D)
    rest = N - D * quotient
    e = quotient + step(rest - 1) - step(rest) + 1
    found = with_quotients_rounded_up(e, Assumptions([D - 1]))
    assert found == ceil_div(N, D)
    for n, d in itertools.product(range(-9, 10), range(1, 5)):
        assert found.evaluate({"n": n, "d": d}) == e.evaluate({"n": n, "d": d})
    assert with_quotients_rounded_up(e, Assumptions()) == e  # d may be negative
