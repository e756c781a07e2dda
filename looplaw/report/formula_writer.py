"""Exact formulas as a person writes them: sorted by growth, in factors where that is shorter.

The text that programs read is that of `staticana.expr.printing`; here shapes that exist only so
that sympy keeps a floor are left out, and an indicator is written [condition].
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Self

from staticana import expr as formulas
from staticana.expr import (
    Atom,
    CLog,
    Expr,
    Extremum,
    Floor,
    Monomial,
    Number,
    OfOne,
    Pow,
    Root,
    Step,
    Sum,
    Sym,
    Trunc,
    from_atom,
    sym,
)

_MOST_TERMS = 12
"""Of a polynomial whose factors are looked for."""
_MOST_GROUPED = 40
"""Terms of a sum in which shared factors are taken out of some of the terms."""
_ROOTS = (0, 1, -1, 2, -2, 3, -3, 4, -4)
"""Roots of factors n - r that are looked for: loops begin and end near 0 and n."""
_SAVED = 0.15
"""Share of a sum's text that grouping must save: people expand what is nearly as short."""
_PREFERRED = 2
"""Characters by which n*(n - 1) may be longer than n**2 - n."""
_FEW_TERMS = 3
"""Of a sum that people rather write as a product."""
_KEPT = 4096
"""Parts of formulas whose texts are kept: the forms of a formula have most of them in common."""
_PRIME = (1 << 61) - 1
_FRACTION = re.compile(r"f\d+")


class IsZero(OfOne):
    """1 where arg == 0, else 0: a shape of texts alone."""

    __slots__ = ()
    name = "is_zero"
    is_indicator = True


class Clamped(OfOne):
    """Max(0, arg) where the analysis implies it, as under a root: a shape of texts alone."""

    __slots__ = ()
    name = "clamped"


@formulas.written.register(Clamped)
def _clamped(a: Clamped) -> str:
    return f"Max(0, {a.arg})"


class Remainder(Atom):
    """num modulo den: a shape of texts alone."""

    __slots__ = ("den", "num")
    num: Expr
    den: Expr

    def __new__(cls, num: Expr, den: Expr) -> Self:
        return cls._of(f"Mod({num}, {den})", num=num, den=den)


def _in_shapes(e: Expr) -> Expr:
    """With the shapes that exist in texts alone."""
    return _with_opposites(_with_remainders(e))


def _with_remainders(e: Expr) -> Expr:
    """a - b*floor(a/b) as Mod(a, b)."""
    for a in sorted(x for x in e.atoms if isinstance(x, Floor)):
        whole = a.den * from_atom(a)  # what is divided, without the remainder
        if len(whole.terms) != 1:
            continue
        ((monomial, below),) = whole.terms.items()
        k = -Fraction(e.terms.get(monomial, 0)) / below
        divided = a.num * k
        if k and all(e.terms.get(m) == c for m, c in divided.terms.items()):
            e = e - divided + whole * k + from_atom(Remainder(a.num, a.den)) * k
    return e


def _with_opposites(e: Expr) -> Expr:
    """1 - [a >= b] as [a < b]."""
    for a in sorted(x for x in e.atoms if isinstance(x, Step)):
        number = e.terms.get(((a, 1),), 0)
        if number < 0 and e.terms.get(()) == -number and formulas.is_integer(a.arg):
            e = e + number - from_atom(a) * number - from_atom(Step(-a.arg - 1)) * number
    return e


def written(e: Expr) -> str:
    """The formula, in whichever of its forms is shortest."""
    return _shortest(_in_shapes(e), 3)


@lru_cache(maxsize=_KEPT)
def _shortest(e: Expr, depth: int) -> str:
    expanded = _expanded(e, depth)
    found = [expanded]
    if len(e.terms) > 1:
        factored = _factored(e, depth)
        few = len(e.terms) <= _FEW_TERMS
        longest = len(expanded) + _PREFERRED if few else (1 - _SAVED) * len(expanded)
        if factored is not None and len(factored) <= longest:
            found = [factored]
    if depth and 2 < len(e.terms) <= _MOST_GROUPED:
        grouped = min(_grouped(e, depth), key=len, default=expanded)
        if len(grouped) < (1 - _SAVED) * len(expanded):
            found.append(grouped)
    return min(found, key=len)


@lru_cache(maxsize=_KEPT)
def relation(e: Expr, *, fails: bool = False) -> str:
    """e >= 0, or e < 0 where it `fails`, every term on the side where it has no minus."""
    e = _with_remainders(e)
    scaled = e * e.denominator
    left = scaled.positive_terms
    right = left - scaled
    constant = right.constant
    if not left.terms:  # -n + 3 >= 0
        offset = scaled.terms.get((), 0)
        return f"{written(offset - scaled)} {'>' if fails else '<='} {offset}"
    if constant is None and right.terms.get(()) == 1:
        return f"{written(left)} {'<=' if fails else '>'} {written(right - 1)}"
    return f"{written(left)} {'<' if fails else '>='} {written(right)}"


def multiple_of(e: Expr) -> str | None:
    """`a is a multiple of b` for e >= 0 that says so, as b*floor(a/b) - a does."""
    e = _with_remainders(e)
    found = next(iter(e.atoms), None)
    if len(e.terms) != 1 or not isinstance(found, Remainder) or e.constant is not None:
        return None
    ((_, times),) = e.terms.items()
    return f"{written(found.num)} is a multiple of {written(found.den)}" if times < 0 else None


def equality(e: Expr, *, fails: bool = False) -> str:
    """e == 0 or, where it `fails`, e != 0; a product of one symbol is 0 where that is."""
    sign = "!=" if fails else "=="
    if len(e.terms) == 1:
        ((monomial, _),) = e.terms.items()
        if len(monomial) == 1 and monomial[0][0].is_symbol:
            return f"{monomial[0][0].key} {sign} 0"
    left = e.positive_terms
    if not left.terms:
        return equality(-e, fails=fails)
    return f"{written(left)} {sign} {written(left - e)}"


# -- sums and products
@lru_cache(maxsize=_KEPT)
def _rank(a: Atom) -> tuple[float, float]:
    """(exponential, degree) of an atom."""
    match a:
        case Sym():
            return 0, 0 if _FRACTION.fullmatch(a.key) else 1
        case Pow():
            return 1, 0
        case CLog():
            return 0, 0.1
        case Root():
            return 0, _degree(a.arg) / a.degree
        case Floor() | Trunc():
            return 0, max(0.0, _degree(a.num) - _degree(a.den))
        case Extremum():
            return 0, (min if a.is_least else max)(_degree(p) for p in a.args)
        case Sum():
            return 0, _degree(a.body) + _degree(a.count)
    return 0, 0


def _degree(e: Expr) -> float:
    return max((sum(_rank(a)[1] * n for a, n in m) for m in e.terms), default=0)


def _order(item: tuple[Monomial, Number]) -> tuple[float, float, int, str]:
    """What grows faster stands first."""
    monomial, _ = item
    exponential = sum(_rank(a)[0] for a, _ in monomial)
    degree = sum(_rank(a)[1] * n for a, n in monomial)
    return -exponential, -degree, -len(monomial), "".join(a.key for a, _ in monomial)


def _expanded(e: Expr, depth: int) -> str:
    if not e.terms:
        return "0"
    denominator = e.denominator
    if denominator > 1 and len(e.terms) > 1:
        return f"({_joined(e * denominator, depth)})/{denominator}"
    return _joined(e, depth)


def _joined(e: Expr, depth: int) -> str:
    terms = sorted(e.terms.items(), key=_order)
    first = next((at for at, (_, c) in enumerate(terms) if c > 0), 0)  # b - a, not -a + b
    ordered = [terms[first], *terms[:first], *terms[first + 1 :]]
    return _added([_product(m, c, depth) for m, c in ordered])


def _added(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _product(monomial: Monomial, coefficient: Number, depth: int) -> str:
    sign, value = ("-", -coefficient) if coefficient < 0 else ("", coefficient)
    factors: list[str] = []
    for a, n in sorted(monomial, key=lambda pair: (not pair[0].is_symbol, pair[0].key)):
        text, minus = _atom(a, depth)
        if minus and n % 2:
            sign = "" if sign else "-"
        factors.append(text if n == 1 else f"({text})**{n}" if a.is_power else f"{text}**{n}")
    ratio = Fraction(value)
    if ratio.numerator != 1 or not factors:
        factors.insert(0, str(ratio.numerator))
    below = f"/{ratio.denominator}" if ratio.denominator != 1 else ""
    return f"{sign}{'*'.join(factors)}{below}"


def _factored(e: Expr, depth: int) -> str | None:
    """number*monomial*(n + 1)**2*(rest)/number; None where nothing can be taken out."""
    denominator = e.denominator
    common, rest = (e * denominator).common_factor()
    content = math.gcd(*(int(c) for c in rest.terms.values()))
    if all(c < 0 for c in rest.terms.values()):
        content = -content
    rest = rest.over(content)
    linear, rest = linear_factors(rest)
    if rest.constant is not None:
        content *= int(rest.constant)
        content, linear = _with_sign_inside(content, linear)
    alone = not linear or (len(linear) == 1 and linear[0][1] == 1 and rest.constant is not None)
    if not common and alone and abs(content) == 1:
        return None
    shared = math.gcd(content, denominator)
    content, denominator = content // shared, denominator // shared
    parts = [] if not common and abs(content) == 1 else [_product(common, abs(content), depth)]
    for factor, power in linear:
        parts.append(f"({_expanded(factor, depth)})" + (f"**{power}" if power > 1 else ""))
    if rest.constant is None:
        parts.append(f"({_shortest(rest, max(depth - 1, 0))})")
    below = f"/{denominator}" if denominator > 1 else ""
    return ("-" if content < 0 else "") + "*".join(parts) + below


def _with_sign_inside(
    number: int, factors: list[tuple[Expr, int]]
) -> tuple[int, list[tuple[Expr, int]]]:
    """A negative number and factors with the sign in one of these: n*(a - b) for -n*(b - a)."""
    at = next((k for k, (f, power) in enumerate(factors) if power % 2 and len(f.terms) > 1), None)
    if number >= 0 or at is None:
        return number, factors
    factor, power = factors[at]
    return -number, [*factors[:at], (factor * -1, power), *factors[at + 1 :]]


def linear_factors(e: Expr) -> tuple[list[tuple[Expr, int]], Expr]:
    """([(n - r, power)], rest) whose product is e; r is a small number or another symbol."""
    found: list[tuple[Expr, int]] = []
    if not 1 < len(e.terms) <= _MOST_TERMS:
        return found, e
    names = sorted(a.key for a in e.atoms if a.is_symbol)
    for name in names[:4]:
        others = [sym(n) for n in names[:4] if n < name]
        shifts = [sym(name) * 0 + r for r in _ROOTS]
        numbers = _numbers(e, name)
        for root in [*shifts, *(o + r for o in others for r in (0, 1, -1))]:
            if numbers is None or not _may_be_zero(numbers, root):
                continue
            power = 0
            while len(e.terms) > 1 and (quotient := _over(e, name, root)) is not None:
                e, power = quotient, power + 1
            if power:
                found.append((sym(name) - root, power))
    return found, e


def _numbers(e: Expr, name: str) -> dict[int, int] | None:
    """The coefficients of the powers of a symbol modulo a prime, where every other atom is some
    number: a root of the formula is one of this polynomial, too."""
    by_power = e.split(name)
    return None if by_power is None else {k: _number(c) for k, c in by_power.items()}


def _number(e: Expr) -> int:
    total = 0
    for m, c in e.terms.items():
        product = Fraction(c).numerator * pow(Fraction(c).denominator, -1, _PRIME)
        for a, n in m:
            product *= pow(zlib.crc32(a.key.encode()) % _PRIME, n, _PRIME)
        total += product
    return total % _PRIME


def _may_be_zero(numbers: Mapping[int, int], root: Expr) -> bool:
    at = _number(root)
    return not sum(c * pow(at, k, _PRIME) for k, c in numbers.items()) % _PRIME


def _over(e: Expr, name: str, root: Expr) -> Expr | None:
    """e/(name - root) where that is a polynomial, by Horner's rule; else None."""
    by_power = e.split(name)
    if by_power is None or not (degree := max(by_power)) or name in root.symbols:
        return None
    zero = e * 0
    total, quotient = zero, zero
    for k in range(degree, 0, -1):
        total = total * root + by_power.get(k, zero)
        quotient = quotient + total * sym(name) ** (k - 1)
    return None if total * root + by_power.get(0, zero) else quotient


def _grouped(e: Expr, depth: int) -> Iterator[str]:
    """The sum as a*(...) + the rest, for what several terms share."""
    shared: dict[Atom, int] = {}
    for m in e.terms:
        for a, _ in m:
            shared[a] = shared.get(a, 0) + 1
    often = sorted((a for a, n in shared.items() if n > 1), key=lambda a: (-shared[a], a.key))
    for a in often[:3]:
        inside = e.only(lambda m, c, a=a: any(b == a for b, _ in m))  # type: ignore[misc]
        rest = e - inside
        if not rest.terms:
            continue
        parts = [_shortest(inside, depth - 1), _shortest(rest, depth - 1)]
        first, second = sorted((inside, rest), key=lambda x: min(map(_order, x.terms.items())))
        if first is rest:
            parts.reverse()
        if len(second.terms) and not parts[0].startswith("-"):
            yield _added(parts)


# -- atoms
@lru_cache(maxsize=_KEPT)
def _atom(a: Atom, depth: int) -> tuple[str, bool]:
    """(text, is it that of minus the atom)"""
    match a:
        case Extremum():
            ordered = sorted(a.args, key=lambda p: p.constant is None)
            parts = ", ".join(_shortest(_in_shapes(p), depth) for p in ordered)
            return f"{a.kind}({parts})", False
        case Floor():
            return _rounded(a, depth)
        case Step():
            return f"[{relation(a.arg)}]", False
        case IsZero():
            return f"[{equality(a.arg)}]", False
        case Clamped():
            return f"Max(0, {_shortest(_in_shapes(a.arg), depth)})", False
        case Pow():
            exponent = _shortest(a.exponent, depth)
            alone = a.exponent.atom is not None and a.exponent.atom.is_symbol
            return f"{a.base}**{exponent if alone else f'({exponent})'}", False
        case Sum():
            last = _shortest(a.count - 1, depth)
            return f"Sum({_shortest(a.body, depth)}, ({a.index}, 0, {last}))", False
        case Remainder():
            return f"Mod({_shortest(a.num, depth)}, {_shortest(a.den, depth)})", False
        case CLog():
            return f"ceiling(log({_shortest(a.arg, depth)}, {a.base}))", False
        case Root():
            inside = _shortest(a.arg, depth)
            text = f"sqrt({inside})" if a.degree == 2 else f"({inside})**(1/{a.degree})"
            return f"floor({text})", False
    return formulas.written(a), False


def _rounded(a: Floor, depth: int) -> tuple[str, bool]:
    if a.rounded_up is not None:
        return f"ceiling({_quotient(a.rounded_up, a.den, depth)})", False
    if a.is_negated(is_negative=False):
        return f"ceiling({_quotient(-a.num, a.den, depth)})", True
    return f"floor({_quotient(a.num, a.den, depth)})", False


def _is_sum(text: str) -> bool:
    """Is there a plus or a minus outside all brackets?"""
    while text != (shorter := _INNERMOST.sub("", text)):
        text = shorter
    return " + " in text or " - " in text


_INNERMOST = re.compile(r"[(\[][^()\[\]]*[)\]]")


def _quotient(num: Expr, den: Expr, depth: int) -> str:
    above, below = _shortest(num, depth), _shortest(den, depth)
    above = f"({above})" if _is_sum(above) or "/" in above else above
    atomic = den.constant is not None or (den.atom is not None and not den.atom.is_power)
    return f"{above}/{below if atomic else f'({below})'}"
