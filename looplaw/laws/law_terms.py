"""Static formulas as terms of the performance model normal form, and formulas without the guards
that matter for small values only."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from looplaw_common.formula.formula import Formula, parse_formula
from looplaw_common.formula.text import normal_text
from looplaw_common.formula.tree import Call, Name, Node, Number, WithoutCertain
from modeling import InputError, Term, grows_faster
from staticana.expr import (
    Assumptions,
    Atom,
    CLog,
    Expr,
    Extremum,
    Floor,
    Sum,
    Sym,
    Trunc,
    simplify,
    sym,
)

LEAST = 4
"""Displayed formulas hold for parameters of at least this value; guards such as n - 2 > 0 are left
out."""


def in_range(formula: Expr, lowest: Mapping[str, int]) -> Expr:
    """The formula simplified for parameters that are at least as large as the smallest value
    swept."""
    return simplify(
        formula, Assumptions([sym(name) - low for name, low in lowest.items() if low >= 0])
    )


def brief(formula: Expr, opaque: Collection[str] = ()) -> str:
    """The formula for display: what it is where all but the `opaque` symbols are at least
    `LEAST`."""
    return plain_logs(
        str(in_range(formula, {name: LEAST for name in formula.symbols if name not in opaque})),
        opaque,
    )


def plain_logs(text: str, opaque: Collection[str] = ()) -> str:
    """The formula without conditions that always hold, and log(Max(1, n), 2) as log(n, 2), which is
    the same from 1 on; `opaque` symbols may be smaller."""
    try:
        tree = parse_formula(text).tree
    except InputError:
        return text
    plain = _WithoutGuards(frozenset(opaque), only_logarithms=True)(tree)
    return text if plain == tree else normal_text(plain)


def without_guards(formula: Formula) -> Formula:
    """Max(0, n) and Max(1, n) as n, which is the same where n is large and growth shows."""
    tree = _WithoutGuards(frozenset(), only_logarithms=False)(formula.tree)
    return formula if tree == formula.tree else Formula(normal_text(tree), tree)


class _WithoutGuards(WithoutCertain):
    """Max(0, n) and Max(1, n) replaced by n; only_logarithms: just as log(Max(1, n), 2)."""

    def __init__(self, opaque: frozenset[str], *, only_logarithms: bool) -> None:
        self.opaque, self.only_logarithms = opaque, only_logarithms

    def call(self, node: Call) -> Node:
        if not self.only_logarithms and (name := self._guarded(node, (0, 1))) is not None:
            return name
        if node.function == "log":
            name = self._guarded(node.arguments[0], (1,))
            if name is not None:
                return Call("log", (name, node.arguments[1]))
        return super().call(node)

    def _guarded(self, node: Node, least: tuple[int, ...]) -> Name | None:
        """The symbol that a Max keeps at least this large."""
        if not isinstance(node, Call) or node.function != "Max" or len(node.arguments) != 2:
            return None
        low, name = node.arguments
        if low not in [Number(value) for value in least] or not isinstance(name, Name):
            return None
        return None if name.name in self.opaque else name


def law_terms(formula: Expr) -> tuple[Term, ...]:
    """The summands of a formula that are products of powers and logarithms of parameters.

    Rounding is dropped: ceiling(n/p) gives n/p, ceiling(log(n, 2)) gives log2(n). Maxima and sums
    are left out.
    """
    found: list[Term] = []
    for monomial in formula.terms:
        terms: list[Term] | None = [Term(())]
        for atom, power in monomial:
            parts = _atom_terms(atom)
            if parts is None:
                terms = None
                break
            for _ in range(power):
                terms = [t.times(p) for t in terms or [] for p in parts]
        found.extend(t for t in terms or () if t.factors)
    return tuple(dict.fromkeys(found))


def _atom_terms(atom: Atom) -> list[Term] | None:
    if isinstance(atom, Sym):
        return [Term.of({atom.name: (1, 0)})]
    if isinstance(atom, (Floor, Trunc)):
        num, den = law_terms(atom.num), law_terms(atom.den)
        if atom.den.constant is not None:
            return list(num) or None
        return [n.over(den[0]) for n in num] if len(den) == 1 and num else None
    if isinstance(atom, CLog):
        inner = [t for t in law_terms(atom.arg) if len(t.factors) == 1]
        return [Term.of({t.factors[0][0]: (0, 1)}) for t in inner] or None
    return None


def lead_term(formula: Expr) -> Term | None:
    """The term that outgrows all others; None where the formula has parts that are no terms."""
    if formula.has(Sum, Extremum):
        return None
    best = Term(())
    for term in law_terms(formula):
        if grows_faster(term, best):
            best = term
    return best if best.factors or formula.constant is not None else None


def ratio(top: Term, bottom: Term) -> str:
    """The quotient of two growths as text."""
    return str(top.over(bottom))
