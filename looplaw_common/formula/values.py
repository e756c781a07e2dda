"""Values of formulas at one point, exact (`arrays` has those at many points).

The mapper computes with integers and fractions. Logarithms and roots are exact where they are
rational, else floats. Under a floor, a ceiling, a Mod or in a condition they are decimals of as
many digits as the decision needs: ceil(log2(2**60 + 1)) is 61, where floats say 60.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import reduce
from typing import Any

from ..steps import allowed_steps, spend_steps
from .tree import (
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
)

Value = int | float | Fraction
_Exact = int | Fraction | float | Decimal
"""float where only the value is wanted, Decimal where a decision depends on it; never both."""

MAX_FACTORIAL = 4096
"""Largest number whose factorial is computed."""
MAX_BITS = 1 << 16
"""Longest number that is computed exactly; what is longer counts as having no value."""
_MAX_VISITS = 1_000_000
"""Nodes visited for one value, some seconds: sums over more terms count as having no value."""
_SHORT = 1 << 10
_BITS_A_VISIT, _DIGITS_A_VISIT = 6, 3
"""Binary logarithms of how many bits, and decimal digits, of a number count as one visit."""
_DIGITS, _GUARD = 60, 40
"""Digits of a decision at first, and those beyond the decimal point at least."""
_ROUNDING = 10
"""Digits that rounding errors may have touched; what is that close to an integer is the integer."""
RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def evaluate(tree: Node, at: Mapping[str, Value], visits: int = _MAX_VISITS) -> Value:
    """The value at a point: int or Fraction where it is rational, else float.

    Args:
        visits: nodes that may be visited; sums that need more count as having no value.

    Raises:
        KeyError: a symbol has no value.
        ArithmeticError, ValueError: the formula has no value there, or none that is short enough.
    """
    point = _Point(at, allowed_steps(visits))
    try:
        value = point(tree)
    finally:
        spend_steps(point.visits)
    assert not isinstance(value, Decimal)
    return value


def _plain(value: _Exact) -> _Exact:
    """Fractions that are whole as integers.

    Raises:
        OverflowError: a number is too long to go on with.
    """
    if isinstance(value, (int, Fraction)):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
            raise OverflowError
        return value.numerator if value.denominator == 1 else value
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    return value


def _decimal(value: _Exact) -> Decimal:
    if isinstance(value, Fraction):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return Decimal(value)


def _rational(value: _Exact) -> int | Fraction:
    """A number that was given, exactly: a float is the decimal that it is written as.

    Raises:
        ValueError: it is not finite.
    """
    if isinstance(value, (int, Fraction)):
        return int(value) if isinstance(value, bool) else value
    number = float(value)
    if number.is_integer():
        return int(number)
    return Fraction(repr(number))


def _apply(operation: Callable[..., _Exact], a: _Exact, b: _Exact) -> _Exact:
    """a operation b; where one is a decimal, both are."""
    if isinstance(a, Decimal) or isinstance(b, Decimal):
        a, b = _decimal(a), _decimal(b)
    return _plain(operation(a, b))


def _quotient(a: _Exact, b: _Exact) -> _Exact:
    if isinstance(a, int) and isinstance(b, int):
        return Fraction(a, b)
    return operator.truediv(a, b)  # type: ignore[no-any-return]  # of two numbers of one kind


class _Point(Mapper[_Exact]):
    """The value at a point. precise: what is irrational is a Decimal, not a float."""

    def __init__(self, at: Mapping[str, Value], visits: int) -> None:
        self.at: dict[str, _Exact] = dict(at)
        self.most = visits
        self.precise = False
        self.visits = 0

    def __call__(self, node: Node) -> _Exact:
        self.spend(1)
        value = node.accept(self)
        if isinstance(value, Decimal):
            self.spend(len(value.as_tuple().digits) >> _DIGITS_A_VISIT)
        elif not isinstance(value, float) and (bits := value.numerator.bit_length()) > _SHORT:
            self.spend((bits + value.denominator.bit_length()) >> _BITS_A_VISIT)
        return value

    def spend(self, visits: int) -> None:
        """Long numbers take as long as many visits."""
        self.visits += visits
        if self.visits > self.most:
            raise OverflowError

    def number(self, node: Number) -> _Exact:
        return _rational(node.value)

    def name(self, node: Name) -> _Exact:
        return _rational(self.at[node.name])

    def negative(self, node: Negative) -> _Exact:
        return -self(node.operand)

    def add(self, node: Add) -> _Exact:
        total = self(node.terms[0])
        for term in node.terms[1:]:
            total = _apply(operator.add, total, self(term))
        return total

    def multiply(self, node: Multiply) -> _Exact:
        """A factor of 0 makes 0 even of a factor without value: so guards are meant in counts, as
        in Piecewise((1, p > 0), (0, True))*ceiling(n/p)."""
        product: _Exact = 1
        failure: Exception | None = None
        for factor in node.factors:
            try:
                value = self(factor)
                if value == 0:
                    return 0
                product = _apply(operator.mul, product, value)
            except (ArithmeticError, ValueError) as error:
                failure = error
        if failure is not None:
            raise failure
        return product

    def divide(self, node: Divide) -> _Exact:
        return _apply(_quotient, self(node.numerator), self(node.denominator))

    def power(self, node: Power) -> _Exact:
        base, exponent = self(node.base), self(node.exponent)
        if isinstance(exponent, int):
            return self._whole_power(base, exponent)
        if isinstance(exponent, Fraction) and not isinstance(base, (float, Decimal)):
            root = _exact_root(base, exponent.denominator)
            if root is not None:
                return self._whole_power(root, exponent.numerator)
        if base < 0 or (not base and exponent < 0):
            raise ValueError("no real power")
        if self.precise:
            return _decimal(base) ** _decimal(exponent)
        return _plain(math.pow(base, exponent))

    def _whole_power(self, base: _Exact, exponent: int) -> _Exact:
        if isinstance(base, Decimal):
            return base**exponent
        if isinstance(base, float):
            return _plain(math.pow(base, exponent))
        longest = max(
            Fraction(base).numerator.bit_length(), Fraction(base).denominator.bit_length()
        )
        if longest > 1 and abs(exponent) * (longest - 1) > MAX_BITS:
            raise OverflowError
        return _plain(Fraction(base) ** exponent)

    def call(self, node: Call) -> _Exact:
        name, arguments = node.function, node.arguments
        if name in ("floor", "ceiling"):
            return self._rounded(arguments[0], ROUND_FLOOR if name == "floor" else ROUND_CEILING)
        if name == "Mod":
            number, divisor = arguments
            whole = self._rounded(Divide(number, divisor), ROUND_FLOOR)
            return _apply(operator.sub, self(number), _apply(operator.mul, self(divisor), whole))
        values = [self(argument) for argument in arguments]
        if name in ("Max", "Min"):
            extreme: Callable[..., _Exact] = max if name == "Max" else min
            return reduce(lambda a, b: _apply(extreme, a, b), values)
        if name == "Abs":
            return values[0] if values[0] >= 0 else -values[0]
        if name == "factorial":
            return _factorial(values[0])
        if name == "sqrt":
            return self._sqrt(values[0])
        return self._log(values[0], values[1] if name == "log" else None)

    def _sqrt(self, x: _Exact) -> _Exact:
        if isinstance(x, (int, Fraction)) and (root := _exact_root(x, 2)) is not None:
            return root
        if x < 0:
            raise ValueError("no real root")
        if self.precise:
            return _decimal(x).sqrt()
        return math.sqrt(x) if x < 2**1000 else float(math.isqrt(math.floor(x)))

    def _log(self, x: _Exact, base: _Exact | None) -> _Exact:
        """The logarithm; to the base e where there is none."""
        if x <= 0 or (base is not None and (base <= 0 or base == 1)):
            raise ValueError("no logarithm")
        if (
            base is not None
            and isinstance(x, (int, Fraction))
            and isinstance(base, (int, Fraction))
        ):
            exponent = round(_ln(x) / _ln(base))
            if abs(exponent) <= MAX_BITS and self._whole_power(base, exponent) == x:
                return exponent
        if self.precise:
            top = _decimal(x).ln()
            return top if base is None else top / _decimal(base).ln()
        if base == 2 and isinstance(x, (int, float)):
            return math.log2(x)
        return _ln(x) if base is None else _ln(x) / _ln(base)

    def _rounded(self, node: Node, direction: str) -> int:
        """The integer below or above, exactly."""
        if isinstance(node, Call) and node.function == "log" and len(node.arguments) == 2:
            x, base = (self(argument) for argument in node.arguments)
            found = _rounded_log(x, base, direction)
            if found is not None:
                return found
        value = self._decided(node)
        if isinstance(value, Decimal):
            return int(value.to_integral_value(direction))
        return math.floor(value) if direction == ROUND_FLOOR else math.ceil(value)

    def _decided(self, node: Node) -> _Exact:
        """The value with enough digits to tell on which side of an integer it lies; what rounding
        errors cannot tell from an integer is that integer."""
        was, self.precise = self.precise, True
        try:
            digits = _DIGITS
            while True:
                with localcontext(Context(prec=digits)):
                    value = self(node)
                    if not isinstance(value, Decimal):
                        return value
                    if not value:  # a decimal 0 may have any exponent
                        return 0
                    large = max(value.adjusted(), 0)
                    if large + _GUARD <= digits:
                        nearest = value.to_integral_value()
                        error = Decimal(10) ** (large - digits + _ROUNDING)
                        return int(nearest) if abs(value - nearest) <= error else value
                digits = large + 2 * _GUARD
                self.spend(digits)
                if digits > MAX_BITS // 3:
                    raise OverflowError
        finally:
            self.precise = was

    def truth(self, node: Truth) -> _Exact:
        return int(node.value)

    def compare(self, node: Compare) -> _Exact:
        difference = self._decided(Add((node.left, Negative(node.right))))
        return int(RELATIONS[node.relation](difference, 0))

    def cases(self, node: Cases) -> _Exact:
        for value, condition in node.pairs:
            if self(condition):
                return self(value)
        raise ValueError("no case holds")

    def summation(self, node: Summation) -> _Exact:
        first, last = self(node.first), self(node.last)
        if not isinstance(first, int) or not isinstance(last, int):
            raise ValueError("limits of a sum that are no integers")
        if last - first > self.most:
            raise OverflowError
        outer = self.at
        self.at = {**outer, node.index: first}
        total: _Exact = 0
        try:
            for index in range(first, last + 1):
                self.at[node.index] = index
                total = _apply(operator.add, total, self(node.body))
        finally:
            self.at = outer
        return total


def _ln(x: _Exact) -> float:
    if isinstance(x, Fraction):
        return math.log(x.numerator) - math.log(x.denominator)
    return math.log(x)


def _rounded_log(x: _Exact, base: _Exact, direction: str) -> int | None:
    """The integer below or above a logarithm, by powers of its base; None where these are no
    integers, or too long."""
    if not isinstance(x, (int, Fraction)) or not isinstance(base, int) or x <= 0 or base < 2:
        return None
    low = math.floor(_ln(x) / _ln(base))  # or one beside it
    if abs(low) * (base - 1).bit_length() > MAX_BITS:
        return None
    power = Fraction(base) ** low
    while power > x:
        low, power = low - 1, power / base
    while power * base <= x:
        low, power = low + 1, power * base
    return low if direction == ROUND_FLOOR or power == x else low + 1


def _factorial(x: _Exact) -> _Exact:
    """x!, of what is no whole number the gamma function of x + 1."""
    if x < 0:
        raise ValueError("no factorial")
    if x == int(x):
        if x > MAX_FACTORIAL:
            raise OverflowError
        return math.factorial(int(x))
    return math.gamma(float(x) + 1)


def _exact_root(x: int | Fraction, degree: int) -> int | Fraction | None:
    """The root where it is rational, else None; also of what is negative."""
    if x < 0:
        return None
    if isinstance(x, Fraction):
        top, bottom = _exact_root(x.numerator, degree), _exact_root(x.denominator, degree)
        return None if top is None or not bottom else Fraction(top) / Fraction(bottom)
    root = math.isqrt(x) if degree == 2 else _whole_root(x, degree)
    return root if root**degree == x else None


def _whole_root(x: int, degree: int) -> int:
    """The largest integer whose power is at most x."""
    bits = x.bit_length()
    if degree >= bits:
        return min(x, 1)
    if degree * degree > bits:  # the root is short
        low, high = 0, 1 << (bits // degree + 1)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if middle**degree <= x else (low, middle - 1)
        return low
    root = 1 << -(-bits // degree)
    while (closer := ((degree - 1) * root + x // root ** (degree - 1)) // degree) < root:
        root = closer  # Newton's method comes from above, and stays there
    return root
