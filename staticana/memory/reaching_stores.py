"""What a load sees: the store that control passed last on every way to it.

A store reaches a load where it dominates the load and no other write that may touch the location
lies on a way in between. Several writes, each made at most once under a condition that is a
formula, merge into one value with a case for each (as a gated phi does: Ottenstein, Ballance and
MacCabe, PLDI 1990). What loops change step by step is followed through them (`history`). Where no
write of the function comes before the load, it sees what the function found there when it was
entered (`entry_values`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..alias.alias_analysis import Aliasing
from ..alias.array_descriptors import DIMENSION, EXTENT, HEADER, LOWER, Assignment
from ..alias.memory_location import EntryPointer, MemoryLocation, UnderlyingObject, overlap
from ..expr import SIZE, ZERO, Expr, Loaded, TooComplex, choose, expr, sym, symbols
from ..expr.budget import Provisional
from ..ir.graph import callee, in_order
from ..ir.matchers import is_store
from ..ir.types import Instruction, IntLiteral, Operand
from ..scev.arithmetic.fits import handed_on
from ..scev.context import FunctionContext
from ..scev.values import NO_PRECONDITIONS, UNREACHED, Reached, Since, Value, is_given
from .assigned_arrays import source_of
from .history import History
from .writes import Write, Writes

if TYPE_CHECKING:
    from .memory import Memory

_MAX_DEPTH = 24
"""Searches for stores, each needed by the one before."""
_MAX_EVENTS = 4_000
"""Writes of the largest function in which stores are searched for."""
_MAX_MERGED = 4
"""Writes whose values become the cases of one formula."""
_MAX_RELEVANT = 60
"""Writes that may reach one load; of more, none is told from the others."""
_MOST_REPEATED = 2
"""Questions that are searched for again while they are answered, one within the other."""
_Key = tuple[str, int, MemoryLocation]
NEVER_SET = sym(symbols.unknown("", "never set"))
"""Stands for what a local variable holds before anything is written to it."""
_PENDING = Reached()
"""Stands for an answer that is being found."""


class ReachingStores:
    """Finds the stores that loads see, within one function."""

    def __init__(self, memory: Memory, writes: Writes) -> None:
        self.memory = memory
        self.writes = writes
        self.aliasing: Aliasing = memory.aliasing
        self._found: dict[tuple[str, int, MemoryLocation], Reached] = {}
        self._orders: dict[str, dict[str, int]] = {}
        self._active = 0
        self._repeated: set[_Key] = set()
        self._history = History(self)
        self._followed: dict[_Key, list[Write]] = {}
        self._ends: dict[tuple[UnderlyingObject, int], int] = {}

    def reaching(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Reached:
        """What stands at the place when control is before an instruction of `block`."""
        key = (view.function.name, before.line, place)
        if key not in self._found:
            self._active += 1
            try:
                with Provisional(self._found, key, _PENDING):  # what depends on itself, in a loop
                    if self._active < _MAX_DEPTH:
                        self._found[key] = self._search(view, place, block, before)
            except TooComplex:
                pass
            finally:
                self._active -= 1
                if self._found.get(key) is _PENDING:
                    self._found[key] = UNREACHED
                self._followed.pop(key, None)
        elif self._found[key] is _PENDING:
            return self._while_pending(key, view, block, before)
        return self._found[key]

    def _while_pending(
        self, key: _Key, view: FunctionContext, block: str, before: Instruction
    ) -> Reached:
        """The answer to a question that comes back to itself: what a loop that is being followed
        has kept there."""
        writes = self._followed.pop(key, None)
        if writes is not None:
            value = self._history.value(view, key[2], block, before, writes)
            self._followed[key] = writes
            if value is not None:
                return Reached(value)
        # or callers who were asked for what they agree on come back to it
        below = view.program.from_below
        if below is not None:
            name = view.function.name
            found = below.memory.reaching(below.view(name), key[2], block, before)
            if found.value is not None and is_given(found.value):
                return found
        return self._once_more(key, view, block, before)

    def _once_more(
        self, key: _Key, view: FunctionContext, block: str, before: Instruction
    ) -> Reached:
        """The answer to a question that has come back around a loop, by way of a place that the
        loop keeps and that is known by now: what `step(b)` returns, in `b = step(b)`."""
        if key in self._repeated or len(self._repeated) >= _MOST_REPEATED:
            return UNREACHED
        self._repeated.add(key)
        try:
            return self._search(view, key[2], block, before)
        finally:
            self._repeated.discard(key)

    def perhaps_unset(
        self, view: FunctionContext, place: MemoryLocation, block: str, before: Instruction
    ) -> Reached:
        """As `reaching`, of a place that is not set on every way: NEVER_SET stands for what it then
        holds."""
        found = self.reaching(view, place, block, before)
        if found.value is not None or self._active >= _MAX_DEPTH:
            return found
        self._active += 1
        try:
            return self._search(view, place, block, before, NEVER_SET)
        except TooComplex:
            return found
        finally:
            self._active -= 1

    def _search(
        self,
        view: FunctionContext,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        unset: Expr | None = None,
    ) -> Reached:
        """unset: what local variables hold before they are set, where that may be told."""
        function = view.function
        if len(self.writes.of(function)) > _MAX_EVENTS:
            return UNREACHED
        relevant, outside = self.writes.arriving(function, place, block, before)
        if relevant and (place.underlying_object is None or place.offset is None):
            return UNREACHED
        kept: list[Write] = []
        for w in relevant:
            if w.instruction.is_call:
                left = self.memory.calls.leaves(view, w.instruction, place)
                if left is not None:
                    outside |= left
                    continue
            elif self._goes_beside(view, w, place):
                continue
            kept.append(w)
            if len(kept) > _MAX_RELEVANT:
                return UNREACHED
        if not kept:
            return Reached(on_entry=True, outside=outside)
        return self._among(view, place, block, before, kept, outside, unset)

    def _goes_beside(self, view: FunctionContext, w: Write, place: MemoryLocation) -> bool:
        """Does a store with a subscript that has a known value write to another element: the second
        `tests[count++] = f`?"""
        if not is_store(w.instruction) or place.offset is None:
            return False
        own = self._subscripted(view, w, place)
        return own is not None and not overlap(own.offset or 0, own.size, place.offset, place.size)

    def _subscripted(
        self, view: FunctionContext, w: Write, place: MemoryLocation
    ) -> MemoryLocation | None:
        """Where a store goes that is run once, in the object of a place, if its subscript has a
        known value; None where it has none, and for other stores."""
        i, base = w.instruction, place.underlying_object
        own = self.aliasing.location(view.function, i.operands[1], i.type, i.tbaa)
        if own.offset is not None or own.underlying_object != base or base is None:
            return None
        if w.block in view.forest.innermost or not self.aliasing.is_object(base):
            return None
        address = view.scalars.value(i.operands[1])
        offset = (address.expr - sym(self.memory.entry_values.pointer_symbol(view, base))).constant
        if not isinstance(offset, int) or address.preconditions:
            return None
        return own._replace(offset=offset, extent=None)

    def _among(
        self,
        view: FunctionContext,
        place: MemoryLocation,
        block: str,
        before: Instruction,
        relevant: list[Write],
        outside: frozenset[str],
        unset: Expr | None,
    ) -> Reached:
        """What writes leave at a place of which all but these leave it alone."""
        function = view.function
        since = self._since(view, relevant, block, before)
        for w in reversed(relevant):
            if not self._dominates(view, w, block, before):
                continue
            if any(
                x is not w and self.writes.avoids(function, x, w, block, before) for x in relevant
            ):
                continue
            value = self.stored(view, w, place)
            since = since or self._left_by(view, w, block)
            if value is None:
                call = w.instruction if w.instruction.is_call else None
                return Reached(outside=outside, since=since, by=call)
            if self._holds(view, value, w.block, block):
                return Reached(value, outside=outside)
            break
        value = self._merged(view, relevant, place, unset)
        if value is None:
            self._followed[view.function.name, before.line, place] = relevant
            value = self._history.value(view, place, block, before, relevant)
        if value is None and len(relevant) <= _MAX_MERGED:
            value = self.memory.in_filled(view, place, block, before)
        if value is not None:
            return Reached(value, outside=outside)
        return Reached(outside=outside, since=since)

    def _since(
        self, view: FunctionContext, writes: list[Write], block: str, before: Instruction
    ) -> Since | None:
        """The writes, where none of them can follow the point: what they leave stays."""
        function = view.function
        for w in writes:
            if self.writes.comes_to(function, block, w.block):
                return None
            if w.block == block and w.instruction.line >= before.line:
                return None
        return Since(f"after.{'.'.join(str(w.number) for w in writes)}", function.entry.name)

    @staticmethod
    def _left_by(view: FunctionContext, w: Write, block: str) -> Since:
        """The last execution of one write, which control passes on every way to a block."""
        left, header = None, view.forest.innermost.get(w.block)
        while header is not None and block not in view.loops[header].blocks:
            left, header = header, view.loops[header].parent
        return Since(f"by.{w.number}.{left or ''}", left or w.block)

    def _merged(
        self, view: FunctionContext, writes: list[Write], place: MemoryLocation, unset: Expr | None
    ) -> Value | None:
        """What several writes leave of which each is made at most once, under conditions that are
        formulas."""
        if len(writes) > _MAX_MERGED or any(w.block in view.forest.innermost for w in writes):
            return None
        entry = view.function.entry.name
        order = self._orders.get(view.function.name)
        if order is None:
            order = {name: at for at, name in enumerate(in_order(view.function))}
            self._orders[view.function.name] = order
        result: Expr | None = None
        preconditions: frozenset[Expr] = NO_PRECONDITIONS
        for w in sorted(writes, key=lambda w: (order.get(w.block, 0), w.instruction.line)):
            value = self.stored(view, w, place)
            condition, more = view.paths.below(entry, w.block)
            if value is None or condition.is_undecided or view.is_data(condition):
                return None
            preconditions |= value.preconditions | more
            if condition.kind == "true":
                result = value.expr
                continue
            if result is None:
                result = unset if self._is_local(place) else self.before_all(view, place)
                if result is None:
                    return None
            result = choose(condition.indicator(), value.expr, result)
        return Value(result, preconditions) if result is not None else None

    def before_all(self, view: FunctionContext, place: MemoryLocation) -> Expr | None:
        """What a function found at a place when it was entered."""
        base, offset = place.underlying_object, place.offset
        if (
            base is None
            or isinstance(base, EntryPointer)
            or offset is None
            or self._is_local(place)
        ):
            return None
        address = sym(self.memory.entry_values.pointer_symbol(view, base)) + offset
        found = self.memory.on_entry(view, Loaded(address, place.kind, "", (), place))
        size = self._ends.get((base, offset)) if place.kind == "ptr" else None
        if size is None or not isinstance(found.atom, Loaded):
            return found
        begin = self.before_all(view, place._replace(offset=offset - 8))
        number = Loaded(address, SIZE, "", (expr(size),), place)
        held = self.memory.on_entry(view, number)
        return found if begin is None else begin + held * size

    def _is_local(self, place: MemoryLocation) -> bool:
        """Is it in an object that the function itself makes?"""
        base = place.underlying_object
        return base is not None and self.aliasing.is_object(base) and not place.is_global

    def note_end(self, place: MemoryLocation, size: int) -> None:
        """A place holds the end of a container whose elements have so many bytes: what it was on
        entry is the beginning and a number of elements, which buffers that change places may
        share where their addresses differ."""
        if place.underlying_object is not None and place.offset is not None:
            self._ends[place.underlying_object, place.offset] = size

    def _dominates(self, view: FunctionContext, w: Write, block: str, before: Instruction) -> bool:
        if w.block == block:
            return w.instruction.line < before.line
        return (
            w.block in view.reachable
            and block in view.reachable
            and view.forest.dominates(w.block, block)
        )

    def _holds(self, view: FunctionContext, value: Value, written: str, block: str) -> bool:
        """Is the value that of the last write: it does not change in loops that are left in
        between?"""
        header = view.forest.innermost.get(written)
        while header is not None and block not in view.loops[header].blocks:
            if view.varying(value.expr, header):
                return False
            header = view.loops[header].parent
        return True

    def stored(self, view: FunctionContext, w: Write, place: MemoryLocation) -> Value | None:
        """The value that a write puts at exactly this place; None where it is not plain."""
        i = w.instruction
        if is_store(i):
            own = self.aliasing.location(view.function, i.operands[1], i.type, i.tbaa)
            if own.underlying_object != place.underlying_object or i.flags & {"volatile"}:
                return None
            if own.offset is None:
                own = self._subscripted(view, w, place) or own
            if (own.offset, own.kind) != (place.offset, place.kind):
                return _part(view, i, own, place)
            return handed_on(view, i.operands[0])
        if not i.is_call:
            return None
        if (callee(i) or "").startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            return self._copied(view, w, place)
        made = self.aliasing.assignment(view.function, i)
        if made is not None:
            left = self._of_shape(view, w, place, made)
            return self._of_element(view, w, place, made) if left is None else left
        answer = self.memory.program.answer(view, i)
        if answer is not None:
            target = self.aliasing.location(view.function, answer.address, answer.type)
            same = (target.underlying_object, target.offset, target.kind)
            asked = (place.underlying_object, place.offset, place.kind)
            return Value(answer.value) if same == asked else None
        received = self.memory.program.received(view, w.block, i, place)
        if received is not None:
            return received
        return self.memory.calls.after_call(view, w.block, w.instruction, place).value

    def _copied(self, view: FunctionContext, w: Write, place: MemoryLocation) -> Value | None:
        """What memcpy or memset leaves at a place."""
        i = w.instruction
        target, offset = self.aliasing.underlying_object(view.function, i.operands[1])
        length = i.operands[3]
        if (
            target != place.underlying_object
            or offset is None
            or place.offset is None
            or place.size is None
            or not isinstance(length, IntLiteral)
            or not offset <= place.offset <= offset + length.value - place.size
        ):
            return None
        if (callee(i) or "").startswith("llvm.memset"):
            return Value(ZERO) if i.operands[2] == "0" else None
        return self._standing(view, w, place, i.operands[2], place.offset - offset)

    def _standing(
        self, view: FunctionContext, w: Write, place: MemoryLocation, token: Operand, moved: int
    ) -> Value | None:
        """What stands, like what is asked of a place, so many bytes behind an address before a
        call."""
        i = w.instruction
        source, start = self.aliasing.underlying_object(view.function, token)
        if source is None or start is None:
            return None
        there = place._replace(underlying_object=source, offset=start + moved)
        found = self.reaching(view, there, w.block, i)
        if found.value is not None:
            return found.value
        if not found.on_entry:
            return None
        address = view.scalars.value(token).expr + moved
        return Value(self.memory.on_entry(view, Loaded(address, place.kind, "", (), there)))

    def _of_element(
        self, view: FunctionContext, w: Write, place: MemoryLocation, made: Assignment
    ) -> Value | None:
        """What an assignment of arrays leaves in an element of its target."""

        def standing(there: MemoryLocation) -> Expr | None:
            found = self.reaching(view, there, w.block, w.instruction)
            value = found.value
            if found.on_entry:
                return self.before_all(view, there)
            return value.expr if value is not None and not value.preconditions else None

        source = source_of(self.memory, view, made, place, standing)
        if source is None:
            return None
        found = standing(source)
        return None if found is None else Value(found)

    def _of_shape(
        self, view: FunctionContext, w: Write, place: MemoryLocation, made: Assignment
    ) -> Value | None:
        """What an assignment of arrays leaves in the descriptor of its target: the extents of the
        source, which the target has in any case, and the lower bounds where both agree."""
        base, start = self.aliasing.underlying_object(view.function, made.target)
        if base != place.underlying_object or start is None or place.offset is None:
            return None
        moved = place.offset - start
        dimension, part = divmod(moved - HEADER, DIMENSION)
        if not 0 <= dimension < made.to.rank or made.to.rank != made.of.rank:
            return None
        if part not in (LOWER, EXTENT) or place.kind != "i64":
            return None
        found = self._standing(view, w, place, made.source, moved)
        if part == EXTENT or found is None:
            return found
        own = self._standing(view, w, place, made.target, moved)
        return found if own == found else None


def _part(
    view: FunctionContext, store: Instruction, own: MemoryLocation, place: MemoryLocation
) -> Value | None:
    """The number at a place in what a wider store writes, as where a pair of numbers is returned in
    one register."""
    if own.offset is None or own.size is None or place.offset is None or place.size is None:
        return None
    if own.kind[:1] != "i" or place.kind[:1] != "i":
        return None
    shift = place.offset - own.offset
    if shift < 0 or shift + place.size > own.size:
        return None
    return view.scalars.bits(store.operands[0], 8 * shift, 8 * place.size)
