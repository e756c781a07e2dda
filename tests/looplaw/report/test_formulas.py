"""Formulas as tables and the page show them."""

from __future__ import annotations

import pytest

from looplaw.report.formulas import fewer_digits, latex, with_condition, wrap


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("n**3", "n^{3}"),
        ("n*(n - 1)/2", r"\frac{n\,(n - 1)}{2}"),
        ("floor(log(n, 2)) + 1", r"\lfloor \log_{2}(n) \rfloor + 1"),
        ("Max(0, n - 2)*steps", r"\max(0, n - 2)\,\mathit{steps}"),
        ("-n + 2", "-n + 2"),
        (
            "Piecewise((n, n >= 2), (0, True))",
            r"\begin{cases} n & \text{if } n \ge 2 \\ 0 & \text{otherwise} \end{cases}",
        ),
        ("Sum(i**2, (i, 0, n - 1))", r"\sum_{i=0}^{n - 1} i^{2}"),
        ("1.5e-09*n**(1/2)", r"1.5 \cdot 10^{-9}\,n^{1/2}"),
        ("__import__('os').system('x')", None),
        ("n +", None),
        ("(" * 5000, None),
        ("lambda: 0", None),
    ],
)
def test_latex_of_formulas(formula: str, expected: str | None) -> None:
    assert latex(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("Piecewise((n*(n - 1), n >= 2), (0, True))", "n*(n - 1)   if n >= 1"),
        (
            "Piecewise((0, b < 0), (0, p < 1), (0, m > b + 30), (ceiling(2**(m - b)/p), True))",
            "ceiling(2**(m - b)/p)   if b >= 0, p >= 1, b >= m - 30",
        ),
        ("Piecewise((n, n >= 2), (1, True))", "n if n >= 2, else 1"),
        ("Piecewise((0, n < 2), (1, n < 5), (n, True))", "(n if n >= 5, else 1)   if n >= 2"),
        ("Piecewise((1, n >= 2), (0, True)) + n", "n + 1 if n >= 2, else n"),
        ("Piecewise((n, n >= 2)", "Piecewise((n, n >= 2)"),
        ("2*ceiling(n*Piecewise((1, Mod(m + n, 2) <= 1), (1/2, True))/m)", "2*ceiling(n/m)"),
        ("n*Piecewise((1, Mod(n, 3) <= 1), (1/2, True))", "n/2 if Mod(n, 3) >= 2, else n"),
        ("n - 1", "n - 1"),
    ],
)
def test_conditions_stand_behind_a_formula(formula: str, expected: str) -> None:
    assert with_condition(formula) == expected


def test_rounding_leaves_integers_exact() -> None:
    assert (
        fewer_digits("2.04e-05 + 1.2987654e-09*n**3 + 123456789*x1")
        == "2.04e-05 + 1.3e-09*n**3 + 123456789*x1"
    )


def test_wrapping_keeps_every_character() -> None:
    formula = (
        "steps*(n - 2)**2 + floor(log(n, 2))*Max(0, n - 1) + averyveryverylongname_of_a_symbol"
    )
    for width in range(5, 60):
        lines = wrap(formula, width)
        assert max(map(len, lines)) <= width
        assert "".join(lines).replace(" ", "") == formula.replace(" ", "")


def test_names_are_whole_where_a_line_holds_them() -> None:
    assert wrap("calls of my_own_function, my_other_one", 18) == [
        "calls of",
        "my_own_function,",
        "my_other_one",
    ]
    assert wrap("my_own_function", 8) == ["my_own_", "function"]


def test_lines_break_where_formulas_may() -> None:
    assert wrap("3.2e-13*n**4*log(n, 2)**2 + n", 14) == ["3.2e-13*n**4*", "log(n, 2)**2 +", "n"]
    assert wrap("steps*(n - 2)", 12) == ["steps*(n", "- 2)"]
