"""Formulas written: as the text in which counts are printed, and as LaTeX.

Both put parentheses by precedence: a mapper answers with the text of a node and how strongly its
outermost operator binds.
"""

from __future__ import annotations

from typing import ClassVar

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

_Written = tuple[str, int]
"""(text, precedence of the outermost operator)"""
_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4


def normal_text(tree: Node) -> str:
    """The formula as counts are printed: `parse_formula` reads the same tree from it, and
    sympy.sympify the same function."""
    return _Text()(tree)[0]


def latex(tree: Node) -> str:
    """The formula for LaTeX's math mode; `cases` need amsmath."""
    return _Latex()(tree)[0]


class _Writer(Mapper[_Written]):
    """What text and LaTeX share: sums and signs."""

    def within(self, node: Node, least: int) -> str:
        """A node's text, in parentheses unless it binds at least as strongly."""
        text, strength = self(node)
        return text if strength >= least else f"({text})"

    def negative(self, node: Negative) -> _Written:
        return f"-{self.within(node.operand, _PRODUCT)}", _SUM

    def add(self, node: Add) -> _Written:
        parts = [self(node.terms[0])[0]]
        for term in node.terms[1:]:
            if isinstance(term, Negative):
                parts.append(f" - {self.within(term.operand, _PRODUCT)}")
            else:
                parts.append(f" + {self.within(term, _PRODUCT)}")
        return "".join(parts), _SUM

    def bare(self, node: Node) -> str:
        return self(node)[0]


class _Text(_Writer):
    def number(self, node: Number) -> _Written:
        return str(node.value), _ATOM if node.value >= 0 else _SUM

    def name(self, node: Name) -> _Written:
        return node.name, _ATOM

    def multiply(self, node: Multiply) -> _Written:
        first = self.within(node.factors[0], _PRODUCT)
        return "*".join([first, *(self.within(f, _POWER) for f in node.factors[1:])]), _PRODUCT

    def divide(self, node: Divide) -> _Written:
        top, bottom = self.within(node.numerator, _PRODUCT), self.within(node.denominator, _ATOM)
        return f"{top}/{bottom}", _PRODUCT

    def power(self, node: Power) -> _Written:
        return f"{self.within(node.base, _ATOM)}**{self.within(node.exponent, _ATOM)}", _POWER

    def call(self, node: Call) -> _Written:
        return f"{node.function}({', '.join(map(self.bare, node.arguments))})", _ATOM

    def truth(self, node: Truth) -> _Written:
        return str(node.value), _ATOM

    def compare(self, node: Compare) -> _Written:
        return f"{self.bare(node.left)} {node.relation} {self.bare(node.right)}", 0

    def cases(self, node: Cases) -> _Written:
        pairs = ", ".join(f"({self.bare(v)}, {self.bare(c)})" for v, c in node.pairs)
        return f"Piecewise({pairs})", _ATOM

    def summation(self, node: Summation) -> _Written:
        limits = f"({node.index}, {self.bare(node.first)}, {self.bare(node.last)})"
        return f"Sum({self.bare(node.body)}, {limits})", _ATOM


class _Latex(_Writer):
    _AROUND: ClassVar = {
        "floor": (r"\lfloor ", r" \rfloor"),
        "ceiling": (r"\lceil ", r" \rceil"),
        "sqrt": (r"\sqrt{", "}"),
        "Abs": ("|", "|"),
        "ln": (r"\ln(", ")"),
        "Max": (r"\max(", ")"),
        "Min": (r"\min(", ")"),
    }
    _RELATIONS: ClassVar = {"<=": r"\le", ">=": r"\ge", "==": "=", "!=": r"\ne"}

    def number(self, node: Number) -> _Written:
        text = str(node.value) if isinstance(node.value, int) else f"{node.value:.4g}"
        mantissa, _, exponent = text.partition("e")
        if exponent:
            return rf"{mantissa} \cdot 10^{{{int(exponent)}}}", _PRODUCT
        return mantissa, _ATOM if node.value >= 0 else _SUM

    def name(self, node: Name) -> _Written:
        escaped = node.name.replace("_", r"\_")
        return (node.name if len(node.name) == 1 else rf"\mathit{{{escaped}}}"), _ATOM

    def multiply(self, node: Multiply) -> _Written:
        text = self.within(node.factors[0], _PRODUCT)
        for factor in node.factors[1:]:
            # a fraction is one block, whatever stands before it
            each = self.within(factor, _PRODUCT if isinstance(factor, Divide) else _POWER)
            text += (r" \cdot " if each[0].isdigit() else r"\,") + each
        return text, _PRODUCT

    def divide(self, node: Divide) -> _Written:
        return rf"\frac{{{self.bare(node.numerator)}}}{{{self.bare(node.denominator)}}}", _PRODUCT

    def power(self, node: Power) -> _Written:
        exponent = node.exponent
        # a fraction in an exponent is too small to read on two lines
        above = normal_text(exponent) if _is_ratio(exponent) else self.bare(exponent)
        return f"{self.within(node.base, _ATOM)}^{{{above}}}", _POWER

    def call(self, node: Call) -> _Written:
        arguments = [self.bare(argument) for argument in node.arguments]
        if node.function == "log":
            return rf"\log_{{{arguments[1]}}}({arguments[0]})", _ATOM
        if node.function == "factorial":
            return f"{self.within(node.arguments[0], _ATOM)}!", _ATOM
        if node.function == "Mod":
            left, right = (self.within(a, _POWER) for a in node.arguments)
            return rf"{left} \bmod {right}", _SUM
        before, after = self._AROUND[node.function]
        return f"{before}{', '.join(arguments)}{after}", _ATOM

    def truth(self, node: Truth) -> _Written:
        return rf"\mathrm{{{node.value}}}", _ATOM

    def compare(self, node: Compare) -> _Written:
        relation = self._RELATIONS.get(node.relation, node.relation)
        return f"{self.bare(node.left)} {relation} {self.bare(node.right)}", 0

    def cases(self, node: Cases) -> _Written:
        lines = r" \\ ".join(self._case(value, condition) for value, condition in node.pairs)
        return rf"\begin{{cases}} {lines} \end{{cases}}", _ATOM

    def _case(self, value: Node, condition: Node) -> str:
        if condition == Truth(True):
            return rf"{self.bare(value)} & \text{{otherwise}}"
        return rf"{self.bare(value)} & \text{{if }} {self.bare(condition)}"

    def summation(self, node: Summation) -> _Written:
        index = self.name(Name(node.index))[0]
        limits = rf"_{{{index}={self.bare(node.first)}}}^{{{self.bare(node.last)}}}"
        return rf"\sum{limits} {self.within(node.body, _PRODUCT)}", _SUM


def _is_ratio(node: Node) -> bool:
    """Is it a quotient of two numbers?"""
    return isinstance(node, Divide) and all(isinstance(n, Number) for n in node.children)
