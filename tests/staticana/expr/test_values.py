"""Formulas have the values that plain integer arithmetic gives, however they are built and changed;
what is proved of them holds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

import pytest

from staticana.closed_forms.divisor_guards import with_divisors_guarded
from staticana.expr import (
    ONE,
    ZERO,
    Assumptions,
    Expr,
    TooComplex,
    ceil_div,
    ceil_log,
    choose,
    expr,
    floor_div,
    is_integer,
    is_nonnegative,
    maximum,
    minimum,
    power,
    root,
    simplify,
    step,
    sym,
    trunc_div,
)
from staticana.expr.predicates import Cond, compare, conjunction, disjunction

At = Mapping[str, int]
NAMES = ("n", "m", "p")


class Pair(NamedTuple):
    """A formula, and what it means."""

    e: Expr
    value: Callable[[At], Fraction]


def truncated(a: Fraction) -> int:
    return math.floor(a) if a >= 0 else -math.floor(-a)


def whole_log(base: int, a: Fraction) -> int:
    return next(i for i in range(200) if base**i >= a)


def whole_root(degree: int, a: Fraction) -> int:
    return next(i for i in range(10**6) if (i + 1) ** degree > a)


def pair(generator: random.Random, depth: int, *, is_whole: bool = False) -> Pair:
    """A random formula over n, m and p; p is at least one."""
    if depth == 0:
        name, number = generator.choice(NAMES), generator.randint(-4, 6)
        if generator.random() < 0.3:
            return Pair(expr(number), lambda at: Fraction(number))
        return Pair(sym(name), lambda at: Fraction(at[name]))
    (a, f), (b, g) = (pair(generator, depth - 1, is_whole=True) for _ in range(2))
    k, base = generator.randint(1, 7), generator.randint(2, 4)
    shapes: list[Callable[[], Pair]] = [
        lambda: Pair(a + b, lambda at: f(at) + g(at)),
        lambda: Pair(a - b, lambda at: f(at) - g(at)),
        lambda: Pair(a * b, lambda at: f(at) * g(at)),
        lambda: Pair(a * -k + 1, lambda at: f(at) * -k + 1),
        lambda: Pair(a**2, lambda at: f(at) ** 2),
        lambda: Pair(maximum(a, b, 0), lambda at: max(f(at), g(at), Fraction(0))),
        lambda: Pair(maximum(a, b), lambda at: max(f(at), g(at))),
        lambda: Pair(minimum(a, b), lambda at: min(f(at), g(at))),
        lambda: Pair(floor_div(a, k), lambda at: Fraction(f(at) // k)),
        lambda: Pair(floor_div(a * 3 - k, 6), lambda at: Fraction((f(at) * 3 - k) // 6)),
        lambda: Pair(floor_div(a, sym("p")), lambda at: Fraction(f(at) // at["p"])),
        lambda: Pair(
            floor_div(a * sym("p") + b, sym("p")),
            lambda at: Fraction((f(at) * at["p"] + g(at)) // at["p"]),
        ),
        lambda: Pair(
            floor_div(a + sym("p"), sym("p") + k),
            lambda at: Fraction((f(at) + at["p"]) // (at["p"] + k)),
        ),
        lambda: Pair(ceil_div(a, k), lambda at: Fraction(math.ceil(f(at) / k))),
        lambda: Pair(ceil_div(a, sym("p")), lambda at: Fraction(math.ceil(f(at) / at["p"]))),
        lambda: Pair(trunc_div(a, k), lambda at: Fraction(truncated(f(at) / k))),
        lambda: Pair(trunc_div(a, sym("p")), lambda at: Fraction(truncated(f(at) / at["p"]))),
        lambda: Pair(step(a - b), lambda at: Fraction(f(at) >= g(at))),
        lambda: Pair(choose(step(a), a, b), lambda at: f(at) if f(at) >= 0 else g(at)),
        lambda: Pair(ceil_log(base, a), lambda at: Fraction(whole_log(base, f(at)))),
        lambda: Pair(root(base, a), lambda at: Fraction(whole_root(base, f(at)))),
        lambda: Pair(
            power(base, maximum(0, minimum(a, 9))),
            lambda at: Fraction(base) ** int(max(0, min(f(at), 9))),
        ),
        lambda: Pair((a * (a + 1)).over(2), lambda at: f(at) * (f(at) + 1) / 2),
    ]
    return generator.choice(shapes)()


def pairs(seed: int, count: int, depth: int = 2) -> list[tuple[Pair, list[At]]]:
    """Random formulas, those that grow too large left out, and where to evaluate them."""
    generator, found = random.Random(seed), []
    while len(found) < count:
        points = [
            {"n": generator.randint(-9, 20), "m": generator.randint(-9, 9), "p": q}
            for q in generator.sample(range(1, 9), 4)
        ]
        try:
            one = pair(generator, depth)
            if all(abs(one.value(at)) < 10**5 for at in points):
                found.append((one, points))
        except (TooComplex, StopIteration):
            continue
    return found


def evaluated(e: Expr, at: At) -> Fraction:
    return Fraction(e.evaluate(at))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_formulas_mean_what_they_were_made_of(depth: int) -> None:
    for (e, value), points in pairs(depth, 250, depth):
        for at in points:
            assert evaluated(e, at) == value(at), (e, at)
            assert not is_integer(e) or value(at).denominator == 1, (e, at)


def test_formulas_keep_their_values_when_they_are_changed() -> None:
    for ((e, value), points), ((other, inner), _) in zip(
        pairs(4, 200), pairs(5, 200, 1), strict=True
    ):
        monomial, rest = e.common_factor()
        parts, divided = e.split("n"), with_divisors_guarded(e, Assumptions())
        changed = e.substitute({"n": other})
        known = Assumptions([sym("n"), sym("m"), sym("p") - 1])
        simple = simplify(e, known)
        for at in points:
            expected = value(at)
            factor = math.prod(Fraction(a.evaluate(at)) ** k for a, k in monomial)
            assert factor * evaluated(rest, at) == expected, (e, at)
            if parts is not None:
                assert not any("n" in c.symbols for c in parts.values())
                found = [evaluated(c, at) * at["n"] ** k for k, c in parts.items()]
                assert sum(found) == expected, (e, at)
            assert evaluated(divided, at) == expected, (e, at)
            if at["n"] >= 0 and at["m"] >= 0:
                assert evaluated(simple, at) == expected, (e, simple, at)
            put_in = inner(at)
            if put_in.denominator == 1 and abs(put_in) < 100:
                there = {**at, "n": int(put_in)}
                try:
                    assert evaluated(changed, at) == value(there), (e, other, at)
                except StopIteration:
                    continue


def logarithm(value: Fraction, base: int) -> float:
    return round(math.log(value, base), 9)


def piecewise(*cases: tuple[Fraction, bool]) -> Fraction:
    return next(value for value, holds in cases if holds)


WORDS = {
    "Max": max,
    "Min": min,
    "floor": math.floor,
    "ceiling": lambda x: math.ceil(round(x, 9)),
    "log": logarithm,
    "sqrt": lambda x: round(math.sqrt(x), 9),
    "Mod": lambda a, b: a % b,
    "Piecewise": piecewise,
}


def test_the_text_of_a_formula_says_what_it_means() -> None:
    """As an expression of Python over exact numbers."""
    for (e, value), points in pairs(9, 250):
        text = compile(str(e), str(e), "eval")
        for at in points:
            found = eval(  # noqa: S307 (a formula)
                text, WORDS | {name: Fraction(k) for name, k in at.items()}
            )
            assert found == pytest.approx(float(value(at)), rel=1e-9), (str(e), at)


def test_functions_of_numbers_and_of_arrays_agree_with_formulas() -> None:
    for (e, value), points in pairs(10, 60):
        law = e.lambdify(*NAMES)
        columns = [[at[name] for at in points] for name in NAMES]
        expected = [value(at) for at in points]
        assert [law(*row) for row in zip(*columns, strict=True)] == expected
        assert law(*columns).tolist() == pytest.approx([float(x) for x in expected])
        assert law(p=columns[2], n=columns[0], m=columns[1]).tolist() == law(*columns).tolist()
    large = (sym("n") * sym("n")).lambdify("n")
    for edge, kind in ((3037000499, "i"), (3037000500, "f")):  # the root of 2**63
        assert large([edge]).dtype.kind == kind
    with pytest.raises(TypeError, match="the arguments are n"):
        large(1, n=1)


def test_what_is_shown_to_be_nonnegative_is() -> None:
    """At all points that the assumptions allow; and enough is shown to be of use."""
    generator, shown = random.Random(6), 0
    for (e, value), _ in pairs(7, 300):
        low = {name: generator.randint(-2, 3) for name in NAMES} | {"p": generator.randint(1, 3)}
        high = {name: k + generator.randint(0, 12) for name, k in low.items()}
        known = [sym(name) - low[name] for name in NAMES] + [high["n"] - sym("n")]
        if is_nonnegative(e, Assumptions(known)):
            shown += 1
            for _ in range(12):
                at = {name: generator.randint(low[name], high[name]) for name in NAMES}
                try:
                    assert value(at) >= 0, (e, known, at)
                except StopIteration:
                    continue
    assert shown > 60


def test_products_with_whole_parts_are_shown_to_be_nonnegative() -> None:
    n, m, p = map(sym, NAMES)
    half = floor_div(m, 2)
    for e, facts in [
        (n * half + n - 1, [n - 1, m]),
        (n * half * 3 + n * 2 - 2, [n - 1, m]),
        (n * p + half * n + p - 1, [n, p - 1, m]),
        (maximum(n, p) * half + m - 1, [n, m - 1]),
        (minimum(n, p) * half, [n, p, m]),
        (half * 2 + 1 - m, []),
        (m - half * 2, []),
    ]:
        assert is_nonnegative(e, Assumptions(facts)), e
        assert not is_nonnegative(e - 1 if e.constant is None and not facts else -e - 1)
    assert not is_nonnegative(n * half + n - 1, Assumptions([n, m]))
    assert not is_nonnegative(n * half + n - 1, Assumptions([n - 1]))


def test_one_form_for_quotients_that_are_tested() -> None:
    n = sym("n")
    for k in range(1, 5):
        assert step(trunc_div(n, 3) - k) == step(floor_div(n, 3) - k)
        assert step(maximum(0, n) - k) == step(n - k)
    for k in range(4):
        assert step(trunc_div(n, 3) + k) != step(floor_div(n, 3) + k)
        assert (step(trunc_div(n, 3) - k) + step(k - trunc_div(n, 3) - 1)) == expr(1)
    assert step(trunc_div(n, n) - 5).constant == 0, "n / n is at most one"

    for divisor in range(2, 7):
        for rest in range(divisor):
            assert step(n * divisor + rest) == step(n)
        assert step(n * divisor - 1) == step(n - 1)
        assert step(-n * divisor + 1) == 1 - step(n - 1)


@pytest.mark.parametrize("first", [2, 3, 4])
@pytest.mark.parametrize("second", [1, 2])
def test_the_text_of_even_quotients_says_what_they_mean(first: int, second: int) -> None:
    """In these sympy must not see that a numerator is even (see `printing.rounded`)."""
    n, m, p = map(sym, NAMES)
    a, b = n * first, m * second + 1
    for e, value in (
        (floor_div(maximum(a, b), p), lambda x, y, q: max(first * x, second * y + 1) // q),
        (floor_div(minimum(a, b, n), p), lambda x, y, q: min(first * x, second * y + 1, x) // q),
        (floor_div(maximum(a, 3) - m, p), lambda x, y, q: (max(first * x, 3) - y) // q),
        (floor_div(maximum(0, a) * m, p * 2), lambda x, y, q: max(0, first * x) * y // (2 * q)),
        (
            ceil_div(maximum(a, b) + n, p),
            lambda x, y, q: -(-(max(first * x, second * y + 1) + x) // q),
        ),
    ):
        for x, y, q in ((4, 5, 1), (-3, 7, 2), (9, 2, 4), (0, 0, 3), (-2, -2, 5)):
            at = {"n": Fraction(x), "m": Fraction(y), "p": Fraction(q)}
            found = eval(str(e), WORDS | at)  # noqa: S307 (a formula)
            assert found == value(x, y, q) == e.evaluate({"n": x, "m": y, "p": q}), str(e)


def test_divisors_are_guarded_where_they_may_be_zero() -> None:
    n, m, p = map(sym, NAMES)
    zero = {"n": 7, "m": 0, "p": 0}
    for e in (floor_div(n, m), n + floor_div(n, p + m) * 2, trunc_div(n, p), step(floor_div(n, m))):
        with pytest.raises(ZeroDivisionError):
            e.evaluate(zero)
        safe = with_divisors_guarded(e, Assumptions())
        safe.evaluate(zero)
        for at in ({"n": 7, "m": 2, "p": 3}, {"n": -7, "m": 1, "p": 1}):
            assert safe.evaluate(at) == e.evaluate(at)
    known = Assumptions([m - 1])
    assert with_divisors_guarded(floor_div(n, m), known) == floor_div(n, m)


TESTS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def condition(generator: random.Random, depth: int) -> tuple[Cond, Callable[[At], bool]]:
    """A random condition of integers, and what it means."""
    if depth == 0:
        (a, f), (b, g) = pair(generator, 1), pair(generator, 0)
        name = generator.choice(sorted(TESTS))
        sign = generator.choice("su") if name not in ("eq", "ne") else ""
        test = TESTS[name]
        return compare(sign + name, a, b), lambda at: test(int(f(at)), int(g(at)))
    (one, is_one), (other, is_other) = (condition(generator, depth - 1) for _ in range(2))
    shapes = [
        lambda: (conjunction(one, other), lambda at: is_one(at) and is_other(at)),
        lambda: (disjunction(one, other), lambda at: is_one(at) or is_other(at)),
        lambda: (one.negate(), lambda at: not is_one(at)),
        lambda: (
            disjunction(one, conjunction(one.negate(), other)),
            lambda at: is_one(at) or is_other(at),
        ),
    ]
    return generator.choice(shapes)()  # type: ignore[return-value]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_conditions_hold_where_what_they_say_is_true(depth: int) -> None:
    generator = random.Random(depth)
    for _ in range(120):
        found, holds = condition(generator, depth)
        if not all(is_integer(e) for e in found.formulas()):
            continue
        opposite, moved = found.negate(), found.substitute({"n": sym("m") + 1})
        for _ in range(6):
            at = {"n": generator.randint(0, 9), "m": generator.randint(0, 9), "p": 2}
            try:
                expected = holds(at)
                there = holds({**at, "n": at["m"] + 1})
            except StopIteration:
                continue
            assert found.indicator().evaluate(at) == expected, (found, at)
            assert opposite.indicator().evaluate(at) == (not expected), (found, at)
            assert moved.indicator().evaluate(at) == there, (found, at)


@pytest.mark.parametrize("factor", [2, 3, 8, 12])
def test_equalities_that_no_integer_meets_are_decided(factor: int) -> None:
    n, m = sym("n"), sym("m")
    for constant in range(-13, 14):
        found = compare("eq", n * factor + m * (2 * factor), expr(constant))
        assert (found.kind == "false") == (constant % factor != 0)
        assert (found.negate().kind == "true") == (constant % factor != 0)
    assert compare("eq", n.over(2), expr(1)).kind == "eq"


def test_addresses_of_globals_are_at_least_one() -> None:
    address = sym("@record")
    assert step(address - 1) == step(address) == step(address + 3) == ONE
    assert step(-address) == step(-address - 8) == ZERO
    for undecided in (address - 2, 1 - address, address - sym("@other"), 2 * address - sym("n")):
        assert step(undecided).constant is None


@pytest.mark.parametrize("constant", [-3, -1, 1])
def test_indicators_keep_fractions_that_are_whole_together(constant: int) -> None:
    """2*m + n*(n + 1)/2 is whole, but 2 does not divide it: the constant must not be halved."""
    n, m = sym("n"), sym("m")
    for e in (2 * m + (n * (n + 1)).over(2) + constant, (n * (n - 1)).over(2) - 4 * m + constant):
        for at in ({"n": a, "m": b} for a in range(-4, 5) for b in range(-2, 3)):
            assert step(e).evaluate(at) == (e.evaluate(at) >= 0), (e, at)
