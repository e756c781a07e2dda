"""Formulas as text turned into exact formulas of the analysis, so that both can be put into each
other."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from itertools import product

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
)
from staticana.expr import (
    MAX_BITS,
    ONE,
    ZERO,
    Atom,
    Expr,
    Sum,
    TooComplex,
    ceil_log,
    expr,
    floor_div,
    from_atom,
    is_integer,
    maximum,
    minimum,
    power,
    root,
    step,
    sym,
)


class NotWritten(ValueError):
    """The text means something that formulas of the analysis do not express."""


def exact_formula(text: str) -> Expr:
    """The text as an exact formula.

    Raises:
        NotWritten: see `exact_tree`.
        InputError: it is no formula.
    """
    return exact_tree(parse_formula(text).tree)


def exact_tree(tree: Node) -> Expr:
    """The tree of a formula as an exact formula; conditions become indicators.

    Raises:
        NotWritten: it contains a quotient, a logarithm or a decimal that is not rounded to a whole
            number, or a condition on such a quotient.
    """
    try:
        return _Reader()(WithoutCertain()(tree))
    except TooComplex as error:
        raise NotWritten("too long") from error


class _Reader(Mapper[Expr]):
    """Reads a tree from its leaves up, conditions as indicators, which are 1 where they hold.

    Raises:
        NotWritten, TooComplex: a number in it is too long, too.
    """

    def __call__(self, node: Node) -> Expr:
        found = node.accept(self)
        if found.longest > MAX_BITS:
            raise TooComplex
        return found

    def number(self, node: Number) -> Expr:
        if not isinstance(node.value, int):
            return expr(Fraction(str(node.value)))
        return expr(node.value)

    def name(self, node: Name) -> Expr:
        return sym(node.name)

    def negative(self, node: Negative) -> Expr:
        return -self(node.operand)

    def add(self, node: Add) -> Expr:
        total = self(node.terms[0])
        for term in node.terms[1:]:
            total = total + self(term)
        return total

    def multiply(self, node: Multiply) -> Expr:
        total = ONE
        for factor in node.factors:
            total = total * self(factor)
        return total

    def divide(self, node: Divide) -> Expr:
        divisor = self(node.denominator).constant
        if not divisor:
            raise NotWritten("a quotient by a parameter")
        return self(node.numerator) * (Fraction(1) / Fraction(divisor))

    def power(self, node: Power) -> Expr:
        base, exponent = self(node.base), self(node.exponent)
        times = exponent.constant
        if times is not None and times == int(times) and times >= 0:
            return base ** int(times)
        if (number := _whole(base)) is not None:
            return power(number, exponent)
        raise NotWritten("a root")

    def call(self, node: Call) -> Expr:
        if node.function in ("floor", "ceiling"):
            return self._rounded(node)
        arguments = [self(a) for a in node.arguments]
        match node.function:
            case "Max":
                return maximum(*arguments)
            case "Min":
                return minimum(*arguments)
            case "Mod":
                return arguments[0] - arguments[1] * floor_div(arguments[0], arguments[1])
        raise NotWritten(node.function)

    def _rounded(self, node: Call) -> Expr:
        """floor(a/b), ceiling(a/b), those of a logarithm to a whole base and of a root, and what
        `expr.printing` writes so that sympy keeps its floors."""
        inside = node.arguments[0]
        up = node.function == "ceiling"
        if node.function == "ceiling" and (found := self._log_of_other_base(inside)) is not None:
            return found
        if node.function == "floor":
            if isinstance(inside, Call) and inside.function == "sqrt":
                return root(2, self(inside.arguments[0]))
            if isinstance(inside, Power) and (degree := _degree(inside.exponent)):
                return root(degree, self(inside.base))
            if isinstance(inside, Call) and inside.function == "Max" and _HALF in inside.arguments:
                others = [self(a) for a in inside.arguments if a != _HALF]
                if all(map(is_integer, others)):  # floor(Max(1/2, x)) is Max(0, x) for a whole x
                    return maximum(ZERO, *others)
        if isinstance(inside, Call) and inside.function == "log":
            x, base = (self(a) for a in inside.arguments)
            if (number := _whole(base)) is None:
                raise NotWritten("a logarithm")
            # floor(log(x, b)) is ceiling(log(x + 1, b)) - 1
            return ceil_log(number, x) if up else ceil_log(number, x + 1) - 1
        if isinstance(inside, Divide):
            above, below = self(inside.numerator), self(inside.denominator)
        else:
            above, below = self(inside), ONE
        return -floor_div(-above, below) if up else floor_div(above, below)

    def _log_of_other_base(self, node: Node) -> Expr | None:
        """log(x, 2)/log(3, 2) is log(x, 3)."""
        if not isinstance(node, Divide):
            return None
        above, below = node.numerator, node.denominator
        if not (isinstance(above, Call) and isinstance(below, Call)):
            return None
        if above.function != "log" or below.function != "log":
            return None
        base = _whole(self(below.arguments[0]))
        if base is None or above.arguments[1] != below.arguments[1]:
            return None
        return ceil_log(base, self(above.arguments[0]))

    def truth(self, node: Truth) -> Expr:
        return ONE if node.value else ZERO

    def compare(self, node: Compare) -> Expr:
        difference = self(node.left) - self(node.right)
        scale = difference.denominator
        e = difference * scale
        if not is_integer(e):
            raise NotWritten("a condition on a quotient")
        steps = [a for a in e.atoms if a.is_indicator]
        if steps:
            return _of_indicators(node, e, steps)
        match node.relation:
            case ">=":
                return step(e)
            case ">":
                return step(e - 1)
            case "<=":
                return step(-e)
            case "<":
                return step(-e - 1)
        same = step(e) - step(e - 1)
        return same if node.relation == "==" else 1 - same

    def cases(self, node: Cases) -> Expr:
        if node.pairs[-1][1] != Truth(True):
            raise NotWritten("no value where no condition holds")
        total, left = ZERO, ONE
        for value, condition in node.pairs:
            holds = self(condition)
            total = total + left * holds * self(value)
            left = left * (1 - holds)
        return total

    def summation(self, node: Summation) -> Expr:
        first = self(node.first)
        body = self(node.body).substitute({node.index: sym(node.index) + first})
        return from_atom(Sum(body, node.index, self(node.last) - first + 1))


def _of_indicators(node: Compare, e: Expr, steps: list[Atom]) -> Expr:
    """A relation to 0 of a sum of indicators, as a sum of products of them."""
    if len(steps) > _MOST_INDICATORS or any(not a.is_indicator for m in e.terms for a, _ in m):
        raise NotWritten("a condition on conditions")
    total = ZERO
    for values in product((0, 1), repeat=len(steps)):
        chosen = dict(zip(steps, values, strict=True))
        number = sum(Fraction(c) * math.prod(chosen[a] for a, _ in m) for m, c in e.terms.items())
        if _RELATIONS[node.relation](number, 0):
            total = total + math.prod(
                (from_atom(a) if v else 1 - from_atom(a) for a, v in chosen.items()), start=ONE
            )
    return total


def _whole(base: Expr) -> int | None:
    """The base of powers and logarithms, where it is a whole number of at least 2."""
    value = base.constant
    return int(value) if value is not None and value >= 2 and value == int(value) else None


_MOST_INDICATORS = 4
_RELATIONS = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_HALF = Divide(Number(1), Number(2))


def _degree(exponent: Node) -> int | None:
    """d of the exponent 1/d."""
    if isinstance(exponent, Divide) and exponent.numerator == Number(1):
        below = exponent.denominator
        if isinstance(below, Number) and isinstance(below.value, int) and below.value > 1:
            return below.value
    return None
