"""A callee's counts in the caller's terms: arguments put in, memory as it is at the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from ..alias.call_graph import Site
from ..closed_forms.sums import summed_again
from ..expr import (
    ONE,
    Atom,
    Expr,
    Loaded,
    Monomial,
    Step,
    Sum,
    TooComplex,
    from_atom,
    has_loaded,
    symbols,
)
from ..scev.bounded_count import BoundedCount
from ..scev.context import FunctionContext, ProgramContext


def _carrier(
    program: ProgramContext,
    view: FunctionContext,
    site: Site,
    needs: set[Expr],
    passed: Mapping[str, Expr] = MappingProxyType({}),
) -> Callable[[Expr], Expr]:
    """Turns a callee's formulas into the caller's: arguments put in, memory as it is at the call.
    `needs`: takes what the values in memory rest on; `passed`: arguments that are known better than
    by their registers."""
    callee, own = program.defined[site.callee], _argument_names(site.callee)
    known: dict[Atom, Expr | None] = {}
    products: dict[Monomial, Expr | None] = {}  # kinds of operations share those of their blocks
    found: dict[Atom, frozenset[Expr]] = {}
    # what counts of a callee rest on is the same for many of them
    done: dict[Expr, tuple[Expr, frozenset[Expr]]] = {}

    @cache
    def values() -> Mapping[str, Expr]:
        return {**program.arguments(view, site.block, site.instruction, callee), **passed}

    def change(a: Atom) -> Expr:
        if a.is_symbol:
            return values().get(a, from_atom(a))
        if isinstance(a, Loaded):
            needed: set[Expr] = set()
            lifted = program.memory.lift(
                view, site.block, site.instruction, from_atom(a), values(), needed
            )
            if needed:
                found[a] = frozenset(needed)
            return lifted
        inside = a.clear_of(values()) if isinstance(a, Sum) else a
        parts = tuple(move(p) for p in inside.parts)
        if found and (rests := _rests(inside.parts, found)):
            found[a] = rests
        if parts == inside.parts:
            return from_atom(inside)
        if isinstance(inside, Step) and _is_address(program, view, parts[0] + 1):
            return ONE
        moved = inside.rebuild(parts)
        return summed_again(moved) if isinstance(inside, Sum) else moved

    def move(e: Expr) -> Expr:
        # most counts of callees rest on nothing that a call passes: what it is, is not found then
        if not has_loaded(e) and (not _names(e, own) or e.symbols.isdisjoint(values())):
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
    program: ProgramContext,
    view: FunctionContext,
    site: Site,
    passed: Mapping[str, Expr] = MappingProxyType({}),
) -> Callable[[BoundedCount], BoundedCount]:
    """As `_carrier`, for a count: with what the arguments rest on that it is written in."""
    needs: set[Expr] = set()
    carry, own = _carrier(program, view, site, needs, passed), _argument_names(site.callee)

    @cache
    def needed() -> Mapping[str, frozenset[Expr]]:
        callee = program.defined[site.callee]
        return program.argument_preconditions(view, site.block, site.instruction, callee)

    def needed_by(formulas: Iterable[Expr]) -> frozenset[Expr]:
        """What the arguments in formulas rest on."""
        used = {s for e in formulas for s in _names(e, own)}
        if not used or not needed():
            return frozenset()
        return frozenset[Expr]().union(*(needed().get(symbol, ()) for symbol in used))

    needed_by_all = cache(needed_by)  # many counts rest on the same

    def change(q: BoundedCount) -> BoundedCount:
        needs.clear()
        moved = q.mapped(carry)
        counts = [e for e in (q.formula, q.lower, q.upper) if e is not None]
        more = needed_by_all(q.preconditions).union(needs, needed_by(counts))
        return moved.resting_on(moved.preconditions | more) if more else moved

    return change


def _is_address(program: ProgramContext, view: FunctionContext, e: Expr) -> bool:
    """Is a formula the address of an object that is never null, or one behind it: at least 1?"""
    line = e.line
    if line is None or line[1] != 1 or line[2] < 0:
        return False
    return program.is_never_null(view, from_atom(line[0]))


def _rests(formulas: Iterable[Expr], found: Mapping[Atom, frozenset[Expr]]) -> frozenset[Expr]:
    """What the values of the atoms in formulas rest on."""
    return frozenset[Expr]().union(
        *(found[a] for e in formulas for a in e.all_atoms() if a in found)
    )


def _argument_names(function: str) -> str:
    """How the symbols of a function's arguments and their parts begin."""
    return symbols.argument(function, 0).removesuffix("0")


def _names(e: Expr, own: str) -> list[str]:
    """The symbols of a formula that stand for a callee's arguments."""
    return [s for s in e.symbols if s.startswith(own)]


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
