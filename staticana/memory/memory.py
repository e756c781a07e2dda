"""What a load yields: an argument string, what was stored there, or one symbol for one value.

A load is followed to the store that it sees: in its function (`reaching_stores`), in the functions
called before it (`call_effects`), in those that called it (`entry_values`). A member set once by a
constructor or a global set from the command line becomes the formula that was stored. What cannot
be followed is a symbol, outside all loops that do not write there: a bound reloaded from an address
that nothing in the loop may write is loop-invariant.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from ..alias.alias_analysis import Aliasing
from ..alias.memory_location import MemoryLocation, UnderlyingObject
from ..expr import NUMBER, SIZE, Expr, Loaded, TooComplex, expr, from_atom, is_storage, sym, symbols
from ..ir.debug_members import MemberNames
from ..ir.initialisers import constant_at, text_of
from ..ir.loop_info import Loop
from ..ir.types import Function, Global, GlobalRef, Instruction, IntLiteral, operand
from ..scev.context import FunctionContext, ProgramContext
from ..scev.source_names import access_text, last_part
from ..scev.unknowns import UnknownInfo, loaded_from
from ..scev.values import NO_PRECONDITIONS, UNREACHED, PointerTable, Reached, Value, shares
from .array_addresses import NUMBERS, has_pointers, here, pointers_of
from .behind_calls import BehindCalls
from .call_effects import CallEffects
from .entry_values import EntryValues
from .memory_ssa import MemorySSA
from .pointer_tables import PointerTables
from .reaching_stores import ReachingStores
from .row_addresses import stepped
from .rows import Rows
from .vector_ends import vector_end
from .vectors import elements
from .writes import Writes


@dataclass(frozen=True, slots=True)
class _Read:
    """A load of a function, in a block: what its address is, and the place that it reads."""

    view: FunctionContext
    load: Instruction
    address: Value
    place: MemoryLocation
    block: str

    @property
    def among_elements(self) -> bool:
        """Is it an element of a container, which models do not follow?"""
        return is_storage(self.address.expr)

    def resting(self, value: Value) -> Value:
        """A value that rests on what the address rests on, too."""
        return Value(value.expr, value.preconditions | self.address.preconditions)


class Memory:
    """Loads and stores of a program: implements `context.MemoryQueries`."""

    def __init__(
        self,
        program: ProgramContext,
        writes: Writes,
        names: MemberNames,
        base: Memory | None = None,
    ) -> None:
        self.program = program
        self.writes = writes
        self.aliasing: Aliasing = writes.aliasing
        self.names = names
        # symbol -> functions taken not to write there
        self.assumed: ChainMap[str, frozenset[str]] = ChainMap(
            {}, *(() if base is None else base.assumed.maps)
        )
        self.stores = ReachingStores(self, self.writes)
        self.calls = CallEffects(self)
        self.entry_values = EntryValues(self)
        self.rows = Rows(self)
        self._arrays = MemorySSA(self, self.writes)
        self._behind = BehindCalls(self, self.writes, self._arrays)
        self._pointer_tables = PointerTables(self, self.stores, self._arrays)

    def load(self, view: FunctionContext, i: Instruction) -> Value:
        """The value of a load."""
        place = self.aliasing.location(view.function, i.operands[0], i.type, i.tbaa)
        address = view.scalars.value(i.operands[0])
        read = _Read(view, i, address, place, view.function.block_of[i.token])
        given = self._given(read)
        if given is not None:
            return given
        found = self.reaching(view, place, read.block, i)
        if found.value is not None:
            self.program.assume_outside(found.outside, read.view.function.name)
            return found.value
        element = self._read_element(read, found)
        if element is not None:
            return element
        if found.on_entry and not read.among_elements:
            return read.resting(Value(self._on_entry(read, found)))
        left = (
            None if found.on_entry else self.behind_call(view, address.expr, place, read.block, i)
        )
        return read.resting(left if left is not None else Value(self._unknown(read, found)))

    def _given(self, read: _Read) -> Value | None:
        """What no store of the function settles: a word of the command line, a constant, what the
        system wrote; a symbol where any moment may change it, or where it is no number."""
        program, view, i = self.program, read.view, read.load
        string = program.argv_string(read.address.expr)
        if string is not None:
            return Value(string)
        if i.flags & {"volatile", "atomic"} or self._may_change_at_any_time(read.place):
            return Value(view.scalars.unknown(i))
        held = self.constant(view, read.address.expr, i.type)
        if held is not None:
            return read.resting(Value(held))
        out = program.out_parameter(view, i)
        if out is not None:
            return out
        if i.type != "ptr" and i.type[:1] != "i":
            return Value(view.scalars.unknown(i))
        row = self.rows.field(view, read.address.expr, read.block) if i.type == "ptr" else None
        return read.resting(Value(row.value.expr, row.preconditions)) if row is not None else None

    def _read_element(self, read: _Read, found: Reached) -> Value | None:
        """What stands at an index of an array, or of a vector."""
        if not found.on_entry and read.place.offset is None:
            filled = self._element(
                read.view, read.address, read.place, read.block, read.load, is_handed=False
            )
            if filled is not None:
                return filled
        if not read.among_elements:
            return None
        return self._in_vector(read.view, read.load, read.address, read.place)

    def _on_entry(self, read: _Read, found: Reached) -> Expr:
        """What the function found there when it was entered."""
        address = read.address.expr
        vector = vector_end(read.view, read.load)
        if vector is not None:
            return self._end_on_entry(read, *vector)
        text, inside = access_text(read.view, read.load)
        whole = Loaded(address, read.load.type, text, inside, read.place)
        return self.found_on_entry(read.view, whole, found.outside)

    def _end_on_entry(self, read: _Read, name: str, size: int) -> Expr:
        """The end of a vector of elements of `size` bytes: its begin and its number of elements."""
        place, address = read.place, read.address.expr
        before = place._replace(offset=_less(place.offset, 8))
        begin = Loaded(address - 8, read.load.type, f"{name}_begin", (), before)
        number = Loaded(address, SIZE, f"{name}{NUMBER}", (expr(size),), place)
        held = self._size_on_entry(read.view, number, read.block)
        is_main = read.view.function.name == self.program.entry
        start = self.on_entry(read.view, begin) if is_main else from_atom(begin)
        return start + held * size

    def _unknown(self, read: _Read, found: Reached) -> Expr:
        """A symbol: one for all loads that see the same writes, outside of all loops that write
        there no more."""
        view, i, address = read.view, read.load, read.address.expr
        text, inside = access_text(view, i)
        known = self.written(view, address, found, read.block, read.place)
        if known is not None and not read.among_elements:
            symbol, where = known
            self.note(symbol, found.outside)
        else:
            symbol, where = symbols.register(view.function.name, str(i.name)), read.block
            if not read.among_elements:
                where = self.hoisted(view, address, read.place, read.block, symbol)
            self.follow(view, symbol, address, read.place)
        return self.program.unknowns.add(
            UnknownInfo(
                symbol,
                "value",
                view.variable_name(i.token) or last_part(text) or "v",
                loaded_from(text),
                view.place(i),
                view.function.name,
                where,
                inside,
                i.type,
            )
        )

    def _size_on_entry(self, view: FunctionContext, number: Loaded, block: str) -> Expr:
        """A container's number of elements, found on entry, where all callers agree on it: of an
        element of another container, too."""
        address = stepped(view, number.address, block) if self.program.row_events else None
        if address is None or address == number.address:
            return self.entry_values.size_on_entry(view, number)
        place = self.entry_values.location(
            view, Loaded(address, SIZE, "", number.inside, number.origin)
        )
        row = Loaded(address, SIZE, number.text, number.inside, place)
        found = self.entry_values.size_on_entry(view, row)
        return from_atom(number) if found.atom == row else found

    def constant(self, view: FunctionContext, address: Expr, kind: str) -> Expr | None:
        """What a constant of the program, or a global that nothing writes, holds at an address: a
        number, or a function of a virtual table."""
        names = [s for s in address.symbols if symbols.global_name(s) is not None]
        if len(names) != 1 or len(address.symbols) != 1:
            return None
        offset = (address - sym(names[0])).constant
        g = self.initial(names[0])
        if g is None or not isinstance(offset, int):
            return None
        text = constant_at(self.program.layout, g.type, g.initializer, offset, kind)
        found = operand(text) if text is not None else None
        if isinstance(found, (IntLiteral, GlobalRef)) or found in ("null", "zeroinitializer"):
            return view.scalars.value(found).expr
        return None

    def initial(self, symbol: str) -> Global | None:
        """A global that holds what it starts with: a constant, or one that nothing writes; by the
        symbol of its address."""
        g = self.program.module.globals.get(symbols.global_name(symbol) or "")
        if g is None or not g.initializer:
            return None
        if g.attributes.endswith("constant"):
            return g
        is_written = symbol in self.writes.stored_to or symbol not in self.aliasing.private_globals
        return None if is_written else g

    def text_length(self, address: Expr) -> int | None:
        """The length of a text that the program never writes, by its address."""
        names = [s for s in address.symbols if symbols.global_name(s) is not None]
        if len(names) != 1 or len(address.symbols) != 1:
            return None
        offset = (address - sym(names[0])).constant
        g = self.initial(names[0])
        if g is None or not isinstance(offset, int):
            return None
        text = text_of(g.initializer) if offset >= 0 else None
        end = text.find(0, offset) if text is not None else -1
        return end - offset if end >= 0 else None

    def written(
        self,
        view: FunctionContext,
        address: Expr,
        found: Reached,
        block: str,
        place: MemoryLocation,
    ) -> tuple[str, str] | None:
        """The symbol of what known writes leave at an address, and the block that sets it: one for
        all loads that see these writes. None where the address changes in a loop around."""
        since = found.since
        header = view.forest.innermost.get(block)
        while since is not None and header is not None:
            if view.varying(address, header):
                return None
            header = view.loops[header].parent
        if since is None:
            return None
        symbol = symbols.unknown(view.function.name, since.writes, place.kind, address)
        if found.by is not None and place.kind == "ptr":
            self._behind.note(view, symbol, found.by, place)
        return symbol, since.block

    def text_of(self, a: Loaded) -> str:
        """The source expression of a value from memory; of one that was copied with its structure,
        the member's name."""
        place = a.origin
        if a.text or not isinstance(place, MemoryLocation) or place.member is None:
            return a.text
        return self.names.name(place.member.struct, place.member.start) or ""

    def _may_change_at_any_time(self, place: MemoryLocation) -> bool:
        """May a signal handler or another thread write there?"""
        return self.writes.may_come_at_any_time(place)

    def note(self, symbol: str, outside: frozenset[str]) -> None:
        if outside:
            self.assumed[symbol] = self.assumed.get(symbol, frozenset()) | outside

    def hoisted(
        self, view: FunctionContext, address: Expr, place: MemoryLocation, block: str, symbol: str
    ) -> str:
        """The block above all loops around that neither change the address nor write there; notes
        who is trusted not to."""
        where, header = block, view.forest.innermost.get(block)
        while (
            header is not None
            and not view.varying(address, header)
            and not self._written_in(view, view.loops[header].blocks, place)
        ):
            where = view.loops[header].preheader or view.function.entry.name
            self.note(
                symbol,
                frozenset().union(
                    *(
                        self.writes.trusted(w, place)
                        for w in self.writes.of(view.function)
                        if w.block in view.loops[header].blocks
                    )
                ),
            )
            header = view.loops[header].parent
        return where

    def _written_in(
        self, view: FunctionContext, blocks: frozenset[str], place: MemoryLocation
    ) -> bool:
        return any(
            trusted is None and w.block in blocks
            for w, trusted in zip(
                self.writes.of(view.function),
                self.writes.sparing(view.function, place),
                strict=True,
            )
        )

    def stays(
        self,
        view: FunctionContext,
        place: MemoryLocation,
        block: str,
        after: Instruction,
        loop: Loop,
        but_for: tuple[Instruction, ...] = (),
    ) -> bool:
        """Does a place hold what it does behind an instruction until a loop is left, but for some
        instructions?"""
        function = view.function
        if loop.preheader is None:
            return False
        between = {loop.preheader} - {block}
        if block != loop.preheader:
            between |= self.writes.leading(function, block, loop.preheader) - {block}
        outside: set[str] = set()
        for w, trusted in zip(
            self.writes.of(function), self.writes.sparing(function, place), strict=True
        ):
            after_it = w.block == block and w.instruction.line > after.line
            if not (after_it or w.block in between or w.block in loop.blocks):
                continue
            if w.instruction in but_for:
                continue
            if trusted is None and w.instruction.is_call:
                trusted = self.calls.leaves(view, w.instruction, place)
            if trusted is None:
                return False
            outside |= trusted
        self.program.assume_outside(frozenset(outside), view.function.name)
        return True

    def changing(
        self, view: FunctionContext, place: MemoryLocation, blocks: Collection[str]
    ) -> frozenset[Instruction]:
        """The instructions of these blocks that may write to a place."""
        found: set[Instruction] = set()
        outside: set[str] = set()
        spared = self.writes.sparing(view.function, place)
        for w, trusted in zip(self.writes.of(view.function), spared, strict=True):
            if w.block not in blocks:
                continue
            if trusted is None and w.instruction.is_call:
                trusted = self.calls.leaves(view, w.instruction, place)
            if trusted is None:
                found.add(w.instruction)
            else:
                outside |= trusted
        self.program.assume_outside(frozenset(outside), view.function.name)
        return frozenset(found)

    def changed_last(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> str:
        """Where a place may have changed last, of all that runs in a block before an instruction:
        by another one, or when the block begins. What is read behind it there is one value."""
        if self._may_change_at_any_time(place):
            return str(view.function.offset_of(before))
        last: Instruction | None = None
        spared = self.writes.sparing(view.function, place)
        for w, trusted in zip(self.writes.of(view.function), spared, strict=True):
            i = w.instruction
            if w.block != block or i.line >= before.line or (last and i.line < last.line):
                continue
            if trusted is None and i.is_call:
                trusted = self.calls.leaves(view, i, place)
            if trusted is None or trusted:
                last = i
        return block if last is None else str(view.function.offset_of(last))

    def may_change_at_any_time(self, place: MemoryLocation) -> bool:
        """May another thread or a handler write to a place?"""
        return self._may_change_at_any_time(place)

    def size_before_end(self, view: FunctionContext, load: Instruction) -> int | None:
        """The size of an element of a vector, where a load reads where its elements end."""
        found = vector_end(view, load)
        return None if found is None else found[1]

    def standing(
        self, view: FunctionContext, load: Instruction, block: str, before: Instruction
    ) -> Value | None:
        """What stands where a load reads, when control is before an instruction of `block`; None
        where any moment may change it, or where it is among a container's elements."""
        place = self.aliasing.location(view.function, load.operands[0], load.type, load.tbaa)
        address = view.scalars.value(load.operands[0])
        read = _Read(view, load, address, place, block)
        if (
            load.flags & {"volatile", "atomic"}
            or self._may_change_at_any_time(place)
            or read.among_elements
        ):
            return None
        found = self.reaching(view, place, block, before)
        if found.value is not None:
            self.program.assume_outside(found.outside, view.function.name)
            return found.value
        if found.on_entry:
            return read.resting(Value(self._on_entry(read, found)))
        text, inside = access_text(view, load)
        name = symbols.unknown(view.function.name, "at", f"{block}.{load.token}")
        info = UnknownInfo(
            name,
            "value",
            last_part(text) or "v",
            loaded_from(text),
            view.place(load),
            view.function.name,
            block,
            inside,
            load.type,
        )
        return read.resting(Value(self.program.unknowns.add(info)))

    def element(self, view: FunctionContext, a: Loaded) -> Expr:
        """What a function finds at an address whose index has been put in: an element of a
        table."""
        if a.kind[:1] != "i":
            return from_atom(a)
        held = self.constant(view, a.address, a.kind)
        return self.on_entry(view, a) if held is None else held

    def table(self, view: FunctionContext, load: Instruction) -> PointerTable | None:
        """What a pointer may be that is read from a table, or through its entries."""
        return self._pointer_tables.read(view, load)

    # -- what the parts answer
    def reaching(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Reached:
        """What stands at the place when control is before an instruction of `block`."""
        if place.slot:
            return Reached(None, on_entry=True)
        if self._may_change_at_any_time(place):
            return UNREACHED
        return self.stores.reaching(view, place, block, before)

    def perhaps_unset(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Value | None:
        """What stands at the place there; NEVER_SET in it stands for what a local variable holds
        where nothing has set it."""
        if place.slot or self._may_change_at_any_time(place):
            return None
        return self.stores.perhaps_unset(view, place, block, before).value

    def held(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Expr | None:
        """What stands at a place when control is before an instruction of `block`, where that rests
        on nothing."""
        found = self.reaching(view, place, block, before)
        if found.on_entry:
            return self.stores.before_all(view, place)
        value = found.value
        return value.expr if value is not None and not value.preconditions else None

    def before(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Value | None:
        """What stands at a fixed place when control is before an instruction: what was stored there
        or found on entry, or what one loop has left in an array."""
        found = self.reaching(view, place, block, before)
        if found.on_entry:
            on_entry = self.stores.before_all(view, place)
            return None if on_entry is None else Value(on_entry)
        return found.value or self.in_filled(view, place, block, before)

    def object_of(self, view: FunctionContext, symbol: str) -> UnderlyingObject | None:
        """The object or pointer argument whose address a symbol is."""
        return self.entry_values.root_of(view, symbol)

    def filled(
        self,
        view: FunctionContext,
        address: Value,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Value | None:
        """What a function that is called in a block finds in an array that one loop has filled;
        None where nothing is known of it."""
        if self._may_change_at_any_time(place):
            return None
        return self._element(view, address, place, block, before, is_handed=True)

    def in_filled(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Value | None:
        """What stands at a fixed place of an array that one loop has filled."""
        if place.underlying_object is None or place.offset is None:
            return None
        address = Value(
            sym(self.entry_values.pointer_symbol(view, place.underlying_object)) + place.offset
        )
        return self._element(view, address, place, block, before, is_handed=False)

    def _element(
        self,
        view: FunctionContext,
        address: Value,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        *,
        is_handed: bool,
    ) -> Value | None:
        """What stands at an address among the elements of an array, when control is before an
        instruction. `is_handed`: a function reads it that is called there, of which nothing more is
        known than that its rows do not fall (`telescoping`)."""
        if place.kind not in NUMBERS:
            return None
        for symbol in pointers_of(address.expr):
            if has_pointers(view, address.expr - sym(symbol)):
                continue
            held = self._behind.contents(view, symbol, place, block, before)
            needs = held.where_rising() if held is not None and is_handed else NO_PRECONDITIONS
            if held is None or needs is None:
                continue
            try:
                held = replace(held, entry=None)  # which a load tells better than a formula
                found = held.read(address.expr - sym(symbol), here(view, block))
            except TooComplex:
                found = None
            if found is not None:
                trusted = self._arrays.trusted(view, symbol, place, block)
                self.program.assume_outside(trusted, view.function.name)
                held_there = found.expr.map_atoms(
                    lambda a: self.element(view, a) if isinstance(a, Loaded) else from_atom(a)
                )
                return Value(held_there, found.preconditions | needs | address.preconditions)
        return None

    def _in_vector(
        self, view: FunctionContext, i: Instruction, address: Value, place: MemoryLocation
    ) -> Value | None:
        """The number that is an element of a vector."""
        if place.kind not in NUMBERS:
            return None
        block = view.function.block_of[i.token]
        held = elements(self._arrays, view, address.expr, place, block, i.line)
        found = None if held is None else held[0].read(held[1], here(view, block))
        return found and Value(found.expr, found.preconditions | address.preconditions)

    def behind_call(
        self,
        view: FunctionContext,
        address: Expr,
        place: MemoryLocation,
        block: str,
        before: Instruction,
    ) -> Value | None:
        """The number behind a pointer that a call has left in memory, or the address of a global
        there."""
        if place.kind not in (*NUMBERS, "ptr") or self._may_change_at_any_time(place):
            return None
        found = self._behind.value(view, address, place, block, before)
        if place.kind == "ptr" and found is not None and shares(found.expr) is None:
            return None
        return found

    def follow(
        self, view: FunctionContext, symbol: str, address: Expr, place: MemoryLocation
    ) -> None:
        """Note that a symbol stands for the pointer that is read at an address."""
        if place.kind == "ptr":
            self._behind.follow(view, symbol, address, place)

    def on_exit(self, function: Function, place: MemoryLocation) -> Reached:
        """What a function leaves at a place, over its arguments."""
        return self.calls.on_exit(function, place)

    def on_entry(self, view: FunctionContext, value: Loaded) -> Expr:
        """The value on entry where all callers agree on a formula, else the symbol itself."""
        return self.entry_values.on_entry(view, value)

    def found_on_entry(self, view: FunctionContext, a: Loaded, outside: frozenset[str]) -> Expr:
        """What a function found at an address when it was entered, where `outside` are taken not to
        have written there since."""
        self.note(a.key, outside)
        value = self.on_entry(view, a)
        if value.atom != a:  # no symbol is left to which the note belongs
            self.program.assume_outside(outside, view.function.name)
        return value

    def lift(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        e: Expr,
        arguments: Mapping[str, Expr],
        needed: set[Expr] | None = None,
    ) -> Expr:
        """A callee's formula in the caller's terms, with memory as it is before an instruction;
        `needed` collects what the values there rest on."""
        return self.entry_values.lift(view, block, before, e, arguments, needed)


def _less(offset: int | None, number: int) -> int | None:
    return None if offset is None else offset - number
