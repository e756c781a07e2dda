"""The formula language: laws, priors, expectations and printed counts are all read here.

Grammar, lowest precedence first (docs/formulas.md shows it with examples):

    condition  = sum ("<" | "<=" | ">" | ">=" | "==" | "!=") sum | "True" | "False"
    sum        = term { ("+" | "-") term }
    term       = factor { ("*" | "/") factor }
    factor     = ("-" | "+") factor | power
    power      = atom [ ("**" | "^") factor ]              from right to left: 2**3**2 is 2**9
    atom       = NUMBER | NAME | "(" sum ")" | FUNCTION "(" sum { "," sum } ")"
               | "Sum" "(" sum "," "(" NAME "," sum "," sum ")" ")"
               | "Piecewise" "(" "(" sum "," condition ")" { "," ... } ")"
    FUNCTION   = log2 | ln | log | sqrt | floor | ceiling | ceil | abs | Abs | factorial | Mod | Max
               | max | Min | min

Numbers are exact: 12, 3/2 and the decimals 0.1 and 1e-9. Nothing is implicit: 2n is refused, 2*n is
right. `log(x, b)` is the logarithm to the base b, `log2(x)` is log(x, 2), `ln(x)` the natural one;
a bare `log(x)` means log2(x), and `Formula.has_bare_log` lets a caller say so. A sum from first to
last is empty, 0, where last < first. This is also the language in which counts are printed, and
sympy.sympify reads what `Formula.normal` writes.

Texts come from users and files and are not trusted: a tokenizer and a Pratt parser (Pratt, "Top
Down Operator Precedence", POPL 1973) build a tree of limited length and depth; nothing is executed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, cast

from ..errors import InputError
from .text import latex, normal_text
from .tree import (
    FUNCTIONS,
    Add,
    Call,
    Cases,
    Compare,
    Divide,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Relation,
    Summation,
    Truth,
    added,
    multiplied,
    names_below,
    walk,
)
from .values import Value, evaluate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

MAX_CHARS = 1 << 16
MAX_DEPTH = 100
"""Trees no deeper than this are walked by recursion without reaching Python's limit."""
BARE_LOG = "log(x) means log2(x); write ln(x) for the natural logarithm"
"""What a user is told, once, whose formula has a logarithm without a base."""
_MAX_NAME = 255
_MAX_DIGITS = 1000
_EXCERPT = 60
_KEPT = 1024
"""Formulas that are read again and again, as laws are that are compared with each other."""


class FormulaError(InputError):
    """A text that is no formula, with the place of the first error.

    column: from 1 in `text`; detail: the text with a caret below that column, for terminals.
    """

    def __init__(self, text: str, column: int, what: str, hint: str = "", where: str = "") -> None:
        self.text, self.column, self.what, self.hint, self.where = text, column, what, hint, where
        shown, at = _excerpt(text, column)
        message = f"{what} at column {column} ({shown})" if shown else what
        super().__init__((f"{where}: " if where else "") + message + (f"; {hint}" if hint else ""))
        self.detail = f"{shown}\n{' ' * at}^" if shown else ""

    def within(self, where: str) -> FormulaError:
        """The same error, its message preceded by the place where the formula stands."""
        return FormulaError(
            self.text,
            self.column,
            self.what,
            self.hint,
            f"{where}: {self.where}" if self.where else where,
        )


def _excerpt(text: str, column: int) -> tuple[str, int]:
    """(the text on one line, shortened around the column; offset of the column in it)."""
    line = re.sub(r"\s", " ", text)
    at = column - 1
    if len(line) <= _EXCERPT:
        return line, at
    start = min(max(at - _EXCERPT // 2, 0), len(line) - _EXCERPT)
    before, after = "..." if start else "", "..." if start + _EXCERPT < len(line) else ""
    return f"{before}{line[start : start + _EXCERPT]}{after}", at - start + len(before)


@dataclass(frozen=True)
class Formula:
    """A formula that was read. text: as it was written; two formulas of equal trees are equal."""

    text: str = field(compare=False)
    tree: Node
    has_bare_log: bool = field(default=False, compare=False)

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The names that need a value."""
        return self.names_below[id(self.tree)]

    @cached_property
    def names_below(self) -> dict[int, frozenset[str]]:
        """The same of each node of the tree, by its id."""
        return names_below(self.tree)

    @cached_property
    def divisors(self) -> tuple[Node, ...]:
        """What remainders are taken by, and quotients."""
        nodes = (node for node, _ in walk(self.tree))
        return tuple(
            n.children[1]
            for n in nodes
            if isinstance(n, Divide) or (isinstance(n, Call) and n.function == "Mod")
        )

    def evaluate(self, at: Mapping[str, Value], *, visits: int | None = None) -> Value:
        """The value at a point: an int or a Fraction where it is rational, else a float.

        Floors, ceilings and conditions are decided exactly, however close a logarithm or a root
        comes to an integer.

        Args:
            visits: nodes of the formula that may be visited, fewer than usual.

        Raises:
            InputError: a symbol has no value, or the formula has none there (a division by zero, a
                logarithm of 0, a number or a sum too long to compute).
        """
        try:
            return evaluate(self.tree, at, *(() if visits is None else (visits,)))
        except KeyError as error:
            raise InputError(f"{self.text}: no value for {error.args[0]}") from None
        except (ArithmeticError, ValueError):
            where = ", ".join(f"{k}={v}" for k, v in at.items())
            raise InputError(f"{self.text}: has no value at {where}") from None

    def values(self, columns: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
        """Values at points given as one array for each symbol, broadcast against each other; not
        finite where the formula has no value. Fast, in double precision.

        Raises:
            InputError: a symbol has no values, or a sum is too long.
        """
        from .arrays import evaluate_arrays  # who writes formulas needs no numpy

        try:
            return evaluate_arrays(self.tree, columns)
        except KeyError as error:
            raise InputError(f"{self.text}: no value for {error.args[0]}") from None
        except OverflowError:
            raise InputError(f"{self.text}: a sum or a number is too long") from None

    @property
    def parts(self) -> tuple[Formula, ...]:
        """The summands; the whole where one is subtracted."""
        terms = self.tree.terms if isinstance(self.tree, Add) else (self.tree,)
        if len(terms) == 1 or any(isinstance(t, Negative) for t in terms[1:]):
            return (self,)
        return tuple(Formula(normal_text(t), t) for t in terms)

    @property
    def normal(self) -> str:
        """The formula as counts are printed and sympy.sympify reads it: log2(x) is log(x, 2)."""
        return normal_text(self.tree)

    @property
    def sympy(self) -> Any:
        """The formula as a sympy expression over plain symbols; nothing in the text is run.

        Raises:
            InputError: sympy cannot express it, or a number in it is too long.
        """
        from .sympy import sympy_of  # sympy behind it takes a third of a second

        return sympy_of(self.tree)

    @property
    def latex(self) -> str:
        """For LaTeX's math mode; conditions need amsmath."""
        return latex(self.tree)


@lru_cache(maxsize=_KEPT)
def parse_formula(text: str) -> Formula:
    """Read a formula; the grammar is in this module's docstring and in docs/formulas.md.

    Raises:
        FormulaError: (an InputError) what is wrong with the text, and in which column.
    """
    if len(text) > MAX_CHARS:
        raise InputError(f"a formula of {len(text)} characters; at most {MAX_CHARS} are read")
    parser = _Parser(text)
    tree = parser.whole()
    return Formula(text.strip(), tree, parser.bare_log)


class _Token(NamedTuple):
    kind: str  # number, name, operator, end
    text: str
    column: int  # from 1


_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[^\W\d]\w*)"
    r"|(?P<operator>\*\*|<=|>=|==|!=|//|[-+*/^(),<>])|(?P<other>\S))"
)
_RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
_SUM, _PRODUCT, _UNARY, _POWER = 1, 2, 3, 4
_BINDING = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER, "^": _POWER}
_SPELLED = {"max": "Max", "min": "Min", "ceil": "ceiling", "abs": "Abs"}
"""Other spellings of functions."""
_KNOWN = "abs, ceiling, factorial, floor, ln, log, log2, Max, Min, Mod, Piecewise, sqrt and Sum"
_LOGARITHM = "write log2, ln or log(x, b)"
_HINTS = {
    **dict.fromkeys(("lg", "ld", "lb", "log1p"), _LOGARITHM),
    "log10": "write log(x, 10)",
    "pow": "write x**y",
    "exp": "write 2**x or 2.718281828459045**x",
    "cbrt": "write x**(1/3)",
    "round": "write floor(x + 1/2)",
    "sum": "write Sum(f, (i, first, last))",
}
_UNEXPECTED = {
    "%": "write Mod(a, b)",
    "//": "write floor(a/b)",
    "[": "write parentheses",
    "=": "write == in a condition",
    "": "write one as in 5*n^2/p or n*log2(n)",
}


class _Parser:
    """Tokens from left to right, each once; `bare_log`: a logarithm stood without its base."""

    def __init__(self, text: str) -> None:
        self.text, self.bare_log = text, False
        self.tokens = self._tokens()
        self.place = 0
        self.depth = 0

    def _tokens(self) -> list[_Token]:
        found, at = [], 0
        while (match := _TOKEN.match(self.text, at)) is not None:
            kind = str(match.lastgroup)
            found.append(_Token(kind, match[kind], match.start(kind) + 1))
            at = match.end()
        found.append(_Token("end", "", len(self.text.rstrip()) + 1))
        return found

    @property
    def next(self) -> _Token:
        return self.tokens[self.place]

    def take(self) -> _Token:
        token = self.next
        self.place += 1
        return token

    def refuse(self, what: str, token: _Token, hint: str = "") -> NoReturn:
        raise FormulaError(self.text, token.column, what, hint)

    def unexpected(self, token: _Token) -> NoReturn:
        hint = _UNEXPECTED.get(token.text, "")
        before = self.tokens[self.place - 1] if self.place else token
        if token.kind in ("name", "number") and before.kind in ("name", "number"):
            hint = "write * between factors"
        what = f"unexpected {token.text!r}" if token.text else "the text ends"
        self.refuse(f"not a formula: {what}", token, hint)

    def expect(self, text: str) -> None:
        if self.next.kind != "operator" or self.next.text != text:
            self.unexpected(self.next)
        self.place += 1

    def whole(self) -> Node:
        tree = self.expression(_SUM)
        if self.next.text in _RELATIONS:
            self.refuse(
                f"not a formula: unexpected {self.next.text!r}",
                self.next,
                "a comparison stands only in Piecewise((value, condition), ..., (value, True))",
            )
        if self.next.kind != "end":
            self.unexpected(self.next)
        if max(depth for _, depth in walk(tree)) > MAX_DEPTH:
            self.refuse("not a formula: nested too deeply", self.tokens[0])
        return tree

    def expression(self, least: int) -> Node:
        """What binds at least as strongly as `least`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse("not a formula: nested too deeply", self.next)
        left = self.prefix(least)
        while (binding := self.binding()) >= least:
            if binding == _POWER:  # from right to left, and 2**-n needs no parentheses
                self.place += 1
                left = Power(left, self.expression(_UNARY))
            else:
                left = self.product(left) if binding == _PRODUCT else self.sum(left)
        self.depth -= 1
        return left

    def binding(self) -> int:
        return _BINDING.get(self.next.text, 0) if self.next.kind == "operator" else 0

    def sum(self, first: Node) -> Node:
        terms = [first]
        while self.binding() == _SUM:
            sign = self.take().text
            term = self.expression(_PRODUCT)
            terms.append(term if sign == "+" else Negative(term))
        return added(terms)

    def product(self, first: Node) -> Node:
        factors = [first]
        while self.binding() == _PRODUCT:
            if self.take().text == "*":
                factors.append(self.expression(_UNARY))
            else:
                factors = [Divide(multiplied(factors), self.expression(_UNARY))]
        return multiplied(factors)

    def prefix(self, least: int) -> Node:
        token = self.take()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "name":
            return self.named(token)
        if token.text == "(":
            inner = self.expression(_SUM)
            self.expect(")")
            return inner
        if token.text in ("-", "+"):
            # -a*b is -(a*b) where it leads a term; behind an operator the sign takes one factor
            operand = self.expression(_PRODUCT if least <= _SUM else _UNARY)
            return operand if token.text == "+" else Negative(operand)
        self.place -= 1
        self.unexpected(token)

    def number(self, token: _Token) -> Node:
        if len(token.text) > _MAX_DIGITS:
            self.refuse(f"a number of {len(token.text)} digits", token)
        value = int(token.text) if token.text.isdigit() else float(token.text)
        if isinstance(value, float) and not math.isfinite(value):
            self.refuse("not a formula: the number is not finite", token)
        return Number(value)

    def named(self, token: _Token) -> Node:
        if self.next.text != "(":
            if token.text in ("True", "False", "Piecewise", "Sum"):
                self.refuse(f"not a formula: unexpected {token.text!r}", token)
            if len(token.text) > _MAX_NAME:
                self.refuse(f"a name of {len(token.text)} characters", token)
            return Name(token.text)
        if token.text == "Piecewise":
            return self.piecewise()
        if token.text == "Sum":
            return self.summation()
        return self.called(token)

    def called(self, token: _Token) -> Node:
        name = _SPELLED.get(token.text, token.text)
        if name not in FUNCTIONS and name != "log2":
            hint = _HINTS.get(name, f"there are {_KNOWN}")
            self.refuse(f"unknown function {token.text!r}", token, hint)
        self.expect("(")
        arguments = [self.expression(_SUM)] if self.next.text != ")" else []
        while arguments and self.next.text == ",":
            self.place += 1
            arguments.append(self.expression(_SUM))
        self.expect(")")
        if len(arguments) == 1 and name in ("log", "log2"):
            self.bare_log |= name == "log"
            name, arguments = "log", [*arguments, Number(2)]
        elif name == "log2":
            self.refuse("log2 takes 1 argument", token, "write log(x, b) for another base")
        least, most = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            count = (
                f"{least} argument{'s' * (least > 1)}" if least == most else "1 or more arguments"
            )
            if name == "log":
                count = "1 or 2 arguments"
            self.refuse(f"{token.text} takes {count}, not {len(arguments)}", token)
        return Call(name, tuple(arguments))

    def piecewise(self) -> Node:
        self.expect("(")
        pairs = [self.pair()]
        while self.next.text == ",":
            self.place += 1
            pairs.append(self.pair())
        self.expect(")")
        return Cases(tuple(pairs))

    def pair(self) -> tuple[Node, Node]:
        self.expect("(")
        value = self.expression(_SUM)
        self.expect(",")
        condition = self.condition()
        self.expect(")")
        return value, condition

    def condition(self) -> Node:
        if self.next.text in ("True", "False"):
            return Truth(self.take().text == "True")
        left = self.expression(_SUM)
        token = self.take()
        if token.text not in _RELATIONS:
            self.place -= 1
            self.refuse("not a formula: a condition needs a comparison", token)
        return Compare(left, cast(Relation, token.text), self.expression(_SUM))

    def summation(self) -> Node:
        self.expect("(")
        body = self.expression(_SUM)
        self.expect(",")
        self.expect("(")
        index = self.take()
        if index.kind != "name":
            self.place -= 1
            self.refuse("not a formula: a sum needs an index", index, _HINTS["sum"])
        self.expect(",")
        first = self.expression(_SUM)
        self.expect(",")
        last = self.expression(_SUM)
        self.expect(")")
        self.expect(")")
        return Summation(body, index.text, first, last)
