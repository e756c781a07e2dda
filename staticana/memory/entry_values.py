"""What a function finds in memory when it is entered (`Loaded`), answered by its callers.

A value that no store of the function sets before it is read is a symbol of the function's formulas.
At each call it is replaced by what stands there in the caller (`lift`); where all callers agree on
a formula in program parameters, that formula is the value itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ..alias.call_graph import Site
from ..alias.memory_location import EntryPointer, MemoryLocation, Pointer, UnderlyingObject
from ..expr import (
    LENGTH_OF,
    SIZE,
    STORAGE_OF,
    ZERO,
    Expr,
    Loaded,
    TooComplex,
    carried,
    expr,
    from_atom,
    is_nonnegative,
    is_storage,
    sym,
    symbols,
)
from ..expr.budget import Provisional
from ..ir.graph import constructors
from ..ir.initialisers import number_at
from ..ir.matchers import is_alloca
from ..ir.types import Function, GlobalRef, Instruction, Register, quoted
from ..scev.arithmetic.fits import is_narrow
from ..scev.context import FunctionContext
from ..scev.source_names import last_part, seen_by_caller
from ..scev.unknowns import UnknownInfo, loaded_from
from ..scev.values import UNREACHED, Reached, Value

if TYPE_CHECKING:
    from .memory import Memory


def _named(e: Expr) -> frozenset[str]:
    """The symbols of a formula but for addresses of elements of containers."""
    return frozenset(s for s in e.symbols if not s.startswith(f"{symbols.LOADED}{STORAGE_OF}"))


def _as_read(kind: str, value: Value) -> Value:
    """What was stored, as a number that a function of its own reads: of a narrow type what is known
    is right modulo a power of two, and it must fit."""
    if not is_narrow(kind) or isinstance(value.expr.atom, Loaded):
        return value
    half = 1 << (int(kind[1:]) - 1)
    number = value.expr.constant
    if isinstance(number, int):
        return Value(expr((number + half) % (2 * half) - half), value.preconditions)
    return Value(value.expr, value.preconditions | {value.expr + half, half - 1 - value.expr})


class EntryValues:
    """Values that functions find in memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.program = memory, memory.program
        self._lifted: dict[tuple[str, int, str, bool], Value] = {}
        self._bound: dict[tuple[str, str], Expr | None] = {}
        self.asked: dict[str, dict[str, Loaded]] = {}  # what is read on entry, by function

    def lift(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        e: Expr,
        arguments: Mapping[str, Expr],
        needed: set[Expr] | None = None,
    ) -> Expr:
        """A formula of a callee, its arguments put in, with the memory it reads as it is before an
        instruction. `needed` collects what the values rest on; without it, a value that rests on
        preconditions is a symbol."""
        return carried(e, arguments, lambda a: self._at(view, block, before, a, needed))

    def _at(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        a: Loaded,
        needed: set[Expr] | None,
    ) -> Expr:
        key = (view.function.name, before.line, a.key, needed is not None)
        if key not in self._lifted:
            found = self._lift_one(view, block, before, a)
            if found.preconditions and needed is None:
                found = Value(self._symbol(view, block, before, a, UNREACHED))
            self._lifted[key] = found
        if needed is not None:
            needed |= self._lifted[key].preconditions
            if a.is_never_negative:
                needed |= self._as_number(self._lifted[key].expr)
        return self._lifted[key].expr

    def _as_number(self, size: Expr) -> frozenset[Expr]:
        """What a number of elements needs that the program is given: not to be below 0."""
        is_given = all(self.program.unknowns.get(s) is None for s in size.symbols)
        return frozenset((size,) if is_given and not is_nonnegative(size) else ())

    def _lift_one(self, view: FunctionContext, block: str, before: Instruction, a: Loaded) -> Value:
        if a.kind.startswith(STORAGE_OF):
            return Value(from_atom(a))
        a = seen_by_caller(view, before, a)
        if a.kind == LENGTH_OF:
            length = self.memory.text_length(a.address)
            if length is not None:
                return Value(expr(length))
            return Value(self._symbol(view, block, before, a, UNREACHED))
        held = self.memory.constant(view, a.address, a.kind) if a.kind == "ptr" else None
        if held is not None:  # an entry of a virtual table
            return Value(held)
        row = self.memory.rows.field(view, a.address, block)
        if row is not None and a.kind == SIZE and a.inside[0].constant is not None:
            return Value(row.bytes * Fraction(1, int(a.inside[0].constant)), row.preconditions)
        if row is not None and a.kind == "ptr":
            return row.value
        place = self.location(view, a)
        number = a.inside[0].constant if a.kind == SIZE and a.inside else None
        if isinstance(number, int):
            self.memory.stores.note_end(place, number)
        found = self.memory.reaching(view, place, block, before)
        if a.kind == SIZE:
            if found.on_entry:
                return Value(self.size_on_entry(view, a))
            size = self._size(view, block, before, a, place)
            return size or Value(self._symbol(view, block, before, a, UNREACHED))
        if found.value is not None:
            self.program.assume_outside(found.outside, view.function.name)
            return _as_read(a.kind, found.value)
        if found.on_entry and not is_storage(a.address):
            return Value(self.memory.found_on_entry(view, a, found.outside))
        filled = self.memory.filled(view, Value(a.address), place, block, before)
        if filled is None:
            at = place._replace(size=self.program.layout.size(a.kind), kind=a.kind)
            filled = self.memory.behind_call(view, a.address, at, block, before)
        if filled is None:
            return Value(self._symbol(view, block, before, a, found))
        return _as_read(a.kind, filled)

    def _size(
        self,
        view: FunctionContext,
        block: str,
        before: Instruction,
        a: Loaded,
        place: MemoryLocation,
    ) -> Value | None:
        """The number of elements of a contiguous container whose begin and end are known."""
        if place.offset is None or not a.inside:
            return None
        reaching = self.memory.reaching
        end = reaching(view, place._replace(kind="ptr"), block, before)
        at = place._replace(kind="ptr", offset=place.offset - 8)
        begin = reaching(view, at, block, before)
        start = begin.value
        if start is None and begin.on_entry:
            start = Value(self.on_entry(view, Loaded(a.address - 8, "ptr", "", (), at)))
        if start is None or end.value is None or a.inside[0].constant is None:
            return None
        self.program.assume_outside(begin.outside | end.outside, view.function.name)
        number = (end.value.expr - start.expr) * Fraction(1, int(a.inside[0].constant))
        return Value(number, start.preconditions | end.value.preconditions)

    def _symbol(
        self, view: FunctionContext, block: str, before: Instruction, a: Loaded, found: Reached
    ) -> Expr:
        if any(map(symbols.is_iteration, a.symbols)):
            raise TooComplex  # a value for each term of a sum: there is no symbol for all of them
        memory = self.memory
        text = memory.text_of(a)
        place = self.location(view, a)._replace(kind=a.kind)
        symbol, where = memory.written(view, a.address, found, block, place) or (
            symbols.unknown(
                view.function.name, f"at{memory.changed_last(view, place, block, before)}", a.what
            ),
            None,
        )
        if where is None:
            where = memory.hoisted(view, a.address, self.location(view, a), block, symbol)
            memory.follow(view, symbol, a.address, self.location(view, a)._replace(kind=a.kind))
        else:
            memory.note(symbol, found.outside)
        return self.program.unknowns.add(
            UnknownInfo(
                symbol,
                "value",
                last_part(text) or "v",
                loaded_from(text),
                view.place(before),
                view.function.name,
                where,
                a.inside,
                a.kind,
            )
        )

    def location(self, view: FunctionContext, a: Loaded) -> MemoryLocation:
        """Where an address formula of a function points."""
        origin = (
            a.origin
            if isinstance(a.origin, MemoryLocation)
            else MemoryLocation(None, kind="" if a.kind == LENGTH_OF else a.kind)
        )
        roots: list[UnderlyingObject | None] = []
        for monomial, coefficient in a.address.terms.items():
            for atom, n in monomial:
                root = self.root_of(view, atom.key)
                if root is not None:
                    roots.append(
                        root if coefficient == 1 and n == 1 and len(monomial) == 1 else None
                    )
        if not roots:
            return self._behind_entry(view, a, origin)
        root = roots[0] if len(roots) == 1 else None
        rest = (
            (a.address - sym(self.pointer_symbol(view, root))).constant
            if root is not None
            else None
        )
        return origin._replace(
            underlying_object=root, offset=int(rest) if rest is not None else None
        )

    def _behind_entry(
        self, view: FunctionContext, a: Loaded, origin: MemoryLocation
    ) -> MemoryLocation:
        """Where an address points that is based on a pointer found in memory on entry."""
        found = [
            m
            for m in a.address.terms
            if any(isinstance(atom, Loaded) and atom.kind[:1] != "i" for atom, _ in m)
        ]
        base: Pointer | None = None
        rest: int | None = None
        if len(found) == 1 and len(found[0]) == 1 and a.address.terms[found[0]] == 1:
            atom, power = found[0][0]
            if power == 1 and isinstance(atom, Loaded) and atom.kind == "ptr":
                base = EntryPointer(view.function.name, Register(f"%{atom.key}"))
                base.held = self._held_at(view, atom.address)
                offset = (a.address - from_atom(atom)).constant
                rest = int(offset) if offset is not None else None
        return origin._replace(underlying_object=base, offset=rest)

    def _held_at(self, view: FunctionContext, address: Expr) -> tuple[UnderlyingObject, int] | None:
        """The object that an address is in, and where in it."""
        for s in sorted(address.symbols):
            root, rest = self.root_of(view, s), (address - sym(s)).constant
            if root is not None and rest is not None:
                return root, int(rest)
        return None

    def root_of(self, view: FunctionContext, symbol: str) -> UnderlyingObject | None:
        """The object or pointer argument that a symbol of an address stands for."""
        if symbols.global_name(symbol) is not None:
            return GlobalRef(symbol)
        for at, p in enumerate(view.function.parameters):
            if p.type == "ptr" and symbol == self.program.argument_symbol(view.function, at):
                return Pointer(view.function.name, p.token)
        name = symbols.register_name(symbol, view.function.name)
        if name is not None:
            i = view.function.definitions.get(f"%{quoted(name)}")
            if i is not None and (i.type == "ptr" or is_alloca(i)):
                return Pointer(view.function.name, i.token)
        return None

    def pointer_symbol(self, view: FunctionContext, base: UnderlyingObject) -> str:
        """The symbol of the address of an object or pointer."""
        if isinstance(base, GlobalRef):
            return base
        for at, p in enumerate(view.function.parameters):
            if p.token == base.register:
                return self.program.argument_symbol(view.function, at)
        return symbols.register(view.function.name, base.register.name)

    def on_entry(self, view: FunctionContext, a: Loaded) -> Expr:
        """The value on entry where all callers agree on a formula in program parameters, else the
        symbol itself."""
        if not self.program.asks_callers and view.function.name != self.program.entry:
            self.asked.setdefault(view.function.name, {}).setdefault(a.key, a)
            return from_atom(a)
        if self.program.asks_contexts and view.function.name != self.program.entry:
            held = self.program.agreed(view.function.name, a)
            return held if held is not None else from_atom(a)
        key = (view.function.name, a.key)
        if key not in self._bound:
            with contextlib.suppress(TooComplex), Provisional(self._bound, key, None):
                self._bound[key] = self._agreed(view.function, a)
        value = self._bound[key]
        return value if value is not None else from_atom(a)

    def size_on_entry(self, view: FunctionContext, a: Loaded) -> Expr:
        """A container's number of elements, found on entry: of one that may be an element of
        another one, what all callers agree on, since there is one for each address."""
        is_asked = self.program.row_events or view.function.name == self.program.entry
        return self.on_entry(view, a) if is_asked else from_atom(a)

    def _agreed(self, function: Function, a: Loaded) -> Expr | None:
        program = self.program
        if function.name == program.entry:
            is_first = function.name == "main" and not program.calls.runs_again
            return self._initial(a) if is_first else None
        if (
            function.name in program.calls.pointed
            or function.name in program.calls.recursive
            or function.name not in program.calls.reachable
        ):
            return None
        if self.changes(function, a) and not program.runs_once(function.name):
            return None
        found: set[Expr] = set()
        own = set(filter(symbols.is_iteration, a.symbols))  # of the loops around the access
        for site in program.calls.callers.get(function.name, ()):
            caller = program.view(site.caller)
            if site.block not in caller.reachable:
                continue
            value = _at_site(caller, site, a)
            if not _is_told(value, own):
                return None
            found.add(value)
            if len(found) > 1:
                return None
        return found.pop() if found else None

    def at_site(self, site: Site, a: Loaded) -> Expr:
        """What a call leaves where its callee reads a value on entry, in the caller's terms.

        Raises:
            TooComplex: there is no formula.
        """
        return _at_site(self.program.view(site.caller), site, a)

    def changes(self, function: Function, a: Loaded) -> bool:
        """May a function write what it reads, so that its next call finds another value?"""
        if not isinstance(a.origin, MemoryLocation):
            return False
        aliasing = self.memory.aliasing
        return any(aliasing.may_alias(a.origin, w) for w in aliasing.mod_ref(function.name).writes)

    def _initial(self, a: Loaded) -> Expr | None:
        """What a global holds when main is entered."""
        if a.kind == SIZE:
            return self._initial_size(a)
        found = a.address.symbols
        if len(found) != 1:
            return None
        (name,) = found
        offset = (a.address - sym(name)).constant
        held = symbols.global_name(name)
        g = self.program.module.globals.get(held) if held is not None else None
        if g is None or not isinstance(offset, int):
            return None
        if self._constructors:
            place = a.origin if isinstance(a.origin, MemoryLocation) else MemoryLocation(None)
            place = place._replace(
                underlying_object=GlobalRef(name),
                offset=offset,
                size=self.program.layout.size(a.kind),
                kind=a.kind,
            )
            writers = [f for f in self._constructors if self._may_write(f, place)]
            if writers:
                return self._constructed(writers, place)
        return number_at(self.program.layout, g.type, g.initializer, offset, a.kind)

    def _initial_size(self, a: Loaded) -> Expr | None:
        """The elements that a global container has when main is entered."""
        origin = a.origin if isinstance(a.origin, MemoryLocation) else MemoryLocation(None)
        ends = [
            self._initial(Loaded(a.address - back, "ptr", "", (), origin._replace(kind="ptr")))
            for back in (0, 8)
        ]
        if None in ends or not a.inside or a.inside[0].constant is None:
            return None
        return ((ends[0] or ZERO) - (ends[1] or ZERO)) * Fraction(1, int(a.inside[0].constant))

    @cached_property
    def _constructors(self) -> tuple[Function, ...]:
        """The functions that run before main."""
        module = self.program.module
        return tuple(module.functions[name] for name in sorted(constructors(module)))

    def _may_write(self, function: Function, place: MemoryLocation) -> bool:
        aliasing = self.memory.aliasing
        return any(aliasing.may_alias(place, w) for w in aliasing.mod_ref(function.name).writes)

    def _constructed(self, writers: Sequence[Function], place: MemoryLocation) -> Expr | None:
        """What the one function that writes a place before main leaves there: a formula that rests
        on no memory, for who runs first of several is not said."""
        if len(writers) > 1 or writers[0].name not in self.program.defined:
            return None
        value = self.memory.on_exit(writers[0], place).value
        if value is None or value.preconditions:
            return None
        known = (symbols.global_name(s) is not None for s in _named(value.expr))
        return value.expr if all(known) else None


def _at_site(caller: FunctionContext, site: Site, a: Loaded) -> Expr:
    """What a callee reads on entry, in its caller's terms: found in the analysis that the caller's
    view belongs to."""
    program = caller.program
    # of others, values that are being found need not be asked for, which had a stand-in then
    arguments = program.arguments(
        caller, site.block, site.instruction, program.defined[site.callee], a.symbols
    )
    return program.memory.lift(caller, site.block, site.instruction, from_atom(a), arguments)


def _is_told(value: Expr, own: set[str]) -> bool:
    """Is a value a formula in what is the same in all functions, and in the iterations of loops
    around its access?"""
    named = value.atom is not None and symbols.global_name(value.atom.key) is not None
    return named or not any(map(symbols.is_internal, value.symbols - own))
