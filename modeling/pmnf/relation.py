"""Relations of parameters, such as `n <= 1e6`: stated by users, or assumed by a formula.

Formulas are in the language of `looplaw_common.formula`. Parameters are integers: n < m says that
n + 1 <= m.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from looplaw_common.formula.formula import Formula, parse_formula
from looplaw_common.formula.growth import Quantity, sign_of, value_of
from looplaw_common.formula.values import RELATIONS

Sign = Literal["<", "<=", ">", ">=", "=="]
SIGN = re.compile(r"<=|>=|==|<|>")


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

    def holds(self, at: Mapping[str, Quantity]) -> bool | None:
        """Does it hold at a point, or as parameters grow? None where one of its parameters has no
        value there.

        Raises:
            InputError: a side has no value there, such as 1/n at n = 0, or none that is known.
        """
        if not self.symbols <= at.keys():
            return None
        difference = sign_of(value_of(self.left, at) - value_of(self.right, at))
        return bool(RELATIONS[self.sign](difference, 0))


def between(parts: list[str], signs: list[str], at: str = "") -> tuple[Relation, ...]:
    """The relations of a chain: parts 1, m, n with the signs <= and <= are 1 <= m and m <= n.

    Raises:
        InputError: a part is no formula.
    """
    sides = [parse_formula(part.strip()) for part in parts]
    return tuple(
        Relation(left, cast(Sign, sign), right, at)
        for left, sign, right in zip(sides, signs, sides[1:], strict=False)
    )


def outside_parentheses(text: str, separator: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """(the parts of a text between separators that are in no parentheses, these separators)."""
    parts, found, depth, start, k = list[str](), list[str](), 0, 0, 0
    while k < len(text):
        depth += (text[k] == "(") - (text[k] == ")")
        match = separator.match(text, k) if depth == 0 else None
        if match:
            parts.append(text[start:k])
            found.append(match[0])
            start = k = match.end()
        else:
            k += 1
    return [*parts, text[start:]], found
