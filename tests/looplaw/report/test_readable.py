"""Formulas for people say the same as those for programs, wherever their conditions hold."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest

from looplaw.laws.formula_reading import formula_with_cases
from looplaw.report.formulas import IF, cut, latex, with_condition
from looplaw_common.formula.formula import parse_formula

FORMULAS = {
    "Max(0, n)": "n   if n >= 0",
    "Max(0, nx**3)": "nx**3   if nx >= 0",
    "Max(0, n)*Max(0, n - 1)/2": "n*(n - 1)/2   if n >= 0",
    "Max(0, nx**3 + 3*nx**2 + 3*nx + 1)": "(nx + 1)**3   if nx >= -1",
    "Max(0, n - m)*(Max(0, n - m) + 1)/2": "(n - m)*(n - m + 1)/2   if n >= m",
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
    "t*(Piecewise((1, r - 1 >= 0), (0, True)) - Piecewise((1, r - 2 >= 0), (0, True)))": (
        "t   if r == 1"
    ),
    "t*(Piecewise((1, r - 2 >= 0), (0, True)) - Piecewise((1, r - 1 >= 0), (0, True)) + 1)": (
        "t   if r != 1"
    ),
    "Piecewise((t, Piecewise((1, s >= 1), (0, True)) >= Piecewise((1, s >= 0), (0, True))),"
    " (0, True))": "t   if s != 0",
    "Piecewise((n**3, n**3 >= 1), (0, True))": "n**3   if n >= 0",
    "Piecewise((n, n >= 2), (m, n >= 0), (1, True))": "n if n >= 2 else m if n >= 0 else 1",
    "Max(0, a) + Max(0, b) + Max(0, c)*d": "c*d + a + b   if a, b, c >= 0",
    "Sum(Max(0, n - i), (i, 0, Max(-1, m - 1)))": "Sum(Max(0, n - i), (i, 0, m - 1))   if m >= 0",
}


@pytest.mark.parametrize(("formula", "expected"), FORMULAS.items())
def test_formulas_as_people_write_them(formula: str, expected: str) -> None:
    assert with_condition(formula) == expected


def _holds(condition: str, at: dict[str, int]) -> bool:
    text = " * ".join(f"Piecewise((1, {c}), (0, True))" for c in condition.split(" and "))
    return parse_formula(text).evaluate(at) == 1


def _value(text: str, at: dict[str, int]) -> Fraction | None:
    """The number that a text for people says; None where one of its conditions fails."""
    formula, _, conditions = text.partition(IF)
    conditions = conditions.replace("a, b, c >= 0", "a >= 0, b >= 0, c >= 0")
    if not all(_holds(c, at) for c in filter(None, conditions.split(", "))):
        return None
    parts = re.split(r" if (.*?) else ", formula.removeprefix("(").removesuffix(")"))
    if len(parts) > 1:
        for value, condition in zip(parts[::2], parts[1::2], strict=False):
            if _holds(condition, at):
                return _value(value, at)
        return _value(parts[-1], at)
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
    assert law.symbols >= formula_with_cases(law.tree).symbols


def test_long_formulas_are_cut_behind_a_term() -> None:
    text = " + ".join(f"a{k}*n" for k in range(99)) + f"{IF}n >= 0"
    short = cut(text, 40)
    assert short == "a0*n + a1*n + a2*n + a3*n + a4*n + ...   if n >= 0"
    assert cut(text, 5000) == text
    inside = cut(f"4*({text.partition(IF)[0]})", 40)
    assert inside.startswith("4*(a0*n + ")
    assert inside.endswith(" + ...)")
    assert len(inside) <= 43


def test_conditions_are_typeset() -> None:
    assert latex("n*m   if n >= 0, m >= 1") == r"n\,m \quad \text{if } n \ge 0, m \ge 1"
