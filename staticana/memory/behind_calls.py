"""What a call has put behind the pointers that it leaves: `csr_init(&a, n, k)`, then `a.ptr[i]`,
`create(&s, n)`, then `s->n`.

A pointer that a call leaves in memory, or returns, is a value without a formula in the caller. What
is behind it is found where the callee has put it, and brought into the caller's terms, unless the
caller may have written there since.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..alias.memory_location import MemoryLocation, Pointer
from ..expr import Expr, sym
from ..ir.graph import blocks_reached
from ..ir.types import Block, Instruction
from ..scev.context import FunctionContext
from ..scev.values import Value
from .array_addresses import goes_elsewhere
from .contents import Contents
from .definitions import brought
from .memory_ssa import MemorySSA
from .writes import Write, Writes

if TYPE_CHECKING:
    from .memory import Memory

_LONGEST = 3  # pointers, one behind the other


@dataclass(frozen=True)
class _Way:
    """How a pointer is come by: the call that leaves it at a place, or returns it where that is
    None; then the places behind it, in memory that the call has allocated, of which each holds the
    next pointer."""

    call: Instruction
    at: MemoryLocation | None
    steps: tuple[MemoryLocation, ...] = ()


@dataclass(frozen=True)
class _Left:
    """A pointer as the callee knows it: a symbol of its formulas, at the end of a block."""

    view: FunctionContext
    end: Block
    symbol: str


class BehindCalls:
    """Memory that calls of a program have allocated and leave behind pointers."""

    def __init__(self, memory: Memory, writes: Writes, arrays: MemorySSA) -> None:
        self.memory, self.program, self.calls = memory, memory.program, memory.calls
        self.writes = writes
        self.arrays = arrays
        self._ways: dict[tuple[str, str], _Way] = {}
        self._active: set[tuple[str, str]] = set()

    def note(
        self, view: FunctionContext, symbol: str, call: Instruction, place: MemoryLocation
    ) -> None:
        """A symbol of a function stands for the pointer that a call leaves at a place."""
        self._ways[view.function.name, symbol] = _Way(call, place)

    def follow(
        self, view: FunctionContext, symbol: str, address: Expr, place: MemoryLocation
    ) -> None:
        """A symbol of a function stands for the pointer that is read at an address."""
        for start, way, offset in self._starts(view, address):
            if len(way.steps) < _LONGEST and start != symbol:
                step = place._replace(underlying_object=None, offset=offset)
                found = replace(way, steps=(*way.steps, step))
                self._ways[view.function.name, symbol] = found

    def _starts(self, view: FunctionContext, address: Expr) -> Iterable[tuple[str, _Way, int]]:
        """The pointers that an address is a constant number of bytes behind, and how they are come
        by."""
        for s in address.symbols:
            way = self._ways.get((view.function.name, s))
            offset = (address - sym(s)).constant if way is not None else None
            if way is not None and isinstance(offset, int):
                yield s, way, offset

    # -- what is there
    def contents(
        self,
        view: FunctionContext,
        symbol: str,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Contents | None:
        """What the array holds that a symbol of a function's formulas points to, when control is
        before an instruction of `block`."""
        found = self.arrays.contents(view, symbol, place, block, before.line)
        key = (view.function.name, symbol)
        if (found is not None and found.is_known) or key in self._active:
            return found
        self._active.add(key)
        try:
            return self._left_array(view, symbol, place, block, before)
        finally:
            self._active.discard(key)

    def _left_array(
        self,
        view: FunctionContext,
        symbol: str,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Contents | None:
        """The array behind a pointer that a call has left."""
        way = self._ways.get((view.function.name, symbol))
        left = self._left(view, way) if way is not None else None
        if way is None or left is None:
            return None
        if not self._stays(view, way, (*way.steps, place), block, before):
            return None
        end = left.end
        found = self.contents(left.view, left.symbol, place.somewhere(), end.name, end.terminator)
        pieces = (
            None
            if found is None
            else brought(view, found.pieces, _block_of(view, way.call), way.call)
        )
        return None if found is None or pieces is None else replace(found, pieces=tuple(pieces))

    def value(
        self,
        view: FunctionContext,
        address: Expr,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Value | None:
        """The number that stands at an address when control is before an instruction of
        `block`."""
        for _, way, offset in self._starts(view, address):
            left = self._left(view, way)
            if left is None:
                continue
            inner = self._inside(left, place._replace(offset=offset))
            if inner is None or not self._stays(view, way, (*way.steps, place), block, before):
                continue
            end = left.end
            found = self.program.memory.reaching(left.view, inner, end.name, end.terminator).value
            if found is not None and self.program.is_portable(found):
                block_of_call = _block_of(view, way.call)
                return self.program.at_call(view, block_of_call, way.call, found)
        return None

    # -- in the callee
    def _left(self, view: FunctionContext, way: _Way) -> _Left | None:
        """The pointer as the callee knows it."""
        target = self.program.target(view.function.name, way.call)
        if target is None or target.name in self.program.calls.recursive:
            return None
        inner = self.program.view(target.name)
        if way.at is None:
            made = self.calls.aliasing.made(target)
            if made is None:
                return None
            symbol = self.memory.entry_values.pointer_symbol(inner, Pointer(target.name, made[1]))
            return _Left(inner, target.blocks[made[0]], symbol)
        seen = self.calls.inside(view, way.call, way.at)
        end = self.calls.end(target, seen[1]) if seen is not None else None
        if seen is None or end is None:
            return None
        symbols = self._held(_Left(inner, end, ""), seen[1])
        for step in way.steps:
            behind = self._inside(symbols, step) if symbols is not None else None
            if symbols is None or behind is None:
                return None
            symbols = self._held(symbols, behind)
        return symbols

    def _inside(self, left: _Left, place: MemoryLocation) -> MemoryLocation | None:
        """A place behind a pointer as the callee knows it, in memory that it has allocated."""
        base = self.program.memory.object_of(left.view, left.symbol)
        if not isinstance(base, Pointer) or not self.calls.aliasing.is_object(base):
            return None
        return place._replace(underlying_object=base)

    def _held(self, left: _Left, place: MemoryLocation) -> _Left | None:
        """The pointer that a function leaves at a place."""
        memory, end = self.program.memory, left.end
        value = memory.reaching(left.view, place, end.name, end.terminator).value
        atom = value.expr.atom if value is not None else None
        if atom is None or not atom.is_symbol:
            return None
        if memory.object_of(left.view, atom.key) == place.underlying_object:
            return None  # an object that points to itself
        return replace(left, symbol=atom.key)

    # -- in the caller
    def _stays(
        self,
        view: FunctionContext,
        way: _Way,
        places: tuple[MemoryLocation, ...],
        block: str,
        before: Instruction,
    ) -> bool:
        """Does the caller leave what the call has put there between the call and an instruction of
        `block`?"""
        function, own = view.function, _block_of(view, way.call)
        header = view.forest.innermost.get(own)
        if header is not None and block not in view.loops[header].blocks:
            return False
        behind = {own, *blocks_reached(function, own, within=function.blocks)}
        anywhere = [p._replace(underlying_object=None, offset=None, size=None) for p in places]
        outside: set[str] = set()
        for w in self.writes.before(function, block, before):
            if w.block not in behind or w.instruction is way.call:
                continue
            if not all(self._is_apart(view, w, p) for p in anywhere):
                return False
            outside |= w.effects.outside
        self.program.assume_outside(frozenset(outside), view.function.name)
        return True

    def _is_apart(self, view: FunctionContext, w: Write, place: MemoryLocation) -> bool:
        """Does a write of the caller go to other objects than one that a call has made, in which a
        place is?"""
        if goes_elsewhere(view, w.instruction, place):
            return True
        aliasing = self.calls.aliasing
        return all(
            e.fresh
            or not aliasing.may_meet(place, e)
            or (e.underlying_object is not None and aliasing.is_object(e.underlying_object))
            for e in w.effects.writes
        )


def _block_of(view: FunctionContext, call: Instruction) -> str:
    """The block that an instruction stands in."""
    if call.result is not None:
        return view.function.block_of[call.token]
    return next(b.name for b in view.function.blocks.values() if call in b.instructions)
