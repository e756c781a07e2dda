"""Static formulas as terms of the performance model normal form: what the analysis tells the
fitter."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from modeling import Term, grows_faster
from staticana.expr import Atom, CLog, Expr, Extremum, Facts, Floor, Sum, Sym, Trunc, simplify, sym

LEAST = 4
"""Formulas shown to people leave out guards that are idle for values from here on (n - 2 > 0)."""


def in_range(formula: Expr, lowest: Mapping[str, int]) -> Expr:
    """The formula simplified for parameters that are at least as large as the smallest value swept."""
    return simplify(formula, Facts([sym(name) - low for name, low in lowest.items() if low >= 0]))


def brief(formula: Expr, opaque: Collection[str] = ()) -> str:
    """The formula for people: as it is for values of at least `LEAST` of all but the `opaque`
    symbols."""
    return plain_logs(
        str(in_range(formula, {name: LEAST for name in formula.symbols if name not in opaque})),
        opaque,
    )


def plain_logs(text: str, opaque: Collection[str] = ()) -> str:
    """log(Max(1, n), 2) as log(n, 2), which is the same from 1 on."""
    return re.sub(
        r"log\(Max\(1, (\w+)\), 2\)", lambda m: m[0] if m[1] in opaque else f"log({m[1]}, 2)", text
    )


def law_terms(formula: Expr) -> tuple[Term, ...]:
    """The terms that a formula consists of, as far as they are powers and logarithms of parameters.

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
    """The term that outgrows the others; None where the formula is not fully made of terms."""
    if any(isinstance(a, (Sum, Extremum)) for a in formula.all_atoms()):
        return None
    best = Term(())
    for term in law_terms(formula):
        if grows_faster(term, best):
            best = term
    return best if best.factors or formula.constant is not None else None


def ratio(top: Term, bottom: Term) -> str:
    """The quotient of two growths as text."""
    return str(top.over(bottom))
