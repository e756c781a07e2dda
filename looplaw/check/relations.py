"""Relations of parameters that users state: `n <= 1e6`, `1 <= m <= n`, `p == 4`.

Formulas are in the language of `modeling.pmnf.formula`. Parameters are integers: n < m says that
n + 1 <= m.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from looplaw_common.errors import InputError
from modeling.pmnf.formula import Formula, parse_formula
from modeling.pmnf.formula_values import Value

Sign = Literal["<", "<=", ">", ">=", "=="]
_SIGN = re.compile(r"<=|>=|==|<|>")
_EXAMPLE = "write a relation such as n <= 1e6, 1 <= m <= n or p == 4"


@dataclass(frozen=True)
class Relation:
    """left, sign, right; at: file:line where it is stated."""

    left: Formula
    sign: Sign
    right: Formula
    at: str = ""

    @property
    def text(self) -> str:
        return f"{self.left.text} {self.sign} {self.right.text}"

    @cached_property
    def symbols(self) -> frozenset[str]:
        """The parameters it is about."""
        return self.left.symbols | self.right.symbols

    @property
    def least(self) -> Formula:
        """The side that is at most the other one."""
        return self.right if self.sign in (">", ">=") else self.left

    @property
    def most(self) -> Formula:
        """The side that is at least the other one."""
        return self.left if self.sign in (">", ">=") else self.right

    def holds(self, at: Mapping[str, Value]) -> bool | None:
        """Does it hold at a point? None where one of its parameters has no value there.

        Raises:
            InputError: a side has no value there, such as 1/n at n = 0.
        """
        if not self.symbols <= at.keys():
            return None
        a, b = self.left.evaluate(at), self.right.evaluate(at)
        found = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b}
        return found[self.sign]


def parse_relations(text: str, at: str = "") -> tuple[Relation, ...]:
    """Read relations: chains such as 1 <= m <= n, several separated by commas.

    Raises:
        InputError: none of these; the message says what to write.
    """
    found: list[Relation] = []
    for part in _outside(text, ","):
        sides = _outside(part, _SIGN)
        signs = [m for m in _SIGN.findall(part) if m]
        if len(sides) < 2 or len(signs) != len(sides) - 1 or not all(s.strip() for s in sides):
            raise InputError(f'"{part.strip()}": no relation; {_EXAMPLE}')
        formulas = [parse_formula(side.strip()) for side in sides]
        for left, sign, right in zip(formulas, signs, formulas[1:], strict=False):
            if not left.symbols and not right.symbols:
                raise InputError(f'"{part.strip()}": names no parameter; {_EXAMPLE}')
            found.append(Relation(left, cast(Sign, sign), right, at))
    return tuple(found)


def _outside(text: str, separator: str | re.Pattern[str]) -> list[str]:
    """The parts of a text between separators that are in no parentheses."""
    pattern = re.compile(separator) if isinstance(separator, str) else separator
    parts, depth, start, k = [], 0, 0, 0
    while k < len(text):
        depth += (text[k] == "(") - (text[k] == ")")
        found = pattern.match(text, k) if depth == 0 else None
        if found:
            parts.append(text[start:k])
            start = k = found.end()
        else:
            k += 1
    return [*parts, text[start:]]
