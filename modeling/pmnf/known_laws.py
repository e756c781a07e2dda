"""Formulas known before measuring, as terms of the normal form and as priors of the fitter.

A formula comes from a static analysis or from a user. Its symbols are parameters, or quantities
that were measured with the values (the mean number of nonzeros of a row), which are columns of the
points as well.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from looplaw_common.formula.formula import parse_formula
from looplaw_common.formula.tree import (
    Add,
    Call,
    Cases,
    Compare,
    Divide,
    Mapper,
    Multiply,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Summation,
    Truth,
    WithoutCertain,
    added,
    multiplied,
)

from .terms import Prior, Term, growth_in

MOST_TERMS = 6
_MAX_CHARS = 4000
_MAX_POWER = 8
_MAX_PRODUCT = 64
_ONE = Term(())


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
    """The terms of a formula; `looplaw_common.formula.formula` has the grammar.

    Summands that are no products of powers and logarithms are left out.

    Raises:
        InputError: it is no formula.
    """
    if len(formula) > _MAX_CHARS:
        return _UNKNOWN
    try:
        return _Terms()(WithoutCertain()(parse_formula(formula).tree))
    except ArithmeticError:  # a division by 0, or coefficients that no float holds
        return _UNKNOWN


def from_terms(constant: float, terms: Iterable[tuple[float, Term]]) -> Node:
    """The tree of constant + sum of coefficient * term, as a model is printed; its `known_law` has
    these terms."""
    summands = [_signed(constant, [])] if constant else []
    summands += [_signed(coefficient, _factors(term)) for coefficient, term in terms]
    return added(summands) if summands else Number(0)


def _signed(coefficient: float, factors: list[Node]) -> Node:
    product = multiplied([Number(abs(coefficient)), *factors])
    return Negative(product) if coefficient < 0 else product


def _factors(term: Term) -> list[Node]:
    found: list[Node] = []
    for name, i, j in term.factors:
        logarithm = Call("log", (Name(name), Number(2)))
        found += [
            _raised(base, power) for base, power in ((Name(name), i), (logarithm, j)) if power
        ]
    return found


def _raised(base: Node, power: Fraction) -> Node:
    if power == 1:
        return base
    exponent: Node = Number(abs(power.numerator))
    if power.denominator != 1:
        exponent = Divide(exponent, Number(power.denominator))
    return Power(base, Negative(exponent) if power < 0 else exponent)


def prior_of(
    formula: str | None = None,
    *,
    lower: str | None = None,
    upper: str | None = None,
    parameters: Iterable[str] | None = None,
    measured: Collection[str] | None = None,
    fixed: bool = False,
) -> Prior:
    """The prior of a law that is known, bounded, or depends on known parameters only.

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
    """Terms of an upper bound; none if the formula has other parts or unmeasured symbols."""
    law = _UNKNOWN if formula is None else known_law(formula)
    return law.signed(True) if law.whole and all(_all_in(t, measured) for t in law.terms) else ()


def _lower(formula: str | None, measured: Collection[str] | None) -> tuple[Term, ...]:
    """Terms of a lower bound; none if what is subtracted may grow as fast."""
    law = _UNKNOWN if formula is None else known_law(formula)
    if not law.whole or not all(_all_in(t, measured) for t in law.terms):
        return ()
    added, taken = law.signed(True), law.signed(False)
    return (
        ()
        if any(growth_in(taken, n) >= growth_in(added, n) for t in taken for n in t.parameters)
        else added
    )


class _Terms(Mapper[KnownLaw]):
    """The terms of every node; `_UNKNOWN` where it is no sum of them."""

    def number(self, node: Number) -> KnownLaw:
        return KnownLaw({_ONE: float(node.value)}, True, False)

    def name(self, node: Name) -> KnownLaw:
        return KnownLaw({Term.of({node.name: (1, 0)}): 1.0}, True, False)

    def negative(self, node: Negative) -> KnownLaw:
        return _scaled(self(node.operand), -1.0)

    def add(self, node: Add) -> KnownLaw:
        return _sum([self(term) for term in node.terms])

    def multiply(self, node: Multiply) -> KnownLaw:
        law = self(node.factors[0])
        for factor in node.factors[1:]:
            law = _product(law, self(factor))
        return law

    def divide(self, node: Divide) -> KnownLaw:
        return _product(self(node.numerator), _power(self(node.denominator), Fraction(-1)))

    def power(self, node: Power) -> KnownLaw:
        return _power(self(node.base), self._exponent(node.exponent))

    def _exponent(self, node: Node) -> Fraction | None:
        """A rational number; None where it is no number."""
        if isinstance(node, Divide):
            top, bottom = self._exponent(node.numerator), self._exponent(node.denominator)
            return top / bottom if top is not None and bottom else None
        law = self(node)
        value = law.terms.get(_ONE)
        if not law.whole or value is None or len(law.terms) != 1:
            return None
        return Fraction(value).limit_denominator(1000)

    def call(self, node: Call) -> KnownLaw:
        laws = [self(argument) for argument in node.arguments]
        match node.function:
            case "floor" | "ceiling":
                return KnownLaw(laws[0].terms, laws[0].whole, True)
            case "sqrt":
                return _power(laws[0], Fraction(1, 2))
            case "ln":
                return _logarithm(laws[0], math.e)
            case "log":
                return _logarithm(laws[0], laws[1].terms.get(_ONE, 0.0))
            case "Max":
                growing = [w for w in laws if not w.whole or any(t.factors for t in w.terms)]
                if len(growing) == 1:  # a guard such as Max(0, n), idle for large values
                    return KnownLaw(growing[0].terms, growing[0].whole, True)
        return _UNKNOWN

    def truth(self, node: Truth) -> KnownLaw:
        return _UNKNOWN

    def compare(self, node: Compare) -> KnownLaw:
        return _UNKNOWN

    def cases(self, node: Cases) -> KnownLaw:
        return _UNKNOWN

    def summation(self, node: Summation) -> KnownLaw:
        return _UNKNOWN


def _scaled(law: KnownLaw, factor: float) -> KnownLaw:
    return KnownLaw({t: c * factor for t, c in law.terms.items()}, law.whole, law.rounded)


def _sum(laws: Iterable[KnownLaw]) -> KnownLaw:
    """The sum of laws; terms that cancel are left out."""
    terms: dict[Term, float] = {}
    whole, rounded = True, False
    for law in laws:
        for t, c in law.terms.items():
            terms[t] = terms.get(t, 0.0) + c
        whole, rounded = whole and law.whole, rounded or law.rounded
    return KnownLaw({t: c for t, c in terms.items() if c}, whole, rounded)


def _product(a: KnownLaw, b: KnownLaw) -> KnownLaw:
    """Unknown where a factor is not known in whole: its other parts would be missing in every
    product."""
    if not a.whole or not b.whole or len(a.terms) * len(b.terms) > _MAX_PRODUCT:
        return _UNKNOWN
    products = (
        KnownLaw({s.times(t): c * d for t, d in b.terms.items()}, True, False)
        for s, c in a.terms.items()
    )
    return KnownLaw(_sum(products).terms, True, a.rounded or b.rounded)


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
