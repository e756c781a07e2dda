"""Functions as one call runs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..expr import Expr, TooComplex
from ..ir.types import Instruction
from ..scev.context import FunctionContext
from .loops_around import loops_around


@dataclass(frozen=True)
class Frame:
    """A function as one call runs it. values: its arguments in the terms of the entry; jumps: of
    each argument, the iteration numbers of the callers' loops in which it moves unpredictably."""

    view: FunctionContext
    caller: Frame | None = None
    call: Instruction | None = None
    block: str = ""
    values: Mapping[str, Expr] = field(default_factory=dict)
    jumps: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def encloses(self, name: str) -> bool:
        return self.view.function.name == name or (
            self.caller is not None and self.caller.encloses(name)
        )

    def iterations_at(self, block: str) -> frozenset[str]:
        """The iteration numbers of all loops around a block of the function, callers' included."""
        own = (self.view.variables.index(h) for h in loops_around(self.view, block))
        return self.of_callers.union(own)

    @cached_property
    def of_callers(self) -> frozenset[str]:
        """The iteration numbers of the callers' loops around the call."""
        return frozenset() if self.caller is None else self.caller.iterations_at(self.block)

    def over_iterations(self, e: Expr, loops: list[str]) -> Expr:
        """A formula over iteration numbers, in the terms of the function; `loops` from inside
        out.

        Raises:
            TooComplex: it is too long.
        """
        for header in loops:
            e = e.substitute(self.view.trip_counts.solution(header).closed)
        return e

    def in_terms(self, e: Expr, loops: list[str]) -> Expr:
        """The same in the terms of the entry.

        Raises:
            TooComplex: it is too long.
        """
        return self.over_iterations(e, loops).substitute(self.values)

    def in_terms_if_short(self, e: Expr, loops: list[str]) -> Expr | None:
        """The same; None where it is too long."""
        try:
            return self.in_terms(e, loops)
        except TooComplex:
            return None
