"""Formulas as text for people: fewer digits, conditions behind them, line breaks, LaTeX.

The parser and both printers are those of `modeling.pmnf`; here is what only a report wants.
"""

from __future__ import annotations

import re

from looplaw_common.formula.formula import parse_formula
from looplaw_common.formula.text import latex as latex_of
from looplaw_common.formula.text import normal_text
from looplaw_common.formula.tree import Cases, Node, WithoutCertain
from modeling import InputError
from modeling.pmnf.relation import SIGN, outside_parentheses

_MAX_CHARS = 2000
"""Longer formulas are shown as they are: nobody reads them typeset."""

MOST_SHOWN = 160
"""Characters of a formula in a table: two lines of a wide terminal."""
IF = "   if "
"""Stands between a formula and its conditions."""

_FLOAT = re.compile(r"(?<![\w.])\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)(?![\w.])")
_ONE = re.compile(r"(?<![\w.)*/])1\*(?!\*)")
_BLANKS = re.compile(r"(?<![<>=])\s+(?![<>=!]=?\s|\d+\))")
_OPERATORS = re.compile(r"(?<=[^*]\*)(?!\*)|(?<=,)(?!\s)|(?<=[_.:>/])(?=[^\W\d])")
"""Not behind ** and not before the last number in brackets: n**3, log(n, 2) and n >= 0 stay
whole."""


def fewer_digits(formula: str, digits: int = 3) -> str:
    """The formula with its decimal fractions rounded to significant digits, and without factors of
    1; other integers stay exact."""
    return _ONE.sub("", _FLOAT.sub(lambda match: f"{float(match[0]):.{digits}g}", formula))


def with_condition(formula: str) -> str:
    """A formula as people write it: `n - 1   if n >= 2`, sorted by growth; others unchanged."""
    from .readable import readable  # the exact algebra, which models alone do not need

    found = readable(formula)
    if found is not None:
        return str(found)
    tree = _tree(formula) if "Piecewise(" in formula else None
    if tree is not None and (plain := WithoutCertain()(tree)) != tree:
        return normal_text(plain)
    return formula


def relation_as_read(text: str) -> str:
    """A relation whose sides are written by their cases; one without cases as it is."""
    sides, signs = outside_parentheses(text, SIGN)
    if "Piecewise(" not in text or not signs:
        return text
    told = [with_condition(side.strip()) for side in sides]
    if any(IF in side for side in told):
        return text
    first, *others = [f"({side})" if " if " in side else side for side in told]
    return " ".join([first, *(f"{sign} {side}" for sign, side in zip(signs, others, strict=True))])


def cut(text: str, most: int = MOST_SHOWN) -> str:
    """The text of `with_condition` with no more than so many characters of the formula, ended by
    "..." behind a term of a sum; its conditions stay."""
    if len(text) <= most:
        return text
    formula, mark, conditions = text.partition(IF)
    if len(formula) > most:
        depth, outside, inside = 0, 0, (0, 0)
        for at, c in enumerate(formula[: most - 3]):
            depth += {"(": 1, ")": -1}.get(c, 0)
            if c in "+-" and formula[at - 1 : at + 2] in (" + ", " - "):
                inside = (at + 2, depth)
                outside = at + 2 if not depth else outside
        end, depth = (outside, 0) if 2 * outside > most else inside
        formula = f"{formula[: end or most - 3]}...{')' * depth}"
    if len(conditions) > most:
        conditions = f"{conditions[: most - 3]}..."
    return f"{formula}{mark}{conditions}"


def _tree(formula: str) -> Node | None:
    """None for what is no formula, and for what is longer than anybody reads."""
    if len(formula) > _MAX_CHARS:
        return None
    try:
        return parse_formula(formula).tree
    except InputError:
        return None


def latex(formula: str) -> str | None:
    """The formula for LaTeX's math mode, with its conditions; None when it is not one that can be
    read."""
    plain, mark, conditions = formula.partition(IF)
    if mark:
        parts = [latex(plain), *map(_latex_relation, conditions.split(", "))]
        if None in parts:
            return None
        return rf"{parts[0]} \quad \text{{if }} {', '.join(map(str, parts[1:]))}"
    tree = _tree(formula)
    return None if tree is None else latex_of(tree)


def _latex_relation(condition: str) -> str | None:
    """A comparison typeset, or a name in a list of names: a, b, c >= 0."""
    if condition.isidentifier():
        return latex(condition)
    tree = _tree(f"Piecewise((1, {condition}), (0, True))")
    return latex_of(tree.pairs[0][1]) if isinstance(tree, Cases) else None


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken at blanks; a word longer than that behind
    operators, else anywhere."""
    lines = [""]
    for word in _BLANKS.split(text):
        gap = " " if lines[-1] else ""
        if len(lines[-1]) + len(gap) + len(word) <= width:
            lines[-1] += gap + word
            continue
        pieces = _OPERATORS.split(word) if len(word) > width else [word]
        for piece in pieces:
            if lines[-1] and len(lines[-1]) + len(gap) + len(piece) > width:
                lines.append("")
                gap = ""
            lines[-1] += gap + piece[:width]
            gap = ""
            lines += [piece[at : at + width] for at in range(width, len(piece), width)]
    return lines


def first_part(formula: str, room: int) -> str:
    """The formula, or its beginning up to where it may be broken and an ellipsis."""
    if len(formula) <= room:
        return formula
    first = wrap(formula, max(room - 2, 1))[0].rstrip()
    if room // 2 <= len(first) <= room - 2:
        return f"{first} …"
    return f"{formula[: room - 1].rstrip()}…"  # so little before a break says nothing
