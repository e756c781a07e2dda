"""How formulas grow: exact leading terms as parameters tend to infinity.

A `Growth` is a quantity as the integer t tends to infinity: a sum of terms, the largest first, each
a coefficient times 2**E * t**p * log2(t)**q * log2(log2(t))**r, where E is a sum of such products
again. Sums, products, powers, logarithms and conditions of such quantities are such quantities
(Hardy, "Orders of Infinity", 1910; Gruntz, "On Computing Limits in a Symbolic Manipulation System",
1996). What is no single function of that kind, such as sqrt(t) rounded down or a long sum, ends in
a term whose coefficient is known to stay between two numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from ..errors import InputError
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
    walk,
)
from .values import RELATIONS, Value, evaluate

if TYPE_CHECKING:
    from .formula import Formula

_MOST_TERMS = 12
"""Terms of a quantity that are kept; what is smaller is known in its order only."""
_SERIES = 5
"""Terms of the series of 1/(1 + x), log(1 + x) and the like."""
_NOISE = 1e-12
"""A sum of rounded numbers that is so much smaller than they are is 0."""
_LONG_POWER = 64
_MOST_BITS = 1 << 16
_SUMMED = 1200
"""Sums of so many terms are added up one by one."""
_MOST_STEPS = 30_000
_PLACES = tuple(Fraction(k, 6) for k in range(7))
"""Where a long sum is looked at: behind its first, and before its last, t**place terms."""
_MIDDLE = Fraction(3, 7)
_MOST_RESIDUES, _LARGEST_PERIOD = 8, 10**6
HUGE = Fraction(10**100)
"""Larger than any coefficient that matters: between 1/HUGE and HUGE is "positive"."""


class CannotTell(InputError):
    """A question that the known terms of a quantity do not decide."""


@dataclass(frozen=True)
class Order:
    """2**(sum of coefficient*order) * t**power * log2(t)**log * log2(log2(t))**loglog"""

    exponent: tuple[tuple[Order, Value], ...] = ()
    power: Value = 0
    log: Value = 0
    loglog: Value = 0

    @property
    def sign(self) -> int:
        """1 where it tends to infinity, -1 where it vanishes, 0 where it is 1."""
        parts = [(_LOG, self.power), (_LOGLOG, self.log), (ONE, self.loglog)]
        for scale, value in parts:
            if self.exponent and (scale is ONE or self.exponent[0][0].over(scale).sign > 0):
                return 1 if self.exponent[0][1] > 0 else -1
            if value:
                return 1 if value > 0 else -1
        return 0

    def times(self, other: Order, often: Value = 1) -> Order:
        """self * other**often"""
        return _times(self, other, often)

    def over(self, other: Order) -> Order:
        return self.times(other, -1)

    @property
    def is_integral(self) -> bool:
        """Is it surely an integer, at every integer t that is large?"""
        whole = isinstance(self.power, int) and self.power >= 0 and not self.log and not self.loglog
        return whole and all(
            isinstance(v, int) and v > 0 and o.is_integral for o, v in self.exponent
        )


@lru_cache(maxsize=1 << 14)
def _times(a: Order, b: Order, often: Value) -> Order:
    exponent = dict(a.exponent)
    for order, value in b.exponent:
        exponent[order] = _sum((exponent.get(order, 0), _product(value, often)))
    kept = [(o, v) for o, v in exponent.items() if v]
    pairs = ((a.power, b.power), (a.log, b.log), (a.loglog, b.loglog))
    return Order(
        tuple(sorted(kept, key=lambda pair: _DESCENDING(pair[0]))),
        *(_sum((x, _product(y, often))) for x, y in pairs),
    )


def _larger_first(a: Order, b: Order) -> int:
    return b.over(a).sign


_DESCENDING = cmp_to_key(_larger_first)
ONE = Order()
_LOG, _LOGLOG = Order(log=1), Order(loglog=1)


def _plain(value: Value) -> Value:
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    return value


def _sum(values: Sequence[Value]) -> Value:
    if len(values) == 1:
        return values[0]
    total = sum(values)
    if isinstance(total, float):
        scale = sum(abs(float(v)) for v in values)
        return 0 if abs(total) <= _NOISE * scale else _plain(total)
    return _plain(total)


def _product(a: Value, b: Value) -> Value:
    if not a or not b:
        return 0
    if b == 1:
        return a
    found = _plain(a * b)
    if isinstance(found, (int, Fraction)) and found.numerator.bit_length() > _MOST_BITS:
        raise OverflowError
    return found


def _inverse(a: Value) -> Value:
    return 1 / a if isinstance(a, float) else _plain(Fraction(1) / a)


def _raised(base: Value, exponent: Value) -> Value:
    if isinstance(base, float) or isinstance(exponent, float):
        return _plain(math.pow(base, exponent))
    return _plain(evaluate(Power(Name("b"), Name("e")), {"b": base, "e": exponent}))


def _log2(value: Value) -> Value:
    return _plain(evaluate(Call("log", (Name("x"), Number(2))), {"x": value}))


@dataclass(frozen=True)
class Term:
    """An order times a coefficient between low and high: in the limit, where they differ."""

    order: Order
    low: Value
    high: Value

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def times(self, other: Term) -> Term:
        if self.is_exact and other.is_exact:
            value = _product(self.low, other.low)
            return Term(self.order.times(other.order), value, value)
        ends = [_product(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Term(self.order.times(other.order), min(ends), max(ends))


@dataclass(frozen=True)
class Growth:
    """A quantity as t tends to infinity: terms, the largest first; only the last one's coefficient
    may be known by bounds alone, and smaller ones are not known then."""

    terms: tuple[Term, ...] = ()

    @staticmethod
    def of(terms: Iterable[Term]) -> Growth:
        """The sum of terms in any order."""
        by_order: dict[Order, list[Term]] = {}
        for term in terms:
            by_order.setdefault(term.order, []).append(term)
        found = list[Term]()
        for order in sorted(by_order, key=_DESCENDING):
            same = by_order[order]
            term = Term(order, _sum([t.low for t in same]), _sum([t.high for t in same]))
            if term.low or term.high:
                found.append(_unknown(order) if len(found) == _MOST_TERMS else term)
                if not found[-1].is_exact:
                    break
        return Growth(tuple(found))

    @staticmethod
    def number(value: Value) -> Growth:
        return Growth.of((Term(ONE, value, value),))

    @staticmethod
    def parameter(power: Value = 1, scale: int = 1, offset: int = 0) -> Growth:
        """scale * t**power + offset"""
        order = Order(power=_plain(power))
        return Growth.of((Term(order, scale, scale), Term(ONE, offset, offset)))

    @property
    def lead(self) -> Term:
        """The largest term; a 0 where there is none."""
        return self.terms[0] if self.terms else Term(ONE, 0, 0)

    @property
    def sign(self) -> int:
        """1, 0 or -1 for large t.

        Raises:
            CannotTell: the known terms do not decide.
        """
        lead = self.lead
        if lead.is_exact or lead.low > 0 or lead.high < 0:
            return (lead.high > 0) - (lead.high < 0)
        raise CannotTell("the sign of a quantity is not known")

    @property
    def constant(self) -> Value | None:
        """The number that it is; None where it changes, or is not known."""
        lead = self.lead
        return lead.low if len(self.terms) < 2 and lead.order == ONE and lead.is_exact else None

    def __add__(self, other: Growth | Value) -> Growth:
        return Growth.of((*self.terms, *growth(other).terms))

    def __neg__(self) -> Growth:
        return Growth(tuple(Term(t.order, -t.high, -t.low) for t in self.terms))

    def __sub__(self, other: Growth | Value) -> Growth:
        return self + -growth(other)

    def __rsub__(self, other: Value) -> Growth:
        return growth(other) - self

    def __mul__(self, other: Growth | Value) -> Growth:
        return Growth.of(a.times(b) for a in self.terms for b in growth(other).terms)

    def __truediv__(self, other: Growth | Value) -> Growth:
        return self * growth(other).to_the(-1)

    def __pow__(self, exponent: Growth | Value) -> Growth:
        exponent = growth(exponent)
        number = exponent.constant
        if number is not None:
            return self.to_the(number)
        return (exponent * self.log2()).exp2()

    def floor(self) -> Growth:
        """Rounded down."""
        if any(t.order.sign > 0 and not _is_integral(t) for t in self.terms):
            return Growth.of((*self.terms, Term(ONE, -1, 0)))
        above = tuple(t for t in self.terms if t.order.sign > 0)
        at = next((t for t in self.terms if t.order == ONE), Term(ONE, 0, 0))
        if above and not above[-1].is_exact:
            return self
        low, high = math.floor(at.low), math.floor(at.high)
        if not at.is_exact or isinstance(at.low, float):
            return Growth.of((*above, Term(ONE, low - (low == at.low), high)))
        below = Growth(tuple(t for t in self.terms if t.order.sign < 0)).lead
        if low == at.low and below.low < 0:  # vanishing, it decides beside an integer
            low, high = low - 1, high - (below.high < 0)
        return Growth.of((*above, Term(ONE, low, high)))

    def ceiling(self) -> Growth:
        """Rounded up."""
        return -(-self).floor()

    def _relative(self) -> tuple[Term, Growth]:
        """(leading term, what is left over it)."""
        lead = self.lead
        if not lead.low or not lead.high or (lead.low < 0) != (lead.high < 0):
            raise CannotTell("a quantity that may be 0")
        if not lead.is_exact:
            return lead, Growth()
        over = Term(ONE.over(lead.order), _inverse(lead.low), _inverse(lead.low))
        return lead, Growth.of(t.times(over) for t in self.terms[1:])

    def to_the(self, exponent: Value) -> Growth:
        """The power with a number; 0**0 is 1.

        Raises:
            CannotTell, ZeroDivisionError: it has no value, or none that is known.
        """
        is_whole = isinstance(exponent, int)
        if is_whole and 0 <= exponent <= _LONG_POWER:
            return reduce(Growth.__mul__, [self] * int(exponent), Growth.number(1))
        if not self.terms:
            if exponent < 0:
                raise ZeroDivisionError
            return self
        lead, rest = self._relative()
        if lead.low < 0 and not is_whole:
            raise ValueError("no real power")
        ends = [_raised(c, exponent) for c in (lead.low, lead.high)]
        head = Term(ONE.times(lead.order, exponent), min(ends), max(ends))
        binomials, coefficient = list[Value](), cast(Value, 1)
        for k in range(_SERIES):
            binomials.append(coefficient)
            coefficient = _product(coefficient, _product(exponent - k, Fraction(1, k + 1)))
        return Growth((head,)) * _series(rest, binomials)

    def log2(self) -> Growth:
        """The binary logarithm.

        Raises:
            CannotTell, ValueError: it has no value, or none that is known.
        """
        if not self.terms or self.lead.high < 0:
            raise ValueError("no logarithm")
        lead, rest = self._relative()
        if lead.order.loglog:
            raise CannotTell("a logarithm of a logarithm of a logarithm")
        head = [
            *(Term(order, value, value) for order, value in lead.order.exponent),
            Term(_LOG, lead.order.power, lead.order.power),
            Term(_LOGLOG, lead.order.log, lead.order.log),
            Term(ONE, _log2(lead.low), _log2(lead.high)),
        ]
        slopes: list[Value] = [0, *((-1) ** (k + 1) / math.log(2) / k for k in range(1, _SERIES))]
        return Growth.of(head) + _series(rest, slopes)

    def exp2(self) -> Growth:
        """2 to the power of it.

        Raises:
            CannotTell: terms that matter are known by bounds only.
        """
        head, below = Term(ONE, 1, 1), list[Term]()
        for term in self.terms:
            order = term.order
            if order.sign < 0:
                below.append(term)
                continue
            if order == ONE:
                head = head.times(Term(ONE, *(_raised(2, c) for c in (term.low, term.high))))
                continue
            if not term.is_exact:
                raise CannotTell("an exponent that is known by bounds only")
            if order == _LOG:
                grown = Order(power=term.low)
            elif order == _LOGLOG:
                grown = Order(log=term.low)
            else:
                grown = Order(((order, term.low),))
            head = head.times(Term(grown, 1, 1))
        factorials: list[Value] = [math.log(2) ** k / math.factorial(k) for k in range(_SERIES)]
        return Growth((head,)) * _series(Growth(tuple(below)), [1, *factorials[1:]])


Quantity = Value | Growth
"""A number, or what a parameter is as it grows."""


def growth(value: Quantity) -> Growth:
    """A number as what does not change."""
    return value if isinstance(value, Growth) else Growth.number(value)


def sign_of(quantity: Quantity) -> int:
    """1, 0 or -1.

    Raises:
        CannotTell: the known terms of a growing quantity do not decide.
    """
    return quantity.sign if isinstance(quantity, Growth) else (quantity > 0) - (quantity < 0)


def _is_integral(term: Term) -> bool:
    return isinstance(term.low, int) and term.is_exact and term.order.is_integral


def _unknown(order: Order) -> Term:
    return Term(order, -HUGE, HUGE)


def _series(x: Growth, coefficients: Sequence[Value]) -> Growth:
    """Sum of coefficients[k] * x**k, with the order of what is left out; x vanishes."""
    total, power = Growth(), Growth.number(1)
    for coefficient in coefficients:
        total = total + power * coefficient
        power = power * x
        if not power.terms:
            return total
    return total + Growth((_unknown(power.lead.order),))


def joined(a: Growth, b: Growth) -> Growth:
    """What is one of the two, nobody knows which."""
    same = next((k for k, (s, t) in enumerate(zip(a.terms, b.terms, strict=False)) if s != t), None)
    same = min(len(a.terms), len(b.terms)) if same is None else same
    left, right = Growth(a.terms[same:]).lead, Growth(b.terms[same:]).lead
    order = left.order if left.order.over(right.order).sign >= 0 else right.order
    ends = [end for t in (left, right) for end in ((t.low, t.high) if t.order == order else (0, 0))]
    return Growth.of((*a.terms[:same], Term(order, min(ends), max(ends))))


def value_of(formula: Formula, at: Mapping[str, Quantity]) -> Quantity:
    """The value of a formula where parameters are numbers, or grow.

    Raises:
        InputError: it has no value there.
        CannotTell: (an InputError) what it is depends on terms that are not known.
    """
    growing = {n: v for n, v in at.items() if isinstance(v, Growth) and n in formula.symbols}
    numbers = {n: v for n, v in at.items() if not isinstance(v, Growth)}
    if not growing:
        return formula.evaluate(numbers)
    try:
        return _Growing(growing, numbers, formula.names_below)(formula.tree)
    except KeyError as error:
        raise InputError(f"{formula.text}: no value for {error.args[0]}") from None
    except (ArithmeticError, ValueError):
        raise InputError(f"{formula.text}: has no value for large parameters") from None


def residues(formulas: Iterable[Formula], at: Mapping[str, Value]) -> tuple[tuple[int, int], ...]:
    """(period, residue) of the classes of integers on which remainders and rounded quotients by
    numbers are single functions; some of them where there are many.

    Args:
        at: the parameters that are numbers.
    """
    period = 1
    for formula in formulas:
        for divisor in formula.divisors:
            try:
                number = evaluate(divisor, at)
            except (KeyError, ArithmeticError, ValueError):
                continue
            together = math.lcm(period, Fraction(number).numerator or 1)
            period = together if together <= _LARGEST_PERIOD else period
    found = range(period) if period <= _MOST_RESIDUES else (0, 1, 3, period // 2, period - 1)
    return tuple((period, r) for r in found)


class _Growing(Mapper[Growth]):
    """The value where some parameters, and indices of sums, grow and the others are numbers."""

    def __init__(
        self,
        growing: Mapping[str, Growth],
        numbers: Mapping[str, Value],
        names: Mapping[int, frozenset[str]],
    ) -> None:
        self.growing, self.numbers = dict(growing), dict(numbers)
        self.names = names
        self.steps = 0

    def __call__(self, node: Node) -> Growth:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise CannotTell("a sum too long to tell how it grows")
        if self.names[id(node)].isdisjoint(self.growing):
            return Growth.number(evaluate(node, self.numbers))
        return node.accept(self)

    def number(self, node: Number) -> Growth:
        return Growth.number(evaluate(node, {}))

    def name(self, node: Name) -> Growth:
        return self.growing[node.name]

    def negative(self, node: Negative) -> Growth:
        return -self(node.operand)

    def add(self, node: Add) -> Growth:
        return Growth.of(term for part in node.terms for term in self(part).terms)

    def multiply(self, node: Multiply) -> Growth:
        """A factor of 0 makes 0 even of one without value, as in `values`."""
        found, failure = Growth.number(1), None
        for factor in node.factors:
            try:
                found = found * self(factor)
            except (InputError, ArithmeticError, ValueError) as error:
                failure = error
            if not found.terms:
                return found
        if failure is not None:
            raise failure
        return found

    def divide(self, node: Divide) -> Growth:
        return self(node.numerator) / self(node.denominator)

    def power(self, node: Power) -> Growth:
        return self(node.base) ** self(node.exponent)

    def call(self, node: Call) -> Growth:
        x, *others = map(self, node.arguments)
        match node.function:
            case "floor":
                return x.floor()
            case "ceiling":
                return x.ceiling()
            case "Mod":
                return x - others[0] * (x / others[0]).floor()
            case "Max":
                return reduce(larger, others, x)
            case "Min":
                return -reduce(larger, (-other for other in others), -x)
            case "Abs":
                return larger(x, -x)
            case "sqrt":
                return x ** Fraction(1, 2)
            case "factorial":
                raise CannotTell("a factorial")
            case "ln":
                return x.log2() * math.log(2)
        return x.log2() / others[0].log2()

    def truth(self, node: Truth) -> Growth:
        return Growth.number(int(node.value))

    def compare(self, node: Compare) -> Growth:
        """1 or 0, or what is between."""
        difference = self(node.left) - self(node.right)
        try:
            return Growth.number(int(RELATIONS[node.relation](difference.sign, 0)))
        except CannotTell:
            return Growth((Term(ONE, 0, 1),))

    def cases(self, node: Cases) -> Growth:
        possible = list[Growth]()
        for value, condition in node.pairs:
            holds = self(condition)
            if holds.terms:
                possible.append(self(value))
            if holds.constant:
                return reduce(joined, possible)
        raise ValueError("no case holds")

    def summation(self, node: Summation) -> Growth:
        first, last = self(node.first), self(node.last)
        count = last - first + 1
        number = count.constant
        if number is not None and number <= _SUMMED:
            parts = (self.body(node, first + k) for k in range(max(0, math.floor(number))))
            return Growth.of(term for part in parts for term in part.terms)
        if count.sign <= 0:
            return Growth()
        degree = self.degree(node.body, node.index)
        if degree is not None:
            return _newton([self.body(node, first + k) for k in range(degree + 1)], count)
        return self.long_sum(node, first, last)

    def body(self, node: Summation, index: Growth) -> Growth:
        """The summand at an index."""
        kept = self.growing, self.numbers
        number = index.constant
        if number is None:
            self.growing = {**self.growing, node.index: index}
        else:
            self.growing = {n: v for n, v in self.growing.items() if n != node.index}
            self.numbers = {**self.numbers, node.index: number}
        try:
            return self(node.body)
        finally:
            self.growing, self.numbers = kept

    def degree(self, node: Node, index: str) -> int | None:
        """The degree of a polynomial in the index; None for what is none."""
        if index not in self.names[id(node)]:
            return 0
        parts = [self.degree(child, index) for child in node.children]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        match node:
            case Name():
                return 1
            case Negative() | Add():
                return max(known)
            case Multiply():
                return sum(known)
            case Divide() if not known[1]:
                return known[0]
            case Power(_, Number(int(exponent))) if 0 <= exponent <= _LONG_POWER:
                return known[0] * exponent
        return None

    def long_sum(self, node: Summation, first: Growth, last: Growth) -> Growth:
        """The order of a sum of terms that are not negative: the largest of summand times number of
        such summands, near the first, near the last and in between; times a logarithm where it is
        the same at several distances.

        Raises:
            CannotTell: terms may be negative, or others at single indices.
        """
        if self.has_single_cases(node):
            raise CannotTell("a sum of cases")
        count = last - first + 1
        widths = [ONE.times(count.lead.order, place) for place in _PLACES]
        middle = first + count * _MIDDLE
        ends = [[first], [last]]
        for width in widths[1:-1]:
            away = Growth((Term(width, 1, 1),))
            ends[0].append(away if first.lead.order.over(width).sign < 0 else first + away)
            ends[1].append(last - away)
        sure, possible = [], []
        for places in ends:
            leads = [self.body(node, index).lead for index in (*places, middle)]
            if any(lead.low < 0 for lead in leads):
                raise CannotTell("a sum of terms that may be negative")
            orders = [lead.order.times(width) for lead, width in zip(leads, widths, strict=True)]
            for k, (order, lead) in enumerate(zip(orders, leads, strict=True)):
                flat = order in orders[k + 1 : k + 2] and leads[k + 1].low > 0
                whole = order.times(count.log2().lead.order) if flat else order
                sure += [whole] if lead.low > 0 else []
                possible += [whole] if lead.high > 0 else []
        if not possible:
            return Growth()
        most = min(possible, key=_DESCENDING)
        return Growth((Term(most, 1 / HUGE if most in sure else 0, HUGE),))

    def has_single_cases(self, node: Summation) -> bool:
        """May a summand be another one in the middle? Not where one comparison divides the indices
        into the first and the last ones."""
        compared = {
            n
            for n, _ in walk(node.body)
            if isinstance(n, Compare) and node.index in self.names[id(n)]
        }
        return len(compared) > 1 or any(n.relation in ("==", "!=") for n in compared)


def larger(a: Growth, b: Growth) -> Growth:
    """The maximum."""
    try:
        return a if (a - b).sign >= 0 else b
    except CannotTell:
        return joined(a, b)


def _newton(values: Sequence[Growth], count: Growth) -> Growth:
    """The sum of `count` values of a polynomial whose first ones are known, by Newton's forward
    differences."""
    total, choose, differences = Growth(), count, list(values)
    for k in range(len(values)):
        total = total + differences[0] * choose
        choose = choose * (count - (k + 1)) * Fraction(1, k + 2)
        differences = [b - a for a, b in pairwise(differences)]
    return total
