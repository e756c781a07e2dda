"""Formulas as text that ``sympy.sympify`` reads, over integer symbols, the way people write them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .polynomial import Expr, Monomial, Number


def format_expr(e: Expr) -> str:
    """Text that sympy.sympify reads, using + - * / ** floor ceiling Max Min log(x, 2) Piecewise
    Sum."""
    if any(a.is_indicator for m in e.terms for a, _ in m):
        return _cases(e)
    return _polynomial(e)


def _polynomial(e: Expr) -> str:
    if not e.terms:
        return "0"
    if len(e.terms) == 1:
        return _sum(e)
    denominator = math.lcm(*(Fraction(c).denominator for c in e.terms.values()))
    common, rest = (e * denominator).common_factor()
    if common:
        content = math.gcd(*(int(c) for c in rest.terms.values())) * (
            -1 if all(c < 0 for c in rest.terms.values()) else 1
        )
        shared = math.gcd(content, denominator)
        rest, content, denominator = rest.over(content), content // shared, denominator // shared
        below = f"/{denominator}" if denominator > 1 else ""
        return f"{_monomial(common, content)}*({_sum(rest)}){below}"
    below = f"/{denominator}" if denominator > 1 else ""
    return f"({_sum(e * denominator)}){below}" if below else _sum(e)


def guarded(e: Expr) -> tuple[Expr, tuple[Expr, ...]]:
    """(rest, conditions): e is the rest where all the conditions are >= 0, and 0 elsewhere."""
    conditions: list[Expr] = []
    while True:
        for s in sorted(a for a in e.atoms if a.is_indicator):
            without, times = e.by(s)
            if not without:
                e = times
                conditions.append(s.parts[0])
                break
            if without == -times:
                e = without
                conditions.append(-s.parts[0] - 1)
                break
        else:
            return e, tuple(conditions)


def _cases(e: Expr) -> str:
    """One Piecewise around a formula whose terms share their conditions, or that has one condition
    at all."""
    rest, conditions = guarded(e)
    if len(conditions) > 1:
        return (
            f"Piecewise({', '.join(f'(0, {relation(c, fails=True)})' for c in conditions)},"
            f" ({rest}, True))"
        )
    if conditions:
        return f"Piecewise(({rest}, {relation(conditions[0])}), (0, True))"
    steps = [a for a in rest.atoms if a.is_indicator]
    if len(steps) == 1 and len(rest.terms) > 1:
        without, times = rest.by(steps[0])
        cases = f"Piecewise(({without + times}, {relation(steps[0].parts[0])}), ({without}, True))"
        return min(cases, _polynomial(rest), key=len)
    return _polynomial(rest)


def relation(e: Expr, *, fails: bool = False) -> str:
    """e >= 0, or e < 0 where it `fails`, with every term on the side where it has no minus."""
    scaled = e * math.lcm(*(Fraction(c).denominator for c in e.terms.values()))
    left = scaled.only(lambda m, c: bool(m) and c > 0)
    constant = scaled.terms.get((), 0)
    if left:
        return f"{left} {'<' if fails else '>='} {left - scaled}"
    return f"{constant - scaled} {'>' if fails else '<='} {constant}"


def _sum(e: Expr) -> str:
    def order(item: tuple[Monomial, Number]) -> tuple[int, str]:
        return (-sum(n for _, n in item[0]), "".join(a.key for a, _ in item[0]))

    parts: list[str] = []
    terms = sorted(e.terms.items(), key=order)
    first = next(
        (at for at, (_, c) in enumerate(terms) if c > 0), 0
    )  # people write b - a, not -a + b
    for monomial, coefficient in [terms[first], *terms[:first], *terms[first + 1 :]]:
        text = _monomial(monomial, coefficient)
        if parts:
            text = f" - {text[1:]}" if text.startswith("-") else f" + {text}"
        parts.append(text)
    return "".join(parts)


def _monomial(monomial: Monomial, coefficient: Number) -> str:
    sign, value = ("-", -coefficient) if coefficient < 0 else ("", coefficient)
    factors: list[str] = []
    for a, n in sorted(monomial, key=lambda pair: (not pair[0].is_symbol, pair[0].key)):
        opposite = a.written_opposite() if n % 2 else None
        if opposite is not None:
            text, sign = opposite, ("" if sign else "-")
        else:
            text = a.written()
        factors.append(text if n == 1 else f"{text}**{n}" if not a.is_power else f"({text})**{n}")
    ratio = Fraction(value)
    if ratio.numerator != 1 or not factors:
        factors.insert(0, str(ratio.numerator))
    text = "*".join(factors)
    return f"{sign}{text}" + (f"/{ratio.denominator}" if ratio.denominator != 1 else "")


def written_quotient(num: Expr, den: Expr) -> str:
    """num/den with the brackets that it needs."""
    top, bottom = str(num), str(den)
    if len(num.terms) > 1 or "/" in top:
        top = f"({top})"
    atom = den.atom
    if atom.is_power if atom is not None else den.constant is None:
        bottom = f"({bottom})"
    return f"{top}/{bottom}"
