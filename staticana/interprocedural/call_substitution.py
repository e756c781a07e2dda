"""A callee's counts in the caller's terms: arguments put in, memory as it is at the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from ..alias.call_graph import Site
from ..expr import Atom, Expr, Loaded, Monomial, Sum, TooComplex, from_atom, has_loaded
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
    products: dict[Monomial, Expr | None] = {}  # kinds of operations share those of their blocks
    found: dict[Atom, frozenset[Expr]] = {}
    # what counts of a callee rest on is the same for many of them
    done: dict[Expr, tuple[Expr, frozenset[Expr]]] = {}

    @cache  # most callees' counts rest on nothing that a call passes
    def values() -> Mapping[str, Expr]:
        return program.arguments(view, site.block, site.instruction, callee)

    def change(a: Atom) -> Expr:
        if a.is_symbol:
            return values().get(a, from_atom(a))
        if isinstance(a, Loaded):
            lifted = program.memory.lift_value(
                view, site.block, site.instruction, from_atom(a), values()
            )
            if lifted.preconditions:
                found[a] = lifted.preconditions
            return lifted.expr
        inside = a.clear_of(values()) if isinstance(a, Sum) else a
        parts = tuple(move(p) for p in inside.parts)
        if found and (rests := _rests(inside.parts, found)):
            found[a] = rests
        return from_atom(inside) if parts == inside.parts else inside.rebuild(parts)

    def move(e: Expr) -> Expr:
        if not e.symbols or (e.symbols.isdisjoint(values()) and not has_loaded(e)):
            return e
        return e.map_atoms(change, known, products)

    def carry(e: Expr) -> Expr:
        if e not in done:
            moved = move(e)
            done[e] = moved, _rests((e,), found) if found else frozenset()
        moved, rests = done[e]
        needs.update(rests)
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

    @cache
    def needed_by(preconditions: frozenset[Expr]) -> frozenset[Expr]:
        return _needed_by(preconditions, needed())

    def change(q: BoundedCount) -> BoundedCount:
        needs.clear()
        moved = q.mapped(carry)
        counts = (e for e in (q.formula, q.lower, q.upper) if e is not None)
        more = needed_by(q.preconditions).union(needs, _needed_by(counts, needed()))
        return replace(moved, preconditions=moved.preconditions | more) if more else moved

    return change


def _rests(formulas: Iterable[Expr], found: Mapping[Atom, frozenset[Expr]]) -> frozenset[Expr]:
    """What the values of the atoms in formulas rest on."""
    return frozenset[Expr]().union(
        *(found[a] for e in formulas for a in e.all_atoms() if a in found)
    )


def _needed_by(formulas: Iterable[Expr], needed: Mapping[str, frozenset[Expr]]) -> frozenset[Expr]:
    """What the values of the symbols in formulas rest on."""
    if not needed:
        return frozenset()
    used = frozenset[str]().union(*(e.symbols for e in formulas)) & needed.keys()
    return frozenset[Expr]().union(*(needed[symbol] for symbol in used))


class Brought:
    """Turns formulas of the functions along a path of calls into those of the first one, and keeps
    what the values passed rest on."""

    def __init__(self, program: ProgramContext, path: Sequence[Site]) -> None:
        self._needs: set[Expr] = set()
        self._carries = [_carrier(program, program.view(s.caller), s, self._needs) for s in path]

    def __call__(self, e: Expr, depth: int) -> Expr:
        """A formula of the function that `depth` calls lead to."""
        for carry in reversed(self._carries[:depth]):
            e = carry(e)
        return e

    @property
    def needs(self) -> frozenset[Expr]:
        """What the values in memory rest on that were read so far."""
        return frozenset(self._needs)


def is_steady(program: ProgramContext, paths: Iterable[Sequence[Site]], e: Expr) -> bool:
    """Does an activation that a function makes of itself, over each path of calls, find the same
    values in memory as the one that makes it?"""
    loaded = [from_atom(a) for a in e.all_atoms() if isinstance(a, Loaded)] if has_loaded(e) else []
    try:
        return all(Brought(program, p)(a, len(p)) == a for a in loaded for p in paths)
    except TooComplex:
        return False
