"""What a call leaves at a location in memory, over the arguments it passes.

The location is translated into the callee's terms, what stands there when the callee returns is
found as for any load, and the value is carried back to the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..alias.library import library_function
from ..alias.memory_location import MemoryLocation, Pointer, UnderlyingObject
from ..expr import Expr, Loaded, elements_of, from_atom, sym
from ..expr.budget import Provisional
from ..ir.graph import callee
from ..ir.matchers import is_alloca, is_return
from ..ir.types import Block, Function, Instruction
from ..scev.context import FunctionContext
from ..scev.values import UNREACHED, Reached
from .array_addresses import goes_elsewhere

if TYPE_CHECKING:
    from .memory import Memory

_PENDING = Reached()
"""Stands for an answer that is being found."""


class CallEffects:
    """What the calls of a program leave in memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.program, self.aliasing = memory, memory.program, memory.aliasing
        self._passed: dict[
            tuple[str, int], dict[UnderlyingObject | None, list[tuple[Pointer, int | None]]]
        ] = {}
        self._inside: dict[
            tuple[str, int, MemoryLocation], tuple[Function, MemoryLocation] | None
        ] = {}
        self._exits: dict[tuple[str, MemoryLocation], Reached] = {}
        self._returns: dict[str, Block | None] = {}

    def after_call(
        self, view: FunctionContext, block: str, call: Instruction, place: MemoryLocation
    ) -> Reached:
        """What a call leaves at a place, in the caller's terms."""
        found = self._left(view, call, place)
        if found.value is None:
            return found
        value = self.program.at_call(view, block, call, found.value)
        return Reached(value, outside=found.outside)

    def leaves(
        self, view: FunctionContext, call: Instruction, place: MemoryLocation
    ) -> frozenset[str] | None:
        """Who is trusted for it that a call leaves a place as it is; None where it may not."""
        if place.underlying_object is not None and goes_elsewhere(view, call, place):
            return frozenset()
        if self._is_command_line(view, call, place):
            return frozenset()
        found = self._left(view, call, place)
        return found.outside if found.on_entry else None

    def _is_command_line(
        self, view: FunctionContext, call: Instruction, place: MemoryLocation
    ) -> bool:
        """Is the place argc or argv, which a call like MPI_Init is handed by address?"""
        known = library_function(callee(call) or "")
        if known is None or not known.leaves_argv or callee(call) in self.program.defined:
            return False
        asked = place.underlying_object, place.offset
        handed = (self.aliasing.underlying_object(view.function, o) for o in call.operands[1:3])
        return None not in asked and asked in handed

    def _left(self, view: FunctionContext, call: Instruction, place: MemoryLocation) -> Reached:
        """What a call leaves at a place, in the callee's terms."""
        found = self.inside(view, call, place)
        if found is None:
            return UNREACHED
        target, inner = found
        if _is_result(view.function, call, place):
            return self._in_result(target, inner)
        return self.on_exit(target, inner)

    def inside(
        self, view: FunctionContext, call: Instruction, place: MemoryLocation
    ) -> tuple[Function, MemoryLocation] | None:
        """The function that a call goes to, and a place of the caller as it sees it."""
        key = (view.function.name, call.line, place)
        if key not in self._inside:
            self._inside[key] = self._find_inside(view, call, place)
        return self._inside[key]

    def _find_inside(
        self, view: FunctionContext, call: Instruction, place: MemoryLocation
    ) -> tuple[Function, MemoryLocation] | None:
        target = self.program.target(view.function.name, call)
        base = place.underlying_object
        if target is None or base is None or place.offset is None:
            return None
        if _is_result(view.function, call, place):
            made = self.aliasing.made(target)
            if made is None or target.name in self.program.calls.recursive:
                return None
            return target, place._replace(underlying_object=Pointer(target.name, made[1]))
        hits = self._roots_passed(view.function, call, target).get(base, ())
        if place.is_global and not hits:
            return target, place
        # a global that is also passed by address has two names in the callee
        hit = self._hit(target, hits, place.offset)
        if hit is None or self._writes_by_name(target, place):
            return None
        if self.aliasing.loses_names(view.function, call, hit[0]):
            return None
        return target, place._replace(underlying_object=hit[0], offset=place.offset - hit[1])

    def end(self, target: Function, place: MemoryLocation) -> Block | None:
        """The block that a function leaves a place from: of new memory, that which returns it."""
        made = self.aliasing.made(target)
        if made is not None and place.underlying_object == Pointer(target.name, made[1]):
            return target.blocks[made[0]]
        view = self.program.view(target.name)
        last = self._return(view)
        return None if last is None else self._before(view, last)

    @staticmethod
    def _before(view: FunctionContext, last: Block) -> Block:
        """The block from which control usually comes to the last one, which writes nothing: the
        others end in an error or where an allocation has failed."""
        if any(i.may_write for i in last.instructions):
            return last
        found = [
            p
            for p in view.function.predecessors[last.name]
            if p in view.reachable and p not in view.paths.dead and not _fails_to_allocate(view, p)
        ]
        return view.function.blocks[found[0]] if len(found) == 1 else last

    def _hit(
        self, target: Function, hits: Sequence[tuple[Pointer, int | None]], at: int
    ) -> tuple[Pointer, int] | None:
        """The one parameter through which a call reaches a place of an object that it is passed,
        perhaps as several parts of it, as the two vectors of a structure that are swapped."""
        found = [(p, offset) for p, offset in hits if offset is not None]
        if len(found) != len(hits):
            return None
        if len(found) > 1:
            extents = [self.aliasing.extent(target, p.register) for p, _ in found]
            if None in extents:
                return None
            ends = [
                offset + (extent or 0) for (_, offset), extent in zip(found, extents, strict=True)
            ]
            found = [(p, o) for (p, o), end in zip(found, ends, strict=True) if o <= at < end]
        return found[0] if len(found) == 1 else None

    def _in_result(self, target: Function, inner: MemoryLocation) -> Reached:
        """What a function leaves in the new memory that it returns."""
        end = self.end(target, inner)
        if end is None:
            return UNREACHED
        view = self.program.view(target.name)
        found = self.program.memory.reaching(view, inner, end.name, end.terminator)
        if found.value is None or not self.program.is_portable(found.value):
            return UNREACHED
        return found

    def _writes_by_name(self, target: Function, place: MemoryLocation) -> bool:
        """May a function write a global otherwise than through its arguments?"""
        return place.is_global and any(
            w.underlying_object == place.underlying_object and self.aliasing.may_meet(place, w)
            for w in self.aliasing.mod_ref(target.name).writes
        )

    def _roots_passed(
        self, function: Function, call: Instruction, target: Function
    ) -> dict[UnderlyingObject | None, list[tuple[Pointer, int | None]]]:
        """The objects that a call passes: root -> the callee's names for it, with the offsets they
        point to."""
        key = (function.name, call.line)
        found = self._passed.get(key)
        if found is None:
            found = self._passed[key] = {}
            for p, token in zip(target.parameters, call.operands[1:], strict=False):
                root, offset = self.aliasing.underlying_object(function, token)
                found.setdefault(root, []).append((Pointer(target.name, p.token), offset))
        return found

    def on_exit(self, function: Function, place: MemoryLocation) -> Reached:
        """What a function leaves at a place when it returns, over its arguments."""
        key = (function.name, place)
        if key not in self._exits:
            with Provisional(self._exits, key, _PENDING):
                self._exits[key] = self._find_exit(function, place)
        found = self._exits[key]
        if found is not _PENDING:
            return found
        # the callers were asked for what they agree on, and it rests on this function
        below = self.program.from_below
        return UNREACHED if below is None else below.memory.on_exit(function, place)

    def _find_exit(self, function: Function, place: MemoryLocation) -> Reached:
        effects = self.aliasing.mod_ref(function.name)
        if not any(self.aliasing.may_alias(place, w) for w in effects.writes):
            spared = (w.handed for w in effects.writes if self.aliasing.spares(place, w))
            trusted = frozenset(name for name in spared if name is not None)
            return Reached(on_entry=True, outside=effects.outside | trusted)
        if function.name not in self.program.calls.recursive:
            view = self.program.view(function.name)
            end = self._return(view)
            if end is not None:
                found = self._owned(view, place, end)
                if found.value is None or self.program.is_portable(found.value):
                    return found
        return UNREACHED

    def _owned(self, view: FunctionContext, place: MemoryLocation, end: Block) -> Reached:
        """What stands at a place when a function returns. Elements that a container has taken from
        one that ends with the function (`u.swap(next)`, `u = std::move(next)`) are its own then, as
        if they had been copied."""

        def at(shift: int) -> Reached:
            moved = place._replace(offset=(place.offset or 0) + shift)
            return self.program.memory.reaching(view, moved, end.name, end.terminator)

        found = at(0)
        if place.kind != "ptr" or place.offset is None or found.value is None:
            return found
        taken = elements_of(found.value.expr)
        base = place.underlying_object
        if taken is None or base is None or not self._ends_with(view, taken.address):
            return found
        start = at(-8).value  # of an empty container begin and end are the same
        first = place.offset - 8 if start is not None and start.expr == from_atom(taken) else None
        if first is None:
            if found.value.expr != from_atom(taken):
                return UNREACHED
            first = place.offset
        address = sym(self.memory.entry_values.pointer_symbol(view, base)) + first
        own = from_atom(Loaded(address, taken.kind, taken.text))
        value = found.value.expr - from_atom(taken) + own
        return replace(found, value=replace(found.value, expr=value))

    def _ends_with(self, view: FunctionContext, address: Expr) -> bool:
        """Is it the address of a local variable of the function?"""
        if len(address.symbols) != 1:
            return False
        base = self.program.memory.object_of(view, next(iter(address.symbols)))
        made = view.function.definitions.get(base.register) if isinstance(base, Pointer) else None
        return is_alloca(made)

    def _return(self, view: FunctionContext) -> Block | None:
        """The one block from which a function returns; None where there are several, or none."""
        name = view.function.name
        if name not in self._returns:
            found = [
                b
                for b in view.function.blocks.values()
                if is_return(b.terminator) and b.name in view.reachable
            ]
            self._returns[name] = found[0] if len(found) == 1 else None
        return self._returns[name]


def _is_result(function: Function, call: Instruction, place: MemoryLocation) -> bool:
    """Is a place in what the result of a call points to?"""
    base = place.underlying_object
    return (
        isinstance(base, Pointer)
        and base.register == call.token
        and base == Pointer(function.name, call.token)
    )


def _fails_to_allocate(view: FunctionContext, block: str) -> bool:
    """Does control only come to a block where an allocation fails?"""
    before = view.function.predecessors[block]
    return bool(before) and all(view.paths.is_never_taken(p, block) for p in before)
