"""Formulas written as text, read safely and evaluated exactly: `5*n^2/p`, `n*ceiling(log(n, 2))`,
`Max(0, n - 1)`.

The text goes through Python's parser into a syntax tree; only arithmetic and the functions below
are accepted, nothing is executed. Whole numbers stay exact; a quotient of them is a fraction;
logarithms and roots are exact where they are whole.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from looplaw_common.errors import InputError

Number = int | float | Fraction
_MAX_CHARS = 4000
_MAX_POWER = 4096
_MAX_BITS = 1 << 16


@dataclass(frozen=True)
class Formula:
    """One expression; symbols: the names in it."""

    text: str
    symbols: frozenset[str]
    _tree: ast.expr = field(repr=False, compare=False)

    def evaluate(self, at: Mapping[str, Number]) -> Number:
        """The value; whole numbers and fractions where that is exact.

        Raises:
            InputError: a symbol has no value, or the formula has none there (a division by zero, a
                logarithm of 0).
        """
        try:
            value = _value(self._tree, at)
        except KeyError as error:
            raise InputError(f"{self.text}: no value for {error.args[0]}") from None
        except (ZeroDivisionError, ValueError, OverflowError):
            where = ", ".join(f"{k}={v}" for k, v in at.items())
            raise InputError(f"{self.text}: has no value at {where}") from None
        return value

    @property
    def parts(self) -> tuple[Formula, ...]:
        """The summands; the whole where one is subtracted."""
        found: list[ast.expr] = []
        work = [self._tree]
        while work:
            node = work.pop()
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
                work += [node.right, node.left]
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
                return (self,)
            else:
                found.append(node)
        return tuple(_formula(ast.unparse(node), node) for node in found)


def parse_formula(text: str) -> Formula:
    """Read a formula; ^ and ** are powers, log is the natural logarithm, log(x, 2) or log2(x) the
    binary one.

    Raises:
        InputError: what is wrong with the text.
    """
    if len(text) > _MAX_CHARS:
        raise InputError(f"a formula of {len(text)} characters; {_MAX_CHARS} are read")
    try:
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{text}: not a formula; write one as in 5*n^2/p or n*log(n)") from None
    return _formula(text.strip(), tree)


def _formula(text: str, tree: ast.expr) -> Formula:
    symbols: set[str] = set()
    _check(tree, text, symbols)
    return Formula(text, frozenset(symbols), tree)


def _check(node: ast.expr, text: str, symbols: set[str]) -> None:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        inner = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        inner = [node.operand]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id not in _FUNCTIONS:
            raise InputError(
                f"{text}: no function {node.func.id}; there are {', '.join(_FUNCTIONS)}"
            )
        least, most = _FUNCTIONS[node.func.id][1:]
        if not least <= len(node.args) <= most:
            raise InputError(
                f"{text}: {node.func.id} takes {least}{'' if least == most else ' or more'}"
                " arguments"
            )
        inner = node.args
    elif isinstance(node, ast.Name):
        symbols.add(node.id)
        return
    elif (
        isinstance(node, ast.Constant)
        and isinstance(node.value, (int, float))
        and not isinstance(node.value, bool)
        and math.isfinite(node.value)
    ):
        return
    else:
        raise InputError(f"{text}: {ast.unparse(node)[:40]} has no place in a formula")
    for child in inner:
        _check(child, text, symbols)


def _value(node: ast.expr, at: Mapping[str, Number]) -> Number:
    if isinstance(node, ast.Constant):
        assert isinstance(node.value, (int, float))
        return node.value
    if isinstance(node, ast.Name):
        return _plain(at[node.id])
    if isinstance(node, ast.UnaryOp):
        value = _value(node.operand, at)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        return _plain(_OPERATORS[type(node.op)](_value(node.left, at), _value(node.right, at)))
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    return _plain(_FUNCTIONS[node.func.id][0](*(_value(a, at) for a in node.args)))


def _plain(value: Number) -> Number:
    """Whole fractions and floats as integers; a number too long for exact arithmetic as a float."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise OverflowError
    return value


def _quotient(a: Number, b: Number) -> Number:
    return a / b if isinstance(a, float) or isinstance(b, float) else Fraction(a) / Fraction(b)


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(exponent, int) and not isinstance(base, float):
        if abs(exponent) > _MAX_POWER:
            raise OverflowError
        return Fraction(base) ** exponent
    return math.pow(base, exponent)


def _log(x: Number, base: Number | None = None) -> Number:
    if base is None:
        return math.log(x)
    if base == 2 and isinstance(x, int) and x > 0:
        return x.bit_length() - 1 if x & (x - 1) == 0 else math.log2(x)
    return math.log(x) / math.log(base)


def _sqrt(x: Number) -> Number:
    if isinstance(x, int) and x >= 0 and math.isqrt(x) ** 2 == x:
        return math.isqrt(x)
    return math.sqrt(x)


def _modulo(a: Number, b: Number) -> Number:
    return a - b * math.floor(_quotient(a, b))


_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: _quotient,
    ast.Pow: _power,
}
_FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int]] = {
    "log": (_log, 1, 2),
    "log2": (lambda x: _log(x, 2), 1, 1),
    "sqrt": (_sqrt, 1, 1),
    "floor": (math.floor, 1, 1),
    "ceiling": (math.ceil, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "Max": (max, 1, 64),
    "Min": (min, 1, 64),
    "max": (max, 1, 64),
    "min": (min, 1, 64),
    "Mod": (_modulo, 2, 2),
}
