"""Arrays that a call has allocated and filled: `csr_init(&a, n, k)`, then `a.ptr[i]`.

A pointer that a call leaves in memory, or returns, is a value without a formula in the caller. The
array behind it is found where the callee has filled it (`filled_arrays`), and its description is
brought into the caller's terms, unless the caller may have written there since.
"""

from __future__ import annotations

from dataclasses import replace

from ...alias.memory_location import MemoryLocation, Pointer
from ...expr import Expr
from ...ir.graph import blocks_reached
from ...ir.types import Instruction
from ..context import FunctionContext, ProgramContext
from ..values import Filled, Value
from .call_effects import CallEffects
from .filled_arrays import FilledArrays, goes_elsewhere
from .writes import Write, Writes

_MOST_CALLS = 4  # one within the other


class ArraysOfCalls:
    """Arrays that calls of a program leave behind pointers."""

    def __init__(
        self, program: ProgramContext, writes: Writes, calls: CallEffects, arrays: FilledArrays
    ) -> None:
        self.program = program
        self.writes = writes
        self.calls = calls
        self.arrays = arrays
        self._left: dict[tuple[str, str], tuple[Instruction, MemoryLocation]] = {}

    def note(
        self, view: FunctionContext, symbol: str, call: Instruction, place: MemoryLocation
    ) -> None:
        """A symbol of a function stands for the pointer that a call leaves at a place."""
        self._left[view.function.name, symbol] = call, place

    def array(
        self, view: FunctionContext, symbol: str, place: MemoryLocation, block: str
    ) -> Filled | None:
        """The array that a pointer leads to, when control is in `block`, behind its own writes."""
        base = self.program.memory.object_of(view, symbol)
        at: MemoryLocation | None = None
        if isinstance(base, Pointer):
            call = view.function.definitions.get(base.register)
        else:
            base = None
            call, at = self._left.get((view.function.name, symbol), (None, None))
        if call is None or not call.is_call:
            return None
        found = self._behind(view, call, at, place, _MOST_CALLS)
        if found is None or not self._stays(view, call, place, block, base):
            return None
        return found

    def _behind(
        self,
        view: FunctionContext,
        call: Instruction,
        at: MemoryLocation | None,
        place: MemoryLocation,
        depth: int,
    ) -> Filled | None:
        """The array behind the pointer that a call leaves at a place, or returns where that is
        None."""
        target = self.program.target(view.function.name, call)
        if target is None or target.name in self.program.calls.recursive or not depth:
            return None
        inner = self.program.view(target.name)
        if at is None:
            made = self.calls.aliasing.made(target)
            if made is None:
                return None
            end, symbol = (
                target.blocks[made[0]],
                self.program.memory.pointer_symbol(inner, Pointer(target.name, made[1])),
            )
        else:
            seen = self.calls.inside(view, call, at)
            last = self.calls.end(target, seen[1]) if seen is not None else None
            if seen is None or last is None:
                return None
            held = self.program.memory.reaching(inner, seen[1], last.name, last.terminator)
            atom = held.value.expr.atom if held.value is not None else None
            if atom is None or not atom.is_symbol:
                return None
            if self.program.memory.object_of(inner, atom.key) == seen[1].underlying_object:
                return None  # an object that points to itself
            end, symbol = last, atom.key
        found = self.arrays.of_pointer(inner, symbol, place, end.name)
        return None if found is None else self._brought(view, call, found)

    def _brought(self, view: FunctionContext, call: Instruction, a: Filled) -> Filled | None:
        """An array of a callee in the caller's terms."""
        block = next(b.name for b in view.function.blocks.values() if call in b.instructions)
        needs: set[Expr] = set()

        def brought(e: Expr) -> Expr:
            found = self.program.at_call(view, block, call, Value(e))
            needs.update(found.preconditions)
            return found.expr

        formulas = (a.offset, a.number, a.value, *a.preconditions)
        if not all(self.program.is_portable(Value(e)) for e in formulas):
            return None
        offset, number, value = (brought(e) for e in formulas[:3])
        needs |= {brought(e) for e in a.preconditions}
        if any(a.index in n.symbols for n in needs):
            return None
        return replace(a, offset=offset, number=number, value=value, preconditions=frozenset(needs))

    def _stays(
        self,
        view: FunctionContext,
        call: Instruction,
        place: MemoryLocation,
        block: str,
        base: Pointer | None,
    ) -> bool:
        """Does the caller leave the array as it is between the call and `block`?"""
        function = view.function
        own = next(b.name for b in function.blocks.values() if call in b.instructions)
        header = view.forest.innermost.get(own)
        if header is not None and block not in view.loops[header].blocks:
            return False
        behind = {own, *blocks_reached(function, own, within=function.blocks)}
        anywhere = place._replace(underlying_object=None, offset=None, size=None)
        outside: set[str] = set()
        for w in self.writes.before(function, block):
            if w.block not in behind or w.instruction is call:
                continue
            if not self._is_apart(view, w, anywhere, base):
                return False
            outside |= w.effects.outside
        self.program.assume_outside(frozenset(outside))
        return True

    def _is_apart(
        self, view: FunctionContext, w: Write, place: MemoryLocation, base: Pointer | None
    ) -> bool:
        """Does a write of the caller go to other objects than one that a call has made?"""
        if base is None and goes_elsewhere(view, w, place):
            return True
        aliasing = self.calls.aliasing
        return all(
            not aliasing.may_alias(place, e)
            or (e.underlying_object != base and aliasing.is_object(e.underlying_object))
            for e in w.effects.writes
        )
