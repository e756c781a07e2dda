"""Fibonacci numbers against the recurrence, in our evaluation and in sympy's."""

from __future__ import annotations

from itertools import accumulate

import sympy

from staticana.closed_forms.fibonacci import fibonacci, fibonacci_index
from staticana.expr import sym

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
