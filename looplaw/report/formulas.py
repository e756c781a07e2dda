"""Formulas as text for people: fewer digits, conditions behind them, line breaks, LaTeX.

The parser and both printers are those of `modeling.pmnf`; here is what only a report wants.
"""

from __future__ import annotations

import re

from modeling import InputError
from modeling.pmnf.formula import parse_formula
from modeling.pmnf.formula_text import latex as latex_of
from modeling.pmnf.formula_text import normal_text
from modeling.pmnf.formula_tree import Cases, Compare, Node, Number, Relation, Truth, WithoutCertain

_MAX_CHARS = 2000
"""Longer formulas are shown as they are: nobody reads them typeset."""

_FLOAT = re.compile(r"(?<![\w.])\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?![\w.])")
_BREAKABLE = re.compile(r"\s+(?!\d+\))|(?<=[^*]\*)(?!\*)|(?<=,)(?!\s)|(?<=[_.:>/])(?=[^\W\d])")
"""Not behind ** and not before the last number in brackets: n**3 and log(n, 2) stay whole."""


def fewer_digits(formula: str, digits: int = 3) -> str:
    """The formula with its decimal fractions rounded to significant digits; integers stay exact."""
    return _FLOAT.sub(lambda match: f"{float(match[0]):.{digits}g}", formula)


_OPPOSITE: dict[str, Relation] = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_ZERO, _ALWAYS = Number(0), Truth(True)


def with_condition(formula: str) -> str:
    """A formula that is 0 unless conditions hold, as `n - 1   if n >= 2`; without conditions that
    always hold; others unchanged."""
    tree = _tree(formula) if "Piecewise(" in formula else None
    if tree is not None and (plain := WithoutCertain()(tree)) != tree:
        tree, formula = plain, normal_text(plain)
    if not isinstance(tree, Cases) or len(tree.pairs) < 2 or tree.pairs[-1][1] != _ALWAYS:
        return formula
    (first, condition), last = tree.pairs[0], tree.pairs[-1][0]
    if len(tree.pairs) == 2 and last == _ZERO:
        return f"{normal_text(first)}   if {normal_text(condition)}"
    opposites = [_opposite(c) if value == _ZERO else None for value, c in tree.pairs[:-1]]
    conditions = [normal_text(c) for c in opposites if c is not None]
    if len(conditions) < len(opposites):
        return formula
    return f"{normal_text(last)}   if {', '.join(conditions)}"


def _opposite(condition: Node) -> Node | None:
    """The comparison that holds where this one does not; None for == and what is no comparison."""
    if not isinstance(condition, Compare) or condition.relation not in _OPPOSITE:
        return None
    return Compare(condition.left, _OPPOSITE[condition.relation], condition.right)


def _tree(formula: str) -> Node | None:
    """None for what is no formula, and for what is longer than anybody reads."""
    if len(formula) > _MAX_CHARS:
        return None
    try:
        return parse_formula(formula).tree
    except InputError:
        return None


def latex(formula: str) -> str | None:
    """The formula for LaTeX's math mode; None when it is not one that can be read."""
    tree = _tree(formula)
    return None if tree is None else latex_of(tree)


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken at blanks, else behind operators, else
    anywhere."""
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
