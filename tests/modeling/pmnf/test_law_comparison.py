"""Which of two laws grows faster."""

import pytest

from looplaw_common.formula.formula import parse_formula
from modeling.pmnf.assumed_formula import AssumedFormula
from modeling.pmnf.law_comparison import compare_laws, same_values


@pytest.mark.parametrize(
    ("before", "after", "faster"),
    [
        ("n", "n*(n + 1)/2", ("n",)),
        ("ceiling(log(Max(1, n), 2))", "n", ("n",)),
        ("n", "n*log(n, 2)", ("n",)),
        ("n*m", "n**2", ("n",)),
        ("n + m", "n*m", ("m", "n")),
        ("100*n", "n*m", ("m",)),
        ("Min(n, m)*k", "n*k", ("n",)),
        ("Sum(floor(n/i), (i, 1, n))", "n**2", ("n",)),
        ("n", "2**n", ("n",)),
        ("2**n", "3**n", ("n",)),
        ("0", "n", ("n",)),
        ("Piecewise((n, n > 100), (n**2, True))", "n**2", ("n",)),
        ("n", "n*Mod(n, 2)*n", ("n",)),
    ],
)
def test_what_grows_faster_is_found(before: str, after: str, faster: tuple[str, ...]) -> None:
    assert compare_laws(parse_formula(before), parse_formula(after)).faster == faster


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("n**2/2 + 5*n", "n*(n + 10)/2"),
        ("Max(0, n)", "Max(0, n - 1) + 1"),
        ("Sum(floor(n/i), (i, 1, n))", "Sum(floor(n/(i + 1)), (i, 0, n - 1))"),
        ("ceiling(n/2) + floor(n/2)", "n"),
    ],
)
def test_equal_laws_in_another_form_are_equal(before: str, after: str) -> None:
    found = compare_laws(parse_formula(before), parse_formula(after))
    assert same_values(AssumedFormula.read(before), AssumedFormula.read(after))
    assert not found.faster
    assert not found.slower


def test_laws_that_differ_in_one_case_alone_are_not_equal() -> None:
    one = "(Piecewise((1, m - 1 >= 0), (0, True)) - Piecewise((1, m - 2 >= 0), (0, True)))"
    before, after = (AssumedFormula.read(f"{law}*{one} + 3") for law in ("n", "n**2"))
    assert not same_values(before, after)


def test_constant_factors_are_known() -> None:
    found = compare_laws(parse_formula("n"), parse_formula("4*n + 3"))
    assert not found.faster
    assert found.factor == pytest.approx(4)


def test_lower_terms_are_not_growth() -> None:
    found = compare_laws(parse_formula("n**2"), parse_formula("n**2 + 1000*n*log(n, 2)"))
    assert not found.faster
