"""The formula language: reading, printing, values. sympy and Python's integers are the oracles."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw_common.formula.formula import Formula, FormulaError, parse_formula
from looplaw_common.formula.sympy import sympy_of
from looplaw_common.formula.text import latex, normal_text
from looplaw_common.formula.tree import (
    Add,
    Call,
    Cases,
    Compare,
    Divide,
    Multiply,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Summation,
    Truth,
    added,
    free_names,
    multiplied,
)
from modeling import InputError, Term, known_law
from modeling.pmnf.known_laws import from_terms

NAMES = ("n", "m", "p_1", "rows")
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")


def trees(leaves: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Trees as the parser builds them."""

    def larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        some = st.lists(inner, min_size=2, max_size=3)
        one = ("sqrt", "floor", "ceiling", "Abs", "ln")
        condition = st.builds(Compare, inner, st.sampled_from(RELATIONS), inner) | st.builds(
            Truth, st.booleans()
        )
        return st.one_of(
            st.builds(Negative, inner),
            some.map(added),
            some.map(multiplied),
            st.builds(Divide, inner, inner),
            st.builds(Power, inner, inner),
            st.builds(lambda f, x: Call(f, (x,)), st.sampled_from(one), inner),
            st.builds(
                lambda f, x, y: Call(f, (x, y)), st.sampled_from(("log", "Mod")), inner, inner
            ),
            st.builds(lambda f, a: Call(f, tuple(a)), st.sampled_from(("Max", "Min")), some),
            st.lists(st.tuples(inner, condition), min_size=1, max_size=2).map(
                lambda pairs: Cases(tuple(pairs))
            ),
            st.builds(Summation, inner, st.just("i"), inner, inner),
        )

    return st.recursive(leaves, larger, max_leaves=12)


LEAVES = (
    st.builds(Name, st.sampled_from(NAMES))
    | st.builds(Number, st.integers(0, 10**20))
    | st.builds(Number, st.floats(0, 1e300, allow_nan=False))
)


@settings(max_examples=300, deadline=None)
@given(trees(LEAVES))
def test_what_is_printed_is_read_back(tree: Node) -> None:
    text = normal_text(tree)
    found = parse_formula(text)
    assert found.tree == tree
    assert found.normal == text
    assert found.symbols == free_names(tree)
    assert latex(tree)


@settings(max_examples=200, deadline=None)
@given(st.text("n+-*/^().,0123456789 logMaxSumPiecewise<>=", max_size=40))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    found: object = None
    try:
        found = parse_formula(text)
    except FormulaError as refused:
        found = refused
    if isinstance(found, Formula):
        assert parse_formula(found.normal) == found
    else:
        assert isinstance(found, FormulaError)
        assert 1 <= found.column <= len(text) + 1


# -- values
def whole_trees(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    some = st.lists(inner, min_size=2, max_size=3)
    positive = st.builds(lambda x: Call("Max", (Number(1), x)), inner)
    small = st.integers(0, 3).map(Number)
    return st.one_of(
        st.builds(Negative, inner),
        some.map(added),
        some.map(multiplied),
        st.builds(Divide, inner, positive),
        st.builds(Power, inner, small),
        st.builds(lambda f, x: Call(f, (x,)), st.sampled_from(("floor", "ceiling", "Abs")), inner),
        st.builds(lambda x, y: Call("Mod", (x, y)), inner, positive),
        st.builds(lambda f, a: Call(f, tuple(a)), st.sampled_from(("Max", "Min")), some),
        st.builds(lambda x: Call("ceiling", (Call("log", (x, Number(2))),)), positive),
        st.builds(lambda x: Call("floor", (Call("sqrt", (x,)),)), positive),
        st.builds(
            lambda x, y, a, b, r: Cases(((x, Compare(a, r, b)), (y, Truth(True)))),
            inner,
            inner,
            inner,
            inner,
            st.sampled_from(RELATIONS),
        ),
    )


RATIONAL = st.recursive(
    st.builds(Name, st.sampled_from(("n", "m"))) | st.integers(0, 9).map(Number),
    whole_trees,
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(RATIONAL, st.integers(-5, 70), st.integers(1, 70))
def test_rational_values_are_those_of_sympy(tree: Node, n: int, m: int) -> None:
    try:
        value = parse_formula(normal_text(tree)).evaluate({"n": n, "m": m})
    except InputError:
        return  # numbers too long
    numbers: dict[str, Any] = {"n": sympy.Integer(n), "m": sympy.Integer(m)}
    expected = sympy_of(tree, numbers)
    assert isinstance(value, (int, Fraction))
    assert sympy.Rational(value) == expected, normal_text(tree)
    found = parse_formula(normal_text(tree)).values({"n": [n], "m": [m]})
    if abs(value) < 1e12:
        assert float(found[0]) == pytest.approx(float(value), rel=1e-6, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        [
            "n**(3/2)*log2(n)",
            "ln(n)/log(n, 10) + sqrt(m)",
            "2.5e-9*n*log(m) + 1/m",
            "(n + m)**0.3",
            "n^m / m^n",
            "Sum(i**2/n, (i, 1, m))",
            "abs(n - m)*sqrt(n/m)",
        ]
    ),
    st.integers(1, 60),
    st.integers(1, 20),
)
def test_other_values_are_those_of_sympy(text: str, n: int, m: int) -> None:
    formula, at = parse_formula(text), {"n": n + 1, "m": m}
    expected = float(sympy.sympify(formula.normal).subs(at).doit())
    assert float(formula.evaluate(at)) == pytest.approx(expected, rel=1e-12)
    assert float(sympy_of(formula.tree).subs(at).doit()) == pytest.approx(expected, rel=1e-12)
    assert formula.values({"n": [n + 1.0], "m": [m]})[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("ceiling(log(n, 2))", {"n": 2**60}, 60),
        ("ceiling(log(n, 2))", {"n": 2**60 + 1}, 61),
        ("ceiling(log(n, 2)/log(3, 2))", {"n": 3**40}, 40),
        ("ceiling(log(n, 3))", {"n": 3**40 + 1}, 41),
        ("floor(log(n, 3))", {"n": 3**40 - 1}, 39),
        ("floor(log(1/n, 2))", {"n": 3}, -2),
        ("ceiling(log(n/3, 2))", {"n": 12}, 2),
        ("ceiling(log(n/3, 2))", {"n": 13}, 3),
        ("floor(log(n, 10)) + floor(log(2**60000 - 1, 2))", {"n": 999}, 60001),
        ("floor(sqrt(n))", {"n": 10**60 - 1}, 10**30 - 1),
        ("floor(n**(1/3))", {"n": 10**60}, 10**20),
        ("floor((sqrt(8*n + 1) - 1)/2)", {"n": 10**30 * (10**30 + 1) // 2}, 10**30),
        ("floor(((1 + sqrt(5))/2)**n/sqrt(5) + 1/2)", {"n": 300}, None),
        ("Piecewise((1, sqrt(2)*sqrt(2) == 2), (0, True))", {}, 1),
        ("Piecewise((1, n < 1), (2, n < 2), (3, True))", {"n": 1.5}, 2),
        ("Max(0, ceiling(log(Max(1, sqrt(5)*n/2), 2)/log((1 + sqrt(5))/2, 2)) - 4)", {"n": -2}, 0),
        ("0.1*n + 0.2*n", {"n": 10}, 3),
        ("2**-n", {"n": 3}, Fraction(1, 8)),
        ("8**(2/3)", {}, 4),
        ("(4/9)^(1/2)", {}, Fraction(2, 3)),
        ("log(1/8)", {}, -3),
        ("log(81, 3)", {}, 4),
        ("Mod(-7, 3)", {}, 2),
        ("Sum(Sum(i*j, (j, 0, i)), (i, 0, n))", {"n": 10}, 1705),
        ("Sum(i, (i, 5, n))", {"n": 3}, 0),
        ("Piecewise((1, n > 0), (0, True))*(5/n)", {"n": 0}, 0),
        ("-n**2", {"n": 3}, -9),
        ("2**3**2", {}, 512),
        ("-7/2*n", {"n": 4}, -14),
        ("8/4/2", {}, 1),
        ("1 - 2 - 3", {}, -4),
        ("2*-3", {}, -6),
    ],
)
def test_values_are_exact(text: str, at: dict[str, float], value: Any) -> None:
    if value is None:
        a, b = 0, 1
        for _ in range(300):
            a, b = b, a + b
        value = a
    found = parse_formula(text).evaluate(at)
    assert (found, type(found)) == (value, type(value))


def test_arrays_broadcast_and_mark_what_has_no_value() -> None:
    found = parse_formula("n/p + Piecewise((1, n > 2), (0, True)) + ceiling(log(n, 2))").values(
        {"n": np.array([[1.0], [8.0]]), "p": np.array([0.0, 1.0, 2.0])}
    )
    assert found.shape == (2, 3)
    assert found[1].tolist() == [math.inf, 12.0, 8.0]
    assert not math.isfinite(found[0, 0])
    assert parse_formula("Sum(k*n, (k, 1, n))").values({"n": [0, 2, 3]}).tolist() == [0, 6, 18]
    assert np.isnan(parse_formula("Piecewise((n, n > 2))").values({"n": [2.0]})[0])
    with pytest.raises(InputError, match="no value for m"):
        parse_formula("n*m").values({"n": [1.0]})


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Sum(i, (i, 0, n))", {"n": 10**9}),
        ("Sum(Sum(1, (i, 0, n)), (j, 0, n))", {"n": 10**4}),
        ("Sum(i, (i, 0, n/2))", {"n": 3}),
        ("Piecewise((n, n > 2))", {"n": 1}),
        ("(-8)**(1/3)", {}),
        ("log(8, 1)", {}),
        ("10**10**10", {}),
        ("n", {"n": math.nan}),
        ("n", {"n": math.inf}),
    ],
)
def test_no_value_is_an_error(text: str, at: dict[str, float]) -> None:
    with pytest.raises(InputError):
        parse_formula(text).evaluate(at)


# -- reading
@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("log(n)", "log(n, 2)"),
        ("log2(n)", "log(n, 2)"),
        ("log(n, 10)", "log(n, 10)"),
        ("ln(n)", "ln(n)"),
        ("5*n^2/p", "5*n**2/p"),
        ("max(0, n) + ceil(n/2) + abs(n)", "Max(0, n) + ceiling(n/2) + Abs(n)"),
        (" ( n ) ", "n"),
        ("n - (m - p)", "n - (m - p)"),
        ("n - (m*p)", "n - m*p"),
        ("n/(m/p)", "n/(m/p)"),
        ("n/(m*p)", "n/(m*p)"),
        ("(n*m)*p", "n*m*p"),
        ("(n**m)**p", "(n**m)**p"),
        ("+n", "n"),
        ("1e-09*n", "1e-09*n"),
        ("lambda + max", "lambda + max"),
    ],
)
def test_one_way_of_writing(text: str, normal: str) -> None:
    assert parse_formula(text).normal == normal


def test_a_logarithm_without_a_base_is_binary_and_known_as_such() -> None:
    bare, binary = parse_formula("n*log(n)"), parse_formula("n*log2(n)")
    assert bare.tree == binary.tree
    assert (bare.has_bare_log, binary.has_bare_log) == (True, False)
    assert not parse_formula("log(n, 2) + ln(n)").has_bare_log


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n * lg(n)", "unknown function 'lg' at column 5 (n * lg(n)); write log2, ln or log(x, b)"),
        ("2n", "not a formula: unexpected 'n' at column 2 (2n); write * between factors"),
        ("n % 2", "not a formula: unexpected '%' at column 3 (n % 2); write Mod(a, b)"),
        ("n // 2", "not a formula: unexpected '//' at column 3 (n // 2); write floor(a/b)"),
        ("pow(n, 2)", "unknown function 'pow' at column 1 (pow(n, 2)); write x**y"),
        ("sqrt(n, 2)", "sqrt takes 1 argument, not 2 at column 1 (sqrt(n, 2))"),
        ("log2(n, 2)", "log2 takes 1 argument"),
        ("n < 2", "a comparison stands only in Piecewise"),
        ("Piecewise((n, n))", "a condition needs a comparison at column 16"),
        ("Sum(i, (2, 1, n))", "a sum needs an index at column 9"),
        ("Sum(n)", "not a formula: unexpected ')' at column 6"),
        ("", "not a formula: the text ends; write one as in"),
        ("(n + 2", "the text ends at column 7"),
        ("n)", "unexpected ')' at column 2"),
        ("n\n+ $", "unexpected '$' at column 5 (n + $)"),
        ("n + " * 40 + "!", "at column 161 (..."),
        ("9" * 2000, "a number of 2000 digits"),
        ("True", "not a formula: unexpected 'True'"),
    ],
)
def test_the_place_of_an_error_is_told(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text)
    assert message in str(caught.value)


def test_a_caret_points_at_the_error() -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula("n * lg(n)")
    assert caught.value.detail == "n * lg(n)\n    ^"
    where = caught.value.within("scan").within("laws.toml")
    assert str(where).startswith("laws.toml: scan: unknown function 'lg' at column 5")
    assert where.detail == caught.value.detail


@pytest.mark.parametrize(
    "text", ["(" * 5000 + "n", "-" * 5000 + "n", "n/" * 5000 + "n", "n**" * 5000 + "n", "n" * 70000]
)
def test_hostile_texts_are_refused_at_once(text: str) -> None:
    with pytest.raises(InputError):
        parse_formula(text)


def test_long_sums_and_products_are_read() -> None:
    assert parse_formula("+".join("n" * 20000)).evaluate({"n": 2}) == 40000
    assert parse_formula("*".join("n" * 20000)).evaluate({"n": 1}) == 1


# -- terms
@settings(max_examples=60, deadline=None)
@given(
    st.floats(-1e6, 1e6).map(lambda x: float(f"{x:.6g}")),
    st.lists(
        st.tuples(
            st.floats(1e-9, 1e6),
            st.builds(
                lambda i, j, k: Term.of({"n": (i, j), "m": (k, 0)}),
                st.fractions(-3, 3, max_denominator=4),
                st.integers(-2, 2),
                st.fractions(-2, 2, max_denominator=3),
            ).filter(lambda term: bool(term.factors)),
        ),
        max_size=4,
        unique_by=lambda pair: pair[1],
    ),
)
def test_terms_become_a_formula_and_back(constant: float, terms: list[tuple[float, Term]]) -> None:
    law = known_law(normal_text(from_terms(constant, terms)))
    assert law.whole
    assert not law.rounded
    expected = {term: coefficient for coefficient, term in terms}
    if constant:
        expected[Term(())] = constant
    assert {t: c for t, c in law.terms.items() if c} == pytest.approx(expected)


def test_nodes_are_values() -> None:
    n = Name("n")
    assert Add((n, Multiply((Number(2), n)))) == parse_formula("n + 2*n").tree
    assert hash(parse_formula("n+2*n").tree) == hash(parse_formula("n + 2*n").tree)
    assert parse_formula("n+2*n") == parse_formula("n + 2*n")
    assert [part.text for part in parse_formula("n*m + log(n) + 2").parts] == [
        "n*m",
        "log(n, 2)",
        "2",
    ]
    assert len(parse_formula("n*m - n").parts) == 1


# -- sympy
@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "(n - n + 9)**(9**9)",
        "(9*n)**(9**9)",
        "9.0**9.0**9.0**9.0",
        "*".join(["2**30000"] * 900),
        " + ".join(f"1/{k}**900" for k in range(3, 300)),
        "2**(2**(2**sqrt(30)))",
        "(2**900)**(2**900)",
        "floor(sqrt(2)**(sqrt(2)**(sqrt(2)**40)))",
        "Mod(n, 0)",
        "Piecewise((1, Piecewise((n, n > 1), (0, True)) > 2), (0, True))*1 + "
        + " + ".join(
            f"Piecewise(({k}, Piecewise((n, n > {k}), (0, True)) > 2), (0, True))"
            for k in range(20)
        ),
    ],
)
def test_what_sympy_would_compute_without_an_end_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        _ = parse_formula(text).sympy


@pytest.mark.parametrize(
    "text",
    [
        f"Max({', '.join(f'n**{k} + m' for k in range(200))})",
        "Mod((a + b + c + d + e + f)**60, (a + b + c + d + e + g)**59)",
        "Mod(Mod(a*(a + b + c)**9*(b + c + d)**9, (a + b)**9), (c + d)**7)",
        f"Piecewise({', '.join(f'({k}, n**2 + {k}*m >= n*m)' for k in range(200))}, (0, True))",
        "Max(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)), 0)",
        "floor(sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)))",
        "Sum(i**i, (i, 0, 10**300))",
        "floor(log(2**500 + 1, 2)*10**100 - 500*10**100)",
    ],
)
def test_what_sympy_would_simplify_for_long_stays_as_written(text: str) -> None:
    formula = parse_formula(text)
    assert {str(s) for s in formula.sympy.free_symbols} == formula.symbols


def test_sympy_has_plain_symbols_whatever_they_are_called() -> None:
    found = parse_formula("E*I + pi**N + S - Sum(i, (i, 0, n)) + beta").sympy
    names = {"E", "I", "pi", "N", "S", "n", "beta"}
    assert found.free_symbols == {sympy.Symbol(name) for name in names}
    (total,) = found.atoms(sympy.Sum)
    assert total.limits[0][0] == sympy.Symbol("i")


@pytest.mark.parametrize(
    "text",
    [
        "Max(0, n)*(Max(0, n) - 1)/2",
        "ceiling(log(Max(1, n), 2)/log(3, 2))",
        "Piecewise((1, Mod(n + m, 2) <= 1), (1/2, True))*n",
        "floor(n*(n + 3)/3) + Min(100, n, m) - floor(sqrt(Max(0, n)))",
        "Sum(floor(i/2), (i, 0, Max(-1, n - 1)))",
        "2.5*n**(3/2)*log(n, 2)**2 + 1e-9",
    ],
)
def test_sympy_objects_are_those_of_sympify(text: str) -> None:
    names = {name: sympy.Symbol(name) for name in ("n", "m", "i")}
    assert parse_formula(text).sympy == sympy.sympify(text, names)
