"""A callee's counts in the caller's terms: arguments put in, memory as it is at the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

from ..alias.call_graph import Site
from ..expr import Atom, Expr, Loaded, TooComplex, from_atom, has_loaded
from ..scev.bounded_count import BoundedCount
from ..scev.context import FunctionContext, ProgramContext


def carrier(program: ProgramContext, view: FunctionContext, site: Site) -> Callable[[Expr], Expr]:
    """Turns a callee's formulas into the caller's: arguments put in, memory as it is at the
    call."""
    return _carrier(program, view, site, set())


def _carrier(
    program: ProgramContext, view: FunctionContext, site: Site, needs: set[Expr]
) -> Callable[[Expr], Expr]:
    """`needs`: takes what the values in memory rest on."""
    callee = program.defined[site.callee]
    known: dict[Atom, Expr | None] = {}
    found: dict[Atom, frozenset[Expr]] = {}

    @cache  # most callees' counts rest on nothing that a call passes
    def values() -> Mapping[str, Expr]:
        return program.arguments(view, site.block, site.instruction, callee)

    def change(a: Atom) -> Expr:
        memory = program.memory
        value = memory.lift_value(view, site.block, site.instruction, from_atom(a), values())
        if value.preconditions:
            found[a] = value.preconditions
        return value.expr

    def carry(e: Expr) -> Expr:
        if not e.symbols or (e.symbols.isdisjoint(values()) and not has_loaded(e)):
            return e
        moved = e.map_atoms(change, known)
        if found:
            needs.update(*(found.get(a, ()) for a in e.all_atoms()))
        return moved

    return carry


def carried(
    program: ProgramContext, view: FunctionContext, site: Site
) -> Callable[[BoundedCount], BoundedCount]:
    """As `carrier`, for a count: with what the arguments rest on that it is written in."""
    needs: set[Expr] = set()
    carry = _carrier(program, view, site, needs)

    @cache
    def needed() -> Mapping[str, frozenset[Expr]]:
        callee = program.defined[site.callee]
        return program.argument_preconditions(view, site.block, site.instruction, callee)

    def change(q: BoundedCount) -> BoundedCount:
        needs.clear()
        moved = q.mapped(carry)
        parts = [e for e in (q.formula, q.lower, q.upper, *q.preconditions) if e is not None]
        used = frozenset[str]().union(*(e.symbols for e in parts)) & needed().keys()
        more = frozenset[Expr](needs).union(*(needed()[symbol] for symbol in used))
        return replace(moved, preconditions=moved.preconditions | more) if more else moved

    return change


def is_steady(program: ProgramContext, name: str, again: Iterable[Site], e: Expr) -> bool:
    """Does an activation that a function makes of itself find the same values in memory as the
    one that makes it?"""
    loaded = [from_atom(a) for a in e.all_atoms() if isinstance(a, Loaded)] if has_loaded(e) else []
    try:
        return all(
            carrier(program, program.view(name), site)(a) == a for a in loaded for site in again
        )
    except TooComplex:
        return False
