"""Counts added with weights are what adding them one by one gives; formulas whose terms are put
together at once are what Python's arithmetic gives."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from staticana.expr import (
    ONE,
    ZERO,
    Expr,
    TooComplex,
    expr,
    floor_div,
    linear,
    maximum,
    power,
    step,
    sym,
)
from staticana.scev.bounded_count import NOTHING, ONCE, BoundedCount, exactly, unknown, weighted_sum

NAMES = ("n", "m", "k", "r")
TOO_MANY = 201


def formula(generator: random.Random, names: tuple[str, ...] = NAMES) -> Expr:
    """A random formula with fractions, indicators, quotients and powers of numbers."""
    e = expr(generator.randint(-3, 3))
    for _ in range(generator.randint(1, 4)):
        a = sym(generator.choice(names))
        shape = generator.choice(
            (a, a * a, step(a - 2), floor_div(a, 3), maximum(0, a - 1), power(2, a), power(2, -a))
        )
        e = e + shape * generator.choice((1, -2, 5, Fraction(1, 2), Fraction(-3, 2)))
    return e


def count(generator: random.Random) -> BoundedCount:
    """A random count: exact, with bounds, without a formula, none or one."""
    e = formula(generator)
    rests = frozenset(sym(n) - 1 for n in NAMES if generator.random() < 0.3)
    kind = generator.randrange(8)
    if kind == 0:
        return NOTHING
    if kind == 1:
        return ONCE
    if kind == 2:
        return unknown("data decide", formula(generator))
    if kind == 3:
        return BoundedCount(e, ZERO, None, rests, frozenset(("taken",)), "a reason")
    if kind == 4:
        return BoundedCount(e, formula(generator), formula(generator), rests)
    return exactly(e, rests)


@pytest.mark.parametrize("seed", range(60))
def test_a_weighted_sum_is_what_adding_one_by_one_gives(seed: int) -> None:
    generator = random.Random(seed)
    parts = [(count(generator), generator.randint(0, 9)) for _ in range(generator.randint(0, 9))]
    plain = NOTHING
    for each, number in parts:
        plain = plain.plus(each.scaled(number))
    found = weighted_sum(parts)
    assert found == plain
    assert (found.lower is found.formula) == (plain.lower is plain.formula)
    assert (found.upper is found.formula) == (plain.upper is plain.formula)


def test_a_weighted_sum_that_is_too_long_says_so() -> None:
    parts = [(exactly(sym(f"x{i}")), 2) for i in range(TOO_MANY)]
    found = weighted_sum(parts)
    assert found.formula is None
    assert found.reason == "the formula would be too long"


def test_linear_sums_are_too_long_where_one_on_the_way_is() -> None:
    terms = [(sym(f"x{i}"), 3) for i in range(TOO_MANY)]
    with pytest.raises(TooComplex):
        linear([*terms, *((e, -3) for e, _ in terms)])
    assert linear([(e, 0) for e, _ in terms]) == ZERO


@pytest.mark.parametrize("seed", range(40))
def test_products_without_common_factors_have_the_values_of_plain_arithmetic(seed: int) -> None:
    generator = random.Random(seed)
    half = len(NAMES) // 2
    a = formula(generator, NAMES[:half])
    b = formula(generator, NAMES[half:] if generator.random() < 0.7 else NAMES)
    product = a * b
    for _ in range(6):
        at = {name: generator.randint(0, 6) for name in NAMES}
        assert product.evaluate(at) == a.evaluate(at) * b.evaluate(at)
    assert product == b * a
    assert product - a * b == ZERO
    assert all(list(m) == sorted(m) for m in product.terms)


def test_long_products_are_refused() -> None:
    many = sum((sym(f"x{i}") for i in range(20)), ZERO)
    others = sum((sym(f"y{i}") for i in range(11)), ZERO)
    with pytest.raises(TooComplex):
        many * others
    assert many * ONE == many
