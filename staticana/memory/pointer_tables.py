"""Tables of pointers, and what is read through their entries: which function a call goes to.

`for (stage *s = stages; s->run; s++) s->run(n)` calls each entry once. So does a loop over
`shape *all[] = {&circle, new square}` whose calls are virtual: the table says which object, the
object which virtual table, and this one which function. A chain of loads is followed from the table
on, one value for each of its entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..alias.memory_location import MemoryLocation, UnderlyingObject
from ..expr import Expr, Loaded, expr, sym, symbols
from ..ir.initialisers import constant_at
from ..ir.matchers import is_gep, is_load
from ..ir.types import GlobalRef, Instruction, Operand, operand
from ..scev.context import FunctionContext
from ..scev.values import PointerTable, Value, shares
from .array_addresses import here
from .memory_ssa import MemorySSA
from .reaching_stores import ReachingStores
from .row_addresses import loops_around, stepped

if TYPE_CHECKING:
    from .memory import Memory

_WORD = 8
"""Bytes of a pointer."""
_MOST_IN_TABLE = 256
"""Words of a table that is looked at; a larger one is taken for unknown."""
_MOST_FILLED = 32
"""Words of a table that the program fills itself, each of which is followed to its store."""
_MOST_LOADS = 4
"""Loads from a table to a function: an object, a virtual table, its slot, and one more."""


class PointerTables:
    """Tables of pointers of one program."""

    def __init__(self, memory: Memory, stores: ReachingStores, arrays: MemorySSA) -> None:
        self._memory = memory
        self._stores = stores
        self._arrays = arrays
        self._aliasing = memory.aliasing
        self._constant: dict[str, dict[int, Expr | None]] = {}

    def read(self, view: FunctionContext, load: Instruction, depth: int = 0) -> PointerTable | None:
        """The table that a pointer is read from, or that the object is found in that holds it."""
        if not is_load(load) or load.type != "ptr" or depth > _MOST_LOADS:
            return None
        return self._through(view, load, depth) or self._table(view, load)

    # -- the table itself
    def _table(self, view: FunctionContext, load: Instruction) -> PointerTable | None:
        """An array that nothing writes, is filled once or comes from callers."""
        base, _ = self._aliasing.underlying_object(view.function, load.operands[0])
        if base is not None:
            filled = self._filled(view, load)
            if filled:
                return PointerTable(self._within(view, load, base), filled)
        if not isinstance(base, GlobalRef):
            address = view.scalars.value(load.operands[0]).expr
            names = [s for s in address.symbols if symbols.global_name(s) is not None]
            if len(names) != 1:
                return None
            base = GlobalRef(names[0])
        entries = self._in_constant(view, base)
        return PointerTable(self._within(view, load, base), entries) if entries else None

    def _within(self, view: FunctionContext, load: Instruction, base: UnderlyingObject) -> Expr:
        """How far behind the beginning of an object a load reads. A pointer that walks along it is
        where it began and a step for each iteration."""
        begin = self._memory.entry_values.pointer_symbol(view, base)
        address = view.scalars.value(load.operands[0]).expr
        if begin not in address.symbols:
            address = stepped(view, address, view.function.block_of[load.token])
        return address - sym(begin)

    def _filled(self, view: FunctionContext, load: Instruction) -> Mapping[int, Expr | None] | None:
        """The pointers in an array that the program fills, where they are read."""
        place = self._aliasing.location(view.function, load.operands[0], load.type, load.tbaa)
        if self._may_change(load, place):
            return None
        block = view.function.block_of[load.token]
        base = place.underlying_object
        if base is not None and not isinstance(base, GlobalRef):
            symbol = self._memory.entry_values.pointer_symbol(view, base)
            held = self._arrays.contents(view, symbol, place, block, load.line)
            offsets = held.offsets() if held is not None else None
            if held is not None and offsets:
                known = here(view, block)
                return {at: self._word(view, held.read(expr(at), known)) for at in offsets}
        return self._entries(view, load, place, block)

    def _word(self, view: FunctionContext, value: Value | None) -> Expr | None:
        """A pointer that an array holds; one copied from a constant is what stands there."""
        if value is None or value.preconditions:
            return None
        loaded = value.expr.atom
        if not isinstance(loaded, Loaded):
            return value.expr
        held = self._memory.constant(view, loaded.address, loaded.kind)
        return value.expr if held is None else held

    def _entries(
        self, view: FunctionContext, load: Instruction, place: MemoryLocation, block: str
    ) -> Mapping[int, Expr | None] | None:
        """The pointers in an array of a structure, or in a global one, each followed to the store
        that it sees; None where none of them can be."""
        base = place.underlying_object
        start, end = 0, 0
        if place.extent is not None and place.extent.underlying_object == base:
            start, end = place.extent.start, place.extent.end
        elif isinstance(base, GlobalRef) and place.offset is None:
            g = self._memory.program.module.globals.get(base.name)
            if g is None or self._memory.initial(base) is not None:
                return None
            end = self._memory.program.layout.size(g.type) or 0
        if base is None or not start < end <= start + _MOST_FILLED * _WORD:
            return None
        found = {
            offset: self._pointer_at(view, place._replace(offset=offset, extent=None), block, load)
            for offset in range(start, end - _WORD + 1, _WORD)
        }
        known = (value for value in found.values() if value is not None)
        return found if any(shares(value) is not None for value in known) else None

    def _pointer_at(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Expr | None:
        """The pointer at a fixed place of an object."""
        memory, base = self._memory, place.underlying_object
        if base is None or place.offset is None:
            return None
        address = self._address(view, base) + place.offset
        found = memory.reaching(view, place, block, before)
        if found.value is not None:
            memory.program.assume_outside(found.outside, view.function.name)
            return _unconditional(found.value)
        if found.on_entry:
            whole = Loaded(address, "ptr", "", (), place)
            return memory.found_on_entry(view, whole, found.outside)
        left = memory.behind_call(view, address, place, block, before)
        return None if left is None else _unconditional(left)

    def _in_constant(self, view: FunctionContext, name: str) -> Mapping[int, Expr | None]:
        """The pointers in a global that nothing writes, by offset."""
        found = self._constant.get(name)
        if found is None:
            found = self._constant[name] = {}
            g = self._memory.initial(name)
            if g is None:
                return found
            layout = self._memory.program.layout
            size = layout.size(g.type) or 0
            if size > _MOST_IN_TABLE * _WORD:
                return found  # what stands behind the words that are looked at is read, too
            for offset in range(0, size, _WORD):
                text = constant_at(layout, g.type, g.initializer, offset, "ptr")
                if text is not None:
                    found[offset] = view.scalars.value(operand(text)).expr
        return found

    def _may_change(self, load: Instruction, place: MemoryLocation) -> bool:
        """May a signal handler, another thread or the machine write there?"""
        return bool(
            load.flags & {"volatile", "atomic"}
        ) or self._stores.writes.may_come_at_any_time(place)

    # -- through its entries
    def _through(self, view: FunctionContext, load: Instruction, depth: int) -> PointerTable | None:
        """What is read at a fixed offset from each entry of a table."""
        token, offset = self._begin(view, load.operands[0])
        pointer = view.function.definitions.get(token)
        table = self.read(view, pointer, depth + 1) if pointer is not None else None
        if table is None:
            return None
        place = self._aliasing.location(view.function, load.operands[0], load.type, load.tbaa)
        if load.flags & {"volatile", "atomic"}:
            return None
        block = view.function.block_of[load.token]
        found = {
            at: None if value is None else self._behind(view, value + offset, place, block, load)
            for at, value in table.reached
        }
        return PointerTable(table.offset, found)

    def _begin(self, view: FunctionContext, address: Operand) -> tuple[Operand, int]:
        """The register that an address is computed from, and the bytes added to it."""
        offset = 0
        while (i := view.function.definitions.get(address)) is not None:
            if is_gep(i):
                more = self._aliasing.constant_offset(i.type, i.operands[1:])
                base = i.operands[0]
            elif (passed := self._aliasing.passed_on(i)) is not None:
                base, more = passed
            else:
                break
            if more is None:
                break
            address, offset = base, offset + more
        return address, offset

    def _behind(
        self,
        view: FunctionContext,
        address: Expr,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Expr | None:
        """What stands at an address, one in a named object, when control is before an instruction
        of `block`."""
        names = list(address.symbols)
        base = self._memory.object_of(view, names[0]) if len(names) == 1 else None
        offset = (address - self._address(view, base)).constant if base is not None else None
        if base is None or not isinstance(offset, int):
            return None
        if isinstance(base, GlobalRef):
            held = self._memory.constant(view, address, place.kind)
            if held is not None:
                return held
        elif not self._is_one(view, base, block):
            return None
        at = place._replace(underlying_object=base, offset=offset, extent=None)
        if self._stores.writes.may_come_at_any_time(at):
            return None
        found = self._memory.reaching(view, at, block, before)
        self._memory.program.assume_outside(found.outside, view.function.name)
        if found.on_entry:
            return self._stores.before_all(view, at)
        return None if found.value is None else _unconditional(found.value)

    def _is_one(self, view: FunctionContext, base: UnderlyingObject, block: str) -> bool:
        """Is there one object of this name whenever control comes to a block?"""
        if isinstance(base, GlobalRef) or not self._aliasing.is_object(base):
            return isinstance(base, GlobalRef)
        made = view.function.block_of.get(base.register)
        return made is not None and all(
            block in view.loops[header].blocks for header in loops_around(view, made)
        )

    def _address(self, view: FunctionContext, base: UnderlyingObject) -> Expr:
        return sym(self._memory.entry_values.pointer_symbol(view, base))


def _unconditional(value: Value) -> Expr | None:
    return None if value.preconditions else value.expr
