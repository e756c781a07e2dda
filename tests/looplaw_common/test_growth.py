"""How formulas grow, against values at long integers and against sympy's limits."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from looplaw_common.formula.formula import parse_formula
from looplaw_common.formula.growth import CannotTell, Growth, Term, residues, value_of

T = Growth.parameter()


def grown(text: str, **at: Growth | int) -> Growth:
    formula = parse_formula(text)
    found = value_of(formula, {**dict.fromkeys(formula.symbols, T), **at})
    return found if isinstance(found, Growth) else Growth.number(found)


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("n*(n + 1)/2 - n**2/2", "n"),
        ("sqrt(n + 1) - sqrt(n)", "n**(-1/2)"),
        ("log(n + 1, 2) - log(n, 2)", "1/n"),
        ("n**log2(n)/2**n", "2**(log2(n)**2 - n)"),
        ("Sum(i**2, (i, 0, n - 1))", "n**3"),
        ("Sum(2**i, (i, 0, n))", "2**n"),
        ("Sum(floor(n/i), (i, 1, n))", "n*log2(n)"),
        ("Sum(Sum(floor(n/(i*j)), (j, 1, n)), (i, 1, n))", "n*log2(n)**2"),
        ("Sum(Max(0, n - 2*i), (i, 0, n))", "n**2"),
        ("Sum(2**floor(sqrt(i)), (i, 0, n))", "2**sqrt(n)*sqrt(n)"),
        ("Sum(Piecewise((n, i <= 5), (0, True)), (i, 0, n))", "n"),
        ("Sum(Piecewise((1, floor(n/2**i) >= 2), (0, True)), (i, 0, ceiling(log2(n))))", "log2(n)"),
        ("log2(log2(n**3))", "log2(log2(n))"),
        ("Max(n, m) - n", "0"),
        ("Min(n, 20)", "1"),
        ("floor(7/n)", "0"),
        ("floor(-1/n)", "-1"),
        ("Piecewise((n**2, n <= 100), (n, True))", "n"),
        ("(1 + 1/n)**n", "1"),
    ],
)
def test_the_order_of_what_is_no_polynomial(text: str, alike: str) -> None:
    assert grown(text).lead.order == grown(alike).lead.order
    assert grown(text).sign == grown(alike).sign


def test_what_is_not_known_is_said() -> None:
    with pytest.raises(CannotTell):
        _ = grown("n*Mod(n, 2)").sign
    assert [grown("n*Mod(n, 2)", n=Growth.parameter(1, 2, r)).sign for r in (0, 1)] == [0, 1]
    with pytest.raises(CannotTell):
        grown("Sum(Piecewise((n, i == 5), (0, True)), (i, 0, n))")


def _formulas(depth: int) -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["n", "n", "1", "2", "3", "7"])
    if not depth:
        return leaves
    inner = _formulas(depth - 1)
    binary = st.sampled_from(
        ["({} + {})", "({} - {})", "{}*{}", "Max({}, {})", "Min({}, {})", "floor({}/({}**2 + 1))"]
    )
    unary = st.sampled_from(
        [
            "floor({}/2)",
            "ceiling({}/3)",
            "Mod({}, 4)",
            "({})**2",
            "Abs({})",
            "ceiling(log(Max(1, {}), 2))",
            "floor(sqrt(Abs({})))",
            "Piecewise(({0}, {0} < 50), (3, True))",
        ]
    )
    return st.one_of(
        leaves,
        st.tuples(binary, inner, inner).map(lambda t: t[0].format(t[1], t[2])),
        st.tuples(unary, inner).map(lambda t: t[0].format(t[1])),
    )


_ROUNDED = 50
"""Below it, whole numbers say too little of a logarithm or its root."""


def _times(value: object, term: Term, t: int) -> float:
    """A value as a multiple of a term's size at t."""
    assert not term.order.exponent
    power, log, loglog = (float(x) for x in (term.order.power, term.order.log, term.order.loglog))
    bits = sympy.log(t, 2).evalf()
    size = sympy.Float(t) ** power * bits**log * sympy.log(bits, 2).evalf() ** loglog
    return float(sympy.sympify(value) / size)


@settings(max_examples=80, deadline=None)
@given(_formulas(3))
def test_values_at_long_integers_follow_the_leading_term(text: str) -> None:
    """The oracle: exact values at integers of 200 and 400 bits."""
    formula = parse_formula(text)
    for period, residue in residues([formula], {}):
        try:
            found = grown(text, n=Growth.parameter(1, period, residue))
        except CannotTell:
            continue
        lead = found.lead
        for t in (2**200 + 7, 2**400 + 3):
            value = formula.evaluate({"n": period * t + residue})
            if (lead.order.log or lead.order.loglog) and abs(value) < _ROUNDED:
                continue  # rounding hides so slow a growth
            near = _times(value, lead, t)
            assert float(lead.low) - 0.1 <= near <= float(lead.high) + 0.1 or (
                abs(near / float(lead.low or 1) - 1) < 0.2
            )


@pytest.mark.parametrize(
    "summand",
    [
        "floor(n/(n - i + 1))",
        "i*ceiling(log(i + 2, 2))",
        "Max(0, 3*i - n)*floor(sqrt(i))",
        "Max(1, floor(n/(i + 1)**2))",
        "Min(i, 20)*(n - i)",
        "Piecewise((i, 2*i <= n), (1, True))*floor(n/(i + 1))",
    ],
)
def test_long_sums_have_the_order_of_their_values(summand: str) -> None:
    formula = parse_formula(f"Sum({summand}, (i, 0, n))")
    order = grown(formula.text).lead
    shares = [_times(formula.evaluate({"n": n}), order, n) for n in (150, 600, 2400)]
    assert shares[2] / shares[1] == pytest.approx(1, abs=0.25)


@pytest.mark.parametrize(
    "text",
    [
        "2*n**(1/2)*log2(n)/(3*n**(1/2)*log2(n) + 5)",
        "(n**2 + 3*n*log2(n)**2)/(4*n**2)",
        "n*log2(n)**2/(n**(3/2) + 1)",
        "log2(n**2 + n)/log2(n**3 + 7)",
        "(sqrt(n**2 + 3*n) - n)*5",
        "2**n/(n**3 + 2**(n - 2))",
    ],
)
def test_quotients_have_the_limits_that_sympy_finds(text: str) -> None:
    n = sympy.Symbol("n", positive=True)
    expected = sympy.limit(parse_formula(text).sympy.subs("n", n), n, sympy.oo)
    lead = grown(text).lead
    if lead.order.sign:
        assert expected == (sympy.oo if lead.order.sign > 0 else 0)
    else:
        assert float(expected) == pytest.approx(float(lead.low))
