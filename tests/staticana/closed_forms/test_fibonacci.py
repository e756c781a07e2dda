"""Fibonacci numbers against the recurrence, in our evaluation and in sympy's."""

from __future__ import annotations

from itertools import accumulate, product

import pytest
import sympy

from staticana.closed_forms.fibonacci import (
    combined,
    fibonacci,
    fibonacci_index,
    first_beyond,
    place,
)
from staticana.closed_forms.recurrences import closed_forms
from staticana.closed_forms.sums import summation
from staticana.expr import expr, maximum, sym

SEQUENCE = [
    a for a, _ in accumulate(range(95), lambda pair, _: (pair[1], sum(pair)), initial=(0, 1))
]
N = sympy.Symbol("n", integer=True)


def test_numbers_and_their_places_in_the_sequence() -> None:
    number, index = fibonacci(sym("n")), fibonacci_index(sym("n"))
    assert [number.evaluate({"n": k}) for k in range(95)] == SEQUENCE[:95]
    assert [number.evaluate({"n": k}) for k in (-2, -1)] == [0, 0]
    for k in (*range(-3, 100), *(f + d for f in SEQUENCE[10:90:7] for d in (-1, 0, 1))):
        assert index.evaluate({"n": k}) == next(at for at, f in enumerate(SEQUENCE) if f >= k)


def test_sympy_reads_the_same_numbers() -> None:
    number = sympy.sympify(str(fibonacci(sym("n"))), {"n": N})
    index = sympy.sympify(str(fibonacci_index(sym("n"))), {"n": N})
    assert [number.subs(N, k) for k in range(-2, 70)] == [0, 0, *SEQUENCE[:70]]
    for k in (
        *range(-3, 60),
        *(f + d for f in SEQUENCE[10:46:3] for d in (-1, 0, 1)),
    ):  # sympy rounds from 10**11 on
        assert index.subs(N, k) == next(at for at, f in enumerate(SEQUENCE) if f >= k)


@pytest.mark.parametrize(("x", "y"), list(product(range(-2, 9), range(-2, 9))))
def test_pairs_equal_iteration(x: int, y: int) -> None:
    forms = closed_forms(
        {"x": sym("y"), "y": sym("x") + sym("y"), "z": sym("z") + sym("x")},
        {"x": expr(x), "y": expr(y), "z": expr(1)},
        "i",
    )
    values = {"x": x, "y": y, "z": 1}
    for k in range(12):
        for name, form in forms.items():
            assert form.evaluate({"i": k}) == values[name]
        values = {"x": values["y"], "y": values["x"] + values["y"], "z": values["z"] + values["x"]}
    assert {"x", "y"} <= forms.keys()
    if (at := place(x, y)) is not None:
        assert (at[0] * SEQUENCE[at[1]], at[0] * SEQUENCE[at[1] + 1]) == (x, y)


def test_sums_and_combinations() -> None:
    i, n = sym("i"), sym("n")
    total = summation(fibonacci(i + 3), "i", maximum(0, n))
    assert [total.evaluate({"n": k}) for k in range(-1, 20)] == [
        0,
        *(sum(SEQUENCE[3 : 3 + k]) for k in range(20)),
    ]
    found = combined(n - fibonacci(i) * 2 - fibonacci(i + 1) * 2, "i")
    assert found == (n, -2, 2)
    assert combined(n - fibonacci(i) - fibonacci(i + 1) * 3, "i") is None


@pytest.mark.parametrize("start", list(product(range(8), range(1, 8))))
def test_bounds_of_the_first_number_beyond(start: tuple[int, int]) -> None:
    bounds = first_beyond(start, sym("n"))
    assert bounds is not None
    for limit in range(-3, 150):
        x, y, steps = *start, 0
        while x <= limit:
            x, y, steps = y, x + y, steps + 1
        low, high = (b.evaluate({"n": limit}) for b in bounds)
        assert low <= steps <= high <= low + 3
