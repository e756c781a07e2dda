"""Formulas for people say the same as those for programs, wherever their conditions hold."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looplaw.laws.formula_reading import exact_tree
from looplaw.report.formulas import IF, cut, latex, relation_as_read, with_condition
from looplaw_common.formula.formula import parse_formula

FORMULAS = {
    "Max(0, n)": "n   if n >= 0",
    "Max(0, nx**3)": "nx**3   if nx >= 0",
    "Max(0, n)*Max(0, n - 1)/2": "n*(n - 1)/2   if n >= 0",
    "Max(0, nx**3 + 3*nx**2 + 3*nx + 1)": "(nx + 1)**3   if nx >= -1",
    "Max(0, n - m)*(Max(0, n - m) + 1)/2": "(n - m)*(n - m + 1)/2   if n >= m",
    "Max(0, a - b)*Max(0, n)": "n*(a - b)   if n >= 0, a >= b",
    "n*(1 - m)": "n*(1 - m)",
    "n*(a - b)*(1 - m)": "n*(b - a)*(m - 1)",
    "-3*n*(a - b)**3": "3*n*(b - a)**3",
    "Max(0, n - m) + n": "Max(0, n - m) + n",
    "Max(0, n - 100) + Max(0, n)": "Max(0, n - 100) + n   if n >= 0",
    "Max(0, n) + Max(0, 5 - n)": "Max(0, 5 - n) + n   if n >= 0",
    "Max(1, n)*m": "m*n   if n >= 1",
    "ceiling(log(Max(1, n), 2))": "ceiling(log(n, 2))   if n >= 1",
    "Max(0, floor(n/2))": "floor(n/2)   if n >= 0",
    "n*m + n*p + n": "n*(m + p + 1)",
    "n*m*p + n*m + n*p + m*p + n + m + p + 1": "(m + 1)*(n + 1)*(p + 1)",
    "n + n**3 + m*p": "n**3 + m*p + n",
    "n - 4*floor(n/4)": "Mod(n, 4)",
    "m*s*Max(0, floor(n/4) - Piecewise((1, 4*floor(n/4) - n + r >= 0), (0, True)) + 1)": (
        "m*s*Max(0, floor(n/4) + [Mod(n, 4) > r])"
    ),
    "t*(Piecewise((1, r - 1 >= 0), (0, True)) - Piecewise((1, r - 2 >= 0), (0, True)))": (
        "t   if r == 1"
    ),
    "t*(Piecewise((1, r - 2 >= 0), (0, True)) - Piecewise((1, r - 1 >= 0), (0, True)) + 1)": (
        "t   if r != 1"
    ),
    "Piecewise((t, Piecewise((1, s >= 1), (0, True)) >= Piecewise((1, s >= 0), (0, True))),"
    " (0, True))": "t   if s != 0",
    "Piecewise((n**3, n**3 >= 1), (0, True))": "n**3   if n >= 0",
    "Piecewise((n, n >= 2), (m, n >= 0), (1, True))": "1 if n < 0, m if n < 2, else n",
    "Max(0, a) + Max(0, b) + Max(0, c)*d": "c*d + a + b   if a, b, c >= 0",
    "Piecewise((Max(0, n), n >= 1), (Max(0, n) + 2, True))": "(n if n >= 1, else 2)   if n >= 0",
    "Max(0, Piecewise((n, n >= 5), (m, True)))": "n if n >= 5, else Max(0, m)",
    "Piecewise((10, n < 1), (2*n, n < 3), (Min(20, n), True))": (
        "10 if n < 1, 2*n if n < 3, else Min(20, n)"
    ),
    "Max(0, n)*Piecewise((0, n < 1), (2, n < 3), (1, True)) + Piecewise((10, n < 1), (0, True))": (
        "(10 if n == 0, 2*n if n < 3, else n)   if n >= 0"
    ),
    "Piecewise((floor(sqrt(Max(0, ceiling(n/9) - 1))) + 1, n >= 1), (0, True))": (
        "floor(sqrt(Max(0, ceiling(n/9) - 1))) + 1   if n >= 1"
    ),
    "50*Piecewise((1, n >= 6), (0, True)) + 50*Piecewise((1, m >= 6), (0, True))": (
        "0 if m < 6 and n < 6, 100 if m >= 6 and n >= 6, else 50"
    ),
    "n*Piecewise((1, n - 6 >= 0), (0, True)) + n*m + 12*m + 33*n*n + k**2 + 18*k + 27*n": (
        "m*n + k**2 + 33*n**2 + n*[n >= 6] + 18*k + 12*m + 27*n"
    ),
    "Sum(Max(0, n - i), (i, 0, Max(-1, m - 1)))": "Sum(Max(0, n - i), (i, 0, m - 1))   if m >= 0",
}


@pytest.mark.parametrize(("formula", "expected"), FORMULAS.items())
def test_formulas_as_people_write_them(formula: str, expected: str) -> None:
    assert with_condition(formula) == expected


def _holds(condition: str, at: dict[str, int]) -> bool:
    text = " * ".join(f"Piecewise((1, {c}), (0, True))" for c in condition.split(" and "))
    return parse_formula(text).evaluate(at) == 1


def _outside_brackets(text: str) -> list[str]:
    """Pieces between commas that are in no brackets."""
    pieces, depth = [""], 0
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and not depth:
            pieces.append("")
        else:
            pieces[-1] += c
    return [p.strip() for p in pieces]


def _value(text: str, at: dict[str, int]) -> Fraction | None:
    """The number that a text for people says; None where one of its conditions fails."""
    formula, _, conditions = text.partition(IF)
    conditions = conditions.replace("a, b, c >= 0", "a >= 0, b >= 0, c >= 0")
    if not all(_holds(c, at) for c in filter(None, conditions.split(", "))):
        return None
    if ", else " in formula:
        formula = formula.removeprefix("(").removesuffix(")") if text != formula else formula
        for piece in _outside_brackets(formula):
            value, _, condition = piece.removeprefix("else ").partition(" if ")
            if not condition or _holds(condition, at):
                return _value(value, at)
    indicator = re.compile(r"\[([^\[\]]*)\]")
    while indicator.search(formula):
        formula = indicator.sub(r"Piecewise((1, \1), (0, True))", formula)
    return Fraction(parse_formula(formula).evaluate(at))


@pytest.mark.parametrize("formula", FORMULAS)
def test_both_texts_have_the_same_values(formula: str) -> None:
    law = parse_formula(formula)
    names, checked = sorted(law.symbols), 0
    text = with_condition(formula)
    for numbers in product((-3, -1, 0, 1, 2, 5, 9), repeat=len(names)):
        at = dict(zip(names, numbers, strict=True))
        found = _value(text, at)
        if found is not None:
            assert found == Fraction(law.evaluate(at)), (text, at)
            checked += 1
    assert checked >= 2
    assert law.symbols >= exact_tree(law.tree).symbols


NAMES = st.sampled_from(["a", "b", "m", "n"])
FACTORS = st.one_of(
    NAMES,
    st.builds("({} - {})".format, NAMES, NAMES),
    st.builds("({} - {})".format, st.integers(1, 3), NAMES),
    st.builds("({}*{} + {})".format, st.integers(-2, 2), NAMES, st.integers(-3, 3)),
)
PRODUCTS = st.lists(FACTORS, min_size=1, max_size=4).map("*".join)


@given(st.lists(PRODUCTS, min_size=1, max_size=2).map(" - ".join), st.integers(-3, 3))
def test_products_keep_their_values(formula: str, number: int) -> None:
    law = parse_formula(f"{number}*({formula})")
    at = {"a": 3, "b": -7, "m": 11, "n": 2}
    assert _value(with_condition(law.text), at) == law.evaluate(at)


def test_long_formulas_are_cut_behind_a_term() -> None:
    text = " + ".join(f"a{k}*n" for k in range(99)) + f"{IF}n >= 0"
    short = cut(text, 40)
    assert short == "a0*n + a1*n + a2*n + a3*n + a4*n + ...   if n >= 0"
    assert cut(text, 5000) == text
    inside = cut(f"4*({text.partition(IF)[0]})", 40)
    assert inside.startswith("4*(a0*n + ")
    assert inside.endswith(" + ...)")
    assert len(inside) <= 43


def test_sides_of_relations_are_written_by_their_cases() -> None:
    assert relation_as_read("n - Max(0, m) >= 0") == "n - Max(0, m) >= 0"
    assert relation_as_read("Piecewise((n + 300, n >= 6), (n, True)) <= 255") == (
        "(n + 300 if n >= 6, else n) <= 255"
    )


def test_conditions_are_typeset() -> None:
    assert latex("n*m   if n >= 0, m >= 1") == r"n\,m \quad \text{if } n \ge 0, m \ge 1"
