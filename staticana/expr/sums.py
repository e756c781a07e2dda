"""Sums that have no closed form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Self

from .atoms import Atom, sym
from .extrema import maximum
from .polynomial import ZERO, Expr, from_atom
from .proofs import NO_ASSUMPTIONS, Assumptions, is_nonnegative
from .terms import Number

MAX_SUM = 20_000_000
"""Terms of a sum without closed form that are added up one by one when it is evaluated."""


class Sum(Atom):
    """sum of body for index = 0 .. count - 1 (empty where count <= 0), kept because it has no
    closed form."""

    __slots__ = ("body", "count", "index")
    body: Expr
    index: str  # type: ignore[assignment]  # no atom needs the methods of strings
    count: Expr  # type: ignore[assignment]
    has_sum = True

    def __new__(cls, body: Expr, index: str, count: Expr) -> Self:
        return cls._of(f"Sum({body}|{index}|{count})", body=body, index=index, count=count)

    @property
    def parts(self) -> tuple[Expr, ...]:
        return self.body, self.count

    def rebuild(self, parts: tuple[Expr, ...]) -> Expr:
        body, count = parts
        if count == ZERO or not body:
            return ZERO
        if self.index not in body.symbols:  # what varied in it is known to be the same for all
            return body * maximum(0, count)
        return from_atom(Sum(body, self.index, count))

    def substitute(self, values: Mapping[str, Expr]) -> Expr:
        clear = self.clear_of(values)
        return clear.rebuild((clear.body.substitute(values), clear.count.substitute(values)))

    def clear_of(self, values: Mapping[str, Expr]) -> Sum:
        """The same sum over an index that `values` neither replaces nor contains."""
        free = frozenset(values).union(*(v.symbols for v in values.values()))
        return self.renamed(free) if self.index in free else self

    def never_negative(self, assumptions: Assumptions | None) -> bool:
        inner = (assumptions or NO_ASSUMPTIONS).plus(
            sym(self.index), self.count - 1 - sym(self.index)
        )
        return is_nonnegative(self.body, inner)

    def written(self) -> str:
        # sympy goes backwards through an empty range: Sum(f, (i, 0, -3)) is -f(-1) - f(-2)
        last = self.count - 1
        high = str(last) if is_nonnegative(self.count) else f"Max(-1, {last})"
        return f"Sum({self.body}, ({self.index}, 0, {high}))"

    def renamed(self, taken: Iterable[str]) -> Sum:
        """The same sum over an index that is not among `taken`."""
        taken = set(taken) | self.body.symbols
        number = 0
        while (fresh := f"{self.index.rstrip('0123456789')}{number}") in taken:
            number += 1
        return Sum(self.body.substitute({self.index: sym(fresh)}), fresh, self.count)

    @cached_property
    def symbols(self) -> frozenset[str]:
        return (self.body.symbols - {self.index}) | self.count.symbols

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        count = int(self.count.evaluate(values))
        if count > MAX_SUM:
            raise OverflowError(f"a sum over {count} terms without a closed form")
        inner = dict(values)
        total: Number = 0
        for i in range(count):
            inner[self.index] = i
            total += self.body.evaluate(inner)
        return total
