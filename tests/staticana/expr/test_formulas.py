"""Formulas: sums against brute force, text against sympy, simplification keeps values."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
import sympy
from hypothesis import given, settings

from staticana.closed_forms.recurrences import closed_forms
from staticana.closed_forms.sums import summation
from staticana.expr import (
    ZERO,
    Assumptions,
    Expr,
    Sum,
    ceil_div,
    ceil_log,
    choose,
    expr,
    floor_div,
    from_atom,
    is_nonnegative,
    maximum,
    minimum,
    power,
    simplify,
    step,
    sym,
    trunc_div,
)

NAMES = ("n", "m", "i")
SYMBOLS = {name: sympy.Symbol(name, integer=True) for name in NAMES}
VALUES = st.fixed_dictionaries({"n": st.integers(-9, 20), "m": st.integers(-9, 20)})


@st.composite
def formulas(draw: st.DrawFn, depth: int = 2) -> Expr:
    """Formulas over n, m and i of every shape that counting makes."""
    if depth == 0:
        return draw(st.sampled_from([*(sym(n) for n in NAMES), expr(draw(st.integers(-4, 6)))]))
    a, b = draw(formulas(depth - 1)), draw(formulas(depth - 1))
    shape = draw(st.integers(0, 9))
    return [
        lambda: a + b,
        lambda: a - b,
        lambda: a * draw(st.integers(-3, 3)),
        lambda: maximum(a, b),
        lambda: minimum(a, b),
        lambda: floor_div(a, draw(st.integers(1, 5))),
        lambda: trunc_div(a, draw(st.integers(2, 5))),
        lambda: step(a),
        lambda: choose(step(a - b), a, b),
        lambda: ceil_div(a, draw(st.integers(1, 4))),
    ][shape]()


@given(formulas(), st.sampled_from(NAMES))
@settings(max_examples=100, deadline=None)
def test_affine_formulas_are_slope_times_symbol_and_the_value_at_0(e: Expr, name: str) -> None:
    line = e.affine_in(name)
    if line is not None:
        slope, at_zero = line
        assert name not in slope.symbols | at_zero.symbols
        assert slope * sym(name) + at_zero == e
    if name not in e.symbols:
        assert line == (ZERO, e)


def test_formulas_with_a_square_or_the_symbol_inside_an_atom_are_not_affine() -> None:
    n = sym("n")
    assert (n * n).affine_in("n") is None
    assert maximum(n, sym("m")).affine_in("n") is None


@given(formulas(), VALUES, st.sampled_from(["n", "m"]))
@settings(max_examples=150, deadline=None)
def test_sums_equal_brute_force(body: Expr, values: dict[str, int], bound: str) -> None:
    count = maximum(0, sym(bound))
    expected = sum(body.evaluate({**values, "i": k}) for k in range(int(count.evaluate(values))))
    assert summation(body, "i", count).evaluate(values) == expected


@given(formulas(3), VALUES, st.integers(-5, 15))
@settings(max_examples=80, deadline=None)
def test_text_means_the_same_to_sympy(e: Expr, values: dict[str, int], i: int) -> None:
    at = {**values, "i": i}
    found = sympy.sympify(str(e), SYMBOLS).subs({SYMBOLS[k]: v for k, v in at.items()})
    assert found == sympy.Rational(e.evaluate(at))


@given(
    formulas(3),
    st.fixed_dictionaries(
        {"n": st.integers(1, 20), "m": st.integers(2, 20), "i": st.integers(0, 5)}
    ),
)
@settings(max_examples=150, deadline=None)
def test_simplification_under_facts_keeps_values(e: Expr, values: dict[str, int]) -> None:
    assumptions = Assumptions([sym("n") - 1, sym("m") - 2, sym("i"), 5 - sym("i")])
    assert simplify(e, assumptions).evaluate(values) == e.evaluate(values)


@pytest.mark.parametrize("base", [2, 3, 10])
def test_integer_logarithms_are_exact(base: int) -> None:
    for exponent in range(1, 60):
        for offset in (-1, 0, 1):
            arg = base**exponent + offset
            found = ceil_log(base, sym("n")).evaluate({"n": arg})
            assert base ** int(found) >= arg > base ** (int(found) - 1)


def test_sums_of_powers_and_logarithms() -> None:
    n, i = sym("n"), sym("i")
    for body in (
        power(2, i),
        power(2, i) * i * i,
        power(3, i) * i,
        power(2, n - i),
        ceil_log(2, i),
    ):
        for value in range(10):
            expected = sum(body.evaluate({"n": value, "i": k}) for k in range(value))
            assert summation(body, "i", maximum(0, n)).evaluate({"n": value}) == expected


@given(
    st.integers(1, 4), st.integers(-3, 3), st.integers(-3, 3), st.integers(-5, 5), st.integers(0, 8)
)
def test_recurrences_equal_iteration(a: int, b: int, c: int, start: int, steps: int) -> None:
    """x' = a x + b, y' = y + c x: closed forms against stepping."""
    x, y = sym("x"), sym("y")
    forms = closed_forms({"x": x * a + b, "y": y + x * c}, {"x": expr(start), "y": expr(1)}, "i")
    values = {"x": start, "y": 1}
    for _ in range(steps):
        values = {"x": a * values["x"] + b, "y": values["y"] + c * values["x"]}
    for name, form in forms.items():
        assert form.evaluate({"i": steps}) == values[name]
    assert "x" in forms


@given(st.integers(2, 5), st.lists(st.integers(-3, 3), min_size=5, max_size=5), st.integers(0, 9))
def test_variables_that_take_each_others_values_equal_iteration(
    turns: int, starts: list[int], steps: int
) -> None:
    """x, y, z = y, z, x, beside a variable that adds one of them up."""
    names = [f"x{k}" for k in range(turns)]
    updates = {name: sym(names[(k + 1) % turns]) for k, name in enumerate(names)}
    updates["s"] = sym("s") + sym("x0")
    initial = {name: expr(v) for name, v in zip(names, starts, strict=False)} | {"s": expr(0)}
    forms = closed_forms(updates, initial, "i")
    values = {name: e.constant or 0 for name, e in initial.items()}
    for _ in range(steps):
        values = {name: e.evaluate(values) for name, e in updates.items()}
    for name, form in forms.items():
        assert form.evaluate({"i": steps}) == values[name]
    assert (turns < 5) == set(names).issubset(forms)


def test_a_sum_is_a_product_once_its_terms_are_equal() -> None:
    terms = from_atom(Sum(floor_div(sym("i") * sym("a"), sym("b")), "i", sym("n")))
    assert terms.substitute({"a": ZERO}) == ZERO
    alike = terms.map_atoms(lambda a: a.rebuild((sym("m"), a.parts[1])))
    assert alike == sym("m") * maximum(0, sym("n"))


def test_a_guard_is_evaluated_before_what_it_guards() -> None:
    guarded = ceil_div(sym("n"), sym("m")) * step(sym("m") - 1)
    assert guarded.evaluate({"n": 7, "m": 0}) == 0
    assert guarded.evaluate({"n": 7, "m": 2}) == 4


def test_a_quotient_by_zero_stays_one() -> None:
    for divide in (floor_div, trunc_div):
        quotient = divide(sym("a"), sym("b")).substitute({"b": ZERO})
        with pytest.raises(ZeroDivisionError):
            quotient.evaluate({"a": 3})


def test_polynomials_are_counted_from_the_least_values_of_their_symbols() -> None:
    s, n, m = sym("s"), sym("n"), sym("m")
    known = Assumptions([s - 4, 2 * n - 2, m])
    for e in (s**3 - 64, s * n - 4, n**3 - n, (n - 1) * (s - 4), n * n - 2 * n + 1, s * m - 4 * m):
        assert is_nonnegative(e, known), e
    for e in (s**3 - 65, s * n - 5, s * m - 1, s * sym("free") - 4):
        assert not is_nonnegative(e, known), e


def test_powers_are_at_least_one_where_exponents_are_assumed_not_negative() -> None:
    i = sym("i")
    assert is_nonnegative(power(2, i) - 1, Assumptions([i]))
    assert not is_nonnegative(power(2, i) - 1, Assumptions([i + 1]))
    assert not is_nonnegative(power(2, i) - 2, Assumptions([i]))
