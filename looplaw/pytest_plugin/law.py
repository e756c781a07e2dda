"""A law as users write it, "n*log(n)": read with Python's parser and never evaluated by it."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from modeling import DataError

_MAX_CHARS = 500
_CALLS: Mapping[str, Callable[[float], float]] = {
    "log": math.log2,
    "log2": math.log2,
    "sqrt": math.sqrt,
}
"""The base of a logarithm is a constant factor, which growth does not see."""


@dataclass(frozen=True)
class Law:
    """A formula in parameters, positive where it is evaluated; `names` are its parameters."""

    text: str
    tree: ast.expr
    names: frozenset[str]

    @staticmethod
    def read(text: str) -> Law:
        """From text with + - * / ** sqrt log and numbers.

        Raises:
            DataError: it is not such a formula.
        """
        __tracebackhide__ = True
        try:
            tree = ast.parse(text.strip(), mode="eval").body if len(text) <= _MAX_CHARS else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            tree = None
        if tree is None:
            raise DataError(f"{text[:40]!r} is not a law: write it as in 'n*log(n)' or 'n**2 + m'")
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        names = frozenset(
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and id(node) not in called
        )
        law = Law(text.strip(), tree, names)
        law.at(dict.fromkeys(names, 2.0))  # so that what is no law is refused now
        return law

    def at(self, point: Mapping[str, float]) -> float:
        """The value at a point.

        Raises:
            DataError: a parameter has no value, or the law is not a finite number there.
        """
        try:
            value = _value(self.tree, point)
        except (ArithmeticError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            raise DataError(
                f"the law {self.text} has no finite value at"
                f" {', '.join(f'{n}={v:g}' for n, v in point.items())}"
            )
        return value


def _value(node: ast.expr, point: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.Name(id=name) if name in point:
            return float(point[name])
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, point)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(_value(left, point), op, _value(right, point))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _CALLS:
            return _CALLS[name](_value(argument, point))
        case ast.Name(id=name):
            raise DataError(f"the law's parameter {name} has no values: give {name}=[...]")
    raise DataError(
        f"{ast.unparse(node)!r} cannot stand in a law: it may use + - * / ** sqrt and log"
    )


def _combined(a: float, op: ast.operator, b: float) -> float:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return a / b
        case ast.Pow():
            return float(a**b)
    raise DataError(
        f"{type(op).__name__} cannot stand in a law: it may use + - * / ** sqrt and log"
    )
