"""Formulas as text that ``sympy.sympify`` reads, over integer symbols, as people write them."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .atoms import Atom
    from .polynomial import Expr
    from .terms import Monomial, Number


@lru_cache(maxsize=16384)  # the same formulas are found in many ways
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
    denominator = math.lcm(*(c.denominator for c in e.terms.values()))
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
        number, found = len(e.terms), Counter(a for m in e.terms for a, _ in m if a.is_indicator)
        # one that is in all terms, or in every second one
        for s in sorted(s for s, n in found.items() if n == number or 2 * n == number):
            without, times = e.by(s)
            if not without:
                e = times
                conditions.append(s.parts[0])
                break
            if without == -times and _is_whole(s.parts[0]):
                e = without
                conditions.append(-s.parts[0] - 1)
                break
        else:
            return e, tuple(conditions)


def _is_whole(e: Expr) -> bool:
    """Is a formula a whole number wherever it has a value, so that it fails to be >= 0 where it is
    <= -1? A power is a fraction where its exponent, which may be any number, is negative."""
    return all(a.is_whole and not a.is_power for a in e.all_atoms())


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
    scaled = e * math.lcm(*(c.denominator for c in e.terms.values()))
    left = scaled.only(lambda m, c: bool(m) and c > 0)
    constant = scaled.terms.get((), 0)
    if left:
        return f"{left} {'<' if fails else '>='} {left - scaled}"
    return f"{constant - scaled} {'>' if fails else '<='} {constant}"


def _sum(e: Expr) -> str:
    def order(item: tuple[Monomial, Number]) -> tuple[int, str]:
        monomial = item[0]
        if len(monomial) == 1:  # as most are
            ((a, n),) = monomial
            return -n, a.key
        return -sum(n for _, n in monomial), "".join(a.key for a, _ in monomial)

    if len(e.terms) == 1:
        return _monomial(*next(iter(e.terms.items())))
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
    for a, n in monomial if len(monomial) < 2 else sorted(monomial, key=_symbols_first):
        opposite = a.written_opposite(is_negative=bool(sign)) if n % 2 else None
        if opposite is not None:
            text, sign = opposite, ("" if sign else "-")
        else:
            text = a.written()
        factors.append(text if n == 1 else f"{text}**{n}" if not a.is_power else f"({text})**{n}")
    if value.numerator != 1 or not factors:
        factors.insert(0, str(value.numerator))
    text = "*".join(factors)
    return f"{sign}{text}" + (f"/{value.denominator}" if value.denominator != 1 else "")


def _symbols_first(factor: tuple[Atom, int]) -> tuple[bool, str]:
    return not factor[0].is_symbol, factor[0].key


def rounded(how: str, num: Expr, den: Expr) -> str:
    """floor(num/den) or ceiling(num/den), so that sympy keeps the floor.

    sympy 1.14 takes a product for an integer when its numerator has as many even factors as 2
    divides the denominator, whatever else divides it: over integer symbols ``Max(0, 2*r)/6`` loses
    its floor, and so does ``n*(k*m + j)/p`` when the numbers for k, j and p come before those for m
    and n. A factor that may turn out to be even is therefore written so that sympy cannot see it.
    """
    if _is_safe(num, den):
        return f"{how}({_over(_bracketed(num, str(num)), den)})"
    divisor = den.constant
    if divisor is not None:
        # by the odd part first: what is left has no denominator with an odd part to forget
        two = int(divisor) & -int(divisor)
        inner = _over(_bracketed(num, str(num)), num * 0 + int(divisor) // two)
        return f"{how}({how}({inner})/{two})"
    if _is_expanded_safe(num):
        return f"{how}({_over(_bracketed(num, _sum(num)), den)})"
    hidden = _hidden(num)
    if hidden is not None:
        atom = num.atom
        alone = atom is not None and not all(atom.alternatives) and not atom.is_least
        return f"{how}({_over(hidden if alone else f'({hidden})', den)})"
    always = f"Mod({' + '.join(sorted(num.symbols | den.symbols))}, 2) <= 1"
    one = f"Piecewise((1, {always}), (1/2, True))"
    return f"{how}({_over(f'{_bracketed(num, str(num))}*{one}', den)})"


def is_parity_hidden(e: Expr) -> bool:
    """Can sympy never tell that it is even while a symbol is left in it: a sum over different atoms
    without products of them, one coefficient of each odd?"""
    odd: dict[str, bool] = {}
    for m, c in e.terms.items():
        if len(m) > 1 or (m and not m[0][0].is_parity_hidden):
            return False
        if m:
            odd[m[0][0].key] = odd.get(m[0][0].key, False) or Fraction(c).numerator % 2 == 1
    return all(odd.values())


def _is_safe(num: Expr, den: Expr) -> bool:
    """Does sympy keep the floor around num/den as they are written?"""
    divisor = den.constant
    if divisor is not None:
        whole = abs(int(divisor))
        two = whole & -whole
        if two in (1, whole):
            return True
    common, rest = num.common_factor()
    factored = bool(common) and len(num.terms) > 1
    if factored and not is_parity_hidden(rest):
        return False
    return _is_expanded_safe(num)


def _is_expanded_safe(num: Expr) -> bool:
    return all(_is_product_safe(m) for m in num.terms)


def _is_product_safe(monomial: Monomial) -> bool:
    """sympy adds the exponents of powers of one number: 2**k * 2**Max(0, m) is even from k = 1
    on."""
    powers = [a for a, _ in monomial if a.is_power]
    return all(a.is_parity_hidden for a, _ in monomial) and (
        len(powers) < 2 or all(is_linear(a.parts[0]) for a in powers)
    )


def is_linear(e: Expr) -> bool:
    """A sum of multiples of symbols and a number."""
    return all(not m or (len(m) == 1 and m[0][1] == 1 and m[0][0].is_symbol) for m in e.terms)


def _hidden(e: Expr) -> str | None:
    """Text of the same value with Max(a, b) as b + floor(Max(1/2, a - b)), which sympy knows not to
    be even; None where another shape has to be hidden, or a product."""
    parts: list[str] = []
    for m, c in sorted(e.terms.items(), key=lambda term: (not term[0], str(term[0]))):
        if all(a.is_parity_hidden for a, _ in m):
            text: str | None = _monomial(m, c)
        else:
            text = _hidden_extremum(m[0][0]) if len(m) == 1 and m[0][1] == 1 else None
            if text is None:
                return None
            text = text if c == 1 else f"{c}*({text})"
        parts.append(f"({text})" if parts and text and text.startswith("-") else text or "")
    return " + ".join(parts) or "0"


def _hidden_extremum(a: Atom) -> str | None:
    choices = sorted(a.alternatives, key=lambda e: e.constant is None)
    if not choices or any(
        Fraction(c).denominator != 1 or not all(x.is_whole for x, _ in m)
        for e in choices
        for m, c in e.terms.items()
    ):
        return None
    base, *others = choices
    above = [_hidden(base - e if a.is_least else e - base) for e in others]
    if any(text is None for text in above):
        return None
    floor = f"floor(Max(1/2, {', '.join(map(str, above))}))"
    if not base:
        return f"-{floor}" if a.is_least else floor
    return f"{base} {'-' if a.is_least else '+'} {floor}"


def _bracketed(e: Expr, text: str) -> str:
    """The text of a numerator."""
    return f"({text})" if len(e.terms) > 1 or "/" in text else text


def _over(top: str, den: Expr) -> str:
    bottom, atom = str(den), den.atom
    if atom.is_power if atom is not None else den.constant is None:
        bottom = f"({bottom})"
    return f"{top}/{bottom}"
