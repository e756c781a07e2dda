"""Formulas as text for people: fewer digits, line breaks at operators, LaTeX.

Formulas come from files, so they are read with Python's parser into a syntax tree and never
evaluated.
"""

from __future__ import annotations

import ast
import re

_MAX_CHARS = 2000
"""Longer formulas are shown as they are: nobody reads them typeset, and Python's parser is
recursive."""

_FLOAT = re.compile(r"(?<![\w.])\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?![\w.])")
_BREAKABLE = re.compile(r"\s+(?!\d+\))|(?<=[^*]\*)(?!\*)|(?<=,)(?!\s)|(?<=[_.:>/])(?=[^\W\d])")
"""Not behind ** and not before the last number in brackets: n**3 and log(n, 2) stay whole."""


def fewer_digits(formula: str, digits: int = 3) -> str:
    """The formula with its decimal fractions rounded to significant digits; integers stay exact."""
    return _FLOAT.sub(lambda match: f"{float(match[0]):.{digits}g}", formula)


_OPPOSITE = {ast.Lt: ">=", ast.Gt: "<=", ast.LtE: ">", ast.GtE: "<"}


def with_condition(formula: str) -> str:
    """A formula that is 0 unless conditions hold, as people write it: `n - 1   if n >= 2`; other formulas as they are."""
    if not formula.startswith("Piecewise(") or len(formula) > _MAX_CHARS:
        return formula
    try:
        node = ast.parse(formula, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return formula
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "Piecewise":
        return formula
    cases = [
        (a.elts[0], a.elts[1]) for a in node.args if isinstance(a, ast.Tuple) and len(a.elts) == 2
    ]
    if len(cases) != len(node.args) or len(cases) < 2 or not _is(cases[-1][1], True):
        return formula

    def text(part: ast.expr) -> str:
        return ast.get_source_segment(formula, part) or ""

    (first, condition), last = cases[0], cases[-1][0]
    if len(cases) == 2 and _is(last, 0):
        return f"{text(first)}   if {text(condition)}"
    if all(
        _is(value, 0)
        and isinstance(c, ast.Compare)
        and len(c.ops) == 1
        and type(c.ops[0]) in _OPPOSITE
        for value, c in cases[:-1]
    ):
        held = (
            f"{text(c.left)} {_OPPOSITE[type(c.ops[0])]} {text(c.comparators[0])}"
            for _, c in cases[:-1]
            if isinstance(c, ast.Compare)
        )
        return f"{text(last)}   if {', '.join(held)}"
    return formula


def _is(node: ast.expr, value: object) -> bool:
    return (
        isinstance(node, ast.Constant) and type(node.value) is type(value) and node.value == value
    )


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken at blanks, else behind operators, else anywhere."""
    lines = [""]
    for piece, gap in _pieces(text):
        if lines[-1] and len(lines[-1]) + len(gap) + len(piece) <= width:
            lines[-1] += gap + piece
            continue
        if lines[-1]:
            lines.append("")
        while len(piece) > width:
            lines[-1] = piece[:width]
            lines.append("")
            piece = piece[width:]
        lines[-1] = piece
    return lines


def _pieces(text: str) -> list[tuple[str, str]]:
    """Unbreakable pieces, each with the blank that stands before it when both fit on a line."""
    pieces: list[tuple[str, str]] = []
    start, gap = 0, ""
    for match in _BREAKABLE.finditer(text):
        if match.end() == 0:
            continue
        if match.start() > start:
            pieces.append((text[start : match.start()], gap))
            gap = ""
        start, gap = match.end(), " " if match[0] else gap
    if start < len(text):
        pieces.append((text[start:], gap))
    return pieces


def latex(formula: str) -> str | None:
    """The formula for LaTeX's math mode; None when it is not one that can be read."""
    if len(formula) > _MAX_CHARS:
        return None
    try:
        return _latex(ast.parse(formula.strip(), mode="eval").body, 0)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_SUM, _PRODUCT, _POWER = 1, 2, 3
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: r"\le",
    ast.Gt: ">",
    ast.GtE: r"\ge",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
}
_AROUND = {
    "floor": (r"\lfloor ", r" \rfloor"),
    "ceiling": (r"\lceil ", r" \rceil"),
    "sqrt": (r"\sqrt{", "}"),
    "Abs": ("|", "|"),
}
_NAMED = {"Max": r"\max", "Min": r"\min", "log": r"\ln"}


def _latex(node: ast.expr, outer: int) -> str:
    """LaTeX of a node that stands inside an operator of precedence `outer`."""
    match node:
        case ast.Constant(value=bool(value)):
            return rf"\mathrm{{{value}}}"
        case ast.Constant(value=int() | float() as value):
            return _number(value)
        case ast.Name(id=name):
            return _symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _bracket(f"-{_latex(operand, _PRODUCT)}", outer > _SUM)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"{{{_latex(left, _POWER + 1)}}}^{{{_latex(right, 0)}}}"
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\frac{{{_latex(left, 0)}}}{{{_latex(right, 0)}}}"
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            between = r" \cdot " if isinstance(right, ast.Constant) else r"\,"
            return _bracket(
                _latex(left, _PRODUCT) + between + _latex(right, _PRODUCT), outer > _PRODUCT
            )
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign, inner = ("+", _SUM) if isinstance(op, ast.Add) else ("-", _PRODUCT)
            return _bracket(f"{_latex(left, _SUM)} {sign} {_latex(right, inner)}", outer > _SUM)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return f"{_latex(left, 0)} {_COMPARE[type(op)]} {_latex(right, 0)}"
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _call(name, args, outer)
    raise ValueError("not a formula")


def _call(name: str, args: list[ast.expr], outer: int) -> str:
    if name in _AROUND and len(args) == 1:
        before, after = _AROUND[name]
        return f"{before}{_latex(args[0], 0)}{after}"
    if name == "log" and len(args) == 2:
        return rf"\log_{{{_latex(args[1], 0)}}}({_latex(args[0], 0)})"
    if name == "Mod" and len(args) == 2:
        return _bracket(rf"{_latex(args[0], _POWER)} \bmod {_latex(args[1], _POWER)}", outer > _SUM)
    if (
        name == "Sum"
        and len(args) == 2
        and isinstance(args[1], ast.Tuple)
        and len(args[1].elts) == 3
    ):
        index, first, last = (_latex(e, 0) for e in args[1].elts)
        return _bracket(
            rf"\sum_{{{index}={first}}}^{{{last}}} {_latex(args[0], _PRODUCT)}", outer > 0
        )
    if name == "Piecewise" and all(isinstance(a, ast.Tuple) and len(a.elts) == 2 for a in args):
        cases = r" \\ ".join(_case(a.elts[0], a.elts[1]) for a in args if isinstance(a, ast.Tuple))
        return rf"\begin{{cases}} {cases} \end{{cases}}"
    return f"{_NAMED.get(name, _symbol(name))}({', '.join(_latex(a, 0) for a in args)})"


def _case(value: ast.expr, condition: ast.expr) -> str:
    otherwise = isinstance(condition, ast.Constant) and condition.value is True
    when = r"\text{otherwise}" if otherwise else rf"\text{{if }} {_latex(condition, 0)}"
    return f"{_latex(value, 0)} & {when}"


def _bracket(text: str, needed: bool) -> str:
    return f"({text})" if needed else text


def _symbol(name: str) -> str:
    escaped = name.replace("_", r"\_")
    return name if len(name) == 1 else rf"\mathit{{{escaped}}}"


def _number(value: float) -> str:
    text = str(value) if isinstance(value, int) else f"{value:.4g}"
    mantissa, _, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
