"""What a formula says of a bound of values, and where."""

from __future__ import annotations

import pytest

from looplaw_common.formula.formula import parse_formula
from modeling.expectations.formula_verdict import hold_growth, hold_values
from modeling.pmnf.assumed_formula import Assumed, AssumedFormula

BYTE = {"n": (0, 255)}


def verdict(relation: str, law: str, formula: AssumedFormula) -> tuple[str, tuple[str, ...], bool]:
    found = hold_values(relation, parse_formula(law), formula)  # type: ignore[arg-type]
    return found.status, found.where, found.is_open


@pytest.mark.parametrize(
    ("relation", "law", "formula", "assumed", "expected"),
    [
        ("<=", "n", "n", [], ("holds", (), False)),
        ("<=", "255", "n", [], ("holds", (), False)),  # by its type
        ("<=", "254", "n", [], ("broken", (), False)),
        ("<=", "10", "n", ["n <= 10"], ("holds where", ("n <= 10",), True)),
        ("<=", "9", "n", ["n <= 10"], ("broken", (), False)),
        ("<=", "n", "n", ["n >= 0"], ("holds", (), False)),  # true of all values of the type
        ("<=", "n", "n", ["n >= 300"], ("unchecked", (), False)),
        ("<=", "n", "n", ["not a relation"], ("unchecked", (), False)),
        ("==", "floor(n/2)", "(n - Mod(n, 2))/2", [], ("holds", (), False)),
    ],
)
def test_a_bound_is_held_where_the_formula_holds(
    relation: str, law: str, formula: str, assumed: list[str], expected: tuple[object, ...]
) -> None:
    assert (
        verdict(relation, law, AssumedFormula.read(formula, Assumed.of(assumed), BYTE)) == expected
    )


def test_sizes_are_not_negative() -> None:
    """A signed parameter below zero has no iterations, and `work <= n` is not about it."""
    signed = AssumedFormula.read("Max(0, n)", ranges={"n": (-128, 127)})
    assert verdict("<=", "n", signed) == ("holds where", ("n >= 0",), False)
    assert verdict("<=", "127", signed) == ("holds", (), False)
    wraps = AssumedFormula.read("n", Assumed.of(["n >= 0"]), {"n": (-128, 127)})
    assert verdict("<=", "127", wraps) == ("holds where", ("n >= 0",), True)


def test_one_value_of_one_parameter_is_found() -> None:
    formula = AssumedFormula.read("Piecewise((n, Mod(m, 64) <= 0), (0, True))")
    assert verdict("<=", "20 + m", formula)[0] == "broken"
    case = AssumedFormula.read(
        "n*Max(0, 1 - Max(m - 41, 41 - m))", ranges={"n": (0, 100), "m": (0, 99)}
    )
    assert verdict("<=", "60", case)[0] == "broken"


def test_growth_that_is_kept_at_some_large_values_only() -> None:
    odd = AssumedFormula.read("n", Assumed.of(["Mod(n, 2) >= 1"]))
    found = hold_growth(odd, None, "")
    assert (found.status, found.where) == ("holds where", ("Mod(n, 2) >= 1",))
    least = AssumedFormula.read("n", Assumed.of(["n >= 1"]))
    assert hold_growth(least, None, "").status == "holds"


def test_a_formula_has_no_value_outside_of_its_assumptions() -> None:
    formula = AssumedFormula.read("n/2", Assumed.of(["1 <= n <= 4", "8/n >= 2"]))
    assert [formula.evaluate({"n": n}) for n in (0, 2, 5)] == [None, 1, None]
    assert formula.broken({"n": 0}) == ("1 <= n", "8/n >= 2")
    assert formula.evaluate({}) is None
