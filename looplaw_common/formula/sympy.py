"""Formulas as sympy expressions, made node by node under bounds.

sympy's own reader of text, `sympify`, hands it to Python's `eval`, and its numbers grow without
bound: 9**9**9**9 fills the memory. Formulas come from files of others, so here a tree that our own
grammar has read is walked, numbers are bounded, and what sympy would simplify at a cost that grows
faster than the formula is left as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
from .values import MAX_BITS

if TYPE_CHECKING:
    import sympy

_COMPARING = frozenset({"Max", "Min", "Mod", "floor", "ceiling"})
_FEW_ARGUMENTS = 8
"""sympy compares each pair of arguments of Max and Min; of more than these they stay as written."""
_FEW_NODES = 64
"""Nodes of the largest formula that sympy may simplify where it would ask for signs, common
divisors or expanded products: up to some milliseconds a node."""
_FEW_CASES = 32
"""Cases inside of conditions: sympy takes every one of them apart with all the others."""
_ONE_LOGARITHM = 3
"""Parts of log(x)/log(b): two logarithms and a power."""
_MOST_IRRATIONAL = 1 << 10
"""Bits of the whole part of an irrational number: as many as a float can have."""


def sympy_of(tree: Node, symbols: Mapping[str, sympy.Symbol] | None = None) -> sympy.Expr:
    """The formula as a sympy expression.

    Args:
        symbols: name -> the symbol that stands for it; others get a plain Symbol, as in sympify.

    Raises:
        InputError: a number in it is too long, or sympy has no such expression (a remainder of a
            division by zero).
    """
    known = symbols or {}
    if _cases_in_conditions(tree) > _FEW_CASES:
        raise InputError("a formula with more cases in conditions than sympy can take apart")
    try:
        found = _made(tree, known)
    except (ArithmeticError, TypeError, ValueError, RecursionError) as error:
        raise InputError(f"sympy cannot express the formula: {error}") from None
    if any(number.is_finite is False for number in found.atoms(*_kinds_of_numbers())):
        raise InputError("the formula has no value: it divides by 0")
    return found


def _kinds_of_numbers() -> tuple[type, ...]:
    import sympy

    return sympy.Number, type(sympy.zoo)


def _made(tree: Node, symbols: Mapping[str, sympy.Symbol]) -> Any:
    if sum(1 for _ in walk(tree)) <= _FEW_NODES:
        try:
            return _Sympy(symbols, simplified=True)(tree)
        except _Irrational:
            pass
    return _Sympy(symbols, simplified=False)(tree)


class _Irrational(Exception):
    """A number that is no fraction, such as log(3, 2): whether it equals another one, which sympy
    asks wherever it compares, is decided by its minimal polynomial, which may take for ever."""


def symbol_of(name: str, **assumptions: bool | None) -> sympy.Symbol:
    """The symbol of a name. sympy writes names as they are into the Python that `lambdify`
    compiles, so only what is a name there is one here.

    Raises:
        InputError: it is none.
    """
    import sympy

    if not name.isidentifier():
        raise InputError(f"{name!r}: not a name that sympy can have; use letters, digits and _")
    return sympy.Symbol(name, **assumptions)


class _Sympy(Mapper[Any]):
    """simplified: let sympy simplify what it compares, as it does by itself."""

    def __init__(self, symbols: Mapping[str, sympy.Symbol], *, simplified: bool) -> None:
        import sympy  # a third of a second, which nobody pays who does not ask for it

        self.sympy, self.symbols, self.simplified = sympy, symbols, simplified

    def number(self, node: Number) -> Any:
        if isinstance(node.value, int):
            return self.sympy.Integer(node.value)
        return self.sympy.Float(node.value)

    def name(self, node: Name) -> Any:
        known = self.symbols.get(node.name)
        return symbol_of(node.name) if known is None else known

    def negative(self, node: Negative) -> Any:
        return -self(node.operand)

    def add(self, node: Add) -> Any:
        terms = [self(term) for term in node.terms]
        _expect_short(_bits(terms))
        return self.sympy.Add(*terms)

    def multiply(self, node: Multiply) -> Any:
        factors = [self(factor) for factor in node.factors]
        _expect_short(_bits(factors))
        return self.sympy.Mul(*factors)

    def divide(self, node: Divide) -> Any:
        above, below = self(node.numerator), self(node.denominator)
        _expect_short(_bits((above, below)))
        return above / below

    def power(self, node: Power) -> Any:
        base, exponent = self(node.base), self(node.exponent)
        _expect_short(_bits((base, exponent)))
        if exponent.is_number and not base.is_Symbol:
            # also (2*n)**k is computed: 2**k*n**k
            _expect_short(max(_size(exponent), 1) * (1 + _bits((base,))))
            if base.is_number and not (base.is_Rational and exponent.is_Integer):
                _expect_short(_size(exponent) * abs(_log2(base)), _MOST_IRRATIONAL)
        return self._irrational(base**exponent)

    def call(self, node: Call) -> Any:
        arguments = [self(argument) for argument in node.arguments]
        make = getattr(self.sympy, node.function)
        if self.simplified or all(map(_is_plain, arguments)):
            return self._irrational(make(*arguments, **self._how(node.function, arguments)))
        if node.function in ("floor", "ceiling") and self._is_simple(arguments[0]):
            return make(*arguments)
        if node.function == "log":
            top, base = (self.sympy.log(a, evaluate=False) for a in arguments)
            return top / base
        if node.function == "sqrt":
            return self.sympy.Pow(arguments[0], self.sympy.Rational(1, 2), evaluate=False)
        return make(*arguments, evaluate=False)

    def _is_simple(self, number: Any) -> bool:
        """Is it a single logarithm or root of fractions? Rounded, that is a number at once."""
        parts = number.atoms(self.sympy.Pow, self.sympy.log)
        fractions = sum(_bits((n,)) for n in number.atoms(self.sympy.Rational))
        return number.is_number and len(parts) <= _ONE_LOGARITHM and fractions <= _MOST_IRRATIONAL

    def _how(self, function: str, arguments: Sequence[Any]) -> dict[str, bool]:
        """Whether sympy may compare and divide what a function is applied to."""
        if function not in _COMPARING or all(a.is_number for a in arguments):
            return {}
        few = self.simplified and len(arguments) <= _FEW_ARGUMENTS
        return {"evaluate": few and not (function == "Mod" and any(map(self._expands, arguments)))}

    def _expands(self, argument: Any) -> bool:
        """Has it powers of sums, which a common divisor would expand?"""
        powers = argument.atoms(self.sympy.Pow)
        return any(p.base.is_Add or not _size(p.exp) <= _FEW_ARGUMENTS for p in powers)

    def _irrational(self, made: Any) -> Any:
        if self.simplified and made.is_number and not _is_plain(made):
            raise _Irrational
        return made

    def truth(self, node: Truth) -> Any:
        return self.sympy.true if node.value else self.sympy.false

    def compare(self, node: Compare) -> Any:
        left, right = self(node.left), self(node.right)
        numbers = all(side.is_Rational or side.is_Float for side in (left, right))
        return self.sympy.Rel(left, right, node.relation, evaluate=self.simplified or numbers)

    def cases(self, node: Cases) -> Any:
        pairs = ((self(v), self(c)) for v, c in node.pairs)
        return self.sympy.Piecewise(*pairs, evaluate=self.simplified)

    def summation(self, node: Summation) -> Any:
        index = symbol_of(node.index)
        body = type(self)({**self.symbols, node.index: index}, simplified=self.simplified)
        return self.sympy.Sum(body(node.body), (index, self(node.first), self(node.last)))


def _cases_in_conditions(tree: Node) -> int:
    """Cases inside of conditions; each once for every condition around it."""
    found, work = 0, [(tree, 0)]
    while work:
        node, around = work.pop()
        around += isinstance(node, Compare)
        found += around * len(node.pairs) if isinstance(node, Cases) else 0
        work += [(child, around) for child in node.children]
    return found


def _bits(parts: Sequence[Any]) -> int:
    """Bits of the numbers at the top of expressions, together."""
    found = 0
    for part in parts:
        for number in (part, *part.args) if part.is_Mul or part.is_Add else (part,):
            if number.is_Rational:
                found += int(number.p).bit_length() + int(number.q).bit_length()
    return found


def _is_plain(part: Any) -> bool:
    """Is it a formula with names, or a number that sympy compares at once?"""
    return bool(part.is_Rational or part.is_Float or not part.is_number)


def _size(number: Any) -> float:
    """The absolute value of a number; that of an exponent with names is 0."""
    return abs(complex(number.evalf(5))) if number.is_number else 0.0


def _log2(number: Any) -> float:
    """The binary logarithm of the absolute value, up to one."""
    value = abs(number.evalf(5))
    return float(value._mpf_[2] + value._mpf_[3]) if value else 0.0


def _expect_short(bits: float, most: int = MAX_BITS) -> None:
    if not bits <= most:
        raise InputError(f"a number of more than {most} bits in a formula")
