"""What single writes of a function leave in one array: stores, memset, copies and calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ..alias.memory_location import MemoryLocation, Pointer
from ..expr import ZERO, Atom, Expr, Loaded, expr, from_atom, is_integer, maximum, sym, symbols
from ..ir.graph import callee
from ..ir.matchers import is_return, is_store
from ..ir.types import GlobalRef, Instruction, Operand
from ..scev.arithmetic.fits import handed_on
from ..scev.context import FunctionContext
from ..scev.values import Value
from .array_addresses import has_pointers, here, pointers_of
from .contents import Axis, Bottom, Contents, Here, Piece
from .row_addresses import stepped
from .writes import Write

if TYPE_CHECKING:
    from .memory_ssa import MemorySSA

_DEEPEST = 4
"""Calls through which contents are followed."""
LAST_LINE = 1 << 62
"""A line behind all of a function."""
UNKNOWN = (Piece(ZERO, None, (), ZERO),)
"""Stands for writes of which nothing is known."""


class Array(NamedTuple):
    """An array as one function knows it: its elements' kind, the symbol of its address, and the
    symbols of pointers to other objects."""

    place: MemoryLocation
    start: Expr
    apart: frozenset[str] = frozenset()


class Definitions:
    """The writes of a function, one by one, to an array."""

    def __init__(self, ssa: MemorySSA, view: FunctionContext, array: Array) -> None:
        self.ssa, self.view, self.array = ssa, view, array
        self.size = view.program.layout.size(array.place.kind) or 0

    def _here(self, block: str) -> Here:
        """What is known in a block."""
        return here(self.view, block)

    def stored(self, w: Write) -> Sequence[Piece]:
        """What one write leaves."""
        i = w.instruction
        if is_store(i):
            return self._of_store(w)
        if not i.is_call:
            return UNKNOWN
        name = callee(i) or ""
        if name.startswith("llvm.memset") or name == "memset":
            return self._of_memset(w)
        if name.startswith(("llvm.memcpy", "llvm.memmove")) or name in ("memcpy", "memmove"):
            return self._of_copy(w)
        return self.of_call(w)

    def offset(self, address: Operand, block: str) -> Expr | None:
        """Bytes from the array's start to an address in a block."""
        value = self.view.scalars.value(address)
        offset = value.expr - self.array.start
        if self.array.start.symbols & offset.symbols:  # by a pointer that goes on
            offset = stepped(self.view, value.expr, block) - self.array.start
        if value.preconditions or has_pointers(self.view, offset):
            return None
        return offset if is_integer(offset * Fraction(1, self.size)) else None

    def _of_store(self, w: Write) -> Sequence[Piece]:
        i = w.instruction
        offset = self.offset(i.operands[1], w.block)
        if offset is None or i.type != self.array.place.kind or i.flags & {"volatile", "atomic"}:
            return UNKNOWN
        value = handed_on(self.view, i.operands[0])
        return (Piece(offset, value.expr, needs=value.preconditions),)

    def _of_memset(self, w: Write) -> Sequence[Piece]:
        i = w.instruction
        row = self._row(w, i.operands[1], i.operands[3])
        value = {"0": ZERO, "-1": expr(-1), "255": expr(-1)}.get(str(i.operands[2]))
        return UNKNOWN if row is None else (replace(row, value=value),)

    def _row(self, w: Write, address: Operand, length: Operand) -> Piece | None:
        """The elements that so many bytes from an address on are; their value is not known yet."""
        offset, nbytes = self.offset(address, w.block), self.view.scalars.value(length)
        if offset is None:
            return None
        number = nbytes.expr * Fraction(1, self.size)
        if any(Fraction(c).denominator != 1 for c in number.terms.values()):
            return None
        index = symbols.iteration(self.view.function.name, f"bytes{w.instruction.line}")
        axis = Axis(index, expr(self.size), maximum(ZERO, number))
        return Piece(offset, None, (axis,), needs=nbytes.preconditions)

    def _of_copy(self, w: Write) -> Sequence[Piece]:
        i = w.instruction
        row = self._row(w, i.operands[1], i.operands[3])
        if row is None:
            return UNKNOWN
        source = self.view.scalars.value(i.operands[2])
        index = sym(row.axes[0].index)
        if self._is_constant(i.operands[2]) and not source.preconditions:
            at = source.expr + index * self.size
            return (replace(row, value=from_atom(Loaded(at, self.array.place.kind))),)
        for symbol in pointers_of(source.expr):
            if source.preconditions or has_pointers(self.view, source.expr - sym(symbol)):
                continue
            held = self.ssa.contents(self.view, symbol, self.array.place, w.block, i.line)
            if held is None:
                continue
            inside = self._here(w.block).plus(index).plus(row.axes[0].length - 1 - index)
            at = source.expr - sym(symbol) + index * self.size
            value = held.read(at, inside)
            if value is not None and bound_in(row).isdisjoint(needed_symbols(value)):
                return (replace(row, value=value.expr, needs=row.needs | value.preconditions),)
        return (row,)

    def _is_constant(self, pointer: Operand) -> bool:
        """Does a pointer lead into a constant of the program?"""
        base, _ = self.ssa.memory.aliasing.underlying_object(self.view.function, pointer)
        g = self.view.program.module.globals.get(base.name) if isinstance(base, GlobalRef) else None
        return g is not None and g.attributes.endswith("constant")

    def of_call(self, w: Write) -> Sequence[Piece]:
        """What a call of a function of the program leaves, over its arguments."""
        view, call = self.view, w.instruction
        target = view.program.target(view.function.name, call)
        if target is None or target.name in view.program.calls.recursive:
            return UNKNOWN
        handed = [
            (at, value.expr - self.array.start)
            for at, o in enumerate(call.operands[1:])
            if self.array.start.symbols & (value := view.scalars.value(o)).expr.symbols
        ]
        base = self.array.place.underlying_object
        if any(at >= len(target.parameters) for at, _ in handed):
            return UNKNOWN
        if not handed and not isinstance(base, GlobalRef):
            return UNKNOWN
        inner = view.program.view(target.name)
        others = frozenset(
            view.program.argument_symbol(target, at)
            for at, (o, p) in enumerate(zip(call.operands[1:], target.parameters, strict=False))
            if p.type == "ptr" and self.is_other(o)
        )
        names = [
            (view.program.argument_symbol(target, at), shift)
            for at, shift in handed
            if not has_pointers(view, shift)
        ]
        for symbol, shift in names or [(str(self.array.start.atom), ZERO)]:
            left = self._at_end(inner, symbol, others)
            if left is not None and left.bottom is Bottom.ON_ENTRY:
                return self._of_callee(left, shift, w)
        return UNKNOWN

    def _of_callee(self, left: Contents, shift: Expr, w: Write) -> Sequence[Piece]:
        """What a callee leaves so many bytes behind the start of the array."""
        view, call = self.view, w.instruction
        updates = [self._without_loaded(p) for p in left.pieces]
        pieces = brought(view, [p for p, _ in updates], w.block, call)
        if pieces is None:
            return UNKNOWN
        return [
            replace(self._with_loaded(p, found, w), offset=p.offset + shift)
            for p, (_, found) in zip(pieces, updates, strict=True)
        ]

    def _without_loaded(self, piece: Piece) -> tuple[Piece, dict[str, Loaded]]:
        """A piece of a callee with symbols for what the callee finds in memory at its elements:
        what `p[i] += 2` adds to."""
        found: dict[str, Loaded] = {}
        if piece.value is None or not piece.axes:
            return piece, found
        bound = {a.index for a in piece.axes}

        def change(a: Atom) -> Expr:
            if not isinstance(a, Loaded) or bound.isdisjoint(a.symbols):
                return from_atom(a)
            name = symbols.nested(f"{piece.axes[0].index}.{len(found)}")
            found[name] = a
            return sym(name)

        return replace(piece, value=piece.value.map_atoms(change)), found

    def _with_loaded(self, piece: Piece, found: Mapping[str, Loaded], w: Write) -> Piece:
        """A piece in the caller's terms with what the callee finds in memory at its elements."""
        if piece.value is None or not found:
            return piece
        inside = self._here(w.block)
        for a in piece.axes:
            inside = inside.plus(sym(a.index)).plus(a.length - 1 - sym(a.index))
        values: dict[str, Expr] = {}
        needs = piece.needs
        for name, loaded in found.items():
            value = self._at_address(loaded.address, w, inside)
            if value is None or not bound_in(piece).isdisjoint(needed_symbols(value)):
                return replace(piece, value=None)
            values[name] = value.expr
            needs |= value.preconditions
        return replace(piece, value=piece.value.substitute(values), needs=needs)

    def _at_address(self, address: Expr, w: Write, inside: Here) -> Value | None:
        """What stands at an address of a callee when it is called."""
        view = self.view
        moved = view.program.at_call(view, w.block, w.instruction, Value(address))
        for symbol in () if moved.preconditions else pointers_of(moved.expr):
            if has_pointers(view, moved.expr - sym(symbol)):
                continue
            held = self.ssa.contents(view, symbol, self.array.place, w.block, w.instruction.line)
            if held is not None:
                return held.read(moved.expr - sym(symbol), inside)
        return None

    def is_other(self, operand: Operand) -> bool:
        """Does an argument point to another object?"""
        aliasing = self.ssa.memory.aliasing
        base = self.array.place.underlying_object
        found = {
            self.ssa.memory.object_of(self.view, s)
            for s in self.view.scalars.value(operand).expr.symbols
        } - {None}
        return len(found) == 1 and all(aliasing.distinct(base, other) for other in found)

    def _at_end(
        self, inner: FunctionContext, symbol: str, apart: frozenset[str]
    ) -> Contents | None:
        """What a function leaves in the object behind one of its arguments."""
        ends = [
            b
            for b in inner.function.blocks.values()
            if is_return(b.terminator) and b.name in inner.reachable
        ]
        if len(ends) != 1 or self.ssa.depth >= _DEEPEST:
            return None
        self.ssa.depth += 1
        try:
            return self.ssa.contents(
                inner, symbol, self.array.place.somewhere(), ends[0].name, LAST_LINE, apart
            )
        finally:
            self.ssa.depth -= 1

    def _made_by_call(self, made: Instruction) -> Contents | None:
        """What a call leaves in the memory that it returns."""
        program = self.view.program
        target = program.target(self.view.function.name, made)
        own = self.ssa.memory.aliasing.made(target) if target is not None else None
        if target is None or own is None or target.name in program.calls.recursive:
            return None
        inner = program.view(target.name)
        symbol = self.ssa.memory.entry_values.pointer_symbol(inner, Pointer(target.name, own[1]))
        left = self.ssa.contents(inner, symbol, self.array.place.somewhere(), own[0], LAST_LINE)
        if left is None:
            return None
        pieces = brought(self.view, left.pieces, self.view.function.block_of[made.token], made)
        return None if pieces is None else replace(left, pieces=tuple(pieces))


def brought(
    view: FunctionContext, pieces: Sequence[Piece], block: str, call: Instruction
) -> list[Piece] | None:
    """Pieces of a callee in the caller's terms; None where one has no formula there."""
    program = view.program
    found: list[Piece] = []
    for piece in pieces:
        needs: set[Expr] = set()

        def carried(e: Expr, needs: set[Expr] = needs) -> Expr:
            value = program.at_call(view, block, call, Value(e))
            needs |= value.preconditions
            return value.expr

        if piece.value is not None and not program.is_portable(Value(piece.value)):
            piece = replace(piece, value=None)
        if not all(program.is_portable(Value(e)) for e in piece.formulas()):
            return None
        moved = piece.mapped(carried)
        bound = {a.index for a in piece.axes}
        if any(not bound.isdisjoint(n.symbols) for n in needs):
            return None
        found.append(replace(moved, needs=moved.needs | needs))
    return found


def bound_in(piece: Piece) -> set[str]:
    """The symbols that a piece's axes bind."""
    return {a.index for a in piece.axes}


def needed_symbols(value: Value) -> frozenset[str]:
    """The symbols of what a value rests on."""
    return frozenset[str]().union(*(n.symbols for n in value.preconditions))
