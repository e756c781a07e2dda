"""Formulas as text turned into exact formulas of the analysis, so that both can be put into each
other."""

from __future__ import annotations

from fractions import Fraction

from modeling.pmnf.formula import parse_formula
from modeling.pmnf.formula_tree import (
    Add,
    Call,
    Cases,
    Compare,
    Divide,
    Mapper,
    Multiply,
    Name,
    Negative,
    Number,
    Power,
    Summation,
    Truth,
)
from staticana.expr import (
    ONE,
    Expr,
    TooComplex,
    ceil_log,
    expr,
    floor_div,
    maximum,
    minimum,
    power,
    sym,
)


class NotWritten(ValueError):
    """The text means something that formulas of the analysis do not express."""


def exact_formula(text: str) -> Expr:
    """The text as an exact formula.

    Raises:
        NotWritten: it contains a logarithm, a quotient or a decimal that is not rounded to a whole
            number, a condition or a sum.
        InputError: it is no formula.
    """
    try:
        return _Reader()(parse_formula(text).tree)
    except TooComplex as error:
        raise NotWritten(text) from error


class _Reader(Mapper[Expr]):
    """Reads a tree from its leaves up."""

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
        if base.constant is not None and base.constant == int(base.constant):
            return power(int(base.constant), exponent)
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
        """floor(a/b), ceiling(a/b) and those of a logarithm to a whole base."""
        inside = node.arguments[0]
        up = node.function == "ceiling"
        if isinstance(inside, Call) and inside.function == "log":
            x, base = (self(a) for a in inside.arguments)
            if base.constant is None or base.constant != int(base.constant):
                raise NotWritten("a logarithm")
            number = int(base.constant)
            # floor(log(x, b)) is ceiling(log(x + 1, b)) - 1
            return ceil_log(number, x) if up else ceil_log(number, x + 1) - 1
        if isinstance(inside, Divide):
            above, below = self(inside.numerator), self(inside.denominator)
        else:
            above, below = self(inside), ONE
        return -floor_div(-above, below) if up else floor_div(above, below)

    def truth(self, node: Truth) -> Expr:
        raise NotWritten("a condition")

    def compare(self, node: Compare) -> Expr:
        raise NotWritten("a condition")

    def cases(self, node: Cases) -> Expr:
        raise NotWritten("a condition")

    def summation(self, node: Summation) -> Expr:
        raise NotWritten("a sum")
