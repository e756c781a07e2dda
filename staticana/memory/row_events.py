"""What a program does to the sizes of containers that are elements of containers.

The models of container functions tell when such elements (rows) come to be, with how many bytes,
and when one changes (`frontend.model_bodies`). Here these events are found at the calls of the
models and followed up the call graph to the object that the container is. Rows that are made empty
and then filled by one loop over all of them count as made so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ..alias.memory_location import Pointer, UnderlyingObject, offset_sum
from ..expr import ONE, ZERO, Expr, Loaded, from_atom, maximum, sym
from ..frontend.model_bodies import GROWN, ROWS, SAME, SIZED, container_number
from ..ir import cxx_names as cxx
from ..ir.graph import callee
from ..ir.matchers import is_load, is_phi, is_return
from ..ir.system_files import is_system_file
from ..ir.types import Function, Instruction, IntLiteral, Operand
from ..scev.context import FunctionContext
from ..scev.values import Place, Places, RowEvent, Value, Window
from .row_addresses import ROW_BYTES, loops_around, number_of, stepped, storage_of

if TYPE_CHECKING:
    from .memory import Memory

_DEPTH = 6
"""Functions, one calling the other, that hand on a vector of rows."""
_ROW = "row number"
"""Stands for the number of a row in formulas that are carried to callers: no parameter's name."""
_NOWHERE = Operand("null")
_MARKERS = (f"@{ROWS}", f"@{SIZED}", f"@{GROWN}", f"@{SAME}")
_HARMLESS = frozenset(
    "operator[] at front back begin end rbegin rend cbegin cend crbegin crend data size empty"
    " capacity max_size get_allocator reserve shrink_to_fit ~vector".split()
)
"""Member functions of vectors that leave sizes as they are."""


@dataclass(frozen=True)
class _Local:
    """An event at the call of a model, in terms of the caller. token: the container, or the row
    that changes."""

    kind: str
    number: int
    view: FunctionContext
    block: str
    call: Instruction
    token: Operand
    value: Value | None
    other: Operand | None = None
    window: Window | None = None
    index: str | None = None
    shift: int | None = 0  # bytes from where the token points to the container


class RowEvents:
    """The events of a program, each found once."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.program, self.aliasing = memory, memory.program, memory.aliasing
        self._known: dict[str, Sequence[_Local]] = {}
        self._finding: set[str] = set()  # the functions whose events are being found

    @cached_property
    def models(self) -> Mapping[str, Sequence[Instruction]]:
        """Function -> the markers in its body."""
        found: dict[str, list[Instruction]] = {}
        for f in self.program.defined.values():
            for b in f.blocks.values():
                for i in b.instructions:
                    if i.is_call and i.operands[0] in _MARKERS:
                        found.setdefault(f.name, []).append(i)
        return found

    @cached_property
    def has_rows(self) -> bool:
        """Are there containers of containers?"""
        return any(i.operands[0] == f"@{ROWS}" for found in self.models.values() for i in found)

    def of(self, number: int) -> list[RowEvent] | None:
        """The events of a type of rows; None where some cannot be followed."""
        if number in self._wild:
            return None
        found: list[RowEvent] = []
        for name in self.program.calls.reachable:
            if name in self.program.defined and name not in self.models:
                for local in self._filled(self._in_function(name), number):
                    if local.number == number:
                        found += self._followed(local, 0)
        return found

    @cached_property
    def _wild(self) -> frozenset[int]:
        """Types of which a function may change sizes that has no model."""
        module, found = self.program.module, set[int]()
        for name in self.program.calls.reachable:
            f = self.program.defined.get(name)
            if f is None or name in self.models or name.startswith(cxx.CONST_MEMBER):
                continue
            scope = module.metadata_field(f.dbg, "scope")
            number = container_number(module.metadata_field(scope, "name") or "")
            own = (module.metadata_field(f.dbg, "name") or "").partition("<")[0]
            if number is not None and own not in _HARMLESS and not own.startswith("_"):
                found.add(number)
        taken = self.aliasing.address_taken
        for name, markers in self.models.items():
            if name in taken:
                found.update(_number(i) for i in markers)
        return frozenset(found)

    def made_here(self, view: FunctionContext, storage: Loaded, block: str) -> Value | None:
        """The bytes of each row of a container that this call of a function has made before it
        comes to a block, where nothing else in it, or in what it calls, happens to such rows. So
        may a function make containers of different rows in different calls."""
        number, name, calls = number_of(storage), view.function.name, self.program.calls
        if number in self._wild or name in calls.recursive or name in self._finding:
            return None
        made = [e for e in self._locals(name) if e.number == number and not self._is_apart(e)]
        if len(made) != 1 or made[0].kind != ROWS or made[0].value is None:
            return None
        e, innermost = made[0], view.forest.innermost.get(made[0].block)
        address = view.scalars.value(e.token).expr
        if address != storage.address or innermost is not None or e.block == block:
            return None
        if not view.forest.dominates(e.block, block):
            return None
        below = calls.below_any((name, *calls.pointed)) - {name}
        if not below.isdisjoint(self._finding):
            return None
        if any(o.number == number for f in below for o in self._locals(f)):
            return None
        return e.value

    def _locals(self, name: str) -> Sequence[_Local]:
        """The events at the calls of models in a function."""
        if name not in self._known:
            is_own = name in self.program.defined and name not in self.models
            # what changes rows may be told in terms of what rows hold
            self._finding.add(name)
            self._known[name] = self._in_function(name) if is_own else []
            self._finding.discard(name)
        return self._known[name]

    def _is_apart(self, e: _Local) -> bool:
        """Is what changes a container of its own, and no element of another one?"""
        if e.kind not in (SIZED, GROWN):
            return False
        address = stepped(e.view, e.view.scalars.value(e.token).expr, e.block)
        base, _ = self.aliasing.underlying_object(e.view.function, e.token)
        return storage_of(address) is None and base is not None and self.aliasing.is_object(base)

    # -- at the calls of models
    def _in_function(self, name: str) -> list[_Local]:
        view, found = self.program.view(name), list[_Local]()
        for b in view.function.blocks.values():
            if b.name not in view.reachable:
                continue
            for i in b.instructions:
                if (target := callee(i) or "") in self.models:
                    model = self.program.defined[target]
                    found += (self._local(view, b.name, i, model, m) for m in self.models[target])
        return found

    def all(self) -> dict[int, list[RowEvent] | None]:
        """The events of each type of rows."""
        if not self.has_rows:
            return {}
        kinds = {_number(i) for found in self.models.values() for i in found}
        return {number: self.of(number) for number in kinds}

    def _local(
        self, view: FunctionContext, block: str, call: Instruction, model: Function, m: Instruction
    ) -> _Local:
        kind, handed = str(m.operands[0])[1:], self._handed(model, call)
        token = handed.get(m.operands[2], _NOWHERE)
        if kind == SAME:
            same = handed.get(m.operands[3], _NOWHERE)
            return _Local(kind, _number(m), view, block, call, token, None, same)
        value = self._carried(view, block, call, model, m)
        other = self._taken_from(call, model, m) if kind == SIZED else None
        return _Local(kind, _number(m), view, block, call, token, value, other)

    def _taken_from(self, call: Instruction, model: Function, m: Instruction) -> Operand | None:
        """The other container whose size one takes, where they are exchanged or assigned."""
        if len(call.operands) < 3 or m.operands[2] not in {p.token for p in model.parameters[:2]}:
            return None
        value = self.program.view(model.name).scalars.value(m.operands[3]).expr
        if not value.has(Loaded):
            return None
        return call.operands[2 if m.operands[2] == model.parameters[0].token else 1]

    @staticmethod
    def _handed(model: Function, call: Instruction) -> dict[Operand, Operand]:
        names = (p.token for p in model.parameters)
        return dict(zip(names, call.operands[1:], strict=False))

    def _carried(
        self, view: FunctionContext, block: str, call: Instruction, model: Function, m: Instruction
    ) -> Value | None:
        """The bytes that a marker tells, in the caller's terms."""
        value = self.program.view(model.name).scalars.value(m.operands[3])
        if not self.program.is_portable(value):
            return None
        if self.program.target(view.function.name, call) is None:
            return None
        return self.program.at_call(view, block, call, value)

    # -- up to the object that the container is
    def _followed(self, e: _Local, depth: int) -> list[RowEvent]:
        """The event where the container, or the object among whose elements the row is, is known;
        once for each call that leads there."""
        if e.kind in (SIZED, GROWN):
            address = stepped(e.view, e.view.scalars.value(e.token).expr, e.block)
            row = storage_of(address)
            if row is not None:
                if number_of(row) != e.number:
                    return []  # an element of a container of another type
                taken = None
                if e.other is not None:
                    other = e.view.scalars.value(e.other).expr
                    taken = storage_of(stepped(e.view, other, e.block))
                mine = self.places(e.view, row.address)
                if taken is None or number_of(taken) != e.number:
                    return [RowEvent(e.kind, e.number, mine, e.value)]
                return [RowEvent(SAME, e.number, mine, None, self.places(e.view, taken.address))]
        function = e.view.function
        base, offset = self.aliasing.underlying_object(function, e.token)
        shift = offset_sum(offset, e.shift)
        if base is not None and self.aliasing.is_object(base):
            own = frozenset(((base, shift),))
            return [] if e.kind in (SIZED, GROWN) else [self._event(e, own)]
        at = _parameter(function, base)
        if at is None or depth > _DEPTH or not self._is_called_openly(function):
            return [self._event(e, None)]
        found: list[RowEvent] = []
        for site in self.program.calls.callers.get(function.name, ()):
            caller = self.program.view(site.caller)
            if site.block not in caller.reachable:
                continue
            handed = self._handed(function, site.instruction).get(function.parameters[at].token)
            above = self._above(e, caller, site.block, site.instruction, handed or _NOWHERE, shift)
            found += self._followed(above, depth + 1)
        return found

    def _above(
        self,
        e: _Local,
        caller: FunctionContext,
        block: str,
        call: Instruction,
        token: Operand,
        shift: int | None,
    ) -> _Local:
        """The event in terms of a caller."""
        value = e.value
        if value is not None:
            if e.index is not None:  # the number of the row means the same to all
                value = Value(value.expr.substitute({e.index: sym(_ROW)}), value.preconditions)
            known = self.program.target(caller.function.name, call) is not None
            is_portable = known and self.program.is_portable(value)
            value = self.program.at_call(caller, block, call, value) if is_portable else None
            if e.index is not None and value is not None:
                value = Value(value.expr.substitute({_ROW: sym(e.index)}), value.preconditions)
        other = None
        if e.other is not None:
            handed = self._handed(e.view.function, call)
            other = handed.get(e.other, _NOWHERE)
        return replace(
            e,
            view=caller,
            block=block,
            call=call,
            token=token,
            value=value,
            other=other,
            shift=shift,
        )

    def _event(self, e: _Local, places: Places) -> RowEvent:
        other: Places = None
        if e.other is not None and e.kind == SAME:
            function = e.view.function
            other = self._objects(function, *self.aliasing.underlying_object(function, e.other), 0)
        return RowEvent(e.kind, e.number, places, e.value, other, e.window, e.index)

    def _objects(
        self, function: Function, base: UnderlyingObject | None, offset: int | None, depth: int
    ) -> Places:
        """The objects that a pointer into `base` may be into, as far as callers tell."""
        if base is None or self.aliasing.is_object(base):
            return None if base is None else frozenset(((base, offset),))
        at = _parameter(function, base)
        if at is None or depth > _DEPTH or not self._is_called_openly(function):
            return None
        found: set[Place] = set()
        for site in self.program.calls.callers.get(function.name, ()):
            if site.block not in self.program.view(site.caller).reachable:
                continue
            caller = self.program.defined[site.caller]
            handed = self._handed(function, site.instruction).get(function.parameters[at].token)
            into, more = self.aliasing.underlying_object(caller, handed or _NOWHERE)
            above = self._objects(caller, into, offset_sum(more, offset), depth + 1)
            if above is None:
                return None
            found |= above
        return frozenset(found)

    def _is_called_openly(self, f: Function) -> bool:
        return f.name != self.program.entry and f.name not in self.program.calls.pointed

    def places(self, view: FunctionContext, address: Expr) -> Places:
        """The objects that an address formula may point into."""
        if len(address.symbols) != 1:
            return None
        (symbol,) = address.symbols
        offset = (address - sym(symbol)).constant
        base = self.program.memory.object_of(view, symbol)
        return self._objects(view.function, base, offset if isinstance(offset, int) else None, 0)

    # -- rows that are made empty, and filled by a loop over all of them
    def _filled(self, events: list[_Local], number: int) -> Iterator[_Local]:
        made = [e for e in events if e.kind == ROWS and e.number == number]
        changed = [e for e in events if e.kind in (SIZED, GROWN) and e.number == number]
        used: list[_Local] = []
        for m in made:
            if m.value is None or m.value.expr != ZERO:
                continue
            fills = [(c, f) for c in changed if (f := self._fill(m, c, events)) is not None]
            filled = _together(fills)
            if filled is not None:
                used += [m, *(c for c, _ in fills)]
                yield filled
        yield from (e for e in events if not any(e is u for u in used))

    def _fill(self, made: _Local, change: _Local, events: list[_Local]) -> _Local | None:
        """The event of rows that are made with what a loop gives them."""
        view, function = made.view, made.view.function
        inner = view.forest.innermost.get(change.block)
        if inner is None or change.value is None or change.value.preconditions:
            return None
        value, header = change.value.expr, inner
        found = self._row(view, change)
        if found is None or found[0] != view.scalars.value(made.token).expr:
            return None
        if view.variables.index(header) not in found[1].symbols:
            # an inner loop adds to one row
            parent = view.loops[inner].parent
            each = view.trip_counts.iterations(inner)
            if change.kind != GROWN or parent is None or each.reason or each.formula is None:
                return None
            if each.preconditions or not self._always(view, change.block, inner):
                return None
            value, header, block = value * each.formula, parent, inner
        else:
            block = change.block
        if found[1] != sym(view.variables.index(header)) * ROW_BYTES:
            return None
        how_often = ONE if self._always(view, block, header) else self._share(view, change, header)
        if how_often is None:
            return None
        value = stepped(view, value * how_often, block)
        if view.varying(value, header):
            return None
        if not self._covers(made, header, events):
            return None
        window = Window(function.name, header)
        index = view.variables.index(header)
        is_by_index = index in value.symbols
        return replace(
            made, value=Value(value), window=window, index=index if is_by_index else None
        )

    def _row(self, view: FunctionContext, change: _Local) -> tuple[Expr, Expr] | None:
        """(address of the container, offset in bytes) of a row that changes: by the address of its
        elements, else by how it is reached, as long as nothing else is known of that address."""
        row = stepped(view, view.scalars.value(change.token).expr, change.block)
        storage = storage_of(row)
        if storage is not None:
            return storage.address, row - from_atom(storage)
        i = view.function.definitions.get(change.token)
        if i is not None and i.is_call and len(i.operands) == 3:
            f = self.program.module.functions.get(callee(i) or "")
            name = self.program.module.metadata_field(f.dbg, "name") if f is not None else None
            if name in ("operator[]", "at") and self._is_library(callee(i) or ""):
                at = stepped(view, view.scalars.value(i.operands[2]).expr, change.block)
                return view.scalars.value(i.operands[1]).expr, at * ROW_BYTES
        if not is_phi(i):
            return None
        loop = view.loops.get(view.function.block_of[i.token])
        if loop is None:
            return None
        starts = [o for o, b in zip(i.operands, i.labels, strict=True) if b != loop.latch]
        begin = view.function.definitions.get(starts[0]) if len(starts) == 1 else None
        if not is_load(begin):
            return None
        offset = row - view.scalars.value(begin.token).expr
        return view.scalars.value(begin.operands[0]).expr, offset

    def _always(self, view: FunctionContext, block: str, header: str) -> bool:
        """Does each iteration of a loop pass a block once?"""
        latch = view.loops[header].latch
        if latch is None or not view.forest.dominates(block, latch):
            return False
        inner = view.forest.innermost.get(block)
        return inner == header or (inner == block and view.loops[block].parent == header)

    def _share(self, view: FunctionContext, change: _Local, header: str) -> Expr | None:
        """1 in iterations of a loop that pass a change, else 0, where its variables decide that."""
        body = [
            s for s in view.function.blocks[header].successors if s in view.loops[header].blocks
        ]
        if change.kind != GROWN or len(body) != 1:
            return None
        if view.forest.innermost.get(change.block) != header:
            return None
        condition, needs = view.paths.below(body[0], change.block)
        if needs or condition.is_undecided or view.is_data(condition):
            return None
        return condition.indicator()

    def _covers(self, made: _Local, header: str, events: list[_Local]) -> bool:
        """Does a loop run once for each row, behind the call that makes them, on every way, and
        does nothing look at the rows in between?"""
        view, function, loop = made.view, made.view.function, made.view.loops[header]
        count = view.trip_counts.iterations(header)
        numbers = [
            e.value.expr * Fraction(1, ROW_BYTES)
            for e in events
            if e.call is made.call and e.kind == SIZED and e.value is not None
            if e.number != made.number
        ]
        if count.reason or count.formula is None or len(numbers) != 1:
            return False
        if count.formula not in (numbers[0], maximum(0, numbers[0])):
            return False
        leading = self.memory.writes.leading
        around = set(loops_around(view, made.block))
        if not view.forest.dominates(made.block, header) or not around <= set(
            loops_around(view, header)
        ):
            return False
        ends = [b.name for b in function.blocks.values() if is_return(b.terminator)]
        after = function.blocks[made.block].successors
        if any(s in leading(function, header, end) for end in ends for s in after):
            return False
        between = {made.block, *leading(function, made.block, header), *loop.blocks}
        return all(
            self._is_library(callee(i) or "")
            for name in between
            for i in function.blocks[name].instructions
            if i.is_call and not (name == made.block and i.line <= made.call.line)
        )

    def _is_library(self, name: str) -> bool:
        """Can a function not look at rows otherwise than for its caller?"""
        f = self.program.defined.get(name)
        if f is None:
            return bool(name)
        return is_system_file(self.program.module.file_of(f.dbg) or "")


def _together(fills: Sequence[tuple[_Local, _Local]]) -> _Local | None:
    """What several changes in one loop make of the rows of a container: each adds to them."""
    if not fills:
        return None
    change, found = fills[0]
    for other, more in fills[1:]:
        if change.kind != GROWN or other.kind != GROWN or more.window != found.window:
            return None
        if found.value is None or more.value is None:
            return None
        value, index = found.value.expr + more.value.expr, found.index or more.index
        found = replace(found, value=Value(value), index=index)
    return found


def _parameter(function: Function, base: UnderlyingObject | None) -> int | None:
    """The number of the parameter that a pointer is based on."""
    at = (k for k, p in enumerate(function.parameters) if base == Pointer(function.name, p.token))
    return next(at, None)


def _number(marker: Instruction) -> int:
    number = marker.operands[1]
    return number.value if isinstance(number, IntLiteral) else 0
