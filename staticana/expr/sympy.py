"""Formulas as sympy expressions.

sympy is the language that others read, but its own floor, ceiling, Max and Sum are not safe for
counts: 1.14 believes that ``Max(0, 2*r)/6`` is an integer for an integer r and drops the floor
around it, its sum over an empty range is not zero, and printed Python takes logarithms and roots
by floating point, which fails at exact powers. Quotients, logarithms, roots and sums are therefore
functions of our own. They look like sympy's where they are printed, and have a value only where
their arguments are numbers, so that no assumption about a symbol changes it. Inside them all
coefficients are integers: compiled by ``sympy.lambdify`` they stay exact.

Symbols are plain ones, without assumptions: ``e.subs("n", 64)``, ``e.diff("n")`` and
``e.subs(sympy.Symbol("n"), 64)`` find them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy
from sympy.printing.precedence import PRECEDENCE

from .atoms import Atom, OfOne, sym
from .extrema import Extremum, Step, maximum
from .polynomial import Expr, expr
from .powers import CLog, Pow, Root, ceil_log, root
from .printing import guarded
from .quotients import Floor, Quotient, Trunc
from .sums import Sum
from .terms import Monomial, Number

_COMPILED = 64
"""Sums of more terms are added up by compiled Python instead of substitution."""


class Whole(sympy.Function):  # type: ignore[misc]
    """A function with integer values that is evaluated for numbers only."""

    is_integer = True

    @classmethod
    def eval(cls, *args: Any) -> Any:
        numbers = [_rational(a) for a in args]
        exact = [x for x in numbers if x is not None]
        value = cls.value(*exact) if len(exact) == len(args) else None
        return None if value is None else sympy.Integer(value)

    @classmethod
    def value(cls, *args: Fraction) -> int | None:
        """The value at numbers; None where there is none."""
        raise NotImplementedError

    @property
    def is_number(self) -> bool:
        """A quotient by zero, in a case that is not chosen, is none: Max would compare it."""
        return super().is_number and any(_rational(a) is None for a in self.args)

    def _eval_evalf(self, prec: int) -> Any:
        return self.func(*(a.evalf(prec) for a in self.args))


class FloorDiv(Whole):
    """floor(numerator / denominator)."""

    nargs = 2

    @classmethod
    def value(cls, *args: Fraction) -> int | None:
        return math.floor(args[0] / args[1]) if args[1] else None

    @staticmethod
    def _imp_(num: Any, den: Any) -> Any:
        return _floor_quotient(num, den)

    def _eval_rewrite_as_floor(self, num: Any, den: Any, **_: Any) -> Any:
        return sympy.floor(num / den)

    def _sympystr(self, printer: Any) -> str:
        return f"floor({_quotient_text(self, printer)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return _latex_power(rf"\left\lfloor{{{_fraction(self, printer)}}}\right\rfloor", exp)


class CeilDiv(Whole):
    """ceiling(numerator / denominator)."""

    nargs = 2

    @classmethod
    def value(cls, *args: Fraction) -> int | None:
        return math.ceil(args[0] / args[1]) if args[1] else None

    @staticmethod
    def _imp_(num: Any, den: Any) -> Any:
        return -_floor_quotient(-num, den)

    def _eval_rewrite_as_ceiling(self, num: Any, den: Any, **_: Any) -> Any:
        return sympy.ceiling(num / den)

    def _sympystr(self, printer: Any) -> str:
        return f"ceiling({_quotient_text(self, printer)})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return _latex_power(rf"\left\lceil{{{_fraction(self, printer)}}}\right\rceil", exp)


class CeilLog(Whole):
    """ceiling(log(Max(1, argument), base)), by integer arithmetic."""

    nargs = 2

    @classmethod
    def value(cls, *args: Fraction) -> int | None:
        return int(ceil_log(int(args[1]), expr(args[0])).evaluate({}))

    @staticmethod
    def _imp_(arg: Any, base: Any) -> Any:
        return _each(lambda x: CeilLog.value(_fraction_of(x), Fraction(base)), arg)

    def _sympystr(self, printer: Any) -> str:
        log = f"log(Max(1, {printer.doprint(self.args[0])}), 2)"
        return f"ceiling({log if self.args[1] == 2 else f'{log}/log({self.args[1]}, 2)'})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        arg = printer.doprint(sympy.Max(1, self.args[0]))
        return _latex_power(rf"\left\lceil{{\log_{{{self.args[1]}}}{{{arg}}}}}\right\rceil", exp)


class FloorRoot(Whole):
    """floor(Max(0, argument)**(1/degree)), by integer arithmetic."""

    nargs = 2

    @classmethod
    def value(cls, *args: Fraction) -> int | None:
        return int(root(int(args[1]), expr(args[0])).evaluate({}))

    @staticmethod
    def _imp_(arg: Any, degree: Any) -> Any:
        return _each(lambda x: FloorRoot.value(_fraction_of(x), Fraction(degree)), arg)

    def _sympystr(self, printer: Any) -> str:
        inside = f"Max(0, {printer.doprint(self.args[0])})"
        degree = self.args[1]
        return f"floor(sqrt({inside}))" if degree == 2 else f"floor(({inside})**(1/{degree}))"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = printer.doprint(sympy.Max(0, self.args[0]))
        degree = "" if self.args[1] == 2 else f"[{self.args[1]}]"
        return _latex_power(rf"\left\lfloor{{\sqrt{degree}{{{inside}}}}}\right\rfloor", exp)


class BinaryLog(sympy.Function):  # type: ignore[misc]
    """log(Max(1, argument), 2), exact at powers of two."""

    nargs = 1
    is_extended_nonnegative = True

    @classmethod
    def eval(cls, arg: Any) -> Any:
        value = _rational(arg)
        if value is None:
            return None
        if value <= 1:
            return sympy.Integer(0)
        whole = int(value)
        if whole == value and not whole & (whole - 1):
            return sympy.Integer(whole.bit_length() - 1)
        return sympy.log(arg) / sympy.log(2)

    @staticmethod
    def _imp_(arg: Any) -> Any:
        return np.log2(np.maximum(1.0, np.asarray(arg, dtype=float)))

    def _eval_evalf(self, prec: int) -> Any:
        return self.func(self.args[0].evalf(prec)).evalf(prec)

    def _sympystr(self, printer: Any) -> str:
        return f"log(Max(1, {printer.doprint(self.args[0])}), 2)"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        arg = printer.doprint(sympy.Max(1, self.args[0]))
        return _latex_power(rf"\log_{{2}}{{{arg}}}", exp)


class Index(sympy.Dummy):  # type: ignore[misc]
    """The index of a sum: no symbol of the program, whatever its name."""

    def _sympystr(self, printer: Any) -> str:
        return str(self.name)


class FiniteSum(sympy.Sum):  # type: ignore[misc]
    """The sum of a function for index = low, ..., high; zero where that range is empty. It is added
    up as soon as nothing but the index is left in it."""

    def __new__(cls, function: Any, *limits: Any, **_: Any) -> Any:
        ranges = [sympy.Tuple(*limit) for limit in limits]
        value = _added(function, ranges)
        if value is not None:
            return value
        self = sympy.Expr.__new__(cls, function, *ranges)
        self.is_commutative = True
        return self

    def _pythoncode(self, printer: Any) -> str:
        # numpy's select makes floats of the integers in a limit, and a range takes none
        text = printer._print(self.function)
        for index, low, high in self.limits:
            name, first, last = map(printer._print, (index, low, high))
            text = f"builtins.sum({text} for {name} in ({_RANGE})({first}, {last}))"
        return f"({text})"

    _numpycode = _scipycode = _pythoncode

    def doit(self, **hints: Any) -> Any:
        """sympy's own way is left out: it goes backwards through an empty range."""
        return self.func(*(a.doit(**hints) if hints.get("deep", True) else a for a in self.args))


_RANGE = "lambda low, high: range(int(low), int(high) + 1) if low == low and high == high else ()"
"""Compiled limits of a sum; one that is not a number belongs to a case that is not chosen."""


def _added(function: Any, ranges: Sequence[Any]) -> Any:
    """The value of a sum; None where a symbol is left in it."""
    *inner, (index, low, high) = ranges
    if not (low.is_Integer and high.is_Integer):
        return None
    if high < low:
        return sympy.Integer(0)
    body = FiniteSum(function, *inner) if inner else function
    if body.free_symbols - {index}:
        return None
    each = range(int(low), int(high) + 1)
    if len(each) > _COMPILED and all(r.is_Integer for r in body.atoms(sympy.Rational)):
        compiled = sympy.lambdify([index], body, modules="math")
        total = sum(map(compiled, each))
        return sympy.Integer(total) if isinstance(total, int) else sympy.Float(total)
    return sympy.Add(*(body.xreplace({index: sympy.Integer(k)}) for k in each))


# -- conversion
def to_sympy(e: Expr, symbols: Mapping[str, Any] | None = None) -> Any:
    """The formula as a sympy expression.

    Args:
        symbols: name -> what stands for that symbol; plain symbols of the same name where it is
            not given.
    """
    return _Conversion(symbols or {}).shown(e)


class _Conversion:
    """`symbols`: what stands for a symbol of ours."""

    def __init__(self, symbols: Mapping[str, Any]) -> None:
        self.symbols = dict(symbols)

    def shown(self, e: Expr) -> Any:
        """With common factors taken out and guards around the whole, as in the text."""
        rest, conditions = guarded(e)
        if len(conditions) == 1:
            return sympy.Piecewise((self.shown(rest), self.relation(conditions[0])), (0, True))
        if conditions:
            outside = [(sympy.Integer(0), self.relation(c, fails=True)) for c in conditions]
            return sympy.Piecewise(*outside, (self.shown(rest), True))
        if len(e.terms) < 2:
            return self.value(e)
        common, rest = e.common_factor()
        if not common:
            return self.value(e)
        numerator, denominator = self.scaled(rest)
        content, numerator = numerator.primitive()
        factors, below = self._product(common)
        return sympy.Mul(sympy.Rational(content, denominator * below), factors, numerator)

    def value(self, e: Expr) -> Any:
        numerator, denominator = self.scaled(e)
        return numerator / denominator

    def scaled(self, e: Expr) -> tuple[Any, int]:
        """(numerator, denominator): e as a quotient without fractions inside."""
        terms = []
        for monomial, coefficient in e.terms.items():
            product, below = self._product(monomial)
            terms.append((product, Fraction(coefficient) / below))
        denominator = math.lcm(1, *(c.denominator for _, c in terms))
        return sympy.Add(
            *(sympy.Integer(int(c * denominator)) * product for product, c in terms)
        ), denominator

    def _product(self, monomial: Monomial) -> tuple[Any, int]:
        product, denominator = sympy.Integer(1), 1
        for a, power in monomial:
            factor, below = self.atom(a)
            product, denominator = product * factor**power, denominator * below**power
        return product, denominator

    def relation(self, e: Expr, *, fails: bool = False) -> Any:
        """e >= 0, or e < 0 where it `fails`."""
        left = e.only(lambda m, c: bool(m) and c > 0)
        scale = math.lcm(1, *(Fraction(c).denominator for c in e.terms.values()))
        lhs, rhs = left * scale, (left - e) * scale
        above, first = self.scaled(lhs)
        below, second = self.scaled(rhs)
        above, below = above * second, below * first
        return sympy.StrictLessThan(above, below) if fails else sympy.GreaterThan(above, below)

    def atom(self, a: Atom) -> tuple[Any, int]:
        """(numerator, denominator) of an atom."""
        match a:
            case Extremum():
                return self._extremum(a)
            case Floor():
                return self._floor(a), 1
            case Trunc():
                up, down = (
                    FloorDiv(*self._over(maximum(0, a.num * sign), a.den)) for sign in (1, -1)
                )
                return up - down, 1
            case Step():
                return sympy.Piecewise((1, self.relation(a.arg)), (0, True)), 1
            case Pow():
                return sympy.Pow(a.base, self.value(a.exponent)), 1
            case Sum():
                return self._sum(a)
            case CLog() | Root():
                known = CeilLog if isinstance(a, CLog) else FloorRoot
                return known(self.value(a.arg), a.number), 1
            case OfOne(is_whole=True):
                return _function_of(type(a))(self.value(a.arg)), 1
            case OfOne(name="log"):
                return BinaryLog(self.value(a.arg)), 1
        if a.is_symbol or not a.parts or a.written() == a.key:
            return self._symbol(a.key), 1
        raise TypeError(f"{a.key}: sympy has no such function")

    def _symbol(self, name: str) -> Any:
        if name not in self.symbols:
            self.symbols[name] = sympy.Symbol(name)
        return self.symbols[name]

    def _over(self, num: Expr, den: Expr) -> tuple[Any, Any]:
        above, first = self.scaled(num)
        below, second = self.scaled(den)
        return above * second, below * first

    def _floor(self, a: Quotient) -> Any:
        constant = a.num.terms.get((), 0)
        if a.den.constant is not None and constant == a.den.constant - 1 and a.den.constant > 1:
            return CeilDiv(*self._over(a.num - constant, a.den))
        if a.written_opposite(is_negative=True) is not None:
            return -CeilDiv(*self._over(-a.num, a.den))
        return FloorDiv(*self._over(a.num, a.den))

    def _extremum(self, a: Extremum) -> tuple[Any, int]:
        parts = [self.scaled(p) for p in a.args]
        denominator = math.lcm(*(d for _, d in parts))
        which = sympy.Min if a.is_least else sympy.Max
        return which(*(n * (denominator // d) for n, d in parts)), denominator

    def _sum(self, a: Sum) -> tuple[Any, int]:
        count = self.value(a.count)
        # a number made of the sum's text: equal sums have equal indices
        index = Index(a.index, dummy_index=10**12 + zlib.crc32(a.key.encode()))
        body, denominator = _Conversion({**self.symbols, a.index: index}).scaled(a.body)
        return FiniteSum(body, (index, 0, count - 1)), denominator


@cache
def _function_of(kind: type[OfOne]) -> Any:
    """An integer function of one argument, such as Fibonacci numbers, with the value and the text
    that its atoms have."""

    def value(cls: Any, *args: Fraction) -> int:
        return int(kind(expr(args[0])).evaluate({}))

    def text(self: Any, printer: Any) -> str:
        return (
            kind(sym("ARGUMENT"))
            .written()
            .replace("ARGUMENT", f"({printer.doprint(self.args[0])})")
        )

    return type(
        kind.__name__,
        (Whole,),
        {
            "nargs": 1,
            "value": classmethod(value),
            "_imp_": staticmethod(
                lambda arg: _each(lambda x: kind(expr(_fraction_of(x))).evaluate({}), arg)
            ),
            "_sympystr": text,
        },
    )


# -- numbers
def _rational(value: Any) -> Fraction | None:
    """A number of sympy's exactly; None for everything else."""
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if value.is_Float and value.is_finite:
        exact = sympy.Rational(value)
        return Fraction(int(exact.p), int(exact.q))
    return None


def _fraction_of(value: Any) -> Fraction:
    return Fraction(int(value)) if value == int(value) else Fraction(float(value))


def _floor_quotient(num: Any, den: Any) -> Any:
    """Whole numbers stay exact. Without a value (a case that is not chosen is compiled, too) it is
    not a number."""
    if np.ndim(num) == np.ndim(den) == 0:
        quotient = num // den if den else math.nan
        # 2**-1 is a float in Python, but the limit of a sum is an integer
        return int(quotient) if math.isfinite(quotient) else quotient
    below = np.asarray(den)
    return (
        np.where(below == 0, math.nan, np.asarray(num) // np.where(below == 0, 1, below))
        if (below == 0).any()
        else np.asarray(num) // below
    )


def _each(function: Callable[[Any], Any], arg: Any) -> Any:
    """The function's values; what is not a number stays so (a case that is not chosen)."""
    if np.ndim(arg) == 0:
        return function(arg) if arg == arg else arg
    found = [function(x) if x == x else x for x in np.ravel(arg).tolist()]
    return np.array(found).reshape(np.shape(arg))


# -- text
def _quotient_text(e: Any, printer: Any) -> str:
    num, den = e.args
    return (
        f"{printer.parenthesize(num, PRECEDENCE['Mul'])}"
        f"/{printer.parenthesize(den, PRECEDENCE['Pow'], strict=False)}"
    )


def _fraction(e: Any, printer: Any) -> str:
    num, den = map(printer.doprint, e.args)
    return rf"\frac{{{num}}}{{{den}}}"


def _latex_power(text: str, exp: str | None) -> str:
    return text if exp is None else f"{text}^{{{exp}}}"


# -- compiled
def lambdify(e: Expr, names: Sequence[str] | None = None) -> Callable[..., Any]:
    """The formula as a function that is evaluated exactly, with integers of any size.

    Args:
        names: the order of its arguments; the symbols in alphabetical order where it is not given.

    Returns:
        A function of numbers or arrays, by position or by name, that broadcast. Its values are
        integers (or fractions) for numbers and an array of integers, or of floating-point numbers
        where one is no integer of 64 bits, for arrays.
    """
    order = tuple(sorted(e.symbols) if names is None else names)
    missing = sorted(e.symbols - set(order))
    if missing:
        raise TypeError(f"the formula has {', '.join(missing)} as well: name all of its symbols")

    def law(*args: Any, **named: Any) -> Any:
        given = dict(zip(order, args, strict=False)) | named
        if len(args) + len(named) != len(order) or set(given) != set(order):
            raise TypeError(f"the arguments are {', '.join(order)}")
        values = [given[name] for name in order]
        if all(np.ndim(v) == 0 for v in values):
            return e.evaluate({n: _exact(v) for n, v in given.items()})
        columns = np.broadcast_arrays(*values)
        found = [
            e.evaluate(dict(zip(order, map(_exact, row), strict=True)))
            for row in zip(*(np.ravel(c).tolist() for c in columns), strict=True)
        ]
        kind = int if all(isinstance(x, int) and abs(x) < 1 << 63 for x in found) else float
        return np.array(found, dtype=kind).reshape(columns[0].shape)

    law.__doc__ = f"{e}, of {', '.join(order)}"
    return law


def _exact(value: Any) -> Number:
    plain = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, int) else Fraction(plain)
