"""Formulas as text that ``sympy.sympify`` reads, over integer symbols, as people write them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .atoms import CLog, Extremum, Floor, Pow, Root, Step, Sum, Trunc
from .extrema import maximum
from .guards import guarded
from .hidden_parity import is_hidden_atom, is_safe, is_safe_as_sum
from .integer_valued import is_integer
from .loaded import Loaded
from .polynomial import Atom, Expr, Monomial, Sym, expr, in_sympy, lone_atom, written
from .proofs import is_nonnegative
from .terms import Number


# -- formulas
@lru_cache(maxsize=16384)  # the same formulas are found in many ways
def format_expr(e: Expr) -> str:
    """Text that sympy.sympify reads, using + - * / ** floor ceiling Max Min log(x, 2) Piecewise
    Sum."""
    if any(a.is_indicator for m in e.terms for a, _ in m):
        return _cases(e)
    return _polynomial(e)


written.register(Expr, format_expr)


@in_sympy.register(Expr)
def _in_sympy(e: Expr) -> Any:
    from .sympy import to_sympy  # to import sympy takes longer than most analyses

    return to_sympy(e)


def _polynomial(e: Expr) -> str:
    if not e.terms:
        return "0"
    if len(e.terms) == 1:
        return _sum(e)
    denominator = e.denominator
    whole = e * denominator
    common, rest = whole.common_factor()
    if not common:
        return _over_number(f"({_sum(whole)})", denominator) if denominator > 1 else _sum(whole)
    content = math.gcd(*(int(c) for c in rest.terms.values()))
    if all(c < 0 for c in rest.terms.values()):
        content = -content
    shared = math.gcd(content, denominator)
    factors = _monomial(common, content // shared)
    return _over_number(f"{factors}*({_sum(rest.over(content))})", denominator // shared)


def _over_number(text: str, denominator: int) -> str:
    return f"{text}/{denominator}" if denominator > 1 else text


def _cases(e: Expr) -> str:
    """One Piecewise around a formula whose terms share their conditions, or that has one condition
    at all."""
    rest, conditions = guarded(e)
    if len(conditions) > 1:
        outside = ", ".join(f"(0, {relation(c, fails=True)})" for c in conditions)
        return f"Piecewise({outside}, ({rest}, True))"
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
    scaled = e * e.denominator
    left = scaled.positive_terms
    constant = scaled.terms.get((), 0)
    if left:
        return f"{left} {'<' if fails else '>='} {left - scaled}"
    return f"{constant - scaled} {'>' if fails else '<='} {constant}"


def _sum(e: Expr) -> str:
    if len(e.terms) == 1:
        return _monomial(*next(iter(e.terms.items())))
    terms = sorted(e.terms.items(), key=_by_degree)
    # people write b - a, not -a + b
    first = next((at for at, (_, c) in enumerate(terms) if c > 0), 0)
    return _added(_monomial(*t) for t in [terms[first], *terms[:first], *terms[first + 1 :]])


def _added(texts: Iterable[str]) -> str:
    """Terms with a plus between them, or the minus that they begin with."""
    first, *others = texts
    signed = (f" - {t[1:]}" if t.startswith("-") else f" + {t}" for t in others)
    return first + "".join(signed)


def _by_degree(term: tuple[Monomial, Number]) -> tuple[int, str]:
    """Orders terms: high degrees first, then by their factors."""
    monomial = term[0]
    if len(monomial) == 1:  # as most are
        ((a, n),) = monomial
        return -n, a.key
    return -sum(n for _, n in monomial), "".join(a.key for a, _ in monomial)


def _monomial(monomial: Monomial, coefficient: Number) -> str:
    is_negative, value = coefficient < 0, -coefficient if coefficient < 0 else coefficient
    factors: list[str] = []
    for a, n in monomial if len(monomial) < 2 else sorted(monomial, key=_symbols_first):
        if n % 2 and isinstance(a, Floor) and a.is_negated(is_negative=is_negative):
            text, is_negative = _rounded("ceiling", -a.num, a.den), not is_negative
        else:
            text = written(a)
        factors.append(text if n == 1 else _raised(text, n, is_power=a.is_power))
    if value.numerator != 1 or not factors:
        factors.insert(0, str(value.numerator))
    return _over_number(f"{'-' if is_negative else ''}{'*'.join(factors)}", value.denominator)


def _raised(text: str, exponent: int, *, is_power: bool) -> str:
    return f"({text})**{exponent}" if is_power else f"{text}**{exponent}"


def _symbols_first(factor: tuple[Atom, int]) -> tuple[bool, str]:
    return not factor[0].is_symbol, factor[0].key


# -- atoms
@written.register(Sym)
@written.register(Loaded)
def _named(a: Atom) -> str:
    return a.key


@written.register(Extremum)
def _extremum(a: Extremum) -> str:
    return f"{a.kind}({', '.join(map(str, a.args))})"


@written.register(Step)
def _step(a: Step) -> str:
    return f"Piecewise((1, {a.arg} >= 0), (0, True))"


@written.register(Floor)
def _floor(a: Floor) -> str:
    up = a.rounded_up
    return _rounded("floor", a.num, a.den) if up is None else _rounded("ceiling", up, a.den)


@written.register(Trunc)
def _trunc(a: Trunc) -> str:
    up, down = maximum(0, a.num), maximum(0, -a.num)
    return f"({_rounded('floor', up, a.den)} - {_rounded('floor', down, a.den)})"


@written.register(Pow)
def _power(a: Pow) -> str:
    bare = isinstance(a.exponent.atom, (Sym, Extremum, Floor))
    return f"{a.base}**{a.exponent}" if bare else f"{a.base}**({a.exponent})"


@written.register(CLog)
def _log(a: CLog) -> str:
    log = f"log({maximum(1, a.arg)}, 2)"
    return f"ceiling({log})" if a.base == 2 else f"ceiling({log}/log({a.base}, 2))"


@written.register(Root)
def _root(a: Root) -> str:
    inside = a.arg if is_nonnegative(a.arg) else maximum(0, a.arg)
    if a.degree == 2:
        return f"floor(sqrt({inside}))"
    # compiled to floating point, 64**(1/3) is 3.9999999999999996; no root of k + 1/2 is whole
    half = " + 1/2" if is_integer(a.arg) else ""
    return f"floor(({inside}{half})**(1/{a.degree}))"


@written.register(Sum)
def _finite_sum(a: Sum) -> str:
    # sympy goes backwards through an empty range: Sum(f, (i, 0, -3)) is -f(-1) - f(-2)
    last = a.count - 1
    high = str(last) if is_nonnegative(a.count) else f"Max(-1, {last})"
    return f"Sum({a.body}, ({a.index}, 0, {high}))"


# -- quotients
def _rounded(how: str, num: Expr, den: Expr) -> str:
    """floor(num/den) or ceiling(num/den), so that sympy keeps the floor: a factor that may turn out
    to be even is written so that sympy cannot see it (see `hidden_parity`)."""
    if is_safe(num, den):
        return f"{how}({_over(_bracketed(num, str(num)), den)})"
    divisor = den.constant
    if divisor is not None:
        # by the odd part first: what is left has no denominator with an odd part to forget
        two = int(divisor) & -int(divisor)
        inner = _over(_bracketed(num, str(num)), expr(int(divisor) // two))
        return f"{how}({how}({inner})/{two})"
    if is_safe_as_sum(num):
        return f"{how}({_over(_bracketed(num, _sum(num)), den)})"
    hidden = _hidden(num)
    if hidden is not None:
        atom = num.atom
        alone = atom is not None and not all(atom.alternatives) and not atom.is_least
        return f"{how}({_over(hidden if alone else f'({hidden})', den)})"
    always = f"Mod({' + '.join(sorted(num.symbols | den.symbols))}, 2) <= 1"
    one = f"Piecewise((1, {always}), (1/2, True))"
    return f"{how}({_over(f'{_bracketed(num, str(num))}*{one}', den)})"


def _hidden(e: Expr) -> str | None:
    """Text of the same value with Max(a, b) as b + floor(Max(1/2, a - b)), which sympy knows not to
    be even; None where another shape has to be hidden, or a product."""
    terms = sorted(e.terms.items(), key=lambda term: (not term[0], str(term[0])))
    texts = [_hidden_term(m, c) for m, c in terms]
    shown = [text for text in texts if text is not None]
    if len(shown) < len(texts):
        return None
    others = (f"({text})" if text.startswith("-") else text for text in shown[1:])
    return " + ".join([*shown[:1], *others]) or "0"


def _hidden_term(monomial: Monomial, coefficient: Number) -> str | None:
    if all(is_hidden_atom(a) for a, _ in monomial):
        return _monomial(monomial, coefficient)
    a = lone_atom(monomial)
    text = None if a is None else _hidden_extremum(a)
    return text if text is None or coefficient == 1 else f"{coefficient}*({text})"


def _hidden_extremum(a: Atom) -> str | None:
    """Max(b, x, ...) as b + floor(Max(1/2, x - b, ...)) for whole numbers, Min likewise; None for
    other shapes."""
    choices = sorted(a.alternatives, key=lambda e: e.constant is None)
    if not choices or not all(map(_is_whole_sum, choices)):
        return None
    base, *others = choices
    above = [_hidden(base - e if a.is_least else e - base) for e in others]
    if None in above:
        return None
    floor = f"floor(Max(1/2, {', '.join(map(str, above))}))"
    if not base:
        return f"-{floor}" if a.is_least else floor
    return f"{base} {'-' if a.is_least else '+'} {floor}"


def _is_whole_sum(e: Expr) -> bool:
    """Is every term a whole number by itself?"""
    return all(
        Fraction(c).denominator == 1 and all(a.is_whole for a, _ in m) for m, c in e.terms.items()
    )


def _bracketed(e: Expr, text: str) -> str:
    """The text of a numerator."""
    return f"({text})" if len(e.terms) > 1 or "/" in text else text


def _over(top: str, den: Expr) -> str:
    """A quotient of a text that needs no more brackets."""
    atom = den.atom
    needs_brackets = den.constant is None if atom is None else atom.is_power
    return f"{top}/({den})" if needs_brackets else f"{top}/{den}"
