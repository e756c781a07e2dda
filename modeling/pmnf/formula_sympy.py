"""Formulas as sympy expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .formula_tree import (
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

if TYPE_CHECKING:
    import sympy


def sympy_of(tree: Node, symbols: Mapping[str, sympy.Symbol] | None = None) -> sympy.Expr:
    """The formula as a sympy expression.

    Args:
        symbols: name -> the symbol that stands for it; others get a plain Symbol, as in sympify.
    """
    return _Sympy(symbols or {})(tree)


class _Sympy(Mapper[Any]):
    def __init__(self, symbols: Mapping[str, sympy.Symbol]) -> None:
        import sympy  # a third of a second, which nobody pays who does not ask for it

        self.sympy, self.symbols = sympy, symbols

    def number(self, node: Number) -> Any:
        if isinstance(node.value, int):
            return self.sympy.Integer(node.value)
        return self.sympy.Float(node.value)

    def name(self, node: Name) -> Any:
        known = self.symbols.get(node.name)
        return self.sympy.Symbol(node.name) if known is None else known

    def negative(self, node: Negative) -> Any:
        return -self(node.operand)

    def add(self, node: Add) -> Any:
        return self.sympy.Add(*map(self, node.terms))

    def multiply(self, node: Multiply) -> Any:
        return self.sympy.Mul(*map(self, node.factors))

    def divide(self, node: Divide) -> Any:
        return self(node.numerator) / self(node.denominator)

    def power(self, node: Power) -> Any:
        return self(node.base) ** self(node.exponent)

    def call(self, node: Call) -> Any:
        return getattr(self.sympy, node.function)(*map(self, node.arguments))

    def truth(self, node: Truth) -> Any:
        return self.sympy.true if node.value else self.sympy.false

    def compare(self, node: Compare) -> Any:
        return self.sympy.Rel(self(node.left), self(node.right), node.relation)

    def cases(self, node: Cases) -> Any:
        return self.sympy.Piecewise(*((self(v), self(c)) for v, c in node.pairs))

    def summation(self, node: Summation) -> Any:
        index = self.sympy.Symbol(node.index, integer=True)
        body = _Sympy({**self.symbols, node.index: index})(node.body)
        return self.sympy.Sum(body, (index, self(node.first), self(node.last)))
