"""What calls pass and leave in memory, over what is known where their caller is entered.

Found once for each call, in the caller's own arguments; the numbers that a run's entry comes to a
function with follow by substitution along the call graph, so that no function is analysed to learn
what it hands on (jump functions: Callahan, Cooper, Kennedy and Torczon, "Interprocedural constant
propagation", SIGPLAN 1986; those of Grove and Torczon, PLDI 1993, that go through memory).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from ..alias.call_graph import Site
from ..alias.packed_arguments import Piece
from ..expr import Expr, Loaded, TooComplex, symbols
from ..expr.budget import Budget, OverBudget
from ..scev.values import Value

if TYPE_CHECKING:
    from .program import Program

What = int | Piece | Loaded
"""What a function asks for: an argument, a part of one, or a value in memory on entry."""


class JumpFunctions:
    """What each call of an analysis that asks no callers hands on.

    Args:
        program: the analysis of every function in its own arguments.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[str, int, str, What], Value | None] = {}

    def at(self, site: Site, what: What) -> Value | None:
        """What a call hands on, over the arguments of the caller and what that finds in memory;
        None where it rests on anything else, or its callee does not ask."""
        return self._known.get((site.caller, site.instruction.line, site.callee, what))

    def find(self, site: Site, what: What) -> Iterator[What]:
        """Find what a call hands on, and yield what that asks of its caller in turn."""
        found: Value | None = None
        with suppress(OverBudget, TooComplex), Budget(self._program.seconds):
            found = self._find(site, what)
        self._known[site.caller, site.instruction.line, site.callee, what] = found
        for e in () if found is None else (found.expr, *found.preconditions):
            yield from (of for s in e.symbols if (of := _argument(s)) is not None)
            yield from (a for a in e.all_atoms() if isinstance(a, Loaded))

    def _find(self, site: Site, what: What) -> Value | None:
        program = self._program
        found: Value | None
        if isinstance(what, Loaded):
            found = Value(program.memory.entry_values.at_site(site, what))
        else:
            found = program.bindings.passed(site, what)
        if found is None:
            return None
        parts = (found.expr, *found.preconditions)
        return found if all(_is_over_entry(e, site.caller) for e in parts) else None

    def is_run(self, site: Site) -> bool:
        """Does control come to a call?"""
        return site.block in self._program.view(site.caller).reachable


def argument_of(symbol: symbols.ArgumentSymbol) -> What:
    """The argument, or the part of one, that a symbol stands for."""
    if symbol.shift is None or symbol.width is None:
        return symbol.at
    return Piece(symbol.at, symbol.shift, symbol.width)


def _argument(symbol: str) -> What | None:
    found = symbols.as_argument(symbol)
    return None if found is None else argument_of(found)


def _is_over_entry(e: Expr, caller: str) -> bool:
    """Is it a formula over what is known where a function is entered, and over what is the same in
    all functions?"""
    return all(
        symbols.is_from_outside(s)
        or symbols.is_loaded(s)
        or ((argument := symbols.as_argument(s)) is not None and argument.function == caller)
        for s in e.symbols
    )
