"""What a formula that is known beforehand says of a law: its terms, as text becomes `Prior`.

The formula comes from a static analysis or from whoever knows the program. Symbols in it are
parameters, or quantities that were measured beside the values (the mean number of nonzeros of a
row), which are columns of the points as well.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from looplaw_common.errors import InputError

from .terms import Prior, Term, growth_in

MOST_TERMS = 6
_MAX_CHARS = 4000
_MAX_POWER = 8
_MAX_PRODUCT = 64
_ONE = Term(())
_ROUNDED = ("floor", "ceiling", "ceil")
_LOGARITHMS = {"log2": 2.0, "log": math.e}


@dataclass(frozen=True)
class KnownLaw:
    """Terms and their coefficients; whole: the formula is their sum and nothing else; rounded: but
    for rounding and guards such as Max(0, n - 1), which matter less the larger the parameters."""

    terms: Mapping[Term, float]
    whole: bool
    rounded: bool

    def signed(self, positive: bool) -> tuple[Term, ...]:
        """Terms that grow, with coefficients of one sign."""
        return tuple(t for t, c in self.terms.items() if t.factors and (c > 0) == positive)


_UNKNOWN = KnownLaw({}, False, False)


def known_law(formula: str) -> KnownLaw:
    """The terms of a formula as Python and sympy write it; ^ is a power too, log(n) natural, log(n,
    2) and log2(n) binary.

    Summands that are no products of powers and logarithms are left out.

    Raises:
        InputError: it is no formula.
    """
    if len(formula) > _MAX_CHARS:
        return _UNKNOWN
    try:
        tree = ast.parse(formula.replace("^", "**").strip(), mode="eval").body
        return _law(tree)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise InputError(
            f"{formula[:60]}: not a formula; write one as in rows*nnz or n*log(n, 2) + n"
        ) from None
    except OverflowError:
        return _UNKNOWN


def prior_of(
    formula: str | None = None,
    *,
    lower: str | None = None,
    upper: str | None = None,
    parameters: Iterable[str] | None = None,
    measured: Collection[str] | None = None,
    fixed: bool = False,
) -> Prior:
    """What is known of a law before measuring.

    Args:
        formula: the law itself, whatever its coefficients. lower, upper: formulas that bound it.
        parameters: what can influence it; None is anything. measured: names of the columns of the
        points; terms of the formula with other symbols cannot be used. None is any. fixed: only the
        coefficients of the formula's terms are fitted, where it is a sum of such terms and all its
        symbols
            are measured; else they are preferred.

    Raises:
        InputError: one is no formula.
    """
    law = _UNKNOWN if formula is None else known_law(formula)
    usable = [t for t in law.terms if t.factors and _all_in(t, measured)]
    terms = tuple(usable[:MOST_TERMS])
    symbols = frozenset(n for t in terms for n in t.parameters)
    is_fixed = (
        fixed
        and bool(terms)
        and law.whole
        and not law.rounded
        and len(terms) == sum(bool(t.factors) for t in law.terms)
    )
    return Prior(
        None if parameters is None else frozenset(parameters) | symbols,
        terms,
        _upper(upper, measured),
        _lower(lower, measured),
        is_fixed,
    )


def _all_in(term: Term, names: Collection[str] | None) -> bool:
    return names is None or all(n in names for n in term.parameters)


def _upper(formula: str | None, measured: Collection[str] | None) -> tuple[Term, ...]:
    """Terms that bound the growth of what is at most the formula; none where that is not made of
    known terms alone."""
    law = _UNKNOWN if formula is None else known_law(formula)
    return law.signed(True) if law.whole and all(_all_in(t, measured) for t in law.terms) else ()


def _lower(formula: str | None, measured: Collection[str] | None) -> tuple[Term, ...]:
    """Terms as fast as which grows what is at least the formula; none where what is subtracted may
    grow as fast."""
    law = _UNKNOWN if formula is None else known_law(formula)
    if not law.whole or not all(_all_in(t, measured) for t in law.terms):
        return ()
    added, taken = law.signed(True), law.signed(False)
    return (
        ()
        if any(growth_in(taken, n) >= growth_in(added, n) for t in taken for n in t.parameters)
        else added
    )


def _law(node: ast.expr) -> KnownLaw:
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
    ):
        return KnownLaw({_ONE: float(node.value)}, True, False)
    if isinstance(node, ast.Name):
        return KnownLaw({Term.of({node.id: (1, 0)}): 1.0}, True, False)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        law = _law(node.operand)
        return law if isinstance(node.op, ast.UAdd) else _scaled(law, -1.0)
    if isinstance(node, ast.BinOp):
        return _operation(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, node.args)
    if isinstance(node, (ast.Call, ast.Tuple, ast.Compare, ast.BoolOp)):
        return _UNKNOWN
    raise ValueError


def _operation(node: ast.BinOp) -> KnownLaw:
    left = _law(node.left)
    if isinstance(node.op, ast.Pow):
        return _power(left, _exponent(node.right))
    right = _law(node.right)
    if isinstance(node.op, ast.Add):
        return _sum(left, right)
    if isinstance(node.op, ast.Sub):
        return _sum(left, _scaled(right, -1.0))
    if isinstance(node.op, ast.Mult):
        return _product(left, right)
    if isinstance(node.op, ast.Div):
        return _product(left, _power(right, Fraction(-1)))
    raise ValueError


def _call(name: str, args: list[ast.expr]) -> KnownLaw:
    if name in _ROUNDED and len(args) == 1:
        law = _law(args[0])
        return KnownLaw(law.terms, law.whole, True)
    if name == "sqrt" and len(args) == 1:
        return _power(_law(args[0]), Fraction(1, 2))
    if name in _LOGARITHMS and len(args) in (1, 2):
        base = _law(args[1]).terms.get(_ONE, 0.0) if len(args) == 2 else _LOGARITHMS[name]
        return _logarithm(_law(args[0]), base)
    if name in ("Max", "max"):
        laws = [_law(a) for a in args]
        growing = [law for law in laws if not law.whole or any(t.factors for t in law.terms)]
        if len(growing) == 1:  # a guard, idle for large values
            return KnownLaw(growing[0].terms, growing[0].whole, True)
    return _UNKNOWN


def _exponent(node: ast.expr) -> Fraction | None:
    """A rational number; None where it is no number."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        top, bottom = _exponent(node.left), _exponent(node.right)
        return top / bottom if top is not None and bottom else None
    law = _law(node)
    value = law.terms.get(_ONE)
    if not law.whole or value is None or len(law.terms) != 1:
        return None
    return Fraction(value).limit_denominator(1000)


def _scaled(law: KnownLaw, factor: float) -> KnownLaw:
    return KnownLaw({t: c * factor for t, c in law.terms.items()}, law.whole, law.rounded)


def _sum(a: KnownLaw, b: KnownLaw) -> KnownLaw:
    terms = dict(a.terms)
    for t, c in b.terms.items():
        terms[t] = terms.get(t, 0.0) + c
    return KnownLaw(
        {t: c for t, c in terms.items() if c}, a.whole and b.whole, a.rounded or b.rounded
    )


def _product(a: KnownLaw, b: KnownLaw) -> KnownLaw:
    """Unknown where a factor is not known in whole: its other parts would be missing in every
    product."""
    if not a.whole or not b.whole or len(a.terms) * len(b.terms) > _MAX_PRODUCT:
        return _UNKNOWN
    found = KnownLaw({}, True, a.rounded or b.rounded)
    for s, c in a.terms.items():
        found = _sum(found, KnownLaw({s.times(t): c * d for t, d in b.terms.items()}, True, False))
    return found


def _power(law: KnownLaw, exponent: Fraction | None) -> KnownLaw:
    if exponent is None or not law.whole:
        return _UNKNOWN
    if len(law.terms) == 1:
        ((term, coefficient),) = law.terms.items()
        if coefficient <= 0 and exponent.denominator != 1:
            return _UNKNOWN
        powers = {n: (i * exponent, j * exponent) for n, i, j in term.factors}
        return KnownLaw({Term.of(powers): coefficient ** float(exponent)}, True, law.rounded)
    if exponent.denominator != 1 or not 0 <= exponent <= _MAX_POWER:
        return _UNKNOWN
    found = KnownLaw({_ONE: 1.0}, True, False)
    for _ in range(int(exponent)):
        found = _product(found, law)
    return found


def _logarithm(law: KnownLaw, base: float) -> KnownLaw:
    """log(c x**i) = i log(x) + log(c); products of parameters give sums."""
    if len(law.terms) != 1 or not law.whole or base <= 1:
        return _UNKNOWN
    ((term, coefficient),) = law.terms.items()
    if coefficient <= 0 or any(j for _, _, j in term.factors):
        return _UNKNOWN
    unit = 1 / math.log2(base)
    terms = {Term.of({n: (0, 1)}): float(i) * unit for n, i, _ in term.factors}
    if coefficient != 1:
        terms[_ONE] = math.log2(coefficient) * unit
    return KnownLaw(terms, True, law.rounded)
